/**
 * A saved venue as a file of JSON, in which a map is `{"map": [[key, value], …]}` and a set `{"set": […]}`. Long lists are
 * written in parts, because the whole as one text would be longer than a string can be. The file appears whole or not at
 * all.
 */
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from '../runtime/directory.ts';
import { checkedLine, DamagedFile, readCheckedLines } from './checked-lines.ts';
import type { SavedVenue } from './embedded-venue.ts';

const format = 'causeway sandbox state 3';
const mostEntries = 500;

interface Part {
  /** The members and indexes that lead to the list. */
  readonly path: readonly (string | number)[];
  readonly entries: readonly unknown[];
}

export function writeStateFile(file: string, saved: SavedVenue): void {
  const draft = `${file}.draft`;
  const descriptor = openSync(draft, 'w', 0o600);
  try {
    const parts: Part[] = [];
    const head = withoutLongLists(plain(saved), [], parts);
    writeSync(descriptor, checkedLine({ format, parts: parts.length, head }));
    for (const part of parts) writeSync(descriptor, checkedLine(part));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
  syncDirectory(dirname(file));
}

export function readStateFile(file: string): SavedVenue {
  const { values, isTorn } = readCheckedLines(file);
  const [first, ...parts] = values as [
    { readonly format: string; readonly parts: number; readonly head: SavedVenue } | undefined,
    ...Part[],
  ];
  if (isTorn || first === undefined || first.parts !== parts.length) {
    throw new DamagedFile(`${file} is damaged: it is not whole`);
  }
  if (first.format !== format) {
    throw new DamagedFile(`${file} has the format "${first.format}", not "${format}"`);
  }
  for (const { entries, path } of parts) {
    let at: unknown = first.head;
    for (const name of path) at = (at as Record<string | number, unknown>)[name];
    (at as unknown[]).push(...entries);
  }
  return revived(first.head) as SavedVenue;
}

function withoutLongLists(value: unknown, path: Part['path'], parts: Part[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) {
    return mapped(value, (inner, name) => withoutLongLists(inner, [...path, name], parts));
  }
  if (value.length <= mostEntries) {
    return value.map((inner, index) => withoutLongLists(inner, [...path, index], parts));
  }
  for (let from = 0; from < value.length; from += mostEntries) {
    parts.push({ path, entries: value.slice(from, from + mostEntries) });
  }
  return [];
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Map) return { map: plain([...value]) };
  if (value instanceof Set) return { set: plain([...value]) };
  return Array.isArray(value) ? value.map(plain) : mapped(value, plain);
}

function revived(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(revived);
  if ('map' in value) return new Map(revived(value.map) as [unknown, unknown][]);
  if ('set' in value) return new Set(revived(value.set) as unknown[]);
  return mapped(value, revived);
}

function mapped(value: object, of: (inner: unknown, name: string) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, of(inner, name)]));
}
