/**
 * The sandbox's engine as the venue, behind a network that loses, delays and swaps: requests and answers without a bound,
 * connections that end, actions that the venue has taken and applies long after everybody gave up. Its ledger is read by
 * the checker as it is.
 */
import type { Dispatcher } from 'undici';
import type { WebSocket } from 'ws';
import { createVenue, type EmbeddedVenue } from '../../src/sandbox/embedded-venue.ts';
import type { EngineAction } from '../../src/sandbox/engine/action.ts';
import type { ExecutionEvent } from '../../src/sandbox/engine/event.ts';
import { openSwitches } from '../../src/sandbox/gates.ts';
import { NonceWindow } from '../../src/sandbox/nonce-window.ts';
import { authDeadlineMs, PrivateSession } from '../../src/sandbox/private-session.ts';
import type { VenueNetwork } from '../../src/venue/network.ts';
import { loadProfile } from '../../src/venue/profile.ts';
import type { Dice } from './dice.ts';
import { type Answer, bodyOf, pairs, respondWith } from './dispatched.ts';
import { FakeSocket } from './fake-socket.ts';
import { tellOtherwise } from './venue-feed.ts';
import { giveOtherIds, usualFeed, type VenueRules } from './venue-rules.ts';
import type { VirtualTime, Wall } from './virtual-time.ts';

/** Of a thousand writes so many meet this. */
export interface RoadFaults {
  unsent: number;
  lost: number;
  unanswered: number;
  /** The answer never comes and the connection stays, so that only the bridge's own deadline ends it. */
  hanging: number;
  /** Underway for up to minutes. */
  slow: number;
  /** The venue took it, its nonce is in flight, and applies it minutes later. */
  late: number;
  /** Two answers come to each other's request. */
  swapped: number;
  /** Of a thousand reads so many come to nothing. */
  reads: number;
  oneWayMs: number;
}

export const noFaults: RoadFaults = {
  ...{ unsent: 0, lost: 0, unanswered: 0, hanging: 0, slow: 0, late: 0, swapped: 0, reads: 0 },
  oneWayMs: 4,
};

const most = 1_000_000_000;
const noLimits = { actionsPerSecond: most, burst: most, edgeRequestsPerSecond: most };
const longestMs = 240_000;
const tickMs = 50;
/** Of single actions, and of batches. */
const writes = /\/(trading\/actions|order-entry\/orders)$/;

interface Late {
  readonly nonce: number;
  readonly account: string;
}

const asItIs = (body: string) => body;

/** The ids of orders and actions of the other program begin so, and no others. */
export const writerMark = `0x${'ab'.repeat(8)}`;

export class SimulatedVenue {
  readonly faults: RoadFaults = { ...noFaults };
  readonly wall: Wall = { offMs: 0 };
  /** Called after each change of the venue. */
  changed: () => void = () => {};
  /** What it says of its markets, from what it would say. */
  listed = asItIs;
  readonly counts = { writes: 0, late: 0, lost: 0, swapped: 0 };
  readonly #time: VirtualTime;
  readonly #dice: Dice;
  /** Accounts of which it has forgotten events. */
  readonly forgetful = new Set<string>();
  #isDark = false;
  readonly #late = new Map<string, Late>();
  readonly #sockets = new Set<FakeSocket>();
  #venue: EmbeddedVenue | undefined;
  #rules: VenueRules | undefined;
  /** Of each account, the nonces of another agent. */
  readonly #writers = new Map<string, Set<number>>();
  #swap: ((answer: Answer) => void) | undefined;
  #strangers = 0;
  #socketCount = 0;
  /** Until then it may end a connection for want of a token, or let go of a request that it holds. */
  #waitsUntilMs = 0;

  constructor(time: VirtualTime, dice: Dice) {
    this.#time = time;
    this.#dice = dice;
  }

  async open(seed: number, profileFile: string): Promise<void> {
    const clock = this.#time.clock(this.wall);
    const profile = structuredClone(loadProfile(profileFile));
    const venue = await createVenue({ seed, clock, accounts: 3, makers: false, profile });
    venue.state.setLimits(noLimits);
    this.#venue = venue;
    this.#tick();
  }

