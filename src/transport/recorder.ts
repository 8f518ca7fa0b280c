/**
 * The part of the store that a host needs, so that transport does not depend on the store folder; `Transactions`
 * implements it.
 */
import type { HeldMessage, SessionWrite, StoredMessages } from './session.ts';

export interface Recorder {
  /** Runs `call` as a transaction: everything that is written in it becomes one commit. */
  run(call: () => void): void;
  /** Called once at the end of the transaction, before its commit. */
  atEnd(settle: () => void): void;
  /** Adds a session's record, with its name. */
  write(write: SessionWrite & { readonly session: string }): void;
  /**
   * A message of the peer is about to be handled in this transaction; returns false if a transaction threw on it
   * before.
   */
  takes(session: string, message: Uint8Array, contentOf: (message: Uint8Array) => string): boolean;
  /** Called when the transaction and all transactions before it are durable. */
  after(callback: () => void): void;
  stored(
    session: string,
    fromSeq: number,
    toSeq: number,
    maxBytes: number,
  ): Promise<Pick<StoredMessages, 'messages' | 'oldestKept'>>;
  held(session: string, afterPosition: number): Promise<readonly HeldMessage[]>;
}
