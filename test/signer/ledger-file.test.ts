import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import { openLedgerFile } from '../../src/signer/ledger-file.ts';

let directory: string;
let path: string;
const recordBytes = 66;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  path = join(directory, 'signer.ledger');
});

afterEach(() => rmSync(directory, { recursive: true }));

const entries = (...fills: number[]) => Buffer.concat(fills.map((fill) => Buffer.alloc(61, fill)));

/** The first byte of each entry that the file holds. */
function readBack(): number[] {
  const file = openLedgerFile(path, 'process');
  const fills: number[] = [];
  try {
    file.read((entry) => fills.push(entry[0] ?? -1));
    return fills;
  } finally {
    file.close();
  }
}

function write(...appends: Buffer[]): void {
  const file = openLedgerFile(path, 'power');
  for (const each of appends) file.append(each);
  file.close();
}

test('what was recorded is there when the file is opened again', async () => {
  const claim = (nonce: number, fill: number) => ({
    account: `0x${'1'.repeat(40)}`,
    nonce,
    digest: new Uint8Array(32).fill(fill),
    supersedes: null,
  });
  const file = openLedgerFile(path, 'power');
  const ledger = new DigestLedger(file);
  for (let nonce = 0; nonce < 100; nonce += 1) ledger.claim(claim(nonce, 1));
  await ledger.recorded();
  file.close();
  const again = openLedgerFile(path, 'power');
  const reopened = new DigestLedger(again);
  expect(reopened.claim(claim(99, 2))).toMatchObject({ code: 'other_digest' });
  expect(reopened.claim(claim(99, 1))).toBeUndefined();
  again.close();
});

test('a file is held by one signer: a second one does not start', () => {
  const one = openLedgerFile(path, 'process');
  expect(() => openLedgerFile(path, 'process')).toThrow('another signer uses this ledger');
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

test('zeros behind the last record, as a crash leaves them, are cut off', () => {
  write(entries(1), entries(2));
  writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(64 * 1024 - 7)]));
  expect(readBack()).toEqual([1, 2]);
  write(entries(3));
  expect(readBack()).toEqual([1, 2, 3]);
});

test('while it is open with durability power, the file is longer than its records', () => {
  const file = openLedgerFile(path, 'power');
  file.append(entries(1));
  expect(readFileSync(path).length).toBeGreaterThan(60_000);
  file.close();
  expect(readFileSync(path).length).toBe(8 + recordBytes);
});

test('a later page of a torn append without an earlier one is a torn tail, too', () => {
  write(entries(1), entries(2, 3, 4));
  const bytes = readFileSync(path);
  bytes.fill(0, 8 + recordBytes, 8 + 3 * recordBytes);
  writeFileSync(path, bytes);
  expect(readBack()).toEqual([1]);
});

test('a damaged record with a later append behind it refuses to open and is named', () => {
  write(entries(1), entries(2), entries(3));
  const bytes = readFileSync(path);
  for (let at = 8 + recordBytes; at < 8 + 2 * recordBytes; at += 1) {
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
  const file = openLedgerFile(path, 'process');
  file.append(entries(1, 2, 3));
  file.rewrite(entries(3));
  file.append(entries(4));
  file.close();
  expect(readBack()).toEqual([3, 4]);
});
