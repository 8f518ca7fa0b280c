/**
 * Power loss and damage, played on copies of a store's files. A disk may drop or tear what was not yet synced: then the
 * store opens with every commit that was acknowledged, and with all or nothing of the last one. A bit that flips in
 * what was synced is told by name, or hurts nothing; it never changes what is read.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SqliteFile } from '../../src/store/sqlite-file.ts';
import { CorruptRecord, type Write } from '../../src/store/store.ts';
import type { LongRun } from './main.ts';

const sector = 512;
const settings = {
  durability: 'power',
  maxBytes: 1024 ** 3,
  reserveBytes: 4096,
  keptBytesPerSession: 1024 ** 2,
  maxWaitingBytes: 1024 ** 2,
} as const;

/** The bytes of the store's two files, when so many commits were acknowledged. */
interface Files {
  readonly commits: number;
  readonly main: Buffer;
  readonly log: Buffer;
}

export async function run({ short, seed }: LongRun): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-power-'));
  const random = randomFrom(seed);
  const tally = { torn: 0, told: 0, harmless: 0, cut: 0 };
  try {
    for (let round = 0; round < (short ? 3 : 30); round += 1) {
      const history = makeHistory(folder, random);
      for (let i = 0; i < 40; i += 1) tearLastStep(folder, history, random, tally);
      for (let i = 0; i < 60; i += 1) flipBit(folder, history, random, tally);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const { torn, told, harmless, cut } = tally;
  if (told === 0) throw new Error('no flipped bit was ever told');
  return `${torn} power losses without loss; of flipped bits ${told} told by name, ${harmless} harmless, ${cut} cut off with the last commit`;
}

/** What the files held after each commit and after each checkpoint: between two of them is one of the two. */
type History = readonly Files[];

function makeHistory(folder: string, random: () => number): History {
  const path = join(folder, 'source.db');
  const store = new SqliteFile({ path, ...settings });
  const history: Files[] = [filesOf(path, 0)];
  const commits = 10 + Math.floor(random() * 20);
  for (let commit = 1; commit <= commits; commit += 1) {
    store.commit([writesOf(commit)]);
    history.push(filesOf(path, commit));
    if (random() > 0.2) continue;
    checkpoint(path);
    history.push(filesOf(path, commit));
  }
  store.close();
  for (const ending of ['', '-wal', '-shm', '-reserve']) rmSync(path + ending, { force: true });
  return history;
}

/** Each commit says its own number in every table, and is between one and some thirty pages long. */
function writesOf(commit: number): Write[] {
  const bytes = Buffer.alloc(100 + ((commit * 7_919) % 120_000), `commit ${commit} `);
  return [
    { kind: 'append', stream: 'journal', expected: commit - 1, payload: bytes.subarray(0, 50) },
    { kind: 'messages', session: 'A', firstSeq: commit, bytes, ends: [bytes.length] },
    { kind: 'numbers', session: 'A', nextIn: commit, nextOut: commit + 1 },
    { kind: 'cursor', name: 'venue', value: commit },
  ];
}

/** The disk had the files of one step, and some sectors of what the next step wrote. */
function tearLastStep(
  folder: string,
  history: History,
  random: () => number,
  tally: { torn: number },
): void {
  const k = Math.floor(random() * (history.length - 1));
  const [before, after] = [history[k], history[k + 1]];
  if (before === undefined || after === undefined) return;
  const path = place(folder, {
    main: torn(before.main, after.main, random),
    log: torn(withHeaderOf(after.log, before.log), after.log, random),
  });
  const commits = read(path);
  if (commits !== before.commits && commits !== after.commits)
    throw new Error(`after a power loss behind commit ${before.commits} it ends at ${commits}`);
  tally.torn += 1;
}

/** SQLite syncs the header of a log that starts anew before it writes the first frame. */
function withHeaderOf(after: Buffer, before: Buffer): Buffer {
  const header = after.subarray(0, 32);
  return Buffer.concat([header, before.subarray(header.length)]);
}

function torn(before: Buffer, after: Buffer, random: () => number): Buffer {
  const share = random();
  const bytes = Buffer.alloc(Math.max(before.length, after.length));
  before.copy(bytes);
  let length = before.length;
  for (let at = 0; at < after.length; at += sector) {
    if (random() > share) continue;
    after.copy(bytes, at, at, at + sector);
    length = Math.max(length, Math.min(after.length, at + sector));
  }
  return bytes.subarray(0, length);
}

function flipBit(
  folder: string,
  history: History,
  random: () => number,
  tally: { told: number; harmless: number; cut: number },
): void {
  const k = 1 + Math.floor(random() * (history.length - 1));
  const files = history[k];
  if (files === undefined) return;
  const copy = {
    commits: files.commits,
    main: Buffer.from(files.main),
    log: Buffer.from(files.log),
  };
  const target =
    random() * (copy.main.length + copy.log.length) < copy.main.length ? copy.main : copy.log;
  const at = Math.floor(random() * target.length);
  target[at] = (target[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  const path = place(folder, copy);
  try {
    const commits = read(path);
    if (commits === copy.commits) tally.harmless += 1;
    else if (commits === copy.commits - 1 && target === copy.log) tally.cut += 1;
    else
      throw new Error(
        `bit at ${at} of ${target === copy.log ? 'log' : 'file'}: ${commits} of ${copy.commits} commits`,
      );
  } catch (error) {
    if (!(error instanceof CorruptRecord)) throw error;
    tally.told += 1;
  }
}

/** Opens the store, reads all of it and compares it with what was written; answers how many commits there are. */
function read(path: string): number {
  const store = new SqliteFile({ path, ...settings });
  try {
    const commits = store.end('journal');
    const records = store.read('journal', 0, 1e6);
    const messages = store.messages('A', 1, 1e6, 1e9);
    const { nextOut, nextIn, oldestKept } = store.numbers('A');
    const cursor = store.cursor('venue') ?? 0;
    const isWhole =
      records.length === commits &&
      cursor === commits &&
      nextOut === commits + 1 &&
      nextIn === Math.max(1, commits) &&
      messages.length === commits + 1 - oldestKept;
    if (!isWhole) throw new Error(`a part of commit ${commits} is missing`);
    for (const { seq, bytes } of messages) {
      const written = writesOf(seq)[1];
      const isSame = written?.kind === 'messages' && Buffer.compare(bytes, written.bytes) === 0;
      if (!isSame) throw new Error(`message ${seq} is not what was written`);
    }
    return commits;
  } finally {
    store.close();
  }
}

function filesOf(path: string, commits: number): Files {
  const log = `${path}-wal`;
  return {
    commits,
    main: readFileSync(path),
    log: existsSync(log) ? readFileSync(log) : Buffer.alloc(0),
  };
}

function place(folder: string, { main, log }: Omit<Files, 'commits'>): string {
  const path = join(folder, 'copy.db');
  for (const ending of ['-shm', '-reserve']) rmSync(path + ending, { force: true });
  writeFileSync(path, main);
  writeFileSync(`${path}-wal`, log);
  return path;
}

function checkpoint(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  database.close();
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
