/** What a FIXP client's messages become, which of them are acknowledged, and whose rule cancels on disconnect. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Command } from '../../../src/domain/command.ts';
import type { Denial } from '../../../src/domain/denial.ts';
import { answerOf } from '../../../src/domain/quote-group.ts';
import type { SentRequest } from '../../../src/domain/sent-order.ts';
import type { FixpAppSession } from '../../../src/fixp/application.ts';
import type { LaneClient } from '../../../src/gateway/clients/client-lane.ts';
import type { Arrival } from '../../../src/gateway/clients/client-session.ts';
import { FixpClient, maxMessageBytes } from '../../../src/gateway/clients/fixp-client.ts';
import type { Refused } from '../../../src/gateway/clients/order-entry.ts';
import type { Inbound } from '../../../src/gateway/copies/copy-readers.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import { decodeMessage } from '../../../src/sbe/generic-decoder.ts';
import { encodeMessage } from '../../../src/sbe/generic-encoder.ts';
import type { JsonObject } from '../../../src/sbe/json.ts';
import { denialOf } from '../../../src/venue/refusals.ts';
import { orders, requestOf } from '../../acceptance/parity/fixp-words.ts';
import { settings } from '../../mapping/fix/wire.ts';
import { denied } from '../../support/venue-denial.ts';

const now = { wallMs: 1_000, monoMs: 1_000 };
const order = 'D|11=O1|1=desk|55=BTC-USDC|54=1|60=now|38=1|40=2|44=10|';

let asked: (Command | Denial)[];
let refusal: Refused | undefined;
let refusals: SentRequest[];
let isAnswered: boolean;
let events: string[];
let rules: unknown[];
let copies: Inbound[];
let watched: ReadonlySet<string>;
let cancelOnDisconnect: FixpAppSession['cancelOnDisconnect'];
let client: FixpClient<LaneClient>;

const session = {
  get cancelOnDisconnect() {
    return cancelOnDisconnect;
  },
  send(message: Uint8Array) {
    const read = decodeMessage(orders, message);
    events.push(typeof read === 'string' ? read : `sent ${read.message}`);
    return 'sent';
  },
  applied: ({ fromSeq, toSeq }: { fromSeq: number; toSeq: number }) =>
    events.push(`applied ${fromSeq} to ${toSeq}`),
  rejected: () => events.push('the peer rejected'),
  giveUp: (text: string) => events.push(`given up: ${text}`),
} as unknown as FixpAppSession;

beforeEach(() => {
  [asked, events, rules, copies, refusals] = [[], [], [], [], []];
  [refusal, isAnswered, watched] = [undefined, false, new Set()];
  cancelOnDisconnect = { type: null, windowMs: null };
  const own = {
    principal: { cancelOnDisconnect: { when: 'abrupt', graceMs: 5_000 } },
    arrived: ({ rule }: Arrival) => rules.push(rule?.(own.principal.cancelOnDisconnect)),
    left: (_end: unknown, _now: unknown, rule: unknown) => rules.push(rule),
    refused(_denial: Denial, request: SentRequest) {
      refusals.push(request);
      return 'X-r1';
    },
    execute(command: Command | Denial) {
      asked.push(command);
      if (isAnswered) client.answer({ kind: 'session_status', reqId: 'g' } as never);
      return refusal;
    },
    waitsFor: () => Promise.resolve(),
  } as unknown as LaneClient;
  const watch = {
    sees: (msgType: string) => watched.has(msgType),
    copy: (inbound: Inbound) => copies.push(inbound),
  };
  const parts = { makeClient: () => own, clock: new ManualClock(), watch };
  client = new FixpClient({ ...parts, settings: { ...settings, session: 'F' } });
  client.bind(session);
});

const bytesOf = (line: string) => encodeMessage(orders, requestOf(line));
const take = (bytes: Uint8Array, seq = 7) => client.onMessage(bytes, seq, session, now);

test('a request that is accepted and not answered at once is acknowledged by its number', () => {
  take(bytesOf(order), 7);
  expect(asked).toMatchObject([{ kind: 'new_order', clOrdId: 'O1', origin: { seq: 7 } }]);
  expect(events).toEqual(['applied 7 to 7']);
});

test('a refused request is answered in its own form and not acknowledged as well', () => {
  refusal = { denial: denied('bridge.kill_switch') };
  take(bytesOf(order));
  expect(events).toHaveLength(1);
  expect(events[0]).toMatch(/^sent ExecutionReport/);
});

test('a request above the rate is refused without being carried out', () => {
  client.onAboveRate(bytesOf(order), 7, session, now);
  expect(asked).toEqual([]);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatch(/^sent ExecutionReport/);
  expect(refusals).toMatchObject([{ clOrdId: 'O1', order: { clOrdId: 'O1', qty: '1' } }]);
});

test('a message that stopped the bridge before is refused and not carried out', () => {
  client.onSetAside(bytesOf(order), 7);
  expect([asked, events]).toEqual([[], ['sent BusinessReject']]);
});

test('bytes that are no request end the connection and have no other effect', () => {
  const bytes = bytesOf(order).slice(0, 12);
  take(bytes);
  client.onAboveRate(bytes, 8, session, now);
  expect(asked).toEqual([]);
  expect(events).toHaveLength(2);
  for (const event of events) expect(event).toMatch(/^given up: /);
  expect(client.waitsFor(bytes, 7)).toBeUndefined();
});

test('a reject of one of our messages is taken, shown to the operator, and asks for nothing', () => {
  const fields: JsonObject = {
    RefTemplateId: 201,
    RefSeqNum: 3,
    Refusal: { Reason: 0, VenueRejectNumber: 0, NonceConsumed: 0 },
    BusinessRejectRefID: 'O1',
    VenueCode: '',
    Text: 'not understood',
  };
  take(encodeMessage(orders, { message: 'BusinessReject', fields }), 9);
  expect([asked, events]).toEqual([[], ['the peer rejected', 'applied 9 to 9']]);
});

test('a request of a type that a reader wants is copied as it came', () => {
  watched = new Set(['D']);
  const bytes = bytesOf(order);
  take(bytes);
  expect(copies).toMatchObject([{ msgType: 'D', account: 'desk' }]);
  expect(Buffer.compare(Buffer.from(copies[0]?.bytes ?? []), Buffer.from(bytes))).toBe(0);
});

/** A MassQuote with as many entries as fit, whose ids are as short as they can be. */
function longestMassQuote(): Uint8Array {
  const written = (count: number) => {
    const message = requestOf('i|117=q|301=2|296=1|302=s|304=1|295=1|299=e|132=0|134=1');
    const [set] = message.fields['QuoteSets'] as [JsonObject & { QuoteEntries: JsonObject[] }];
    const [entry = {}] = set.QuoteEntries;
    set.QuoteEntries = Array.from({ length: count }, () => entry);
    return encodeMessage(orders, message);
  };
  const entryBytes = written(2).length - written(1).length;
  return written(1 + Math.floor((maxMessageBytes - written(1).length) / entryBytes));
}

