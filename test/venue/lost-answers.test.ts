/** Orders over real sockets to a venue that loses answers: each is applied once and has one outcome (contract R46). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PlaceIntent } from '../../src/domain/intent.ts';
import type { MarketId, Price, Qty } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { HttpClient } from '../../src/venue/http-client.ts';
import { VenueReads } from '../../src/venue/venue-reads.ts';
import { LedgerVenue } from '../support/ledger-venue.ts';
import { OutboxLine } from '../support/outbox-line.ts';
import {
  answerBytes,
  type ScriptedAnswer,
  type ScriptedRequest,
  type ScriptedVenue,
  startScriptedVenue,
} from '../support/scripted-venue.ts';
import { account, sandbox, submitResponse } from './samples.ts';

type Fault = (apply: () => ScriptedAnswer) => ScriptedAnswer;

/** The key of a request is the whole hash of its action. */
const profile = {
  ...sandbox,
  idempotency: { ...sandbox.idempotency, header: 'idempotency-key', keyHexChars: 64 },
  backoff: { firstMs: 4, maxMs: 16 },
};
const order: PlaceIntent = {
  kind: 'place',
  market: 1 as MarketId,
  book: null,
  side: 'Bid',
  price: 50_000_000_000n as Price,
  qty: 1_000_000n as Qty,
  stp: 'cancel_taker',
  timeInForce: 'gtc',
  isMarket: false,
  reduceOnly: false,
  expiresAtMs: null,
};
/** No event comes here that would free a nonce, so no more than the window has. */
const atOnce = 128;

let venue: ScriptedVenue;
let http: HttpClient;
let line: OutboxLine;
let ledger: LedgerVenue;

async function open(timeoutMs: number): Promise<void> {
  const hashes = new Map<number, string>();
  ledger = new LedgerVenue(({ nonce }) => `0x${hashes.get(nonce)}`);
  venue = await startScriptedVenue((request) => handled(request, hashes));
  const rules = { ...sandbox.http, timeoutMs };
  http = new HttpClient({ baseUrl: venue.baseUrl, rules, clock: systemClock });
  const reads = new VenueReads(http, profile);
  line = await OutboxLine.open({
    account,
    ownerKey: new Uint8Array(32).fill(7),
    profile,
    http,
    reads: {
      currentNonce: async () => 0,
      receipts: (...of) => reads.receipts(...of),
    },
    clock: systemClock,
    patienceMs: 60_000,
  });
}

function handled(request: ScriptedRequest, hashes: Map<number, string>): ScriptedAnswer {
  if (request.method === 'POST') {
    hashes.set(nonceOf(request), String(request.headers['idempotency-key']));
  }
  return ledger.handle(request);
}

/** Each nonce meets its fault once. */
function breaking(faultOf: (nonce: number) => Fault): void {
  const hashes = new Map<number, string>();
  ledger = new LedgerVenue(({ nonce }) => `0x${hashes.get(nonce)}`);
  const broken = new Set<number>();
  venue.answer((request) => {
    const apply = () => handled(request, hashes);
    if (request.method !== 'POST' || broken.has(nonceOf(request))) return apply();
    broken.add(nonceOf(request));
    return faultOf(nonceOf(request))(apply);
  });
}

function nonceOf({ body }: ScriptedRequest): number {
  return JSON.parse(body).payload.nonce;
}

afterEach(async () => {
  line.stop();
  await http.close();
  await venue.stop();
});

describe('one answer that is lost', () => {
  beforeEach(() => open(60));

  const error = (code: string) => ({ ok: false, error: { code } });
  const faults: [string, Fault][] = [
    ['500 before it is applied', () => ({ status: 500, body: error('SERVER_ERROR') })],
    ['500 after it is applied', (apply) => ({ ...apply(), status: 500, body: 'oops' })],
    ['503 before', () => ({ status: 503, body: 'unavailable' })],
    ['503 after', (apply) => ({ ...apply(), status: 503, body: error('SERVICE_UNAVAILABLE') })],
    ['409 dropped', () => ({ status: 409, body: error('CONFLICT') })],
    ['a broken body after', (apply) => ({ ...apply(), body: '{"accepted":tr' })],
    ['silence before', () => ({ hang: true })],
    ['silence after', (apply) => ({ ...apply(), hang: true })],
  ];

  test.each(faults)('%s', async (_, fault) => {
    breaking(() => fault);
    const { outcome, wasUnknown } = await line.submit(order);
    expect([outcome.kind, wasUnknown]).toEqual(['accepted', true]);
    expect([...ledger.orders.values()]).toEqual([1]);
  });
});

describe('an answer that is cut at any byte', () => {
  beforeEach(() => open(sandbox.http.timeoutMs));

  const { length } = answerBytes({ body: submitResponse({ seq: 1 }) });
  const parts = Array.from({ length: Math.ceil(length / atOnce) }, (_, at) => at * atOnce);
  const cases = parts.flatMap((from) => [
    { from, when: 'before', isApplied: false },
    { from, when: 'after', isApplied: true },
  ]);

  test.each(cases)(
    'from byte $from on, $when the order is applied',
    async ({ from, isApplied }) => {
      const orders = Math.min(atOnce, length - from);
      breaking((nonce) => (apply) => {
        const answer = isApplied ? apply() : { body: submitResponse({ seq: 1 }) };
        return { ...answer, cutAt: from + nonce };
      });
      const settled = await Promise.all(Array.from({ length: orders }, () => line.submit(order)));
      expect(settled.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
      expect([...ledger.orders.values()]).toEqual(new Array(orders).fill(1));
    },
  );
});
