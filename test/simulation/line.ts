/**
 * One account from the desk to the venue's front door, in one process and virtual time: the bridge's own line, nonces,
 * signer and submitter, the sandbox without sockets, a memory store. Requests and answers are late or lost, the stream
 * lags and repeats itself, and the bridge crashes at any moment and starts from what it recorded. In the end its open
 * orders must be those of the venue.
 */
import { createHash } from 'node:crypto';
import { hasEnded, type OrderRules } from '../../src/domain/order.ts';
import type { Account } from '../../src/domain/units.ts';
import { AccountLine } from '../../src/gateway/account-line.ts';
import { restoreDesk } from '../../src/gateway/desk-journal.ts';
import { Hops } from '../../src/gateway/hops.ts';
import { nobody } from '../../src/gateway/observer.ts';
import { type Clock, ManualClock } from '../../src/runtime/clock.ts';
import { createVenue, type EmbeddedVenue } from '../../src/sandbox/embedded-venue.ts';
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import { MadeAction } from '../../src/signer/made-action.ts';
import { NonceAllocator } from '../../src/signer/nonce-allocator.ts';
import { defaultNonceRules } from '../../src/signer/nonce-window.ts';
import { SignerCore } from '../../src/signer/signer-core.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { Turns } from '../../src/store/turns.ts';
import { EventReader } from '../../src/venue/event-reader.ts';
import type { HttpRequest } from '../../src/venue/http-client.ts';
import { Pacer } from '../../src/venue/pacer.ts';
import { reconcile } from '../../src/venue/reconcile.ts';
import { RequestAuth } from '../../src/venue/request-auth.ts';
import { Submitter } from '../../src/venue/submitter.ts';
import { VenueReads } from '../../src/venue/venue-reads.ts';
import type { Exchange } from '../../src/venue/verdict.ts';
import { MemoryLedger } from '../signer/memory-ledger.ts';
import { RandomClient } from './random-client.ts';

const unit = 1_000_000;
const rules: OrderRules = {
  pendingStates: true,
  iocRemainder: 'canceled',
  terminalWaitMs: 1000,
  amendQty: 'total',
  strictPriority: false,
};
const { blake3 } = await fastestBlake3();
const { profile } = (await createVenue({ seed: 1, clock: new ManualClock() })).state;

/** Of a hundred actions so many are not sent, are lost on their way, or lose their answer; that is noticed in time. */
const usualFaults = { unsent: 3, lost: 3, unanswered: 4, noticedMs: 200, oneWayMs: 20 };

/** All that dies with the process: after `kill` nothing that it began can reach the store or the clock. */
interface Process {
  readonly line: AccountLine;
  readonly turns: Turns;
  isAlive: boolean;
}

export class LineSimulation {
  readonly clock = new ManualClock();
  readonly alarms: string[] = [];
  /** How often each kind of report was made. */
  readonly said = new Map<string, number>();
  crashes = 0;
  /** On average after so many actions. */
  crashEvery = 200;
  /** On average after so many actions the venue takes, or answers, nothing for a while. */
  outageEvery = 1_000;
  outages = 0;
  /** Records from one snapshot of the desk to the next: seldom enough that a start reads records behind it, too. */
  snapshotEvery = 70;
  /** What becomes of actions on their way. */
  readonly faults = { ...usualFaults };
  readonly #random: () => number;
  readonly #venue: EmbeddedVenue;
  readonly #store = new MemoryStore();
  readonly #ledger: DigestLedger;
  readonly #account: Account;
  readonly #reader = new EventReader(profile.stream);
  readonly #trace = createHash('sha256');
  readonly #client: RandomClient;
  #process: Process | undefined;
  #count = 0;

  static async open(seed: number): Promise<LineSimulation> {
    const clock = new ManualClock();
    const venue = await createVenue({ seed, clock, accounts: 2, makers: false });
    const most = 1_000_000_000;
    venue.state.setLimits({ actionsPerSecond: most, burst: most, edgeRequestsPerSecond: most });
    const ledger = new DigestLedger(new MemoryLedger());
    const simulation = new LineSimulation(seed, clock, venue, ledger);
    await simulation.#start();
    return simulation;
  }

