/** What a verb of the command line is, and how it tells what happened. */

export interface Option<Value> {
  readonly kind: 'flag' | 'value';
  /** What stands for the value in help, such as FILE; empty for a flag. */
  readonly place: string;
  readonly help: string;
  /** The value when the option is not given. */
  readonly fallback: Value;
  readonly isNeeded?: boolean;
  /** The only values there are, for completion. */
  readonly words?: readonly string[];
  read(text: string, name: string): Value;
}

export type OptionTable = Readonly<Record<string, Option<unknown>>>;

export type Values<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never;
};

/** One verb: its help, its options, and what it does. The answer is the exit code. */
export interface Verb {
  readonly summary: string;
  readonly help: string;
  readonly options: OptionTable;
  /** The words of which one stands first, with what each does. */
  readonly actions: Readonly<Record<string, string>>;
  /** Whether it takes words beside options and the action: files, or what stands for one. */
  readonly takesOperands: boolean;
  run(args: readonly string[], all?: () => Promise<NamedVerbs>): Promise<number>;
}

export type NamedVerbs = readonly (readonly [name: string, verb: Verb])[];

export const exitCodes = { done: 0, failed: 1, usage: 2, config: 3, damaged: 4 } as const;
export type Outcome = keyof typeof exitCodes;

/** For whoever calls the program from a script or a unit file. */
export const exitCodeMeanings: Readonly<Record<Outcome, string>> = {
  done: 'done, or stopped as asked; what was checked holds',
  failed: 'it failed, or what was checked does not hold; another try may succeed',
  usage: 'the call itself is wrong; nothing was done',
  config: 'the configuration is wrong; nothing was opened',
  damaged: 'a stored record is not what was written; a restart cannot help',
};

/** The caller's words are off; the message says which and what to do. */
export class UsageError extends Error {}
