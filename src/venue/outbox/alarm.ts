/** The alarms of the venue's half of an account, by their codes. docs/OPERATING.md has a row for each. */
import type { NonceAlarm } from '../../signer/nonce-types.ts';

export type OutboxAlarm =
  | NonceAlarm
  | 'foreign_answer'
  /** The venue derives other order ids than the bridge. */
  | 'order_id_mismatch'
  | 'outcome_open'
  | 'not_signed'
  | 'hole_not_filled'
  | 'filler_refused'
  | 'nonces_unknown'
  /** The venue refused one of two keys or credentials. */
  | 'key_refused'
  | 'credential_refused';
export type Alarm = (code: OutboxAlarm, text: string, orderId?: string) => void;
