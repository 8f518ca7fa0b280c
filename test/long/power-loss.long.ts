/**
 * Power loss and damage, played on copies of a log's files. A disk may drop or tear what was not yet synced: then the
 * store opens with every commit that was acknowledged, and with all or nothing of the last one. A bit that flips in
 * what was synced is told by name, or hurts nothing; it never changes what is read.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Disk, realDisk } from '../../src/store/log/disk.ts';
import { logFolder, openLogStore } from '../../src/store/log/log-store.ts';
import { CorruptRecord, type Store, type Write } from '../../src/store/store.ts';
import type { LongRun } from './main.ts';

const sector = 512;
const limits = {
  reserveBytes: 4096,
  segmentBytes: 150_000,
  blockBytes: 20_000,
  stateShare: 0,
  keptBytesPerSession: 1024 ** 2,
} as const;

/** A file's content: what a power loss leaves for sure, and what it may leave sectors of. */
interface Content {
  readonly synced: Buffer;
  readonly written: Buffer;
}

/** The files by their names: as the directory was synced last, and as it is. */
interface Files {
  /** How many commits were acknowledged. */
  readonly told: number;
  readonly synced: ReadonlyMap<string, Content>;
  readonly written: ReadonlyMap<string, Content>;
}

interface Tally {
  torn: number;
  told: number;
  harmless: number;
  cut: number;
}

