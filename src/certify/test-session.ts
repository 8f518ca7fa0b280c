/**
 * Our side of the session with the counterparty during a run, as the scenario player uses it: the connection, the
 * sequence numbers of both sides, and keepalive between the steps. FIX and FIXP have one implementation each.
 */

import type { Ladder } from './ladder.ts';
import type { SessionNumbers } from './record.ts';
import type { Setup } from './scenario.ts';
import type { SessionOptions } from './session-options.ts';
import type { Wire } from './wire.ts';

/** What a step expects, in the form of a scenario. */
export interface Expected {
  readonly text: string;
  readonly within?: string;
}

export interface TestSession {
  readonly options: SessionOptions;
  /** The connections, for any protocol. */
  readonly wire: Wire;
  /** Whether each side has sent its Logon(A), or the server its EstablishmentAck, on the current connection. */
  readonly hasBegun: boolean;
  /** Whether our first Logon(A) had a number that was too low, because the counterparty has kept its own. */
  readonly isCorrected?: boolean;
  /** The value of a variable that the session provides, such as `$next`. */
  live(name: string): string | undefined;
  /** Starts an attempt: evidence goes to this ladder, and the scenario itself responds to messages of these types. */
  begin(ladder: Ladder, handled: ReadonlySet<string>): void;
  /** Opens a new connection, on which we send nothing. */
  open(setup: Setup): Promise<void>;
  /** Establishes the session, so that both sides agree on the numbers. */
  logon(setup: Setup): Promise<void>;
  /** Forgets the session, so that the counterparty must start a new one. */
  renew(): Promise<void>;
  /** Returns false if the connection has closed. */
  sendLine(line: string, isGarbled?: boolean): boolean;
  /** Sends many messages in one write; `line` is called for each. */
  sendMany(count: number, line: () => string): void;
  sendRaw(text: string, isGarbled: boolean): boolean;
  /** Sends on a second connection. */
  sendSecond(line: string): Promise<void>;
  /** Performs an operation on our bridge, which then tracks the session's sequence numbers itself. */
  actUpon(text: string): Promise<void>;
  /** Sends a TestRequest, and returns the expected response. */
  probe(id: string): Expected;
  /** Stops all automatic responses. */
  silence(): void;
  /** Responds to the counterparty's logout, so that it may close. */
  answerFarewell(): void;
  /** As a client: cancels all orders of the scenario, if the counterparty supports mass cancels. */
  cancelAll(clOrdId: string): Promise<void>;
  /** The sequence numbers are uncertain after a failed scenario. */
  doubt(): void;
  /** Continues a session of an earlier process: its counterparty keeps its numbers between runs. */
  resume?(numbers: SessionNumbers): void;
  resumable?(): SessionNumbers;
  cut(): void;
  close(): void;
}
