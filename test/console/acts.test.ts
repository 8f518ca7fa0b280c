/** What operators do at the console, over a real socket, with a real bridge behind it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NodeLink } from '../../src/cluster/node-link.ts';
import type { AskedAct } from '../../src/console/act-shape.ts';
import { carryOut } from '../../src/console/acts.ts';
import type { AlarmRow } from '../../src/console/alarm-list.ts';
import type { ApprovalRow } from '../../src/console/approvals.ts';
import type { RouteParts } from '../../src/console/routes.ts';
import type { Kill, KillScope } from '../../src/gateway/gate/kill-switch.ts';
import type { ActReport } from '../../src/gateway/operator/cluster-link.ts';
import { ActRefused } from '../../src/gateway/operator/operator.ts';
import type { FoundOrders } from '../../src/gateway/view/order-search.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { type ConsoleDesk, startConsoleDesk, type Visitor } from '../support/console-desk.ts';
import { fieldOf } from '../support/fix-peer.ts';

let desk: ConsoleDesk;
let visitor: Visitor;
const alphaSession = 'FIX.4.4:CAUSEWAY/->ALPHA/';

beforeAll(async () => {
  desk = await startConsoleDesk(undefined, { fourEyes: ['reopen'] });
  visitor = await desk.login();
});

afterAll(async () => {
  await desk.stop();
});

const isReport = (execType: string) => (message: string) => fieldOf(message, '150') === execType;

test('orders are canceled one by one and all in a scope, and their clients get the reports', async () => {
  const alpha = await desk.client('ALPHA');
  const rests = async (clOrdId: string, symbol = 'BTC-USDC') => {
    alpha.say(`D|11=${clOrdId}|55=${symbol}|54=1|38=0.01|40=2|44=2000|59=1|60=now`);
    await alpha.next(isReport('0'));
    const { rows } = await visitor.get<FoundOrders>(`/api/orders?text=${clOrdId}`);
    return rows[0]?.key ?? '';
  };
  const one = await rests('cancel-1');
  for (const clOrdId of ['mass-1', 'mass-2']) await rests(clOrdId);
  await rests('mass-3', 'ETH-USDC');
  const cancel = { act: 'cancel', orders: [one, 'unknown'], why: 'fat finger' };
  expect((await visitor.act(cancel)).text).toContain('1 order is being canceled');
  expect(fieldOf(await alpha.next(isReport('4')), '11')).toBe('cancel-1');
  expect((await visitor.act(cancel)).text).toContain('None of these orders is open');
  const scope = { kind: 'session', name: alphaSession };
  const mass = { act: 'mass_cancel', scope, symbol: 'BTC-USDC', why: 'wrong prices' };
  expect((await visitor.act(mass)).text).toContain('2 orders are being canceled');
  for (let i = 0; i < 2; i += 1) await alpha.next(isReport('4'));
  expect((await visitor.act({ ...mass, scope: { kind: 'account', name: 'nobody' } })).status).toBe(
    409,
  );
  const open = await visitor.get<FoundOrders>('/api/orders?text=mass-&state=open');
  expect(open.rows.map(({ clOrdId }) => clOrdId)).toEqual(['mass-3']);
  expect((await visitor.act({ ...mass, symbol: '' })).text).toContain('1 order is');
  await alpha.next(isReport('4'));
});

test('a refused order shows its reason, and orders are sorted by the server', async () => {
  const bravo = await desk.client('BRAVO');
  for (const qty of ['0.03', '0.01', '90000', '0.02']) {
    bravo.say(`D|11=sort-${qty}|55=BTC-USDC|54=1|38=${qty}|40=2|44=30000|59=1|60=now`);
    await bravo.next((message) => ['0', '8'].includes(fieldOf(message, '150') ?? ''));
  }
  const sorted = async (query: string) => {
    const { next, rows } = await visitor.get<FoundOrders>(`/api/orders?text=sort-&${query}`);
    return { next, names: rows.map(({ qty }) => qty), rows };
  };
  const first = await sorted('sort=qty&isRising=1&limit=2');
  expect(first.names).toEqual(['0.01', '0.02']);
  const { key = '', value = '' } = first.next ?? {};
  const before = encodeURIComponent(`${encodeURIComponent(value)}:${key}`);
  const second = await sorted(`sort=qty&isRising=1&limit=2&before=${before}`);
  expect([second.names, second.next]).toEqual([['0.03', '90000'], null]);
  expect(second.rows[1]?.reason).not.toBe('');
  expect((await sorted('sort=clOrdId')).names).toEqual(['90000', '0.03', '0.02', '0.01']);
  const cookie = { cookie: visitor.cookie };
  for (const query of ['sort=nothing', 'sort=qty&before=x:K', 'before=%25zz:K']) {
    expect((await desk.ask('GET', `/api/orders?${query}`, cookie)).status).toBe(400);
  }
});

test('where four eyes are configured, a second operator approves, and nobody approves alone', async () => {
  const reopen = { act: 'reopen', account: 'desk-b', why: 'the venue says so' };
  expect((await visitor.act(reopen)).text).toContain('waits for approval by a second operator');
  const [request] = await visitor.get<ApprovalRow[]>('/api/approvals');
  expect(request).toMatchObject({ who: 'demo', act: 'reopen', why: 'the venue says so' });
  const approve = { act: 'approve', request: request?.id, why: 'checked' };
  const { status, text } = await visitor.act(approve);
  expect([status, text]).toEqual([409, expect.stringContaining('second operator')]);
  expect((await visitor.act({ ...approve, act: 'decline' })).status).toBe(200);
  const { records } = await visitor.get<{ records: { what: string }[] }>('/api/audit');
  expect(records.map(({ what }) => what)).not.toContain('reopen');
});

test('an alarm is acknowledged and assigned, which the audit chain proves and a file keeps', async () => {
  await visitor.act({
    act: 'kill',
    scope: { kind: 'session', name: alphaSession },
    why: 'alarm test',
    confirm: 'KILL',
  });
  await visitor.act({
    act: 'release',
    scope: { kind: 'session', name: alphaSession },
    why: 'alarm test',
  });
  const read = async () => (await visitor.get<AlarmRow[]>('/api/alarms?level=alarm'))[0];
  const alarm = (await read())?.id ?? 0;
  expect((await visitor.get<{ alarms: number }>('/api/overview')).alarms).toBeGreaterThan(0);
  const { number = 0 } = (await read()) ?? {};
  const acknowledge = { act: 'acknowledge', alarm, number, why: 'it was a test' };
  expect((await visitor.act({ ...acknowledge, alarm: 999 })).status).toBe(409);
  expect((await visitor.act({ ...acknowledge, number: number - 1 })).text).toContain(
    'raised again',
  );
  expect((await visitor.act({ act: 'assign', alarm, to: 'bob', why: 'his session' })).status).toBe(
    200,
  );
  expect((await visitor.act(acknowledge)).status).toBe(200);
  expect(await read()).toMatchObject({
    assignee: 'bob',
    acknowledged: { who: 'demo', why: 'it was a test' },
  });
  const { records } = await visitor.get<{ records: { what: string }[] }>('/api/audit?limit=2');
  expect(records.map(({ what }) => what)).toEqual(['alarm_acknowledge', 'alarm_assign']);
  const changes = await visitor.get<{ what: string; level: string }[]>('/api/changes');
  expect(changes.find(({ level }) => level === 'action')?.what).toContain('it was a test');
  expect(changes.some(({ what }) => what.includes('audit chain:'))).toBe(false);
});

/** A shard of a cluster whose node answers only if the test does. */
function shardOf() {
  const clock = new ManualClock();
  const link = new NodeLink(clock, () => {});
  const calls: string[] = [];
  const kills: Kill[] = [];
  const operator = {
    kills,
    kill(_: object, scope: KillScope): number {
      if (scope.kind !== 'all') throw new ActRefused(`there is no ${scope.kind} ${scope.name}`);
      calls.push('kill');
      kills.splice(0, 1, { scope, reason: '', sinceMs: 0 });
      return 2;
    },
  };
  const parts = { clock, cluster: link, view: { operator }, approvals: { needs: () => false } };
  const act = (asked: object) =>
    carryOut(parts as never as RouteParts, 'ann', asked as AskedAct).catch((error) => error);
  const answer = (report: Partial<ActReport>) => {
    const whole = { confirmed: [], unconfirmed: [], act: { kind: 'kill' }, ...report } as ActReport;
    link.answered({ kind: 'answer', number: 1, answer: whole });
  };
  return { act, answer, calls, clock, operator };
}

