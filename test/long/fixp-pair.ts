/**
 * Two FIXP sessions, a client and a bridge, in one process without sockets: bytes travel in random pieces, connections
 * are cut with bytes in flight, session ids are finished and followed by others, and either side dies before or after
 * its record became durable and is built anew from what it had recorded. All by one seed.
 */
import type { FixpApplication } from '../../src/fixp/application.ts';
import { FixpClientSession } from '../../src/fixp/client-session.ts';
import { Deframer, framed } from '../../src/fixp/framing.ts';
import { FixpServerSession } from '../../src/fixp/server-session.ts';
import type { CoreParts } from '../../src/fixp/session-core.ts';
import { type SeqRange, SessionIds } from '../../src/fixp/session-ids.ts';
import { readSessionMessage, writeSessionMessage } from '../../src/fixp/session-messages.ts';
import { fixpSettings } from '../../src/fixp/settings.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { Effects, SessionWrite } from '../../src/transport/session.ts';
import { application, applicationMessage, applicationText } from '../acceptance/fixp/script.ts';
import { Dice, type Faults } from './session-pair.ts';

const common = {
  principal: 'CLIENT',
  applicationSchemas: new Set([application.schema]),
  maxRetransmitCount: 7,
  maxQueuedMessages: 5,
  maxFutileRequests: 1_000,
  maxGaps: 100_000,
  keepaliveMs: 10_000,
};

/** What a side has made durable; the application's part is replaced as a whole. */
interface Disk<State> {
  numbers: { nextIn: number; nextOut: number };
  ids: Uint8Array | undefined;
  readonly messages: Map<number, Uint8Array>;
  state: State;
}

type FixpSession = FixpServerSession | FixpClientSession;

abstract class Side<S extends FixpSession, State> implements Effects, FixpApplication {
  readonly pair: FixpPair;
  readonly #disk: Disk<State>;
  readonly #create: (parts: CoreParts, application: FixpApplication) => S;
  session: S;
  state: State;
  deadlineMs = 0;
  /** Bytes on their way to the other side. */
  outgoing: Uint8Array[] = [];
  #writes: SessionWrite[] = [];
  #ids: Uint8Array | undefined;
  #out: Uint8Array[] = [];
  #tasks: ((session: S) => void)[] = [];
  #ready: ((session: S) => void)[] = [];
  #isGathered = false;
  #isLeaving = false;

  constructor(
    pair: FixpPair,
    state: State,
    create: (parts: CoreParts, application: FixpApplication) => S,
  ) {
    this.pair = pair;
    this.#disk = { numbers: { nextIn: 1, nextOut: 1 }, ids: undefined, messages: new Map(), state };
    this.state = structuredClone(state);
    this.#create = create;
    this.session = this.#build();
  }

  abstract onMessage(message: Uint8Array): void;
  abstract settings(): CoreParts['settings'];

