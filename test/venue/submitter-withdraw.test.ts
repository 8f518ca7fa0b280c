/** Actions that are not wanted any more (decision 0210), over real sockets. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refusalNamed } from '../../src/domain/refusal.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { SignedSend } from '../../src/venue/action-json.ts';
import { HttpClient } from '../../src/venue/http-client.ts';
import type { Found } from '../../src/venue/submission.ts';
import type { Submitter, SubmitterParts } from '../../src/venue/submitter.ts';
import { type ScriptedVenue, startScriptedVenue, until } from '../support/scripted-venue.ts';
import { plainSubmitter } from './plain-submitter.ts';
import { hashOf, refusedResponse, sandbox, signed, submitResponse } from './samples.ts';

const refusal = refusalNamed('bridge.kill_switch');
const busyText = JSON.stringify(refusedResponse('backpressure'));
const notFound = JSON.stringify({
  ok: false,
  error: { code: 'NOT_FOUND', message: 'off', requestId: 'r' },
});
let venue: ScriptedVenue;
let http: HttpClient;
let subject: Submitter;

beforeEach(async () => {
  venue = await startScriptedVenue(() => ({ body: submitResponse({ seq: 1 }) }));
  http = new HttpClient({ baseUrl: venue.baseUrl, rules: sandbox.http, clock: systemClock });
  subject = plainSubmitter(http);
});
afterEach(async () => {
  subject.stop();
  await http.close();
  await venue.stop();
});

const submitted = async (send: SignedSend) =>
  (await subject.submit({ send, priority: 'place' })).outcome;
const withdraw = (send: SignedSend) => subject.withdraw(hashOf(send).slice(2), refusal, 'runaway');
const nonces = () => venue.requests.map(({ body }) => JSON.parse(body).payload.nonce as number);

test('what waits for room leaves the queue and is never sent; what is under way is not taken back', async () => {
  subject.limit({ jsonEnabled: null, maxActions: null, maxInFlight: 1 });
  const sends = [signed(1), signed(2), signed(3)] as const;
  const outcomes = sends.map(submitted);
  for (const send of [sends[0], sends[1], sends[1]]) withdraw(send);
  expect(subject.queued).toBe(1);
  expect(await Promise.all(outcomes)).toMatchObject([
    { kind: 'accepted' },
    { kind: 'refused', refusal, text: 'runaway', neverSent: true },
    { kind: 'accepted' },
  ]);
  expect(nonces()).toEqual([1, 3]);
});

test('what the venue has refused for now is not sent again', async () => {
  const headers = { 'retry-after': '1' };
  venue.answer(() => ({ status: 429, headers, body: refusedResponse('backpressure') }));
  const send = signed(1);
  const outcome = submitted(send);
  await until(() => venue.requests.length === 1 && subject.inFlight === 0);
  withdraw(send);
  expect(await outcome).toMatchObject({ kind: 'refused', refusal, neverSent: false });
  expect(nonces()).toEqual([1]);
});

test('what is on the wire and then refused for now is not sent again', async () => {
  let answer = () => {};
  const late = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const busy = { kind: 'response', status: 429, headers: {}, body: busyText } as const;
  let posts = 0;
  subject = plainSubmitter({
    exchange: async () => {
      posts += 1;
      await late;
      return busy;
    },
  });
  const send = signed(1);
  const outcome = submitted(send);
  withdraw(send);
  answer();
  expect(await outcome).toMatchObject({
    ...{ kind: 'refused', refusal, neverSent: false },
    venueCode: 'backpressure',
  });
  expect(posts).toBe(1);
});

test('what never reached the venue is not tried again', async () => {
  const unsent = { kind: 'unsent', problem: 'no route' } as const;
  let posts = 0;
  const exchange = async () => {
    posts += 1;
    withdraw(send);
    return unsent;
  };
  subject = plainSubmitter({ exchange });
  const send = signed(1);
  expect(await submitted(send)).toMatchObject({ kind: 'refused', refusal, neverSent: true });
  expect(posts).toBe(1);
});

test('what stood in a batch that the venue does not take is not sent one by one', async () => {
  const profile = { ...sandbox, lanes: { ...sandbox.lanes, order: ['jsonBatch' as const] } };
  const bodies: string[] = [];
  const exchange: SubmitterParts['http']['exchange'] = async ({ body = '' }) => {
    bodies.push(body);
    const isBatch = body.includes('"actions"');
    if (isBatch) withdraw(sends[1]);
    return isBatch
      ? { kind: 'response', status: 404, headers: {}, body: notFound }
      : {
          kind: 'response',
          status: 200,
          headers: {},
          body: JSON.stringify(submitResponse({ seq: 1 })),
        };
  };
  subject = plainSubmitter({ exchange }, { profile });
  subject.limit({ jsonEnabled: true, maxActions: 8, maxInFlight: 1 });
  const sends = [signed(1), signed(2), signed(3)] as const;
  const outcomes = sends.map(submitted);
  expect(await Promise.all(outcomes)).toMatchObject([
    { kind: 'accepted' },
    { kind: 'refused' },
    { kind: 'accepted' },
  ]);
  expect(bodies.slice(2).some((body) => body.includes('"nonce":2,'))).toBe(false);
});

test('what may be at the venue goes on to its one true outcome, and nothing comes of what is unknown', async () => {
  const send = signed(1);
  venue.answer(() => ({ status: 500, body: 'no JSON' }));
  let find: ((found: Found) => void) | undefined;
  const reconcile = () =>
    new Promise<Found>((resolve) => {
      find = resolve;
    });
  subject = plainSubmitter(http, { ports: { reconcile } });
  let outcome: Promise<unknown> | undefined;
  await new Promise<void>((told) => {
    outcome = subject
      .submit({ send, priority: 'place', onUnknown: () => told() })
      .then((settled) => settled.outcome);
  });
  withdraw(send);
  withdraw(signed(2));
  await until(() => find !== undefined);
  find?.({ kind: 'applied', seq: 9 });
  expect(await outcome).toMatchObject({ kind: 'accepted', seq: 9 });
});
