/**
 * One account from the desk to the venue's front door, in one process and virtual time: the bridge's own line, nonces,
 * signer and submitter, the sandbox without sockets, a memory store. The road between them loses, delays and confuses,
 * the stream lags and repeats itself, and the bridge crashes at any moment and starts from what it recorded. In the end
 * its open orders must be those of the venue.
 */

import { createHash } from 'node:crypto';
import { hasEnded, type OrderRules } from '../../src/domain/order.ts';
import type { Account } from '../../src/domain/units.ts';
import { AccountRunner } from '../../src/gateway/account/account-runner.ts';
import { Hops } from '../../src/gateway/account/hops.ts';
import { nobody } from '../../src/gateway/account/observer.ts';
import { openEngine } from '../../src/gateway/account/open-engine.ts';
import { venueSettings } from '../../src/gateway/config/engine-settings.ts';
import { type Clock, ManualClock } from '../../src/runtime/clock.ts';
import { createVenue, type EmbeddedVenue } from '../../src/sandbox/embedded-venue.ts';
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import { localKey } from '../../src/signer/key-holder.ts';
import { SignerCore } from '../../src/signer/signer-core.ts';
import type { Store } from '../../src/store/store.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { Dispatcher } from '../../src/venue/dispatcher.ts';
import { EventReader } from '../../src/venue/event-reader.ts';
import type { HttpRequest } from '../../src/venue/http-client.ts';
import { Pacer } from '../../src/venue/pacer.ts';
import { reconcile } from '../../src/venue/reconcile.ts';
import { VenueReads } from '../../src/venue/venue-reads.ts';
import { MemoryLedger } from '../signer/memory-ledger.ts';
import type { MemoryStore } from '../support/memory-store.ts';
import { WrittenStore } from '../support/written-store.ts';
import { RandomClient } from './random-client.ts';
import { VenueRoad } from './venue-road.ts';

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

const settings = { sessionRules: {}, otherRules: rules, ...venueSettings(profile, 5_000) };

