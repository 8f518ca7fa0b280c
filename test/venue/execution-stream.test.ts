/** The execution stream over a real socket to a scripted venue (contract E.5). */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { ManualClock } from '../../src/runtime/clock.ts';
import { VenueReads } from '../../src/venue/venue-reads.ts';
import { until } from '../support/waits.ts';
import { account, otherAccount, wireEvent } from './samples.ts';
import {
  answer,
  delivered,
  happened,
  isLive,
  live,
  log,
  numbers,
  problems,
  profile,
  rebuilt,
  send,
  start,
  states,
  subscriptions,
  tokens,
  unanswered,
  upTo,
  useStream,
  venue,
} from './stream-run.ts';

useStream();

test('R70: a fresh token in the auth frame, then the subscription from last+1', async () => {
  happened(5);
  start({ lastSeq: 3 });
  await until(isLive);
  expect(delivered).toEqual([4, 5]);
  // What was missed is read before, so the venue replays nothing.
  expect(subscriptions).toEqual([{ op: 'subscribe', channel: 'executions', account, fromSeq: 6 }]);
  expect(states).toEqual(['down', 'behind', 'live']);
  const token = venue.requests.find(({ target }) => target.endsWith('/ws/token'));
  expect(JSON.parse(token?.body ?? '')).toEqual({ account, ttlMs: 60_000 });
});

test.each(['fromSeq', 'cursor'] as const)(
  'R67: pages by %s neither lose nor double at the border',
  async (use) => {
    happened(10);
    start({ profile: { ...profile, gapFill: { ...profile.gapFill, use } } });
    await until(isLive);
    expect(delivered).toEqual(upTo(10));
  },
);

test('R65, R66: dropped, doubled and reordered frames give each event once and in order', async () => {
  const subject = start();
  await until(isLive);
  happened(6, 1, 1, 3, 2, 6);
  await until(() => delivered.length === 6);
  expect(delivered).toEqual(upTo(6));
  expect(subject.counts).toMatchObject({ delivered: 6, duplicates: 1, lag: 0 });
  expect(subject.counts.gapFills).toBeGreaterThan(1);
});

test('G48: the same where seq counts the whole venue and events have no prevSeq, and the stream stays live', async () => {
  const event = { ...profile.stream.event, prevSeq: '/none' };
  start({ profile: { ...profile, stream: { ...profile.stream, seqModel: 'global', event } } });
  await until(isLive);
  happened(6, 1, 1, 3, 2, 6);
  await until(() => delivered.length === 6);
  expect(delivered).toEqual(upTo(6));
  expect(states).toEqual(['down', 'behind', 'live']);
});

test('R76: counts and lag can be read', async () => {
  const subject = start();
  await until(isLive);
  happened(1, 1);
  live(wireEvent(5));
  await until(() => subject.lastSeq === 1);
  await until(() => subject.counts.lag === 4);
  happened(5);
  await until(() => subject.counts.lag === 0);
});

test('a frame lost at the end leaves no hole and is found by asking now and then', async () => {
  start({ profile: { ...profile, stream: { ...profile.stream, periodicFillMs: 30 } } });
  await until(isLive);
  happened(2);
  await until(() => delivered.length === 2);
});

test('R66: a connection that is lost is opened again, and what was missed is filled', async () => {
  start();
  await until(isLive);
  happened(2, 1, 2);
  await until(() => delivered.length === 2);
  happened(5);
  venue.sockets.at(-1)?.terminate();
  await until(() => delivered.length === 5);
  await until(isLive);
  expect(states).toEqual(['down', 'behind', 'live', 'down', 'behind', 'live']);
  expect(tokens).toBe(2);
  expect(delivered).toEqual(upTo(5));
});

