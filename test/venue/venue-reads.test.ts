/** The venue's read routes over a real socket to a scripted venue: records, and errors that say what and where. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MarketId } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { HttpClient } from '../../src/venue/http-client.ts';
import { VenueReadError, VenueReads } from '../../src/venue/venue-reads.ts';
import {
  type ScriptedAnswer,
  type ScriptedVenue,
  startScriptedVenue,
} from '../support/scripted-venue.ts';
import { account, sandbox } from './samples.ts';

let venue: ScriptedVenue;
let http: HttpClient;
let reads: VenueReads;
const says = (answer: ScriptedAnswer) => venue.answer(() => answer);

beforeAll(async () => {
  venue = await startScriptedVenue(() => ({}));
  http = new HttpClient({ baseUrl: venue.baseUrl, rules: sandbox.http, clock: systemClock });
  reads = new VenueReads(http, sandbox);
});
afterAll(async () => {
  await http.close();
  await venue.stop();
});

const market = {
  marketId: 1,
  kind: 'spot',
  symbol: 'A-B',
  base: 'A',
  quote: 'B',
  status: 'open',
  priceScale: 6,
  qtyScale: 8,
  tick: 10,
  lot: 5,
  minNotional: 1,
  maxQty: 9,
  expiryMs: null,
};

test('markets have their amounts exact', async () => {
  says({ body: { markets: [market] } });
  expect(await reads.markets()).toEqual([
    { ...market, tick: 10n, lot: 5n, minNotional: 1n, maxQty: 9n },
  ]);
});

test('the rates in the limits record are left to the headers of the answers', async () => {
  says({ body: { batch: { maxActions: 20 }, rate: { actionsPerSecond: 0.5, burst: 5 } } });
  const { limits } = await reads.limits();
  expect(limits).toMatchObject({ maxActions: 20, maxLegs: null });
});

test.each([
  ['a number', { canonicalPayload: { nonce: 7 } }],
  ['text', { canonicalPayload: { nonce: '7' } }],
  ['a member of JSON that is text', { canonicalPayload: '{"account":"0x1","nonce":7}' }],
  ['text in JSON that is text', { canonicalPayload: '{"account":"0x1","nonce":"7"}' }],
])('the current nonce is read as %s', async (_, body) => {
  says({ body });
  expect(await reads.currentNonce('{}')).toBe(7);
});

describe('a record of the wrong form names route, place and problem', () => {
  test.each<[string, ScriptedAnswer, () => Promise<unknown>, RegExp]>([
    [
      'a market scale',
      { body: { markets: [{ ...market, priceScale: 19 }] } },
      () => reads.markets(),
      /^\/api\/v1\/markets: markets\[0\]\.priceScale: must be at most 18, not 19$/,
    ],
    [
      'two markets with one id',
      { body: { markets: [market, market] } },
      () => reads.markets(),
      /two share a marketId/,
    ],
    [
      'a book level',
      { body: { marketId: 1, seq: 1, bids: [[1, -2]], asks: [] } },
      () => reads.orderBook(1 as MarketId, null),
      /orderbook\.bids\[0\]\[1\]: must not be negative/,
    ],
    [
      'the book of another market',
      { body: { marketId: 2, book: null, seq: 1, bids: [[1, 2]], asks: [] } },
      () => reads.orderBook(1 as MarketId, null),
      /^\/api\/v1\/markets\/1\/orderbook: orderbook: is of another market or outcome$/,
    ],
    [
      'the other book of a market',
      { body: { marketId: 7, book: 'YES', seq: 1, bids: [[1, 2]], asks: [] } },
      () => reads.orderBook(7 as MarketId, 'NO'),
      /orderbook: is of another market or outcome$/,
    ],
    [
      'a limit of zero',
      { body: { batch: { maxActions: 0 } } },
      () => reads.limits(),
      /limits\.maxActions: must be positive/,
    ],
    [
      'a receipt',
      { body: { receipts: [{ status: 'gone' }] } },
      () => reads.receipts(account),
      /receipts\[0\]\.status: must be one of/,
    ],
    [
      'a fill of a receipt',
      { body: { receipts: [{ status: 'filled', fills: [{ fillId: 'f' }] }] } },
      () => reads.receipts(account),
      /receipts\[0\]\.fill\.price: /,
    ],
    [
      'a token',
      { body: { ok: true, data: {} } },
      () => reads.wsToken(account),
      /ws\/token: token: must be a string/,
    ],
    [
      'a nonce',
      { body: { canonicalPayload: { nonce: -4 } } },
      () => reads.currentNonce('{}'),
      /canonicalPayload\.nonce: must not be negative/,
    ],
    [
      'a nonce that is no whole number',
      { body: { canonicalPayload: { nonce: '7.5' } } },
      () => reads.currentNonce('{}'),
      /canonicalPayload\.nonce: must be an integer/,
    ],
    [
      'a payload that is no JSON',
      { body: { canonicalPayload: 'nonce=7' } },
      () => reads.currentNonce('{}'),
      /canonicalPayload\.nonce: must be an integer/,
    ],
    [
      'a page of events',
      { body: { events: 5, complete: true } },
      () => reads.gapFill(account, 1),
      /gap-fill: events: must be a list/,
    ],
    [
      'an envelope',
      {
        status: 404,
        body: {
          ok: false,
          error: { code: 'NOT_FOUND', message: 'gone', details: { cause: 'seq_too_old' } },
        },
      },
      () => reads.gapFill(account, 1),
      /NOT_FOUND: seq_too_old gone/,
    ],
    [
      'a flat refusal',
      { status: 403, body: { ok: false, code: 'AGENT_REVOKED', error: 'x' } },
      () => reads.markets(),
      /AGENT_REVOKED: x/,
    ],
    [
      'plain text',
      { status: 429, body: 'slow down' },
      () => reads.markets(),
      /HTTP 429 with a body of kind text/,
    ],
    ['broken JSON', { body: '{"markets":[' }, () => reads.markets(), /broken JSON/],
    [
      'a cut answer',
      { body: { markets: [] }, cutAt: 40 },
      () => reads.markets(),
      /^\/api\/v1\/markets: /,
    ],
    [
      'a record under an error status',
      { status: 500, body: { markets: [] } },
      () => reads.markets(),
      /HTTP 500/,
    ],
  ])('%s', async (_, answer, read, message) => {
    says(answer);
    await expect(read()).rejects.toThrow(VenueReadError);
    await expect(read()).rejects.toThrow(message);
  });
});

test('a token may stand bare under data', async () => {
  says({ body: { ok: true, data: 'tok' } });
  expect(await reads.wsToken(account)).toEqual({ token: 'tok', expiresAtMs: null });
});

test('R82: readiness decides by its status, and a poll never throws', async () => {
  says({ status: 503, body: { ready: false, reason: 'recovering' } });
  expect(await reads.poll()).toEqual({
    readiness: 'not_ready',
    reason: 'recovering',
    status: null,
  });
  says({ body: 'fine' });
  expect(await reads.poll()).toMatchObject({ readiness: 'ready', status: null });
  says({ cutAt: 0 });
  expect(await reads.poll()).toMatchObject({ readiness: 'unreachable' });
});
