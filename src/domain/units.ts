/**
 * Exact units. Amounts are bigint atoms: price atoms are 10^-priceScale of the quote currency, quantity atoms
 * 10^-qtyScale of a unit. No float ever holds one.
 */
declare const unit: unique symbol;
type Brand<T, Name extends string> = T & { readonly [unit]: Name };

export type Price = Brand<bigint, 'Price'>;
export type Qty = Brand<bigint, 'Qty'>;
/** Micro units of the settlement currency; negative is a rebate. */
export type FeeMicro = Brand<bigint, 'FeeMicro'>;
/** `0x` and 40 lowercase hex digits. */
export type Account = Brand<string, 'Account'>;
/** `0x` and 64 lowercase hex digits. */
export type OrderId = Brand<string, 'OrderId'>;
export type MarketId = Brand<number, 'MarketId'>;

export type Side = 'Bid' | 'Ask';
export type Book = 'YES' | 'NO';
export type TimeInForce = 'gtc' | 'ioc' | 'fok' | 'post_only';
export type StpMode = 'cancel_maker' | 'cancel_taker' | 'reject' | 'skip_self';

export const maxSafeAtoms = 2n ** 53n - 1n;
export const maxU64 = 2n ** 64n - 1n;