  /** One call into the session with all that follows from it; the process may die on the way. */
  turn(call: (session: S) => void): void {
    call(this.session);
    this.deadlineMs = this.session.tick(this.pair.clock.now());
    if (this.#isGathered) this.session.flush();
    this.#isGathered = false;
    const { dice, faults } = this.pair;
    if (dice.once(faults.dieBeforeCommit)) {
      this.#die();
      return;
    }
    for (const write of this.#writes) this.#commit(write);
    this.#writes = [];
    this.#disk.ids = this.#ids;
    this.#disk.state = structuredClone(this.state);
    if (dice.once(faults.dieAfterCommit)) {
      this.#die();
      return;
    }
    this.outgoing.push(...this.#out);
    this.#out = [];
    this.#ready.push(...this.#tasks);
    this.#tasks = [];
    if (this.#isLeaving) this.pair.cut();
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
    this.turn((session) => session.closed(this.pair.clock.now()));
  }

  // The world of the session.

  record(write: SessionWrite): void {
    this.#writes.push(write);
  }

  transmit(bytes: Uint8Array): void {
    if (this.pair.isUp) this.#out.push(bytes);
  }

  fetch(fromSeq: number, toSeq: number): void {
    this.#tasks.push((session) => this.#read(session, fromSeq, toSeq));
  }

  fetchHeld(): void {
    throw new Error('no message waits without a number');
  }

  disconnect(): void {
    this.#isLeaving = true;
  }

  gathered(): void {
    this.#isGathered = true;
  }

  #read(session: S, fromSeq: number, toSeq: number): void {
    const messages: { seq: number; bytes: Uint8Array }[] = [];
    let seq = fromSeq;
    const most = 1 + this.pair.dice.below(5);
    for (; seq <= toSeq && messages.length < most; seq += 1) {
      const bytes = this.#disk.messages.get(seq);
      if (bytes === undefined) throw new Error(`message ${seq} was not kept`);
      messages.push({ seq, bytes });
    }
    const done = seq > toSeq;
    if (!done) this.#tasks.push((later) => this.#read(later, seq, toSeq));
    const piece = { fromSeq, toSeq: seq - 1, messages, oldestKept: 1, done };
    session.fetched(piece, this.pair.clock.now());
  }

  #commit(write: SessionWrite): void {
    const disk = this.#disk;
    if (write.kind === 'messages') {
      let start = 0;
      for (const [index, end] of write.ends.entries()) {
        const seq = write.firstSeq + index;
        if (disk.messages.has(seq)) throw new Error(`number ${seq} was used twice`);
        disk.messages.set(seq, write.bytes.slice(start, end));
        start = end;
      }
    } else if (write.kind === 'numbers') {
      if (write.nextIn < disk.numbers.nextIn || write.nextOut < disk.numbers.nextOut)
        throw new Error('a number went backward');
      disk.numbers = write;
    } else throw new Error(`a FIXP session has no ${write.kind}`);
  }

  #die(): void {
    this.#writes = [];
    this.#out = [];
    this.#tasks = [];
    this.#ready = [];
    this.#isGathered = false;
    this.#isLeaving = false;
    this.state = structuredClone(this.#disk.state);
    this.session = this.#build();
    this.deadlineMs = this.session.tick(this.pair.clock.now());
    this.outgoing = [];
    this.pair.cut();
  }

  #build(): S {
    const { numbers, ids } = this.#disk;
    this.#ids = ids;
    const parts = {
      settings: this.settings(),
      application: this,
      effects: this,
      start: numbers,
      ids: new SessionIds(ids),
      saveIds: (record: Uint8Array) => {
        this.#ids = record;
      },
    };
    return this.#create(parts, this);
  }
}

interface BridgeState {
  sent: number;
  readonly told: Set<string>;
}

export class BridgeSide extends Side<FixpServerSession, BridgeState> {
  constructor(pair: FixpPair) {
    const told = new Set<string>();
    super(pair, { sent: 0, told }, (parts) => new FixpServerSession(parts));
  }

  settings() {
    return fixpSettings({ ...common, role: 'acceptor' });
  }

  say(): void {
    this.turn((session) => {
      this.state.sent += 1;
      session.send(applicationMessage(String(this.state.sent)), this.pair.clock.now());
    });
  }

  /** Whatever the client sends again, it is acted on once. */
  onMessage(message: Uint8Array): void {
    const text = applicationText(message);
    if (this.state.told.has(text)) throw new Error(`order ${text} was acted on twice`);
    this.state.told.add(text);
  }
}

interface ClientState {
  said: number;
  told: number;
  /** Not sent yet, or not applied and to be sent again. */
  waiting: string[];
  /** What was sent under this session id, by its number. */
  sent: Map<number, string>;
}

export class ClientSide extends Side<FixpClientSession, ClientState> {
  constructor(pair: FixpPair) {
    const state = { said: 0, told: 0, waiting: [], sent: new Map() };
    super(pair, state, (parts) => new FixpClientSession(parts));
  }

  settings() {
    return fixpSettings({ ...common, role: 'initiator' });
  }

