/** The client of a random walk (`core-walk.ts`): one session that sends orders, quotes and cancels through order entry. */
import type { CancelOrder, MassQuote, NewOrder, ReplaceOrder } from '../../src/domain/command.ts';
import type { Denial } from '../../src/domain/denial.ts';
import { InstrumentList } from '../../src/domain/instrument.ts';
import type { Order } from '../../src/domain/order.ts';
import { maxSafeAtoms, parseDecimal } from '../../src/domain/units.ts';
import type { EngineInput } from '../../src/engine/engine.ts';
import { allOrders } from '../../src/engine/mass-cancels.ts';
import type { Orders } from '../../src/engine/orders.ts';
import type { TradingContext } from '../../src/gateway/gate-view.ts';
import { OrderEntry } from '../../src/gateway/order-entry.ts';
import { cancelOrders, cancelOwn, type Principal } from '../../src/gateway/principal.ts';
import { Quoting } from '../../src/gateway/quoting.ts';
import { RiskGuard } from '../../src/gateway/risk.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import type { OutboxInput } from '../../src/venue/outbox/outbox-types.ts';
import type { VenueEvent } from '../../src/venue/venue-event.ts';
import { account, fullRules, spot } from '../domain/ladder.ts';
import type { Dice } from '../simulation/dice.ts';
import { entry, wanted } from '../support/trading-core.ts';
import { denied } from '../support/venue-denial.ts';

const symbol = 'BTC-USDC';
const instrument = { symbol, securityId: null, book: null };
const conditionals = new Set(['at_or_above/stop_loss', 'at_or_below/stop_loss']);
const origin = {
  ...{ session: 'S', seq: 1, sendingTimeMs: null, transactTimeMs: null },
  ...{ possDup: false, possResend: false },
};
export const killed = denied('bridge.kill_switch', 'stop');

interface WalkLine {
  readonly orders: Orders;
  readonly apply: (input: EngineInput<OutboxInput, VenueEvent>) => void;
  /** Why the gate denies everything at the moment. */
  readonly denial: () => Denial | undefined;
}

export class WalkClient {
  readonly #dice: Dice;
  readonly #clock: Clock;
  readonly #line: WalkLine;
  readonly #bound: Principal['accounts'][number];
  readonly #entry: OrderEntry;
  readonly #quoting: Quoting;

  constructor(dice: Dice, clock: Clock, line: WalkLine) {
    this.#dice = dice;
    this.#clock = clock;
    this.#line = line;
    const { apply, denial, orders } = line;
    const withdraw = (session: string | null, why: Denial) =>
      apply({ kind: 'withdraw', session, denial: why });
    const guard = new RiskGuard('account desk', {});
    const bound = { name: 'desk', line: { account, orders, apply, withdraw }, guard };
    this.#bound = bound as unknown as Principal['accounts'][number];
    const accounts = [bound];
    const principal = {
      ...{ session: 'S', compId: 'C', accounts, reach: accounts, known: accounts },
      ...{ actions: new Set(['order', 'quote', 'conditional']), markets: null, rules: fullRules },
      guard: new RiskGuard('session C', {}),
      profile: { dayOrders: 'gtc', stp: 'none', maxOrderAgeMs: 5_000 },
    } as unknown as Principal;
    const context = {
      instruments: () => new InstrumentList([spot]),
      closed: () => undefined,
      killed: denial,
      venueNameOf: (_: string, clOrdId: string) => clOrdId,
      ...{ maxLegs: () => 64, maxStored: 32, skipUnchanged: true },
      gate: { refusal: () => null },
      top: () => ({ bid: null, ask: null }),
      admission: {
        ...{ maxAtoms: maxSafeAtoms, acceptMarketPrice: true, collarBps: 100 },
        ...{ conditionals, algos: new Set(), marketOrders: true },
        ...{ goodTillDate: true, expiryStepMs: 1, localChecks: false },
      },
    } as unknown as TradingContext;
    this.#entry = new OrderEntry(principal, context);
    this.#quoting = new Quoting(principal, context, { answer: () => {} });
  }

  act(): void {
    const dice = this.#dice;
    const open = [...this.#line.orders.open()];
    const some = open.length === 0 ? undefined : dice.pick(open);
    const choice = dice.below(100);
    const now = this.#clock.now();
    if (choice < 28) this.#order();
    else if (choice < 38 && some) this.#cancel(some.clOrdId);
    else if (choice < 60 && some) this.#replace(some);
    else if (choice < 88) this.#quote();
    else if (choice < 90) {
      const command = { kind: 'quote_cancel', quoteId: 'Z', account: null, instruments: null };
      this.#quoting.cancel({ ...command, response: 'none' } as never, now);
    } else if (choice < 94) {
      const meant = { ...allOrders, session: 'S', onlyQuotes: dice.hits(300) };
      cancelOrders(this.#bound, 'mass cancel', now.wallMs, meant);
    } else if (choice < 97) {
      const reach = { accounts: () => [this.#bound], clock: this.#clock };
      cancelOwn('S', reach, 'cancel on disconnect');
    } else {
      this.#line.apply({ kind: 'withdraw', session: dice.pick(['S', null]), denial: killed });
    }
  }

  #order(): void {
    const dice = this.#dice;
    const lifetime = dice.pick(['gtc', 'gtc', 'gtc', 'ioc']);
    const plain = { ...wanted(dice.pick(['Bid', 'Ask']), this.#size(1)), lifetime };
    const stop = { ordType: 'stop_limit', stopPrice: parseDecimal('100') };
    const terms = dice.hits(250) ? { ...plain, ...stop } : plain;
    const command = { kind: 'new_order', ...this.#asked(), account: null, instrument, terms };
    this.#entry.newOrder(command as unknown as NewOrder, this.#clock.now());
  }

  #cancel(of: string): void {
    const command = { kind: 'cancel_order', ...this.#change(of) };
    this.#entry.cancel(command as unknown as CancelOrder, this.#clock.now());
  }

  #replace({ clOrdId: of, terms: { price, side } }: Order): void {
    const size = this.#size(1);
    const terms = wanted(side, this.#dice.hits(500) ? size : size.replace(/^\d+/, `${price}`));
    const command = { kind: 'replace_order', ...this.#change(of), terms };
    this.#entry.replace(command as unknown as ReplaceOrder, this.#clock.now());
  }

  #change(of: string) {
    const target = { origClOrdId: of, orderId: null };
    return { ...this.#asked(), account: null, instrument, target, origModTimeMs: null };
  }

  #quote(): void {
    const dice = this.#dice;
    const names = ['1', '2', '3'].slice(0, 1 + dice.below(3));
    const side = () => (dice.hits(700) ? this.#size(0) : null);
    const entries = names.map((name) => entry(name, symbol, side(), side()));
    const { clOrdId: quoteId, origin: sent } = this.#asked();
    const facts = { kind: 'mass_quote', origin: sent, quoteId, account: null, response: 'all' };
    const command = { ...facts, sets: [{ setId: 's', entries }] };
    this.#quoting.massQuote(command as unknown as MassQuote, this.#clock.now());
  }

  #size(least: number): string {
    return `${100 + this.#dice.below(5)}x${least + this.#dice.below(6)}`;
  }

  /** The ClOrdID is new or that of another request, perhaps as a copy of it. */
  #asked() {
    const dice = this.#dice;
    const isNew = dice.hits(900);
    const clOrdId = `n${isNew ? dice.below(1_000_000) : dice.below(50)}`;
    return { clOrdId, origin: { ...origin, possResend: !isNew && dice.hits(500) } };
  }
}
