/**
 * Power loss and damage, played on copies of a store's files. A disk may drop or tear what was not yet synced: then the
 * store opens with every commit that was acknowledged, and with all or nothing of the last one. A bit that flips in
 * what was synced is told by name, or hurts nothing; it never changes what is read.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { recordsIn } from '../../src/store/record.ts';
import { openChecked } from '../../src/store/sqlite-check.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { SqliteTables } from '../../src/store/sqlite-tables.ts';
import { CorruptRecord, type Write } from '../../src/store/store.ts';
import { takeOver } from '../../src/store/take-over.ts';
import type { LongRun } from './main.ts';

const sector = 512;
const limits = { maxBytes: 1024 ** 3, keptBytesPerSession: 1024 ** 2 };
/** A front file is left for the other after some three commits. */
const longBytes = 200_000;

/** The files of the store by their endings: the tables, SQLite's log, and the two front files. */
const endings = ['', '-wal', '-front-1-0', '-front-1-1'] as const;
type Ending = (typeof endings)[number];
type Bytes = { readonly [ending in Ending]: Buffer };

/** What the files hold, when so many commits were acknowledged. */
interface Files {
  readonly commits: number;
  readonly bytes: Bytes;
}

export async function run({ short, seed }: LongRun): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-power-'));
  const random = randomFrom(seed);
  const tally = { torn: 0, told: 0, harmless: 0, cut: 0 };
  try {
    for (let round = 0; round < (short ? 3 : 30); round += 1) {
      const history = makeHistory(folder, random);
      for (let i = 0; i < 40; i += 1) await tearLastStep(folder, history, random, tally);
      for (let i = 0; i < 60; i += 1) await flipBit(folder, history, random, tally);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const { torn, told, harmless, cut } = tally;
  if (told === 0) throw new Error('no flipped bit was ever told');
  return `${torn} power losses without loss; of flipped bits ${told} told by name, ${harmless} harmless, ${cut} cut off with the last commit`;
}

/** What the files held after each step: between two of them each file is one of the two, or torn. */
type History = readonly Files[];

/** A step is a commit, a carrying over of what is there, both at once as two threads do it, or a checkpoint. */
function makeHistory(folder: string, random: () => number): History {
  const path = join(folder, 'source.db');
  const owning = openChecked(path);
  const { owner, front } = takeOver(path, owning, { ...limits, longBytes });
  const carrying = new DatabaseSync(path);
  carrying.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
  const tables = new SqliteTables(carrying, limits);
  const carry = () => {
    const work = front.uncarried();
    const records = endings
      .slice(2)
      .flatMap((ending) => [...recordsIn(readFileSync(path + ending), owner.mark)]);
    tables.carry(owner, records, work.lastSequence);
    return work;
  };
  const history: Files[] = [filesOf(path, 0)];
  const commits = 10 + Math.floor(random() * 20);
  for (let commit = 1; commit <= commits; commit += 1) {
    front.append(writesOf(commit));
    const isAtOnce = random() < 0.2;
    if (!isAtOnce) history.push(filesOf(path, commit));
    if (isAtOnce || random() < 0.4) {
      const work = carry();
      history.push(filesOf(path, commit));
      front.carried(work);
    }
    if (random() > 0.2) continue;
    carrying.exec('PRAGMA wal_checkpoint(PASSIVE)');
    history.push(filesOf(path, commit));
  }
  front.close();
  carrying.close();
  owning.close();
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
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
async function tearLastStep(
  folder: string,
  history: History,
  random: () => number,
  tally: { torn: number },
): Promise<void> {
  const k = Math.floor(random() * (history.length - 1));
  const [before, after] = [history[k], history[k + 1]];
  if (before === undefined || after === undefined) return;
  const bytes = mapped((ending) => {
    const [old, fresh] = [before.bytes[ending], after.bytes[ending]];
    return torn(ending === '-wal' ? withHeaderOf(fresh, old) : old, fresh, random);
  });
  const commits = await read(place(folder, bytes));
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

async function flipBit(
  folder: string,
  history: History,
  random: () => number,
  tally: { told: number; harmless: number; cut: number },
): Promise<void> {
  const files = history[1 + Math.floor(random() * (history.length - 1))];
  if (files === undefined) return;
  const bytes = mapped((ending) => Buffer.from(files.bytes[ending]));
  const filled = endings.filter((ending) => bytes[ending].length > 0);
  const ending = filled[Math.floor(random() * filled.length)] ?? '';
  const target = bytes[ending];
  const at = Math.floor(random() * target.length);
  target[at] = (target[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  const path = place(folder, bytes);
  try {
    const commits = await read(path);
    if (commits === files.commits) tally.harmless += 1;
    else if (commits === files.commits - 1 && ending !== '') tally.cut += 1;
    else throw new Error(`bit at ${at} of «${ending}»: ${commits} of ${files.commits} commits`);
  } catch (error) {
    if (!(error instanceof CorruptRecord)) throw error;
    tally.told += 1;
  }
}

/** Opens the store, reads all of it and compares it with what was written; answers how many commits there are. */
async function read(path: string): Promise<number> {
  const store = await openSqliteStore({
    path,
    ...limits,
    durability: 'process',
    reserveBytes: 4096,
  });
  try {
    const commits = await store.end('journal');
    const records = await store.read('journal', 0, 1e6);
    const messages = await store.messages('A', 1, 1e6, 1e9);
    const { nextOut, nextIn, oldestKept } = await store.numbers('A');
    const cursor = (await store.cursor('venue')) ?? 0;
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
    await store.close();
  }
}

function filesOf(path: string, commits: number): Files {
  return { commits, bytes: mapped((ending) => readFileSync(path + ending)) };
}

function mapped(bytesOf: (ending: Ending) => Buffer): Bytes {
  const entries = endings.map((ending) => [ending, bytesOf(ending)] as const);
  return Object.fromEntries(entries) as Bytes;
}

function place(folder: string, bytes: Bytes): string {
  const path = join(folder, 'copy.db');
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  for (const ending of endings) writeFileSync(path + ending, bytes[ending]);
  return path;
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
