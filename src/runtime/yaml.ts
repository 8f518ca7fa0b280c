/**
 * Reads a YAML file against its schema and names each fault with its file, line, column and key, so that the author of
 * the file finds it.
 */
import { readFileSync } from 'node:fs';
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { unreadable } from './private-file.ts';
import { type KeyPath, problemsOf } from './yaml-problem.ts';

const mostFaultsShown = 20;

export type Checked<T> =
  /** `at` gives the place and the name of a key, for faults that are found later. */
  | { readonly kind: 'value'; readonly value: T; at(path: KeyPath): string }
  | { readonly kind: 'faults'; readonly faults: readonly string[] };

export function readYaml<S extends z.ZodType>(file: string, schema: S): Checked<z.output<S>> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return { kind: 'faults', faults: [unreadable(file, error)] };
  }
  return parseYaml(text, file, schema);
}

export function parseYaml<S extends z.ZodType>(
  text: string,
  file: string,
  schema: S,
): Checked<z.output<S>> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    return {
      kind: 'faults',
      faults: document.errors.map(({ pos, message }) => `${at(pos[0])}: ${message}`),
    };
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    // An alias without its anchor, or so many that they would fill the memory.
    return { kind: 'faults', faults: [`${file}: ${(error as Error).message}`] };
  }
  const place = (path: KeyPath, isUnknown = false) =>
    `${at(offsetOf(document, path, isUnknown))} ${keyText(path)}`;
  const checked = schema.safeParse(value);
  if (checked.success) return { kind: 'value', value: checked.data, at: (path) => place(path) };
  const faults = problemsOf(checked.error.issues, document, schema).map(
    ({ path, text, isUnknownKey }) => `${place(path, isUnknownKey)}: ${text}`,
  );
  return { kind: 'faults', faults };
}

/** A file that people write is wrong; each fault names its place and its cause. */
export class FileFaults extends Error {
  readonly faults: readonly string[];

  constructor(heading: string, faults: readonly string[] = []) {
    super(faultList(heading, faults));
    this.faults = faults.length === 0 ? [heading] : faults;
  }
}

const faultForm = /^(.+?):(\d+):(\d+)(?: (\(whole file\)|\S+))?: (.*)$/s;

/** A fault in parts, for programs; one without a place has its text alone. */
export function faultParts(fault: string): Readonly<Record<string, string | number>> {
  const [, file, line, column, key, problem] = faultForm.exec(fault) ?? [];
  if (file === undefined || problem === undefined) return { problem: fault };
  const place = { file, line: Number(line), column: Number(column) };
  return key === undefined ? { ...place, problem } : { ...place, key, problem };
}

/** A list of faults under a heading, cut at a length that a person reads. */
export function faultList(heading: string, faults: readonly string[]): string {
  const unshown = faults.length - mostFaultsShown;
  const more = unshown > 0 ? [`and ${unshown} more`] : [];
  return [heading, ...faults.slice(0, mostFaultsShown), ...more].join('\n  ');
}

/** The offset of the value, of the key where it is unknown, or of the nearest key above that the file has. */
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
