/** The codes of the outbox's alarms, and their texts. docs/OPERATING.md has a row for each. */
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

const nonceTexts: Readonly<Record<NonceAlarm, string>> = {
  foreign_writer: 'another program has signed for this account',
  floor_backward: "the venue's nonces went backward, so nothing is sent until an operator decides",
  other_holds_floor: 'another writer of this account does not use it, so the window does not move',
  hole_holds_floor: 'it is lost and keeps the window from moving; the bridge fills it',
  unknown_holds_floor: 'its outcome is unknown, so the window does not move; the bridge fills it',
};

/** The outbox gives only the code of a nonce alarm, because its texts are part of the sums of effects (0265). */
export function alarmText(code: string, text: string): string {
  const said = (nonceTexts as Partial<Record<string, string>>)[code];
  return said === undefined ? text : text.replace(code, said);
}

/**
 * An alarm that each action of another channel, or each order of a client, may raise; undefined for the others. Each
 * reason of the signer is another one: it comes after the nonce.
 */
export function floodOf(code: string, text: string): string | undefined {
  if (code === 'foreign_writer') return code;
  return code === 'not_signed' ? /: (\w+)/.exec(text)?.[1] : undefined;
}
