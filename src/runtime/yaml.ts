/**
 * Reads a YAML file against its schema and reports each fault with its file, line, column and key, so that the author
 * of the file finds it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { unreadable } from './private-file.ts';
import { type KeyPath, type Problem, problemsOf, repeatsIn } from './yaml-problem.ts';

const maxFaultsShown = 20;

export type Checked<T> =
  /** `at` returns the location and name of a key, for faults that are found later. */
  | { readonly kind: 'value'; readonly value: T; at(path: KeyPath): string }
  | { readonly kind: 'faults'; readonly faults: readonly string[] };

export function readYaml<S extends z.ZodType>(file: string, schema: S): Checked<z.output<S>> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return { kind: 'faults', faults: [unreadable(file, error)] };
  }
  return parseYaml(text, file, schema, dirname(file));
}

/** `folder` contains the files that the text names; without it they are not checked. */
export function parseYaml<S extends z.ZodType>(
  text: string,
  file: string,
  schema: S,
  folder?: string,
): Checked<z.output<S>> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    // The parser's other findings in such a file follow from the tabs.
    const tabs = [...text.matchAll(/^ *\t/gm)].map(
      ({ index, 0: indent }) =>
        `${at(index + indent.length - 1)}: a tab indents this line; YAML takes only spaces`,
    );
    const faults = document.errors.map(({ pos, message }) => `${at(pos[0])}: ${message}`);
    return { kind: 'faults', faults: tabs.length > 0 ? tabs : faults };
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    // An alias without its anchor, or so many aliases that they would fill the memory.
    return { kind: 'faults', faults: [`${file}: ${(error as Error).message}`] };
  }
  const place = (path: KeyPath, isUnknown = false) =>
    `${at(offsetOf(document, path, isUnknown))} ${keyText(path)}`;
  const checked = schema.safeParse(value);
  const repeats = repeatsIn(value);
  if (checked.success && repeats.length === 0)
    return { kind: 'value', value: checked.data, at: (path) => place(path) };
  const problems = [...problemsOf(checked.error?.issues ?? [], document, schema), ...repeats];
  const known = new Set(problems.map(({ path }) => keyText(path)));
  const named = folder === undefined ? [] : missingFiles(value, folder);
  const missing = named.filter(({ path }) => !known.has(keyText(path)));
  const faults = [...problems, ...missing].map(
    ({ path, text, isUnknownKey }) => `${place(path, isUnknownKey)}: ${text}`,
  );
  return { kind: 'faults', faults };
}

/** The caller reads these files only once the schema is satisfied; reporting them now saves a second attempt. */
function missingFiles(value: unknown, folder: string, path: KeyPath = []): readonly Problem[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]): readonly Problem[] => {
    const key = [...path, Array.isArray(value) ? Number(name) : name];
    // The process writes `auditHeadFile` itself.
    const isRead = name.endsWith('File') && name !== 'auditHeadFile';
    if (!isRead || typeof each !== 'string') return missingFiles(each, folder, key);
    const file = resolve(folder, each);
    return existsSync(file) ? [] : [{ path: key, text: `${file} does not exist` }];
  });
}

/** A file that people write has faults; each contains its location and cause. */
export class FileFaults extends Error {
  readonly faults: readonly string[];

  constructor(heading: string, faults: readonly string[] = []) {
    super(faultList(heading, faults));
    this.faults = faults.length === 0 ? [heading] : faults;
  }
}

const faultForm = /^(.+?):(\d+):(\d+)(?: (\(whole file\)|\S+))?: (.*)$/s;

/** The parts of a fault, for programs; a fault without a location has only its text. */
export function faultParts(fault: string): Readonly<Record<string, string | number>> {
  const [, file, line, column, key, problem] = faultForm.exec(fault) ?? [];
  if (file === undefined || problem === undefined) return { problem: fault };
  const place = { file, line: Number(line), column: Number(column) };
  return key === undefined ? { ...place, problem } : { ...place, key, problem };
}

/** A list of faults under a heading, truncated to a readable length. */
export function faultList(heading: string, faults: readonly string[]): string {
  const unshown = faults.length - maxFaultsShown;
  const more = unshown > 0 ? [`and ${unshown} more`] : [];
  return [heading, ...faults.slice(0, maxFaultsShown), ...more].join('\n  ');
}

/** The offset of the value, of an unknown key itself, or of the nearest parent key that the file has. */
function offsetOf(document: Document, path: KeyPath, isUnknown: boolean): number {
  if (isUnknown) {
    const parent = document.getIn(path.slice(0, -1), true);
    const pairs = isMap(parent) ? parent.items : [];
    const pair = pairs.find(({ key }) => isScalar(key) && key.value === path.at(-1));
    if (isScalar(pair?.key)) return pair.key.range?.[0] ?? 0;
  }
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true);
    if (typeof node === 'object' && node !== null && 'range' in node) {
      return (node.range as readonly number[] | null)?.[0] ?? 0;
    }
  }
  return 0;
}

function keyText(path: KeyPath): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return text.join('').replace(/^\./, '') || '(whole file)';
}
