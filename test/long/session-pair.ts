/**
 * Two sessions, a client and a bridge, in one process without sockets: bytes travel in random pieces, connections are
 * cut with bytes in flight, bytes are spoilt, and either side dies before or after its record became durable and is
 * built anew from what it had recorded. All by one seed.
 */
import type { Application } from '../../src/fix/application.ts';
import { Decoder } from '../../src/fix/decoder.ts';
import { fix44 } from '../../src/fix/dictionaries.ts';
import type { Message } from '../../src/fix/message.ts';
import { FixSession } from '../../src/fix/session.ts';
import type { SessionStart } from '../../src/fix/session-core.ts';
import { type SessionSettings, sessionSettings } from '../../src/fix/session-settings.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { Effects, HeldMessage, SessionWrite } from '../../src/transport/session.ts';

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

/** What a side has made durable. */
interface Disk {
  numbers: { nextIn: number; nextOut: number };
  heldTo: number;
  releasedTo: number;
  readonly messages: Map<number, Uint8Array>;
  held: HeldMessage[];
  /** Of the application: how many it has sent, and how many of the other's it was told, which come in order. */
  sent: number;
  told: number;
}

type Task = (session: FixSession) => void;

export class Side implements Effects, Application {
  readonly #pair: Pair;
  readonly #settings: SessionSettings;
  readonly #disk: Disk = {
    numbers: { nextIn: 1, nextOut: 1 },
    heldTo: 0,
    releasedTo: 0,
    messages: new Map(),
    held: [],
    sent: 0,
    told: 0,
  };
  session: FixSession;
  deadlineMs = 0;
  /** Bytes on their way to the other side. */
  outgoing: Uint8Array[] = [];
  #writes: SessionWrite[] = [];
  #out: Uint8Array[] = [];
  #tasks: Task[] = [];
  #ready: Task[] = [];
  #sent = 0;
  #told = 0;
  #isGathered = false;
  #isLeaving = false;

  constructor(pair: Pair, settings: SessionSettings) {
    this.#pair = pair;
    this.#settings = settings;
    this.session = this.#build();
  }

  get sent(): number {
    return this.#disk.sent;
  }

  get told(): number {
    return this.#disk.told;
  }

  /** One call into the session with all that follows from it; the process may die on the way. */
  turn(call: Task): void {
    call(this.session);
    this.deadlineMs = this.session.tick(this.#pair.clock.now());
    if (this.#isGathered) this.session.flush();
    this.#isGathered = false;
    const { dice, faults } = this.#pair;
    if (dice.once(faults.dieBeforeCommit)) {
      this.#die();
      return;
    }
    for (const write of this.#writes) this.#commit(write);
    this.#writes = [];
    this.#disk.sent = this.#sent;
    this.#disk.told = this.#told;
    if (dice.once(faults.dieAfterCommit)) {
      this.#die();
      return;
    }
    this.outgoing.push(...this.#out);
    this.#out = [];
    this.#ready.push(...this.#tasks);
    this.#tasks = [];
    if (this.#isLeaving) this.#pair.cut();
  }

  /** Does one thing that the session waits for, such as reading the disk. */
  work(): boolean {
    const task = this.#ready.shift();
    if (task === undefined) return false;
    this.turn(task);
    return true;
  }

  lineGone(): void {
    this.outgoing = [];
    this.#isLeaving = false;
    this.#ready = [];
    this.turn((session) => session.closed(this.#pair.clock.now()));
  }

  /** Sends the next application message. */
  say(): void {
    this.turn((session) => {
      this.#sent += 1;
      const body = Buffer.from(`148=${this.#sent}\x0133=1\x0158=text of ${this.#sent}\x01`);
      session.send('B', body, this.#pair.clock.now());
    });
  }

  // The application.

  onMessage(message: Message): void {
    const number = Number(message.text(148));
    if (number === this.#told + 1) this.#told = number;
    else if (Number.isNaN(number)) return;
    else throw new Error(`told ${number} after ${this.#told}`);
  }

  onAlarm(): void {}

  // The world of the session.

  record(write: SessionWrite): void {
    this.#writes.push(write);
  }

  transmit(bytes: Uint8Array): void {
    this.#out.push(bytes);
  }

  fetch(fromSeq: number, toSeq: number): void {
    this.#tasks.push((session) => this.#read(session, fromSeq, toSeq));
  }

  fetchHeld(afterPosition: number): void {
    this.#tasks.push((session) => {
      const held = this.#disk.held.filter(({ position }) => position > afterPosition);
      const piece = held.slice(0, 1 + this.#pair.dice.below(4));
      session.fetchedHeld(piece, this.#pair.clock.now());
    });
  }

  disconnect(): void {
    this.#isLeaving = true;
  }

  gathered(): void {
    this.#isGathered = true;
  }

  #read(session: FixSession, fromSeq: number, toSeq: number): void {
    const messages: { seq: number; bytes: Uint8Array }[] = [];
    let seq = fromSeq;
    const most = 1 + this.#pair.dice.below(5);
    for (; seq <= toSeq && messages.length < most; seq += 1) {
      const bytes = this.#disk.messages.get(seq);
      if (bytes !== undefined) messages.push({ seq, bytes });
    }
    const done = seq > toSeq;
    if (!done) this.#tasks.push((later) => this.#read(later, seq, toSeq));
    const piece = { fromSeq, toSeq: seq - 1, messages, oldestKept: 1, done };
    session.fetched(piece, this.#pair.clock.now());
  }

  #commit(write: SessionWrite): void {
    const disk = this.#disk;
    switch (write.kind) {
      case 'messages': {
        let start = 0;
        for (const [index, end] of write.ends.entries()) {
          const seq = write.firstSeq + index;
          if (disk.messages.has(seq)) throw new Error(`number ${seq} was used twice`);
          disk.messages.set(seq, write.bytes.slice(start, end));
          start = end;
        }
        return;
      }
      case 'numbers':
        if (write.nextIn < disk.numbers.nextIn || write.nextOut < disk.numbers.nextOut) {
          throw new Error('a number went backward');
        }
        disk.numbers = write;
        return;
      case 'hold':
        if (write.position !== disk.heldTo + 1) throw new Error('a held message has no place');
        disk.heldTo = write.position;
        disk.held.push(write);
        return;
      case 'mark':
        disk.releasedTo = write.value;
        disk.held = disk.held.filter(({ position }) => position > write.value);
        return;
      case 'reset':
        throw new Error('numbers were reset');
    }
  }

  #die(): void {
    this.#writes = [];
    this.#out = [];
    this.#tasks = [];
    this.#ready = [];
    this.#isGathered = false;
    this.#isLeaving = false;
    this.#sent = this.#disk.sent;
    this.#told = this.#disk.told;
    this.session = this.#build();
    this.deadlineMs = this.session.tick(this.#pair.clock.now());
    this.#pair.died(this);
  }

  #build(): FixSession {
    const { numbers, heldTo, releasedTo } = this.#disk;
    const start: SessionStart = { ...numbers, heldTo, releasedTo, periodStartMs: 0 };
    const settings = this.#settings;
    return new FixSession({
      settings,
      dictionary: fix44(),
      application: this,
      effects: this,
      start,
    });
  }
}

const peer = { address: '192.0.2.1' };

export class Pair {
  readonly clock = new ManualClock();
  readonly dice: Dice;
  faults: Faults;
  readonly client: Side;
  readonly bridge: Side;
  /** Bytes of the client that no session has yet. */
  #waiting: Buffer | undefined;
  connections = 0;
  #isUp = false;
  #isSpoilt = false;
  #toCut = false;

  constructor(seed: number, faults: Faults) {
    this.dice = new Dice(seed);
    this.faults = faults;
    const names = { senderCompId: 'CLIENT', targetCompId: 'BRIDGE' };
    const back = { senderCompId: 'BRIDGE', targetCompId: 'CLIENT' };
    const common = { resendChunk: 7, maxQueuedMessages: 5, heartBtIntS: 30 };
    this.client = new Side(
      this,
      sessionSettings({ ...common, identity: names, role: 'initiator' }),
    );
    this.bridge = new Side(this, sessionSettings({ ...common, identity: back, role: 'acceptor' }));
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  cut(): void {
    this.#toCut = true;
  }

  died(side: Side): void {
    side.outgoing = [];
    this.#toCut = true;
  }

  /** One thing happens. */
  step(): void {
    const { dice, faults } = this;
    if (this.#toCut || dice.once(faults.cut)) this.#cutNow();
    if (!this.#isUp) this.#connect();
    switch (dice.below(5)) {
      case 0:
        this.#carry(this.client, (bytes) => this.#toBridge(bytes));
        return;
      case 1:
        this.#carry(this.bridge, (bytes) => {
          this.client.turn((session) => session.received(bytes, this.clock.now()));
        });
        return;
      case 2:
        this.client.work();
        return;
      case 3:
        this.bridge.work();
        return;
      default:
        this.pass(1 + dice.below(20));
    }
  }

  /** Time passes; alarms ring in their order. */
  pass(ms: number): void {
    this.clock.advance(ms);
    for (const side of [this.client, this.bridge]) {
      if (this.clock.now().monoMs >= side.deadlineMs) side.turn(() => {});
    }
  }

  #connect(): void {
    this.#isUp = true;
    this.connections += 1;
    this.#isSpoilt = false;
    this.#waiting = Buffer.alloc(0);
    this.client.turn((session) => session.opened(peer, this.clock.now()));
  }

  #cutNow(): void {
    this.#toCut = false;
    if (!this.#isUp) return;
    this.#isUp = false;
    this.#waiting = undefined;
    this.client.lineGone();
    this.bridge.lineGone();
    this.#toCut = false;
  }

  /** A random piece of what is on its way; one byte of a connection may arrive spoilt. */
  #carry(from: Side, give: (bytes: Uint8Array) => void): void {
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
    const now = this.clock.now();
    if (this.#waiting === undefined) {
      this.bridge.turn((session) => session.received(bytes, now));
      return;
    }
    this.#waiting = Buffer.concat([this.#waiting, bytes]);
    const decoder = new Decoder(fix44());
    decoder.push(this.#waiting);
    const step = decoder.next();
    if (step === 'more') return;
    if (step !== 'message' || decoder.message.msgType !== 'A') {
      this.#toCut = true;
      return;
    }
    const all = this.#waiting;
    this.#waiting = undefined;
    if (this.bridge.session.examine(decoder.message, peer, now) !== undefined) {
      this.#toCut = true;
      return;
    }
    this.bridge.turn((session) => {
      session.opened(peer, now);
      session.received(all, now);
    });
  }
}
