/**
 * Part D of the contract end to end: the venue refuses on command, and the bytes at the client are compared with the
 * tables as they stand in docs/venue/contract.md, and with the bridge's own table (R59, R116, R117, R118).
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { MarketId } from '../../../src/domain/units.ts';
import { refusalOf } from '../../../src/venue/refusals.ts';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../../support/fix-peer.ts';

const contract = readFileSync(join(import.meta.dirname, '../../../docs/venue/contract.md'), 'utf8');

/** What the client must hear of one code; null where the request cannot be refused so, and 99 serves. */
interface Wanted {
  readonly order: string;
  readonly cancel: string;
  readonly replace: string;
  readonly quote: string;
  readonly entry: string;
  readonly number: string | undefined;
}

/** The rows of the table after a heading, as cells. */
function tableOf(heading: string): string[][] {
  const section = contract.slice(contract.indexOf(`\n## ${heading}`) + 1);
  const lines = section.slice(0, section.indexOf('\n## ', 1)).split('\n');
  const rows = lines.filter((line) => line.startsWith('|')).slice(2);
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

const codeOf = (cell = '') => /^`(\w+)`/.exec(cell)?.[1];
const reason = (cell = '') => /\d+/.exec(cell)?.[0] ?? '99';
const number = (cell = '') => /^\d+/.exec(cell)?.[0];

function wanted(d: string, f: string, g: string, i: string, venue: string): Wanted {
  const quote = reason(i);
  return {
    order: reason(d),
    cancel: reason(f),
    replace: reason(g),
    quote,
    entry: quote,
    number: number(venue),
  };
}

const submitRows = tableOf('D.4 ').flatMap(([code, d = '', f = '', g = '', i = '', venue = '']) => {
  const name = codeOf(code);
  return name === undefined ? [] : [[name, wanted(d, f, g, i, venue)] as const];
});
const laneRows = tableOf('D.4b').flatMap(([code, d = '', fg = '', i = '', venue = '']) => {
  const name = codeOf(code);
  // Without detail the catch-all number serves.
  const stated = name === 'NONCE_REJECTED' ? '201' : venue;
  return name === undefined ? [] : [[name, wanted(d, fg, fg, i, stated)] as const];
});
const agentRows = tableOf('D.3').flatMap(([code, d = '', fg = '', i = '', _, venue = '']) => {
  const name = codeOf(code);
  // What may have been applied is no refusal while a fresh nonce may serve: rules.fix has its scenario.
  const isOpen = d.includes('after RC');
  return name === undefined || isOpen ? [] : [[name, wanted(d, fg, fg, i, venue)] as const];
});
const envelopeRows = tableOf('D.1').flatMap(([code, d = '', fg = '', i = '', venue = '']) => {
  const name = codeOf(code);
  const isDecisive = /^\d/.test(d);
  return name === undefined || !isDecisive ? [] : [[name, wanted(d, fg, fg, i, venue)] as const];
});

const market = 1 as MarketId;
let bridge: Bridge;
let alpha: FixPeer;
let count = 0;

beforeAll(async () => {
  bridge = await startBridge({ config: { patienceMs: 200 } });
  const session = bridge.user();
  alpha = await FixPeer.connect(bridge.gateway.port, session);
  await alpha.logon();
});

afterEach(async () => {
  const isHalted = bridge.gateway.gate.isHalted(market);
  // The end of a halt on the stream opens a market that a refusal has closed.
  if (isHalted) await bridge.admin('POST', `/markets/${market}`, { status: 'halt' });
  await bridge.admin('POST', '/reset');
  for (const { config } of bridge.gateway.accounts) {
    bridge.gateway.operator.reopen({ who: 'test', why: 'the next case' }, config.name);
  }
  const endMs = Date.now() + 5_000;
  while (bridge.gateway.gate.state !== 'open' || bridge.gateway.gate.isHalted(market)) {
    if (Date.now() > endMs) throw new Error(`the gate stays ${bridge.gateway.gate.reason}`);
    await new Promise((done) => setTimeout(done, 20));
  }
  alpha.say(`q|11=tidy-${count}|530=7|60=now`);
  await alpha.next((message) => typeOf(message) === 'r');
  while ([...bridge.gateway.accounts].some(({ bound }) => bound.runner.orders.openCount > 0)) {
    if (Date.now() > endMs + 3_000) throw new Error('orders are left open');
    await new Promise((done) => setTimeout(done, 10));
  }
  alpha.unasked();
});

afterAll(async () => {
  alpha.hangUp();
  await bridge.stop();
});

const order = (id: string, price: number) =>
  `D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=${price}|59=1|60=now`;

async function place(id: string, price: number): Promise<void> {
  alpha.say(order(id, price));
  await alpha.next((message) => fieldOf(message, '11') === id && fieldOf(message, '150') === '0');
}

/** Listens until each of these requests has got its refusal. */
async function refusals(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  while (found.size < ids.length) {
    const message = await alpha.heard();
    const type = typeOf(message);
    const isFinal = type === '9' || type === 'b' || fieldOf(message, '150') === '8';
    const id = fieldOf(message, type === 'b' ? '117' : '11') ?? '';
    if (isFinal && ids.includes(id)) found.set(id, message);
  }
  return found;
}

function told(message: string | undefined, tags: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(tags.map((tag) => [tag, fieldOf(message ?? '', tag)]));
}

async function refusedAs(code: string, want: Wanted): Promise<void> {
  count += 1;
  const [d, f, g, i, live, other] = ['d', 'f', 'g', 'i', 'live', 'other'].map(
    (name) => `${name}${count}`,
  ) as [string, string, string, string, string, string];
  await place(live, 40_000);
  await place(other, 39_000);
  await bridge.admin('POST', '/faults', {
    kind: 'refuse',
    code,
    path: '/trading/actions',
    times: null,
  });
  alpha.say(order(d, 41_000));
  alpha.say(`F|11=${f}|41=${live}|55=BTC-USDC|54=1|60=now`);
  alpha.say(`G|11=${g}|41=${other}|55=BTC-USDC|54=1|38=0.01|40=2|44=39001|59=1|60=now`);
  alpha.say(
    `i|117=${i}|301=2|296=1|302=s|304=1|295=1|299=e|55=BTC-USDC|132=38000|133=70000|134=0.01|135=0.01`,
  );
  const heard = await refusals([d, f, g, i]);
  const shared = { '9101': want.number, '9102': code };
  expect(told(heard.get(d), ['35', '39', '103', '14', '151', '9101', '9102'])).toEqual({
    35: '8',
    39: '8',
    103: want.order,
    14: '0',
    151: '0',
    ...shared,
  });
  expect(told(heard.get(f), ['35', '434', '39', '102', '9101', '9102'])).toEqual({
    35: '9',
    434: '1',
    39: '0',
    102: want.cancel,
    ...shared,
  });
  expect(told(heard.get(g), ['35', '434', '39', '102', '9101', '9102'])).toEqual({
    35: '9',
    434: '2',
    39: '0',
    102: want.replace,
    ...shared,
  });
  expect(told(heard.get(i), ['35', '297', '300', '368', '9101', '9102'])).toEqual({
    35: 'b',
    297: '5',
    300: want.quote,
    368: want.entry,
    ...shared,
  });
  for (const message of heard.values()) {
    expect(fieldOf(message, '58')?.startsWith(`${code}:`)).toBe(true);
  }
  const row = refusalOf(code);
  if (row?.acts.some((act) => act === 'IN' || act === 'CR')) {
    expect(bridge.alarms.some((alarm) => alarm.includes(code))).toBe(true);
  }
}

/**
 * A venue that says so of nonces that are free leaves holes which nothing fills, so these come last: the window is
 * wide enough for them together.
 */
const isOfNonces = (code: string) => /^nonce_|^NONCE_R/.test(code);
const steady = <Row extends readonly [string, Wanted]>(rows: readonly Row[]) =>
  rows.filter(([code]) => !isOfNonces(code));
const ofNonces = [...submitRows, ...laneRows].filter(([code]) => isOfNonces(code));

test('the contract has 48 submit codes, 12 of the lane, and 13 of agents that are final', () => {
  expect([submitRows.length, laneRows.length, agentRows.length]).toEqual([48, 12, 13]);
});

describe('R116: each submit code of D.4 reaches the client as the contract says', () => {
  test.each(steady(submitRows))('%s', refusedAs);
});

describe('R117: each lane code and coarse label of D.4b reaches the client', () => {
  test.each(steady(laneRows))('%s', refusedAs);
});

describe('R59: each agent code of D.3 reaches the client', () => {
  test.each(agentRows)('%s', refusedAs);
});

describe('R118: each decisive envelope code of D.1 reaches the client', () => {
  test.each(envelopeRows)('%s', refusedAs);
});

describe('R116, R117: the codes of nonces reach the client once fresh nonces did not help', () => {
  test.each(ofNonces)('%s', refusedAs);
});
