import { expect, test } from 'vitest';
import {
  AuditBroken,
  AuditChain,
  type AuditEntry,
  auditGenesis,
  auditStream,
  checked,
} from '../../src/store/audit-chain.ts';
import type { JournalRecord } from '../../src/store/store.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { MemoryStore } from '../support/memory-store.ts';

const entry = (why: string): AuditEntry => ({
  atMs: 1_700_000_000_000,
  who: 'ann',
  what: 'kill',
  subject: 'everything',
  why,
  before: { kills: [] },
  after: { kills: [1n.toString()] },
});

async function chainOf(whys: readonly string[]) {
  const store = new MemoryStore();
  const transactions = new Transactions(store, (error) => {
    throw error;
  });
  const chain = await AuditChain.open(store, transactions);
  for (const why of whys) transactions.run(() => chain.add(entry(why)));
  await new Promise<void>((resolve) => transactions.run(() => transactions.after(resolve)));
  return { store, transactions, chain };
}

function changed({ payload, position }: JournalRecord, change: (text: string) => string) {
  return { position, payload: Buffer.from(change(Buffer.from(payload).toString())) };
}

test('each record follows the one before it, and a start goes on where the chain ends', async () => {
  const { chain, store, transactions } = await chainOf(['first', 'second']);
  const again = await AuditChain.open(store, transactions);
  expect([again.head, again.length]).toEqual([chain.head, 2]);
  transactions.run(() => again.add(entry('third')));
  const records = await again.latest(Number.MAX_SAFE_INTEGER, 10);
  expect(records.map(({ why }) => why)).toEqual(['third', 'second', 'first']);
  expect(records[2]?.previous).toBe(auditGenesis);
  expect(records[0]?.previous).toBe(records[1]?.hash);
});

test('the latest records come in pages, each as short as asked', async () => {
  const { chain } = await chainOf(['1', '2', '3', '4']);
  const whys = async (upTo: number) => (await chain.latest(upTo, 2)).map(({ why }) => why);
  expect(await whys(99)).toEqual(['4', '3']);
  expect(await whys(2)).toEqual(['2', '1']);
});

test.each([
  ['a changed word', (text: string) => text.replace('first', 'other'), 'is not what was written'],
  [
    'another position',
    (text: string) => text.replace('"position":1', '"position":2'),
    'is numbered',
  ],
  [
    'another record before it',
    (text: string) => text.replace(auditGenesis, 'a'.repeat(64)),
    'follow',
  ],
  ['no JSON', () => '{', 'is not JSON'],
  [
    'a member too many',
    (text: string) => text.replace('{', '{"more":1,'),
    'is not an audit record',
  ],
])('%s is told', async (_, change, fault) => {
  const { store } = await chainOf(['first']);
  const [record] = await store.read(auditStream, 0, 1);
  if (record === undefined) throw new Error('nothing was recorded');
  expect(() => checked(record, auditGenesis)).not.toThrow();
  expect(() => checked(changed(record, change), auditGenesis)).toThrow(AuditBroken);
  expect(() => checked(changed(record, change), auditGenesis)).toThrow(fault);
});

test('a bridge does not go on from a broken chain', async () => {
  const { store, transactions } = await chainOf(['first', 'second']);
  const [, second] = await store.read(auditStream, 0, 2);
  const forged = new MemoryStore();
  if (second === undefined) throw new Error('nothing was recorded');
  const payload = second.payload;
  await forged.commit([{ kind: 'append', stream: auditStream, expected: 0, payload }]);
  await expect(AuditChain.open(forged, transactions)).rejects.toThrow('audit record 1');
});