  get venue(): EmbeddedVenue {
    if (this.#venue === undefined) throw new Error('the venue is not open');
    return this.#venue;
  }

  get state(): EmbeddedVenue['state'] {
    return this.venue.state;
  }

  /** Actions that the venue has taken and not applied yet. */
  get underWay(): number {
    return this.#late.size;
  }

  /** All that the venue has said of an account. */
  events(account: string, fromSeq: number): readonly ExecutionEvent[] {
    const { exchange } = this.state;
    const page = exchange.events(account, fromSeq, 1_000_000);
    if (page.kind === 'seq_too_old') throw new Error('the venue has forgotten events');
    return page.events;
  }

  /** The other side of a trade, straight at the exchange; `gtc` rests. */
  stranger(
    market: number,
    book: 'YES' | 'NO' | null,
    side: 'Bid' | 'Ask',
    price: number,
    qty: number,
    timeInForce: 'ioc' | 'gtc' = 'ioc',
  ) {
    const id = ++this.#strangers;
    const orderId = `0x${id.toString(16).padStart(64, '0')}`;
    const shared = { book, market, price, qty, side, stpMode: 'cancel_maker' } as const;
    const flags = { expiresAt: null, isMarket: false, reduceOnly: false, timeInForce };
    const [, , account] = this.venue.accounts;
    this.state.exchange.apply({
      account: account?.account ?? '',
      action: { kind: 'place', ...shared, ...flags },
      ids: {
        actionHash: orderId,
        canonical: null,
        clientOrderId: null,
        legIds: [],
        nonce: id,
        orderId,
      },
      nowMs: this.#wallMs(),
    });
    this.#pump();
  }

  /** After `open`; returns what it does otherwise as lines. */
  follow(rules: VenueRules | undefined, dialect: Dice | undefined): readonly string[] {
    this.#rules = rules;
    if (rules?.hasOtherIds) giveOtherIds(this.venue);
    const lines = rules === undefined ? [] : [JSON.stringify(rules)];
    if (rules === undefined && dialect === undefined) return lines;
    return [...lines, tellOtherwise(this.venue, rules?.feed ?? usualFeed, dialect)];
  }

  /** Another program with authority over the account, which uses its nonces as well, or every other of them. */
  writer(account: string, action: EngineAction): void {
    const { offset = 0, scope, step = 1 } = this.#rules ?? {};
    const nonces = scope === 'agent' ? this.#writersOf(account) : this.state.nonces(account);
    const nonce = nonces.floor + this.#below(4);
    if (step > 1 && nonce % step === offset) return;
    this.#writeWith(nonce, nonces, account, action);
  }

  /** Another agent is about as far as the bridge is, so that its nonces are the bridge's next ones. */
  #writersOf(account: string): NonceWindow {
    const used = this.#writers.get(account) ?? new Set();
    this.#writers.set(account, used);
    const { floor } = this.state.nonces(account);
    return new NonceWindow(64, { floor, used, held: new Set() });
  }

