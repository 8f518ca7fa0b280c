/** The parts of a verb of the command line, and the exit codes. */

export interface Option<Value> {
  readonly kind: 'flag' | 'value';
  /** The placeholder for the value in help, such as FILE; empty for a flag. */
  readonly place: string;
  readonly help: string;
  /** The value if the option is absent. */
  readonly fallback: Value;
  readonly isNeeded?: boolean;
  /** The permitted values, for completion. */
  readonly words?: readonly string[];
  read(text: string, name: string): Value;
}

export type OptionTable = Readonly<Record<string, Option<unknown>>>;

export type Values<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never;
};

/** One verb: its help, its options, and its function, which returns the exit code. */
export interface Verb {
  readonly summary: string;
  readonly options: OptionTable;
  /** The possible actions with their descriptions; one of them comes first. */
  readonly actions: Readonly<Record<string, string>>;
  /** Whether it accepts operands such as files in addition to options and the action. */
  readonly takesOperands: boolean;
  /** The text of `causeway NAME --help`. */
  help(name: string): string;
  run(args: readonly string[], all?: () => Promise<NamedVerbs>): Promise<number>;
}

export type NamedVerbs = readonly (readonly [name: string, verb: Verb])[];

/** The last is that of a program that SIGPIPE ended. */
export const exitCodes = { done: 0, failed: 1, usage: 2, config: 3, damaged: 4, unread: 141 };
export type Outcome = keyof typeof exitCodes;

/** Prints the result of a verb, for a program or for a person; returns the exit code. */
export function concluded(isJson: boolean, value: unknown, text: string, isGood = true): number {
  console.log(isJson ? JSON.stringify(value) : text);
  return isGood ? exitCodes.done : exitCodes.failed;
}

/** The command line is invalid; the message contains the word and the remedy. */
export class UsageError extends Error {}