test('a gap-fill that says that it is not complete, but has nothing more, is no proof that nothing was missed', async () => {
  let isComplete = false;
  venue.answer((request) => {
    if (!request.target.includes('gap-fill')) return answer(request);
    return { body: { events: [], lastSeq: null, complete: isComplete } };
  });
  start();
  await until(() => venue.requests.filter(({ target }) => target.includes('gap-fill')).length > 4);
  expect(states).toEqual(['down', 'behind']);
  isComplete = true;
  await until(isLive);
});

test('a gap-fill that fails keeps the stream behind until it is answered, while live events are delivered', async () => {
  const subject = start();
  await until(isLive);
  let isBroken = true;
  let failed = 0;
  venue.answer((request) => {
    if (!isBroken || !request.target.includes('gap-fill')) return answer(request);
    failed += 1;
    return { status: 503, body: 'busy' };
  });
  subject.probe();
  await until(() => failed > 1);
  happened(1, 1);
  await until(() => delivered.length === 1 && failed > 4);
  expect(states).toEqual(['down', 'behind', 'live', 'behind']);
  isBroken = false;
  await until(isLive);
  expect(venue.sockets).toHaveLength(1);
});

test('an answer of the gap-fill that was asked for before a reconnect does not count as the venue going backward', async () => {
  const subject = start();
  await until(isLive);
  const asked = VenueReads.prototype.gapFill;
  const held = Promise.withResolvers<void>();
  const read = vi.spyOn(VenueReads.prototype, 'gapFill');
  read.mockImplementationOnce(async function (this: VenueReads, ...query) {
    const page = await asked.apply(this, query);
    await held.promise;
    return page;
  });
  subject.probe();
  await until(
    () => venue.requests.filter(({ target }) => target.includes('gap-fill')).length === 3,
  );
  happened(3, 1, 2, 3);
  await until(() => delivered.length === 3);
  venue.sockets.at(-1)?.terminate();
  await until(() => subscriptions.length === 2);
  await until(() => states.at(-1) !== 'down');
  held.resolve();
  await until(() => ['live', 'latched'].includes(states.at(-1) ?? ''));
  expect(states.slice(-2)).toEqual(['behind', 'live']);
  happened(4, 4);
  await until(() => delivered.length === 4);
  read.mockRestore();
});

test('R68: a restart from a durable seq goes on right behind it', async () => {
  happened(4);
  const first = start();
  await until(() => delivered.length === 4);
  await first.stop();
  happened(7);
  start({ lastSeq: 2 });
  await until(isLive);
  expect(delivered).toEqual([1, 2, 3, 4, 3, 4, 5, 6, 7]);
});

test('R70: the token is renewed before it expires, on the same socket', async () => {
  const clock = new ManualClock(Date.now());
  start({ clock });
  await until(isLive);
  for (let seq = 1; seq <= 5; seq += 1) {
    expect(tokens).toBe(1);
    clock.advance(10_000);
    // Something comes each time, so that the socket is not given up as silent.
    happened(seq, seq);
    await until(() => delivered.length === seq);
  }
  await until(() => tokens === 2);
  expect(venue.sockets).toHaveLength(1);
});

test('a socket on which nothing comes is given up and opened again', async () => {
  const clock = new ManualClock(Date.now());
  venue.onSocket((socket, frames) => {
    void (async () => {
      for await (const frame of frames as AsyncIterable<{ op: string }>) {
        if (frame.op === 'auth') send(socket, { op: 'authenticated' });
        if (frame.op === 'subscribe') send(socket, { op: 'subscribed' });
      }
    })();
  });
  start({ clock });
  await until(isLive);
  clock.advance(25_000);
  await until(() => states.at(-1) === 'down');
  clock.advance(16);
  await until(() => venue.sockets.length === 2);
});