/** All that dies with the process: after `kill` nothing that it began can reach the store or the clock. */
interface Process {
  readonly line: AccountRunner;
  readonly transactions: Transactions;
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
  /** A bridge that starts again may find its own clock stepped. */
  stepsOwnClock = true;
  /** Records from one snapshot of the desk to the next: seldom enough that a start reads records behind it, too. */
  snapshotEvery = 70;
  readonly road: VenueRoad;
  readonly #random: () => number;
  readonly #venue: EmbeddedVenue;
  readonly store = new WrittenStore();
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
    this.road = new VenueRoad(venue, clock, below);
    this.#client = new RandomClient(below, clock, this.#account, profile);
  }

  async run(actions: number): Promise<void> {
    for (let i = 0; i < actions; i += 1) {
      this.road.disturb();
      if (this.#below(this.crashEvery) === 0) await this.#crash();
      else if (this.#below(4) === 0) this.#stranger();
      else this.#act();
      await this.#pass(this.#below(25));
    }
    this.road.release();
    // The longest that anything may take: an action that is dead, a nonce that is waited for.
    for (let i = 0; i < 400; i += 1) await this.#pass(500);
  }

  /** A new order every so many milliseconds, and nothing else. Tells how many waited for a nonce at most. */
  async placeEvery(ms: number, count: number): Promise<number> {
    let maxWaiting = 0;
    for (let i = 0; i < count; i += 1) {
      const { line, transactions } = this.#live();
      transactions.run(() => this.#client.enter(line));
      await this.#pass(ms);
      maxWaiting = Math.max(maxWaiting, line.waiting);
    }
    return maxWaiting;
  }

  async idle(ms: number): Promise<void> {
    for (let passedMs = 0; passedMs < ms; passedMs += 50) await this.#pass(50);
  }

  /** Orders that the venue has not said a word of. */
  get undecided(): number {
    return [...this.#live().line.orders.open()].filter(({ phase }) => phase === 'pending_new')
      .length;
  }

  get trace(): string {
    return this.#trace.copy().digest('hex');
  }

  differences(): string[] {
    const { orders } = this.#live().line;
    // A hole that holds the floor is told, and filled; a refused cancel of the bridge's own is told, and tried again;
    // so is a question that the venue did not answer. So is a clock that is too far off, and an outcome that is open
    // for long.
    const expected = /^nonces? | refused: |timestamp_skew|is still open/;
    // An answer to another request is noticed where it names an order; a refusal that is not ours ends an order that
    // lives.
    const ofSwaps = /^the answer to|on an order that is rejected/;
    const isTold = (text: string) => expected.test(text) || ofSwaps.test(text);
    const found = this.alarms.filter((text) => !isTold(text));
    const venueOpen = new Map(
      this.#venue.state.exchange.openOrders(this.#account).map((view) => [view.orderId, view]),
    );
    for (const order of orders.open()) {
      const { key } = order.owner;
      const view = venueOpen.get(order.orderId ?? '');
      if (order.pending !== null) found.push(`${key} has ${order.pending.kind} pending`);
      else if (view === undefined) found.push(`${key} is ${order.phase}, not open at the venue`);
      else if (BigInt(view.leavesQty) !== order.leavesQty) {
        found.push(`${key} leaves ${order.leavesQty}, at the venue ${view.leavesQty}`);
      }
    }
    for (const orderId of venueOpen.keys()) {
      const order = orders.byVenueId(orderId);
      if (order === undefined) found.push(`the venue has ${orderId} open, unknown here`);
      else if (hasEnded(order))
        found.push(`${order.owner.key} is ${order.phase}, the venue has it open`);
    }
    const heard = this.#venue.state.feed.lastSeq(this.#account);
    if (orders.lastSeq !== heard) found.push(`heard ${orders.lastSeq} of ${heard} events`);
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
    if (this.#below(3) > 0 && !this.road.isStalled) await this.#hear();
  }

  async #hear(): Promise<void> {
    const { line } = this.#live();
    const from = line.orders.lastSeq + 1;
    const again = Math.max(1, from - this.#below(3));
    const page = this.#venue.state.feed.read(this.#account, again, 20);
    const events = page?.events.map((event) => this.#reader.read(event)) ?? [];
    if (events.length === 0) return;
    for (const { seq, kind } of events) this.#trace.update(`${seq} ${kind};`);
    void line.onEvents(events);
    await settled();
  }

  async #crash(): Promise<void> {
    this.crashes += 1;
    this.#live().isAlive = false;
    this.#process = undefined;
    if (this.stepsOwnClock && this.#below(3) === 0) this.road.stepBridgeClock();
    await this.#start();
  }

  async #start(): Promise<void> {
    const process = { isAlive: true } as { -readonly [K in keyof Process]: Process[K] };
    const isAlive = () => process.isAlive;
    const clock: Clock = {
      now: () => this.clock.now(),
      at: (monoMs, callback) => this.clock.at(monoMs, () => isAlive() && callback()),
    };
    const store = mortal(this.store, isAlive);
    const transactions = new Transactions(store, (error) => {
      this.alarms.push(`store: ${error}`);
    });
    const http = { exchange: (request: HttpRequest) => this.road.exchange(request, isAlive) };
    const reads = new VenueReads(http, profile);
    const dispatcher = new Dispatcher({
      profile,
      http,
      clock,
      pacer: new Pacer(),
      patienceMs: 5_000,
      maxQueued: 10_000,
    });
    const core = await openEngine({
      account: this.#account,
      store,
      transactions,
      clock,
      keptDays: () => 1,
      snapshotEvery: this.snapshotEvery,
      blake3,
      contract: profile,
      configured: () => settings,
    });
    const line = new AccountRunner({
      account: this.#account,
      ...core,
      transactions,
      clock,
      signer: this.#signer(clock),
      scheme: 'ecdsa',
      dispatcher,
      alarm: ({ text }) => this.alarms.push(text),
      patienceMs: 5_000,
      unknownAfterMs: 30_000,
      trading: () => {},
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
      authorize: () => undefined,
      isOfOtherAccount: () => false,
      foreign: (event) => {
        if (event.kind !== 'rejected') this.alarms.push(`foreign ${event.kind}`);
        return undefined;
      },
      act: () => {},
      lookUp: (action) => reconcile(reads, action),
      currentNonce: async (envelope) => ({ floor: await reads.currentNonce(envelope) }),
      probe: () => {},
      hops: new Hops(),
      observer: nobody,
    });
    this.#process = Object.assign(process, { line, transactions });
    line.started();
    const discovered = line.discover();
    for (let i = 0; i < 20; i += 1) await this.#pass(50);
    await discovered;
    while (line.orders.lastSeq < this.#venue.state.feed.lastSeq(this.#account)) await this.#hear();
    line.resume();
    line.open();
    await settled();
  }

  #signer(clock: Clock): SignerCore {
    const secretKey = Buffer.from(this.#venue.accounts[0]?.ownerKey ?? '', 'hex');
    return new SignerCore({
      contract: profile,
      blake3,
      ledger: this.#ledger,
      clock,
      keys: [
        {
          holder: localKey(this.#venue.ecdsa, secretKey),
          policy: {
            accounts: new Set([this.#account]),
            actions: new Set(['SpotPlaceOrder', 'Cancel', 'AmendOrder', 'SpotQuoteReplace']),
            markets: null,
            placementsPerSecond: 1_000_000,
            burst: 1_000_000,
            maxNonceJump: 1_000_000,
            knownNonce: null,
            expiresAtMs: null,
          },
        },
      ],
      paused: () => null,
      alarm: (text) => this.alarms.push(`signer: ${text}`),
      fatal: (error) => this.alarms.push(`signer: ${error}`),
    });
  }

  #act(): void {
    const { line, transactions } = this.#live();
    transactions.run(() => this.#client.act(line));
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

/** Until everything that waits on promises alone has run. */
async function settled(): Promise<void> {
  for (let i = 0; i < 3; i += 1) await new Promise(setImmediate);
}
