/** The execution stream over a real socket to a scripted venue, for the tests of `execution-stream.ts`. */
import { afterEach, beforeEach } from 'vitest';
import type { WebSocket } from 'ws';
import { type Clock, systemClock } from '../../src/runtime/clock.ts';
import { ExecutionStream, type StreamState } from '../../src/venue/execution-stream.ts';
import { HttpClient } from '../../src/venue/http-client.ts';
import type { Profile } from '../../src/venue/profile.ts';
import { VenueReads } from '../../src/venue/venue-reads.ts';
import {
  type ScriptedRequest,
  type ScriptedVenue,
  startScriptedVenue,
} from '../support/scripted-venue.ts';
import { account, sandbox, wireEvent } from './samples.ts';

export const profile: Profile = {
  ...sandbox,
  backoff: { firstMs: 4, maxMs: 16 },
  stream: { ...sandbox.stream, reorderWaitMs: 20 },
  gapFill: { ...sandbox.gapFill, limit: 3 },
};

export let venue: ScriptedVenue;
let http: HttpClient;
let stream: ExecutionStream | null;
/** What the venue has; index 0 is seq 1. */
export let log: object[];
export let tokens: number;
/** So many requests for a token fail. */
let refusedTokens: number;
export let subscriptions: { fromSeq: number }[];
export let delivered: number[];
export let states: StreamState[];
export let problems: string[];
export let unanswered: string[];
export let numbers: number[];
export let rebuilt: (readonly [afterSeq: number, toSeq: number])[];

/** To be called once by each test file. */
export function useStream(): void {
  beforeEach(async () => {
    log = [];
    tokens = 0;
    refusedTokens = 0;
    subscriptions = [];
    delivered = [];
    states = [];
    problems = [];
    unanswered = [];
    numbers = [];
    rebuilt = [];
    stream = null;
    venue = await startScriptedVenue(answer);
    venue.onSocket((socket, frames) => void play(socket, frames));
    http = new HttpClient({ baseUrl: venue.baseUrl, rules: sandbox.http, clock: systemClock });
  });
  afterEach(async () => {
    await stream?.stop();
    await http.close();
    await venue.stop();
  });
}

export function answer({ target }: ScriptedRequest) {
  const url = new URL(target, 'http://venue');
  if (url.pathname.endsWith('/ws/token')) {
    if (refusedTokens > 0) {
      refusedTokens -= 1;
      return { status: 503, body: {} };
    }
    tokens += 1;
    return { body: { ok: true, data: { token: `t-${tokens}`, expiresAtMs: Date.now() + 60_000 } } };
  }
  const from = Number(
    url.searchParams.get('fromSeq') ?? Number(url.searchParams.get('cursor')) + 1,
  );
  const limit = Number(url.searchParams.get('limit'));
  const events = log.slice(from - 1, from - 1 + limit);
  const complete = from - 1 + limit >= log.length;
  return { body: { events, lastSeq: log.length, complete, nextCursor: from - 1 + events.length } };
}

async function play(socket: WebSocket, frames: AsyncIterable<unknown>): Promise<void> {
  for await (const frame of frames as AsyncIterable<{ op: string; fromSeq: number }>) {
    if (frame.op === 'auth') send(socket, { op: 'authenticated' });
    if (frame.op === 'ping') send(socket, { op: 'pong' });
    if (frame.op !== 'subscribe') continue;
    subscriptions.push(frame);
    send(socket, { op: 'subscribed' });
  }
}
export const send = (socket: WebSocket, frame: object) => socket.send(JSON.stringify(frame));
export const live = (event: object) =>
  send(venue.sockets.at(-1) as WebSocket, { op: 'event', event });
/** The venue makes events up to `seq`, and shows those that are named. */
export function happened(seq: number, ...shown: number[]): void {
  while (log.length < seq) log.push(wireEvent(log.length + 1));
  for (const one of shown) live(wireEvent(one));
}
export const upTo = (seq: number, from = 1) =>
  Array.from({ length: seq - from + 1 }, (_, at) => from + at);

export function start(
  more: {
    lastSeq?: number;
    profile?: Profile;
    clock?: Clock;
    deliver?: (seqs: number[]) => Promise<void>;
  } = {},
): ExecutionStream {
  const used = more.profile ?? profile;
  stream = new ExecutionStream({
    account,
    lastSeq: more.lastSeq ?? 0,
    url: `${venue.wsUrl}${used.routes.wsPrivate}`,
    profile: used,
    reads: new VenueReads(http, used),
    clock: more.clock ?? systemClock,
    random: () => 0.5,
    consumer: {
      deliver: async (events) => {
        await more.deliver?.(events.map(({ seq }) => seq));
        delivered.push(...events.map(({ seq }) => seq));
      },
      state: (state) => states.push(state),
      numbered: (number) => numbers.push(number),
      rebuild: async (afterSeq, toSeq) => {
        rebuilt.push([afterSeq, toSeq]);
      },
      problem: (text) => problems.push(text),
      unanswered: (text) => unanswered.push(text),
    },
  });
  stream.start();
  return stream;
}
export const isLive = () => states.at(-1) === 'live';

/** The venue refuses so many requests for a token. */
export function refuseTokens(count: number): void {
  refusedTokens = count;
}
