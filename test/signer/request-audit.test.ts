import fs, {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { verb } from '../../src/cli/audit.ts';
import { exitCodes } from '../../src/cli/verb.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { auditRecordsIn, RequestAudit } from '../../src/signer/request-audit.ts';
import { type AuditHead, auditGenesis } from '../../src/store/audit-chain.ts';
import { fillDisk, hasRoomAgain } from './full-disk.ts';

let directory: string;
let clock: ManualClock;
let published: AuditHead[];
let alarms: string[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'request-audit-'));
  clock = new ManualClock();
  published = [];
  alarms = [];
});
afterEach(() => {
  hasRoomAgain();
  rmSync(directory, { recursive: true });
});

const open = (maxBytes?: number) =>
  new RequestAudit(
    directory,
    clock,
    { published: (head) => void published.push(head), alarm: (_, code) => alarms.push(code) },
    maxBytes,
  );
const entry = (after: unknown) => ({
  ...{ atMs: 1, who: 'bridge', what: 'sign', subject: 'ecdsa', why: '' },
  ...{ before: 'asked', after },
});
const folder = () => join(directory, 'audit');
const files = () => readdirSync(folder()).sort();
const records = () => [...auditRecordsIn(folder())];
const verify = (...more: string[]) => verb.run(['verify', directory, ...more]);

test('a chain goes on over files and restarts, and archived files may be missing at its start', async () => {
  let audit = open(600);
  for (let count = 0; count < 5; count += 1) audit.add([entry(count), entry('second')]);
  await audit.close();
  audit = open(600);
  audit.add([entry('later')]);
  expect(records().map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(records().at(-1)?.hash).toBe(audit.head.hash);
  expect(files().length).toBeGreaterThan(2);
  rmSync(join(folder(), files()[0] ?? ''));
  expect(records()[0]?.position).toBeGreaterThan(1);
  expect(await verify('--head', audit.head.hash)).toBe(exitCodes.done);
  await audit.close();
});

test('the head that an earlier process did not publish before it was killed is published at the start', async () => {
  const killed = open();
  killed.add([entry(1)]);
  const audit = open();
  await vi.waitFor(() => expect(published).toEqual([killed.head]));
  await audit.close();
  expect(published).toHaveLength(1);
});

test('a head is published after 10 s and at the end, and only once', async () => {
  const audit = open();
  audit.add([entry(1)]);
  expect(published).toEqual([]);
  clock.advance(10_000);
  await vi.waitFor(() => expect(published).toEqual([audit.head]));
  audit.add([entry(2)]);
  await audit.close();
  expect(published.map(({ position }) => position)).toEqual([1, 2]);
});

test('a head is published once every file with its records is synced, also those before the current one', async () => {
  const waiting: (() => void)[] = [];
  const real = fs.fdatasync;
  const slow = (_: number, done: (error: null) => void) => void waiting.push(() => done(null));
  Object.assign(fs, { fdatasync: slow });
  syncBuiltinESMExports();
  try {
    const audit = open(600);
    for (let count = 0; count < 3; count += 1) audit.add([entry(count), entry('second')]);
    expect(files().length).toBeGreaterThan(1);
    clock.advance(10_000);
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0));
    waiting.pop()?.();
    await vi.waitFor(() => expect(published).toEqual([audit.head]));
    expect(waiting).toEqual([]);
    await audit.close();
  } finally {
    Object.assign(fs, { fdatasync: real });
    syncBuiltinESMExports();
  }
});

test('without room answers are counted, and the first record that fits again says how many have none', async () => {
  const audit = open();
  audit.add([entry(1)]);
  fillDisk(500);
  expect(audit.add([entry(2), entry(3), entry('long'.repeat(100))])).toBe(false);
  expect(audit.problem).toContain('the audit log cannot record: EFBIG');
  hasRoomAgain();
  expect(audit.add([entry(4)])).toBe(true);
  expect(audit.problem).toBeUndefined();
  expect(alarms).toEqual(['audit_full', 'audit_back']);
  const [, gap, later] = records();
  expect(gap).toMatchObject({ who: 'signer', what: 'gap', after: { answersWithoutRecord: 3 } });
  expect(later).toMatchObject({ position: 3, after: 4 });
  await audit.close();
  expect(await verify('--head', audit.head.hash)).toBe(exitCodes.done);
});

test('the audit log looks for room by itself, and also where the next file finds none', async () => {
  const audit = open(100);
  audit.add([entry(1)]);
  fillDisk(10);
  expect(audit.add([entry(2)])).toBe(false);
  clock.advance(5_000);
  hasRoomAgain();
  expect(audit.problem).toBeDefined();
  clock.advance(1_000);
  expect(audit.problem).toBeUndefined();
  expect(records().map(({ what }) => what)).toEqual(['sign', 'gap']);
  expect(files()).toHaveLength(2);
  await audit.close();
});

test('a file that was made and not yet written when the signer ended does not break the chain', async () => {
  const audit = open(100);
  audit.add([entry(1)]);
  fillDisk(10);
  expect(audit.add([entry(2)])).toBe(false);
  hasRoomAgain();
  expect(files()).toHaveLength(2);
  const again = open();
  again.add([entry(3)]);
  expect(records().map(({ after }) => after)).toEqual([1, 3]);
  await audit.close();
  await again.close();
});

