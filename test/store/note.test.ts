/** No start begins a new store where the files show that there was one, here or elsewhere. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realDisk } from '../../src/store/log/disk.ts';
import { logFolder, openLogStore } from '../../src/store/log/log-store.ts';
import { leaveNote } from '../../src/store/note.ts';
import { append } from './contract.ts';

let directory: string;
let path: string;
let folder: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'causeway-note-'));
  path = join(directory, 'gateway.db');
  folder = logFolder(path);
});

afterEach(() => rmSync(directory, { recursive: true }));

const open = () => openLogStore({ path, durability: 'process', reserveBytes: 0 });
const started = async () => (await open()).close();
const note = () => readFileSync(path, 'utf8');

test('a new store leaves the note as well, so a log that was emptied or lost is no new store', async () => {
  await started();
  expect(note()).toBe('The store is in gateway-log.\n');
  await started();
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  await expect(open()).rejects.toThrow(`${folder}, which has no segment: restore it`);
  rmSync(folder, { recursive: true });
  await expect(open()).rejects.toThrow(`${folder}, which is missing: restore it`);
  expect(readdirSync(directory)).toEqual(['gateway.db']);
  // An operator goes on by deleting the note, as the message says.
  rmSync(path);
  const store = await open();
  await store.commit([append('new', 0, 'begins')]);
  await store.close();
  expect(note()).toBe('The store is in gateway-log.\n');
});

test('what a killed attempt to copy a store left is removed beside a log, and without one it is no new store', async () => {
  const left = `${folder}.new-0123abcd`;
  const leave = () => {
    mkdirSync(left);
    writeFileSync(join(left, '1-1.log'), 'half');
  };
  await started();
  leave();
  mkdirSync(`${folder}.new-from-tape`);
  await started();
  expect(existsSync(left)).toBe(false);
  expect(existsSync(`${folder}.new-from-tape`)).toBe(true);
  leave();
  for (const gone of [path, folder]) rmSync(gone, { recursive: true });
  await expect(open()).rejects.toThrow(
    `${left} is a copy that was not finished, and there is no ${folder}: copy again`,
  );
  rmSync(left, { recursive: true });
  await started();
});

test('a note that names another place is refused, with a log or without one, and replaced only there', async () => {
  await started();
  const place = 'shard gateway of database causeway';
  for (let times = 0; times < 2; times += 1) await leaveNote(path, place, realDisk);
  expect(note()).toBe(`The store is in ${place}.\n`);
  const refused = `${path} is a note: "The store is in ${place}." Copy that`;
  await expect(open()).rejects.toThrow(refused);
  rmSync(folder, { recursive: true });
  await expect(open()).rejects.toThrow(refused);
  rmSync(path);
  await started();
  expect(note()).toBe('The store is in gateway-log.\n');
});

test('a text that is no note is refused', async () => {
  writeFileSync(path, 'this is a text of more than sixteen bytes, not a database');
  await expect(open()).rejects.toThrow(`${path} is not a store`);
});
