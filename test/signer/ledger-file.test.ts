import fs, {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import { type LedgerOptions, openLedgerFile } from '../../src/signer/ledger-file.ts';
import { isFull } from '../../src/store/space.ts';
import { fillDisk, hasRoomAgain } from './full-disk.ts';

let directory: string;
let path: string;
const recordBytes = 121;
const headBytes = 60;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  path = join(directory, 'signer.ledger');
});

afterEach(() => {
  hasRoomAgain();
  rmSync(directory, { recursive: true });
});

const entries = (...fills: number[]) => Buffer.concat(fills.map((fill) => Buffer.alloc(100, fill)));

const open = (durability: 'power' | 'process', more: Partial<LedgerOptions> = {}) =>
  openLedgerFile(path, { durability, environment: 'local', mayCreate: true, ...more });

/** The first byte of each entry that the file holds. */
function readBack(): number[] {
  const file = open('process');
  const fills: number[] = [];
  try {
    file.read((entry) => fills.push(entry[0] ?? -1));
    return fills;
  } finally {
    file.close();
  }
}

function write(...appends: Buffer[]): void {
  const file = open('power');
  for (const each of appends) file.append(each);
  file.close();
}

test('what was recorded is there when the file is opened again', async () => {
  const claim = (nonce: number, fill: number) => ({
    account: `0x${'1'.repeat(40)}`,
    nonce,
    digest: new Uint8Array(32).fill(fill),
    spend: { market: 1, qty: { Bid: 1n, Ask: 0n }, notional: 5n },
    day: 20_000,
    bounds: { maxNonceJump: 65_536, knownNonce: null, daily: null },
  });
  const file = open('power');
  const ledger = new DigestLedger(file);
  for (let nonce = 0; nonce < 100; nonce += 1) ledger.record(claim(nonce, 1));
  await ledger.recorded();
  file.close();
  const again = open('power');
  const reopened = new DigestLedger(again);
  const standing = (fill: number) =>
    reopened.standing(claim(99, fill).account, 99, claim(99, fill).digest).kind;
  expect([standing(2), standing(1)]).toEqual(['other_digest', 'same']);
  expect(reopened.spent(claim(0, 1).account, 1, 20_000)).toMatchObject({ notional: 500n });
  again.close();
});

test('a file is held by one signer: a second one does not start', () => {
  const one = open('process');
  expect(() => open('process')).toThrow('another signer uses this ledger');
  one.close();
  expect(readBack()).toEqual([]);
}, 10_000);

test('wherever the last append was torn, it is cut off and the file goes on behind the one before', () => {
  write(entries(1, 2), entries(3, 4));
  const whole = readFileSync(path);
  for (let length = whole.length - 2 * recordBytes; length < whole.length; length += 13) {
    writeFileSync(path, whole.subarray(0, length));
    const kept = length < whole.length - recordBytes ? [1, 2] : [1, 2, 3];
    expect(readBack()).toEqual(kept);
    write(entries(9));
    expect(readBack()).toEqual([...kept, 9]);
  }
});

test.each(['power', 'process'] as const)(
  'an append that meets a full disk can be repeated, with durability %s, and nothing is there twice',
  (durability) => {
    const file = open(durability);
    file.append(entries(1));
    const { anchor } = file;
    fillDisk(500);
    // The file was made long enough for some records when the first one was written.
    const many = entries(...Array.from({ length: 600 }, (_, at) => at % 200));
    expect(() => file.append(many)).toThrow('EFBIG');
    expect(() => file.append(many)).toThrow('EFBIG');
    expect(() => file.rewrite(many)).toThrow('EFBIG');
    expect(file.anchor).toEqual(anchor);
    expect(file.chainAt(anchor.count)).toBe(anchor.chain);
    hasRoomAgain();
    file.append(many);
    file.close();
    expect(readBack()).toEqual([1, ...many.filter((_, at) => at % 100 === 0)]);
  },
);

