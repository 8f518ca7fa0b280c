import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DamagedFile } from '../../src/sandbox/checked-lines.ts';
import type { SavedVenue } from '../../src/sandbox/embedded-venue.ts';
import { readStateFile, writeStateFile } from '../../src/sandbox/state-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'state-file-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'state-1');

/** The file takes whatever the venue is made of; line ends in it must not be taken for that of its head. */
const saved = {
  seed: 7,
  profile: 'a\nb\n',
  state: { nonces: new Map([['0x1', { floor: 3, used: new Set([5, 4]) }]]) },
} as unknown as SavedVenue;

test('a venue is read back as it was written, and a later one replaces it whole', () => {
  writeStateFile(file, { ...saved, profile: 'x'.repeat(10_000) });
  writeStateFile(file, saved);
  expect(readStateFile(file)).toEqual(saved);
  expect(readdirSync(folder)).toEqual(['state-1']);
});

test('a file that lacks its end or has one changed byte is refused by its name', () => {
  writeStateFile(file, saved);
  const whole = readFileSync(file);
  for (let length = 0; length < whole.length; length += 1) {
    writeFileSync(file, whole);
    truncateSync(file, length);
    expect(() => readStateFile(file), String(length)).toThrow(DamagedFile);
  }
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 1;
    writeFileSync(file, changed);
    expect(() => readStateFile(file), String(at)).toThrow(file);
  }
  writeFileSync(file, Buffer.concat([whole, Buffer.of(0)]));
  expect(() => readStateFile(file)).toThrow('is damaged: it is not whole');
});

test('the file of another format is refused as such, whatever it holds', () => {
  for (const text of ['', 'causeway sandbox state 2 00000000\n', '{"seed":7}']) {
    writeFileSync(file, text);
    expect(() => readStateFile(file)).toThrow(
      'does not have the format "causeway sandbox state 3"',
    );
  }
});
