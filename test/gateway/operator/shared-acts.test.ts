/** Acts for all shards on a bridge: each is done once, in its order, and is still done after a restart. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NumberedAct, SharedAct } from '../../../src/gateway/operator/shared-acts.ts';
import { type Bridge, startBridge } from '../../support/bridge.ts';

let bridge: Bridge;
const here = { atMs: 5, node: 'n2' };

beforeAll(async () => {
  bridge = await startBridge();
});
afterAll(() => bridge.stop());

const numbered = (id: number, act: SharedAct): NumberedAct => ({
  ...{ id, act, uid: `u${id}`, atMs: id, node: 'n1' },
  by: { who: 'ann', why: 'wrong prices' },
});
const apply = (id: number, act: SharedAct) => {
  const { operator, sharedActs } = bridge.gateway;
  return sharedActs.apply(operator, numbered(id, act), here);
};
const kill = { kind: 'kill', scope: { kind: 'all' } } as const;

test('an act is done once, and the bridge still knows it after a restart', async () => {
  expect(await apply(7, kill)).toMatchObject({ node: 'n2', isHere: true });
  expect(await apply(7, kill)).toBeUndefined();
  expect(await apply(6, { ...kill, kind: 'release' })).toBeUndefined();
  await bridge.restart();
  const { operator, sharedActs, view } = bridge.gateway;
  expect(operator.kills.map(({ scope }) => scope.kind)).toEqual(['all']);
  expect([sharedActs.last, sharedActs.done[0]?.numbered]).toEqual([7, numbered(7, kill)]);
  const [record] = await view.auditRecords(Number.MAX_SAFE_INTEGER, 1);
  expect([record?.what, record?.who]).toEqual(['kill', 'ann']);
  expect(await apply(8, { ...kill, kind: 'release' })).toMatchObject({ isHere: true });
  expect(operator.kills).toEqual([]);
});

test('limits reach the account, and an account of another shard changes nothing here', async () => {
  const target = { kind: 'account', name: 'desk-a' } as const;
  const act = { kind: 'set_limits', target, limits: { maxOrderQty: '2' } } as const;
  expect(await apply(9, act)).toMatchObject({ isHere: true });
  await bridge.restart();
  const row = bridge.gateway.view.venue().accounts.find(({ name }) => name === 'desk-a');
  expect(JSON.stringify(row)).toContain('"maxOrderQty":"2"');
  const elsewhere = { ...act, target: { ...target, name: 'desk-x' } };
  expect(await apply(10, elsewhere)).toMatchObject({
    isHere: false,
    text: 'there is no account desk-x',
  });
});

test('a shard opens with the record of a longer reason than a node accepts today', async () => {
  const by = { who: 'ann', why: `${'x'.repeat(200)} (approved by ${'y'.repeat(100)})` };
  const { operator, sharedActs } = bridge.gateway;
  await sharedActs.apply(operator, { ...numbered(11, kill), by }, here);
  await bridge.restart();
  expect(bridge.gateway.sharedActs.done.at(-1)?.numbered.by).toEqual(by);
});
