/** The queue of signed actions on their way to HTTP: room, order, pace, batches (contract G25, R39, R40, R52, R137). */
import { beforeEach, describe, expect, test } from 'vitest';
import { type Denial, deny } from '../../src/domain/denial.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { SignedSend } from '../../src/venue/action-json.ts';
import { mostResults } from '../../src/venue/answer.ts';
import { Dispatcher, type DispatcherParts } from '../../src/venue/dispatcher.ts';
import type { HttpRequest } from '../../src/venue/http-client.ts';
import { Pacer, type Priority } from '../../src/venue/pacer.ts';
import type { Exchange, Verdict } from '../../src/venue/verdict.ts';
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

type Headers = Readonly<Record<string, string>>;

const patienceMs = 2000;
const oneAtATime = { jsonEnabled: false, maxActions: 1, maxInFlight: 1 };

let clock: ManualClock;
/** What was handed to HTTP and has no answer yet. */
let wire: { readonly request: HttpRequest; readonly answer: (exchange: Exchange) => void }[];
let requests: HttpRequest[];
let prepared: HttpRequest[];
let verdicts: Map<bigint, Verdict[]>;
let sent: bigint[];

beforeEach(() => {
  clock = new ManualClock();
  [wire, requests, prepared, sent] = [[], [], [], []];
  verdicts = new Map();
});

function open(more: Partial<DispatcherParts> = {}): Dispatcher {
  const http = {
    prepare: (request: HttpRequest) => void prepared.push(request),
    exchange: (request: HttpRequest) => {
      requests.push(request);
      return new Promise<Exchange>((answer) => wire.push({ request, answer }));
    },
  };
  const parts = { profile: sandbox, http, clock, pacer: new Pacer(), maxQueued: 1000, patienceMs };
  return new Dispatcher({ ...parts, ...more });
}

function submit(
  subject: Dispatcher,
  send: SignedSend,
  priority: Priority = 'place',
  denial: () => Denial | null = () => null,
): void {
  const { nonce } = send;
  const own: Verdict[] = [];
  verdicts.set(nonce, own);
  const rest = { sent: () => sent.push(nonce), answered: (verdict: Verdict) => own.push(verdict) };
  subject.submit({ id: Number(nonce), send, priority, denial, ...rest });
}

function submitAll(subject: Dispatcher, count: number): void {
  for (let nonce = 1; nonce <= count; nonce += 1) submit(subject, signed(nonce));
}

/** The oldest request under way has this answer. */
async function answer(body: unknown, status = 200, headers: Headers = {}): Promise<void> {
  const next = wire.shift();
  if (next === undefined) throw new Error('nothing is under way');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  next.answer({ kind: 'response', status, headers, body: text });
  await new Promise(setImmediate);
}

async function takeAll(): Promise<void> {
  while (wire.length > 0) await answer(takes(wire[0]?.request));
}

const isBatch = (request: HttpRequest | undefined) => request?.target.endsWith('/orders') === true;
const actionsOf = ({ body = '' }: HttpRequest): { payload: { nonce: number } }[] => {
  const value = JSON.parse(body);
  return value.actions ?? [value];
};
const nonces = () => requests.map((one) => actionsOf(one).map(({ payload }) => payload.nonce));
const said = (nonce: number) => verdicts.get(BigInt(nonce));

function takes(request: HttpRequest | undefined): unknown {
  if (request === undefined || !isBatch(request)) return submitResponse({ seq: 1 });
  return { ok: true, actionResults: actionsOf(request).map(() => ({ seq: 2, status: 'resting' })) };
}

test('R19, R51: one action a request, with its key and the modes of the profile', async () => {
  const send = signed(7);
  submit(open(), send);
  await takeAll();
  expect(said(7)).toMatchObject([{ kind: 'accepted', seq: 1 }]);
  expect(requests).toHaveLength(1);
  expect(requests[0]?.target).toBe('/api/v1/trading/actions');
  expect(requests[0]?.headers).toEqual(
    expect.arrayContaining([
      sandbox.idempotency.header,
      hashOf(send).slice(2, 34),
      sandbox.headers.responseMode,
      'detailed',
    ]),
  );
  expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
    payload: { nonce: 7, account },
    signature: { scheme: 'EcdsaSecp256k1' },
  });
});

