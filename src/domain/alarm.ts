/** The alarms about an order, by their codes. docs/OPERATING.md has a row for each. */

export type OrderAlarm =
  /** The venue contradicts itself about an order. */
  | 'contradiction'
  /** The venue shows an order alive that was reported as ended. */
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

/** A person should look. */
export interface AlarmEffect<Code extends string = OrderAlarm> {
  readonly kind: 'alarm';
  readonly code: Code;
  readonly text: string;
  /** The order it is about: the venue's id, or the bridge's key while the venue has given none. */
  readonly orderId?: string | undefined;
}
