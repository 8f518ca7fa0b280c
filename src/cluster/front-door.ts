/**
 * The port of one protocol for the clients of all shards. It reads the first message only to learn whose session the
 * connection is for, and hands the connection to the shard of that session, where the client is authenticated
 * (docs/decisions/0280-shards-nodes-and-postgresql.md).
 */
import { hash } from 'node:crypto';
import type { Clock, Instant } from '../runtime/clock.ts';
import type { SocketLink } from '../transport/link.ts';
import { PendingVerdict } from '../transport/pending-verdict.ts';
import type { Admission, Peer, Reception } from '../transport/session.ts';
import { type LaneName, lanes } from './lanes.ts';

/** Receives an accepted connection. */
export interface Entrance {
  take(lane: LaneName, link: SocketLink, first: Buffer): void;
}

/** A connection that waits for its shard, with all bytes that it has sent. */
export interface Waiting {
  readonly lane: LaneName;
  readonly peer: Peer;
  readonly first: Buffer;
}

/** A shard as a front door sees it. */
export interface Destination extends Entrance {
  readonly isOpen: boolean;
  /** Calls back once this connection can be handed over; the returned function cancels. */
  whenOpen(waiting: Waiting, callback: (entrance: Entrance) => void): () => void;
  /** HOST:PORT of the node that serves the clients of a protocol, if it names one. */
  servedAt(lane: LaneName): string | undefined;
}

export interface FrontDoorOptions {
  readonly lane: LaneName;
  readonly clock: Clock;
  readonly holdMs: number;
  /** The shard of this session; undefined for an unknown name. */
  readonly find: (lane: LaneName, name: string) => Destination | undefined;
  /** All shards, in an order that does not change. */
  readonly all: () => readonly Destination[];
  /** This node is about to exit: a client that it passed on to another node would soon be disconnected again. */
  readonly isDraining?: () => boolean;
}

const unavailable = 'The session is not available at present; please try again in a few seconds';

/** A connection whose shard is not open yet. */
interface Held {
  readonly untilMs: number;
  entrance?: Entrance;
}

export class FrontDoor implements Reception<Entrance> {
  readonly #options: FrontDoorOptions;
  readonly #held = new WeakMap<Peer, Held>();

  constructor(options: FrontDoorOptions) {
    this.#options = options;
  }

  nameIn(bytes: Uint8Array): string {
    const first = lanes[this.#options.lane](Buffer.from(bytes));
    return first.kind === 'first' ? first.name : '';
  }

  admit(bytes: Uint8Array, peer: Peer, now: Instant): Admission<Entrance> {
    const { clock, holdMs, isDraining, lane } = this.#options;
    const all = Buffer.from(bytes);
    const first = lanes[lane](all);
    if (first.kind !== 'first') return first;
    const shard = this.#destination(first.name);
    if (shard === undefined) {
      return { kind: 'refuse', reason: 'no session has these CompIDs', isOffence: false };
    }
    const held = this.#held.get(peer) ?? { untilMs: now.monoMs + holdMs };
    if (held.entrance !== undefined) return { kind: 'admit', session: held.entrance };
    if (shard.isOpen) return { kind: 'admit', session: shard };
    this.#held.set(peer, held);
    const isTurnedAway = now.monoMs >= held.untilMs || isDraining?.() === true;
    if (isTurnedAway) return first.turnAway(advice(shard.servedAt(lane)), now);
    return {
      kind: 'wait',
      pendingVerdict: opening(shard, { lane, peer, first: all }, held, clock),
    };
  }

  attach(entrance: Entrance, link: SocketLink, first: Uint8Array): boolean {
    entrance.take(this.#options.lane, link, Buffer.from(first));
    return true;
  }

  /**
   * A bridge closes a connection with unknown CompIDs at once. It treats an unknown FIXP user like a wrong password, so
   * a worker has to check that password: always the same worker for the same name.
   */
  #destination(name: string): Destination | undefined {
    const { all, find, lane } = this.#options;
    const found = find(lane, name);
    if (found !== undefined || lane === 'fix') return found;
    const shards = all();
    return shards[hash('sha256', name, 'buffer').readUInt32BE(0) % shards.length];
  }
}

function advice(servedAt: string | undefined): string {
  return servedAt === undefined
    ? unavailable
    : `The session is served at ${servedAt}; please connect there`;
}

/** The verdict is known when the connection can be handed over, or has waited too long. */
function opening(shard: Destination, waiting: Waiting, held: Held, clock: Clock): PendingVerdict {
  let giveUp = () => {};
  const over = new Promise<'right'>((resolve) => {
    const done = () => {
      cancelOpen();
      cancelAlarm();
      resolve('right');
    };
    const cancelOpen = shard.whenOpen(waiting, (entrance) => {
      held.entrance = entrance;
      done();
    });
    const cancelAlarm = clock.at(held.untilMs, done);
    giveUp = done;
  });
  return new PendingVerdict(over, giveUp);
}