test('zeros behind the last record, as a crash leaves them, are cut off', () => {
  write(entries(1), entries(2));
  writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(64 * 1024 - 7)]));
  expect(readBack()).toEqual([1, 2]);
  write(entries(3));
  expect(readBack()).toEqual([1, 2, 3]);
});

test('while it is open with durability power, the file is longer than its records', () => {
  const file = open('power');
  file.append(entries(1));
  expect(readFileSync(path).length).toBeGreaterThan(60_000);
  file.close();
  expect(readFileSync(path).length).toBe(headBytes + recordBytes);
});

test('a later page of a torn append without an earlier one is a torn tail, too', () => {
  write(entries(1), entries(2, 3, 4));
  const bytes = readFileSync(path);
  bytes.fill(0, headBytes + recordBytes, headBytes + 3 * recordBytes);
  writeFileSync(path, bytes);
  expect(readBack()).toEqual([1]);
});

test('a damaged record with a later append behind it refuses to open and is named', () => {
  write(entries(1), entries(2), entries(3));
  const bytes = readFileSync(path);
  for (let at = headBytes + recordBytes; at < headBytes + 2 * recordBytes; at += 1) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 0x40;
    writeFileSync(path, damaged);
    expect(() => readBack()).toThrow(`${path}, record 2: it is damaged`);
  }
});

test('a file that is no ledger refuses to open', () => {
  appendFileSync(path, 'something else');
  expect(() => readBack()).toThrow('it does not begin as a ledger');
});

test('what is written anew replaces the file, and appends go behind it', () => {
  const file = open('process');
  file.append(entries(1, 2, 3));
  file.rewrite(entries(3));
  file.append(entries(4));
  file.close();
  expect(readBack()).toEqual([3, 4]);
});

test('a ledger that is missing is made only if that is confirmed, and the message names how', () => {
  const refused = () => open('process', { mayCreate: false });
  expect(refused).toThrow(
    /there is no ledger of signed nonces; restore it .* --new-ledger or, with signer\.mode inline, remove signer\.anchor /,
  );
  open('process').close();
  refused().close();
});

test('a ledger that cannot be looked up is not missing: none is created in its place', () => {
  symlinkSync(path, path);
  expect(() => open('process')).toThrow('ELOOP');
  expect(readlinkSync(path)).toBe(path);
});

test('the ledger of an earlier version is not read; a confirmed new one keeps it beside', () => {
  const earlier = Buffer.concat([Buffer.from('CWLEDGR1'), Buffer.alloc(66, 1)]);
  writeFileSync(path, earlier);
  expect(() => open('process', { mayCreate: false })).toThrow('written by an earlier version');
  open('process').close();
  expect(readFileSync(`${path}.1`)).toEqual(earlier);
});

test('the ledger of another environment is refused', () => {
  open('process').close();
  expect(() => open('process', { environment: 'mainnet' })).toThrow(
    'is the ledger of a signer for local, not for mainnet',
  );
});

test('the anchor of a ledger is found in it again, after a restart and as long as the file reaches back', () => {
  write(entries(1), entries(2));
  const file = open('power');
  const before = file.anchor;
  expect(before.count).toBe(2);
  file.append(entries(3, 4));
  expect(file.anchor).toMatchObject({ id: before.id, count: 4 });
  expect(file.chainAt(2)).toBe(before.chain);
  expect(file.chainAt(4)).toBe(file.anchor.chain);
  expect(file.chainAt(5)).toBeUndefined();
  file.rewrite(entries(4));
  expect(file.anchor.count).toBe(5);
  expect(file.chainAt(2)).toBeUndefined();
  const { anchor } = file;
  file.close();
  const again = open('power');
  expect(again.anchor).toEqual(anchor);
  again.close();
});

test('a record of another ledger does not follow, although its own checksum is right', () => {
  write(entries(1), entries(2), entries(3));
  const other = readFileSync(path);
  rmSync(path);
  write(entries(4), entries(5), entries(6));
  const bytes = readFileSync(path);
  const second = headBytes + recordBytes;
  other.copy(bytes, second, second, second + recordBytes);
  writeFileSync(path, bytes);
  expect(() => readBack()).toThrow(`${path}, record 2: it does not follow the records before it`);
});

