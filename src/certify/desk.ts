/**
 * Our side of a certification for as long as a run lasts, as the player of scenarios sees it: a connection with the
 * counterparty, the numbers of both sides, and what keeps a session alive between the steps. FIX and FIXP have one
 * each.
 */
import type { DeskOptions } from './desk-options.ts';
import type { Ladder } from './ladder.ts';
import type { Stand } from './scenario.ts';
import type { Wire } from './wire.ts';

/** An expectation, in the words of a scenario. */
export interface Expected {
  readonly text: string;
  readonly within?: string;
}

export interface Desk {
  readonly options: DeskOptions;
  /** The connections, whatever is spoken on them. */
  readonly wire: Wire;
  /** Variables of scenarios that change by themselves, such as `$next`. */
  live(name: string): string | undefined;
  /** What follows is evidence of one attempt, which answers messages of these types itself. */
  begin(ladder: Ladder, handled: ReadonlySet<string>): void;
  /** A new connection, on which we send nothing. */
  open(stand: Stand): Promise<void>;
  /** Afterwards the session is established, and both sides agree on the numbers. */
  logon(stand: Stand): Promise<void>;
  /** What was agreed on is forgotten, so that the counterparty must begin from nothing. */
  renew(): Promise<void>;
  /** False when the connection is gone. */
  say(line: string, isGarbled?: boolean): boolean;
  /** Many messages in one piece, each as `line` has it when its turn comes. */
  sayMany(count: number, line: () => string): void;
  sayRaw(text: string, isGarbled: boolean): boolean;
  /** On a second connection. */
  saySecond(line: string): Promise<void>;
  /** An act upon our bridge, which knows the numbers of the session by itself from then on. */
  actUpon(text: string): Promise<void>;
  /** Asks for a sign of life, and returns what it must be. */
  probe(id: string): Expected;
  /** Answers nothing by itself from here on. */
  silence(): void;
  /** The end of the session that the counterparty began is answered, so that it may close. */
  answerFarewell(): void;
  /** As a client: nothing that a scenario placed is left, as far as the counterparty takes mass cancels. */
  cancelAll(clOrdId: string): Promise<void>;
  /** After a scenario that went otherwise than it should, nobody knows the numbers. */
  doubt(): void;
  cut(): void;
  close(): void;
}
