/**
 * Every refusal of the engine: the codes of contract A.18.3 that are decided after the sequencer, the two lane codes of
 * A.18.4 for gates, and the coarse label of each.
 */
export const coarseLabels = {
  insufficient_balance: 'INSUFFICIENT_BALANCE',
  risk_would_exceed_available_usdc: 'INSUFFICIENT_BALANCE',
  insufficient_usdc: 'INSUFFICIENT_BALANCE',
  insufficient_spot_asset: 'INSUFFICIENT_BALANCE',
  insufficient_shares: 'INSUFFICIENT_BALANCE',
  cross_shard_credit_kill_switch: 'KILL_SWITCH',
  cross_shard_account_cap_exceeded: 'ENGINE_REJECTED',
  cross_shard_market_cap_exceeded: 'ENGINE_REJECTED',
  cross_shard_credit_rejected: 'ENGINE_REJECTED',
  post_only_requires_passive_limit_order: 'ENGINE_REJECTED',
  post_only_would_cross: 'POST_ONLY_WOULD_CROSS',
  fok_not_filled: 'ENGINE_REJECTED',
  reduce_only_qty_exceeds_position: 'ENGINE_REJECTED',
  reduce_only_invalid_side: 'ENGINE_REJECTED',
  invalid_stp_mode: 'INVALID_STP_MODE',
  spot_notional_below_minimum: 'ENGINE_REJECTED',
  price_must_be_positive: 'ENGINE_REJECTED',
  qty_must_be_positive: 'ENGINE_REJECTED',
  price_not_aligned_to_tick: 'ENGINE_REJECTED',
  qty_not_aligned_to_lot: 'ENGINE_REJECTED',
  qty_exceeds_max: 'ENGINE_REJECTED',
  fee_exceeds_notional: 'ENGINE_REJECTED',
  duplicate_order_id: 'ENGINE_REJECTED',
  trading_halted: 'KILL_SWITCH',
  unauthorized_cancel: 'ENGINE_REJECTED',
  order_not_open: 'ORDER_NOT_FOUND',
  invalid_amend: 'ENGINE_REJECTED',
  account_market_open_order_cap_exceeded: 'QUEUE_LIMIT',
  account_open_order_cap_exceeded: 'QUEUE_LIMIT',
  price_level_order_cap_exceeded: 'QUEUE_LIMIT',
  book_depth_exceeded: 'QUEUE_LIMIT',
  self_trade_prevented: 'SELF_TRADE_PREVENTED',
  order_not_found: 'ORDER_NOT_FOUND',
  market_not_found: 'ENGINE_REJECTED',
  expired: 'ENGINE_REJECTED',
  schema_violation: 'ENGINE_REJECTED',
  KILL_SWITCH: 'KILL_SWITCH',
  MARKET_HALTED: 'ENGINE_REJECTED',
} as const;
export type EngineCode = keyof typeof coarseLabels;

/** The label of contract A.18.4 that results and receipts have in addition to a code. */
export function coarseLabel(code: string): string {
  if (code.startsWith('nonce_')) return 'NONCE_REJECTED';
  if (Object.hasOwn(coarseLabels, code)) return coarseLabels[code as EngineCode];
  return code === code.toUpperCase() ? code : 'ENGINE_REJECTED';
}

export interface Refusal {
  readonly code: EngineCode;
  readonly text: string;
}

/** Gates precede the sequencer, so an action that they refuse has no event, and its nonce remains free (G18). */
const gateCodes: ReadonlySet<EngineCode> = new Set([
  'trading_halted',
  'KILL_SWITCH',
  'MARKET_HALTED',
]);

export function isSequenced(refusal: Refusal): boolean {
  return !gateCodes.has(refusal.code);
}
