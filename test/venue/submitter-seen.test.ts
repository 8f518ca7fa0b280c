/** What the stream shows of an action whose answer is still due (decision 0212), over real sockets. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import type { SignedSend } from '../../src/venue/action-json.ts';
import { HttpClient, type HttpRequest } from '../../src/venue/http-client.ts';
import type { Submitter } from '../../src/venue/submitter.ts';
import { type ScriptedVenue, startScriptedVenue, until } from '../support/scripted-venue.ts';
import { plainSubmitter } from './plain-submitter.ts';
import { hashOf, sandbox, signed, submitResponse } from './samples.ts';

let venue: ScriptedVenue;
let http: HttpClient;
let subject: Submitter;
/** Each lets one answer come. */
let due: (() => void)[];

beforeEach(async () => {
  venue = await startScriptedVenue(() => ({ body: submitResponse({ seq: 1 }) }));
  http = new HttpClient({ baseUrl: venue.baseUrl, rules: sandbox.http, clock: systemClock });
  due = [];
  const exchange = async (request: HttpRequest) => {
    const answer = await http.exchange(request);
    await new Promise<void>((come) => due.push(come));
    return answer;
  };
  subject = plainSubmitter({ exchange });
});
afterEach(async () => {
  subject.stop();
  await http.close();
  await venue.stop();
});

const place = (send: SignedSend) => ({ send, priority: 'place' as const });
const seen = (send: SignedSend) => subject.observed(hashOf(send).slice(2), 4);

test('the answer still has its word', async () => {
  const send = signed(7);
  const settled = subject.submit(place(send));
  await until(() => due.length === 1);
  seen(send);
  due[0]?.();
  const { outcome } = await settled;
  expect(outcome).toMatchObject({ kind: 'accepted', seq: 1, adopted: false });
});

test('the stream is believed where the answer says nothing, and nobody is told of an open outcome', async () => {
  venue.answer(() => ({ status: 500, body: 'no JSON' }));
  const send = signed(7);
  const unknown: SignedSend[] = [];
  const settled = subject.submit({ ...place(send), onUnknown: (lost) => unknown.push(lost) });
  await until(() => due.length === 1);
  seen(send);
  due[0]?.();
  const { outcome } = await settled;
  expect(outcome).toMatchObject({ kind: 'accepted', seq: 4, adopted: true });
  expect(unknown).toEqual([]);
});

test('the stream is believed against a refusal of the same bytes', async () => {
  const body = submitResponse({ accepted: false, code: 'nonce_replayed', error: 'seen before' });
  venue.answer(() => ({ status: 400, body }));
  const send = signed(7);
  const settled = subject.submit(place(send));
  await until(() => due.length === 1);
  seen(send);
  due[0]?.();
  const { outcome } = await settled;
  expect(outcome).toMatchObject({ kind: 'accepted', seq: 4, adopted: true });
  expect(venue.requests).toHaveLength(1);
});