test.each([
  ['the bridge', denied('bridge.price_must_be_positive')],
  [
    'the venue, whatever its code and words are',
    denialOf({ code: 'é'.repeat(4096), number: 101, text: 'x'.repeat(4096) }, true),
  ],
])('the longest MassQuote is answered entry by entry when it is refused by %s', (_, denial) => {
  take(longestMassQuote());
  const [command] = asked as [Extract<Command, { kind: 'mass_quote' }>];
  const [set] = command.sets;
  if (set === undefined) throw new Error('no set');
  expect(set.entries.length).toBe(1_423);
  const entries = set.entries.map((entry) => ({ ...entry, denial: null }));
  const flight = { ...command, ...set, entries, accountName: 'a'.repeat(32), single: null };
  for (const answer of answerOf(flight, denial, () => false)) client.answer(answer);
  expect(events.at(-1)).toBe('sent QuoteAck');
});

describe('cancel on disconnect', () => {
  const leave = (graceful: boolean) => {
    client.onDisconnect(session, { graceful, reason: '' } as never, now);
    return rules.at(-1);
  };

  test('follows the configuration if the client chose nothing', () => {
    expect(leave(false)).toEqual({ when: 'abrupt', graceMs: 5_000 });
  });

  test.each([
    [0, 'off', 'off'],
    [1, 'always', 'off'],
    [2, 'off', 'always'],
    [3, 'always', 'always'],
  ])('of type %s: %s when the connection breaks, %s at a Terminate', (type, broken, ended) => {
    cancelOnDisconnect = { type, windowMs: 1_000 };
    expect(leave(false)).toEqual({ when: broken, graceMs: 1_000 });
    expect(leave(true)).toEqual({ when: ended, graceMs: 1_000 });
  });

  test('has a grace of ten minutes at most, whatever the client asks for', () => {
    cancelOnDisconnect = { type: 3, windowMs: 86_400_000 };
    expect(leave(false)).toEqual({ when: 'always', graceMs: 600_000 });
  });

  test('is that of a broken connection while the client is there, so that a crash of the bridge is one', () => {
    cancelOnDisconnect = { type: 1, windowMs: 0 };
    client.onEstablished(session);
    expect(rules).toEqual([{ when: 'always', graceMs: 0 }]);
  });
});