describe('what cannot be used is named and asked for again', () => {
  test.each([
    [
      'an event of the wrong form',
      () => live(wireEvent(1, { price: 'cheap' })),
      /^event 1 price: /,
    ],
    ['broken JSON', () => venue.sockets.at(-1)?.send('{"op":"event"'), /^broken JSON/],
    ['a binary frame', () => venue.sockets.at(-1)?.send(Buffer.from([1, 2])), /^a binary frame/],
    [
      'a frame of another kind',
      () => send(venue.sockets.at(-1) as WebSocket, { op: 'weather' }),
      /"weather"/,
    ],
    [
      'an error without a number',
      () => send(venue.sockets.at(-1) as WebSocket, { op: 'error', error: { message: 'hm' } }),
      /the stream says: hm/,
    ],
  ])('%s', async (_, spoil, problem) => {
    start();
    await until(isLive);
    happened(1);
    spoil();
    await until(() => delivered.length === 1);
    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(venue.sockets).toHaveLength(1);
  });

  test("another account's event is told and not delivered", async () => {
    start();
    await until(isLive);
    live(wireEvent(1, { account: otherAccount }));
    await until(() => problems.length === 1);
    expect(problems[0]).toContain(otherAccount);
    expect(delivered).toEqual([]);
  });

  test('an event that stays malformed in the gap-fill holds the stream behind, and is never passed over', async () => {
    log.push(wireEvent(1), wireEvent(2, { qty: -1 }), wireEvent(3));
    start({ profile: { ...profile, gapFill: { ...profile.gapFill, limit: 1 } } });
    await until(() => problems.length >= 3);
    expect(delivered).toEqual([1]);
    expect(states).not.toContain('live');
    expect(problems[0]).toMatch(/event 2 qty: must not be negative/);
    log[1] = wireEvent(2);
    await until(isLive);
    expect(delivered).toEqual([1, 2, 3]);
  });

  test("a page of the gap-fill with another account's event is asked for again, and nothing of it is delivered", async () => {
    log.push(wireEvent(1), wireEvent(2, { account: otherAccount }));
    start();
    await until(() => problems.length >= 3);
    expect(delivered).toEqual([]);
    expect(states).not.toContain('live');
    expect(problems[0]).toBe(`${profile.routes.gapFill}: event 2 is of account ${otherAccount}`);
    log[1] = wireEvent(2);
    await until(isLive);
    expect(delivered).toEqual([1, 2]);
  });

  test('a frame beyond its bound ends the connection', async () => {
    const { private: socket } = profile.ws;
    start({
      profile: { ...profile, ws: { ...profile.ws, private: { ...socket, maxFrameBytes: 1024 } } },
    });
    await until(isLive);
    live(wireEvent(1, { reason: { text: 'x'.repeat(2000) } }));
    await until(() => states.filter((state) => state === 'live').length === 2);
    expect(venue.sockets).toHaveLength(2);
  });
});

test('no frame whatever ends the stream or passes an event over', async () => {
  start();
  await until(isLive);
  const frames = fc.sample(
    fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue().map((event) => JSON.stringify({ op: 'event', event })),
      fc.jsonValue().map((error) => JSON.stringify({ op: 'error', error })),
    ),
    { numRuns: 300, seed: 5 },
  );
  const socket = venue.sockets.at(-1) as WebSocket;
  for (const frame of frames) socket.send(frame);
  happened(2, 1, 2);
  await until(() => delivered.length === 2);
  await until(isLive);
  expect(delivered).toEqual([1, 2]);
  expect(venue.sockets).toHaveLength(1);
});

const error = { op: 'error', error: { message: 'no such token' } };

