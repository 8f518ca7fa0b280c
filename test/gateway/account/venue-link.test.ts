/** One account's way to the venue, over real sockets to a scripted venue. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { Hops } from '../../../src/gateway/account/hops.ts';
import { nobody } from '../../../src/gateway/account/observer.ts';
import {
  type StreamFollower,
  socketUrl,
  VenueLink,
} from '../../../src/gateway/account/venue-link.ts';
import { realOutside } from '../../../src/gateway/outside.ts';
import { ManualClock, systemClock } from '../../../src/runtime/clock.ts';
import type { Dispatcher } from '../../../src/venue/dispatcher.ts';
import { Pacer } from '../../../src/venue/pacer.ts';
import type { Verdict } from '../../../src/venue/verdict.ts';
import {
  type ScriptedRequest,
  type ScriptedVenue,
  startScriptedVenue,
} from '../../support/scripted-venue.ts';
import { until, within } from '../../support/waits.ts';
import { account, sandbox, signed, submitResponse, wireEvent } from '../../venue/samples.ts';

const secret = Buffer.from('secret').toString('base64');
let venue: ScriptedVenue;
let link: VenueLink;
let dispatcher: Dispatcher;
/** What the observer is shown, what the line hears, what is told of the stream. */
let seen: string[];
let heard: number[];
let told: string[];

beforeEach(async () => {
  [seen, heard, told] = [[], [], []];
  venue = await startScriptedVenue(answer);
  venue.onSocket((socket, frames) => void play(socket, frames));
  link = new VenueLink({
    alarm: (text) => seen.push(text),
    outside: realOutside,
    profile: sandbox,
    account,
    baseUrl: venue.baseUrl,
    credential: { key: 'k', secret, passphrase: 'p' },
    clock: systemClock,
  });
  dispatcher = link.openSubmission({
    confirmed: () => undefined,
    hops: new Hops(),
    observer: {
      ...nobody,
      requested: (of, { target }) => seen.push(`to ${of === account} ${target}`),
      answered: (of, _, exchange) => seen.push(`from ${of === account} ${exchange.kind}`),
    },
    pacer: new Pacer(),
    patienceMs: 1_000,
  });
});

afterEach(async () => {
  await link.stop();
  await venue.stop();
});

function answer({ method, target }: ScriptedRequest) {
  if (target.includes('/ws/token')) {
    return { body: { ok: true, data: { token: 't', expiresAtMs: Date.now() + 60_000 } } };
  }
  if (method === 'POST') return { body: submitResponse({ seq: 1 }) };
  return { body: { events: [wireEvent(1)], lastSeq: 1, complete: true, nextCursor: 1 } };
}

async function play(socket: WebSocket, frames: AsyncIterable<unknown>): Promise<void> {
  for await (const { op } of frames as AsyncIterable<{ op: string }>) {
    const said = { auth: 'authenticated', ping: 'pong', subscribe: 'subscribed' }[op];
    if (said !== undefined) socket.send(JSON.stringify({ op: said }));
  }
}

const line: StreamFollower = {
  account,
  orders: { lastSeq: 0 },
  onEvents: async (events) => {
    heard.push(...events.map(({ seq }) => seq));
  },
};

const follow = (waitMs: number) =>
  link.follow(
    line,
    {
      state: (state) => told.push(state),
      numbered: () => {},
      problem: () => {},
      unanswered: () => {},
      whenListed: () => undefined,
      rebuild: async () => {},
    },
    waitMs,
  );

/** What the venue says of an action. */
const said = () =>
  new Promise<Verdict>((answered) => {
    dispatcher.submit({ id: 1, send: signed(1), priority: 'place', sent: () => {}, answered });
  });

test('an action goes out with the credential of its account, and the observer is shown both ways', async () => {
  expect(await said()).toMatchObject({ kind: 'accepted', seq: 1 });
  const [request] = venue.requests;
  expect(JSON.stringify(request?.headers)).toContain('"k"');
  expect(seen).toEqual([`to true ${request?.target}`, 'from true response']);
});

test('what the venue asks of everybody is handed on with its refusal', async () => {
  const error = { code: 'API_CREDENTIAL_REVOKED', message: 'gone', requestId: 'r' };
  venue.answer(() => ({ status: 401, body: { ok: false, error } }));
  expect(await said()).toMatchObject({ kind: 'refused', refusal: { acts: ['CR'] } });
});

test('following resolves once nothing is missing and the consumer has all of it', async () => {
  await follow(60_000);
  expect([heard, told.at(-1)]).toEqual([[1], 'live']);
});

test('a venue whose stream does not come up holds up a start no longer than it may', async () => {
  venue.answer(() => ({ status: 503, body: 'away' }));
  await follow(20);
  expect(told).not.toContain('live');
});

test('an account whose credential the venue refuses holds up a start no longer than it takes to ask again', async () => {
  venue.answer(() => ({
    status: 403,
    body: { ok: false, code: 'API_CREDENTIAL_REVOKED', error: '' },
  }));
  await within('the start goes on', follow(600_000), 10_000);
  expect(venue.requests.filter(({ target }) => target.includes('gap-fill'))).toHaveLength(2);
  expect(told).not.toContain('live');
});

test('a start waits as long as the stream advances, within a bound', async () => {
  const clock = new ManualClock();
  link = new VenueLink({
    alarm: (text) => seen.push(text),
    outside: realOutside,
    profile: sandbox,
    account,
    baseUrl: venue.baseUrl,
    credential: { key: 'k', secret, passphrase: 'p' },
    clock,
  });
  // Each page has one event more, and another one is missing.
  let seq = 0;
  venue.answer((request) => {
    if (!request.target.includes('gap-fill')) return answer(request);
    seq += 1;
    return {
      body: { events: [wireEvent(seq)], lastSeq: seq + 1, complete: false, nextCursor: seq },
    };
  });
  let isOver = false;
  const following = follow(1_000).then(() => {
    isOver = true;
  });
  for (let wait = 1; wait <= 5; wait += 1) {
    const before = heard.length;
    await until(() => heard.length > before);
    clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect([wait, isOver]).toEqual([wait, false]);
  }
  clock.advance(1_000);
  await following;
  expect(told).not.toContain('live');
});

test.each([
  ['http://venue:1/', 'ws://venue:1'],
  ['https://venue/base/', 'wss://venue/base'],
])('the stream of %s is at %s', (baseUrl, url) => {
  expect(socketUrl(baseUrl, sandbox)).toBe(`${url}${sandbox.routes.wsPrivate}`);
});
