/** The alarms of the signer, by their codes. docs/OPERATING.md has a row for each. */

import type { SignRefusal } from './signer.ts';

/** Refusals that only a bridge causes. The others have an alarm at their cause, or a person asked for them. */
export const alarmedRefusals = [
  'unreadable',
  'policy',
  'rate',
  'expired',
  /** A second placing action was asked for under a nonce. */
  'other_digest',
  'nonce_too_old',
] as const satisfies readonly SignRefusal[];

export type SignerAlarm =
  | (typeof alarmedRefusals)[number]
  /** A bridge sent bytes that are not a frame, so its connection was ended. */
  | 'connection_ended'
  /** The ledger is not the one that the bridge has used, or not all of it. */
  | 'ledger_differs'
  /** The ledger cannot be written or synced, or was not closed as a whole. */
  | 'ledger_failed'
  /** The disk of the ledger is full, or its database does not record, so nothing that places is signed. */
  | 'ledger_away'
  | 'ledger_back'
  /** The database or the role of the ledger could be safer. */
  | 'ledger_unsafe'
  /** The bridge's record of the ledger cannot be written. */
  | 'anchor_failed'
  /** The bridge has no connection to its signer. */
  | 'signer_away'
  | 'signer_back'
  /** A key in a token or at a service cannot sign. */
  | 'key_away'
  | 'key_back'
  /** The credentials for the key service cannot be read; the last ones are used. */
  | 'key_credentials'
  /** The end of the audit log was cut off. */
  | 'audit_cut'
  | 'audit_head_failed'
  /** The disk of the audit log is full, so nothing that places is signed. */
  | 'audit_full'
  | 'audit_back'
  /** The audit log cannot be written or synced. */
  | 'audit_failed';

export type RaiseSignerAlarm = (text: string, code: SignerAlarm) => void;