  private constructor(
    seed: number,
    clock: ManualClock,
    venue: EmbeddedVenue,
    ledger: DigestLedger,
  ) {
    this.clock = clock;
    this.#venue = venue;
    this.#ledger = ledger;
    this.#account = venue.accounts[0]?.account as Account;
    let state = seed >>> 0;
    this.#random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const below = (bound: number) => this.#below(bound);
    this.#client = new RandomClient(below, clock, this.#account, profile);
  }

  async run(actions: number): Promise<void> {
    for (let i = 0; i < actions; i += 1) {
      if (this.#below(this.outageEvery) === 0) this.#outage();
      if (this.#below(this.crashEvery) === 0) await this.#crash();
      else if (this.#below(4) === 0) this.#stranger();
      else this.#act();
      await this.#pass(this.#below(25));
    }
    // The longest that anything may take: an action that is dead, a nonce that is waited for.
    for (let i = 0; i < 400; i += 1) await this.#pass(500);
  }

  /** A new order every so many milliseconds, and nothing else. Tells how many waited for a nonce at most. */
  async placeEvery(ms: number, count: number): Promise<number> {
    let mostWaiting = 0;
    for (let i = 0; i < count; i += 1) {
      const { line, turns } = this.#live();
      turns.run(() => this.#client.enter(line));
      await this.#pass(ms);
      mostWaiting = Math.max(mostWaiting, line.waiting);
    }
    return mostWaiting;
  }

  async idle(ms: number): Promise<void> {
    for (let passedMs = 0; passedMs < ms; passedMs += 50) await this.#pass(50);
  }

  /** Orders that the venue has not said a word of. */
  get undecided(): number {
    return [...this.#live().line.desk.open()].filter(({ phase }) => phase === 'pending_new').length;
  }

  get trace(): string {
    return this.#trace.copy().digest('hex');
  }

  differences(): string[] {
    const { desk } = this.#live().line;
    // A hole that holds the floor is told, and filled; a refused cancel of the bridge's own is told, and tried again; so
    // is a question that the venue did not answer.
    const found = this.alarms.filter((text) => !/^nonces? | refused: /.test(text));
    const venueOpen = new Map(
      this.#venue.state.exchange.openOrders(this.#account).map((view) => [view.orderId, view]),
    );
    for (const order of desk.open()) {
      const { key } = order.owner;
      const view = venueOpen.get(order.orderId ?? '');
      if (order.pending !== null) found.push(`${key} has ${order.pending.kind} pending`);
      else if (view === undefined) found.push(`${key} is ${order.phase}, not open at the venue`);
      else if (BigInt(view.leavesQty) !== order.leavesQty) {
        found.push(`${key} leaves ${order.leavesQty}, at the venue ${view.leavesQty}`);
      }
    }
    for (const orderId of venueOpen.keys()) {
      const order = desk.byVenueId(orderId);
      if (order === undefined) found.push(`the venue has ${orderId} open, unknown here`);
      else if (hasEnded(order))
        found.push(`${order.owner.key} is ${order.phase}, the venue has it open`);
    }
    const heard = this.#venue.state.feed.lastSeq(this.#account);
    if (desk.lastSeq !== heard) found.push(`heard ${desk.lastSeq} of ${heard} events`);
    return found;
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  #live(): Process {
    if (this.#process === undefined) throw new Error('the bridge is down');
    return this.#process;
  }

  /** Time goes on, what is due happens, and the stream is read now and then. */
  async #pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    this.#venue.advance();
    await settled();
    if (this.#below(3) > 0) await this.#hear();
  }

  /** Up to twice as long as an order may still be placed after it was sent. */
  #outage(): void {
    const { lost, unanswered } = this.faults;
    if (lost === 100 || unanswered === 100) return;
    this.outages += 1;
    if (this.#below(2) === 0) this.faults.lost = 100;
    else this.faults.unanswered = 100;
    this.clock.at(this.clock.now().monoMs + this.#below(10_000), () => {
      Object.assign(this.faults, { lost, unanswered });
    });
  }

  async #hear(): Promise<void> {
    const { line } = this.#live();
    const from = line.desk.lastSeq + 1;
    const again = Math.max(1, from - this.#below(3));
    const page = this.#venue.state.feed.read(this.#account, again, 20);
    const events = page?.events.map((event) => this.#reader.read(event)) ?? [];
    if (events.length === 0) return;
    for (const { seq, kind } of events) this.#trace.update(`${seq} ${kind};`);
    void line.hear(events);
    await settled();
  }

  async #crash(): Promise<void> {
    this.crashes += 1;
    this.#live().isAlive = false;
    this.#process = undefined;
    await this.#start();
  }

  async #start(): Promise<void> {
    const process = { isAlive: true } as { -readonly [K in keyof Process]: Process[K] };
    const isAlive = () => process.isAlive;
    const clock: Clock = {
      now: () => this.clock.now(),
      at: (monoMs, callback) => this.clock.at(monoMs, () => isAlive() && callback()),
    };
    const store = mortal(this.#store, isAlive);
    const turns = new Turns(store, (error) => {
      this.alarms.push(`store: ${error}`);
    });
    const http = { exchange: (request: HttpRequest) => this.#exchange(request, isAlive) };
    const reads = new VenueReads(http, profile);
    let line: AccountLine | undefined;
    const submitter = new Submitter({
      profile,
      http,
      clock,
      pacer: new Pacer(),
      random: this.#random,
      rules: { backoff: profile.backoff, maxAgeMs: 5_000, floorWaitMs: 5_000, deadAfterMs: 70_000 },
      maxQueued: 10_000,
      ports: {
        resign: (send, after) => {
          if (line === undefined) throw new Error('no line');
          return line.resign(send, after);
        },
        reconcile: (send) => reconcile(reads, send),
        fence: (send) => {
          if (line === undefined) throw new Error('no line');
          return line.fence(send);
        },
        act: () => {},
      },
    });
    const restored = await restoreDesk(store, this.#account, () => rules);
    const nonces = await NonceAllocator.open(store, this.#account, {
      rules: { ...defaultNonceRules, ...profile.nonce },
      nestedTrigger: profile.nonce.nestedTrigger,
      discovery: profile.nonce.discovery,
    });
    nonces.restored(new Set(restored.unresolved.map(({ nonce }) => Number(nonce))));
    line = new AccountLine({
      account: this.#account,
      desk: restored.desk,
      journal: restored.journal,
      keptDays: () => 1,
      unresolved: restored.unresolved,
      snapshotEvery: this.snapshotEvery,
      turns,
      clock,
      nonces,
      signer: this.#signer(clock),
      scheme: 'ecdsa',
      maker: MadeAction.maker(profile, blake3),
      submitter,
      alarm: (text) => this.alarms.push(text),
      unknownAfterMs: 30_000,
      patienceMs: 5_000,
      mayFill: true,
      trading: () => {},
      clientOrderId: (_, clOrdId) => clOrdId,
      report: (_, report) => {
        const kind = report.kind === 'execution' ? report.execType : report.kind;
        const said = `${kind} ${report.denial?.refusal.name ?? ''}`.trim();
        this.said.set(said, (this.said.get(said) ?? 0) + 1);
        this.#trace.update(`${report.kind} ${report.clOrdId} ${report.ordStatus};`);
      },
      answer: (_, { quoteId, status }) => {
        this.said.set(`quote ${status}`, (this.said.get(`quote ${status}`) ?? 0) + 1);
        this.#trace.update(`${quoteId} ${status};`);
      },
      foreign: (event) => {
        if (event.kind !== 'rejected') this.alarms.push(`foreign ${event.kind}`);
      },
      currentNonce: (envelope) => reads.currentNonce(envelope),
      probe: () => {},
      hops: new Hops(),
      observer: nobody,
    });
    this.#process = Object.assign(process, { line, turns });
    const discovered = line.discover();
    for (let i = 0; i < 20; i += 1) await this.#pass(50);
    await discovered;
    while (line.desk.lastSeq < this.#venue.state.feed.lastSeq(this.#account)) await this.#hear();
    line.resume();
    await settled();
  }

  #signer(clock: Clock): SignerCore {
    const secretKey = Buffer.from(this.#venue.accounts[0]?.ownerKey ?? '', 'hex');
    return new SignerCore({
      contract: profile,
      blake3,
      ecdsa: this.#venue.ecdsa,
      ledger: this.#ledger,
      clock,
      keys: [
        {
          secretKey,
          policy: {
            accounts: new Set([this.#account]),
            actions: new Set(['SpotPlaceOrder', 'Cancel', 'AmendOrder', 'SpotQuoteReplace']),
            markets: null,
            placementsPerSecond: 1_000_000,
            burst: 1_000_000,
            expiresAtMs: null,
          },
        },
      ],
      alarm: (text) => this.alarms.push(`signer: ${text}`),
      fatal: (error) => this.alarms.push(`signer: ${error}`),
    });
  }

  /** The way to the venue and back: each takes a while, each may lose what it carries. */
  async #exchange(request: HttpRequest, isAlive: () => boolean): Promise<Exchange> {
    const isWrite =
      request.target.includes('/trading/actions') && !request.target.endsWith('/hash');
    const { lost, oneWayMs, unanswered, unsent } = this.faults;
    const dice = isWrite ? this.#below(100) : 100;
    if (dice < unsent) return { kind: 'unsent', problem: 'no connection' };
    await this.#later(this.#below(oneWayMs));
    if (dice < unsent + lost) return this.#broken(isAlive);
    const { method, target, body = '' } = request;
    const { key, secret, passphrase } = this.#credential();
    const auth = new RequestAuth(profile.auth.http, { key, secret, passphrase });
    const signed = auth.headers(method, target, body, this.clock.now().wallMs);
    const response = this.#venue.ingress.handle({
      method,
      target,
      headers: { ...pairs(request.headers ?? []), ...pairs(signed) },
      body: Buffer.from(body),
      remoteAddress: '127.0.0.1',
    });
    await this.#later(this.#below(oneWayMs));
    if (dice < unsent + lost + unanswered || !isAlive()) return this.#broken(isAlive);
    const { status, headers } = response;
    return { kind: 'response', status, headers: lower(headers), body: response.body };
  }

  async #broken(isAlive: () => boolean): Promise<Exchange> {
    await this.#later(this.#below(this.faults.noticedMs));
    if (!isAlive()) await new Promise(() => {});
    return { kind: 'broken', problem: 'the connection ended' };
  }

  #credential() {
    const [facts] = this.#venue.accounts;
    if (facts === undefined) throw new Error('the venue has no account');
    return { key: facts.apiKey, secret: facts.apiSecret, passphrase: facts.passphrase };
  }

  #later(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.at(this.clock.now().monoMs + ms, resolve);
    });
  }

  #act(): void {
    const { line, turns } = this.#live();
    turns.run(() => this.#client.act(line));
  }

  /** Another account of the venue, straight at its exchange. */
  #stranger(): void {
    const id = ++this.#count;
    const orderId = `0x${id.toString(16).padStart(64, '0')}`;
    const { side, qty } = this.#client.terms();
    const through = this.#below(30);
    const price = (50_000 + (side === 'Bid' ? through : -through)) * unit;
    this.#venue.state.exchange.apply({
      account: this.#venue.accounts[1]?.account ?? '',
      action: {
        kind: 'place',
        market: 1,
        book: null,
        side,
        price,
        qty: Number(qty),
        stpMode: 'cancel_maker',
        timeInForce: 'ioc',
        isMarket: false,
        reduceOnly: false,
        expiresAt: null,
      },
      ids: {
        actionHash: orderId,
        nonce: id,
        clientOrderId: null,
        orderId,
        legIds: [],
        canonical: null,
      },
      nowMs: this.clock.now().wallMs,
    });
  }
}

/** A store that a dead process can no longer write to. */
function mortal(store: MemoryStore, isAlive: () => boolean): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'commit') {
        return (writes: Parameters<Store['commit']>[0]) =>
          isAlive() ? target.commit(writes) : new Promise<void>(() => {});
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function pairs(list: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < list.length; i += 2)
    headers[(list[i] ?? '').toLowerCase()] = list[i + 1] ?? '';
  return headers;
}

function lower(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** Until everything that waits on promises alone has run. */
async function settled(): Promise<void> {
  for (let i = 0; i < 3; i += 1) await new Promise(setImmediate);
}