describe('an answer that the profile does not name is told once for each reason', () => {
  test.each<[string, (op: string) => { readonly op: string }, string]>([
    ['auth', () => ({ op: 'ok' }), 'the answer to the authentication is a frame of kind "ok"'],
    [
      'auth with an error',
      () => error,
      'the answer to the authentication is an error: no such token',
    ],
    [
      'subscribe',
      (op) => ({ op: op === 'auth' ? 'authenticated' : 'ok' }),
      'the answer to the subscription is a frame of kind "ok"',
    ],
  ])('to %s', async (_, answerTo, told) => {
    const strangely = async (socket: WebSocket, frames: AsyncIterable<unknown>) => {
      for await (const frame of frames as AsyncIterable<{ op: string }>) {
        const said = answerTo(frame.op);
        send(socket, said);
        if (said.op !== 'authenticated') socket.close();
      }
    };
    venue.onSocket((socket, frames) => void strangely(socket, frames));
    start();
    await until(() => tokens > 3);
    expect(unanswered).toEqual([told]);
  });

  test('silence, too', async () => {
    venue.onSocket(() => {});
    start({
      profile: {
        ...profile,
        ws: { ...profile.ws, private: { ...profile.ws.private, silenceMs: 20 } },
      },
    });
    await until(() => tokens > 3);
    expect(unanswered).toEqual([
      'the answer to the authentication is missing: nothing came for 20 ms',
    ]);
  });
});

test('R71: numeric reasons of the socket are told', async () => {
  start();
  await until(isLive);
  const socket = venue.sockets.at(-1) as WebSocket;
  send(socket, { op: 'error', error: { message: 'halted', data: { code: 103 } } });
  send(socket, { op: 'error', error: { message: 'new', data: { code: 999 } } });
  await until(() => problems.length === 1);
  expect(numbers).toEqual([103]);
});

test('a seq that goes backward latches, and no connection is tried again', async () => {
  happened(3);
  start({ lastSeq: 9 });
  await until(() => states.at(-1) === 'latched');
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(venue.sockets).toHaveLength(0);
  expect(delivered).toEqual([]);
});

test('R75: what the gap-fill no longer has is rebuilt up to the count of the venue, and the stream goes on', async () => {
  happened(9);
  venue.answer((request) => {
    const url = new URL(request.target, 'http://venue');
    if (url.pathname.endsWith('/drop-copy')) return { body: { lastSeq: 8 } };
    const isOld = url.pathname.endsWith('/gap-fill') && Number(url.searchParams.get('fromSeq')) < 8;
    if (!isOld) return answer(request);
    const error = {
      code: 'NOT_FOUND',
      message: 'gone',
      requestId: 'r',
      details: { cause: 'seq_too_old' },
    };
    return { status: 404, body: { ok: false, error } };
  });
  start({ lastSeq: 2 });
  await until(isLive);
  expect(rebuilt).toEqual([[2, 8]]);
  expect(delivered).toEqual([9]);
  expect(subscriptions).toMatchObject([{ fromSeq: 10 }]);
});

test('a consumer that fails ends the stream: nothing later is delivered', async () => {
  happened(1);
  start({ deliver: async () => Promise.reject(new Error('the disk is full')) });
  await until(() => states.at(-1) === 'latched');
  expect(delivered).toEqual([]);
});

test('deliveries wait for each other, and what comes meanwhile is delivered together', async () => {
  const pieces: number[][] = [];
  let release = () => {};
  const subject = start({
    deliver: async (seqs) => {
      pieces.push(seqs);
      if (pieces.length > 1) return;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    },
  });
  await until(isLive);
  happened(1, 1);
  await until(() => pieces.length === 1);
  happened(200, ...upTo(200, 2));
  await until(() => subject.lastSeq === 200);
  expect(pieces).toEqual([[1]]);
  release();
  await until(() => delivered.length === 200);
  expect(delivered).toEqual(upTo(200));
  expect(pieces.map(({ length }) => length)).toEqual([1, 64, 64, 64, 7]);
});

test('a slow consumer makes the socket wait', async () => {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const subject = start({ deliver: () => isReleased });
  await until(isLive);
  const last = 3_000;
  happened(last, ...upTo(last));
  await until(() => subject.lastSeq >= 256);
  for (let round = 0; round < 100; round += 1) await new Promise((next) => setImmediate(next));
  expect(subject.lastSeq).toBeLessThan(1_000);
  release();
  await until(() => delivered.length === last);
  expect(delivered).toEqual(upTo(last));
});