export async function run({ short, seed }: LongRun): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-power-'));
  const random = randomFrom(seed);
  const tally: Tally = { torn: 0, told: 0, harmless: 0, cut: 0 };
  try {
    for (let round = 0; round < (short ? 3 : 30); round += 1) {
      const history = await makeHistory(join(folder, 'source.db'), random);
      for (let i = 0; i < 40; i += 1) await tear(folder, history, random, tally);
      for (let i = 0; i < 60; i += 1) await flipBit(folder, history, random, tally);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const { torn, told, harmless, cut } = tally;
  if (told === 0) throw new Error('no flipped bit was ever told');
  return `${torn} power losses without loss; of flipped bits ${told} told by name, ${harmless} harmless, ${cut} cut off with the last commit`;
}

/** The real disk, which knows of each file what was synced last: under its name, and of its content. */
class WatchedDisk implements Disk {
  readonly #content = new Map<string, Buffer>();
  #names = new Map<string, string>();
  readonly #idOf = new Map<string, string>();
  #made = 0;
  #asked = 0;
  #kept = 0;
  /** Called when something is about to change. */
  onChange: () => void = () => {};

  files(): Pick<Files, 'synced' | 'written'> {
    const written = new Map<string, Content>();
    const contents = new Map<string, Content>();
    const syncedOf = (id: string) => this.#content.get(id) ?? Buffer.alloc(0);
    for (const [path, id] of this.#idOf) {
      const content = { synced: syncedOf(id), written: contentOf(path) };
      written.set(path, content);
      contents.set(id, content);
    }
    const synced = new Map<string, Content>();
    for (const [path, id] of this.#names) {
      synced.set(path, contents.get(id) ?? { synced: syncedOf(id), written: syncedOf(id) });
    }
    return { synced, written };
  }

  makeDirectory = realDisk.makeDirectory;
  list = realDisk.list;
  has = realDisk.has;
  freeBytes = realDisk.freeBytes;

  open(path: string, mode: Parameters<Disk['open']>[1]) {
    const isThere = realDisk.has(path);
    const file = realDisk.open(path, mode);
    if (!isThere) this.#idOf.set(path, String(++this.#made));
    const id = this.#idOf.get(path) ?? '';
    let kept = 0;
    let asked = 0;
    // Of two syncs at once the later one counts, whichever is done first.
    const keep = (content: Buffer, at: number) => {
      if (at < kept) return;
      kept = at;
      this.#content.set(id, content);
    };
    const whole = () => Buffer.from(file.read(0, file.size()));
    return {
      size: () => file.size(),
      read: (at: number, bytes: number) => file.read(at, bytes),
      write: (bytes: Uint8Array, at: number) => {
        file.write(bytes, at);
        this.onChange();
      },
      sync: async () => {
        const content = whole();
        asked += 1;
        const at = asked;
        await file.sync();
        keep(content, at);
      },
      syncNow: () => {
        asked += 1;
        keep(whole(), asked);
      },
      close: () => file.close(),
      [Symbol.dispose]: () => file.close(),
    };
  }

  rename(from: string, to: string): void {
    realDisk.rename(from, to);
    this.#idOf.set(to, this.#idOf.get(from) ?? '');
    this.#idOf.delete(from);
    this.onChange();
  }

  remove(path: string): void {
    realDisk.remove(path);
    this.#idOf.delete(path);
    this.onChange();
  }

  async syncDirectory(path: string): Promise<void> {
    const names = new Map(this.#idOf);
    this.#asked += 1;
    const asked = this.#asked;
    await realDisk.syncDirectory(path);
    // Of two at once the later one counts, whichever is done first.
    if (asked < this.#kept) return;
    this.#kept = asked;
    this.#names = names;
  }
}

function contentOf(path: string): Buffer {
  const file = realDisk.open(path, 'read');
  const bytes = Buffer.from(file.read(0, file.size()));
  file.close();
  return bytes;
}

/** What the disk held at moments while commits were made, segments left, compressed, carried forward and removed. */
async function makeHistory(path: string, random: () => number): Promise<readonly Files[]> {
  rmSync(logFolder(path), { recursive: true, force: true });
  const disk = new WatchedDisk();
  const history: Files[] = [];
  let told = 0;
  const store = await openLogStore({ ...limits, path, durability: 'power', disk });
  disk.onChange = () => {
    if (random() < 0.2) history.push({ told, ...disk.files() });
  };
  const commits = 15 + Math.floor(random() * 20);
  for (let commit = 1; commit <= commits; commit += 1) {
    await store.commit(writesOf(commit));
    told = commit;
    if (random() < 0.5) await rest();
    history.push({ told, ...disk.files() });
  }
  await store.close();
  return history;
}

/** Long enough for what goes on beside the commits to come to something. */
async function rest(): Promise<void> {
  for (let round = 0; round < 30; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Each commit says its own number in every stream and session, and is between one and some thirty pages long. */
function writesOf(commit: number): Write[] {
  const bytes = Buffer.alloc(100 + ((commit * 7_919) % 120_000), `commit ${commit} `);
  const writes: Write[] = [
    { kind: 'append', stream: 'journal', expected: commit - 1, payload: bytes.subarray(0, 50) },
    { kind: 'messages', session: 'A', firstSeq: commit, bytes, ends: [bytes.length] },
    { kind: 'numbers', session: 'A', nextIn: commit, nextOut: commit + 1 },
    { kind: 'cursor', name: 'venue', value: commit },
  ];
  return writes;
}

/** Of what was not synced the disk has some sectors, some lengths and some names. */
async function tear(
  folder: string,
  history: readonly Files[],
  random: () => number,
  tally: Tally,
): Promise<void> {
  const at = Math.floor(random() * history.length);
  const files = history[at];
  if (files === undefined) return;
  const { told, synced, written } = files;
  const names = new Set([...synced.keys(), ...written.keys()]);
  const left = new Map<string, Buffer>();
  for (const name of names) {
    // A name that was not synced may be there or not, and so may one that was removed.
    const content = random() < 0.5 ? synced.get(name) : written.get(name);
    if (content !== undefined) left.set(name, torn(content.synced, content.written, random));
  }
  const commits = await read(place(folder, left));
  if (commits !== told && commits !== told + 1)
    throw new Error(`after a power loss behind commit ${told} it ends at ${commits}`);
  tally.torn += 1;
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
  history: readonly Files[],
  random: () => number,
  tally: Tally,
): Promise<void> {
  const files = history[Math.floor(random() * history.length)];
  if (files === undefined) return;
  const { told } = files;
  const bytes = new Map(
    [...files.synced].map(([name, content]) => [name, Buffer.from(content.synced)]),
  );
  const filled = [...bytes].filter(([, content]) => content.length > 0);
  const [name, target] = filled[Math.floor(random() * filled.length)] ?? [];
  if (name === undefined || target === undefined) return;
  // A commit can be on the disk before its caller hears of it, so the files hold `told` commits or one more.
  const synced = await read(place(folder, bytes));
  if (synced !== told && synced !== told + 1)
    throw new Error(`${synced} of ${told} commits are synced`);
  const at = Math.floor(random() * target.length);
  target[at] = (target[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  try {
    const commits = await read(place(folder, bytes));
    if (commits === synced) tally.harmless += 1;
    else if (commits === synced - 1) tally.cut += 1;
    else throw new Error(`bit at ${at} of ${name}: ${commits} of ${synced} commits`);
  } catch (error) {
    if (!(error instanceof CorruptRecord)) throw error;
    tally.told += 1;
  }
}

/** Opens the store, reads all of it and compares it with what was written; answers how many commits there are. */
async function read(path: string): Promise<number> {
  const store = await openLogStore({ ...limits, path, durability: 'process' });
  try {
    return await readWhole(store);
  } finally {
    await store.close();
  }
}

async function readWhole(store: Store): Promise<number> {
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
}

function place(folder: string, files: ReadonlyMap<string, Buffer>): string {
  const path = join(folder, 'copy.db');
  const into = logFolder(path);
  rmSync(into, { recursive: true, force: true });
  // The note would refuse a log that had no segment yet.
  rmSync(path, { force: true });
  realDisk.makeDirectory(into);
  for (const [name, bytes] of files) {
    const file = realDisk.open(join(into, name.slice(name.lastIndexOf('/') + 1)), 'new');
    file.write(bytes, 0);
    file.close();
  }
  return path;
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
