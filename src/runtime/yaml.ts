/**
 * Reads a YAML file whole against its schema; each fault is named with its file, line, column and key, so that the
 * one who wrote the file can mend it.
 */
import { readFileSync } from 'node:fs';
import { type Document, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { unreadable } from './private-file.ts';

const mostFaultsShown = 20;

export type Checked<T> =
  | { readonly kind: 'value'; readonly value: T }
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
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    return {
      kind: 'faults',
      faults: document.errors.map(({ pos, message }) => `${at(pos[0])} ${message.split('\n')[0]}`),
    };
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    // An alias without its anchor, or so many that they would fill the memory.
    return { kind: 'faults', faults: [`${file}: ${(error as Error).message}`] };
  }
  const checked = schema.safeParse(value);
  if (checked.success) return { kind: 'value', value: checked.data };
  const faults = checked.error.issues.map(
    ({ path, message }) => `${at(offsetOf(document, path))} ${keyText(path)}: ${message}`,
  );
  return { kind: 'faults', faults };
}

/** A list of faults under a heading, cut at a length that a person reads. */
export function faultList(heading: string, faults: readonly string[]): string {
  const unshown = faults.length - mostFaultsShown;
  const more = unshown > 0 ? [`and ${unshown} more`] : [];
  return [heading, ...faults.slice(0, mostFaultsShown), ...more].join('\n  ');
}

/** Where the key stands, or the nearest key above it that does. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true);
    if (typeof node === 'object' && node !== null && 'range' in node) {
      return (node.range as readonly number[] | null)?.[0] ?? 0;
    }
  }
  return 0;
}

function keyText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return text.join('').replace(/^\./, '') || '(whole file)';
}
