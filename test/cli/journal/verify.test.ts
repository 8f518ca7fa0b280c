import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { JournalFile } from '../../../src/cli/journal/journal-file.ts';
import { auditRecords, verifyJournal } from '../../../src/cli/journal/verify.ts';
import { AuditChain, auditGenesis } from '../../../src/store/audit-chain.ts';
import { openLogStore } from '../../../src/store/log/log-store.ts';
import type { Write } from '../../../src/store/store.ts';
import { Transactions } from '../../../src/store/transactions.ts';

const made: string[] = [];
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true });
});

async function storeOf(acts: number, ...commits: Write[][]): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'verify-'));
  made.push(directory);
  const path = join(directory, 'gateway.db');
  const store = await openLogStore({ path, durability: 'process', reserveBytes: 0 });
  const transactions = new Transactions(store, (error) => {
    throw error;
  });
  const audit = await AuditChain.open(store, transactions);
  const act = { who: 'olga', what: 'kill', subject: 'all', why: '', before: null, after: null };
  for (let atMs = 1; atMs <= acts; atMs += 1) transactions.run(() => audit.add({ atMs, ...act }));
  await new Promise((resolve) => setImmediate(resolve));
  for (const writes of commits) await store.commit(writes);
  await store.close();
  return directory;
}

async function verify(directory: string, progress: (done: number) => void = () => {}) {
  using file = await JournalFile.open(directory);
  return verifyJournal(file, progress);
}

const bytes = (text: string) => Buffer.from(text);
const append = (stream: string, expected: number, text: string): Write => ({
  kind: 'append',
  stream,
  expected,
  payload: bytes(text),
});
const sent = (session: string, seq: number, nextOut: number): Write[] => [
  { kind: 'messages', session, firstSeq: seq, bytes: bytes('m'), ends: [1] },
  { kind: 'numbers', session, nextIn: 1, nextOut },
];

test('a right store has no fault; records, kept and held messages are counted, and the chain has its head', async () => {
  const directory = await storeOf(
    2,
    [append('a', 0, 'one'), append('a', 1, 'two')],
    [{ kind: 'snapshot', stream: 'a', position: 1, payload: bytes('state') }],
    sent('S', 8, 9),
    [{ kind: 'hold', session: 'S', position: 1, bytes: bytes('waits') }],
  );
  using file = await JournalFile.open(directory);
  const head = [...auditRecords(file)].at(-1);
  expect(verifyJournal(file, () => {})).toEqual({
    faults: [],
    records: 4,
    messages: 2,
    auditRecords: 2,
    auditHead: head?.hash,
  });
});

test('a store without acts has the head of no record', async () => {
  const found = await verify(await storeOf(0, [append('a', 0, 'one')]));
  expect(found).toMatchObject({ faults: [], records: 1, auditRecords: 0, auditHead: auditGenesis });
});

test('a message with a number that has not been given is a fault, and the other sessions are checked', async () => {
  const right = sent('Z', 8, 9);
  const found = await verify(await storeOf(0, sent('S', 8, 8), sent('T', 8, 7), right));
  expect(found.messages).toBe(1);
  expect(found.faults).toEqual([
    expect.stringMatching(/message 8 of S.*the next number is 8/),
    expect.stringMatching(/message 8 of T.*the next number is 7/),
  ]);
});

test('at most a hundred faults are listed', async () => {
  const sessions = Array.from({ length: 101 }, (_, index) => sent(`S${index}`, 2, 2));
  expect((await verify(await storeOf(0, ...sessions.slice(1)))).faults).toHaveLength(100);
  expect((await verify(await storeOf(0, ...sessions))).faults).toHaveLength(100);
});

test('a record of the chain that does not follow the one before it is a fault', async () => {
  const whole = await storeOf(3);
  using file = await JournalFile.open(whole);
  const [first, , third] = [...file.records('audit')].map(({ payload }) => payload);
  const without = [first, third].map(
    (payload, expected): Write => append('audit', expected, Buffer.from(payload ?? []).toString()),
  );
  const directory = await storeOf(0, without);
  const { faults } = await verify(directory);
  expect(faults).toEqual([expect.stringContaining('2')]);
  using cut = await JournalFile.open(directory);
  const records = auditRecords(cut);
  expect(records.next().value).toMatchObject({ position: 1, previous: auditGenesis });
  expect(() => records.next()).toThrow();
});

test('damage is listed by its file and by the record that is lost, and what is beside it is checked', async () => {
  const whole = await storeOf(
    1,
    [append('a', 0, 'the record')],
    [append('b', 0, 'other')],
    sent('S', 1, 2),
  );
  const directory = mkdtempSync(join(tmpdir(), 'verify-'));
  made.push(directory);
  cpSync(whole, directory, { recursive: true });
  using file = await JournalFile.open(directory);
  const folder = join(directory, 'gateway-log');
  for (const name of readdirSync(folder)) {
    const content = readFileSync(join(folder, name));
    const at = content.indexOf('the record');
    if (at < 0) continue;
    content[at]! ^= 1;
    writeFileSync(join(folder, name), content);
  }
  const { faults, ...counts } = verifyJournal(file, () => {});
  expect(faults).toContainEqual(expect.stringMatching(/^\S+, offset \d+: it is damaged/));
  expect(faults).toContainEqual(expect.stringMatching(/^record 1 of stream a: /));
  expect(counts).toMatchObject({ records: 2, auditRecords: 1 });
});
