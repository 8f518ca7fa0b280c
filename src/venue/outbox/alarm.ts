/** The codes of the outbox's alarms. docs/OPERATING.md has a row for each. */
import type { NonceAlarm } from '../../signer/nonce-types.ts';

export type OutboxAlarm =
  | NonceAlarm
  | 'foreign_answer'
  /** The venue derives order ids that differ from the bridge's. */
  | 'order_id_mismatch'
  | 'outcome_open'
  | 'not_signed'
  | 'hole_not_filled'
  | 'filler_refused'
  | 'nonces_unknown'
  /** The venue refused one of two keys, or one of two credentials. */
  | 'key_refused'
  | 'credential_refused';
export type Alarm = (code: OutboxAlarm, text: string, orderId?: string) => void;
