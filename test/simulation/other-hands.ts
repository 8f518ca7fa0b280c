/**
 * What comes to the orders of an account from others than its clients: trades of a stranger; another channel of the
 * venue, such as its web page, which changes them and uses nonces of the account; and the venue's operator, who halts
 * single markets.
 */
import { aliases } from './cast.ts';
import type { Dice } from './dice.ts';
import { Listings } from './listings.ts';
import { instruments, type Traded } from './random-commands.ts';
import type { SimulatedVenue } from './simulated-venue.ts';
import { markOf, type Origin, otherChannel, type VenueLedger } from './venue-ledger.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface OtherHandsParts {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly venue: SimulatedVenue;
  readonly ledger: VenueLedger;
  /** The venue's account by alias. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly origins: Map<string, Origin>;
  readonly serial: () => number;
  /** For trades that cross with changes, and for other lists of markets; without it there are none. */
  readonly chances: { readonly crossings: Dice | undefined; readonly listings: Dice | undefined };
  /** A line of the script. */
  readonly say: (text: string) => void;
}

export const fewGates = ['tradingHalted', 'placementOff', 'backlogFull'] as const;
export const allGates = [...fewGates, 'recovering', 'ledgerDegraded', 'venueKilled'] as const;

const ways = ['cancels', 'reduces', 'replaces'] as const;
const cancels = { algo: 'cancel_algo', conditional: 'cancel_conditional' } as const;

export class OtherHands {
  readonly #parts: OtherHandsParts;
  readonly listings: Listings;

  constructor(parts: OtherHandsParts) {
    this.#parts = parts;
    const { chances, say: note, time, venue } = parts;
    this.listings = new Listings({ time, dice: chances.listings, venue, note });
  }

  /** Where there is a collar, there must be a price that it is measured by. */
  makeMarkets(): void {
    const { venue } = this.#parts;
    for (const { book, highest, lowest, market, qtyScale } of instruments) {
      const qty = 1_000 * 10 ** qtyScale;
      venue.stranger(market, book, 'Bid', lowest, qty, 'gtc');
      venue.stranger(market, book, 'Ask', highest, qty, 'gtc');
    }
  }

  closeGate(gates: typeof fewGates | typeof allGates): void {
    const { dice, say, time, venue } = this.#parts;
    const { switches } = venue.state.gates;
    const name = dice.pick<keyof typeof switches>(gates);
    switches[name] = true;
    say(`${time.monoMs} the venue has ${name}`);
    time.after(dice.below(3_000), () => {
      switches[name] = false;
    });
  }

  /** A stranger takes what rests near the market. */
  trade(): void {
    const { dice } = this.#parts;
    this.#trade(dice, dice.pick(instruments), dice.hits(500) ? 'Bid' : 'Ask');
  }

  /** A stranger may take the order that this replace or cancel names while it is on its way. */
  cross(line: string): void {
    const { time } = this.#parts;
    const { crossings: dice } = this.#parts.chances;
    const [, symbol, side] =
      /^[FG]\|.*\|55=([^|]+)(?:\|48=[^|]+\|22=8)?\|54=([12])/.exec(line) ?? [];
    const traded = instruments.find((one) => one.symbol === symbol);
    if (dice === undefined || traded === undefined || !dice.hits(600)) return;
    const trade = () => this.#trade(dice, traded, side === '1' ? 'Ask' : 'Bid');
    for (let i = dice.below(4); i >= 0; i -= 1)
      time.after(dice.below(dice.hits(500) ? 6 : 60), trade);
  }

