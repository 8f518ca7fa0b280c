/**
 * The core of one account without I/O, against a venue in memory: thousands of random steps a second through order
 * entry, quotes, orders, nonces, submissions and the journal. A request may be lost on either way, arrive long after the
 * bridge gave up, or be refused for a moment; answers may come twice or to another request, events come late, other
 * channels use the account, and the process ends at any time. In the end bridge, clients and venue must agree.
 */
import type { Denial } from '../../src/domain/denial.ts';
import { exactJson } from '../../src/domain/exact-json.ts';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import type { Order } from '../../src/domain/order.ts';
import type { OrderId } from '../../src/domain/units.ts';
import { EffectSums } from '../../src/engine/effect-sums.ts';
import type { EngineEffect, EngineInput, Request } from '../../src/engine/engine.ts';
import { MassCancels } from '../../src/engine/mass-cancels.ts';
import { ordersBounds } from '../../src/engine/orders.ts';
import { AccountWaits } from '../../src/gateway/account/account-waits.ts';
import { type OpenEngine, openEngine } from '../../src/gateway/account/open-engine.ts';
import type { EngineSettings } from '../../src/gateway/config/engine-settings.ts';
import type { BoundAccount } from '../../src/gateway/gate/principal.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import type { Write } from '../../src/store/store.ts';
import type { Nonces } from '../../src/venue/outbox/nonces.ts';
import type { OutboxEffect, OutboxInput } from '../../src/venue/outbox/outbox-types.ts';
import type { Submission } from '../../src/venue/outbox/submission.ts';
import type { VenueEvent } from '../../src/venue/venue-event.ts';
import { account, spot } from '../domain/ladder.ts';
import type { Dice } from '../simulation/dice.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { WalkClient } from './walk-client.ts';
import { WalkExit } from './walk-exit.ts';
import { beyondLimits, judge } from './walk-judge.ts';
import { WalkLoss } from './walk-loss.ts';
import { WalkOperator } from './walk-operator.ts';
import { WalkPath } from './walk-path.ts';
import { restartSettings, type WalkRules, walkRules, walkSettings } from './walk-rules.ts';
import { WalkTold } from './walk-told.ts';
import { keysOf, WalkVenue } from './walk-venue.ts';

const { blake3 } = await fastestBlake3();
const [instrument] = instrumentsOf(spot);
const sessions = ['S', 'T'];
const midnightMs = Date.UTC(2026, 0, 6);

type Input = EngineInput<OutboxInput, VenueEvent>;
type Effect = EngineEffect<OutboxEffect>;
type Submit = Extract<OutboxEffect, { kind: 'submit' }>;

export class CoreWalk {
  readonly venue: WalkVenue;
  readonly faults: string[] = [];
  /** The inputs, for whoever looks for the cause of a fault. */
  readonly log: string[] = [];
  readonly #dice: Dice;
  readonly #path: WalkPath;
  readonly #told: WalkTold;
  readonly #operator: WalkOperator;
  readonly #exit: WalkExit;
  readonly #loss: WalkLoss;
  readonly #store = new MemoryStore();
  readonly #rules: WalkRules;
  #settings: EngineSettings | undefined;
  readonly #hashes = new Set<string>();
  readonly #sums = new EffectSums();
  #clock: ManualClock;
  #open: OpenEngine | undefined;
  #clients: readonly WalkClient[] = [];
  #waits: AccountWaits | undefined;
  #delivered = 0;
  /** The ids that events have named. */
  readonly #heard = new Set<OrderId>();
  /** The inputs of the transaction, and what its record writes. */
  #inputs: Input[] = [];
  #writes: Write[] = [];
  #newSettings: EngineSettings | undefined;

