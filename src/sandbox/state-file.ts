/** A saved venue as a file: a line with format and checksum, then the venue. The file is replaced atomically. */
import { readFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { replaceFileSync } from '../runtime/replace-file.ts';
import { DamagedFile, sumOf } from './checked-lines.ts';
import type { SavedVenue } from './embedded-venue.ts';

const format = 'causeway sandbox state 3';

export function writeStateFile(file: string, saved: SavedVenue): void {
  const bytes = serialize(saved);
  replaceFileSync(file, Buffer.concat([headOf(bytes), bytes]));
}

export function readStateFile(file: string): SavedVenue {
  const whole = readFileSync(file);
  if (!whole.toString('latin1', 0, format.length).startsWith(format)) {
    throw new DamagedFile(`${file} does not have the format "${format}"`);
  }
  const bytes = whole.subarray(whole.indexOf('\n') + 1);
  const head = headOf(bytes);
  if (!whole.subarray(0, head.length).equals(head)) {
    throw new DamagedFile(`${file} is damaged: it is not whole`);
  }
  return deserialize(bytes) as SavedVenue;
}

function headOf(bytes: Uint8Array): Buffer {
  return Buffer.from(`${format} ${sumOf(bytes)}\n`);
}
