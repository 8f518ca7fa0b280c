/**
 * A program that acts instead of a person: it gets each prompt as one line of JSON on its standard input and makes the
 * counterparty follow it. It returns nothing, because the run detects the result.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Hand } from './prompt.ts';

const endWithinMs = 2_000;

export function programHand(command: string): Hand {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'inherit'] });
  let isGone = false;
  const exited = once(child, 'exit').then(() => {
    isGone = true;
  });
  child.stdin.on('error', () => {});
  return {
    async act(prompt) {
      if (isGone) throw new Error(`the program that answers prompts has ended: ${command}`);
      child.stdin.write(`${JSON.stringify(prompt)}\n`);
    },
    async stop() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill(), endWithinMs);
      await exited;
      clearTimeout(timer);
    },
  };
}
