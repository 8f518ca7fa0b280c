/**
 * Our side of a certification for as long as a run lasts, as the player of scenarios sees it: a connection with the
 * counterparty, the numbers of both sides, and what keeps a session alive between the steps. FIX and FIXP have each
 * their own.
 */
import type { BridgeStand } from './bridge-stand.ts';
import type { Conversation } from './conversation.ts';
import type { Ladder } from './ladder.ts';
import type { DeskPort } from './port.ts';
import type { Direction, Stand } from './scenario.ts';

export interface DeskOptions {
  readonly direction: Direction;
  readonly port: DeskPort;
  /** As the counterparty says them. */
  readonly names: { readonly senderCompId: string; readonly targetCompId: string };
  readonly heartBtIntS: number;
  /** Of the client: ours as an initiator. */
  readonly credentials?: { readonly username: string; readonly password: string } | undefined;
  /** Our Logon as an initiator may say 141=Y where numbers are in doubt. */
  readonly mayReset: boolean;
  readonly bridge?: BridgeStand | undefined;
  readonly connectWithinMs: number;
  readonly answerWithinMs: number;
}

/** The counterparty did not do what a scenario needs before it can judge anything. */
export class DeskError extends Error {}

/** An expectation, in the words of a scenario. */
export interface Expected {
  readonly text: string;
  readonly within?: string;
}

export interface Desk {
  readonly options: DeskOptions;
  readonly isOpen: boolean;
  /** The last connection that was waited for never came. */
  readonly isDeserted: boolean;
  /** No connection, because we ended it: then both sides know their numbers. */
  readonly wasCutByUs: boolean;
  readonly conversation: Conversation;
  /** Variables of scenarios that change by themselves, such as `$next`. */
  live(name: string): string | undefined;
  /** What follows is evidence of one attempt, which answers messages of these types itself. */
  begin(ladder: Ladder, handled: ReadonlySet<string>): void;
  /** A new connection, without a word said by us. */
  open(stand: Stand): Promise<void>;
  /** The session stands when this is over, and both sides agree on the numbers. */
  logon(stand: Stand): Promise<void>;
  /** What was agreed on is forgotten, so that the counterparty must begin from nothing. */
  renew(): Promise<void>;
  /** False when the connection is gone. */
  say(line: string, isGarbled?: boolean): boolean;
  sayRaw(text: string, isGarbled: boolean): boolean;
  /** On a connection beside the one that stands. */
  saySecond(line: string): Promise<void>;
  secondCloses(withinMs: number): Promise<boolean>;
  contra(line: string): Promise<void>;
  /** Asks for a sign of life, and tells how it must look. */
  probe(id: string): Expected;
  /** Answers nothing by itself from here on. */
  silence(): void;
  /** Nothing has come for a while. */
  quiet(): Promise<void>;
  /** The end of the session that the counterparty began is answered, so that it may close. */
  answerFarewell(): void;
  /** As a client: nothing that a scenario placed is left, as far as the counterparty takes mass cancels. */
  cancelAll(clOrdId: string): Promise<void>;
  /** After a scenario that went otherwise than it should, nobody knows where the numbers stand. */
  doubt(): void;
  cut(): void;
  close(): void;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
