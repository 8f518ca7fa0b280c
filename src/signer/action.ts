/**
 * The signed data: the action envelope and the venue's ten actions (contract A.4-A.8). Members carry the venue's
 * canonical names, so that the field table of the profile drives the encoder directly; amounts and nonces are bigint,
 * because they are u64 at the venue.
 */
import type {
  Account,
  Book,
  MarketId,
  OrderId,
  Price,
  Qty,
  Side,
  StpMode,
  TimeInForce,
} from '../domain/units.ts';

/** The members that every resting order and every leg share, contract A.7. */
const orderTerms = [
  'side',
  'price',
  'qty',
  'stp_mode',
  'time_in_force',
  'is_market',
  'reduce_only',
  'expires_at',
] as const;

/** The members of each action and leg in canonical order, contract A.6; G04 and G05 for the last four actions. */
export const canonicalFields = {
  SpotPlaceOrder: ['market', ...orderTerms],
  /** On outcome markets; `OutcomePlaceOrder` is its name on input only. */
  PlaceOrder: ['market', 'book', ...orderTerms],
  Cancel: ['order_id'],
  AmendOrder: ['order_id', 'new_qty'],
  SpotQuoteReplace: ['market', 'legs'],
  QuoteReplace: ['market', 'legs'],
  PlaceAlgoOrder: [
    'market',
    'book',
    'side',
    'total_qty',
    'limit_price',
    'time_in_force',
    'strategy',
  ],
  CancelAlgoOrder: ['order_id'],
  PlaceConditionalOrder: [
    'market',
    'book',
    'side',
    'qty',
    'limit_price',
    'trigger_price',
    'trigger_direction',
    'conditional_kind',
    'reduce_only',
    'signed_trigger_order',
  ],
  CancelConditionalOrder: ['order_id'],
  /** `qty` 0 cancels only, `cancel_order_id` null places only, both set replace. */
  SpotLeg: ['cancel_order_id', ...orderTerms],
  OutcomeLeg: ['cancel_order_id', 'book', ...orderTerms],
} as const;
export type ShapeName = keyof typeof canonicalFields;
export type ActionKind = Exclude<ShapeName, 'SpotLeg' | 'OutcomeLeg'>;

export const shapeNames = Object.keys(canonicalFields) as readonly ShapeName[];
export const actionKinds = shapeNames.filter((shape) => !shape.endsWith('Leg')) as [
  ActionKind,
  ...ActionKind[],
];

/** The type of each member that has one wherever it occurs. */
interface FieldValues {
  readonly market: MarketId;
  readonly book: Book;
  readonly side: Side;
  readonly price: Price;
  readonly qty: Qty;
  readonly new_qty: Qty;
  readonly total_qty: Qty;
  readonly limit_price: Price;
  readonly trigger_price: Price;
  readonly stp_mode: StpMode | null;
  readonly time_in_force: TimeInForce;
  readonly is_market: boolean;
  readonly reduce_only: boolean;
  /** Unix milliseconds, whatever unit the profile writes it in; null when unset. */
  readonly expires_at: number | null;
  readonly order_id: OrderId;
  readonly cancel_order_id: OrderId | null;
  readonly trigger_direction: string;
  readonly conditional_kind: string;
  readonly strategy: Strategy;
  /** Signed before the outer action is built; its nonce is the lower neighbour (contract G20). */
  readonly signed_trigger_order: SignedAction;
}

/** `book` is null on spot markets (contract G08). */
interface OwnValues {
  readonly SpotQuoteReplace: { readonly legs: readonly SpotLeg[] };
  readonly QuoteReplace: { readonly legs: readonly OutcomeLeg[] };
  readonly PlaceAlgoOrder: { readonly book: Book | null };
  readonly PlaceConditionalOrder: { readonly book: Book | null };
}

type OwnOf<Shape> = Shape extends keyof OwnValues ? OwnValues[Shape] : unknown;
/** The members of a shape as their names in the table say. */
type Shaped<Shape extends ShapeName> = OwnOf<Shape> &
  Pick<FieldValues, Exclude<(typeof canonicalFields)[Shape][number], keyof OwnOf<Shape> | 'legs'>>;

export type SpotLeg = Shaped<'SpotLeg'>;
export type OutcomeLeg = Shaped<'OutcomeLeg'>;
type ActionOf<Kind extends ActionKind> = { readonly kind: Kind } & Shaped<Kind>;
export type SpotPlaceOrder = ActionOf<'SpotPlaceOrder'>;
export type Action = { [Kind in ActionKind]: ActionOf<Kind> }[ActionKind];

/** Which parameters a kind has is data of the profile (contract G06). */
export interface Strategy {
  readonly kind: 'iceberg' | 'twap' | 'vwap';
  readonly slice_qty?: Qty;
  readonly interval_ms?: number;
}

export interface ActionEnvelope {
  readonly account: Account;
  readonly nonce: bigint;
  /** Deprecated at the venue: the bridge always sends null. */
  readonly nonce_reservation_id: string | null;
  /** Left out of the canonical bytes when absent. */
  readonly client_order_id?: string | undefined;
  /** Unix milliseconds. */
  readonly ts: number;
  readonly action: Action;
}

export interface Signature {
  readonly scheme: string;
  /** 65 bytes: r, s, v. */
  readonly bytes: Uint8Array;
}

export interface SignedAction {
  readonly payload: ActionEnvelope;
  readonly signature: Signature;
}

/** An action that cannot be written or read as canonical bytes; `field` says where. */
export class ActionError extends Error {
  readonly field: string;

  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`);
    this.field = field;
  }
}