  say(): void {
    this.turn((session) => {
      this.state.said += 1;
      this.state.waiting.push(`order ${this.state.said}`);
      this.#send(session);
    });
  }

  finish(): void {
    this.turn((session) => session.finish(this.pair.clock.now()));
  }

  onEstablished(): void {
    if (this.session.nextOut === 1) this.state.sent.clear();
    this.#send(this.session);
  }

  onMessage(message: Uint8Array): void {
    const number = Number(applicationText(message));
    if (number !== this.state.told + 1) throw new Error(`told ${number} after ${this.state.told}`);
    this.state.told = number;
  }

  onNotApplied({ fromSeq, toSeq }: SeqRange): void {
    for (let seq = fromSeq; seq <= toSeq; seq += 1) {
      const text = this.state.sent.get(seq);
      if (text !== undefined) this.state.waiting.push(text);
    }
    this.#send(this.session);
  }

  #send(session: FixpClientSession): void {
    while (this.state.waiting.length > 0) {
      const seq = session.nextOut;
      const [text = ''] = this.state.waiting;
      if (session.send(applicationMessage(text), this.pair.clock.now()) !== 'sent') return;
      this.state.sent.set(seq, text);
      this.state.waiting.shift();
    }
  }
}

const peer = { address: '192.0.2.1' };

export class FixpPair {
  readonly clock = new ManualClock();
  readonly dice: Dice;
  faults: Faults;
  readonly client: ClientSide;
  readonly bridge: BridgeSide;
  /** Bytes of the client that no session has yet. */
  #waiting: Buffer | undefined;
  connections = 0;
  isUp = false;
  #toCut = false;

  constructor(seed: number, faults: Faults) {
    this.dice = new Dice(seed);
    this.faults = faults;
    this.client = new ClientSide(this);
    this.bridge = new BridgeSide(this);
  }

  cut(): void {
    this.#toCut = true;
  }

  /** One thing happens. */
  step(): void {
    const { dice, faults } = this;
    // A side that has left still hands over what it said.
    const isOver = this.#toCut && this.bridge.outgoing.length + this.client.outgoing.length === 0;
    if (isOver || dice.once(faults.cut)) this.#cutNow();
    if (!this.isUp) this.#connect();
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
    this.isUp = true;
    this.connections += 1;
    this.#waiting = Buffer.alloc(0);
    this.client.turn((session) => session.opened(peer, this.clock.now()));
  }

  #cutNow(): void {
    this.#toCut = false;
    if (!this.isUp) return;
    this.isUp = false;
    this.#waiting = undefined;
    this.client.lineGone();
    this.bridge.lineGone();
    this.#toCut = false;
  }

  #carry(from: { outgoing: Uint8Array[] }, give: (bytes: Uint8Array) => void): void {
    const bytes = Buffer.concat(from.outgoing);
    if (bytes.length === 0) return;
    const size = 1 + this.dice.below(Math.min(bytes.length, 400));
    from.outgoing = size < bytes.length ? [bytes.subarray(size)] : [];
    give(Buffer.from(bytes.subarray(0, size)));
  }

  #toBridge(bytes: Uint8Array): void {
    const now = this.clock.now();
    if (this.#waiting === undefined) {
      this.bridge.turn((session) => session.received(bytes, now));
      return;
    }
    this.#waiting = Buffer.concat([this.#waiting, bytes]);
    const all = this.#waiting;
    const deframer = new Deframer('big', 1_000);
    deframer.push(all);
    if (deframer.next() !== 'message') return;
    const request = readSessionMessage(deframer.message);
    if (request.name !== 'Negotiate' && request.name !== 'Establish')
      throw new Error(`the client begins with ${request.name}`);
    this.#waiting = undefined;
    const refusal = this.bridge.session.examine(request, peer, now, false);
    if (refusal !== undefined) {
      this.bridge.outgoing.push(framed(writeSessionMessage(refusal.answer), 'big'));
      this.#toCut = true;
      return;
    }
    this.bridge.turn((session) => {
      session.opened(peer, now);
      session.received(all, now);
    });
  }
}
