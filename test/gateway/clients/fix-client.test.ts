/** What a FIX client's messages become, and in which form it is answered. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Command } from '../../../src/domain/command.ts';
import type { Denial } from '../../../src/domain/denial.ts';
import type { SentRequest } from '../../../src/domain/sent-order.ts';
import type { AppSession } from '../../../src/fix/application.ts';
import type { LaneClient } from '../../../src/gateway/clients/client-lane.ts';
import { FixClient } from '../../../src/gateway/clients/fix-client.ts';
import type { Refused } from '../../../src/gateway/clients/order-entry.ts';
import type { Inbound } from '../../../src/gateway/copies/copy-readers.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import { readSettings, received, settings } from '../../mapping/fix/wire.ts';
import { denied } from '../../support/venue-denial.ts';

const at = '60=20260105-12:00:00';
const limit = `11=O1|1=desk|55=BTC-USDC|54=1|${at}|38=1|40=2|44=10`;
const market = `11=O1|55=BTC-USDC|54=1|${at}|38=1|40=1`;
const now = { wallMs: 1_000, monoMs: 1_000 };

let asked: (Command | Denial)[];
let refusal: Refused | undefined;
let refusals: SentRequest[];
let isCollared: boolean;
let sent: string[];
let watched: ReadonlySet<string>;
let copies: Inbound[];
let client: FixClient<LaneClient>;
const session = {
  send(msgType: string, body: Uint8Array) {
    sent.push(`35=${msgType}|${Buffer.from(body).toString().replaceAll('\x01', '|')}`);
    return 'sent';
  },
} as unknown as AppSession;

beforeEach(() => {
  [asked, sent, copies, refusals] = [[], [], [], []];
  [refusal, isCollared, watched] = [undefined, false, new Set()];
  const own = {
    principal: { cancelOnDisconnect: { when: 'off', graceMs: 0 } },
    get isCollared() {
      return isCollared;
    },
    arrived: () => {},
    left: () => {},
    refused(_denial: Denial, request: SentRequest) {
      refusals.push(request);
      return 'X-r1';
    },
    execute(command: Command | Denial) {
      asked.push(command);
      return refusal;
    },
    waitsFor: () => Promise.resolve(),
  } as unknown as LaneClient;
  const watch = {
    sees: (msgType: string) => watched.has(msgType),
    copy: (inbound: Inbound) => copies.push(inbound),
  };
  const parts = { makeClient: () => own, clock: new ManualClock(), watch };
  client = new FixClient({ ...parts, settings: { ...settings, ...readSettings } });
  client.bind(session);
});

const take = (msgType: string, body: string) =>
  client.onMessage(received(msgType, body), session, now);

test('a message becomes a command, and an accepted one is not answered here', () => {
  take('D', limit);
  expect(asked).toMatchObject([{ kind: 'new_order', clOrdId: 'O1' }]);
  expect(sent).toEqual([]);
});

describe('a refusal answers in the form that belongs to the request', () => {
  test.each([
    ['D', limit, /^35=8\|.*17=X-r1\|.*150=8\|.*39=8\|/],
    ['F', `11=C1|41=O1|55=BTC-USDC|54=1|${at}`, /^35=9\|.*434=1\|/],
    ['G', `11=R1|41=O1|55=BTC-USDC|54=1|${at}|38=1|40=2|44=10`, /^35=9\|.*434=2\|/],
    ['q', `11=M1|530=7|${at}`, /^35=r\|/],
    ['V', '262=V1|263=0|264=1|267=1|269=0|146=1|55=BTC-USDC', /^35=Y\|/],
  ])('%s', (msgType, body, answer) => {
    refusal = { denial: denied('bridge.unknown_instrument', 'no such market') };
    take(msgType, body);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatch(answer);
    expect(sent[0]).toContain('58=');
  });

  test('and is kept with the order as the client wrote it, or with the ClOrdID of another request', () => {
    refusal = { denial: denied('bridge.value_out_of_range', 'OrderQty(38)') };
    take('D', `11=O1|55=BTC-USDC|54=1|${at}|38=-1|40=2|44=10`);
    take('F', `11=C1|41=O1|55=BTC-USDC|54=1|${at}`);
    expect(refusals).toMatchObject([
      { clOrdId: 'O1', order: { symbol: 'BTC-USDC', side: 'Buy', qty: '-1', price: '10' } },
      { clOrdId: 'C1', order: null },
    ]);
  });

  test('with the route of the request turned around', () => {
    refusal = { denial: denied('bridge.kill_switch') };
    const routed = received('D', limit, { texts: { 115: 'FUND', 116: 'TRADER' } });
    client.onMessage(routed, session, now);
    expect(sent[0]).toMatch(/^35=8\|128=FUND\|129=TRADER\|/);
  });
});

test.each([
  ['3', '45=2|371=38|373=5'],
  ['j', '45=2|372=8|380=0'],
])('a reject %s asks for nothing, so nothing answers it', (msgType, body) => {
  refusal = { denial: denied('bridge.not_authorized') };
  take(msgType, body);
  expect([asked, sent]).toEqual([[], []]);
});

describe('a message waits for a price', () => {
  const waits = (msgType: string, body: string) =>
    client.waitsFor(received(msgType, body)) !== undefined;

  test('if it is a market order or asks for market data', () => {
    expect(waits('D', market)).toBe(true);
    expect(waits('V', '262=V1|263=0|264=1|267=1|269=0|146=1|55=BTC-USDC')).toBe(true);
  });

  test('if it places at a price and the session has a collar', () => {
    expect([waits('D', limit), waits('S', '117=Q|55=BTC-USDC|132=1|134=1')]).toEqual([
      false,
      false,
    ]);
    isCollared = true;
    expect([waits('D', limit), waits('S', '117=Q|55=BTC-USDC|132=1|134=1')]).toEqual([true, true]);
  });

  test('never if it cancels', () => {
    isCollared = true;
    expect(waits('F', `11=C1|41=O1|55=BTC-USDC|54=1|${at}`)).toBe(false);
  });
});

test('a request of a type that a reader wants is copied as it came, before it is handled', () => {
  watched = new Set(['D']);
  take('D', limit);
  take('F', `11=C1|41=O1|55=BTC-USDC|54=1|${at}`);
  expect(copies).toMatchObject([
    { msgType: 'D', account: 'desk', instrument: { symbol: 'BTC-USDC' } },
  ]);
  expect(Buffer.from(copies[0]?.bytes ?? []).toString()).toContain('\x0111=O1\x01');
});