  constructor(dice: Dice) {
    this.#dice = dice;
    this.#rules = walkRules(dice);
    this.#clock = new ManualClock(midnightMs - dice.pick([20_000, 80_000_000]));
    this.venue = new WalkVenue(dice, this.#rules);
    this.venue.book.expire(this.#now.wallMs);
    this.#loss = new WalkLoss(this.venue);
    const fault = (text: string) => this.#fault(text);
    this.#path = new WalkPath({
      ...{ dice, fault, venue: this.venue, ...this.#rules },
      denial: (copy) => this.#exit.denialOf(copy),
      isAwaited: ({ id }) => this.#process.outbox.get(id)?.state === 'out',
    });
    const isMisled = () => this.#path.isMisled;
    const { book } = this.venue;
    const isOpen = (orderId: string) => book.live.has(orderId as OrderId);
    this.#told = new WalkTold({ fault, isMisled, isOpen, trades: book.trades });
    this.#operator = new WalkOperator(dice, sessions, (key, amendment) =>
      this.#told.amends(key, amendment),
    );
    this.#exit = new WalkExit(this.#operator, fault);
  }

  get orders() {
    return this.#process.orders;
  }

  get #process(): OpenEngine {
    if (this.#open === undefined) throw new Error('the walk has not begun');
    return this.#open;
  }

