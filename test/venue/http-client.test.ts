/** HTTP exchanges with a scripted venue over real sockets. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock, systemClock } from '../../src/runtime/clock.ts';
import { Credentials } from '../../src/venue/credentials.ts';
import { HttpClient, type HttpClientParts } from '../../src/venue/http-client.ts';
import { realNetwork, type VenueNetwork } from '../../src/venue/network.ts';
import { RequestAuth } from '../../src/venue/request-auth.ts';
import { answerBytes, type ScriptedVenue, startScriptedVenue } from '../support/scripted-venue.ts';
import { until } from '../support/waits.ts';
import { sandbox } from './samples.ts';

const rules = { timeoutMs: 2000, connections: 2, maxBodyBytes: 4096 };
const post = { method: 'POST', target: '/p', body: '{"a":1}' } as const;
let venue: ScriptedVenue;
const clients: HttpClient[] = [];

function client(more: Partial<HttpClientParts> = {}): HttpClient {
  const made = new HttpClient({ baseUrl: venue.baseUrl, rules, clock: systemClock, ...more });
  clients.push(made);
  return made;
}

beforeEach(async () => {
  venue = await startScriptedVenue(() => ({ body: { ok: true } }));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((one) => one.close()));
  await venue.stop();
});

test('a response comes with status, headers in lower case and body', async () => {
  venue.answer(() => ({ status: 429, headers: { 'X-RateLimit-After': '3' }, body: 'slow down' }));
  expect(await client().exchange({ ...post, headers: ['X-One', '1'] })).toMatchObject({
    kind: 'response',
    status: 429,
    headers: { 'x-ratelimit-after': '3' },
    body: 'slow down',
  });
  expect(venue.requests[0]).toMatchObject({
    method: 'POST',
    target: '/p',
    body: '{"a":1}',
    headers: { 'x-one': '1', 'content-type': 'application/json' },
  });
});

/** A venue that answers nothing until it is told to, in the order of the requests. */
function heldAnswers() {
  const due: (() => void)[] = [];
  const controller = { abort: () => {} } as unknown as Dispatcher.DispatchController;
  const pool: ReturnType<VenueNetwork['pool']> = {
    dispatch(_options, handler) {
      handler.onRequestStart?.(controller, null);
      due.push(() => {
        handler.onResponseStart?.(controller, 200, {});
        handler.onResponseEnd?.(controller, {});
      });
      return true;
    },
    destroy: async () => {},
  };
  return { due, network: { ...realNetwork, pool: () => pool } };
}

test.each([
  ['an answer that is alone is told behind what came in with it', 1, ['event', 'answer']],
  ['one of several is told at once, because others wait for it', 2, ['answer', 'event']],
] as const)('%s', async (_name, requests, expected) => {
  const { due, network } = heldAnswers();
  const http = client({ network });
  const told: string[] = [];
  const open = Array.from({ length: requests }, () => http.exchange(post));
  const first = open[0]?.then(() => told.push('answer'));
  setImmediate(() => told.push('event'));
  due[0]?.();
  await first;
  await new Promise(setImmediate);
  expect(told).toEqual(expected);
  for (const answer of due.slice(1)) answer();
  await Promise.all(open);
});

test('connections are kept', async () => {
  const http = client({ rules: { ...rules, connections: 1 } });
  for (let count = 0; count < 50; count += 1) await http.exchange(post);
  expect(venue.requests.length).toBe(50);
  expect(venue.connectionCount()).toBe(1);
});