test('R134: route, headers, key length and modes are data of the profile', () => {
  const profile = {
    ...sandbox,
    routes: { ...sandbox.routes, actions: '/other/actions' },
    idempotency: { ...sandbox.idempotency, header: 'Once-Key', keyHexChars: 64 },
    resultMode: { mode: 'durable' as const, response: 'short' },
    headers: { ...sandbox.headers, responseMode: 'x-other-mode' },
  };
  const send = signed(7);
  submit(open({ profile }), send);
  expect(requests[0]?.target).toBe('/other/actions');
  const headers = ['Once-Key', hashOf(send).slice(2), 'durable', 'x-other-mode', 'short'];
  expect(requests[0]?.headers).toEqual(expect.arrayContaining(headers));
});

test('hands back what the venue said once, and is told that the action leaves before its answer', async () => {
  const subject = open();
  submit(subject, signed(7));
  expect([sent, said(7)]).toEqual([[7n], []]);
  await answer(refusedResponse('insufficient_usdc'), 400);
  expect(said(7)).toMatchObject([{ kind: 'refused', refusal: { name: 'insufficient_usdc' } }]);
  expect([subject.inFlight, subject.queued]).toEqual([0, 0]);
});

test('R137: under overload cancels go before placements that came earlier', async () => {
  const subject = open();
  subject.limit(oneAtATime);
  submitAll(subject, 3);
  submit(subject, signed(9), 'cancel');
  await takeAll();
  expect(nonces()).toEqual([[1], [9], [2], [3]]);
});

test('no more requests are in flight than the limits record allows', async () => {
  const subject = open();
  subject.limit({ ...oneAtATime, maxInFlight: 3 });
  submitAll(subject, 9);
  expect([subject.inFlight, subject.queued, wire.length]).toEqual([3, 6, 3]);
  await answer(submitResponse());
  expect([subject.inFlight, subject.queued, wire.length]).toEqual([3, 5, 3]);
});

test('R52: a limit that the record leaves open is that of the profile, and wider limits count at once', () => {
  const subject = open();
  subject.limit(oneAtATime);
  submitAll(subject, 9);
  expect(wire).toHaveLength(1);
  subject.limit({ jsonEnabled: null, maxActions: null, maxInFlight: null });
  expect(subject.limits).toEqual(sandbox.limits.batch);
  expect(wire).toHaveLength(Math.min(9, sandbox.limits.batch.inFlight));
  subject.limit({ ...oneAtATime, maxActions: mostResults + 1 });
  expect(subject.limits.actions).toBe(mostResults);
});

test('a full queue refuses at once with number 100', () => {
  const subject = open({ maxQueued: 2 });
  subject.limit(oneAtATime);
  submitAll(subject, 4);
  expect(said(3)).toEqual([]);
  expect(said(4)).toMatchObject([
    { kind: 'unsent', refusal: { name: 'bridge.backpressure', number: 100 } },
  ]);
});

test('R137: a queue that is full of placements still takes as many cancels', () => {
  const subject = open({ maxQueued: 1 });
  subject.limit(oneAtATime);
  submitAll(subject, 2);
  submit(subject, signed(3), 'cancel');
  expect(subject.queued).toBe(2);
  submit(subject, signed(4), 'cancel');
  expect(said(4)).toMatchObject([{ kind: 'unsent', refusal: { name: 'bridge.backpressure' } }]);
});

