/**
 * Plans the changes of a MassQuote(i) or Quote(S) at the venue (contract C.7). An entry, its instrument and a side
 * identify a slot, which holds at most one live order. The sides of a set on one market become one action, which the
 * venue applies completely or not at all; one invalid side refuses the whole group.
 */
import { type AdmissionRules, readPrice, readQty } from './admission.ts';
import type { QuoteEntryAnswer } from './answer.ts';
import type { QuoteEntry, QuoteSet, QuoteSide } from './command.ts';
import { type Denial, deny, isDenial } from './denial.ts';
import { hasSameDecimals, type Instrument, type InstrumentRef, type Market } from './instrument.ts';
import type { GroupIntent, Leg } from './intent.ts';
import { isLeaving, type Order } from './order.ts';
import { legOf, limitTerms, type Terms } from './terms.ts';
import type { Price, Qty, Side, StpMode } from './units.ts';

export interface QuoteRules extends Pick<AdmissionRules, 'maxAtoms'> {
  readonly postOnly: boolean;
  readonly stp: StpMode | null;
  /** A side that repeats the live order is left alone and keeps its priority. */
  readonly skipUnchanged: boolean;
  readonly maxLegs: number;
}

/** The current facts that a plan needs. */
export interface QuoteBook {
  readonly resolve: (entry: QuoteEntry) => Instrument | Denial;
  readonly marketOf: (ref: InstrumentRef) => Market | undefined;
  /** The order in a slot, followed by the one that will replace it. */
  readonly present: (slot: string) => readonly Order[];
  /** Whether the session has used a ClOrdID(11) before. */
  readonly isSpent: (clOrdId: string) => boolean;
}

/** An order that a leg of the group places. */
export interface PlannedOrder {
  readonly legIndex: number;
  readonly clOrdId: string;
  readonly slot: string;
  readonly instrument: Instrument;
  readonly terms: Terms;
  /** The order of the slot ends when this one is placed. */
  readonly takesPlace: boolean;
}

export interface QuoteGroup {
  readonly setId: string;
  readonly entries: readonly QuoteEntryAnswer[];
  /** Set if the group is refused here and no part of it is sent. */
  readonly denial: Denial | null;
  /** Null if nothing changes. */
  readonly intent: GroupIntent | null;
  readonly places: readonly PlannedOrder[];
  /** The keys of orders that a leg only cancels. */
  readonly cancels: readonly string[];
  /** Keys of orders being canceled whose slots get new quotes; the group is sent once they have ended. */
  readonly awaits: readonly string[];
  /** The keys of all orders in the slots that the group names. */
  readonly olds: readonly string[];
}

/** The state of planning one message. */
interface Plan {
  readonly quoteId: string;
  readonly book: QuoteBook;
  readonly rules: QuoteRules;
  /** ClOrdIDs of the legs planned so far. */
  readonly names: Set<string>;
  /** Each entry id with its instrument, because only one entry may name both sides of it. */
  readonly named: Set<string>;
}

interface Draft {
  readonly market: Instrument['market'];
  readonly setId: string;
  readonly entries: QuoteEntryAnswer[];
  readonly legs: Leg[];
  readonly places: PlannedOrder[];
  readonly cancels: string[];
  readonly awaits: string[];
  readonly olds: string[];
}

const none = 0n as Qty;

export function planQuotes(
  quoteId: string,
  sets: readonly QuoteSet[],
  book: QuoteBook,
  rules: QuoteRules,
): readonly QuoteGroup[] {
  const plan: Plan = { quoteId, book, rules, names: new Set(), named: new Set() };
  const groups: QuoteGroup[] = [];
  for (const { setId, entries } of sets) {
    const drafts = new Map<number, Draft>();
    const unresolved: QuoteEntryAnswer[] = [];
    for (const entry of entries) {
      const instrument = book.resolve(entry);
      const market = isDenial(instrument) ? book.marketOf(entry.instrument) : instrument.market;
      if (market === undefined) {
        unresolved.push({ ...answerTo(entry), denial: instrument as Denial });
        continue;
      }
      const draft = drafts.get(market.marketId) ?? emptyDraft(setId, market);
      drafts.set(market.marketId, draft);
      const denial = isDenial(instrument) ? instrument : planEntry(plan, draft, entry, instrument);
      draft.entries.push({ ...answerTo(entry), denial });
    }
    for (const draft of drafts.values()) groups.push(finish(draft, rules));
    if (unresolved.length > 0) {
      groups.push(refusedGroup(setId, unresolved, unresolved[0]?.denial ?? null, []));
    }
  }
  return groups;
}

export function slotOf(entryId: string, { securityId }: Instrument, side: Side): string {
  return `${securityId}/${side}/${entryId}`;
}

function emptyDraft(setId: string, market: Instrument['market']): Draft {
  return { market, setId, entries: [], legs: [], places: [], cancels: [], awaits: [], olds: [] };
}

const answerTo = ({ entryId, instrument }: QuoteEntry) => ({ entryId, instrument });

