/** A client of a random walk (`core-walk.ts`): a session that sends orders, quotes and cancels through order entry. */
import type {
  CancelOrder,
  MassQuote,
  NewOrder,
  Quote,
  ReplaceOrder,
} from '../../src/domain/command.ts';
import type { Denial } from '../../src/domain/denial.ts';
import { InstrumentList } from '../../src/domain/instrument.ts';
import type { Order } from '../../src/domain/order.ts';
import { maxSafeAtoms, parseDecimal, type Side } from '../../src/domain/units.ts';
import { allOrders } from '../../src/engine/mass-cancels.ts';
import type { Orders, Placements } from '../../src/engine/orders.ts';
import { OrderEntry } from '../../src/gateway/clients/order-entry.ts';
import { Quoting } from '../../src/gateway/clients/quoting.ts';
import { authorize } from '../../src/gateway/gate/authorize.ts';
import { gateView, type TradingContext } from '../../src/gateway/gate/gate-view.ts';
import {
  type BoundAccount,
  cancelOrders,
  cancelOwn,
  type Principal,
} from '../../src/gateway/gate/principal.ts';
import type { RiskGuard } from '../../src/gateway/gate/risk.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { fullRules, spot } from '../domain/ladder.ts';
import type { Dice } from '../simulation/dice.ts';
import { entry, wanted } from '../support/trading-core.ts';
import type { WalkRules } from './walk-rules.ts';
import type { WalkTold } from './walk-told.ts';

const symbol = 'BTC-USDC';
const instrument = { symbol, securityId: null, book: null };
const instruments = new InstrumentList([spot]);
const conditionals = new Set(['at_or_above/stop_loss', 'at_or_below/stop_loss']);
const plainOrigin = { seq: 1, sendingTimeMs: null, transactTimeMs: null, possDup: false };
const stop = { ordType: 'stop_limit', stopPrice: parseDecimal('100') };

interface Line {
  readonly bound: BoundAccount;
  readonly orders: Orders;
  readonly clock: Clock;
  readonly told: WalkTold;
  readonly guard: RiskGuard;
  readonly rules: WalkRules;
  /** Why the gate denies a placement of this session at the moment. */
  readonly killed: (session: string) => Denial | undefined;
  readonly closed: () => Denial | undefined;
  readonly halted: () => Denial | null;
  /** All open orders that are meant must end. */
  readonly doom: (session: string | null, onlyQuotes: boolean, side?: Side | null) => void;
}

export class WalkClient {
  readonly session: string;
  readonly #dice: Dice;
  readonly #line: Line;
  readonly #principal: Principal;
  readonly #context: TradingContext;
  readonly #entry: OrderEntry;
  readonly #quoting: Quoting;

