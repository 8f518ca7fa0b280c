/**
 * The ids of an order in the trail: its key, its ClOrdIDs, the ids, digests and nonces of its actions, and those of its
 * quote. They come from the account's records, which contain the order of each action.
 */
import { parsedJson } from '../runtime/parsed-json.ts';
import { inPieces } from './long-list.ts';
import type { TrailRow } from './trail-segment.ts';

export interface Action {
  readonly key: string;
  readonly nonce: unknown;
  readonly actionHash: string;
  readonly placed: {
    readonly orderId?: string;
    readonly triggeredId?: string;
    readonly legIds?: readonly (string | null)[];
  };
  readonly canonical: string;
}

export interface OrdersInput {
  readonly kind?: unknown;
  readonly key?: string;
  /** Those of a quote. */
  readonly orders?: readonly QuotedOrder[];
  readonly event?: {
    readonly kind?: unknown;
    readonly orderId?: string | null;
    readonly parentOrderId?: string | null;
  };
}

export interface AccountRecord {
  readonly inputs: readonly OrdersInput[];
  readonly actions: readonly Action[];
}

export type Names = ReturnType<typeof noNames>;

function noNames(key: string) {
  return {
    key,
    /** The groups of quotes to which the order belongs; their actions are also the order's. */
    groups: new Set<string>(),
    clOrdIds: new Set<string>(),
    ids: new Set<string>(),
    hashes: new Set<string>(),
    nonces: new Set<string>(),
    /** The number of decimal places of the market. */
    priceScale: 0,
    qtyScale: 0,
  };
}

/** The record of one leg of a quote. */
export interface QuotedOrder {
  readonly owner?: { readonly key?: string; readonly quoteId?: string };
  readonly terms?: object;
  readonly instrument?: { readonly market?: Market };
  readonly legIndex?: number;
}

interface Market {
  readonly priceScale?: number;
  readonly qtyScale?: number;
}

/** `rows` are the records found by the order's own key, in order. */
export async function namesOf(rows: readonly TrailRow[], key: string): Promise<Names> {
  const names = noNames(key);
  const legs = new Map<string, number>();
  for await (const row of inPieces(rows)) {
    const { actions, inputs } = recordOf(row);
    for (const input of inputs) {
      const leg = legOf(input, key);
      if (leg !== undefined) takeLeg(input, leg, names, legs);
      else if (isAbout(input, names)) takeNames(input, names);
    }
    for (const action of actions) takeAction(action, names, legs);
  }
  return names;
}

/** The order's own part of the quotes that a client sent. */
export function legOf({ kind, orders }: OrdersInput, key: string): QuotedOrder | undefined {
  return kind === 'quotes' ? orders?.find(({ owner }) => owner?.key === key) : undefined;
}

function takeLeg(
  { key = '' }: OrdersInput,
  { instrument, legIndex = 0, owner }: QuotedOrder,
  names: Names,
  legs: Map<string, number>,
): void {
  names.groups.add(key);
  legs.set(key, legIndex);
  if (owner?.quoteId !== undefined) names.clOrdIds.add(owner.quoteId);
  takeScales(instrument?.market, names);
}

function takeNames(value: unknown, names: Names): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, held] of Object.entries(value)) {
    if (name === 'market' && typeof held === 'object') takeScales(held as Market, names);
    else if (typeof held !== 'string') takeNames(held, names);
    else if (name === 'clOrdId') names.clOrdIds.add(held);
    else if (name === 'venueRef' || name === 'actionHash') names.hashes.add(held);
    else if (name === 'orderId' || name === 'firedOrderId') names.ids.add(held);
  }
}

function takeScales(market: Market | undefined, names: Names): void {
  names.priceScale = market?.priceScale ?? names.priceScale;
  names.qtyScale = market?.qtyScale ?? names.qtyScale;
}

/** The venue assigns an id to each leg; the other legs belong to other orders. */
function takeAction(
  { actionHash, key, nonce, placed }: Action,
  names: Names,
  legs: ReadonlyMap<string, number>,
): void {
  if (!isOwn(key, names)) return;
  names.hashes.add(actionHash);
  names.nonces.add(plain(nonce));
  const { legIds, orderId, triggeredId } = placed;
  const leg = legIds?.[legs.get(key) ?? 0];
  for (const id of [orderId, triggeredId, leg]) if (id != null) names.ids.add(id);
}

export function isOwn(key: string, { groups, key: own }: Names): boolean {
  return key === own || groups.has(key);
}

export function isAbout(input: OrdersInput, names: Names): boolean {
  const { ids } = names;
  const { event, key = '' } = input;
  if (event?.orderId !== undefined && event.orderId !== null) {
    return ids.has(event.orderId) || ids.has(event.parentOrderId ?? '');
  }
  return isOwn(key, names) || mentions(input, names);
}

/** Whether one of the texts in it is the order's key, or one of its ids or digests. */
function mentions(value: unknown, names: Names): boolean {
  const { hashes, ids, key } = names;
  if (typeof value === 'string') return value === key || ids.has(value) || hashes.has(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((held) => mentions(held, names));
}

export function recordOf({ bytes, kind }: TrailRow): AccountRecord {
  const nothing = { inputs: [], actions: [] };
  if (kind !== 'journal') return nothing;
  // The trail may be incomplete, but the rest is still displayed.
  const read = parsedJson(Buffer.from(bytes).toString()) as Partial<AccountRecord> | undefined;
  return { ...nothing, ...read };
}

/** A value of an account's record as text; the record contains amounts as `{"$":"123"}`. */
export function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  if ('$' in value) return String(value.$);
  return JSON.stringify(value).replaceAll(/\{"\$":"(-?\d+)"\}/g, '$1');
}