test('where a journal has the entries, they share a sync, and only what is synced is an anchor', () => {
  const file = open('power', { entriesPerSync: 3 });
  file.append(entries(1));
  file.append(entries(2));
  expect(file.anchor.count).toBe(0);
  file.append(entries(3));
  expect(file.anchor.count).toBe(3);
  file.append(entries(4));
  file.close();
  expect(readBack()).toEqual([1, 2, 3, 4]);
});

test('what was not synced and came to the disk out of order is a torn tail', () => {
  const file = open('power', { entriesPerSync: 10 });
  for (const fill of [1, 2, 3]) file.append(entries(fill));
  file.close();
  const bytes = readFileSync(path);
  bytes.fill(0, headBytes + recordBytes, headBytes + 2 * recordBytes);
  writeFileSync(path, bytes);
  expect(readBack()).toEqual([1]);
});

/** Replaces these functions of `node:fs` during the call. */
function withFs(functions: Partial<typeof fs>, use: () => void): void {
  const { fdatasyncSync, fsyncSync, writeSync } = fs;
  Object.assign(fs, functions);
  syncBuiltinESMExports();
  try {
    use();
  } finally {
    Object.assign(fs, { fdatasyncSync, fsyncSync, writeSync });
    syncBuiltinESMExports();
  }
}

/**
 * A disk that loses power at the end of `use`: the file then has what was synced. A sync that fails loses for good what
 * was written before it, although the system's cache still shows that.
 */
function losesPower(use: (failNextSync: () => void) => void): void {
  const { writeSync } = fs;
  const durable = Buffer.alloc(200_000);
  readFileSync(path).copy(durable);
  let unsynced: (() => void)[] = [];
  let isFailing = false;
  const sync = () => {
    const written = unsynced;
    unsynced = [];
    if (isFailing) {
      isFailing = false;
      throw new Error('EIO: i/o error, fdatasync');
    }
    for (const each of written) each();
  };
  const write = (fd: number, bytes: Buffer, from: number, length: number, at: number) => {
    const copy = Uint8Array.prototype.slice.call(bytes, from, from + length);
    unsynced.push(() => durable.set(copy, at));
    return writeSync(fd, bytes, from, length, at);
  };
  const failing = { fdatasyncSync: sync, fsyncSync: sync, writeSync: write as typeof writeSync };
  withFs(failing, () =>
    use(() => {
      isFailing = true;
    }),
  );
  writeFileSync(path, durable);
}

test('what an earlier signer could not sync is written again at the start, so a later loss of power takes nothing', () => {
  write(entries(1));
  losesPower((failNextSync) => {
    const failed = open('power');
    failed.append(entries(2));
    failNextSync();
    expect(() => failed.append(entries(3))).toThrow('cannot be synced: EIO');
    failed.close();
    const next = open('power');
    next.append(entries(4));
    next.close();
  });
  expect(readBack()).toEqual([1, 2, 3, 4]);
});

test('a rewrite whose new file is in place fails for good, although the directory has no room for its sync', () => {
  const file = open('power');
  file.append(entries(1, 2));
  const { fsyncSync, fstatSync } = fs;
  const full = (fd: number) => {
    if (!fstatSync(fd).isDirectory()) return fsyncSync(fd);
    throw Object.assign(new Error('ENOSPC: no space left on device, fsync'), { code: 'ENOSPC' });
  };
  let failure: unknown;
  withFs({ fsyncSync: full }, () => {
    try {
      file.rewrite(entries(2));
    } catch (error) {
      failure = error;
    }
  });
  expect(String(failure)).toContain('ENOSPC');
  // Otherwise the signer would go on, with entries in a file that has no name any more.
  expect(isFull(failure)).toBe(false);
  file.close();
  expect(readBack()).toEqual([2]);
});