  get #now() {
    return this.#clock.now();
  }

  async walk(steps: number): Promise<void> {
    const { atOnce } = MassCancels;
    const { endedOrders, spentNames } = ordersBounds;
    MassCancels.atOnce = 3;
    Object.assign(ordersBounds, this.#rules.bounds);
    try {
      await this.#start();
      for (let step = 0; step < steps && this.faults.length === 0; step += 1) {
        await this.#stepOnce();
        this.#accent();
        if (this.#dice.hits(2)) this.#rest();
      }
      this.#rest();
    } finally {
      MassCancels.atOnce = atOnce;
      Object.assign(ordersBounds, { endedOrders, spentNames });
    }
  }

  async #stepOnce(): Promise<void> {
    const dice = this.#dice;
    const choice = dice.below(200);
    if (choice < 56) this.#transaction(() => this.#acts());
    else if (choice < 96) this.#deliver();
    else if (choice < 126) this.#hear();
    else if (choice < 158) this.#resultArrives();
    else if (choice < 180) this.#pass(dice.pick([1, 20, 300, 1_000]));
    else if (choice < 184) this.venue.book.trade();
    else if (choice < 187) this.venue.book.fire();
    else if (choice < 189) this.venue.book.slice();
    else if (choice < 192) this.#pass(dice.hits(60) ? 70_000 : 6_000);
    else if (choice < 195) this.#transaction(() => this.#operator.act());
    else if (choice < 196) await this.#restart();
    else if (choice < 197) this.venue.book.drop();
    else if (choice < 199 || !this.#rules.isForgetful) this.venue.intrude(dice.hits(500));
    else this.#lose();
  }

  /** What a client sends may come in one piece. */
  #acts(): void {
    const client = this.#dice.pick(this.#clients);
    client.act();
    while (this.#dice.hits(150)) client.act();
  }

  #accent(): void {
    const { accent, isForgetful, isResized } = this.#rules;
    if (this.#dice.hits(5)) this.#settings = walkSettings(this.#dice, this.#rules, this.#settings);
    if (isResized && this.#dice.hits(10)) this.venue.resize();
    if (accent === 'triggers' && this.#dice.hits(60)) this.venue.book.fire();
    if (accent === 'algos' && this.#dice.hits(60)) this.venue.book.slice();
    if (isForgetful && this.#dice.hits(10)) this.#lose();
  }

  #lose(): void {
    if (this.#loss.isReading) return;
    const { events } = this.venue.book;
    const lost = events.slice(this.#delivered, this.#delivered + 1 + this.#dice.below(4));
    this.#delivered += lost.length;
    this.log.push(`--- lost ${lost.map(({ kind, orderId }) => `${kind} ${orderId}`).join(', ')}`);
    this.#loss.begin(lost, this.orders);
  }

  #readReceipt(): void {
    const { key, statement } = this.#loss.step(this.orders) ?? {};
    if (key === undefined || statement === undefined) return;
    const input = { kind: 'stated', statement, nowMs: this.#now.wallMs } as const;
    this.#transaction(() => this.#apply({ kind: 'order', key, input }));
  }

  /** At no time has the venue more open orders than the limits allow. */
  #deliver(): void {
    this.#path.deliver();
    if (this.#path.isMisled) return;
    const sessionOf = (key: string) => this.#told.sessionOf(key);
    const found = beyondLimits(this.venue.book, this.#operator, sessionOf);
    for (const fault of found) this.#fault(fault);
  }

  #hear(): void {
    if (this.#loss.isReading) {
      this.#readReceipt();
      return;
    }
    this.#transaction(() => {
      this.#hearOne();
      while (this.#dice.hits(150)) this.#hearOne();
    });
  }

  /** The stream may deliver several events at once. */
  #hearOne(): void {
    const { events } = this.venue.book;
    const isAgain = this.#delivered > 0 && this.#dice.hits(20);
    const at = isAgain ? this.#dice.below(this.#delivered) : this.#delivered;
    const event = events[at];
    if (!isAgain && event) this.#delivered += 1;
    if (event === undefined) return;
    if (!isAgain) this.#loss.heard();
    // One that comes again is passed over, even if it was lost the first time.
    if (!isAgain && event.orderId !== null) this.#heard.add(event.orderId);
    const { floor, window } = (this.#process.outbox.nonces as Nonces).snapshot();
    this.#apply({ kind: 'event', event });
    if (!isAgain && floor !== null) this.#path.heard(event, floor, window);
  }

  #resultArrives(): void {
    const input = this.#path.arrival();
    if (input !== undefined) this.#transaction(() => this.#apply({ kind: 'venue', input }));
  }

  #pass(ms: number): void {
    this.#clock.advance(ms);
    if (this.#dice.hits(500)) this.#operator.resume();
    this.venue.book.expire(this.#now.wallMs);
  }

  /** The process ends and another continues from its journal. */
  async #restart(): Promise<void> {
    this.log.push('--- restart');
    this.#path.restart();
    // The timers of the process are gone.
    this.#clock = new ManualClock(this.#now.wallMs + this.#dice.pick([0, 100, 20_000, -3_000]));
    this.venue.book.expire(this.#now.wallMs);
    await this.#start();
  }

  async #start(): Promise<void> {
    const dice = this.#dice;
    const former = walkSettings(dice, this.#rules, this.#settings);
    const settings = this.#settings ? restartSettings(dice, this.#rules, former) : former;
    this.#settings = settings;
    const write = (one: Write) => this.#writes.push(one);
    this.#open = await openEngine({
      ...{ account, blake3, store: this.#store, clock: this.#clock, snapshotEvery: 9 },
      ...{ keptDays: () => 1, configured: () => this.#settings ?? settings },
      transactions: { write } as never,
    });
    this.#waits = this.#newWaits();
    const bound = this.#bound();
    this.#operator.attend({ bound, clock: this.#clock });
    this.#clients = sessions.map((session) => this.#client(session, bound));
    const { orders, outbox } = this.#open;
    this.#exit.attend({ orders, outbox, clients: this.#clients });
    this.#transaction(() => this.#apply({ kind: 'started' }));
    this.#loss.restart(this.orders);
    if (dice.hits(100)) this.#transaction(() => dice.pick(this.#clients).leave());
    this.#transaction(() => this.#apply({ kind: 'venue', input: { kind: 'discover' } }));
    while (this.#delivered < this.venue.book.events.length && dice.hits(900)) this.#hear();
    this.#transaction(() => this.#apply({ kind: 'resume' }));
    for (const { owner, terms } of this.orders.open()) {
      this.#waits.cancelInTime(owner.key, terms.cancelAtMs);
    }
    this.#transaction(() => this.#apply({ kind: 'open' }));
  }

  #newWaits(): AccountWaits {
    return new AccountWaits({
      clock: this.#clock,
      orders: this.orders,
      unknownAfterMs: 3_000,
      isDue: (id) => this.#process.outbox.isDue(id, this.#now),
      isOver: (inputs) => {
        this.#transaction(() => {
          for (const input of inputs) this.#apply(input);
        });
      },
    });
  }

  #bound(): BoundAccount {
    const apply = (input: Request) => {
      this.#apply(input);
      if (input.kind !== 'entry') return;
      this.#waits?.cancelInTime(input.owner.key, input.terms.cancelAtMs);
    };
    const withdraw = (session: string | null, denial: Denial) =>
      this.#apply({ kind: 'withdraw', session, denial });
    const runner = { account, orders: this.orders, apply, withdraw };
    return {
      name: 'desk',
      runner,
      guard: this.#operator.guardOf('desk'),
    } as unknown as BoundAccount;
  }

  #client(session: string, bound: BoundAccount): WalkClient {
    const operator = this.#operator;
    return new WalkClient(session, this.#dice, {
      ...{ bound, orders: this.orders, clock: this.#clock, told: this.#told },
      guard: operator.guardOf(session),
      rules: this.#rules,
      killed: (of) => operator.killed(of),
      closed: () => operator.closed,
      halted: () => operator.halted,
      doom: (of, onlyQuotes, side) => operator.doom(of, onlyQuotes, side),
    });
  }

  #transaction(act: () => void): void {
    act();
    if (this.#inputs.some(isCancel)) this.#apply({ kind: 'withdraw_canceled' });
    this.#record();
    const { orders, outbox } = this.#process;
    if (!orders.isMassCanceling || outbox.waiting.cancel >= MassCancels.atOnce) return;
    this.#apply({ kind: 'mass_cancel_next', atOnce: 3, nowMs: this.#now.wallMs });
    this.#apply({ kind: 'withdraw_canceled' });
    this.#record();
  }

  #record(): void {
    const { journal, state } = this.#process;
    const inputs = this.#inputs;
    if (inputs.length === 0) return;
    this.#inputs = [];
    const settings = this.#newSettings;
    const record = { at: this.#now, inputs, effects: this.#sums.take(), settings };
    journal.append(record, state);
    const writes = this.#writes;
    this.#writes = [];
    void this.#store.commit(writes);
  }

  #apply(input: Input): void {
    if (this.#inputs.length === 0) this.#newSettings = this.#process.newSettings();
    this.#inputs.push(input);
    this.log.push(`> ${exactJson(input)}`);
    const effects = this.#process.engine.step(input, this.#now);
    this.#sums.add(effects);
    const questions = effects.map((effect) => this.#perform(effect));
    for (const question of questions) {
      const next = question?.();
      if (next !== undefined) this.#apply(next);
    }
  }

  #perform(effect: Effect): (() => Input | undefined) | undefined {
    const { outbox } = this.#process;
    switch (effect.kind) {
      case 'report': {
        const { report, session } = effect;
        const { clOrdId, kind, order } = report;
        const what = kind === 'execution' ? `${report.execType} ${report.ordStatus}` : kind;
        this.log.push(`  ${session} ${order.owner.key} ${what} ${clOrdId}`);
        this.#told.report(session, report);
        break;
      }
      case 'answer':
        this.#told.answer(effect.session, effect.answer);
        break;
      case 'submit':
        this.#submit(effect);
        break;
      case 'judge': {
        const { asked, id } = effect;
        const denial = asked && this.#exit.denial(asked, true);
        return () => ({ kind: 'judged', id, denial });
      }
      case 'withdraw':
        this.#path.withdraw(effect.id, outbox.get(effect.id)?.bytes?.hash);
        break;
      case 'sign':
        this.#path.sign(effect);
        break;
      case 'look':
        this.#path.look(effect, outbox.get(effect.id));
        break;
      case 'wake':
        this.#waits?.submission(effect);
        break;
      case 'wait':
        this.#waits?.request(effect);
        break;
      case 'discover':
        this.#path.discover(effect);
        break;
      case 'foreign':
        return () => this.#foreign(effect.event as VenueEvent);
      case 'act':
        if (effect.act === 'GG' || effect.act === 'GM') this.#operator.halt();
        break;
      case 'alarm':
        this.#alarmed(effect);
        break;
      default:
    }
    return undefined;
  }

  /** Only orders of other channels are adopted. A fence or filler is refused without an order. */
  #foreign(event: VenueEvent): Input | undefined {
    const { kind, orderId, seq } = event;
    const isOther = orderId !== null && this.venue.book.others.has(orderId);
    if (kind !== 'rejected' && !isOther) this.#fault(`event ${seq}, ${kind}, is called foreign`);
    return instrument && { kind: 'adopt', event, instrument, accountName: 'desk' };
  }

  #alarmed({ code, text }: Extract<Effect, { kind: 'alarm' }>): void {
    this.log.push(`  alarm ${code} ${text}`);
    const isOfSwap = ['foreign_answer', 'alive_after_end', 'contradiction'].includes(code);
    const isSuspected = code === 'foreign_writer' && !this.venue.hasStranger;
    const isUntrue = (isOfSwap || isSuspected) && !this.#path.isMisled;
    if (isUntrue || code === 'unknown_order' || code === 'overfilled') this.#fault(text);
  }

  /** The same bytes may be sent again at any time. */
  #submit({ asked, bytes, id, nonce }: Submit): void {
    const { hash, placed } = bytes;
    const { intent, nested: inner } = this.#process.outbox.get(id) ?? {};
    if (intent === undefined) return;
    if (asked !== null) this.#waits?.answer(asked);
    this.log.push(`  submit ${id} nonce ${nonce} ${hash.slice(0, 8)} ${exactJson(intent)}`);
    const nested = inner ? { nonce: inner.nonce, hash: inner.bytes.hash } : null;
    const keys = asked === null ? new Map() : keysOf(this.orders, asked.key, placed);
    const { madeMs } = bytes;
    const on = { madeMs, isAbandoned: false };
    const copy = { id, asked, hash, nonce, placed, keys, intent, nested, ...on };
    if (asked !== null && !this.#hashes.has(hash)) {
      this.#hashes.add(hash);
      this.#path.check(copy);
      this.#exit.check(asked, intent);
    }
    this.#path.submit(copy);
  }

  #fault(text: string): void {
    this.faults.push(text);
    this.log.push(`FAULT ${text}`);
  }

  /** Everything that is on its way arrives, and nothing else is lost. */
  #rest(): void {
    this.#operator.rest();
    this.venue.isCalm = true;
    this.log.push('--- rest');
    for (let round = 0; round < 300 && this.faults.length === 0; round += 1) {
      if (this.#isQuiet()) break;
      this.#path.calm();
      // A floor that another writer holds is asked for again and again.
      for (let left = 200; left > 0 && !this.#path.isEmpty; left -= 1) {
        this.#path.calm();
        this.#resultArrives();
      }
      const { events } = this.venue.book;
      while (this.#loss.isReading || this.#delivered < events.length) this.#hear();
      this.venue.keepUp();
      this.#pass(2_000);
    }
    this.#judge();
    this.venue.isCalm = false;
  }

  #isQuiet(): boolean {
    const { book } = this.venue;
    const isBehind = this.#loss.isReading || this.#delivered < book.events.length;
    if (!this.#path.isEmpty || isBehind) return false;
    const { outbox } = this.#process;
    const isOfBlurred = ({ asked }: Submission) => this.#loss.blurred.has(asked?.key ?? '');
    const underWay = outbox.state().submissions.filter((own) => !isOfBlurred(own));
    if (this.orders.isMassCanceling || underWay.length > 0) return false;
    const isAtRest = (order: Order) => order.phase === 'live' && order.pending === null;
    const open = [...this.orders.open()].filter(({ owner }) => !this.#loss.blurred.has(owner.key));
    return open.every((order) => isAtRest(order) && order.ownCancel === null);
  }

  #judge(): void {
    if (this.faults.length > 0) return;
    const { orders, venue } = this;
    const found = judge({
      orders,
      venue,
      operator: this.#operator,
      told: this.#told,
      blurred: this.#loss.blurred,
      heard: this.#heard,
      sessions,
      hasLost: this.#rules.isForgetful,
    });
    for (const fault of found) this.#fault(fault);
    const isBlurred = (name: string, key: string | null) => {
      const [session = '', id = ''] = name.split('/');
      return this.#loss.blurred.has(key ?? orders.byClOrdId(session, id)?.owner.key ?? '');
    };
    this.#told.judge(this.#rules.isForgetful, isBlurred);
  }
}

function isCancel(input: Input): boolean {
  if (input.kind === 'mass_cancel' || input.kind === 'mass_cancel_next') return true;
  return input.kind === 'order' && /cancel$/.test(input.input.kind);
}
