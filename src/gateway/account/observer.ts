/**
 * An observer of the running bridge receives the bytes of every session, every record of an account, and every request
 * with signed actions and its answer. All bytes are valid only during the call; an observer must not throw or block.
 */
import type { Account } from '../../domain/units.ts';
import type { Tap } from '../../transport/host.ts';
import type { HttpRequest } from '../../venue/http-client.ts';
import type { OutboxEffect } from '../../venue/outbox/outbox-types.ts';
import type { Exchange } from '../../venue/verdict.ts';
import type { HopTimes } from './hops.ts';

/** The part of the outbox's `submit` that observers see. */
export type PreparedAction = Pick<
  Extract<OutboxEffect, { kind: 'submit' }>,
  'asked' | 'bytes' | 'nonce'
>;

export interface Observer {
  readonly bytes: Tap;
  /** A record of the account's journal on its way to the store, and the actions that become ready with it. */
  recorded(account: Account, payload: Uint8Array, actions: readonly PreparedAction[]): void;
  requested(account: Account, request: HttpRequest): void;
  answered(account: Account, request: HttpRequest, exchange: Exchange): void;
  /** An action was answered for the first time. */
  passed?(hash: string, times: HopTimes): void;
}

export const nobody: Observer = {
  bytes: () => {},
  recorded: () => {},
  requested: () => {},
  answered: () => {},
};
