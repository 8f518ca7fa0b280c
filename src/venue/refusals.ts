/**
 * This venue's refusals and their consequences: docs/venue/contract.md, parts D.1 to D.5, as one table. Only the venue
 * client and the generated rules of engagement use it.
 */
import type { Denial } from '../domain/denial.ts';
import {
  bridgeRefusals,
  noReason,
  type Refusal,
  type RefusalFacts,
  type RefusalSource,
  refusalRow,
} from '../domain/refusal.ts';

/** The venue's numeric reasons (contract A.18.5); VenueRejectNumber(9101) always has one of these. */
export const refusalNumberNames = {
  1: 'InvalidMagic',
  2: 'UnsupportedVersion',
  100: 'BackpressureFull',
  101: 'RateLimitExceeded',
  102: 'IdempotencyReplay',
  103: 'TradingHalted',
  104: 'LedgerDegraded',
  105: 'WriteLeaseFenced',
  106: 'DurabilityUnknown',
  200: 'AuthFailed',
  201: 'NonceReuse',
  202: 'SessionViolation',
  203: 'NonceBelowFloor',
  204: 'NonceSpent',
  205: 'NonceAboveWindow',
  300: 'MarketUnknown',
  301: 'AccountUnknown',
} as const;
export type RefusalNumber = keyof typeof refusalNumberNames;
export const refusalNumbers = [
  1, 2, 100, 101, 102, 103, 104, 105, 106, 200, 201, 202, 203, 204, 205, 300, 301,
] as const satisfies readonly RefusalNumber[];

/** The bridge's actions after a refusal (contract D.0), which the submission's state machine carries out. */
export const acts = {
  N1: 'mark the nonce as used and sign again with a new one; only after a decisive answer to the first send, at most three times',
  N2: "resync the account's nonces from the answer, then N1",
  N3: 'hold until the nonce floor moves, then send it again; report after 5 s',
  RC: 'reconcile with stream, gap-fill and receipts before anything is reported or sent',
  AD: 'adopt: the venue already has the same action; wait for the stream',
  BK: 'retry the same bytes and key with backoff and jitter until the deadline; then report',
  GG: 'close the gate of the venue and poll readiness; cancels still pass',
  GM: 'close the gate of the market or account',
  GR: 'let the account only reduce',
  CR: 'block the credential or agent; sessions stay logged on',
  IN: 'raise an integrity alarm: our own error or a wrong profile',
  MD: 'reload markets, limits and the signing domain',
  SF: 'reload the limits and lower pace and sizes',
} as const;
export type Act = keyof typeof acts;

/** What the venue's answer means for the action, besides the report to the client. */
export interface VenueRefusal extends Refusal {
  readonly number: RefusalNumber | null;
  /** False if this answer does not decide the outcome of a write, so no refusal is reported. */
  readonly decisive: boolean;
  /** One of a doubtful pair of numbers, which only the profile enables. */
  readonly doubtful: RefusalNumber | null;
  readonly acts: readonly Act[];
  /** If a resend of the same bytes gets this answer, an earlier copy may have been applied. */
  readonly onResend: readonly Act[] | null;
}

type Facts = RefusalFacts & Partial<VenueRefusal>;

const venueRow = (refusal: Refusal, facts: Facts = {}): VenueRefusal => ({
  ...(refusal as Refusal & { readonly number: RefusalNumber | null }),
  decisive: true,
  doubtful: null,
  acts: [],
  onResend: null,
  ...facts,
});
const row =
  (source: RefusalSource) =>
  (name: string, facts: Facts = {}): VenueRefusal =>
    venueRow(refusalRow(source, name, facts), facts);

const envelope = row('envelope');
const agent = row('agent');
const submit = row('submit');
const lane = row('lane');
const numbered = (number: RefusalNumber, facts: Facts = {}): VenueRefusal =>
  row('number')(refusalNumberNames[number], { number, ...facts });

/** Refusals that only a placement can get, never a cancel. */
const placing = { cancel: null } as const;
const undecided = { decisive: false, number: 106, retriable: 'yes' } as const;

