/** What is recorded and has no outcome goes on over a snapshot and a start. */
import { expect, test } from 'vitest';
import { deny } from '../../src/domain/denial.ts';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import { submissionId } from '../../src/domain/order.ts';
import type { OrderId, Qty } from '../../src/domain/units.ts';
import { Desk } from '../../src/gateway/desk.ts';
import { deskStream, restoreDesk } from '../../src/gateway/desk-journal.ts';
import { encodeRecord, encodeState } from '../../src/gateway/desk-record.ts';
import { OpenActions } from '../../src/gateway/open-actions.ts';
import type { PreparedAction } from '../../src/gateway/prepared-action.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { account, fullRules, spot, terms } from '../domain/ladder.ts';

const instrument = instrumentsOf(spot)[0]!;
const rules = () => fullRules;

function actionOf(key: string): PreparedAction {
  const orderId = `0x${key}` as OrderId;
  return {
    key,
    requestId: submissionId,
    nonce: 1n,
    actionHash: `hash ${key}`,
    orderId,
    canonical: '{}',
  };
}

function place(desk: Desk, key: string): PreparedAction {
  const whose = { session: 'S', account, accountName: 'desk', tag: 'T', key, quoteId: null };
  const wanted = terms({ qty: 10n as Qty });
  desk.apply({ kind: 'entry', owner: whose, clOrdId: key, instrument, terms: wanted, nowMs: 0 });
  const action = actionOf(key);
  const { actionHash, orderId, requestId } = action;
  const sent = { kind: 'sent', requestId, actionHash, orderId, firedOrderId: null, nowMs: 0 };
  desk.apply({ kind: 'order', key, input: sent as never });
  return action;
}

function refuse(desk: Desk, key: string): void {
  const outcome = { kind: 'refused', denial: deny('post_only_would_cross') } as const;
  const input = { kind: 'answered', requestId: submissionId, outcome, nowMs: 0 } as const;
  desk.apply({ kind: 'order', key, input });
}

test('those that are waited for are listed, the others are forgotten', () => {
  const desk = new Desk(rules);
  const before = place(desk, 'before');
  const open = new OpenActions(desk, [before]);
  const [first, second] = [place(desk, 'a'), place(desk, 'b')];
  open.add([first, second]);
  expect(open.list()).toEqual([before, first, second]);
  refuse(desk, 'a');
  expect(open.list()).toEqual([before, second]);
});

test('many that have ended take no room', () => {
  const awaited = new Set<string>();
  const looks: string[] = [];
  const awaits = (key: string) => {
    looks.push(key);
    return awaited.has(key);
  };
  const open = new OpenActions({ awaits }, []);
  awaited.add('k7');
  for (let i = 0; i < 100_000; i += 1) open.add([actionOf(`k${i}`)]);
  expect(open.list()).toEqual([actionOf('k7')]);
  // Each is looked at a few times at most.
  expect(looks.length).toBeLessThan(300_000);
});

test('a start finds an action whose record lies before the snapshot', async () => {
  const store = new MemoryStore();
  const stream = deskStream(account);
  const desk = new Desk(rules);
  const kept = place(desk, 'a');
  const over = place(desk, 'b');
  refuse(desk, 'b');
  const record = encodeRecord({ inputs: [], actions: [kept, over] });
  await store.commit([
    { kind: 'append', stream, expected: 0, payload: record },
    { kind: 'append', stream, expected: 1, payload: encodeRecord({ inputs: [], actions: [] }) },
  ]);
  const open = new OpenActions(desk, [kept, over]);
  const payload = encodeState({ ...desk.state(), actions: open.list() });
  await store.commit([{ kind: 'snapshot', stream, position: 1, payload }]);
  const restored = await restoreDesk(store, account, rules);
  expect(restored.unresolved).toEqual([kept]);
  expect(restored.journal.end).toBe(2);
});
