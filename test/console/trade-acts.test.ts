/** An operator busts and corrects trades at the console, over real sockets: what client, readers and auditors get. */
import { afterEach, expect, test } from 'vitest';
import type { ApprovalRow } from '../../src/console/approvals.ts';
import type { Answers } from '../../src/console/routes.ts';
import type { StoryStep } from '../../src/console/story.ts';
import type { OrderRow, TradeRow } from '../../src/gateway/view/order-row.ts';
import type { FoundOrders } from '../../src/gateway/view/order-search.ts';
import type { AuditRecord } from '../../src/store/audit-chain.ts';
import { type ConsoleDesk, startConsoleDesk, type Visitor } from '../support/console-desk.ts';
import { type FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';

let desk: ConsoleDesk;
let visitor: Visitor;

afterEach(() => desk.stop());

interface OrderAnswer {
  readonly order: OrderRow;
  readonly trades: readonly TradeRow[];
  readonly steps: readonly StoryStep[];
}

const isReport = (execType: string) => (message: string) => fieldOf(message, '150') === execType;
const values = (message: string, ...tags: number[]) =>
  tags.map((tag) => fieldOf(message, `${tag}`));
const why = 'agreed with the other side';

async function start(roles?: readonly string[], section?: object): Promise<void> {
  desk = await startConsoleDesk(roles, section);
  visitor = await desk.login();
}

/** ALPHA buys 0.02 and BRAVO sells it this much. */
async function traded(sold = '0.02') {
  const alpha = await desk.client('ALPHA');
  const bravo = await desk.client('BRAVO');
  alpha.say('D|11=bought|55=BTC-USDC|54=1|38=0.02|40=2|44=40000|59=1|60=now');
  await alpha.next(isReport('0'));
  sell(bravo, 'sold', sold);
  const execId = fieldOf(await alpha.next(isReport('F')), '17') ?? '';
  const { rows } = await visitor.get<FoundOrders>('/api/orders?text=bought');
  return { alpha, bravo, execId, order: rows[0]?.key ?? '' };
}

function sell(peer: FixPeer, clOrdId: string, qty: string): void {
  peer.say(`D|11=${clOrdId}|55=BTC-USDC|54=2|38=${qty}|40=2|44=40000|59=3|60=now`);
}

const read = (key: string) => visitor.get<OrderAnswer>(`/api/order?key=${encodeURIComponent(key)}`);

test('V-06: a correction and a bust reach the client, and the audit chain has the state before and after', async () => {
  await start();
  const { alpha, execId, order } = await traded();
  const correct = { act: 'correct', order, execId, price: '39999.5', qty: '0.015', why };
  const { status, text } = await visitor.act(correct);
  expect(status).toBe(200);
  const corrected = await alpha.next(isReport('G'));
  const correction = fieldOf(corrected, '17') ?? '';
  expect(text).toContain(`${correction}: CumQty(14) is 0.015`);
  expect(values(corrected, 19, 39, 32, 31, 14, 151, 6)).toEqual([
    ...[execId, '4', '0.015', '39999.5', '0.015', '0', '39999.5'],
  ]);
  const bust = { act: 'bust', order, execId: correction, why, confirm: 'BUST' };
  expect((await visitor.act(bust)).status).toBe(200);
  const busted = await alpha.next(isReport('H'));
  expect(values(busted, 19, 39, 32, 31, 14, 151, 6)).toEqual([
    ...[correction, '4', undefined, undefined, '0', '0', '0'],
  ]);
  const page = await read(order);
  expect(page.order).toMatchObject({ status: 'canceled', cumQty: '0', avgPx: null });
  expect(page.trades).toEqual([
    {
      ...{ execId: fieldOf(busted, '17'), firstExecId: execId },
      ...{ price: '39999.5', qty: '0', isBusted: true },
    },
  ]);
  const titles = page.steps.map(({ title }) => title);
  expect(titles).toContain('An operator corrects a trade');
  expect(titles).toContain('An operator busts a trade');
  const { records } = await visitor.get<{ records: AuditRecord[] }>('/api/audit');
  expect(records.slice(0, 2)).toMatchObject([
    {
      ...{ what: 'bust', who: 'demo', why, subject: `trade ${correction} of order ${order}` },
      before: { execId: correction, price: '39999.5', qty: '0.015', cumQty: '0.015' },
      after: { execId: fieldOf(busted, '17'), qty: '0', cumQty: '0', status: 'canceled' },
    },
    { what: 'correct', before: { qty: '0.02', status: 'filled' }, after: { qty: '0.015' } },
  ]);
});

test('D-10: readers get copies of both, as reports and as trade captures, and the totals count them', async () => {
  await start();
  const drop = await desk.client('DROP');
  drop.say('AD|568=trades|569=0|263=1');
  await drop.next((message) => typeOf(message) === 'AQ');
  const isTrade = (transType: string) => (message: string) =>
    typeOf(message) === 'AE' && fieldOf(message, '487') === transType;
  const { execId, order } = await traded();
  const asked = { order, execId, why };
  await visitor.act({ ...asked, act: 'correct', price: '39999', qty: '0.01' });
  const capturedCorrection = await drop.next(isTrade('2'));
  const corrected = await drop.next(isReport('G'));
  expect(values(corrected, 797, 19, 32, 31, 14)).toEqual(['Y', execId, '0.01', '39999', '0.01']);
  expect(values(capturedCorrection, 572, 32, 31)).toEqual([execId, '0.01', '39999']);
  const correction = fieldOf(corrected, '17');
  await visitor.act({ ...asked, act: 'bust', execId: correction, confirm: 'BUST' });
  expect(values(await drop.next(isTrade('1')), 572, 32, 31)).toEqual([correction, '0', '0']);
  expect(values(await drop.next(isReport('H')), 797, 19, 14)).toEqual(['Y', correction, '0']);
  drop.say('UR|9120=totals|9121=6');
  const isOfDesk = (message: string) =>
    typeOf(message) === 'UT' && fieldOf(message, '1') === 'desk-a';
  expect(values(await drop.next(isOfDesk), 9132, 9140, 9141)).toEqual(['1', '1', '1']);
  const [shown] = await visitor.get<Answers['/api/copies']>('/api/copies');
  const ofDesk = shown?.accounts.find(({ account }) => account === 'desk-a');
  expect(ofDesk).toMatchObject({ trades: 1, busts: 1, corrections: 1 });
});

test('what cannot be busted or corrected is refused with a reason, and changes nothing', async () => {
  await start();
  const { alpha, execId, order } = await traded();
  const bust = { act: 'bust', order, execId, why, confirm: 'BUST' };
  const correct = { act: 'correct', order, execId, price: '40000', qty: '0.01', why };
  const refused = async (act: object) => {
    const { status, text } = await visitor.act(act);
    return `${status} ${text}`;
  };
  expect(await refused({ ...bust, order: 'o999' })).toContain(
    '409 {"error":"there is no order o999',
  );
  expect(await refused({ ...bust, execId: 'x' })).toContain(
    '409 {"error":"the order has no trade x',
  );
  expect(await refused({ ...bust, confirm: 'bust' })).toContain('400');
  expect(await refused({ ...bust, why: '' })).toContain('400');
  expect(await refused({ ...correct, qty: '0.03' })).toContain('would exceed OrderQty(38)');
  expect(await refused({ ...correct, qty: '0' })).toContain('409');
  expect(await refused({ ...correct, price: '40000.0000000001' })).toContain(
    'digits after the dot',
  );
  expect(await refused({ ...correct, price: '4e4' })).toContain('400');
  expect(await refused({ ...correct, price: 40000 })).toContain('400');
  const stranger = await visitor.act(bust, { 'x-causeway-csrf': 'x' });
  expect(stranger.status).toBe(403);
  expect((await read(order)).trades).toMatchObject([{ execId, qty: '0.02', isBusted: false }]);
  // Two requests at once, as from a button that was pressed twice.
  const both = await Promise.all([visitor.act(bust), visitor.act(bust)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  await alpha.next(isReport('H'));
  expect(await refused(bust)).toContain(`trade ${execId} is busted already`);
  expect(alpha.unasked().filter(isReport('H'))).toEqual([]);
});

test('an operator without the role operate busts nothing', async () => {
  await start(['approve', 'administer']);
  const { execId, order } = await traded();
  const bust = { act: 'bust', order, execId, why, confirm: 'BUST' };
  expect((await visitor.act(bust)).status).toBe(403);
  const correct = { act: 'correct', order, execId, price: '1', qty: '1', why };
  expect((await visitor.act(correct)).status).toBe(403);
});

test('where a bust needs four eyes, so does a correction, and what is impossible is refused at once', async () => {
  await start(undefined, { fourEyes: ['bust'] });
  const { alpha, execId, order } = await traded();
  const correct = { act: 'correct', order, execId, price: '40000', qty: '0.01', why };
  expect((await visitor.act({ ...correct, execId: 'x' })).status).toBe(409);
  expect((await visitor.act(correct)).text).toContain('waits for approval');
  const bust = { act: 'bust', order, execId, why, confirm: 'BUST' };
  expect((await visitor.act(bust)).text).toContain('waits for approval');
  const rows = await visitor.get<ApprovalRow[]>('/api/approvals');
  expect(rows.map(({ act }) => act)).toEqual(['correct', 'bust']);
  expect((await read(order)).trades).toMatchObject([{ execId, qty: '0.02' }]);
  expect(alpha.unasked()).toEqual([]);
});

test('an open order has the busted quantity open again, fills on, and ends when the venue has no more of it', async () => {
  await start();
  const { alpha, bravo, execId, order } = await traded('0.01');
  await visitor.act({ act: 'bust', order, execId, why, confirm: 'BUST' });
  const busted = await alpha.next(isReport('H'));
  expect(values(busted, 39, 14, 151, 38)).toEqual(['0', '0', '0.02', '0.02']);
  sell(bravo, 'again', '0.01');
  expect(values(await alpha.next(isReport('F')), 39, 14, 151)).toEqual(['1', '0.01', '0.01']);
  expect(values(await alpha.next(isReport('4')), 39, 14, 151)).toEqual(['4', '0.01', '0']);
});