const kill = { act: 'kill', scope: { kind: 'all' }, why: 'wrong prices', confirm: 'KILL' };
const east = { shard: 'east', node: 'n1', atMs: 0, isHere: true, text: 'The kill switch is on.' };

test('a kill switch is on in the shard of the console after 300 ms, though its node hangs', async () => {
  const { act, calls, clock } = shardOf();
  const outcome = act(kill);
  clock.advance(299);
  expect(calls).toEqual([]);
  clock.advance(1);
  expect(calls).toEqual(['kill']);
  clock.advance(6_000);
  expect(await outcome).toBe(
    'NOT confirmed by any other shard: the node does not answer: whether the act was carried out is unknown. ' +
      'This shard: The kill switch is on; 2 orders are being canceled.',
  );
  expect(calls).toEqual(['kill']);
});

test('a kill switch that was on before is thrown again, because new orders may be open', async () => {
  const { act, calls, clock, operator } = shardOf();
  operator.kill({}, { kind: 'all' });
  const outcome = act(kill);
  clock.advance(6_000);
  expect(await outcome).toContain('2 orders are being canceled');
  expect(calls).toEqual(['kill', 'kill']);
});

test('a kill switch that the node brings to the shard in time is not thrown twice', async () => {
  const { act, answer, calls, clock, operator } = shardOf();
  const outcome = act(kill);
  operator.kill({}, { kind: 'all' });
  clock.advance(1_000);
  answer({ id: 7, confirmed: [east] });
  expect(await outcome).toBe(
    'Shard east confirms (node n1, 1970-01-01T00:00:00.000Z): The kill switch is on.',
  );
  expect(calls).toEqual(['kill']);
});

test('what a node that answers late says about the shards is shown, with what was done here', async () => {
  const { act, answer, clock } = shardOf();
  const outcome = act(kill);
  clock.advance(1_000);
  answer({ id: 7, unconfirmed: [{ shard: 'west', why: 'no node serves it' }] });
  expect(await outcome).toBe(
    'Shard west has NOT confirmed: no node serves it. This shard: The kill switch is on; 2 orders are being canceled.',
  );
});

test('an account of another shard cannot be stopped here, and the answer says so', async () => {
  const { act, calls, clock } = shardOf();
  const outcome = act({ ...kill, scope: { kind: 'account', name: 'b' } });
  clock.advance(6_000);
  expect(await outcome).toMatch(/^NOT confirmed .* This shard: there is no account b$/);
  expect(calls).toEqual([]);
});

test('a release that the node does not answer is not done here, and the page shows why', async () => {
  const { act, clock } = shardOf();
  const outcome = act({ act: 'release', scope: { kind: 'all' }, why: 'prices are right' });
  clock.advance(6_000);
  const text = 'the node does not answer: whether the act was carried out is unknown';
  const error = await outcome;
  expect([error instanceof ActRefused, String(error)]).toEqual([true, `Error: ${text}`]);
});
