/**
 * A saved venue as a file. Long lists are written in parts, because the whole as one text would be longer than a string
 * can be. The file appears whole or not at all.
 */
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from '../runtime/directory.ts';
import { checkedLine, DamagedFile, readCheckedLines } from './checked-lines.ts';
import type { SavedVenue } from './embedded-venue.ts';

const format = 'causeway sandbox state 2';
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
    const head = withoutLongLists(saved, [], parts);
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
  return first.head;
}

function withoutLongLists(value: unknown, path: Part['path'], parts: Part[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) {
    const entries = Object.entries(value).map(([name, inner]) => [
      name,
      withoutLongLists(inner, [...path, name], parts),
    ]);
    return Object.fromEntries(entries);
  }
  if (value.length <= mostEntries) {
    return value.map((inner, index) => withoutLongLists(inner, [...path, index], parts));
  }
  for (let from = 0; from < value.length; from += mostEntries) {
    parts.push({ path, entries: value.slice(from, from + mostEntries) });
  }
  return [];
}
