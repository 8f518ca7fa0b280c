/**
 * Two ends of a session in one process without sockets: bytes travel in random pieces, connections are cut with bytes
 * in flight, bytes are spoilt, and either end dies before or after its record became durable and is built anew from
 * what it had recorded. All by one seed. What the ends speak is theirs: `session-pair.ts` FIX, `fixp-pair.ts` FIXP.
 */
import { ManualClock } from '../../src/runtime/clock.ts';
import type { Effects, HeldMessage, Session, SessionWrite } from '../../src/transport/session.ts';

/** A small generator that is the same everywhere. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }

  below(limit: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % limit;
  }

  /** True once in so many times. */
  once(inSoMany: number): boolean {
    return inSoMany > 0 && this.below(inSoMany) === 0;
  }
}

/** How often things go wrong: once in so many turns; 0 is never. */
export interface Faults {
  readonly dieBeforeCommit: number;
  readonly dieAfterCommit: number;
  readonly cut: number;
  readonly spoil: number;
}

export const noFaults: Faults = { dieBeforeCommit: 0, dieAfterCommit: 0, cut: 0, spoil: 0 };

/** What a process has on its disk, and how its session and its application are built anew from that. */
export interface Keeper<S extends Session> {
  build(effects: Effects): S;
  /** Makes a record durable. */
  commit(write: SessionWrite): void;
  /** With the records of a transaction: all else that the process keeps. */
  save(): void;
  /** The process died: it is where it last saved. */
  restore(): void;
  message(seq: number): Uint8Array | undefined;
  held(afterPosition: number): readonly HeldMessage[];
}

/** The messages and numbers that a session has made durable; throws when one is lost or used twice. */
export class KeptMessages {
  numbers = { nextIn: 1, nextOut: 1 };
  readonly #messages = new Map<number, Uint8Array>();

  get(seq: number): Uint8Array | undefined {
    return this.#messages.get(seq);
  }

  commit(write: Extract<SessionWrite, { kind: 'messages' | 'numbers' }>): void {
    if (write.kind === 'numbers') {
      const { nextIn, nextOut } = this.numbers;
      if (write.nextIn < nextIn || write.nextOut < nextOut)
        throw new Error('a number went backward');
      this.numbers = write;
      return;
    }
    let start = 0;
    for (const [index, end] of write.ends.entries()) {
      const seq = write.firstSeq + index;
      if (this.#messages.has(seq)) throw new Error(`number ${seq} was used twice`);
      this.#messages.set(seq, write.bytes.slice(start, end));
      start = end;
    }
  }
}

/** What an end knows of the line and of time. */
export interface World {
  readonly clock: ManualClock;
  readonly dice: Dice;
  readonly faults: Faults;
  readonly isUp: boolean;
  cut(): void;
}

/** One end: its process, with the session in it. */
export class End<S extends Session> implements Effects {
  readonly #world: World;
  readonly #keeper: Keeper<S>;
  session: S;
  deadlineMs = 0;
  /** Bytes on their way to the other end. */
  outgoing: Uint8Array[] = [];
  #writes: SessionWrite[] = [];
  #out: Uint8Array[] = [];
  #tasks: ((session: S) => void)[] = [];
  #ready: ((session: S) => void)[] = [];
  #isGathered = false;
  #isLeaving = false;

  constructor(world: World, keeper: Keeper<S>) {
    this.#world = world;
    this.#keeper = keeper;
    this.session = keeper.build(this);
  }

