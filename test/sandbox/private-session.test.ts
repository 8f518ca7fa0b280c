import { afterAll, beforeEach, expect, test } from 'vitest';
import {
  type FrameSink,
  PrivateSession,
  type PrivateSessionParts,
} from '../../src/sandbox/private-session.ts';
import { type Loose, open, Stream, spot } from './client.ts';

const venue = await open({ retention: { eventsPerAccount: 40 } });
afterAll(() => venue.stop());
beforeEach(() => venue.fresh());
const one = venue.client(0);
const two = venue.client(1);
const gapFill = '/api/v1/order-entry/execution/gap-fill';

async function place(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await one.act(spot({ qty: 100_000 + index * 1000 }));
}

function sequence(events: Loose[]): number[] {
  return events.map(({ seq }) => seq);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

test('R70: a fresh token opens the socket, an expired or unknown one does not', async () => {
  const token = await one.token(1000);
  const good = await Stream.open(venue.info.wsUrl);
  good.send({ op: 'auth', token });
  expect(await good.next(({ op }) => op === 'authenticated')).toMatchObject({
    account: one.account,
  });
  venue.clock.advance(1000);
  const late = await Stream.open(venue.info.wsUrl);
  late.send({ op: 'auth', token });
  expect(await late.closed()).toBe(4200);
  const early = await Stream.open(venue.info.wsUrl);
  early.send({ op: 'subscribe', channel: 'executions' });
  expect(await early.closed()).toBe(4200);
  good.close();
});

test('a peer that does not authenticate within ten seconds is closed', async () => {
  const stream = await Stream.open(venue.info.wsUrl);
  venue.clock.advance(10_100);
  expect(await stream.closed()).toBe(4200);
});

test('events carry contiguous numbers from 1, live and from any point of the past', async () => {
  const before = (await one.events(await firstKept())).length;
  const live = await one.stream();
  await place(3);
  const events = await live.events(3);
  expect(events.map(({ prevSeq, seq }) => seq - prevSeq)).toEqual([1, 1, 1]);
  const again = await one.stream(events[1].seq);
  expect(sequence(await again.events(2))).toEqual(sequence(events).slice(1));
  expect((await one.events(await firstKept())).length).toBe(Math.min(40, before + 3));
  live.close();
  again.close();
});

test('R73: frames dropped, doubled, delayed and reordered on command are whole in gap-fill', async () => {
  const first = (await lastSeqOf()) + 1;
  const stream = await one.stream();
  await venue.admin('/faults', { kind: 'frame_drop' });
  await place(1);
  await venue.admin('/faults', { kind: 'frame_double' });
  await place(1);
  await venue.admin('/faults', { kind: 'frame_reorder' });
  await place(2);
  await venue.admin('/faults', { kind: 'frame_delay', delayMs: 500 });
  await place(2);
  const early = sequence(await stream.events(5));
  expect(early).toEqual([1, 1, 3, 2, 5].map((offset) => first + offset));
  venue.clock.advance(500);
  expect(sequence(await stream.events(6)).at(-1)).toBe(first + 4);
  const whole = await one.get(`${gapFill}?fromSeq=${first}`);
  expect(sequence(whole.body.events)).toEqual(range(first, first + 5));
  expect(whole.body).toMatchObject({ nextCursor: first + 5, lastSeq: first + 5, complete: true });
  stream.close();
});

test('R73: a frame that waits for the next one is sent when the operator releases it', async () => {
  const stream = await one.stream();
  await venue.admin('/faults', { kind: 'frame_reorder' });
  await place(1);
  stream.send({ op: 'ping' });
  await stream.next(({ op }) => op === 'pong');
  expect(stream.frames.filter(({ op }) => op === 'event')).toEqual([]);
  await venue.admin('/faults/release');
  expect(await stream.events(1)).toHaveLength(1);
  stream.close();
});

test('gap-fill pages by an inclusive fromSeq or an exclusive cursor', async () => {
  await place(5);
  const last = await lastSeqOf();
  const page = await one.get(`${gapFill}?fromSeq=${last - 4}&limit=2`);
  expect(page.body).toMatchObject({ nextCursor: last - 3, lastSeq: last, complete: false });
  const next = await one.get(`${gapFill}?cursor=${page.body.nextCursor}`);
  expect(sequence([...page.body.events, ...next.body.events])).toEqual(range(last - 4, last));
  expect(next.body.complete).toBe(true);
  for (const wrong of ['fromSeq=0', 'cursor=-1', 'fromSeq=1&cursor=0', 'limit=1001', 'fromSeq=x']) {
    expect((await one.get(`${gapFill}?${wrong}`)).status).toBe(400);
  }
  const foreign = await one.get(`${gapFill}?account=${two.account}`);
  expect(foreign.body.code).toBe('ACCOUNT_MISMATCH');
});

test('events that retention dropped are reported on the route and on the socket', async () => {
  await place(45);
  const route = await one.get(`${gapFill}?fromSeq=1`);
  expect([route.status, route.body.error.details.cause]).toEqual([404, 'seq_too_old']);
  const stream = await Stream.open(venue.info.wsUrl);
  stream.send({ op: 'auth', token: await one.token() });
  stream.send({ op: 'subscribe', channel: 'executions', account: one.account, fromSeq: 1 });
  const { error } = await stream.next(({ op }) => op === 'error');
  expect(error.data).toEqual({ code: null, cause: 'seq_too_old' });
  stream.close();
});

test('what the operator lets the venue forget is beyond retention, and what comes after is kept', async () => {
  await place(1);
  const { seq } = (await one.events(await firstKept())).at(-1);
  await venue.admin(`/streams/${one.account}`, { forget: true });
  await place(1);
  const old = await one.get(`${gapFill}?fromSeq=${seq}`);
  expect([old.status, old.body.error.details.cause]).toEqual([404, 'seq_too_old']);
  const { body } = await one.get(`${gapFill}?fromSeq=${seq + 1}`);
  expect(sequence(body.events)).toEqual([seq + 1]);
});

test('a sequence that starts again shows as one that went backward', async () => {
  await place(2);
  const live = await one.stream();
  await venue.admin(`/streams/${one.account}`, { resetSeq: true });
  await place(1);
  expect(sequence(await live.events(1))).toEqual([1]);
  live.close();
  const { body } = await one.get(`${gapFill}?fromSeq=1`);
  expect(sequence(body.events)).toEqual([1]);
  expect(body.events[0].prevSeq).toBeNull();
  const receipts = await one.get('/api/v1/order-entry/receipts?limit=1');
  expect(receipts.body.receipts[0].seq).toBe(1);
});

test('R71: one frame of the wrong kind does not harm the others', async () => {
  const stream = await one.stream();
  for (const frame of ['{', '[]', '{"op":7}', '{"op":"subscribe","channel":"books"}'])
    stream.send(frame);
  const errors = () => stream.frames.filter(({ op }) => op === 'error').length;
  await stream.next(() => errors() >= 1);
  const other = await two.stream();
  await two.act(spot());
  expect(await other.events(1)).toHaveLength(1);
  other.close();
  stream.close();
});

test('a frame with a long name of its own is refused with the reason 202', async () => {
  const stream = await one.stream();
  const name = JSON.stringify('€'.repeat(64));
  stream.send(`{${name}:1,${name}:1}`);
  expect(await stream.closed()).toBe(4202);
});

test('a frame beyond the limit closes the socket and nothing else', async () => {
  const stream = await one.stream();
  stream.send(`{"op":"${'x'.repeat(1_048_576)}"}`);
  expect(await stream.closed()).toBe(1009);
  expect((await one.get('/api/v1/health')).status).toBe(200);
});

test('the session records show open sockets of the account only', async () => {
  const stream = await one.stream();
  const sessions = async (client: typeof one) =>
    (await client.get('/api/v1/order-entry/sessions')).body.sessions;
  expect(await sessions(one)).toContainEqual({
    sessionId: expect.stringMatching(/^ws-\d+$/),
    account: one.account,
    lane: 'websocket',
    connectedAtMs: expect.any(Number),
    cancelOnDisconnect: false,
    state: 'open',
  });
  expect(await sessions(two)).toEqual([]);
  stream.close();
});

test('a reader that is slow falls behind and costs no memory; it gets all events in order', () => {
  const sent: Loose[] = [];
  let room = 4;
  const session = sessionTo({
    send: (frame) => {
      sent.push(JSON.parse(frame));
      room -= 1;
    },
    close: () => undefined,
    hasRoom: () => room > 0,
  });
  const { tokens } = venue.venue.state;
  const { token } = tokens.issue(one.account, 1000, venue.clock.now().wallMs);
  session.received(JSON.stringify({ op: 'auth', token }), venue.clock.now());
  const subscribe = { op: 'subscribe', channel: 'executions', account: one.account, fromSeq: 1 };
  session.received(JSON.stringify(subscribe), venue.clock.now());
  const events = () => sent.filter(({ op }) => op === 'event');
  const soon = events().length;
  expect(soon).toBeLessThan(100);
  session.pump(venue.clock.now());
  expect(events()).toHaveLength(soon);
  while (events().length < 1000) {
    room = 1;
    session.pump(venue.clock.now());
  }
  expect(sequence(events().map(({ event }) => event))).toEqual(range(1, 1000));
});

test('a peer that sends without reading gets no answers beyond its budget of frames', () => {
  let sent = 0;
  const count = () => {
    sent += 1;
  };
  const session = sessionTo({ send: count, close: () => undefined, hasRoom: () => false });
  for (let frame = 0; frame < 10_000; frame += 1) session.received('{}', venue.clock.now());
  expect(sent).toBe(100);
});

/** A session with a log of 1000 events. */
function sessionTo(sink: FrameSink): PrivateSession {
  const { faults, profile, tokens } = venue.venue.state;
  const log: PrivateSessionParts['log'] = {
    lastSeq: () => 1000,
    read: (_, fromSeq, limit) => ({
      ...{ lastSeq: 1000, complete: false },
      events: range(fromSeq, Math.min(1000, fromSeq + limit - 1)).map((seq) => ({ seq })),
      nextSeq: Math.min(1000, fromSeq + limit - 1) + 1,
    }),
  };
  const parts = { sink, log, tokens, faults, frames: profile.ws.private };
  return new PrivateSession('ws-test', parts, venue.clock.now());
}

async function lastSeqOf(): Promise<number> {
  return (await venue.admin(`/accounts/${one.account}`, undefined, 'GET')).body.lastSeq;
}

async function firstKept(): Promise<number> {
  return Math.max(1, (await lastSeqOf()) - 39);
}
