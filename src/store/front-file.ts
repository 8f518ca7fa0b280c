/**
 * The file in front of the tables: a commit is an append to it, and is carried over into the tables later
 * (docs/decisions/0180-a-file-in-front-of-the-tables.md). It is two files that take turns; one that is long is left for
 * the other as soon as all that the other holds is carried over, and then written again from its beginning.
 *
 * They bear the number of the opening of the store, and so does its token, an empty file: it says whose records will be
 * read (docs/decisions/0211-a-token-says-who-owns-a-store.md). The next opening removes it before it reads anything, and an
 * owner looks for it behind each write and before it tells anybody. So what an owner told was written before the token went,
 * and is read. How long either of them sleeps in between makes no difference.
 */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeAll } from '../runtime/write-all.ts';
import { prepareFile } from './prepared-file.ts';
import { encodeRecord, inOrder, recordsIn, type StoredRecord } from './record.ts';
import type { FrontRow } from './schema.ts';
import { takenOver } from './sqlite-tables.ts';
import { CorruptRecord, type PositionConflict, type Write } from './store.ts';

/** A part of a file that holds whole records. */
export interface Extent {
  readonly descriptor: number;
  readonly from: number;
  readonly to: number;
}

/** What was written since this was asked for last, up to the record of this number. */
export interface Uncarried {
  readonly extents: readonly Extent[];
  readonly lastSequence: number;
}

interface File {
  readonly descriptor: number;
  end: number;
  lastSequence: number;
}

const turns = [0, 1] as const;

const frontPath = (path: string, opening: number, turn: number) =>
  `${path}-front-${opening}-${turn}`;

const tokenPath = (path: string, opening: number) => `${path}-front-${opening}-owner`;

export class FrontFile {
  readonly #path: string;
  readonly #owner: FrontRow;
  readonly #longBytes: number;
  readonly #token: string;
  readonly #files: readonly [File, File];
  #file: File;
  #sequence = 0;
  #carried = 0;
  #extents: { descriptor: number; from: number; to: number }[] = [];
  #uncarriedBytes = 0;

  constructor(path: string, owner: FrontRow, longBytes: number) {
    const { opening } = owner;
    this.#path = path;
    this.#owner = owner;
    this.#longBytes = longBytes;
    const [first, second] = turns;
    this.#files = [made(frontPath(path, opening, first)), made(frontPath(path, opening, second))];
    this.#file = this.#files[0];
    this.#token = tokenPath(path, opening);
    closeSync(openSync(this.#token, 'w', 0o600));
  }

  /** The number of the last record. */
  get sequence(): number {
    return this.#sequence;
  }

  get uncarriedBytes(): number {
    return this.#uncarriedBytes;
  }

  /** What an owner is told when a later opening than its own has begun. */
  get conflict(): PositionConflict | undefined {
    if (existsSync(this.#token)) return undefined;
    const { opening } = this.#owner;
    return takenOver(opening, opening + 1);
  }

  /** The file that was written last. */
  get descriptor(): number {
    return this.#file.descriptor;
  }

  /** Makes both files long before they are filled. */
  prepare(): void {
    for (const turn of turns)
      prepareFile(frontPath(this.#path, this.#owner.opening, turn), this.#longBytes);
  }

  /** Throws what the disk says, and `PositionConflict` when another process has opened the store. */
  append(writes: readonly Write[]): void {
    const sequence = this.#sequence + 1;
    const record = encodeRecord(this.#owner.mark, sequence, writes);
    this.#takeTurns();
    const file = this.#file;
    writeAll(file.descriptor, record, file.end);
    const { conflict } = this;
    if (conflict !== undefined) throw conflict;
    this.#note(file, record.length);
    file.lastSequence = sequence;
    this.#sequence = sequence;
    this.#uncarriedBytes += record.length;
  }

  /** Each record is handed out once. */
  uncarried(): Uncarried {
    const extents = this.#extents;
    this.#extents = [];
    return { extents, lastSequence: this.#sequence };
  }

  /** The tables hold all of these, and keep them when the power is lost. */
  carried({ extents, lastSequence }: Uncarried): void {
    for (const { from, to } of extents) this.#uncarriedBytes -= to - from;
    this.#carried = lastSequence;
  }

  close(): void {
    for (const { descriptor } of this.#files) closeSync(descriptor);
  }

  #takeTurns(): void {
    if (this.#file.end < this.#longBytes) return;
    const other = this.#files[0] === this.#file ? this.#files[1] : this.#files[0];
    if (other.lastSequence > this.#carried) return;
    other.end = 0;
    this.#file = other;
  }

  #note(file: File, bytes: number): void {
    const { descriptor, end } = file;
    file.end += bytes;
    const last = this.#extents.at(-1);
    if (last?.descriptor === descriptor && last.to === end) last.to = file.end;
    else this.#extents.push({ descriptor, from: end, to: file.end });
  }
}

/** When this returns, the owner of this opening tells of nothing more that it writes. */
export function takeToken(path: string, opening: number): void {
  rmSync(tokenPath(path, opening), { force: true });
}

/** What an opening wrote and the tables do not hold; throws where a record is missing before another. */
export function leftBehind(
  path: string,
  { opening, mark, carried }: FrontRow,
): readonly StoredRecord[] {
  const found: StoredRecord[] = [];
  for (const turn of turns) {
    const file = frontPath(path, opening, turn);
    if (existsSync(file)) found.push(...recordsIn(readFileSync(file), mark));
  }
  return inOrder(found, carried, frontPath(path, opening, 0));
}

/** Throws where a later opening than the next one's left something: then the tables are an older copy. */
export function demandNoLater(path: string, opening: number): void {
  for (const { file, opening: other } of frontFiles(path)) {
    if (other <= opening || readFileSync(file).every((byte) => byte === 0)) continue;
    throw new CorruptRecord(path, `it is an older copy: ${file} is of a later opening`);
  }
}

/** Removes what openings up to this one wrote; all of it is carried over. */
export function removeFronts(path: string, upToOpening: number): void {
  for (const { file, opening } of frontFiles(path)) {
    if (opening <= upToOpening) rmSync(file, { force: true });
  }
}

function frontFiles(path: string): { readonly file: string; readonly opening: number }[] {
  const start = `${basename(path)}-front-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(start))
    .map((name) => ({
      file: join(dirname(path), name),
      opening: Number.parseInt(name.slice(start.length), 10),
    }));
}

/** What lies there is of an opening that never came to write. */
function made(path: string): File {
  return { descriptor: openSync(path, 'w+', 0o600), end: 0, lastSequence: 0 };
}
