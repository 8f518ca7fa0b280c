/**
 * Our side of the session with the counterparty for as long as a run lasts, as the player of scenarios sees it: the connection,
 * the sequence numbers of both sides, and what keeps the session alive between the steps. Scenarios call it `desk`. FIX and
 * FIXP have one each.
 */

import type { Ladder } from './ladder.ts';
import type { Stand } from './scenario.ts';
import type { SessionOptions } from './session-options.ts';
import type { Wire } from './wire.ts';

/** An expectation, in the words of a scenario. */
export interface Expected {
  readonly text: string;
  readonly within?: string;
}

export interface TestSession {
  readonly options: SessionOptions;
  /** The connections, whatever is spoken on them. */
  readonly wire: Wire;
  /** The value of a variable that the session provides, such as `$next`. */
  live(name: string): string | undefined;
  /** Evidence goes to the ladder of this attempt from now on. The scenario answers messages of these types itself. */
  begin(ladder: Ladder, handled: ReadonlySet<string>): void;
  /** A new connection, on which we send nothing. */
  open(stand: Stand): Promise<void>;
  /** Afterwards the session is established, and both sides agree on the numbers. */
  logon(stand: Stand): Promise<void>;
  /** Forgets the session, so that the counterparty must begin a new one. */
  renew(): Promise<void>;
  /** Returns false if the connection is gone. */
  say(line: string, isGarbled?: boolean): boolean;
  /** Sends many messages in one write; `line` is called for each. */
  sayMany(count: number, line: () => string): void;
  sayRaw(text: string, isGarbled: boolean): boolean;
  /** On a second connection. */
  saySecond(line: string): Promise<void>;
  /** Does something to our bridge, which keeps the session's numbers itself from then on. */
  actUpon(text: string): Promise<void>;
  /** Sends a TestRequest, and returns the answer to expect. */
  probe(id: string): Expected;
  /** From now on nothing is answered automatically. */
  silence(): void;
  /** Answers the logout of the counterparty, so that it may close. */
  answerFarewell(): void;
  /** As a client: cancels all orders of the scenario, if the counterparty supports mass cancels. */
  cancelAll(clOrdId: string): Promise<void>;
  /** After a scenario that failed, the sequence numbers are in doubt. */
  doubt(): void;
  cut(): void;
  close(): void;
}
