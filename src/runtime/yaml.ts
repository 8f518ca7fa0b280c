/**
 * Reads a YAML file against its schema and names each fault with its file, line, column and key, so that the author of
 * the file finds it.
 */
import { readFileSync } from 'node:fs';
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { unreadable } from './private-file.ts';
import { didYouMean } from './spelling.ts';

const mostFaultsShown = 20;

type Path = readonly PropertyKey[];

export type Checked<T> =
  /** `at` gives the place and the name of a key, for faults that are found later. */
  | { readonly kind: 'value'; readonly value: T; at(path: Path): string }
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
  const place = (path: Path, isUnknown = false) =>
    `${at(offsetOf(document, path, isUnknown))} ${keyText(path)}`;
  const checked = schema.safeParse(value);
  if (checked.success) return { kind: 'value', value: checked.data, at: (path) => place(path) };
  const faults = checked.error.issues.flatMap((issue) =>
    faultsOf(issue, document, schema).map(
      ({ path, text }) => `${place(path, issue.code === 'unrecognized_keys')}: ${text}`,
    ),
  );
  return { kind: 'faults', faults };
}

interface Fault {
  readonly path: Path;
  readonly text: string;
}

function faultsOf(issue: z.core.$ZodIssue, document: Document, schema: z.ZodType): Fault[] {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys') {
    const known = keysOf(schema, path);
    return issue.keys.map((key) => ({
      path: [...path, key],
      text: `unknown key.${didYouMean(key, known)}`,
    }));
  }
  const node = document.getIn(path, true);
  if (issue.code === 'invalid_type' && issue.expected === 'string' && isScalar(node)) {
    const text = `must be text, so put it in quotes: "${String(node.source ?? node.value)}"`;
    return [{ path, text }];
  }
  return [{ path, text: message }];
}

/** The keys that the schema knows at this path, of every variant that may stand there. */
function keysOf(schema: z.ZodType, path: Path): readonly string[] {
  let found = [z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })].flatMap(variants);
  for (const step of path) {
    found = found
      .map(({ items, properties, additionalProperties }) =>
        typeof step === 'number' ? items : (properties?.[String(step)] ?? additionalProperties),
      )
      .filter((below) => typeof below === 'object' && !Array.isArray(below))
      .flatMap((below) => variants(below as JsonSchema));
  }
  return found.flatMap(({ properties = {} }) => Object.keys(properties));
}

type JsonSchema = z.core.JSONSchema.JSONSchema;

function variants(schema: JsonSchema): readonly JsonSchema[] {
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])] as JsonSchema[];
  return choices.length === 0 ? [schema] : choices.flatMap(variants);
}

/** A list of faults under a heading, cut at a length that a person reads. */
export function faultList(heading: string, faults: readonly string[]): string {
  const unshown = faults.length - mostFaultsShown;
  const more = unshown > 0 ? [`and ${unshown} more`] : [];
  return [heading, ...faults.slice(0, mostFaultsShown), ...more].join('\n  ');
}

/** The offset of the value, of the key where it is unknown, or of the nearest key above that the file has. */
function offsetOf(document: Document, path: Path, isUnknown: boolean): number {
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

function keyText(path: Path): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return text.join('').replace(/^\./, '') || '(whole file)';
}
