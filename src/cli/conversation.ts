/** Commands that a person types, or a script holds, one a line; a script is given time to hear its last answers. */
import { createInterface } from 'node:readline';

/** Whoever obeys, whatever it speaks. */
export interface Obedient {
  /** Since it last heard or said something. */
  readonly idleMs: number;
  /** Says what is wrong with the line, or undefined. */
  obey(line: string, nowMs: number): string | undefined;
}

/** What ends a script: its last answer is waited for, but not for ever. */
const quietMs = 1_500;
const longestWaitMs = 5_000;

/** `act` makes a turn of each command, `problem` shows what is wrong with one. */
export async function converse(
  trader: Obedient,
  problem: (text: string) => void,
  act: (call: (nowMs: number) => void) => void,
): Promise<void> {
  const isTerminal = process.stdin.isTTY === true;
  const lines = createInterface({ input: process.stdin, prompt: '> ', terminal: isTerminal });
  if (isTerminal) lines.prompt();
  for await (const line of lines) {
    if (line.trim() === 'quit') break;
    if (line.trim() !== '') {
      act((nowMs) => {
        const wrong = trader.obey(line, nowMs);
        if (wrong !== undefined) problem(wrong);
      });
    }
    if (isTerminal) lines.prompt();
  }
  const endMs = Date.now() + longestWaitMs;
  while (!isTerminal && trader.idleMs < quietMs && Date.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
