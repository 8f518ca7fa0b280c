/**
 * The reason of a refusal in FIX: the value of each reject field. This table has the bridge's own refusals (contract
 * D.6); a venue's own rows are in `venue/refusals.ts`. Refusals of the FIX session layer (MsgType 3 and 5) belong to
 * the session.
 */

export type RefusalSource = 'envelope' | 'agent' | 'submit' | 'lane' | 'number' | 'bridge';
export type Retriable = 'no' | 'yes' | `after ${string}`;

/** One row. A reason is null if this refusal cannot answer that request; then `other` is used if it can. */
export interface Refusal {
  /** The name of the row; for the venue's own codes it equals the code. */
  readonly name: string;
  readonly source: RefusalSource;
  /** VenueCode(9102); null if none is sent. */
  readonly code: string | null;
  /** The start of Text(58), before the venue's text. */
  readonly text: string;
  /** OrdRejReason(103). */
  readonly order: number | null;
  /** CxlRejReason(102) of a cancel and of a replace. */
  readonly cancel: number | null;
  readonly replace: number | null;
  /** QuoteRejectReason(300) and QuoteEntryRejectReason(368). */
  readonly quote: number | null;
  /** MassCancelRejectReason(532). */
  readonly massCancel: number | null;
  /** MDReqRejReason(281), SecurityRequestResult(560), BusinessRejectReason(380), if one fits. */
  readonly marketData: string | null;
  readonly securityList: number | null;
  readonly business: number | null;
  /** VenueRejectNumber(9101). */
  readonly number: number | null;
  readonly retriable: Retriable;
  /** Trading is halted: an order that ends with this refusal was ended by the halt. */
  readonly isHalt: boolean;
}

export const other = 99;

export type RefusalFacts = Partial<Omit<Refusal, 'name' | 'source'>>;

export function refusalRow(source: RefusalSource, name: string, facts: RefusalFacts): Refusal {
  return {
    name,
    source,
    code: name,
    text: `${facts.code ?? name}:`,
    order: other,
    cancel: other,
    replace: other,
    quote: other,
    massCancel: other,
    marketData: null,
    securityList: null,
    business: null,
    number: null,
    retriable: 'no',
    isHalt: false,
    ...facts,
  };
}

const bridge = (name: string, facts: RefusalFacts = {}) => refusalRow('bridge', name, facts);

/** The bridge's own refusals (D.6); `name` distinguishes rows that share a code. */
export const bridgeRefusals: readonly Refusal[] = [
  bridge('message_not_offered', { code: null, text: '', business: 3 }),
  bridge('field_missing', {
    code: null,
    text: 'Conditionally required field missing:',
    business: 5,
  }),
  bridge('mass_cancel_not_offered', { code: null, text: '', massCancel: 0 }),
  bridge('bridge.not_authorized', { business: 6 }),
  bridge('bridge.venue_unreachable', { order: 2, cancel: 2, replace: 2, business: 4 }),
  bridge('bridge.draining', { order: 2, cancel: 2, replace: 2, business: 4 }),
  bridge('gate_closed_by_halt', { code: 'bridge.gate_closed', number: 103 }),
  bridge('gate_closed_by_ledger', { code: 'bridge.gate_closed', number: 104 }),
  bridge('bridge.gate_closed', { order: 2 }),
  bridge('bridge.market_halted', { order: 2 }),
  bridge('bridge.account_closing'),
  bridge('bridge.kill_switch'),
  bridge('bridge.canceled_unsent'),
  bridge('bridge.set_aside', { business: 0 }),
  bridge('bridge.not_applied'),
  bridge('bridge.applied_late'),
  bridge('bridge.backpressure', { number: 100 }),
  bridge('bridge.throttled', { number: 101 }),
  bridge('bridge.unknown_instrument', {
    order: 1,
    quote: 1,
    massCancel: 1,
    marketData: '0',
    securityList: 2,
  }),
  bridge('bridge.instrument_conflict', { order: 1, quote: 1 }),
  bridge('bridge.book_missing', { order: 1, quote: 1 }),
  bridge('bridge.book_on_spot', { order: 1, quote: 1 }),
  bridge('bridge.unknown_account', { order: 15 }),
  bridge('bridge.duplicate_clordid', { order: 6, cancel: 6, replace: 6, quote: 6 }),
  bridge('bridge.unsupported', { order: 11 }),
  bridge('bridge.conditional_unconfirmed', { order: 11 }),
  bridge('bridge.qty_precision', { order: 13 }),
  bridge('bridge.qty_must_be_positive', { order: 13 }),
  bridge('bridge.price_precision'),
  bridge('bridge.price_must_be_positive'),
  bridge('bridge.value_out_of_range'),
  bridge('bridge.no_reference_price'),
  bridge('bridge.invalid_stp_mode'),
  bridge('bridge.limit', { order: 3 }),
  bridge('bridge.stale', { order: 8 }),
  bridge('stale_outside_hours', { code: 'bridge.stale', order: 4 }),
  bridge('bridge.expired'),
  bridge('bridge.unknown_order', { order: null, cancel: 1, replace: 1 }),
  bridge('bridge.too_late', { order: null, cancel: 0, replace: 0 }),
  bridge('bridge.pending', { order: null, cancel: 3, replace: 3 }),
  bridge('bridge.modtime', { order: null, cancel: 5, replace: 5 }),
  bridge('bridge.replace_unsupported', { order: null, cancel: null }),
  bridge('bridge.qty_below_cum', { order: null, cancel: null }),
  bridge('bridge.nonce_window', { number: 205 }),
  bridge('bridge.unknown_outcome', { number: 106 }),
];

/** Used if a venue refuses without a reason. */
export const noReason = refusalRow('lane', 'no_reason', {
  code: null,
  text: 'refused by the venue, which gave no reason',
});

const byName = new Map(bridgeRefusals.map((refusal) => [refusal.name, refusal]));

/** Our own code contains the name, so a missing row is a bug. */
export function refusalNamed(name: string): Refusal {
  const refusal = byName.get(name);
  if (refusal === undefined) throw new Error(`the refusal table has no row "${name}"`);
  return refusal;
}

/** VenueRejectNumber(9101) with the profile's `reject.numberMap`, which enables doubtful and disables any pairs. */
export function venueNumber(
  refusal: Refusal,
  numberMap: Readonly<Record<string, number | null>> = {},
): number | null {
  const key = refusal.code ?? refusal.name;
  return Object.hasOwn(numberMap, key) ? (numberMap[key] ?? null) : refusal.number;
}

const longestText = 256;

/** Text(58): `<code>: <venue text>`, printable, without key material, truncated to 256 characters. */
export function refusalText(refusal: Refusal, venueText: string | null): string {
  const suffix = venueText === null ? '' : ` ${venueText}`;
  return `${refusal.text}${suffix}`
    .replace(/\bsp[ksp]_[\w-]+/g, '[credential]')
    .replace(/\b(?:0x)?[0-9a-fA-F]{128,}\b/g, '[bytes]')
    .replace(/[^\x20-\x7e]/g, '?')
    .trim()
    .slice(0, longestText);
}