test('only actions that were never passed to HTTP expire in the queue', async () => {
  const subject = open();
  subject.limit(oneAtATime);
  submitAll(subject, 2);
  clock.advance(patienceMs - 1);
  expect([said(1), said(2)]).toEqual([[], []]);
  clock.advance(1);
  expect(said(2)).toMatchObject([
    { kind: 'unsent', refusal: { name: 'bridge.throttled', number: 101 } },
  ]);
  expect([said(1), subject.queued]).toEqual([[], 0]);
  await takeAll();
  expect(nonces()).toEqual([[1]]);
  expect(said(1)).toMatchObject([{ kind: 'accepted' }]);
});

test('stopped, it sends and answers nothing any more', async () => {
  const subject = open();
  subject.limit(oneAtATime);
  submitAll(subject, 2);
  subject.stop();
  await answer(submitResponse());
  submit(subject, signed(3));
  clock.advance(100_000);
  expect(nonces()).toEqual([[1]]);
  expect([said(1), said(2), said(3)]).toEqual([[], [], []]);
});

describe('pace', () => {
  const window = (remaining: string, resetMs: string) => ({
    'x-ratelimit-limit': '50',
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset-ms': resetMs,
  });

  test('R40: with Remaining 0 the next send waits for Reset-Ms', async () => {
    const subject = open();
    submit(subject, signed(1));
    await answer(submitResponse(), 200, window('0', '400'));
    submit(subject, signed(2));
    clock.advance(399);
    expect(subject.queued).toBe(1);
    clock.advance(1);
    expect(nonces()).toEqual([[1], [2]]);
  });

  test('R137: the last of a window is for cancels, and a placement goes when its time comes', async () => {
    const subject = open();
    submit(subject, signed(1));
    await answer(submitResponse(), 200, window('5', '300'));
    submit(subject, signed(3));
    submit(subject, signed(2), 'cancel');
    expect([nonces(), subject.queued]).toEqual([[[1], [2]], 1]);
    clock.advance(300);
    expect(nonces()).toEqual([[1], [2], [3]]);
  });

  test('a placement behind a cancel that was taken back still goes when its time comes', async () => {
    const subject = open();
    submit(subject, signed(1));
    await answer(submitResponse(), 200, window('0', '300'));
    submit(subject, signed(2), 'cancel');
    submit(subject, signed(3));
    subject.withdraw(2);
    clock.advance(300);
    expect(nonces()).toEqual([[1], [3]]);
  });

  test.each([
    ['R39, R44: a refusal at the door', 429, refusedResponse('rate_limited')],
    ['an answer that leaves the outcome open', 503, { error: { code: 'SERVICE_UNAVAILABLE' } }],
  ])('%s with Retry-After holds the account', async (_, status, body) => {
    const subject = open({ patienceMs: 60_000 });
    submit(subject, signed(1));
    await answer(body, status, { 'retry-after': '3' });
    submit(subject, signed(2), 'cancel');
    clock.advance(2_999);
    expect([nonces(), subject.queued]).toEqual([[[1]], 1]);
    clock.advance(1);
    expect([nonces(), subject.queued]).toEqual([[[1], [2]], 0]);
  });

  test('the Retry-After of one account does not hold another that shares the pace', async () => {
    const pacer = new Pacer();
    const [subject, other] = [open({ pacer }), open({ pacer })];
    submit(subject, signed(1));
    await answer(refusedResponse('rate_limited'), 429, { 'retry-after': '1' });
    submit(other, signed(2, spotOrder, otherAccount));
    expect(nonces()).toEqual([[1], [2]]);
  });

  test('R37: the edge limiter in plain text holds every account that shares the pace', async () => {
    const pacer = new Pacer();
    const [subject, other] = [open({ pacer }), open({ pacer })];
    submit(subject, signed(1));
    await answer('slow down', 429, { 'x-ratelimit-after': '1' });
    submit(other, signed(2, spotOrder, otherAccount));
    clock.advance(999);
    expect(nonces()).toEqual([[1]]);
    clock.advance(1);
    expect(nonces()).toEqual([[1], [2]]);
  });
});

