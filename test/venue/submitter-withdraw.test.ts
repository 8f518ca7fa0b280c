/** Actions that are not wanted any more (decision 0210), over real sockets. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refusalNamed } from '../../src/domain/refusal.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { SignedSend } from '../../src/venue/action-json.ts';
import { HttpClient } from '../../src/venue/http-client.ts';
import type { Submitter } from '../../src/venue/submitter.ts';
import { type ScriptedVenue, startScriptedVenue, until } from '../support/scripted-venue.ts';
import { plainSubmitter } from './plain-submitter.ts';
import { hashOf, refusedResponse, sandbox, signed, submitResponse } from './samples.ts';

const refusal = refusalNamed('bridge.kill_switch');
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
const taken = (send: SignedSend) => subject.withdraw(hashOf(send).slice(2), refusal, 'runaway');
const nonces = () => venue.requests.map(({ body }) => JSON.parse(body).payload.nonce as number);

test('what waits for room leaves the queue and is never sent; what is under way is not taken back', async () => {
  subject.limit({ jsonEnabled: null, maxActions: null, maxInFlight: 1 });
  const sends = [signed(1), signed(2), signed(3)] as const;
  const outcomes = sends.map(submitted);
  expect([taken(sends[0]), taken(sends[1]), taken(sends[1])]).toEqual([false, true, false]);
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
  expect(taken(send)).toBe(true);
  expect(await outcome).toMatchObject({ kind: 'refused', refusal, neverSent: false });
  expect(nonces()).toEqual([1]);
});

test('what may be at the venue goes on, and nothing is known of an action that was never submitted', async () => {
  const send = signed(1);
  venue.answer(() => ({ status: 500, body: 'no JSON' }));
  subject = plainSubmitter(http, { ports: { reconcile: () => new Promise(() => {}) } });
  await new Promise<void>((told) => {
    void subject.submit({ send, priority: 'place', onUnknown: () => told() });
  });
  expect([taken(send), taken(signed(2))]).toEqual([false, false]);
});