  #trade(dice: Dice, { book, lot, market, price, tick }: Traded, side: 'Ask' | 'Bid'): void {
    const { venue } = this.#parts;
    const through = dice.below(30) * tick;
    const lots = 2 * (1 + dice.below(400));
    const limit = price + (side === 'Bid' ? through : -through);
    venue.stranger(market, book, side, limit, lots * lot);
  }

  /** Cancels, reduces or replaces an order; the side of a quote is replaced only by the habit `crossings`. */
  change(): void {
    const { accounts, chances, dice, ledger, say, time, venue } = this.#parts;
    const alias = dice.pick(aliases);
    if (dice.hits(200)) {
      this.#place(alias);
      return;
    }
    const open = [...ledger.openOf(alias), ...ledger.othersOf(alias)];
    if (open.length === 0) return;
    const order = dice.pick(open);
    const { book, filledQty, form, leavesQty, market, orderId, origin, price, side } = order;
    if (this.listings.isDoubtful(market)) return;
    const way = form === 'order' ? dice.pick(ways) : 'cancels';
    say(`${time.monoMs} another channel ${way} ${orderId.slice(0, 10)}`);
    const account = accounts.get(alias) ?? '';
    const lot = instruments.find((one) => one.book === book && one.market === market)?.lot ?? 1;
    const less = lot * Math.ceil(leavesQty / lot / 2);
    if (way === 'reduces') {
      const isRest = venue.state.profile.amend.newQty === 'remaining';
      const newQty = isRest ? less : filledQty + less;
      if (less < leavesQty) venue.writer(account, { kind: 'amend', orderId, newQty });
    } else if (way === 'replaces' && (origin?.slot === null || chances.crossings !== undefined)) {
      const flags = { expiresAt: null, isMarket: false, reduceOnly: false } as const;
      const terms = { ...flags, stpMode: 'cancel_taker', timeInForce: 'gtc' } as const;
      const leg = { ...terms, cancelOrderId: orderId, book, side, price, qty: less };
      venue.writer(account, { kind: 'replace', market, legs: [leg] });
    } else {
      const kind = form === 'algo' || form === 'conditional' ? cancels[form] : 'cancel';
      venue.writer(account, { kind, orderId });
    }
  }

  /** An order that no client of the bridge sent. */
  #place(alias: string): void {
    const { accounts, dice, origins, say, serial, time, venue } = this.#parts;
    const { book, lot, market, price, tick } = dice.pick(instruments);
    if (this.listings.isDoubtful(market)) return;
    const side = dice.pick(['Bid', 'Ask'] as const);
    const away = (dice.below(40) - 4) * tick;
    const qty = lot * (100 + 2 * serial());
    const form = 'order';
    const origin = { session: otherChannel, command: 'place', slot: null, form } as const;
    origins.set(markOf(market, book, side, qty), origin);
    say(`${time.monoMs} another channel places ${side} ${qty} in ${market}${book ?? ''}`);
    venue.writer(accounts.get(alias) ?? '', {
      ...{ kind: 'place', market, book, side, qty, stpMode: 'cancel_taker', timeInForce: 'gtc' },
      price: price + (side === 'Bid' ? -away : away),
      ...{ expiresAt: null, isMarket: false, reduceOnly: false },
    });
  }

  /** For up to a few seconds, the credential of an account is revoked, or the account may only reduce. */
  takeRights(): void {
    const { accounts, dice, say, time, venue } = this.#parts;
    const alias = dice.pick(aliases);
    const { identities } = venue.state;
    const account = identities.accounts.get(accounts.get(alias) ?? '');
    const own = [...identities.credentials.values()].find(
      (one) => one.account === account?.account,
    );
    if (account === undefined || own === undefined) return;
    const isClosing = dice.hits(400);
    if (isClosing) account.state = 'closing';
    else own.revokedFromMs = 0;
    say(`${time.monoMs} the venue ${isClosing ? 'closes' : 'revokes the credential of'} ${alias}`);
    time.after(dice.below(3_000), () => {
      account.state = 'active';
      own.revokedFromMs = null;
    });
  }

  /** For up to a few seconds. */
  haltMarket(): void {
    const { dice, time } = this.#parts;
    const { market } = dice.pick(instruments);
    this.#change(market, 'open', 'halt');
    time.after(dice.below(3_000), () => this.#change(market, 'halted', 'resume'));
  }

  #change(market: number, from: 'open' | 'halted', to: 'halt' | 'resume'): void {
    const { say, time, venue } = this.#parts;
    const listed = venue.state.exchange.markets().find(({ marketId }) => marketId === market);
    if (listed?.status !== from) return;
    say(`${time.monoMs} market ${market}: ${to}`);
    venue.market(market, to);
  }
}