test('R77: what the gate denies when it leaves the queue is answered and not sent', async () => {
  const subject = open();
  subject.limit(oneAtATime);
  let denial: Denial | null = null;
  for (const nonce of [1, 2, 3]) submit(subject, signed(nonce), 'place', () => denial);
  denial = deny('bridge.gate_closed', 'not ready');
  submit(subject, signed(4), 'cancel');
  await answer(submitResponse());
  await answer(submitResponse());
  const unsent = { kind: 'unsent', refusal: { name: 'bridge.gate_closed' }, text: 'not ready' };
  expect([said(2), said(3)]).toMatchObject([[unsent], [unsent]]);
  expect([nonces(), subject.queued]).toEqual([[[1], [4]], 0]);
});

describe('what is taken back', () => {
  test('leaves the queue and is never sent; what is under way is not taken back', async () => {
    const subject = open();
    subject.limit(oneAtATime);
    submitAll(subject, 3);
    for (const nonce of [1, 2, 2]) subject.withdraw(nonce);
    expect(subject.queued).toBe(1);
    await takeAll();
    expect([said(1), said(2), said(3)]).toMatchObject([
      [{ kind: 'accepted' }],
      [{ kind: 'unsent', refusal: { name: 'bridge.canceled_unsent' } }],
      [{ kind: 'accepted' }],
    ]);
    expect(nonces()).toEqual([[1], [3]]);
  });

  test('does not expire later', () => {
    const subject = open();
    subject.limit(oneAtATime);
    submitAll(subject, 2);
    subject.withdraw(2);
    clock.advance(2 * patienceMs);
    expect(said(2)).toHaveLength(1);
  });
});

describe('a request that is made before its action may leave (decision 0032)', () => {
  test('is the one that goes out', () => {
    const subject = open();
    const send = subject.prepared(signed(7));
    expect(prepared).toHaveLength(1);
    submit(subject, send);
    expect(requests[0]).toBe(prepared[0]);
  });

  test('is the same as one that was not made before', () => {
    const subject = open();
    subject.prepared(signed(7));
    submit(subject, signed(7));
    expect(requests).toEqual(prepared);
  });
});

