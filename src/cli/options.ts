/**
 * The options of a verb as one table. The parser, the help, the shell completion and the command reference read the
 * same rows, so they always agree.
 */
import { parseArgs } from 'node:util';
import { didYouMean } from '../runtime/spelling.ts';
import { type Option, type OptionTable, UsageError, type Values } from './verb.ts';

/** Set by `--name`, or cleared by `--no-name` if it is on by default; the help describes that form. */
export function flag(help: string, fallback = false): Option<boolean> {
  return { kind: 'flag', place: '', help, fallback, read: () => !fallback };
}

/** An option without a default is undefined if it is absent. */
export function text<Fallback extends string | undefined = undefined>(
  place: string,
  help: string,
  fallback?: Fallback,
): Option<string | Fallback> {
  return { kind: 'value', place, help, fallback: fallback as Fallback, read: (given) => given };
}

/** A required option. */
export function needed(place: string, help: string): Option<string> {
  return { kind: 'value', place, help, fallback: '', isNeeded: true, read: (given) => given };
}

export interface Range {
  readonly least: number;
  readonly most: number;
}

export const portRange: Range = { least: 0, most: 65_535 };
export const descriptorRange: Range = { least: 0, most: 99_999 };
export const seedRange: Range = { least: 0, most: 2 ** 31 - 1 };

export function integer<Fallback extends number | undefined = undefined>(
  place: string,
  help: string,
  { least, most }: Range,
  fallback?: Fallback,
): Option<number | Fallback> {
  const read = (given: string, name: string) => {
    const value = /^-?\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new UsageError(
      `--${name} must be an integer from ${least} to ${most}, not "${given.slice(0, 20)}"`,
    );
  };
  return { kind: 'value', place, help, fallback: fallback as Fallback, read };
}

export function choice<
  const Word extends string,
  Fallback extends NoInfer<Word> | undefined = undefined,
>(words: readonly Word[], help: string, fallback?: Fallback): Option<Word | Fallback> {
  const read = (given: string, name: string) => {
    const found = words.find((word) => word === given);
    if (found !== undefined) return found;
    throw new UsageError(`--${name} is ${words.join(' or ')}, not "${given.slice(0, 20)}"`);
  };
  const place = words.join('|');
  return { kind: 'value', place, help, fallback: fallback as Fallback, words, read };
}

export function parseOptions<Table extends OptionTable>(
  table: Table,
  args: readonly string[],
): { readonly values: Values<Table>; readonly operands: readonly string[] } {
  const options: Record<string, { type: 'boolean' | 'string' }> = {};
  for (const [name, { kind }] of Object.entries(table)) {
    options[name] = { type: kind === 'flag' ? 'boolean' : 'string' };
  }
  const parsed = parsedWords(options, args);
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(table)) {
    const given = parsed.values[name];
    if (given === undefined && option.isNeeded) {
      throw new UsageError(`--${name} ${option.place} is needed`);
    }
    values[name] =
      typeof given === 'string' ? option.read(given, name) : (given ?? option.fallback);
  }
  // The loop above gave every name in the table a value that its own option parsed.
  return { values: values as Values<Table>, operands: parsed.positionals };
}

function parsedWords(
  options: Readonly<Record<string, { readonly type: 'boolean' | 'string' }>>,
  args: readonly string[],
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw error;
    const [, given = ''] = /'(-[^']*)'/.exec(error.message) ?? [];
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`no option ${given}.${didYouMean(given, known)}`);
  }
}

/** The form on the command line: `--port P`, `--no-makers`. */
export function optionForm(name: string, { kind, fallback, place }: Option<unknown>): string {
  if (kind === 'flag') return fallback === true ? `--no-${name}` : `--${name}`;
  return `--${name} ${place}`;
}

export function optionHelp({ kind, help, fallback }: Option<unknown>): string {
  return kind === 'flag' || fallback === undefined || fallback === ''
    ? help
    : `${help} (${fallback})`;
}