/** D.1: codes of the HTTP envelope, and exchanges without an answer. */
const envelopeRows: readonly VenueRefusal[] = [
  envelope('BAD_REQUEST', { acts: ['IN'] }),
  envelope('UNAUTHORIZED', { number: 200, acts: ['CR'] }),
  envelope('FORBIDDEN', { quote: 9, acts: ['CR'] }),
  envelope('NOT_FOUND', { acts: ['IN', 'MD'] }),
  envelope('NOT_ACCEPTABLE', { acts: ['IN'] }),
  envelope('CONFLICT', { ...undecided, acts: ['RC'] }),
  envelope('RATE_LIMITED', { number: 101, retriable: 'yes', acts: ['BK', 'SF'] }),
  envelope('INTERNAL_ERROR', { ...undecided, acts: ['RC'] }),
  envelope('SERVER_ERROR', { ...undecided, acts: ['RC'] }),
  envelope('SERVICE_UNAVAILABLE', { ...undecided, acts: ['RC', 'GG'] }),
  envelope('no_answer', { ...undecided, code: 'bridge.unknown_outcome', acts: ['RC'] }),
  envelope('edge_limit', {
    code: 'RATE_LIMITED',
    text: 'RATE_LIMITED: edge',
    number: 101,
    retriable: 'yes',
    acts: ['BK'],
  }),
];

/** D.3: delegated agents and the control plane. */
const agentRows: readonly VenueRefusal[] = [
  agent('AGENT_NOT_FOUND', { quote: 9, business: 6, acts: ['CR'] }),
  agent('AGENT_REVOKED', { quote: 9, business: 6, doubtful: 200, acts: ['CR'] }),
  agent('AGENT_EXPIRED', { quote: 9, business: 6, doubtful: 200, acts: ['CR'] }),
  agent('INVALID_SCOPE', { quote: 9, business: 6, acts: ['CR'] }),
  agent('AGENT_POLICY_REJECTED', { quote: 9 }),
  agent('AGENT_POLICY_RATE_LIMITED', { doubtful: 101, retriable: 'yes', acts: ['BK', 'SF'] }),
  agent('API_CREDENTIAL_REQUIRED', { number: 200, business: 6, acts: ['CR', 'IN'] }),
  agent('API_CREDENTIAL_INVALID', { number: 200, business: 6, acts: ['CR'] }),
  agent('API_CREDENTIAL_REVOKED', { number: 200, business: 6, acts: ['CR'] }),
  agent('ACCOUNT_MISMATCH', { quote: 9, doubtful: 202, acts: ['CR', 'IN'] }),
  agent('INVALID_SIGNATURE', { doubtful: 202, acts: ['IN'] }),
  agent('DUPLICATE_NONCE', { decisive: false, doubtful: 204, acts: ['RC', 'N1'] }),
  agent('NONCE_EXHAUSTED', { doubtful: 205, retriable: 'yes', acts: ['N3'] }),
  agent('TRADING_ACCOUNT_CLOSING', { quote: 9, acts: ['GR'] }),
];

/** D.4: codes of a SubmitResponse. */
const submitRows: readonly VenueRefusal[] = [
  submit('nonce_below_floor', { number: 203, acts: ['N2'], onResend: ['RC'] }),
  submit('nonce_outside_window', { number: 205, retriable: 'after the floor', acts: ['N3'] }),
  submit('nonce_replayed', { number: 204, acts: ['N1'], onResend: ['RC'] }),
  submit('nonce_mismatch', {
    number: 201,
    retriable: 'after resync',
    acts: ['N2'],
    onResend: ['RC'],
  }),
  submit('insufficient_balance', placing),
  submit('risk_would_exceed_available_usdc', placing),
  submit('insufficient_usdc', placing),
  submit('insufficient_spot_asset', placing),
  submit('insufficient_shares', placing),
  submit('cross_shard_credit_kill_switch', {
    ...placing,
    retriable: 'after operator',
    acts: ['GM'],
  }),
  submit('cross_shard_account_cap_exceeded', { ...placing, quote: 3, retriable: 'after exposure' }),
  submit('cross_shard_market_cap_exceeded', { ...placing, quote: 3, retriable: 'after exposure' }),
  submit('cross_shard_credit_rejected', { ...placing, retriable: 'after state/policy' }),
  submit('post_only_requires_passive_limit_order', placing),
  submit('post_only_would_cross', { ...placing, quote: 8 }),
  submit('fok_not_filled', placing),
  submit('reduce_only_qty_exceeds_position', placing),
  submit('reduce_only_invalid_side', placing),
  submit('invalid_stp_mode', { ...placing, acts: ['IN'] }),
  submit('spot_notional_below_minimum', { ...placing, acts: ['MD'] }),
  submit('price_must_be_positive', { ...placing, quote: 8 }),
  submit('qty_must_be_positive', placing),
  submit('price_not_aligned_to_tick', { ...placing, quote: 8, acts: ['MD'] }),
  submit('qty_not_aligned_to_lot', { ...placing, acts: ['MD'] }),
  submit('qty_exceeds_max', { ...placing, quote: 3, acts: ['MD'] }),
  submit('fee_exceeds_notional', placing),
  submit('duplicate_order_id', {
    ...placing,
    decisive: false,
    quote: 6,
    doubtful: 102,
    acts: ['AD', 'RC'],
  }),
  submit('idempotency_key_conflict', { acts: ['IN'] }),
  submit('trading_halted', {
    isHalt: true,
    number: 103,
    retriable: 'after readiness',
    acts: ['GG'],
  }),
  submit('unauthorized_cancel', { order: null, quote: 9, acts: ['IN'] }),
  submit('order_not_open', { order: null, cancel: 0, replace: 0, quote: 5, acts: ['RC'] }),
  submit('invalid_amend', { order: null, cancel: null, quote: null, acts: ['RC'] }),
  submit('account_market_open_order_cap_exceeded', {
    ...placing,
    quote: 3,
    retriable: 'after cancel',
  }),
  submit('account_open_order_cap_exceeded', { ...placing, quote: 3, retriable: 'after cancel' }),
  submit('price_level_order_cap_exceeded', { ...placing, quote: 3, retriable: 'after cancel' }),
  submit('book_depth_exceeded', { ...placing, quote: 3, retriable: 'after book' }),
  submit('self_trade_prevented', placing),
  submit('order_not_found', { order: null, cancel: 1, replace: 1, quote: 5, acts: ['RC'] }),
  submit('invalid_signature', { doubtful: 202, acts: ['IN'] }),
  submit('market_not_found', { ...placing, number: 300, acts: ['MD'] }),
  submit('expired'),
  submit('unknown_variant', { acts: ['IN'] }),
  submit('unknown_field', { acts: ['IN'] }),
  submit('missing_field', { acts: ['IN'] }),
  submit('schema_violation', { acts: ['IN'] }),
  submit('rate_limited', { number: 101, retriable: 'yes', acts: ['BK', 'SF'] }),
  submit('backpressure', { number: 100, retriable: 'yes', acts: ['BK'] }),
  submit('runtime_unavailable', { doubtful: 104, retriable: 'yes', acts: ['GG', 'BK'] }),
];

