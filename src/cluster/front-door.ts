/**
 * The port of one protocol for the clients of all shards. It reads the first message only to learn whose session the connection
 * is for, and hands the connection to the shard of that session, where the client is authenticated (docs/decisions/
 * 0284-the-front-door-authenticates-nobody.md).
 */
import { hash } from 'node:crypto';
import type { Clock, Instant } from '../runtime/clock.ts';
import type { SocketLink } from '../transport/link.ts';
import { PendingVerdict } from '../transport/pending-verdict.ts';
import type { Admission, Peer, Reception } from '../transport/session.ts';
import { type LaneName, lanes } from './lanes.ts';

/** A shard as a front door sees it. */
export interface Destination {
  readonly isOpen: boolean;
  /** Calls back when it is open; the returned function cancels. */
  whenOpen(callback: () => void): () => void;
  take(lane: LaneName, link: SocketLink, first: Buffer): void;
}

export interface FrontDoorOptions {
  readonly lane: LaneName;
  readonly clock: Clock;
  readonly holdMs: number;
  /** Where the session of this name is; undefined if nobody has the name. */
  readonly find: (lane: LaneName, name: string) => Destination | undefined;
  /** All shards, in an order that does not change. */
  readonly all: () => readonly Destination[];
}

const unavailable = 'The session is not available at present; please try again in a few seconds';

export class FrontDoor implements Reception<Destination> {
  readonly #options: FrontDoorOptions;
  /** By connection: until when it waits for its shard. */
  readonly #heldUntilMs = new WeakMap<Peer, number>();

  constructor(options: FrontDoorOptions) {
    this.#options = options;
  }

  admit(bytes: Uint8Array, peer: Peer, now: Instant): Admission<Destination> {
    const { clock, holdMs, lane } = this.#options;
    const first = lanes[lane](Buffer.from(bytes));
    if (first.kind !== 'first') return first;
    const session = this.#destination(first.name);
    if (session === undefined) {
      return { kind: 'refuse', reason: 'no session has these CompIDs', isOffence: false };
    }
    if (session.isOpen) return { kind: 'admit', session };
    const untilMs = this.#heldUntilMs.get(peer) ?? now.monoMs + holdMs;
    this.#heldUntilMs.set(peer, untilMs);
    if (now.monoMs >= untilMs) return first.turnAway(unavailable, now);
    return { kind: 'wait', inquiry: opening(session, clock, untilMs) };
  }

  attach(session: Destination, link: SocketLink, first: Uint8Array): boolean {
    session.take(this.#options.lane, link, Buffer.from(first));
    return true;
  }

  /**
   * A bridge closes a connection with unknown CompIDs at once. It treats an unknown FIXP user like a wrong password, so some
   * worker has to check that password, always the same one for the same name.
   */
  #destination(name: string): Destination | undefined {
    const { all, find, lane } = this.#options;
    const found = find(lane, name);
    if (found !== undefined || lane === 'fix') return found;
    const shards = all();
    return shards[hash('sha256', name, 'buffer').readUInt32BE(0) % shards.length];
  }
}

/** Over when the shard is open, or when the connection has waited long enough. */
function opening(session: Destination, clock: Clock, untilMs: number): PendingVerdict {
  let giveUp = () => {};
  const over = new Promise<'right'>((resolve) => {
    const done = () => {
      cancelOpen();
      cancelAlarm();
      resolve('right');
    };
    const cancelOpen = session.whenOpen(done);
    const cancelAlarm = clock.at(untilMs, done);
    giveUp = done;
  });
  return new PendingVerdict(over, giveUp);
}
