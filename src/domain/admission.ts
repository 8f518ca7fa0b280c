/**
 * Converts a NewOrderSingle(D) or the new terms of a replace into exact terms by the market list, or refuses them
 * (contract C.5, C.10, C.11, C.12). Nothing here queries the venue; conditions that only the venue can check pass.
 */
import type {
  AlgoKind,
  ConditionalKind,
  Origin,
  RequestedTerms,
  TriggerDirection,
} from './command.ts';
import { type Denial, deny, isDenial } from './denial.ts';
import { type Instrument, payout } from './instrument.ts';
import type { Strategy } from './intent.ts';
import type { Terms, Trigger } from './terms.ts';
import {
  type Decimal,
  formatAtoms,
  latestMs,
  maxU32,
  type Price,
  type Qty,
  type StpMode,
  tenTo,
  toAtoms,
} from './units.ts';

export interface AdmissionRules {
  /** What a TimeInForce(59) that is absent or 0 means. */
  readonly dayOrders: 'end_of_day' | 'gtc' | 'reject';
  readonly defaultStp: StpMode | null;
  /** Whether Price(44) on a market order is accepted as its cap; otherwise it is refused. */
  readonly acceptMarketPrice: boolean;
  readonly collarBps: number;
  /** `direction/kind` pairs that the venue profile confirms (G07). */
  readonly conditionals: ReadonlySet<string>;
  readonly algos: ReadonlySet<AlgoKind>;
  /** Whether price and time in force of orders without a limit are confirmed for the venue (G57). */
  readonly marketOrders: boolean;
  /** Whether the form of an order's expiry is confirmed (G03). */
  readonly goodTillDate: boolean;
  /** The precision of an expiry at the venue. */
  readonly expiryStepMs: number;
  /** Whether tick, lot, minimum and maximum are confirmed, so that they may be checked before the venue does. */
  readonly localChecks: boolean;
  /** 2^53 - 1 on the JSON lanes, 2^64 - 1 on the compact lane. */
  readonly maxAtoms: bigint;
}

/** The current facts that a price rule needs. */
export interface Moment {
  readonly nowMs: number;
  readonly bestBid: Price | null;
  readonly bestAsk: Price | null;
}

const dayMs = 86_400_000;

interface Rule {
  readonly text: string;
  /** Of sessions with this setting of `dayOrders` alone. */
  readonly only?: AdmissionRules['dayOrders'];
  readonly broken: (terms: RequestedTerms, rules: AdmissionRules) => boolean;
}

const isLimit = (terms: RequestedTerms) =>
  terms.ordType === 'limit' || terms.ordType === 'stop_limit';
const isConditional = (terms: RequestedTerms) =>
  terms.ordType !== 'limit' && terms.ordType !== 'market';
const isAlgo = (terms: RequestedTerms) => terms.algo !== null || isIceberg(terms);
const isIceberg = ({ maxFloor, qty }: RequestedTerms) =>
  maxFloor !== null && maxFloor.mantissa > 0n && compare(maxFloor, qty) < 0;

const hasEnd = ({ lifetime }: RequestedTerms, { dayOrders }: AdmissionRules) =>
  lifetime === 'gtd' || (lifetime === 'day' && dayOrders === 'end_of_day');

/** `when` is a text for the rules of engagement. */
interface RequiredField extends Rule {
  readonly when: string;
}

/** Conditionally required fields, which are refused with `field_missing`. */
export const requiredFields: readonly RequiredField[] = [
  {
    text: 'Price(44)',
    when: 'OrdType(40) is 2 or 4',
    broken: (t) => isLimit(t) && t.price === null,
  },
  {
    text: 'StopPx(99)',
    when: 'OrdType(40) is 3, 4 or J',
    broken: (t) => isConditional(t) && t.stopPrice === null,
  },
  {
    when: 'TimeInForce(59) is 6',
    text: 'ExpireTime(126) or ExpireDate(432)',
    broken: (t) => t.lifetime === 'gtd' && t.expireTimeMs === null,
  },
  {
    text: 'SliceQty(9108)',
    when: 'AlgoKind(9107) or TargetStrategy(847) is given',
    broken: (t) => t.algo !== null && t.algo.sliceQty === null,
  },
  {
    text: 'SliceIntervalMs(9109)',
    when: 'the algo is not an iceberg',
    broken: ({ algo }) => algo !== null && algo.kind !== 'iceberg' && algo.intervalMs === null,
  },
];

