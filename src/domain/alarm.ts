/** The codes of alarms about an order. docs/OPERATING.md has a row for each. */

export type OrderAlarm =
  /** The venue contradicts itself about an order. */
  | 'contradiction'
  /** An order that was reported as ended is alive at the venue. */
  | 'alive_after_end'
  | 'overfilled'
  | 'missing_trades'
  | 'unknown_execution'
  /** The venue refused a cancel of the bridge itself. */
  | 'own_cancel_refused'
  /** An input names an order that the account does not have. */
  | 'unknown_order'
  /** An answer names an order of another request. */
  | 'foreign_answer';

/** An operator should check this. */
export interface AlarmEffect<Code extends string = OrderAlarm> {
  readonly kind: 'alarm';
  readonly code: Code;
  readonly text: string;
  /** The order's id at the venue, or the bridge's key if the venue has not assigned one. */
  readonly orderId?: string | undefined;
}