/** D.4b: codes of the order-entry lane and coarse labels of the engine. */
const laneRows: readonly VenueRefusal[] = [
  lane('SHARD_BUSY', { doubtful: 100, acts: ['BK'] }),
  lane('QUEUE_LIMIT', { number: 100, acts: ['BK', 'SF'] }),
  lane('RISK_CREDIT_LIMIT', { quote: 3 }),
  lane('KILL_SWITCH', { isHalt: true, doubtful: 103, acts: ['GM'] }),
  lane('MARKET_HALTED', { isHalt: true, doubtful: 103, acts: ['GM'] }),
  lane('NONCE_REJECTED', { number: 201, acts: ['N2'], onResend: ['RC'] }),
  lane('INSUFFICIENT_BALANCE', { ...placing, replace: null }),
  lane('ORDER_NOT_FOUND', { order: null, cancel: 1, replace: 1, quote: 5, acts: ['RC'] }),
  lane('POST_ONLY_WOULD_CROSS', { quote: 8 }),
  lane('SELF_TRADE_PREVENTED'),
  lane('INVALID_STP_MODE', { acts: ['IN'] }),
  lane('ENGINE_REJECTED'),
];

/** D.5: the venue's numbers where they come without a code. */
const numberRows: readonly VenueRefusal[] = [
  numbered(1, { acts: ['IN'] }),
  numbered(2, { acts: ['IN'] }),
  numbered(100, { retriable: 'yes', acts: ['BK'] }),
  numbered(101, { retriable: 'yes', acts: ['BK', 'SF'] }),
  numbered(102, { decisive: false, acts: ['AD', 'RC'] }),
  numbered(103, { acts: ['GG'] }),
  numbered(104, { acts: ['GG'] }),
  numbered(105, { decisive: false, acts: ['RC'] }),
  numbered(106, { decisive: false, acts: ['RC'] }),
  numbered(200, { acts: ['CR'] }),
  numbered(201, { acts: ['N2'], onResend: ['RC'] }),
  numbered(202, { acts: ['MD', 'RC'] }),
  numbered(203, { acts: ['N1'], onResend: ['RC'] }),
  numbered(204, { acts: ['N1'], onResend: ['RC'] }),
  numbered(205, { retriable: 'after the floor', acts: ['N3'] }),
  numbered(300, { acts: ['MD'] }),
  numbered(301, { acts: ['CR'] }),
];