/** Combinations for which the venue has no order, which are refused with `bridge.unsupported`. */
export const unsupportedTerms: readonly Rule[] = [
  {
    text: 'TimeInForce(59)=0, or absent, on this session',
    only: 'reject',
    broken: (t, rules) => t.lifetime === 'day' && rules.dayOrders === 'reject',
  },
  {
    text: 'Price(44) on an order that is not a limit order',
    broken: (t, rules) =>
      t.price !== null && !isLimit(t) && !(t.ordType === 'market' && rules.acceptMarketPrice),
  },
  {
    text: 'StopPx(99) with OrdType(40) 1 or 2',
    broken: (t) => t.stopPrice !== null && !isConditional(t),
  },
  {
    text: 'TriggerDirection(9105) or ConditionalKind(9106) with OrdType(40) 1 or 2',
    broken: (t) => !isConditional(t) && (t.triggerDirection ?? t.conditionalKind) !== null,
  },
  {
    text: 'ExpireTime(126) without TimeInForce(59)=6',
    broken: (t) => t.lifetime !== 'gtd' && t.expireTimeMs !== null,
  },
  {
    text: 'TimeInForce(59)=6 on a market order',
    broken: (t) => t.lifetime === 'gtd' && t.ordType === 'market',
  },
  {
    text: 'ExecInst(18)=6 on an order that is not a limit order',
    broken: (t) => t.postOnly && !isLimit(t),
  },
  {
    text: 'ExecInst(18)=6 with TimeInForce(59)=3 or 4',
    broken: (t) => t.postOnly && (t.lifetime === 'ioc' || t.lifetime === 'fok'),
  },
  {
    text: 'MaxFloor(111) that is not above 0, or is above OrderQty(38)',
    broken: ({ maxFloor, qty }) =>
      maxFloor !== null && (maxFloor.mantissa <= 0n || compare(maxFloor, qty) > 0),
  },
  {
    text: 'MaxFloor(111) with AlgoKind(9107)',
    broken: (t) => t.algo !== null && t.maxFloor !== null,
  },
  {
    text: 'OrdType(40) other than 2 on an algo',
    broken: (t) => isAlgo(t) && t.ordType !== 'limit',
  },
  { text: 'TimeInForce(59)=6 on an algo', broken: (t) => isAlgo(t) && t.lifetime === 'gtd' },
  { text: 'PositionEffect(77)=C on an algo', broken: (t) => isAlgo(t) && t.reduceOnly },
  { text: 'StpMode(9104) on an algo', broken: (t) => isAlgo(t) && t.stp !== undefined },
  {
    text: 'SliceIntervalMs(9109) on an iceberg',
    broken: ({ algo }) => algo?.kind === 'iceberg' && algo.intervalMs !== null,
  },
  {
    text: 'OrdType(40) 1, 3 or J, unless the venue profile confirms market orders',
    broken: (t, rules) => !isLimit(t) && !rules.marketOrders,
  },
  {
    text: 'an order with an expiry, unless the venue profile confirms expiry',
    broken: (t, rules) => hasEnd(t, rules) && !rules.goodTillDate,
  },
  {
    text: 'AlgoKind(9107) or MaxFloor(111), unless the venue profile confirms this algo',
    broken: (t, rules) =>
      (t.algo !== null && !rules.algos.has(t.algo.kind)) ||
      (isIceberg(t) && !rules.algos.has('iceberg')),
  },
];

export function admit(
  requested: RequestedTerms,
  instrument: Instrument,
  rules: AdmissionRules,
  moment: Moment,
): Terms | Denial {
  const broken =
    firstBroken(requiredFields, 'field_missing', requested, rules) ??
    firstBroken(unsupportedTerms, 'bridge.unsupported', requested, rules) ??
    foreignCurrency(requested, instrument);
  if (broken !== undefined) return broken;

  const qty = readQty(requested.qty, instrument, rules);
  if (isDenial(qty)) return qty;
  const price = readPrice(requested.price, 'Price(44)', instrument, rules);
  if (isDenial(price)) return price;
  const trigger = readTrigger(requested, instrument, rules);
  if (isDenial(trigger)) return trigger;
  const strategy = readStrategy(requested, instrument, rules);
  if (isDenial(strategy)) return strategy;
  const endsAtMs = endOf(requested, rules, moment.nowMs);
  if (isDenial(endsAtMs)) return endsAtMs;
  const isMarket = !isLimit(requested);
  const limitPrice = price ?? worstPrice(requested.side, trigger, instrument, rules, moment);
  if (isDenial(limitPrice)) return limitPrice;

  const rests = !isMarket || trigger !== null;
  const terms: Terms = {
    side: requested.side,
    ordType: requested.ordType,
    lifetime: requested.lifetime,
    qty,
    price,
    limitPrice,
    timeInForce: venueLifetime(requested, isMarket),
    expiresAtMs: rests && strategy === null ? endsAtMs : null,
    cancelAtMs: strategy === null && trigger === null ? null : endsAtMs,
    isMarket,
    reduceOnly: requested.reduceOnly,
    stp: requested.stp === undefined ? rules.defaultStp : requested.stp,
    strategy,
    trigger,
    ...(requested.client && { client: requested.client }),
  };
  return rules.localChecks ? (marketRules(terms, instrument) ?? terms) : terms;
}

