/**
 * The crash points of docs/ARCHITECTURE.md, "Durability", each walked: the bridge's directory is copied at that very
 * moment, which is what a process that dies leaves behind, and another bridge starts on the copy.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nobody } from '../../src/gateway/account/observer.ts';
import { loadConfig } from '../../src/gateway/config/config-file.ts';
import { Gateway } from '../../src/gateway/gateway.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';

const unknownAfterMs = 400;

let bridge: Bridge;
let next: Gateway | undefined;
let alpha: FixPeer;
let image: string | undefined;
/** Says of each record and of each request whether this is the moment. */
let isMoment: (what: 'record' | 'request', text: string) => boolean;

beforeEach(() => start());

async function start(session: object = {}, config: object = {}): Promise<void> {
  [image, next] = [undefined, undefined];
  isMoment = () => false;
  bridge = await startBridge({
    session,
    // On a busy machine a crash takes longer than an order may wait by default.
    config: { shutdownGraceMs: 0, unknownAfterMs, patienceMs: 60_000, ...config },
    observer: {
      ...nobody,
      recorded: (_, payload) => look('record', Buffer.from(payload).toString()),
      requested: (_, { body }) => look('request', String(body)),
    },
  });
  alpha = await connected(bridge.gateway);
  expect(typeOf(await alpha.logon())).toBe('A');
}

afterEach(stop);

async function stop(): Promise<void> {
  alpha.hangUp();
  await next?.stop();
  await bridge.stop();
  if (image !== undefined) rmSync(image, { recursive: true, force: true });
}

function look(what: 'record' | 'request', text: string): void {
  if (image === undefined && isMoment(what, text)) takeImage();
}

function takeImage(): void {
  image = mkdtempSync(join(tmpdir(), 'causeway-image-'));
  cpSync(dirname(bridge.configFile), image, {
    recursive: true,
    filter: (path) => !path.endsWith('-shm') && !path.endsWith('.sock'),
  });
}

async function connected({ port }: Gateway): Promise<FixPeer> {
  const session = bridge.user('ALPHA');
  return FixPeer.connect(port, session);
}

/** The bridge is gone; one begins on what it had on its disk then, and the client logs on again. */
async function crash({ isRepaired = true, isKilled = false } = {}): Promise<void> {
  await expect.poll(() => image).toBeDefined();
  const { nextOut } = alpha;
  alpha.hangUp();
  await bridge.gateway.stop();
  if (isRepaired) await bridge.admin('DELETE', '/faults');
  next = await Gateway.open({
    loaded: loadConfig(join(image ?? '', basename(bridge.configFile))),
    alarm: () => {},
    notice: () => {},
    beforeTrading: async ({ operator }) => {
      if (isKilled) operator.kill({ who: 'ann', why: 'wrong prices' }, { kind: 'all' });
    },
    fatal(error) {
      throw error;
    },
  });
  alpha = await connected(next);
  alpha.nextOut = nextOut;
  expect(typeOf(await alpha.logon(''))).toBe('A');
}

/** The venue applies nothing, and says nothing of use. */
const never = { kind: 'fail_before', status: 504, path: '/trading/actions', times: null };
const order = 'D|11=a|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now';
const isReport = (execType: string) => (message: string) =>
  fieldOf(message, '35') === '8' && fieldOf(message, '150') === execType;

async function openAtVenue(): Promise<number> {
  const account = bridge.sandbox.info.accounts[0]?.account;
  const shown = (await bridge.admin('GET', `/accounts/${account}`)) as { openOrders: unknown[] };
  return shown.openOrders.length;
}

/** Nothing more of the order is said, and its state is this. */
async function stateIs(ordStatus: string): Promise<void> {
  alpha.say('H|11=a|55=BTC-USDC|54=1|790=end');
  for (;;) {
    const message = await alpha.heard();
    if (fieldOf(message, '790') === 'end') {
      expect(fieldOf(message, '39')).toBe(ordStatus);
      return;
    }
    expect(fieldOf(message, '43'), `heard again without 43=Y: ${message}`).toBe('Y');
  }
}

test('before the record of an order: it is not expected yet, and the resent one is the first', async () => {
  takeImage();
  const lost = alpha.nextOut;
  alpha.nextOut += 1;
  await crash();
  const request = await alpha.next((message) => typeOf(message) === '2');
  expect(fieldOf(request, '7')).toBe(`${lost}`);
  alpha.say(`D|34=${lost}|43=Y|122=now|${order.slice(2)}`);
  alpha.say(`4|34=${lost + 1}|43=Y|122=now|123=Y|36=${alpha.nextOut}`);
  await alpha.next(isReport('A'));
  await alpha.next(isReport('0'));
  await stateIs('0');
  expect(await openAtVenue()).toBe(1);
});

test('between record and answer, applied: the stream tells, and there is one order', async () => {
  isMoment = (what) => what === 'request';
  alpha.say(order);
  await alpha.next(isReport('0'));
  await crash();
  await alpha.next(isReport('0'));
  await stateIs('0');
  expect(await openAtVenue()).toBe(1);
});

test('between record and answer, not applied: the same bytes go out again, and there is one order', async () => {
  isMoment = (what) => what === 'request';
  await bridge.admin('POST', '/faults', never);
  alpha.say(order);
  await alpha.next(isReport('A'));
  await crash();
  await alpha.next(isReport('0'));
  await stateIs('0');
  expect(await openAtVenue()).toBe(1);
});

