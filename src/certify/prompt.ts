/**
 * An instruction for the counterparty. A person reads `text`; a program uses `line` instead. In both cases the run
 * continues when it detects the result, without a confirmation.
 */

import { parseLine } from './line.ts';
import { type Key, keyName, typeName } from './received-message.ts';

export interface Prompt {
  readonly id: number;
  readonly scenario: string;
  readonly text: string;
  /** Who has to act: the counterparty's client, another participant, the venue, the server's operator, or anyone. */
  readonly who: 'client' | 'contra' | 'venue' | 'bridge' | 'person';
  /** The instruction for a program: `D|11=…` for a client, `POST /path {…}` for a venue, `kill` for a server. */
  readonly line: string;
}

/** Follows prompts instead of a person. */
export interface Hand {
  act(prompt: Prompt): Promise<void>;
  /** Undoes what a scenario has left on the market or changed at the venue. */
  tidy?(): Promise<void>;
  stop(): Promise<void>;
}

/** Fields that every client fills in on its own. */
const transactTime: readonly Key[] = [60, 'TransactTime'];

/** `Send NewOrderSingle(D): Side(54)=1, …` */
export function describe(line: string): string {
  const { msgType, fields } = parseLine(line);
  const shown = fields.filter(([key]) => !transactTime.includes(key));
  const named = shown.map(([key, value]) => `${keyName(key)}=${value}`);
  return `${typeName(msgType)}: ${named.join(', ')}`;
}
