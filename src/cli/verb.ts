/** One verb of the command line: its help and what it does. The answer is the exit code. */
export interface Verb {
  readonly summary: string;
  readonly help: string;
  run(args: readonly string[]): Promise<number>;
}

export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/** The caller's words are off; the message says which and what to do. */
export class UsageError extends Error {}