/** Stale orders are refused rather than sent, because the market has moved on (contract D.6). */
export function stale(
  { sendingTimeMs, transactTimeMs }: Pick<Origin, 'sendingTimeMs' | 'transactTimeMs'>,
  nowMs: number,
  maxAgeMs: number,
): Denial | undefined {
  const oldest = Math.min(sendingTimeMs ?? nowMs, transactTimeMs ?? nowMs);
  if (nowMs - oldest <= maxAgeMs) return undefined;
  return deny('bridge.stale', `${nowMs - oldest} ms old, at most ${maxAgeMs} ms`);
}

function firstBroken(
  table: readonly Rule[],
  code: string,
  terms: RequestedTerms,
  rules: AdmissionRules,
): Denial | undefined {
  const rule = table.find(({ broken }) => broken(terms, rules));
  return rule && deny(code, rule.text);
}

function foreignCurrency({ currency }: RequestedTerms, { market }: Instrument): Denial | undefined {
  if (currency === null || currency === market.quote) return undefined;
  return deny('bridge.unsupported', `Currency(15)=${currency}, ${market.quote} is quoted`);
}

export function readQty(
  decimal: Decimal,
  { market: { qtyScale } }: Instrument,
  { maxAtoms }: Pick<AdmissionRules, 'maxAtoms'>,
): Qty | Denial {
  const atoms = toAtoms(decimal, qtyScale);
  if (atoms === undefined) {
    return deny('bridge.qty_precision', `quantity: at most ${qtyScale} digits after the dot`);
  }
  if (atoms <= 0n) return deny('bridge.qty_must_be_positive', 'a quantity must be above zero');
  if (atoms > maxAtoms) return deny('bridge.value_out_of_range', 'quantity too large');
  return atoms as Qty;
}

export function readPrice<T extends Decimal | null>(
  decimal: T,
  name: string,
  instrument: Instrument,
  { maxAtoms }: Pick<AdmissionRules, 'maxAtoms'>,
): Denial | Price | (T & null) {
  if (decimal === null) return decimal as T & null;
  const { priceScale } = instrument.market;
  const atoms = toAtoms(decimal, priceScale);
  if (atoms === undefined) {
    return deny('bridge.price_precision', `${name}: at most ${priceScale} digits after the dot`);
  }
  if (atoms <= 0n) return deny('bridge.price_must_be_positive', `${name} must be above zero`);
  const ceiling = payout(instrument);
  if (atoms > maxAtoms || (ceiling !== null && atoms >= ceiling)) {
    return deny('bridge.value_out_of_range', `${name} too large`);
  }
  return atoms as Price;
}

/** Side and order type determine the trigger's direction and kind; explicit fields override them (contract C.11). */
function readTrigger(
  requested: RequestedTerms,
  instrument: Instrument,
  rules: AdmissionRules,
): Trigger | null | Denial {
  if (!isConditional(requested)) return null;
  const price = readPrice(requested.stopPrice, 'StopPx(99)', instrument, rules);
  if (price === null || isDenial(price)) return price;
  const byType: ConditionalKind =
    requested.ordType === 'market_if_touched' ? 'take_profit' : 'stop_loss';
  const kind = requested.conditionalKind ?? byType;
  const rises = (kind === 'stop_loss') === (requested.side === 'Bid');
  const bySide: TriggerDirection = rises ? 'at_or_above' : 'at_or_below';
  const direction = requested.triggerDirection ?? bySide;
  if (!rules.conditionals.has(`${direction}/${kind}`)) {
    return deny('bridge.conditional_unconfirmed', `${kind} ${direction}`);
  }
  return { price, direction, kind };
}