test('what comes on an idle connection is never the answer to the next request', async () => {
  const opened: Socket[] = [];
  const server = createServer((socket) => {
    const at = opened.push(socket);
    socket.on('data', () => socket.write(answerBytes({ body: { connection: at } })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const http = client({ baseUrl: `http://127.0.0.1:${port}` });
  for (const connection of [1, 2, 3, 4, 5]) {
    const body = JSON.stringify({ connection });
    expect(await http.exchange(post)).toMatchObject({ kind: 'response', body });
    // It is there before the loop looks, and the next request is asked for before that.
    opened.at(-1)?.write(answerBytes({ body: { connection: 'unasked' } }));
  }
  await http.close();
  for (const socket of opened) socket.destroy();
  server.close();
});

test('what came in together with an answer is read before it', async () => {
  const order: string[] = [];
  const others: Socket[] = [];
  const server = createServer((socket) => {
    socket.once('data', (said) => {
      if (said.toString() === 'stream') others.push(socket);
      else {
        socket.write(answerBytes({ body: { ok: true } }));
        others[0]?.write('an event');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stream = connect({ port, host: '127.0.0.1' }, () => stream.write('stream'));
  stream.on('data', (said) => order.push(said.toString()));
  await until(() => others.length === 1);
  const http = client({ baseUrl: `http://127.0.0.1:${port}` });
  const { kind } = await http.exchange(post);
  order.push(kind);
  expect(order).toEqual(['an event', 'response']);
  await http.close();
  stream.destroy();
  for (const socket of others) socket.destroy();
  server.close();
});

describe('R46: an answer cut at any byte is broken, never unsent and never half an answer', () => {
  test('every cut point', async () => {
    const body = { accepted: true, text: 'x'.repeat(40) };
    const { length } = answerBytes({ body });
    const http = client();
    for (let cutAt = 0; cutAt < length; cutAt += 1) {
      venue.answer(() => ({ body, cutAt }));
      const exchange = await http.exchange(post);
      expect(exchange.kind, `cut at ${cutAt} of ${length}`).toBe('broken');
    }
    expect(venue.requests.length).toBe(length);
  });
});

test.each([
  { method: 'GET', target: '/r' },
  { ...post, target: '/r', isRead: true },
] as const)(
  'a read by $method whose connection is cut is sent once more, on another one',
  async (read) => {
    const cuts = [20, undefined, 20, 20];
    const body = { ok: true };
    venue.answer(() => {
      const cutAt = cuts.shift();
      return { body, ...(cutAt !== undefined && { cutAt }) };
    });
    const http = client();
    expect(await http.exchange(read)).toMatchObject({ kind: 'response', status: 200 });
    expect(await http.exchange(read)).toMatchObject({ kind: 'broken' });
    expect(venue.requests.map(({ target }) => target)).toEqual(['/r', '/r', '/r', '/r']);
  },
);

test('a read that nobody answers ends at its deadline and is not sent again', async () => {
  const clock = new ManualClock();
  venue.answer(() => ({ hang: true }));
  const exchange = client({ clock }).exchange({ method: 'GET', target: '/r' });
  await until(() => venue.requests.length === 1);
  clock.advance(2000);
  expect(await exchange).toEqual({ kind: 'broken', problem: 'no answer within 2000 ms' });
  expect(venue.requests.length).toBe(1);
});

test('a request cut before its end is broken: it may have been read', async () => {
  for (const bytes of [1, 20, 60]) {
    venue.cutRequestsAt(bytes);
    expect(await client().exchange(post)).toMatchObject({ kind: 'broken' });
  }
});

test('a venue that does not listen leaves the request unsent', async () => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  const http = client({ baseUrl: `http://127.0.0.1:${port}` });
  expect(await http.exchange(post)).toMatchObject({
    kind: 'unsent',
    problem: expect.stringContaining('ECONNREFUSED'),
  });
});

test('the deadline is hard: a venue that accepts and says nothing is broken', async () => {
  const clock = new ManualClock();
  venue.answer(() => ({ hang: true }));
  const exchange = client({ clock }).exchange(post);
  await until(() => venue.requests.length === 1);
  clock.advance(2000);
  expect(await exchange).toEqual({ kind: 'broken', problem: 'no answer within 2000 ms' });
});

test('a request that waits for a connection until its deadline is unsent', async () => {
  const clock = new ManualClock();
  venue.answer(() => ({ hang: true }));
  const http = client({ clock, rules: { ...rules, connections: 1 } });
  const first = http.exchange({ ...post, timeoutMs: 9000 });
  await until(() => venue.requests.length === 1);
  const second = http.exchange(post);
  clock.advance(2000);
  expect(await second).toMatchObject({ kind: 'unsent' });
  clock.advance(7000);
  expect(await first).toMatchObject({ kind: 'broken' });
  expect(venue.requests.length).toBe(1);
});

test('a request that changes something waits for no read, however many of them hang', async () => {
  venue.answer(({ method }) => (method === 'POST' ? { body: { ok: true } } : { hang: true }));
  const http = client({ rules: { ...rules, connections: 1 } });
  const reads = Array.from({ length: 8 }, () => http.exchange({ method: 'GET', target: '/r' }));
  await until(() => venue.requests.length > 0);
  expect(await http.exchange(post)).toMatchObject({ kind: 'response', status: 200 });
  await http.close();
  expect((await Promise.all(reads)).map(({ kind }) => kind)).not.toContain('response');
});

test('a body beyond its bound is broken off', async () => {
  venue.answer(() => ({ body: 'x'.repeat(5000) }));
  expect(await client().exchange(post)).toMatchObject({
    kind: 'broken',
    problem: 'the body is over 4096 bytes',
  });
});

test('bytes that are no HTTP are broken', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end('\u0000\u0001nonsense\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const exchange = await client({ baseUrl: `http://127.0.0.1:${port}` }).exchange(post);
  expect(exchange.kind).toBe('broken');
  server.close();
});

describe('what lets a request in is made before the request may leave', () => {
  const { http: auth } = sandbox.auth;
  const credential = { key: 'spk_k', secret: 'sps_s', passphrase: 'spp_p' };
  const beganMs = Date.UTC(2020, 0, 1);
  const stamps = () => venue.requests.map(({ headers }) => Number(headers['x-api-timestamp']));
  const signatures = () => venue.requests.map(({ headers }) => headers['x-api-signature']);
  let clock: ManualClock;
  let http: HttpClient;
  beforeEach(() => {
    clock = new ManualClock(beganMs);
    const skew = { maxSkewMs: auth.maxSkewMs };
    http = client({ clock, auth: new Credentials(auth, credential, () => {}), ...skew });
  });

  test('and is used once: a repeated request is authenticated again', async () => {
    http.prepare(post);
    clock.advance(400);
    for (let times = 0; times < 2; times += 1) await http.exchange(post);
    expect(stamps()).toEqual([beganMs, beganMs + 400]);
    expect(signatures()[0]).toBe(
      new RequestAuth(auth, credential).headers('POST', '/p', post.body, beganMs).at(-1),
    );
    expect(signatures()[1]).not.toBe(signatures()[0]);
  });

  test('unless it is older than a second by then', async () => {
    http.prepare(post);
    clock.advance(1001);
    await http.exchange(post);
    expect(stamps()).toEqual([beganMs + 1001]);
  });

  test('or the venue has shown that our clock is off', async () => {
    const date = new Date(beganMs + 3_600_000).toUTCString();
    venue.answer(() => ({ status: 401, headers: { date }, body: {} }));
    http.prepare(post);
    await http.exchange({ ...post, target: '/other' });
    await http.exchange(post);
    expect(stamps()).toEqual([beganMs, beganMs + 3_600_000]);
  });
});

test('a public request has no credential', async () => {
  const credential = { key: 'spk_k', secret: 'sps_s', passphrase: 'spp_p' };
  const http = client({ auth: new Credentials(sandbox.auth.http, credential, () => {}) });
  await http.exchange({ method: 'GET', target: '/public', isPublic: true });
  await http.exchange({ method: 'GET', target: '/own' });
  const withKey = venue.requests.map(({ headers }) => 'x-api-key' in headers);
  expect(withKey).toEqual([false, true]);
});

test('only a POST that the venue processed counts as acceptance of its credential', async () => {
  const credential = { key: 'spk_k', secret: 'sps_s', passphrase: 'spp_p' };
  const one = new RequestAuth(sandbox.auth.http, credential);
  const accepted: string[] = [];
  const auth = {
    current: () => one,
    correctClock: () => {},
    accept: ({ key }: RequestAuth) => accepted.push(key),
    isToRepeat: () => false,
  };
  const http = client({ auth });
  await http.exchange({ method: 'GET', target: '/public' });
  expect(accepted).toEqual([]);
  await http.exchange(post);
  expect(accepted).toEqual(['spk_k']);
  venue.answer(() => ({ status: 401, body: {} }));
  await http.exchange(post);
  expect(accepted).toEqual(['spk_k']);
});

test('a 401 with a Date far from ours makes the next request follow the clock of the venue', async () => {
  const { http: auth } = sandbox.auth;
  const credential = { key: 'spk_k', secret: 'sps_s', passphrase: 'spp_p' };
  const clock = new ManualClock(Date.UTC(2020, 0, 1));
  const http = client({
    clock,
    auth: new Credentials(auth, credential, () => {}),
    maxSkewMs: auth.maxSkewMs,
  });
  let date = new Date(Date.UTC(2020, 0, 1, 1)).toUTCString();
  venue.answer(() => ({ status: 401, headers: { date }, body: {} }));
  const [first, beside] = await Promise.all([http.exchange(post), http.exchange(post)]);
  expect(http.clockOffsetMs).toBe(3_600_000);
  expect([first, beside]).toMatchObject([{ isClockCorrected: true }, { isClockCorrected: true }]);
  expect(await http.exchange(post)).not.toHaveProperty('isClockCorrected');
  const stamps = () => venue.requests.map(({ headers }) => Number(headers['x-api-timestamp']));
  expect((stamps()[2] ?? 0) - (stamps()[0] ?? 0)).toBe(3_600_000);
  date = new Date(Date.UTC(2020, 0, 1)).toUTCString();
  expect(await http.exchange(post)).toMatchObject({ isClockCorrected: true });
  await http.exchange(post);
  expect(stamps().at(-1)).toBe(stamps()[0]);
});