test('a line that was being written when the signer was killed is cut off, and the chain goes on', async () => {
  const audit = open();
  audit.add([entry(1)]);
  const [file = ''] = files();
  appendFileSync(join(folder(), file), '{"position":2,"prev');
  const again = open();
  again.add([entry(2)]);
  expect(records().map(({ after }) => after)).toEqual([1, 2]);
  await audit.close();
  await again.close();
});

test.each([
  [
    'changed',
    (lines: string[]) => lines.with(1, (lines[1] ?? '').replace('"after":2', '"after":9')),
  ],
  ['removed', (lines: string[]) => lines.toSpliced(1, 1)],
  ['repeated', (lines: string[]) => lines.toSpliced(1, 0, lines[1] ?? '')],
])('a record that was %s is found, and the signer does not write behind it', async (_, change) => {
  const audit = open();
  audit.add([entry(1), entry(2), entry(3)]);
  await audit.close();
  const path = join(folder(), files()[0] ?? '');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  writeFileSync(path, `${change(lines).join('\n')}\n`);
  expect(() => open()).toThrow(/audit record [23]/);
  expect(await verify()).toBe(exitCodes.damaged);
});

test('a file that is missing in the middle, and an end that was cut off, are found', async () => {
  const audit = open(600);
  for (let count = 0; count < 6; count += 1) audit.add([entry(count), entry('second')]);
  const { head } = audit;
  await audit.close();
  const path = join(folder(), files().at(-2) ?? '');
  const text = readFileSync(path, 'utf8');
  rmSync(path);
  expect(() => records()).toThrow('does not follow record');
  writeFileSync(path, text.slice(0, text.indexOf('\n') + 1));
  for (const file of files().slice(files().length - 1)) rmSync(join(folder(), file));
  expect(await verify()).toBe(exitCodes.done);
  expect(await verify('--head', head.hash)).toBe(exitCodes.damaged);
  const cut = open(600);
  expect(cut.has(head)).toBe(false);
  expect(cut.has({ position: 0, hash: auditGenesis })).toBe(true);
  await cut.close();
});

test('after a failed sync no head is published until the next start, which writes the lines of that file again', async () => {
  const { fdatasync, writeSync } = fs;
  const failing = (_: number, done: (error: Error) => void) => done(new Error('EIO: i/o error'));
  const written: unknown[][] = [];
  const writing = (...[fd, bytes, ...rest]: Parameters<typeof writeSync>) => {
    written.push(rest);
    return writeSync(fd, bytes, ...rest);
  };
  try {
    const audit = open(600);
    audit.add([entry(1)]);
    Object.assign(fs, { fdatasync: failing });
    syncBuiltinESMExports();
    clock.advance(10_000);
    await vi.waitFor(() => expect(alarms).toEqual(['audit_failed']));
    Object.assign(fs, { fdatasync });
    syncBuiltinESMExports();
    for (let count = 0; count < 5; count += 1) audit.add([entry(count), entry('second')]);
    clock.advance(10_000);
    await audit.close();
    expect([published, files().length]).toEqual([[], 1]);
    Object.assign(fs, { writeSync: writing });
    syncBuiltinESMExports();
    await open(600).close();
    expect(published).toEqual([audit.head]);
    expect(written).toEqual([[0, statSync(join(folder(), files()[0] ?? '')).size, 0]]);
    expect(alarms).toEqual(['audit_failed']);
  } finally {
    Object.assign(fs, { fdatasync, writeSync });
    syncBuiltinESMExports();
  }
});

test('a file that cannot be synced is not followed by another one, even if the sync fails for lack of room', async () => {
  const { fdatasyncSync } = fs;
  const audit = open(100);
  audit.add([entry(1)]);
  const failing = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };
  Object.assign(fs, { fdatasyncSync: failing });
  syncBuiltinESMExports();
  try {
    expect(audit.add([entry(2)])).toBe(true);
  } finally {
    Object.assign(fs, { fdatasyncSync });
    syncBuiltinESMExports();
  }
  audit.add([entry(3)]);
  await audit.close();
  expect([alarms, files(), published]).toEqual([['audit_failed'], ['0000000001.jsonl'], []]);
  expect(records()).toHaveLength(3);
});

test('a disk that is full and then broken ends nothing but the next answer', async () => {
  const { writeSync } = fs;
  const audit = open();
  const meets = (code: string) => {
    const failing = () => {
      throw Object.assign(new Error(code), { code });
    };
    Object.assign(fs, { writeSync: failing });
    syncBuiltinESMExports();
  };
  try {
    meets('ENOSPC');
    expect(audit.add([entry(1)])).toBe(false);
    meets('EIO');
    clock.advance(5_000);
    expect(() => audit.add([entry(2)])).toThrow('EIO');
  } finally {
    Object.assign(fs, { writeSync });
    syncBuiltinESMExports();
  }
  await audit.close();
});
