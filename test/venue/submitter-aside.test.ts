/** What becomes of an answer while it steps aside for what came with it (decision 0207), over real sockets. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import type { SignedSend } from '../../src/venue/action-json.ts';
import { HttpClient } from '../../src/venue/http-client.ts';
import type { Submitter } from '../../src/venue/submitter.ts';
import { type ScriptedVenue, startScriptedVenue, until } from '../support/scripted-venue.ts';
import { plainSubmitter } from './plain-submitter.ts';
import { hashOf, sandbox, signed, submitResponse } from './samples.ts';

let venue: ScriptedVenue;
let http: HttpClient;
let subject: Submitter;
/** Ends the stepping aside; false where the store has ended. */
let waiting: ((isRecording: boolean) => void)[];

beforeEach(async () => {
  venue = await startScriptedVenue(() => ({ body: submitResponse({ seq: 1 }) }));
  http = new HttpClient({ baseUrl: venue.baseUrl, rules: sandbox.http, clock: systemClock });
  waiting = [];
  subject = plainSubmitter(http, {
    ports: { aside: () => new Promise((resolve) => waiting.push(resolve)) },
  });
});
afterEach(async () => {
  subject.stop();
  await http.close();
  await venue.stop();
});

const place = (send: SignedSend) => ({ send, priority: 'place' as const });

test('its word still counts where the stream showed the action meanwhile', async () => {
  const send = signed(7);
  const settled = subject.submit(place(send));
  await until(() => waiting.length === 1);
  subject.observed(hashOf(send).slice(2), 4);
  waiting[0]?.(true);
  const { outcome } = await settled;
  expect(outcome).toMatchObject({ kind: 'accepted', seq: 1, adopted: false });
});

test('the stream is believed where the answer says nothing, and nobody is told of an open outcome', async () => {
  venue.answer(() => ({ status: 500, body: 'no JSON' }));
  const send = signed(7);
  const unknown: SignedSend[] = [];
  const settled = subject.submit({ ...place(send), onUnknown: (lost) => unknown.push(lost) });
  await until(() => waiting.length === 1);
  subject.observed(hashOf(send).slice(2), 4);
  waiting[0]?.(true);
  const { outcome } = await settled;
  expect(outcome).toMatchObject({ kind: 'accepted', seq: 4, adopted: true });
  expect(unknown).toEqual([]);
});

test('it is as if it had not come where nothing is recorded any more', async () => {
  let isSettled = false;
  void subject.submit(place(signed(7))).then(() => {
    isSettled = true;
  });
  await until(() => waiting.length === 1);
  waiting[0]?.(false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(isSettled).toBe(false);
});

test('where others are under way nobody steps aside', async () => {
  const both = [1, 2].map((nonce) => subject.submit(place(signed(nonce))));
  await until(() => waiting.length === 1);
  const first = await Promise.race(both);
  expect(first.outcome.kind).toBe('accepted');
  waiting[0]?.(true);
  expect((await Promise.all(both)).map(({ outcome }) => outcome.kind)).toEqual([
    'accepted',
    'accepted',
  ]);
  expect(waiting).toHaveLength(1);
});