function planEntry(
  plan: Plan,
  draft: Draft,
  entry: QuoteEntry,
  instrument: Instrument,
): Denial | null {
  const name = `${instrument.securityId}/${entry.entryId}`;
  if (plan.named.has(name)) {
    const text = `QuoteEntryID(299)=${entry.entryId} comes twice for ${instrument.symbol}`;
    return deny('bridge.duplicate_clordid', text);
  }
  plan.named.add(name);
  const bid = planSide(plan, draft, entry, instrument, 'Bid');
  const ask = planSide(plan, draft, entry, instrument, 'Ask');
  return bid ?? ask;
}

function planSide(
  plan: Plan,
  draft: Draft,
  { entryId, bid, ask }: QuoteEntry,
  instrument: Instrument,
  side: Side,
): Denial | null {
  const { book, rules } = plan;
  const slot = slotOf(entryId, instrument, side);
  const present = book.present(slot);
  const leaving = present.every(isLeaving) ? present : [];
  const live = leaving.length > 0 ? undefined : present.at(-1);
  draft.olds.push(...present.map(({ owner }) => owner.key));
  if (live !== undefined && live.phase !== 'live') {
    return deny('bridge.pending', 'the quote before is not answered yet');
  }
  const read = readSide(side === 'Bid' ? bid : ask, instrument, rules);
  if (isDenial(read)) return read;
  if (read === null) {
    if (live !== undefined) cancel(draft, live);
    return null;
  }
  const timeInForce = rules.postOnly ? 'post_only' : 'gtc';
  const terms = limitTerms(side, read.price, read.qty, timeInForce, rules.stp);
  if (rules.skipUnchanged && live !== undefined && isSame(live, terms, instrument)) return null;
  const clOrdId = freeName(plan, `${draft.setId}.${entryId}.${side === 'Bid' ? 'B' : 'S'}`);
  const takesPlace = present.length > 0;
  draft.awaits.push(...leaving.map(({ owner }) => owner.key));
  const legIndex = draft.legs.length;
  draft.places.push({ legIndex, clOrdId, slot, instrument, terms, takesPlace });
  draft.legs.push(legOf(terms, instrument, live?.orderId ?? null, terms.qty));
  return null;
}

/**
 * Returns the ClOrdID(11) of a leg. Ids may contain dots, one entry may cover several instruments, and an order may
 * already use the name. In that case the smallest number from 2 on that makes it unique is added.
 */
function freeName({ quoteId, book, names }: Plan, leg: string): string {
  const isTaken = (name: string) => names.has(name) || book.isSpent(name);
  const base = `${quoteId}.${leg}`;
  let name = base;
  for (let n = 2; isTaken(name); n += 1) name = `${base}.${n}`;
  names.add(name);
  return name;
}

/** An entry without prices or sizes only ends what is there. */
export function endsOnly({ ask, bid }: QuoteEntry): boolean {
  return !isQuoted(bid) && !isQuoted(ask);
}

function isQuoted({ price, qty }: QuoteSide): boolean {
  return price !== null && qty !== null && qty.mantissa !== 0n;
}

/** Returns null if the side is not quoted. */
function readSide(
  quoted: QuoteSide,
  instrument: Instrument,
  rules: QuoteRules,
): { readonly price: Price; readonly qty: Qty } | null | Denial {
  const { price, qty } = quoted;
  if (price === null || qty === null || !isQuoted(quoted)) return null;
  const atoms = readQty(qty, instrument, rules);
  if (isDenial(atoms)) return atoms;
  const at = readPrice(price, sidePrices, instrument, rules);
  return isDenial(at) ? at : { price: at, qty: atoms };
}

const sidePrices = 'BidPx(132) or OfferPx(133)';

function isSame(order: Order, wanted: Terms, { market }: Instrument): boolean {
  const { instrument, leavesQty, pending, terms } = order;
  const isAlike = terms.limitPrice === wanted.limitPrice && leavesQty === wanted.qty;
  return pending === null && isAlike && hasSameDecimals(instrument.market, market);
}

/** A leg that only cancels repeats the side, book and price of its order, in case the venue checks them (G14). */
function cancel(draft: Draft, order: Order): void {
  const leg = legOf(order.terms, order.instrument, order.orderId, none);
  draft.legs.push({ ...leg, stp: null, timeInForce: 'gtc' });
  draft.cancels.push(order.owner.key);
}

function finish(draft: Draft, { maxLegs }: QuoteRules): QuoteGroup {
  const { market, setId, entries, legs, places, cancels, awaits, olds } = draft;
  const refused = entries.find(({ denial }) => denial !== null)?.denial ?? null;
  const tooMany = legs.length > maxLegs;
  const denial =
    refused ?? (tooMany ? deny('bridge.limit', `${legs.length} legs, at most ${maxLegs}`) : null);
  if (denial !== null) return refusedGroup(setId, entries, denial, olds);
  const { marketId } = market;
  const intent = legs.length === 0 ? null : ({ kind: 'group', market: marketId, legs } as const);
  return { setId, entries, denial, intent, places, cancels, awaits, olds };
}

function refusedGroup(
  setId: string,
  entries: readonly QuoteEntryAnswer[],
  denial: Denial | null,
  olds: readonly string[],
): QuoteGroup {
  return { setId, entries, denial, intent: null, places: [], cancels: [], awaits: [], olds };
}
