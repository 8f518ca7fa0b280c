/**
 * Turns a schema's findings in a YAML file into messages for its author: the expected value, its unit, how to quote it,
 * and the known word that was probably meant.
 */
import { type Document, isScalar } from 'yaml';
import { z } from 'zod';
import { didYouMean } from './spelling.ts';

export type KeyPath = readonly PropertyKey[];

export interface Problem {
  readonly path: KeyPath;
  readonly text: string;
  /** The file has a key that the schema does not have. */
  readonly isUnknownKey?: boolean;
}

/** A key of a configuration, as its reference and the messages here describe it. */
export function key<Kind extends z.ZodType>(kind: Kind, description: string, example: unknown) {
  return kind.meta({ description, examples: [example] });
}

/** Reports one problem for each cause: a misspelt key is not also reported as missing. */
export function problemsOf(
  issues: readonly z.core.$ZodIssue[],
  document: Document,
  schema: z.ZodType,
): readonly Problem[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const meant = new Set<string>();
  const unknown: Problem[] = [];
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const known = nodesAt(root, issue.path).flatMap(({ properties = {} }) =>
      Object.keys(properties),
    );
    for (const key of issue.keys) {
      const guess = didYouMean(key, known);
      meant.add(JSON.stringify([...issue.path, / Did you mean (.*)\?/.exec(guess)?.[1]]));
      unknown.push({
        path: [...issue.path, key],
        text: `unknown key.${guess}`,
        isUnknownKey: true,
      });
    }
  }
  const others = issues
    .filter(({ code }) => code !== 'unrecognized_keys')
    .filter((issue) => !(isMissing(issue, document) && meant.has(JSON.stringify(issue.path))))
    .map((issue) => ({
      path: issue.path,
      text: textOf(issue, document.getIn(issue.path, true), nodesAt(root, issue.path)[0] ?? {}),
    }));
  return [...unknown, ...others];
}

/** What distinguishes the sections of a list. An order belongs to the `senderCompId` of its session. */
const distinguishing = ['name', 'account', 'senderCompId', 'market'];

/** A list that repeats an entry would count it twice or ignore it. Only the steps of a scenario may come again. */
export function repeatsIn(value: unknown, path: KeyPath = []): readonly Problem[] {
  if (typeof value !== 'object' || value === null || path.at(-1) === 'steps') return [];
  const seen = new Set<string>();
  return Object.entries(value).flatMap(([name, each]): readonly Problem[] => {
    if (!Array.isArray(value)) return repeatsIn(each, [...path, name]);
    const at = [...path, Number(name)];
    const known = distinguishing.filter((key) => /string|number/.test(typeof each?.[key]));
    const own = known.map((key) => ({ path: [...at, key], text: `${key} "${each[key]}"` }));
    if (/string|number/.test(typeof each)) own.push({ path: at, text: `"${each}"` });
    const repeats = own.filter(({ text }) => seen.size === seen.add(text).size);
    const problems = repeats.map((one) => ({ path: one.path, text: `duplicate ${one.text}` }));
    return [...problems, ...repeatsIn(each, at)];
  });
}

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** The schema nodes at a path, one for each allowed variant. */
function nodesAt(root: JsonSchema, path: KeyPath): readonly JsonSchema[] {
  let found = variants(root);
  for (const step of path) {
    found = found
      .map(({ items, properties, additionalProperties }) =>
        typeof step === 'number' ? items : (properties?.[String(step)] ?? additionalProperties),
      )
      .filter((below) => typeof below === 'object' && !Array.isArray(below))
      .flatMap((below) => variants(below as JsonSchema));
  }
  return found;
}

function variants(schema: JsonSchema): readonly JsonSchema[] {
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])] as JsonSchema[];
  return choices.length === 0 ? [schema] : choices.flatMap(variants);
}

function isMissing(issue: z.core.$ZodIssue, document: Document): boolean {
  return !document.hasIn(issue.path);
}

function textOf(issue: z.core.$ZodIssue, node: unknown, known: JsonSchema): string {
  const written = isScalar(node) ? shown(String(node.source ?? node.value)) : undefined;
  const { unit = unitOf(String(issue.path.at(-1))) } = known as { readonly unit?: string };
  const hints = [...(unit === undefined ? [] : [`unit: ${unit}`]), ...exampleOf(known)];
  const hint = hints.length === 0 ? '' : ` (${hints.join(', ')})`;
  if (node === undefined && issue.code !== 'custom') {
    const { description } = known;
    if (!issue.message.startsWith('Invalid')) return issue.message;
    return [`is missing${hint}.`, description].filter(Boolean).join(' ');
  }
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, node, written) + hint;
    case 'too_small':
      return issue.origin === 'array' || issue.origin === 'string'
        ? `must not be empty${hint}`
        : `must be at least ${issue.minimum}, not ${written}${hint}`;
    case 'too_big':
      return issue.origin === 'array' || issue.origin === 'string'
        ? `is too long: at most ${issue.maximum}${hint}`
        : `must be at most ${issue.maximum}, not ${written}${hint}`;
    case 'invalid_value': {
      const values = issue.values.map(String);
      const guess = written === undefined ? '' : didYouMean(written, values);
      return `must be ${values.join(' or ')}${written === undefined ? '' : `, not ${written}`}.${guess}`;
    }
    case 'invalid_union': {
      const { options = [] } = issue as { readonly options?: readonly unknown[] };
      if (options.length === 0) return issue.message;
      const words = options.map(String);
      return `${issue.message.startsWith('Invalid') ? `must be ${words.join(' or ')}` : issue.message}.${didYouMean(written ?? '', words)}`;
    }
    default:
      return issue.message + (issue.code === 'custom' ? '' : hint);
  }
}

const kinds: Readonly<Record<string, string>> = {
  array: 'a list: one line for each entry, beginning with "- "',
  object: 'a section: keys with values, indented below it',
  record: 'a section: keys with values, indented below it',
};

function wrongType(expected: string, node: unknown, written: string | undefined): string {
  if (kinds[expected] !== undefined) return `must be ${kinds[expected]}`;
  if (written === undefined) return `must be a single value, not a list or a section`;
  const isText = isScalar(node) && typeof node.value === 'string';
  switch (expected) {
    case 'string':
      return `must be text, so put it in quotes: '${written}'`;
    case 'boolean':
      return `must be true or false, without quotes, not ${written}`;
    default: {
      if (isText && /^['"]?-?\d+['"]?$/.test(written)) {
        return `must be a number, so write it without quotes: ${written.replaceAll(/['"]/g, '')}`;
      }
      return `must be a whole number, not ${written}`;
    }
  }
}

const units: readonly [suffix: RegExp, unit: string][] = [
  [/Ms$/, 'ms'],
  [/[a-z]S$/, 's'],
  [/Bytes$/, 'bytes'],
  [/Days$/, 'days'],
  [/Bps$/, 'basis points'],
  [/[pP]erSecond$/, 'per second'],
];

/** Names of numbers end with their unit. */
export function unitOf(name: string): string | undefined {
  return units.find(([suffix]) => suffix.test(name))?.[1];
}

function exampleOf({ examples, type }: JsonSchema): readonly string[] {
  const [example] = Array.isArray(examples) ? examples : [];
  if (example === undefined || typeof example === 'object') return [];
  return [`for example ${type === 'string' ? `'${example}'` : example}`];
}

/** The text may be long, if a whole file was pasted there. */
function shown(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

const longestShown = 80;