test('between record and answer of a cancel, not applied: it is canceled once', async () => {
  alpha.say(order);
  await alpha.next(isReport('0'));
  await bridge.admin('POST', '/faults', never);
  isMoment = (what) => what === 'request';
  alpha.say('F|11=c|41=a|55=BTC-USDC|54=1|60=now');
  await alpha.next(isReport('6'));
  await crash();
  const canceled = await alpha.next(isReport('4'));
  expect([fieldOf(canceled, '11'), fieldOf(canceled, '41')]).toEqual(['c', 'a']);
  await stateIs('4');
  expect(await openAtVenue()).toBe(0);
});

test('between record and answer of a quote of cancels alone, not applied: the quotes go, and it is acknowledged', async () => {
  const quote = 'i|117=q|301=2|296=1|302=s|304=1|295=1|299=e|55=BTC-USDC|132=40000|134=';
  alpha.say(`${quote}0.01`);
  await alpha.next((message) => typeOf(message) === 'b');
  await bridge.admin('POST', '/faults', never);
  isMoment = (what) => what === 'request';
  alpha.say(`${quote}0`.replace('117=q', '117=r'));
  await crash();
  const answer = await alpha.next((message) => typeOf(message) === 'b');
  expect([fieldOf(answer, '117'), fieldOf(answer, '297')]).toEqual(['r', '0']);
  expect(await openAtVenue()).toBe(0);
});

test('R120: an outcome that is still unknown after the start is reported as unknown in time', async () => {
  isMoment = (what) => what === 'request';
  await bridge.admin('POST', '/faults', never);
  alpha.say(order);
  await alpha.next(isReport('A'));
  await crash({ isRepaired: false });
  const told = await alpha.next(isReport('I'));
  expect([fieldOf(told, '39'), fieldOf(told, '9101')]).toEqual(['A', '106']);
  await bridge.admin('DELETE', '/faults');
  await alpha.next(isReport('0'));
});

test('R120: an order that is too old to be sent again after the start is reported as unknown in time, and once', async () => {
  await stop();
  await start({}, { patienceMs: 100 });
  isMoment = (what) => what === 'request';
  await bridge.admin('POST', '/faults', never);
  alpha.say(order);
  await alpha.next(isReport('A'));
  await crash({ isRepaired: false });
  await alpha.next(isReport('I'));
  await bridge.admin('DELETE', '/faults');
  const rejected = await alpha.next(
    (message) => !isReport('A')(message) && typeOf(message) === '8',
  );
  expect([fieldOf(rejected, '150'), fieldOf(rejected, '9102')]).toEqual([
    '8',
    'bridge.not_applied',
  ]);
});

test('between event and record of its report: the event is read again, and gives the same ExecID', async () => {
  isMoment = (what, text) => what === 'record' && text.includes('"kind":"event"');
  alpha.say(order);
  const told = await alpha.next(isReport('0'));
  await crash();
  const again = await alpha.next(isReport('0'));
  expect(fieldOf(again, '17')).toBe(fieldOf(told, '17'));
  expect(fieldOf(again, '9110')).toBe(fieldOf(told, '9110'));
  await stateIs('0');
});

test('between record of a report and the socket: it is sent again on request, with 43=Y and its number', async () => {
  alpha.say(order);
  const told = await alpha.next(isReport('0'));
  takeImage();
  await crash();
  const number = fieldOf(told, '34');
  alpha.say(`2|7=${number}|16=${number}`);
  const again = await alpha.next(isReport('0'));
  expect(['34', '17', '43'].map((tag) => fieldOf(again, tag))).toEqual([
    number,
    fieldOf(told, '17'),
    'Y',
  ]);
});

test('R126: a crash is a disconnect: the next start cancels what the session is owed', async () => {
  await stop();
  await start({ cancelOnDisconnect: { when: 'abrupt', graceMs: 0 } });
  alpha.say(order);
  await alpha.next(isReport('0'));
  takeImage();
  alpha.say('5');
  await alpha.next((message) => typeOf(message) === '5');
  expect(await openAtVenue()).toBe(1);
  await crash();
  const canceled = await alpha.next(isReport('4'));
  expect(fieldOf(canceled, '41')).toBeUndefined();
  expect(await openAtVenue()).toBe(0);
});

test('R126: what is owed a cancel and may not have left is not placed by the next start', async () => {
  await stop();
  await start({ cancelOnDisconnect: { when: 'abrupt', graceMs: 0 } });
  await bridge.admin('POST', '/faults', never);
  isMoment = (what) => what === 'request';
  alpha.say(order);
  await crash();
  const rejected = await alpha.next(isReport('8'));
  expect(fieldOf(rejected, '9102')).toBe('bridge.not_applied');
  const { orders } = (await bridge.admin('GET', '/ledger')) as { orders: unknown[] };
  expect(orders).toEqual([]);
});

test('a kill switch from while no process had the account: what may not have left is not placed by the next start', async () => {
  await bridge.admin('POST', '/faults', never);
  isMoment = (what) => what === 'request';
  alpha.say(order);
  await crash({ isKilled: true });
  expect(fieldOf(await alpha.next(isReport('8')), '9102')).toBe('bridge.not_applied');
  const { orders } = (await bridge.admin('GET', '/ledger')) as { orders: unknown[] };
  expect(orders).toEqual([]);
});