  constructor(session: string, dice: Dice, line: Line) {
    this.session = session;
    this.#dice = dice;
    this.#line = line;
    const { bound, guard, rules, told } = line;
    const accounts = [bound];
    this.#principal = {
      ...{ session, compId: session, accounts, reach: accounts, known: accounts },
      ...{ actions: new Set(['order', 'quote', 'conditional', 'algo']), markets: null },
      ...{ rules: fullRules, guard },
      profile: { dayOrders: 'end_of_day', stp: 'none', maxOrderAgeMs: 5_000 },
    } as unknown as Principal;
    this.#context = {
      ...{ instruments: () => instruments, venueNameOf: (of: string, id: string) => `${of}-${id}` },
      ...{ maxLegs: () => rules.maxLegs, maxStored: rules.maxStored },
      ...{ skipUnchanged: rules.skipUnchanged, closed: line.closed },
      ...{ killed: (_: string, of: string) => line.killed(of), gate: { refusal: line.halted } },
      top: () => ({ bid: null, ask: null }),
      admission: {
        ...{ maxAtoms: maxSafeAtoms, acceptMarketPrice: true, collarBps: 100, conditionals },
        ...{ algos: new Set(['twap', 'iceberg']), marketOrders: true, goodTillDate: true },
        ...{ expiryStepMs: 1, localChecks: false },
      },
    } as unknown as TradingContext;
    this.#entry = new OrderEntry(this.#principal, this.#context);
    const answer = (of: object) => told.answer(session, of as { quoteId: string });
    this.#quoting = new Quoting(this.#principal, this.#context, { answer });
  }

  act(): void {
    const dice = this.#dice;
    const { bound, clock, doom, orders } = this.#line;
    const { session } = this;
    const open = [...orders.open()].filter(({ owner }) => owner.session === session);
    const some = open.length === 0 ? undefined : dice.pick(open);
    const choice = dice.below(200);
    const now = clock.now();
    if (choice < 12 && this.#line.rules.accent === 'crowd') {
      for (let left = 10 + dice.below(30); left > 0; left -= 1) this.#order();
    } else if (choice < 60) this.#order();
    else if (choice < 80 && some) this.#cancel(some);
    else if (choice < 124 && some) this.#replace(some);
    else if (choice < 180) this.#quote();
    else if (choice < 194) this.#order();
    else if (choice < 196) {
      const quoteId = `${session}:quotes`;
      const command = { kind: 'quote_cancel', quoteId, account: null, instruments: null };
      doom(session, true);
      this.#quoting.cancel({ ...command, response: 'none' } as never, now);
    } else if (choice < 199) {
      const onlyQuotes = dice.hits(300);
      const side = dice.pick([null, null, 'Bid', 'Ask'] as const);
      const text = `mass cancel ${session}:${onlyQuotes ? 'quotes' : 'all'}`;
      doom(session, onlyQuotes, side);
      cancelOrders(bound, text, now.wallMs, { ...allOrders, session, onlyQuotes, side });
    } else this.leave();
  }

  /** The connection ends, and its orders with it. */
  leave(): void {
    const { bound, clock, doom } = this.#line;
    doom(this.session, false);
    const reach = { accounts: () => [bound], clock };
    cancelOwn(this.session, reach, `cancel on disconnect ${this.session}:all`);
  }

  /** Why what has waited may no longer be placed. */
  denial({ places }: Placements): Denial | undefined {
    const { bound, clock } = this.#line;
    const view = gateView(this.#principal, bound, this.#context);
    const permit = authorize({ kind: 'release', places }, view, clock.now());
    return 'refusal' in permit ? permit : undefined;
  }

  #order(): void {
    const { clock, told } = this.#line;
    const { id: clOrdId, origin } = this.#asked();
    const terms = this.#terms();
    const command = { kind: 'new_order', clOrdId, origin, account: null, instrument, terms };
    told.asks(this.session, 'new', clOrdId, () =>
      this.#entry.newOrder(command as unknown as NewOrder, clock.now()),
    );
  }

  #terms(): object {
    const dice = this.#dice;
    const plain = wanted(dice.pick(['Bid', 'Ask']), this.#size(1));
    const { accent } = this.#line.rules;
    const isOften = dice.hits(600);
    const often = accent === 'triggers' ? 7 : accent === 'algos' ? 9 : null;
    const choice = isOften && often !== null ? often : dice.below(10);
    if (choice < 5) return { ...plain, lifetime: dice.pick(['gtc', 'gtc', 'gtc', 'ioc', 'day']) };
    if (choice < 6) return { ...plain, ...this.#end() };
    if (choice < 8) return { ...plain, ...stop, ...this.#end() };
    const kind = dice.pick(['twap', 'iceberg']);
    const lifetime = dice.pick(['gtc', 'day']);
    const intervalMs = kind === 'twap' ? 1_000 : null;
    return { ...plain, lifetime, algo: { kind, sliceQty: parseDecimal('2'), intervalMs } };
  }

  #end(): object {
    const lifetime = this.#dice.pick(['gtc', 'day', 'gtd']);
    if (lifetime !== 'gtd') return { lifetime };
    const { wallMs } = this.#line.clock.now();
    return { lifetime, expireTimeMs: wallMs + this.#dice.pick([400, 4_000, 40_000, 4_000_000]) };
  }

  #cancel(of: Order): void {
    const { clock, told } = this.#line;
    const { clOrdId, ...change } = this.#change(of);
    const command = { kind: 'cancel_order', clOrdId, ...change };
    told.asks(this.session, 'cancel', clOrdId, () =>
      this.#entry.cancel(command as unknown as CancelOrder, clock.now()),
    );
  }

  #replace(of: Order): void {
    const { clock, told } = this.#line;
    const { price, side } = of.terms;
    const size = this.#size(1);
    const terms = wanted(side, this.#dice.hits(500) ? size : size.replace(/^\d+/, `${price}`));
    const { clOrdId, ...change } = this.#change(of);
    const command = { kind: 'replace_order', clOrdId, ...change, terms };
    told.asks(this.session, 'replace', clOrdId, () =>
      this.#entry.replace(command as unknown as ReplaceOrder, clock.now()),
    );
  }

  /** An order is named by its ClOrdID, its OrderID, or both. */
  #change({ clOrdId: origClOrdId, orderId }: Order) {
    const names = [
      { origClOrdId, orderId: null },
      { origClOrdId, orderId },
    ];
    const byId = orderId === null ? names : [...names, { origClOrdId: null, orderId }];
    const { id: clOrdId, origin } = this.#asked();
    const target = this.#dice.pick(byId);
    return { clOrdId, origin, account: null, instrument, target, origModTimeMs: null };
  }

  #quote(): void {
    const dice = this.#dice;
    const { clock, told } = this.#line;
    const isCrowd = this.#line.rules.accent === 'crowd';
    const names = Array.from({ length: 1 + dice.below(isCrowd ? 40 : 3) }, (_, at) => `${at + 1}`);
    const side = () => (dice.hits(700) ? this.#size(0) : null);
    const entries = names.map((name) => entry(name, symbol, side(), side()));
    const { id: quoteId, origin } = this.#asked();
    if (dice.hits(200)) {
      const [one] = entries;
      const command = {
        kind: 'quote',
        origin,
        quoteId,
        account: null,
        response: 'all',
        entry: one,
      };
      told.asks(this.session, 'quotes', quoteId, () =>
        this.#quoting.quote(command as unknown as Quote, clock.now()),
      );
      return;
    }
    const facts = { kind: 'mass_quote', origin, quoteId, account: null, response: 'all' };
    const command = { ...facts, sets: [{ setId: 's', entries }] };
    told.asks(this.session, 'quotes', quoteId, () =>
      this.#quoting.massQuote(command as unknown as MassQuote, clock.now()),
    );
  }

  #size(least: number): string {
    return `${100 + this.#dice.below(5)}x${least + this.#dice.below(6)}`;
  }

  /** The id is new or that of another request of any session, perhaps as a copy of it. */
  #asked() {
    const dice = this.#dice;
    const isNew = dice.hits(800);
    const id = `n${isNew ? 100 + dice.below(1_000_000) : dice.below(100)}`;
    const possResend = !isNew && dice.hits(500);
    return { id, origin: { ...plainOrigin, session: this.session, possResend } };
  }
}
