/**
 * What somebody at the counterparty must do. A person reads `text`; a program in that person's place does `line`. In
 * both cases the run goes on when what was asked for is seen, not when somebody confirms that it was done.
 */

import { parseLine } from './line.ts';
import { type Key, keyName, typeName } from './received-message.ts';

export interface Prompt {
  readonly id: number;
  readonly scenario: string;
  readonly text: string;
  /** The one who acts: the counterparty's client, another participant, the venue, the operator of the server, or anybody who can. */
  readonly who: 'client' | 'contra' | 'venue' | 'bridge' | 'person';
  /** The same for a program: `D|11=…` of a client, `POST /path {…}` of a venue, `kill` of a server. */
  readonly line: string;
}

/** Answers prompts in place of a person. */
export interface Hand {
  act(prompt: Prompt): Promise<void>;
  /** Undoes what a scenario has left at the market or changed at the venue. */
  tidy?(): Promise<void>;
  stop(): Promise<void>;
}

/** Every client fills it in by itself. */
const transactTime: readonly Key[] = [60, 'TransactTime'];

/** `Send NewOrderSingle(D): Side(54)=1, …` */
export function describe(line: string): string {
  const { msgType, fields } = parseLine(line);
  const shown = fields.filter(([key]) => !transactTime.includes(key));
  const named = shown.map(([key, value]) => `${keyName(key)}=${value}`);
  return `${typeName(msgType)}: ${named.join(', ')}`;
}
