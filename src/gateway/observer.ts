/**
 * What somebody who watches the bridge is shown while it works: the bytes of every session, every record of a desk,
 * every request with signed actions and its answer. All of it is lent; an observer never throws and never waits.
 */
import type { Account } from '../domain/units.ts';
import type { Tap } from '../transport/host.ts';
import type { HttpRequest } from '../venue/http-client.ts';
import type { Exchange } from '../venue/verdict.ts';
import type { Passage } from './hops.ts';

export interface Observer {
  readonly bytes: Tap;
  /** A record of the account's desk (`desk-record.ts`), on its way to the store. */
  recorded(account: Account, payload: Uint8Array): void;
  requested(account: Account, request: HttpRequest): void;
  answered(account: Account, request: HttpRequest, exchange: Exchange): void;
  /** The outcome of an action is known; `key` names its order. */
  settled(key: string, outcome: string, passage: Passage): void;
}

export const nobody: Observer = {
  bytes: () => {},
  recorded: () => {},
  requested: () => {},
  answered: () => {},
  settled: () => {},
};
