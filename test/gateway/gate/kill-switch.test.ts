import { beforeEach, expect, test } from 'vitest';
import { KillSwitch } from '../../../src/gateway/gate/kill-switch.ts';
import { Transactions } from '../../../src/store/transactions.ts';
import { MemoryStore } from '../../support/memory-store.ts';

let store: MemoryStore;
let transactions: Transactions;
const kill = { scope: { kind: 'account', name: 'desk-a' }, reason: 'loss', sinceMs: 5 } as const;

beforeEach(() => {
  store = new MemoryStore();
  transactions = new Transactions(store, (error) => {
    throw error;
  });
});

const reopened = () => KillSwitch.open(transactions);

test('nobody is refused while nothing is killed', async () => {
  expect((await reopened()).denial('desk-a', 's')).toBeUndefined();
});

test('an account, a session or everything is refused, and nobody else', async () => {
  const own = await reopened();
  transactions.run(() => own.engage(kill));
  expect(own.denial('desk-a', 's')).toMatchObject({ text: 'loss' });
  expect(own.denial('desk-b', 's')).toBeUndefined();
  transactions.run(() => own.engage({ ...kill, scope: { kind: 'session', name: 's' } }));
  expect(own.denial('desk-b', 's')?.refusal.name).toBe('bridge.kill_switch');
  expect(own.denial('desk-b', 't')).toBeUndefined();
  transactions.run(() => own.engage({ ...kill, scope: { kind: 'all' } }));
  expect(own.denial('desk-b', 't')).toBeDefined();
});

test('what is engaged and released is so after a restart', async () => {
  const own = await reopened();
  transactions.run(() => own.engage(kill));
  expect((await reopened()).engaged).toEqual([kill]);
  transactions.run(() => own.release(kill.scope, 6));
  expect((await reopened()).engaged).toEqual([]);
});

test('a scope that is not killed cannot be released', async () => {
  const own = await reopened();
  expect(transactions.run(() => own.release({ kind: 'all' }, 1))).toBe(false);
});
