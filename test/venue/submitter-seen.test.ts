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

/** What becomes of an action whose answer comes when the stream has shown it. */
async function answeredOnceSeen(onUnknown: (lost: SignedSend) => void = () => {}) {
  const send = signed(7);
  const settled = subject.submit({ ...place(send), onUnknown });
  await until(() => due.length === 1);
  seen(send);
  due[0]?.();
  return (await settled).outcome;
}

test('the answer still has its word', async () => {
  const outcome = await answeredOnceSeen();
  expect(outcome).toMatchObject({ kind: 'accepted', seq: 1, adopted: false });
});

test('the stream is believed where the answer says nothing, and nobody is told of an open outcome', async () => {
  venue.answer(() => ({ status: 500, body: 'no JSON' }));
  const unknown: SignedSend[] = [];
  const outcome = await answeredOnceSeen((lost) => unknown.push(lost));
  expect(outcome).toMatchObject({ kind: 'accepted', seq: 4, adopted: true });
  expect(unknown).toEqual([]);
});

test('the stream is believed against a refusal of the same bytes', async () => {
  const body = submitResponse({ accepted: false, code: 'nonce_replayed', error: 'seen before' });
  venue.answer(() => ({ status: 400, body }));
  const outcome = await answeredOnceSeen();
  expect(outcome).toMatchObject({ kind: 'accepted', seq: 4, adopted: true });
  expect(venue.requests).toHaveLength(1);
});

test('what the stream showed of a batch that the venue refuses whole is not sent one by one', async () => {
  const profile = { ...sandbox, lanes: { ...sandbox.lanes, order: ['jsonBatch' as const] } };
  const sends = [signed(1), signed(2), signed(3)] as const;
  const bodies: string[] = [];
  const taken = JSON.stringify(submitResponse({ seq: 1 }));
  const noRoute = JSON.stringify({ error: { code: 'NOT_FOUND', message: 'no such route' } });
  subject.stop();
  const exchange = async ({ body = '' }: HttpRequest) => {
    bodies.push(body);
    const isBatch = body.includes('"actions"');
    if (isBatch) seen(sends[1]);
    const [status, said] = isBatch ? [404, noRoute] : [200, taken];
    return { kind: 'response', status, headers: {}, body: said } as const;
  };
  subject = plainSubmitter({ exchange }, { profile });
  subject.limit({ jsonEnabled: true, maxActions: 8, maxInFlight: 1 });
  const settled = await Promise.all(sends.map((send) => subject.submit(place(send))));
  expect(settled.map(({ outcome }) => outcome)).toMatchObject([
    { kind: 'accepted', seq: 1 },
    { kind: 'accepted', seq: 4, adopted: true },
    { kind: 'accepted', seq: 1 },
  ]);
  expect(bodies.slice(2).some((body) => body.includes('"nonce":2,'))).toBe(false);
});
