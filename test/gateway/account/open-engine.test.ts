/**
 * A start on the directory that a bridge of version 0.1 left when it was killed: five orders, of which one was canceled
 * and one replaced; then, with the venue out of reach, a new order `u1` and a cancel of `r2`, of both of which nobody
 * knows the outcome.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Account } from '../../../src/domain/units.ts';
import { EffectSums } from '../../../src/engine/effect-sums.ts';
import { type OpenEngine, openEngine } from '../../../src/gateway/account/open-engine.ts';
import { venueSettings } from '../../../src/gateway/config/engine-settings.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import { fastestBlake3 } from '../../../src/signer/blake3.ts';
import { openLogStore } from '../../../src/store/log/log-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { Transactions } from '../../../src/store/transactions.ts';
import { fullRules } from '../../domain/ladder.ts';
import { keptDirectory } from '../../support/kept-directory.ts';
import { causeway } from '../../support/program.ts';
import { sandboxProfile as profile } from '../../support/quick-files.ts';

const account = '0xcba3d41ca914fef2384e137cdeea7914739978d1' as Account;
const session = 'FIX.4.4:CAUSEWAY/->ALPHA/';
const { blake3 } = await fastestBlake3();
const settings = { sessionRules: {}, otherRules: fullRules, ...venueSettings(profile, 5_000) };
const now = { wallMs: 1_800_000_000_000, monoMs: 5_000 };

let directory: string;
let store: Store;
let transactions: Transactions;

beforeEach(async () => {
  directory = keptDirectory('earlier-directory');
  await start();
});

afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

async function start(): Promise<void> {
  store = await openLogStore({
    path: join(directory, 'gateway.db'),
    durability: 'process',
    reserveBytes: 0,
  });
  transactions = new Transactions(store, (error) => {
    throw error;
  });
}

function open(configured = settings): Promise<OpenEngine> {
  return openEngine({
    account,
    store,
    transactions,
    clock: new ManualClock(),
    keptDays: () => 1,
    blake3,
    configured: () => configured,
  });
}

test('every order is known as it was last reported to the client', async () => {
  const { orders } = await open();
  const stateOf = (clOrdId: string) => {
    const order = orders.byClOrdId(session, clOrdId);
    return [order?.phase, order?.pending?.kind ?? null, String(order?.leavesQty)];
  };
  expect(stateOf('r0')).toEqual(['canceled', null, '0']);
  expect(stateOf('g1')).toEqual(['live', null, '20000000']);
  expect(stateOf('r2')).toEqual(['live', 'cancel', '10000000']);
  expect(stateOf('r3')).toEqual(['live', null, '10000000']);
  expect(stateOf('u1')).toEqual(['pending_new', null, '10000000']);
  expect(orders.openCount).toBe(5);
});

test('an action with an unknown outcome is looked up, or sent again byte for byte while it is fresh', async () => {
  const { engine, orders, outbox } = await open();
  const kindsAt = (wallMs: number) => {
    engine.step({ kind: 'started' }, now);
    return engine.step({ kind: 'resume' }, { ...now, wallMs }).flatMap((effect) => {
      if (effect.kind === 'submit') return [`0x${effect.bytes.hash}`];
      return effect.kind === 'wake' ? ['a look'] : [];
    });
  };
  expect(kindsAt(now.wallMs)).toEqual(['a look', 'a look']);
  const made = Math.max(...outbox.state().submissions.map(({ bytes }) => bytes?.madeMs ?? 0));
  const hashes = [
    orders.byClOrdId(session, 'u1')?.venueRef,
    orders.byClOrdId(session, 'r2')?.pending?.venueRef,
  ];
  expect(kindsAt(made + 1_000)).toEqual(hashes);
});

test('no nonce is issued twice, and keys continue where they were', async () => {
  const { orders, outbox } = await open();
  const digests = outbox.nonces.digests();
  const nonces = outbox.state().submissions.map(({ nonce }) => nonce);
  expect(new Set(nonces).size).toBe(2);
  for (const nonce of nonces) expect(outbox.nonces.state(nonce ?? 0)).toBe('unknown');
  expect(digests.size).toBeGreaterThanOrEqual(2);
  const [key = ''] = orders.newKeys('desk-a', 1);
  expect(orders.get(key)).toBeUndefined();
});

test('each record is applied under the settings of its time, and the next start has its own', async () => {
  const reduced = { ...settings, otherRules: { ...fullRules, pendingStates: false } };
  const { engine, journal, newSettings, orders, state } = await open();
  const [order] = orders.open();
  if (order === undefined) throw new Error('no order is open');
  const { accountName, session: own, tag } = order.owner;
  const [key = ''] = orders.newKeys('desk-a', 1);
  const owner = { session: own, account, accountName, tag, key, quoteId: null };
  const { instrument, terms } = order;
  const entry = { kind: 'entry', owner, clOrdId: 'n1', instrument, terms, nowMs: 1 } as const;
  // No nonce is known, so it waits, and the client is told that it is pending.
  const inputs = [{ kind: 'started' }, { kind: 'resume' }, entry] as const;
  const reports = inputs.flatMap((input) => engine.step(input, now)).filter(isReport);
  expect(reports).toHaveLength(1);
  await new Promise<void>((resolve) => {
    transactions.run(() => {
      journal.append({ at: now, inputs, settings: newSettings() }, state);
      transactions.after(resolve);
    });
  });
  await store.close();
  await start();
  const again = await open(reduced);
  expect(again.orders.get(key)?.ownReports).toBe(1);
  expect(again.newSettings()).toEqual(reduced);
  expect(again.newSettings()).toBeUndefined();
});

test('the next start reads the records of before and those of this version behind them', async () => {
  const { engine, journal, orders } = await open();
  const inputs = [{ kind: 'started' }, { kind: 'spent', session, clOrdId: 'x' }] as const;
  for (const input of inputs) engine.step(input, now);
  await new Promise<void>((resolve) => {
    transactions.run(() => {
      journal.append({ at: now, inputs }, orders);
      transactions.after(resolve);
    });
  });
  await store.close();
  await start();
  const again = await open();
  expect(again.orders.isSpent(session, 'x')).toBe(true);
  expect(again.orders.openCount).toBe(5);
  expect(again.outbox.state()).toEqual((await open()).outbox.state());
  expect(again.journal.end).toBe(journal.end);
});

test('a directory of the version before has its settings from the first start on, and needs no configuration to be replayed', async () => {
  await store.close();
  rmSync(directory, { recursive: true });
  directory = keptDirectory('directory-before-sums');
  expect((await causeway('replay', directory)).stderr).toContain('did not record its settings');
  await start();
  const { engine, journal, newSettings, orders, state } = await open();
  expect(orders.openCount).toBe(4);
  const sums = new EffectSums();
  const inputs = [{ kind: 'started' }] as const;
  sums.add(engine.step(inputs[0], now));
  await new Promise<void>((resolve) => {
    transactions.run(() => {
      const settings = newSettings();
      journal.append({ at: now, inputs, effects: sums.take(), settings }, state);
      transactions.after(resolve);
    });
  });
  await store.close();
  const { status, stdout } = await causeway('replay', directory, '--account', account);
  expect([status, stdout]).toEqual([0, expect.stringContaining('It agrees in all')]);
  await start();
});

function isReport({ kind }: { readonly kind: string }): boolean {
  return kind === 'report';
}

/** What is written inside the transaction survives. */
async function written(write: () => void): Promise<void> {
  await new Promise<void>((resolve) => {
    transactions.run(() => {
      write();
      transactions.after(resolve);
    });
  });
  await store.close();
  await start();
}

test('a start that would have acted differently from its record is refused, with what to do', async () => {
  const { engine, journal, newSettings, state } = await open();
  const sums = new EffectSums();
  const inputs = [{ kind: 'started' }, { kind: 'resume' }] as const;
  for (const input of inputs) sums.add(engine.step(input, now));
  const record = { at: now, inputs, settings: newSettings() };
  const effects = sums.take();
  await written(() => journal.append({ ...record, effects: `${effects} report:0` }, state));
  const where = `desk/${account}, record ${journal.end}`;
  await expect(open()).rejects.toThrow(`${where}: this version acts differently`);
  await expect(open()).rejects.toThrow('stop it with SIGTERM');
});

test('a version that acts otherwise starts behind one that was stopped in good order', async () => {
  const { engine, journal, newSettings, outbox, state } = await open();
  const inputs = [{ kind: 'started' }, { kind: 'resume' }] as const;
  for (const input of inputs) engine.step(input, now);
  await written(() => {
    const record = { at: now, inputs, settings: newSettings() };
    journal.append({ ...record, effects: '3 report:0' }, state);
    journal.rest(state);
  });
  const again = await open();
  expect(again.outbox.state()).toEqual(outbox.state());
  expect(again.journal.end).toBe(journal.end);
});