function readStrategy(
  requested: RequestedTerms,
  instrument: Instrument,
  rules: AdmissionRules,
): Strategy | null | Denial {
  const { algo, maxFloor } = requested;
  if (algo === null && !isIceberg(requested)) return null;
  const slice = algo === null ? maxFloor : algo.sliceQty;
  if (slice === null) return null;
  const sliceQty = readQty(slice, instrument, rules);
  if (isDenial(sliceQty)) return sliceQty;
  const intervalMs = algo?.intervalMs ?? null;
  if (intervalMs !== null && (intervalMs <= 0 || intervalMs > maxU32)) {
    return deny('bridge.value_out_of_range', `SliceIntervalMs(9109) is not from 1 to ${maxU32}`);
  }
  return { kind: algo?.kind ?? 'iceberg', sliceQty, intervalMs };
}

function endOf(
  { lifetime, expireTimeMs, isExpireDate = false }: RequestedTerms,
  rules: AdmissionRules,
  nowMs: number,
): number | null | Denial {
  if (lifetime === 'gtd' && expireTimeMs !== null) {
    if (expireTimeMs > latestMs)
      return deny('bridge.value_out_of_range', 'ExpireTime(126) is after the year 9999');
    const field = isExpireDate ? 'ExpireDate(432)' : 'ExpireTime(126)';
    if (expireTimeMs <= nowMs) return deny('bridge.expired', `${field} has passed`);
    const beyond = expireTimeMs % rules.expiryStepMs;
    // The end of 99991231 is one millisecond short of a midnight.
    if (beyond === 0 || isExpireDate) return expireTimeMs - beyond;
    const text = 'ExpireTime(126) is not a whole second, and the venue has no finer expiry';
    return deny('bridge.value_out_of_range', text);
  }
  if (lifetime !== 'day' || rules.dayOrders !== 'end_of_day') return null;
  return (Math.floor(nowMs / dayMs) + 1) * dayMs;
}

function venueLifetime({ lifetime, postOnly }: RequestedTerms, isMarket: boolean) {
  if (lifetime === 'fok') return 'fok';
  if (isMarket || lifetime === 'ioc') return 'ioc';
  return postOnly ? 'post_only' : 'gtc';
}

/** The venue needs a price, so the order gets the best opposite price and a collar, rounded out to the tick (G57). */
function worstPrice(
  side: Terms['side'],
  trigger: Trigger | null,
  instrument: Instrument,
  { collarBps, maxAtoms }: AdmissionRules,
  { bestBid, bestAsk }: Moment,
): Price | Denial {
  const reference = trigger?.price ?? (side === 'Bid' ? bestAsk : bestBid);
  if (reference === null) return deny('bridge.no_reference_price', 'no price on the other side');
  const { tick } = instrument.market;
  const scaled = reference * BigInt(side === 'Bid' ? 10_000 + collarBps : 10_000 - collarBps);
  const unit = 10_000n * tick;
  const ticks = side === 'Bid' ? (scaled + unit - 1n) / unit : scaled / unit;
  const ceiling = payout(instrument) ?? maxAtoms + 1n;
  const highest = ((ceiling - 1n) / tick) * tick;
  const price = ticks * tick;
  if (price < tick) return tick;
  return (price > highest ? highest : price) as Price;
}

function marketRules(
  { qty, price, trigger, limitPrice }: Terms,
  instrument: Instrument,
): Denial | undefined {
  const { maxQty, minNotional, priceScale, qtyScale } = instrument.market;
  const prices = { 'Price(44)': price, 'StopPx(99)': trigger?.price ?? null };
  const off = offStep(prices, qty, instrument);
  if (off !== undefined) return off;
  if (qty > maxQty) return deny('bridge.limit', `quantity above ${formatAtoms(maxQty, qtyScale)}`);
  if ((limitPrice * qty) / tenTo(qtyScale) >= minNotional) return undefined;
  return deny('bridge.limit', `price x quantity below ${formatAtoms(minNotional, priceScale)}`);
}

/** Tick and lot of the market, for prices by their names. */
export function offStep(
  prices: Readonly<Record<string, Price | null>>,
  qty: Qty,
  { market: { lot, priceScale, qtyScale, tick } }: Instrument,
): Denial | undefined {
  const multiple = (step: bigint, scale: number) => `not a multiple of ${formatAtoms(step, scale)}`;
  for (const [name, price] of Object.entries(prices)) {
    if (price !== null && price % tick !== 0n)
      return deny('bridge.price_precision', `${name} is ${multiple(tick, priceScale)}`);
  }
  if (qty % lot === 0n) return undefined;
  return deny('bridge.qty_precision', `the quantity is ${multiple(lot, qtyScale)}`);
}

function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const difference = (toAtoms(a, scale) ?? 0n) - (toAtoms(b, scale) ?? 0n);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