  /** One call into the session with all that follows from it; the process may die on the way. */
  turn(call: (session: S) => void): void {
    call(this.session);
    this.deadlineMs = this.session.tick(this.#world.clock.now());
    if (this.#isGathered) this.session.flush();
    this.#isGathered = false;
    const { dice, faults } = this.#world;
    if (dice.once(faults.dieBeforeCommit)) {
      this.#die();
      return;
    }
    for (const write of this.#writes) this.#keeper.commit(write);
    this.#writes = [];
    this.#keeper.save();
    if (dice.once(faults.dieAfterCommit)) {
      this.#die();
      return;
    }
    this.outgoing.push(...this.#out);
    this.#out = [];
    this.#ready.push(...this.#tasks);
    this.#tasks = [];
    if (this.#isLeaving) this.#world.cut();
  }

  /** Does one thing that the session waits for, such as reading the disk. */
  work(): void {
    const task = this.#ready.shift();
    if (task !== undefined) this.turn(task);
  }

  lineGone(): void {
    this.outgoing = [];
    this.#isLeaving = false;
    this.#ready = [];
    this.turn((session) => session.closed(this.#world.clock.now()));
  }

  // The world of the session.

  record(write: SessionWrite): void {
    this.#writes.push(write);
  }

  transmit(bytes: Uint8Array): void {
    if (this.#world.isUp) this.#out.push(bytes);
  }

  fetch(fromSeq: number, toSeq: number): void {
    this.#tasks.push((session) => this.#read(session, fromSeq, toSeq));
  }

  fetchHeld(afterPosition: number): void {
    this.#tasks.push((session) => {
      const { clock, dice } = this.#world;
      const held = this.#keeper.held(afterPosition);
      session.fetchedHeld?.(held.slice(0, 1 + dice.below(4)), clock.now());
    });
  }

  alarm(): void {}

  wait(): void {}

  takes(): boolean {
    return true;
  }

  disconnect(): void {
    this.#isLeaving = true;
  }

  loggedOn(): void {}

  gathered(): void {
    this.#isGathered = true;
  }

  #read(session: S, fromSeq: number, toSeq: number): void {
    const messages: { seq: number; bytes: Uint8Array }[] = [];
    let seq = fromSeq;
    const most = 1 + this.#world.dice.below(5);
    for (; seq <= toSeq && messages.length < most; seq += 1) {
      const bytes = this.#keeper.message(seq);
      if (bytes !== undefined) messages.push({ seq, bytes });
    }
    const done = seq > toSeq;
    if (!done) this.#tasks.push((later) => this.#read(later, seq, toSeq));
    const piece = { fromSeq, toSeq: seq - 1, messages, oldestKept: 1, done };
    session.fetched?.(piece, this.#world.clock.now());
  }

  #die(): void {
    this.#writes = [];
    this.#out = [];
    this.#tasks = [];
    this.#ready = [];
    this.#isGathered = false;
    this.#isLeaving = false;
    this.outgoing = [];
    this.#keeper.restore();
    this.session = this.#keeper.build(this);
    this.deadlineMs = this.session.tick(this.#world.clock.now());
    this.#world.cut();
  }
}

/** A program that has an end of the line. */
export interface Side {
  readonly end: Pick<End<Session>, 'deadlineMs' | 'work' | 'lineGone'> & {
    outgoing: Uint8Array[];
    turn(call: (session: Session) => void): void;
  };
}

/** What a bridge makes of the first bytes of a connection; with `refuse` it may still say something. */
export type Greeting =
  | { readonly kind: 'more' | 'admit' }
  | { readonly kind: 'refuse'; readonly answer?: Uint8Array };

const peer = { address: '192.0.2.1' };

export class CrashLine<C extends Side, B extends Side> implements World {
  readonly clock = new ManualClock();
  readonly dice: Dice;
  faults: Faults;
  readonly client: C;
  readonly bridge: B;
  readonly #greet: (bytes: Buffer) => Greeting;
  /** Bytes of the client that no session has yet. */
  #waiting: Buffer | undefined;
  connections = 0;
  isUp = false;
  #isSpoilt = false;
  #toCut = false;

  constructor(
    seed: number,
    faults: Faults,
    makeSides: (line: World) => {
      readonly client: C;
      readonly bridge: B;
      readonly greet: (bytes: Buffer) => Greeting;
    },
  ) {
    this.dice = new Dice(seed);
    this.faults = faults;
    const { client, bridge, greet } = makeSides(this);
    this.client = client;
    this.bridge = bridge;
    this.#greet = greet;
  }

  /** The connection ends when what was said on it has arrived. */
  cut(): void {
    this.#toCut = true;
  }

  /** One thing happens. */
  step(): void {
    const { dice, faults } = this;
    const [client, bridge] = [this.client.end, this.bridge.end];
    const isOver = this.#toCut && client.outgoing.length + bridge.outgoing.length === 0;
    if (isOver || dice.once(faults.cut)) this.#cutNow();
    if (!this.isUp) this.#connect();
    switch (dice.below(5)) {
      case 0:
        this.#carry(client, (bytes) => this.#toBridge(bytes));
        return;
      case 1:
        this.#carry(bridge, (bytes) => {
          client.turn((session) => session.received(bytes, this.clock.now()));
        });
        return;
      case 2:
        client.work();
        return;
      case 3:
        bridge.work();
        return;
      default:
        this.pass(1 + dice.below(20));
    }
  }

  /** Time passes; alarms ring in their order. */
  pass(ms: number): void {
    this.clock.advance(ms);
    for (const { end } of [this.client, this.bridge]) {
      if (this.clock.now().monoMs >= end.deadlineMs) end.turn(() => {});
    }
  }

  #connect(): void {
    this.isUp = true;
    this.connections += 1;
    this.#isSpoilt = false;
    this.#waiting = Buffer.alloc(0);
    this.client.end.turn((session) => session.opened(peer, this.clock.now()));
  }

  #cutNow(): void {
    this.#toCut = false;
    if (!this.isUp) return;
    this.isUp = false;
    this.#waiting = undefined;
    this.client.end.lineGone();
    this.bridge.end.lineGone();
    this.#toCut = false;
  }

  /** A random piece of what is on its way; one byte of a connection may arrive spoilt. */
  #carry(from: { outgoing: Uint8Array[] }, give: (bytes: Uint8Array) => void): void {
    const bytes = Buffer.concat(from.outgoing);
    if (bytes.length === 0) return;
    const size = 1 + this.dice.below(Math.min(bytes.length, 400));
    from.outgoing = size < bytes.length ? [bytes.subarray(size)] : [];
    const piece = Buffer.from(bytes.subarray(0, size));
    if (!this.#isSpoilt && this.dice.once(this.faults.spoil)) {
      this.#isSpoilt = true;
      const at = this.dice.below(piece.length);
      piece[at] = (piece[at] ?? 0) ^ (1 << this.dice.below(7));
    }
    give(piece);
  }

  #toBridge(bytes: Uint8Array): void {
    const { end } = this.bridge;
    const now = this.clock.now();
    if (this.#waiting === undefined) {
      end.turn((session) => session.received(bytes, now));
      return;
    }
    const all = Buffer.concat([this.#waiting, bytes]);
    this.#waiting = all;
    const greeting = this.#greet(all);
    if (greeting.kind === 'more') return;
    this.#waiting = undefined;
    if (greeting.kind === 'refuse') {
      if (greeting.answer !== undefined) end.outgoing.push(greeting.answer);
      this.#toCut = true;
      return;
    }
    end.turn((session) => {
      session.opened(peer, now);
      session.received(all, now);
    });
  }
}