  /** Other writers of the account do not let theirs of the nonces hold the floor. */
  #keepUp(): void {
    const { offset = 0, step = 1 } = this.#rules ?? {};
    if (step === 1) return;
    for (const { account } of this.venue.accounts) {
      const nonces = this.state.nonces(account);
      const { floor } = nonces;
      const isTheirs = floor % step !== offset;
      const isDue = isTheirs && nonces.record.used.size > 0 && this.#below(4) === 0;
      const nothing = { kind: 'cancel', orderId: `${writerMark}${'0'.repeat(48)}` } as const;
      if (isDue) this.#writeWith(floor, nonces, account, nothing);
    }
  }

  #writeWith(nonce: number, nonces: NonceWindow, account: string, action: EngineAction): void {
    if (nonces.check(nonce) !== undefined || this.#late.has(keyOf({ account, nonce }))) return;
    const id = `${writerMark}${(++this.#strangers).toString(16).padStart(48, '0')}`;
    const { nonceConsumed } = this.state.exchange.apply({
      account,
      action,
      ids: {
        ...{ actionHash: id, canonical: null, clientOrderId: null, nonce },
        legIds: action.kind === 'replace' ? [id] : [],
        orderId: action.kind === 'place' ? id : null,
      },
      nowMs: this.#wallMs(),
    });
    if (nonceConsumed) nonces.consume(nonce);
    this.#pump();
  }

  market(market: number, change: 'halt' | 'resume' | 'close'): void {
    this.state.exchange.changeMarket(market, change, this.#wallMs());
    this.#pump();
  }

  /** Nothing goes wrong any more, its gates are open, and everybody has all rights. */
  calm(): void {
    const { faults, gates, identities } = this.state;
    Object.assign(this.faults, noFaults);
    this.listed = asItIs;
    faults.clear();
    Object.assign(gates.switches, openSwitches);
    this.venue.ingress.releaseHeld();
    this.state.setLimits(noLimits);
    for (const account of identities.accounts.values()) account.state = 'active';
    for (const credential of identities.credentials.values()) credential.revokedFromMs = null;
    this.wall.offMs = 0;
  }

  /** All connections of the stream end. */
  dropStreams(): void {
    for (const socket of [...this.#sockets]) socket.drop();
  }

  /** Nobody can read its events for so long, and then it no longer has them. */
  forget(accounts: Iterable<string>, forMs: number): void {
    if (this.#isDark) return;
    this.#isDark = true;
    this.dropStreams();
    this.#time.after(forMs, () => {
      this.#isDark = false;
      for (const account of accounts) {
        this.forgetful.add(account);
        this.state.feed.forget(account);
      }
    });
  }

  /** Connections of one process; what arrives for a dead one goes nowhere. */
  network(isAlive: () => boolean): VenueNetwork {
    return {
      pool: () => ({
        dispatch: (options, handler) => {
          this.#request(options, handler, isAlive);
          return true;
        },
        destroy: async () => {},
      }),
      webSocket: () => {
        const socket = new FakeSocket(this.#time, isAlive, (each) => this.#sockets.delete(each));
        this.#sockets.add(socket);
        this.#waits(authDeadlineMs);
        socket.session = new PrivateSession(
          `ws-${++this.#socketCount}`,
          {
            sink: socket.sink,
            log: this.state.feed,
            tokens: this.state.tokens,
            faults: this.state.faults,
            frames: this.state.profile.ws.private,
          },
          { monoMs: this.#time.monoMs, wallMs: this.#wallMs() },
        );
        socket.now = () => ({ monoMs: this.#time.monoMs, wallMs: this.#wallMs() });
        this.#time.after(1 + this.#below(this.faults.oneWayMs), () =>
          this.#isDark ? socket.drop() : socket.open(),
        );
        return socket as unknown as WebSocket;
      },
    };
  }

  #request(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    isAlive: () => boolean,
  ): void {
    const { faults } = this;
    const target = String(options.path);
    const isWrite = writes.test(target);
    const controller = {
      abort: () => {},
      aborted: false,
    } as unknown as Dispatcher.DispatchController;
    const broken = () => {
      this.#later(
        () => isAlive() && handler.onResponseError?.(controller, new Error('the connection ended')),
      );
    };
    const isHidden = this.#isDark && target.includes('gap-fill');
    const readFate = isHidden || this.#dice.hits(faults.reads) ? 'lost' : 'arrives';
    const fate = isWrite ? this.#fate() : readFate;
    if (isWrite) this.counts.writes += 1;
    if (fate === 'unsent') {
      this.#later(
        () => isAlive() && handler.onResponseError?.(controller, new Error('no connection')),
      );
      return;
    }
    handler.onRequestStart?.(controller, {});
    if (fate === 'lost') {
      this.counts.lost += 1;
      broken();
      return;
    }
    const deliver = () => {
      const late = isWrite && fate === 'late' ? this.#takeLate(options) : undefined;
      if (late !== undefined) {
        if (this.#dice.hits(500)) broken();
        return;
      }
      const answer = this.#answer(options, isWrite);
      if (answer === undefined || fate === 'hanging') return;
      if (fate === 'unanswered') {
        broken();
        return;
      }
      const respond = (said: Answer) => {
        this.#later(() => isAlive() && respondWith(handler, controller, said));
      };
      if (isWrite && this.#dice.hits(faults.swapped)) this.#crossed(answer, respond);
      else respond(answer);
    };
    if (fate === 'slow') this.#time.after(this.#below(longestMs), deliver);
    else this.#later(deliver);
  }

  #fate(): 'arrives' | 'unsent' | 'lost' | 'unanswered' | 'hanging' | 'slow' | 'late' {
    let dice = this.#below(1_000);
    for (const fate of ['unsent', 'lost', 'unanswered', 'hanging', 'slow', 'late'] as const) {
      dice -= this.faults[fate];
      if (dice < 0) return fate;
    }
    return 'arrives';
  }

  /** The next two answers go to each other's requests. */
  #crossed(answer: Answer, respond: (answer: Answer) => void): void {
    const other = this.#swap;
    if (other === undefined) {
      let mine: Answer | undefined = answer;
      this.#swap = (theirs) => {
        if (mine === undefined) return;
        const own = mine;
        mine = undefined;
        respond(theirs);
        this.#given = own;
      };
      this.#time.after(3_000, () => {
        if (mine === undefined) return;
        mine = undefined;
        this.#swap = undefined;
        respond(answer);
      });
      return;
    }
    this.#swap = undefined;
    this.counts.swapped += 1;
    other(answer);
    respond(this.#given ?? answer);
    this.#given = undefined;
  }

  #given: Answer | undefined;

  /** Undefined where the nonce cannot be taken: the venue then answers as ever. */
  #takeLate(options: Dispatcher.DispatchOptions): Late | undefined {
    const body = bodyOf(options);
    const late = nonceOf(body);
    const state = this.state;
    if (late === undefined || this.#late.has(keyOf(late))) return undefined;
    if (state.nonces(late.account).check(late.nonce) !== undefined) return undefined;
    this.#late.set(keyOf(late), late);
    this.counts.late += 1;
    const atWallMs = this.#wallMs();
    this.#time.after(20_000 + this.#below(longestMs), () => {
      this.#late.delete(keyOf(late));
      this.#applyAsOf(atWallMs, options);
    });
    return late;
  }

  /** The venue looked at its times when it came. */
  #applyAsOf(atWallMs: number, options: Dispatcher.DispatchOptions): void {
    const { action, auth } = this.state.profile as unknown as {
      action: { maxClockSkewMs: number };
      auth: { http: { maxSkewMs: number } };
    };
    const before = [action.maxClockSkewMs, auth.http.maxSkewMs] as const;
    const more = this.#wallMs() - atWallMs;
    action.maxClockSkewMs += Math.abs(more);
    auth.http.maxSkewMs += Math.abs(more);
    try {
      this.#handle(options);
    } finally {
      [action.maxClockSkewMs, auth.http.maxSkewMs] = before;
    }
  }

  #answer(options: Dispatcher.DispatchOptions, isWrite: boolean): Answer | undefined {
    const nonce = isWrite && this.#late.size > 0 ? nonceOf(bodyOf(options)) : undefined;
    const inFlight = nonce && this.#late.get(keyOf(nonce));
    if (inFlight === undefined) return this.#handle(options);
    const window = this.state.nonces(inFlight.account);
    const body = {
      ...{ accepted: false, ok: false, seq: null, derivedOrderId: null, nonceConsumed: false },
      error: `nonce ${inFlight.nonce} is in flight`,
      code: 'nonce_replayed',
      ...{ nextUsableNonce: window.floor, nonceFloor: window.floor, nonceWindow: window.size },
      nonceHoles: null,
    };
    const headers = { 'content-type': 'application/json', date: this.#date() };
    return { status: 400, headers, body: JSON.stringify(body) };
  }

  #waits(ms: number): void {
    this.#waitsUntilMs = Math.max(this.#waitsUntilMs, this.#time.monoMs + ms);
  }

  #handle(options: Dispatcher.DispatchOptions): Answer {
    if (this.state.faults.list().length > 0) this.#waits(longestMs);
    const { body, headers, status } = this.venue.ingress.handle({
      method: options.method,
      target: String(options.path),
      headers: pairs(options.headers as readonly string[]),
      body: Buffer.from(bodyOf(options)),
      remoteAddress: '127.0.0.1',
    });
    this.#pump();
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const isList = String(options.path) === this.state.profile.routes.markets;
    const said = isList && status === 200 ? this.listed(String(body)) : body;
    return { status, headers: { ...Object.fromEntries(lower), date: this.#date() }, body: said };
  }

  #date(): string {
    return new Date(this.#wallMs()).toUTCString();
  }

  #tick(inMs = tickMs): void {
    this.#time.after(inMs, () => {
      const { alarms } = this.#time;
      this.venue.advance();
      this.#keepUp();
      this.#pump();
      const now = { monoMs: this.#time.monoMs, wallMs: this.#wallMs() };
      for (const { session } of this.#sockets) session?.tick(now);
      // All that the venue says is on its way for a while, so where no alarm was set it has said nothing.
      const isIdle = alarms === this.#time.alarms;
      this.#tick(isIdle ? this.#restMs() : tickMs);
      return !isIdle;
    });
  }

  /** Until the next tick that may find something: one before any alarm finds only what is due. */
  #restMs(): number {
    const { monoMs, nextMs } = this.#time;
    if (monoMs <= this.#waitsUntilMs || (this.#rules?.step ?? 1) > 1) return tickMs;
    const dueInMs = (this.state.exchange.nextDueMs() ?? Number.POSITIVE_INFINITY) - this.#wallMs();
    return tickMs * Math.max(1, Math.ceil(Math.min(nextMs - monoMs, dueInMs) / tickMs));
  }

  #pump(): void {
    this.changed();
    const now = { monoMs: this.#time.monoMs, wallMs: this.#wallMs() };
    for (const { session } of this.#sockets) session?.pump(now);
  }

  #wallMs(): number {
    return this.#time.clock(this.wall).now().wallMs;
  }

  #later(callback: () => void): void {
    this.#time.after(this.#below(this.faults.oneWayMs), callback);
  }

  #below(bound: number): number {
    return this.#dice.below(bound);
  }
}

function nonceOf(body: string): Late | undefined {
  try {
    const { payload } = JSON.parse(body) as { payload: Late };
    return { account: payload.account, nonce: payload.nonce };
  } catch {
    return undefined;
  }
}

function keyOf({ account, nonce }: Late): string {
  return `${account} ${nonce}`;
}