/** Codes that refuse the key or the credential, not the action; true if permanently (decision 0296). */
export const refusalsOfKeys: Readonly<Record<string, boolean>> = {
  AGENT_NOT_FOUND: false,
  AGENT_REVOKED: true,
  AGENT_EXPIRED: true,
  ACCOUNT_MISMATCH: false,
  INVALID_SIGNATURE: false,
  invalid_signature: false,
};
export const refusalsOfCredentials: Readonly<Record<string, boolean>> = {
  UNAUTHORIZED: false,
  API_CREDENTIAL_INVALID: false,
  API_CREDENTIAL_REVOKED: true,
  /** Of the key, or of the credential if it is that of another account. */
  ACCOUNT_MISMATCH: false,
};

/** The bridge's own row for an unknown outcome. */
const ownRows = bridgeRefusals.map((refusal) =>
  venueRow(refusal, { decisive: refusal.name !== 'bridge.unknown_outcome' }),
);

export const refusals: readonly VenueRefusal[] = [
  ...envelopeRows,
  ...agentRows,
  ...submitRows,
  ...laneRows,
  ...numberRows,
  venueRow(noReason),
  ...ownRows,
];

const byName = new Map(refusals.map((refusal) => [refusal.name, refusal]));
const byNumber = new Map(numberRows.map((refusal) => [refusal.number, refusal]));
const byStatus: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  406: 'NOT_ACCEPTABLE',
  409: 'CONFLICT',
  422: 'BAD_REQUEST',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

/** Returns the row of a venue code or of a `bridge.` code; undefined for an unlisted one. */
export function refusalOf(name: string): VenueRefusal | undefined {
  return byName.get(name);
}

/** Returns the row for a code in our own source, so a missing row is a bug. */
export function venueRefusal(name: string): VenueRefusal {
  const refusal = byName.get(name);
  if (refusal === undefined) throw new Error(`the refusal table has no row "${name}"`);
  return refusal;
}

export function isRefusalNumber(value: unknown): value is RefusalNumber {
  return typeof value === 'number' && Object.hasOwn(refusalNumberNames, value);
}

export function refusalOfNumber(number: RefusalNumber): VenueRefusal {
  const refusal = byNumber.get(number);
  if (refusal === undefined) throw new Error(`the refusal table has no row for number ${number}`);
  return refusal;
}

/** An answer to quotes repeats the code for each entry, and the longest one has to fit into a message. */
const maxCodeLength = 64;

/** A code outside the table as clients get it: what is longer or not printable is most likely not a code. */
function withCode(row: VenueRefusal, venueCode: string): VenueRefusal {
  const code = venueCode.slice(0, maxCodeLength).replace(/[^\x20-\x7e]/g, '?');
  return { ...row, code, text: `${code}:` };
}

/**
 * The row for a code outside the table, or for no code: the HTTP status decides (contract A.18.3). The venue's own code
 * is kept. For a write, an unknown status is an unknown outcome.
 */
export function refusalOfStatus(status: number, code: string | null = null): VenueRefusal {
  const known = venueRefusal(byStatus[status] ?? 'no_answer');
  return code === null ? known : withCode(known, code);
}

/** Replaces a coarse label by the finer code in its raw detail, if there is exactly one (D.4b). */
export function finerRefusal(label: string, detail: string | null): VenueRefusal | undefined {
  const finer = detail === null ? undefined : byName.get(detail);
  if (finer?.source === 'submit') return finer;
  const coarse = byName.get(label);
  if (coarse?.name !== 'NONCE_REJECTED' || detail === null) return coarse;
  const named = submitRows.find(({ name }) => name.startsWith('nonce_') && detail.includes(name));
  return named === undefined ? coarse : { ...coarse, number: named.number };
}

/**
 * Whether the refusal leaves open what becomes of the action (docs/decisions/0255-proof-before-a-rejection.md): it is
 * not decisive, or it is about the nonce, which another copy of the action may have used.
 */
export function decidesNothing({ acts, decisive, onResend }: VenueRefusal): boolean {
  return !decisive || onResend !== null || acts.includes('N3');
}

/** Reads a reason as the venue's events and receipts word it. */
export interface Reason {
  readonly code: string;
  readonly number: number | null;
  readonly text: string;
}

export function denialOf(reason: Reason | null, isSpent: boolean | null = null): Denial {
  if (reason === null) return { refusal: noReason, text: null, number: null, isSpent };
  const refusal = finerRefusal(reason.code, reason.text) ??
    refusalOf(reason.code) ?? {
      ...withCode(venueRefusal('ENGINE_REJECTED'), reason.code),
      name: reason.code,
    };
  const number = isRefusalNumber(reason.number) ? reason.number : null;
  const denial = { refusal, text: reason.text === '' ? null : reason.text, number, isSpent };
  const stated = number === null ? refusal : refusalOfNumber(number);
  const isOpen = decidesNothing(refusal) || decidesNothing(stated);
  return isOpen ? { ...denial, decidesNothing: true } : denial;
}
