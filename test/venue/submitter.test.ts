/** Actions over real sockets to a scripted venue, each to one outcome (contract E.3). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refusalNamed } from '../../src/domain/refusal.ts';
import { ManualClock, systemClock } from '../../src/runtime/clock.ts';
import type { SignedSend } from '../../src/venue/action-json.ts';
import { HttpClient } from '../../src/venue/http-client.ts';
import type { Priority } from '../../src/venue/pacer.ts';
import { reconcile } from '../../src/venue/reconcile.ts';
import type { Submitter } from '../../src/venue/submitter.ts';
import { VenueReads } from '../../src/venue/venue-reads.ts';
import { LedgerVenue } from '../support/ledger-venue.ts';
import {
  answerBytes,
  type ScriptedVenue,
  startScriptedVenue,
  until,
} from '../support/scripted-venue.ts';
import { plainSubmitter, quickRules } from './plain-submitter.ts';
import {
  account,
  hashOf,
  otherAccount,
  refusedResponse,
  sandbox,
  signed,
  spotOrder,
  submitResponse,
} from './samples.ts';

let venue: ScriptedVenue;
let http: HttpClient;
let acts: string[];

beforeEach(async () => {
  venue = await startScriptedVenue(() => ({ body: submitResponse({ seq: 1 }) }));
  http = new HttpClient({ baseUrl: venue.baseUrl, rules: sandbox.http, clock: systemClock });
  acts = [];
});
afterEach(async () => {
  await http.close();
  await venue.stop();
});

function submitter({ ports, ...more }: Parameters<typeof plainSubmitter>[1] = {}): Submitter {
  const reads = new VenueReads(http, sandbox);
  let nonce = 1000;
  return plainSubmitter(http, {
    ports: {
      resign: async (send) => signed(nonce++, spotOrder, send.account),
      reconcile: (send) => reconcile(reads, send),
      act: (act) => acts.push(act),
      ...ports,
    },
    ...more,
  });
}
const place = (send: SignedSend, priority: Priority = 'place') => ({ send, priority });
const posts = () => venue.requests.filter(({ method }) => method === 'POST');
const nonces = () => posts().map(({ body }) => JSON.parse(body).payload.nonce as number);

test('R19, R51: one action a request, with its key and the modes of the profile', async () => {
  const send = signed(7);
  const { outcome } = await submitter().submit(place(send));
  expect(outcome).toMatchObject({ kind: 'accepted', seq: 1, adopted: false });
  expect(posts()).toHaveLength(1);
  expect(posts()[0]).toMatchObject({
    target: '/api/v1/trading/actions',
    headers: {
      'idempotency-key': hashOf(send).slice(2, 34),
      'x-bsl-result-mode': 'ack',
      'x-sandbox-response-mode': 'detailed',
    },
  });
  expect(JSON.parse(posts()[0]?.body ?? '')).toMatchObject({
    payload: { nonce: 7, account },
    signature: { scheme: 'EcdsaSecp256k1' },
  });
});

test('R134: route, headers, key length and modes are data of the profile', async () => {
  const profile = {
    ...sandbox,
    routes: { ...sandbox.routes, actions: '/other/actions' },
    idempotency: { ...sandbox.idempotency, header: 'Once-Key', keyHexChars: 64 },
    resultMode: { mode: 'durable' as const, response: 'short' },
    headers: { ...sandbox.headers, responseMode: 'x-other-mode' },
  };
  const send = signed(7);
  await submitter({ profile }).submit(place(send));
  expect(posts()[0]).toMatchObject({
    target: '/other/actions',
    headers: {
      'once-key': hashOf(send).slice(2),
      'x-bsl-result-mode': 'durable',
      'x-other-mode': 'short',
    },
  });
});

test('R43: a refusal that is not retriable is reported after one send', async () => {
  venue.answer(() => ({ status: 400, body: refusedResponse('insufficient_usdc') }));
  const { outcome } = await submitter().submit(place(signed(7)));
  expect(outcome).toMatchObject({ kind: 'refused', refusal: { name: 'insufficient_usdc' } });
  expect(posts()).toHaveLength(1);
});

test('R27: nonce_replayed of a first send goes out again with a fresh nonce', async () => {
  venue.answer(({ body }) =>
    JSON.parse(body).payload.nonce === 7
      ? { status: 400, body: refusedResponse('nonce_replayed', { nonceFloor: 9 }) }
      : { body: submitResponse() },
  );
  const { outcome, send } = await submitter().submit(place(signed(7)));
  expect(outcome.kind).toBe('accepted');
  expect(send.nonce).toBe(1000n);
  expect(nonces()).toEqual([7, 1000]);
});

test('where the floor of an account moves its actions beyond the window go again, with the same bytes', async () => {
  const sending = submitter({ clock: new ManualClock() });
  venue.answer(() => ({ status: 400, body: refusedResponse('nonce_outside_window') }));
  const first = sending.submit(place(signed(7)));
  await expect.poll(() => sending.inFlight === 0 && posts().length).toBe(1);
  const second = sending.submit(place(signed(8, spotOrder, otherAccount)));
  await expect.poll(() => sending.inFlight === 0 && posts().length).toBe(2);
  venue.answer(() => ({ body: submitResponse() }));
  sending.floorMoved(account);
  expect((await first).outcome.kind).toBe('accepted');
  expect(nonces()).toEqual([7, 8, 7]);
  expect(posts()[2]?.body).toBe(posts()[0]?.body);
  sending.floorMoved(otherAccount);
  expect((await second).outcome.kind).toBe('accepted');
  sending.floorMoved(account);
  expect(nonces()).toEqual([7, 8, 7, 8]);
});

test('R39, R44: 429 and 503 of the door are retried with the same bytes and key, after Retry-After', async () => {
  const clock = new ManualClock();
  const answers = [
    { status: 429, headers: { 'retry-after': '1' }, body: refusedResponse('rate_limited') },
    { status: 503, headers: { 'retry-after': '1' }, body: refusedResponse('backpressure') },
    { body: submitResponse() },
  ];
  venue.answer(() => answers.shift() ?? {});
  const subject = submitter({ clock, rules: { ...quickRules, maxAgeMs: 5000 } });
  const settled = subject.submit(place(signed(7)));
  for (const count of [1, 2]) {
    await until(() => posts().length === count && subject.inFlight === 0);
    clock.advance(999);
    expect(posts()).toHaveLength(count);
    clock.advance(1);
  }
  expect((await settled).outcome.kind).toBe('accepted');
  expect(new Set(posts().map(({ body }) => body)).size).toBe(1);
  expect(new Set(posts().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(acts).toEqual(['SF']);
});

test('R40: with Remaining 0 the next send waits for Reset-Ms', async () => {
  const clock = new ManualClock();
  const headers = {
    'x-ratelimit-limit': '50',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset-ms': '400',
  };
  venue.answer(() => ({ headers, body: submitResponse() }));
  const subject = submitter({ clock });
  await subject.submit(place(signed(1)));
  const second = subject.submit(place(signed(2)));
  clock.advance(399);
  expect(subject.queued).toBe(1);
  clock.advance(1);
  expect((await second).outcome.kind).toBe('accepted');
});

test('R37: the edge limiter in plain text holds every account', async () => {
  const clock = new ManualClock();
  venue.answer(() =>
    posts().length === 1
      ? { status: 429, headers: { 'x-ratelimit-after': '1' }, body: 'slow down' }
      : { body: submitResponse() },
  );
  const subject = submitter({ clock });
  const first = subject.submit(place(signed(1)));
  await until(() => posts().length === 1 && subject.inFlight === 0);
  const second = subject.submit(place(signed(1, spotOrder, otherAccount)));
  clock.advance(999);
  expect(posts()).toHaveLength(1);
  clock.advance(1);
  expect((await Promise.all([first, second])).map(({ outcome }) => outcome.kind)).toEqual([
    'accepted',
    'accepted',
  ]);
});

test('R137: under overload cancels go before placements that came earlier', async () => {
  venue.answer(() => ({ body: submitResponse(), delayMs: 5 }));
  const subject = submitter();
  subject.limit({ jsonEnabled: false, maxActions: 1, maxInFlight: 1 });
  const settled = [1, 2, 3].map((nonce) => subject.submit(place(signed(nonce))));
  settled.push(subject.submit(place(signed(9), 'cancel')));
  await Promise.all(settled);
  expect(nonces()).toEqual([1, 9, 2, 3]);
});

test('a placement behind a cancel that ended meanwhile still goes when its time comes', async () => {
  const clock = new ManualClock();
  const headers = {
    'x-ratelimit-limit': '50',
    'x-ratelimit-remaining': '5',
    'x-ratelimit-reset-ms': '300',
  };
  venue.answer(() => ({ headers, body: submitResponse(), delayMs: 10 }));
  const subject = submitter({ clock });
  subject.limit({ jsonEnabled: false, maxActions: 1, maxInFlight: 1 });
  const first = subject.submit(place(signed(1)));
  const cancel = signed(2);
  void subject.submit(place(cancel, 'cancel'));
  const last = subject.submit(place(signed(3)));
  subject.observed(hashOf(cancel).slice(2), 4);
  await first;
  expect(subject.queued).toBe(1);
  clock.advance(300);
  expect((await last).outcome.kind).toBe('accepted');
  expect(nonces()).toEqual([1, 3]);
});

test('no more requests are in flight than the limits record allows', async () => {
  venue.answer(() => ({ hang: true }));
  const subject = submitter();
  subject.limit({ jsonEnabled: false, maxActions: 1, maxInFlight: 3 });
  for (let nonce = 1; nonce < 10; nonce += 1) void subject.submit(place(signed(nonce)));
  await until(() => posts().length === 3);
  expect([subject.inFlight, subject.queued]).toEqual([3, 6]);
});

test('a full queue refuses at once with number 100', async () => {
  venue.answer(() => ({ hang: true }));
  const subject = submitter({ maxQueued: 2 });
  subject.limit({ jsonEnabled: false, maxActions: 1, maxInFlight: 1 });
  for (const nonce of [1, 2, 3]) void subject.submit(place(signed(nonce)));
  const { outcome } = await subject.submit(place(signed(4)));
  expect(outcome).toMatchObject({
    kind: 'refused',
    refusal: { name: 'bridge.backpressure', number: 100 },
    neverSent: true,
  });
});

test('R137: a queue that is full of placements still takes cancels, and what is resumed', async () => {
  venue.answer(() => ({ hang: true }));
  const subject = submitter({ maxQueued: 1 });
  subject.limit({ jsonEnabled: false, maxActions: 1, maxInFlight: 1 });
  for (const nonce of [1, 2]) void subject.submit(place(signed(nonce)));
  void subject.submit(place(signed(3), 'cancel'));
  expect(subject.queued).toBe(2);
  const { outcome } = await subject.submit(place(signed(4), 'cancel'));
  expect(outcome).toMatchObject({ refusal: { name: 'bridge.backpressure' } });
  const now = new ManualClock(1_700_000_001_000);
  const resumed = submitter({ maxQueued: 0, clock: now });
  void resumed.submit({ ...place(signed(5)), isResumed: true });
  await until(() => nonces().includes(5));
});

test('a resumed order whose time is over is not placed late', async () => {
  const clock = new ManualClock(1_700_000_003_000);
  const subject = submitter({ clock });
  void subject.submit({ ...place(signed(5)), isResumed: true });
  await until(() => {
    clock.advance(1);
    return venue.requests.some(({ target }) => target.includes('/receipts'));
  });
  expect(posts()).toEqual([]);
});

test('only what was never sent expires in the queue', async () => {
  const clock = new ManualClock();
  venue.answer(() => ({ hang: true }));
  const subject = submitter({ clock });
  subject.limit({ jsonEnabled: false, maxActions: 1, maxInFlight: 1 });
  const first = subject.submit(place(signed(1)));
  const second = subject.submit(place(signed(2)));
  await until(() => posts().length === 1);
  clock.advance(2000);
  expect((await second).outcome).toMatchObject({
    kind: 'refused',
    refusal: { name: 'bridge.throttled', number: 101 },
    neverSent: true,
  });
  let isFirstOver = false;
  void first.then(() => {
    isFirstOver = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isFirstOver).toBe(false);
});

test('stopped, it sends and looks for nothing any more', async () => {
  const clock = new ManualClock();
  venue.answer(() => ({ status: 500, body: 'oops' }));
  const subject = submitter({ clock });
  const told: string[] = [];
  void subject.submit({ ...place(signed(1)), onUnknown: () => told.push('unknown') });
  await until(() => told.length === 1);
  subject.stop();
  clock.advance(100_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(venue.requests).toHaveLength(1);
});

test('a fresh nonce that cannot be had refuses with its reason', async () => {
  venue.answer(() => ({ status: 400, body: refusedResponse('nonce_replayed') }));
  const subject = submitter({
    ports: {
      resign: async () => {
        throw new Error('the window is jammed');
      },
      reconcile: async () => ({ kind: 'nothing' }),
      fence: async () => ({ kind: 'nothing' }),
      act: () => {},
    },
  });
  expect((await subject.submit(place(signed(7)))).outcome).toMatchObject({
    refusal: refusalNamed('bridge.nonce_window'),
    text: 'the window is jammed',
  });
});

describe('R52: JSON batches', () => {
  const batching = {
    ...sandbox,
    lanes: { ...sandbox.lanes, order: ['jsonBatch', 'actions'] as ('jsonBatch' | 'actions')[] },
  };
  const allowed = { jsonEnabled: true, maxActions: 4, maxInFlight: 8 };
  const results = (request: { body: string }) => ({
    delayMs: 5,
    body: {
      ok: true,
      actionResults: (JSON.parse(request.body).actions ?? []).map(() => ({
        seq: 2,
        status: 'resting',
      })),
    },
  });
  const submitAll = (subject: Submitter, count: number) =>
    Promise.all(Array.from({ length: count }, (_, nonce) => subject.submit(place(signed(nonce)))));

  test('what queued while a request was in flight goes out together', async () => {
    venue.answer((request) =>
      request.target.endsWith('/orders')
        ? results(request)
        : { delayMs: 5, body: submitResponse() },
    );
    const subject = submitter({ profile: batching });
    subject.limit(allowed);
    const settled = await submitAll(subject, 10);
    expect(settled.every(({ outcome }) => outcome.kind === 'accepted')).toBe(true);
    expect(posts().map(({ target }) => target.split('/').at(-1))).toEqual([
      'actions',
      'orders',
      'orders',
      'actions',
    ]);
    expect(JSON.parse(posts()[1]?.body ?? '').actions).toHaveLength(4);
    expect(posts()[1]?.headers['idempotency-key']).toBe(
      JSON.parse(posts()[1]?.body ?? '').idempotencyKey,
    );
  });

  test('limits that say no JSON fall back to single submits', async () => {
    const subject = submitter({ profile: batching });
    subject.limit({ ...allowed, jsonEnabled: false });
    await submitAll(subject, 6);
    expect(posts().every(({ target }) => target.endsWith('/actions'))).toBe(true);
  });

  test('a route that is closed falls back without losing an order', async () => {
    venue.answer(({ target }) =>
      target.endsWith('/orders')
        ? {
            status: 404,
            body: { ok: false, error: { code: 'NOT_FOUND', message: 'off', requestId: 'r' } },
          }
        : { delayMs: 5, body: submitResponse() },
    );
    const subject = submitter({ profile: batching });
    subject.limit(allowed);
    const settled = await submitAll(subject, 9);
    expect(settled.map(({ outcome }) => outcome.kind)).toEqual(new Array(9).fill('accepted'));
    expect(posts().filter(({ target }) => target.endsWith('/orders'))).toHaveLength(1);
  });
});

describe('R46: exactly one order and one outcome, whatever is lost', () => {
  // A slow machine must not let an order grow too old: that has its own test.
  const patient = { rules: { ...quickRules, maxAgeMs: 60_000, deadAfterMs: 120_000 } };
  const { length } = answerBytes({ body: submitResponse({ seq: 1 }) });
  const sends = Array.from({ length }, (_, nonce) => signed(nonce));
  const hashes = new Map(sends.map((send, nonce) => [nonce, hashOf(send)]));

  type Fault = (
    ledger: LedgerVenue,
    request: Parameters<LedgerVenue['handle']>[0],
  ) => ReturnType<LedgerVenue['handle']>;
  const faults: [string, Fault][] = [
    [
      '500 before it is applied',
      () => ({ status: 500, body: { ok: false, error: { code: 'SERVER_ERROR' } } }),
    ],
    [
      '500 after it is applied',
      (ledger, request) => ({ ...ledger.handle(request), status: 500, body: 'oops' }),
    ],
    ['503 before', () => ({ status: 503, body: 'unavailable' })],
    [
      '503 after',
      (ledger, request) => ({
        ...ledger.handle(request),
        status: 503,
        body: { ok: false, error: { code: 'SERVICE_UNAVAILABLE' } },
      }),
    ],
    ['409 dropped', () => ({ status: 409, body: { ok: false, error: { code: 'CONFLICT' } } })],
    [
      'a broken body after',
      (ledger, request) => ({ ...ledger.handle(request), body: '{"accepted":tr' }),
    ],
    ['silence before', () => ({ hang: true })],
    ['silence after', (ledger, request) => ({ ...ledger.handle(request), hang: true })],
  ];

  async function oneOrder(nonce: number, fault: Fault): Promise<void> {
    const ledger = new LedgerVenue((envelope) => hashes.get(envelope.nonce) ?? '');
    let isFaulty = true;
    venue.answer((request) => {
      if (!isFaulty || request.method === 'GET') return ledger.handle(request);
      isFaulty = false;
      return fault(ledger, request);
    });
    let unknowns = 0;
    const send = sends[nonce] ?? signed(nonce);
    const { outcome } = await submitter(patient).submit({
      ...place(send),
      onUnknown: () => {
        unknowns += 1;
      },
    });
    expect(outcome.kind).toBe('accepted');
    expect([...ledger.orders.values()]).toEqual([1]);
    expect(unknowns).toBe(1);
  }

  test.each(faults)('%s', async (_, fault) => {
    await http.close();
    http = new HttpClient({
      baseUrl: venue.baseUrl,
      rules: { ...sandbox.http, timeoutMs: 60 },
      clock: systemClock,
    });
    await oneOrder(0, fault);
  });

  test.each([
    ['before', false],
    ['after', true],
  ])('the answer is cut at every byte, %s the order is applied', async (_, isApplied) => {
    const ledger = new LedgerVenue((envelope) => hashes.get(envelope.nonce) ?? '');
    const cut = new Set<number>();
    venue.answer((request) => {
      const nonce =
        request.method === 'POST' ? (JSON.parse(request.body).payload.nonce as number) : -1;
      if (nonce === -1 || cut.has(nonce)) return ledger.handle(request);
      cut.add(nonce);
      const answer = isApplied ? ledger.handle(request) : { body: submitResponse({ seq: 1 }) };
      return { ...answer, cutAt: nonce };
    });
    const subject = submitter(patient);
    const settled = await Promise.all(sends.map((send) => subject.submit(place(send))));
    expect(settled.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
    expect([...ledger.orders.values()]).toEqual(sends.map(() => 1));
    expect(cut.size).toBe(length);
  });
});