describe('R52: JSON batches', () => {
  const lanes = {
    ...sandbox.lanes,
    order: ['jsonBatch', 'actions'] as ('jsonBatch' | 'actions')[],
  };
  const batching = { ...sandbox, lanes };
  const allowed = { jsonEnabled: true, maxActions: 4, maxInFlight: 8 };
  const noRoute = { ok: false, error: { code: 'NOT_FOUND', message: 'off', requestId: 'r' } };

  function openBatching(more: Partial<DispatcherParts> = {}): Dispatcher {
    const subject = open({ profile: batching, ...more });
    subject.limit(allowed);
    return subject;
  }

  test('what queued while a request was in flight goes out together', async () => {
    submitAll(openBatching(), 10);
    await takeAll();
    expect([...verdicts.values()].flat()).toMatchObject(new Array(10).fill({ kind: 'accepted' }));
    expect(nonces()).toEqual([[1], [2, 3, 4, 5], [6, 7, 8, 9], [10]]);
    expect(requests.map(isBatch)).toEqual([false, true, true, false]);
    const { idempotencyKey } = JSON.parse(requests[1]?.body ?? '');
    expect(requests[1]?.headers).toContain(idempotencyKey);
  });

  test('R137: cancels stand first in a batch', async () => {
    const subject = openBatching();
    submitAll(subject, 3);
    submit(subject, signed(9), 'cancel');
    await takeAll();
    expect(nonces()).toEqual([[1], [9, 2, 3]]);
  });

  test('R77: what the gate denies when a batch is made is not part of it', async () => {
    const subject = openBatching();
    submit(subject, signed(9));
    submit(subject, signed(1));
    submit(subject, signed(2), 'place', () => deny('bridge.gate_closed'));
    submit(subject, signed(3));
    await takeAll();
    expect([nonces(), said(2)]).toMatchObject([[[9], [1, 3]], [{ kind: 'unsent' }]]);
  });

  test('what another key signed has a batch of its own', async () => {
    const subject = openBatching();
    submitAll(subject, 3);
    for (const nonce of [4, 5]) submit(subject, { ...signed(nonce), otherKey: otherAccount });
    submit(subject, signed(6));
    await takeAll();
    expect(nonces()).toEqual([[1], [2, 3], [4, 5], [6]]);
  });

  test('each action has its own result', async () => {
    submitAll(openBatching(), 3);
    await answer(submitResponse({ seq: 1 }));
    const refused = { seq: null, status: 'rejected', rejectCode: 'insufficient_usdc' };
    await answer({ ok: true, actionResults: [{ seq: 2, status: 'resting' }, refused] });
    expect([said(2), said(3)]).toMatchObject([
      [{ kind: 'accepted', seq: 2 }],
      [{ kind: 'refused', refusal: { name: 'insufficient_usdc' } }],
    ]);
  });

  test('limits that say no JSON fall back to single submits', async () => {
    const subject = openBatching();
    subject.limit({ ...allowed, jsonEnabled: false });
    submitAll(subject, 6);
    await takeAll();
    expect(nonces()).toEqual([[1], [2], [3], [4], [5], [6]]);
  });

  test('a route that is closed falls back without losing an order', async () => {
    submitAll(openBatching(), 9);
    await answer(submitResponse());
    await answer(noRoute, 404);
    await takeAll();
    expect([...verdicts.values()].flat()).toMatchObject(new Array(9).fill({ kind: 'accepted' }));
    expect(verdicts.size).toBe(9);
    expect(requests.filter(isBatch)).toHaveLength(1);
  });

  test('new limits try batches again', async () => {
    const subject = openBatching();
    submitAll(subject, 3);
    await answer(submitResponse());
    await answer(noRoute, 404);
    await takeAll();
    subject.limit(allowed);
    for (const nonce of [4, 5, 6]) submit(subject, signed(nonce));
    await takeAll();
    expect(nonces().at(-1)).toEqual([5, 6]);
  });

  test('actions withdrawn from a batch that the venue refuses are not sent one by one', async () => {
    const subject = openBatching();
    submitAll(subject, 4);
    await answer(submitResponse());
    subject.withdraw(3);
    await answer(noRoute, 404);
    await takeAll();
    expect(nonces()).toEqual([[1], [2, 3, 4], [2], [4]]);
    expect(said(3)).toMatchObject([{ kind: 'refused' }]);
  });

  test('no request is made before where an action may go out in a batch', () => {
    const subject = openBatching();
    const send = signed(7);
    expect(subject.prepared(send)).toBe(send);
    expect(prepared).toEqual([]);
  });
});

describe('an owner that may have been replaced', () => {
  test('lets nothing leave before it is known to own the account', async () => {
    let confirm = () => {};
    let confirming: Promise<void> | undefined = new Promise((resolve) => {
      confirm = resolve;
    });
    const subject = open({ confirmed: () => confirming });
    submit(subject, signed(1));
    submit(subject, signed(2));
    expect([sent, requests]).toEqual([[], []]);
    confirming = undefined;
    confirm();
    await Promise.resolve();
    expect(sent).toEqual([1n, 2n]);
  });

  test('lets nothing leave if it was replaced', async () => {
    const subject = open({ confirmed: () => Promise.reject(new Error('another owner')) });
    submit(subject, signed(1));
    await Promise.resolve();
    await clock.advance(patienceMs / 2);
    submit(subject, signed(2));
    expect([sent, requests]).toEqual([[], []]);
  });

  test('is asked again for each request', () => {
    let asked = 0;
    const confirmed = () => {
      asked += 1;
      return undefined;
    };
    const subject = open({ confirmed });
    submit(subject, signed(1));
    submit(subject, signed(2));
    expect([sent, asked]).toEqual([[1n, 2n], 2]);
  });
});
