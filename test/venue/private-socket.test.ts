/** One connection of the private stream, over a socket that the test plays by hand, under manual time. */
import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ManualClock } from '../../src/runtime/clock.ts';
import { PrivateSocket } from '../../src/venue/private-socket.ts';
import type { Token } from '../../src/venue/venue-reads.ts';
import { account, sandbox } from './samples.ts';

const { silenceMs, pingMs } = sandbox.ws.private;

class PlayedSocket extends EventEmitter {
  readonly sent: Record<string, unknown>[] = [];
  readonly acts: string[] = [];
  readyState: number = WebSocket.OPEN;
  send = (frame: string) => this.sent.push(JSON.parse(frame));
  pause = () => this.acts.push('pause');
  resume = () => this.acts.push('resume');
  terminate = () => this.acts.push('terminate');
  says(frame: unknown): void {
    this.emit('message', Buffer.from(JSON.stringify(frame)), false);
  }
}

let clock: ManualClock;
let wire: PlayedSocket;
let heard: string[];
let opened: number;
let token: () => Promise<Token>;

beforeEach(() => {
  clock = new ManualClock();
  wire = new PlayedSocket();
  heard = [];
  opened = 0;
  token = async () => ({ token: 't-1', expiresAtMs: null });
});

function socketFrom(fromSeq: number): PrivateSocket {
  const note =
    (name: string) =>
    (...values: unknown[]) =>
      void heard.push([name, ...values.map((value) => JSON.stringify(value))].join(' '));
  const parts = {
    url: 'ws://venue',
    profile: sandbox,
    clock,
    account,
    reads: { wsToken: () => token() },
    network: {
      pool: () => {
        throw new Error('a stream asks for no pool');
      },
      webSocket: () => {
        opened += 1;
        return wire as unknown as WebSocket;
      },
    },
  };
  return new PrivateSocket(parts, fromSeq, {
    subscribed: note('subscribed'),
    event: note('event'),
    error: note('error'),
    strange: note('strange'),
    unanswered: note('unanswered'),
    closed: note('closed'),
  });
}

async function open(fromSeq = 8): Promise<PrivateSocket> {
  const socket = socketFrom(fromSeq);
  await socket.open();
  wire.emit('open');
  return socket;
}

async function live(): Promise<PrivateSocket> {
  const socket = await open();
  wire.says({ op: 'authenticated' });
  wire.says({ op: 'subscribed' });
  heard.length = 0;
  wire.sent.length = 0;
  return socket;
}

/** Lets a promise that is already resolved run on. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the start', () => {
  test('authenticates with the token, then subscribes from the seq that is asked for', async () => {
    await open(8);
    expect(wire.sent).toEqual([{ op: 'auth', token: 't-1' }]);
    wire.says({ op: 'authenticated' });
    expect(wire.sent.at(-1)).toEqual({
      op: 'subscribe',
      channel: 'executions',
      account,
      fromSeq: 8,
    });
    expect(heard).toEqual([]);
    wire.says({ op: 'subscribed' });
    expect(heard).toEqual(['subscribed']);
  });

  test('subscribes once, however often the venue answers the authentication', async () => {
    await open();
    wire.says({ op: 'authenticated' });
    wire.says({ op: 'authenticated' });
    expect(wire.sent.filter(({ op }) => op === 'subscribe')).toHaveLength(1);
  });

  test('opens no socket without a token', async () => {
    token = async () => {
      throw new Error('HTTP 503');
    };
    await socketFrom(1).open();
    expect(opened).toBe(0);
    expect(heard).toEqual(['closed "no token: HTTP 503"']);
  });

  test('opens no socket if it was closed while the token came', async () => {
    const socket = socketFrom(1);
    const opening = socket.open();
    socket.close('stopped');
    await opening;
    expect(opened).toBe(0);
    expect(heard).toEqual(['closed "stopped"']);
  });

  test.each<[string, unknown[], string]>([
    ['an error', [{ op: 'error', error: { message: 'no' } }], 'the authentication is an error: no'],
    ['an unknown frame', [{ op: 'hi' }], 'the authentication is a frame of kind \\"hi\\"'],
    [
      'an error after the authentication',
      [{ op: 'authenticated' }, { op: 'error', error: { message: 'no' } }],
      'the subscription is an error: no',
    ],
  ])('that is answered by %s gives an alarm', async (_, frames, problem) => {
    await open();
    for (const frame of frames) wire.says(frame);
    expect(heard[0]).toBe(`unanswered "the answer to ${problem}"`);
  });

  test('that is not answered at all gives an alarm, and the connection ends', async () => {
    await open();
    clock.advance(silenceMs - 1);
    expect(heard).toEqual([]);
    clock.advance(1);
    const problem = `nothing came for ${silenceMs} ms`;
    expect(heard).toEqual([
      `unanswered "the answer to the authentication is missing: ${problem}"`,
      `closed "${problem}"`,
    ]);
  });
});

describe('while it lives', () => {
  test('an event is passed on unchanged', async () => {
    await live();
    wire.says({ op: 'event', event: [{ seq: 1 }] });
    expect(heard).toEqual(['event [{"seq":1}]']);
  });

  test('a pong is nothing to report, and neither a strange frame nor an error ends it', async () => {
    await live();
    wire.says({ op: 'pong' });
    wire.says({ op: 'what' });
    wire.says(null);
    wire.emit('message', Buffer.from('{'), false);
    wire.emit('message', Buffer.from('{"op":"event","event":1}'), true);
    wire.says({ op: 'error', error: { data: { code: 7 }, message: 'x'.repeat(300) } });
    wire.says({ op: 'error', error: { data: { code: '7' } } });
    expect(heard[0]).toBe('strange "a frame of kind \\"what\\""');
    expect(heard[1]).toMatch(/^strange "a frame of kind /);
    expect(heard[2]).toMatch(/^strange "broken JSON: /);
    expect(heard.slice(3)).toEqual([
      'strange "a binary frame"',
      `error 7 "${'x'.repeat(256)}"`,
      'error null "without words"',
    ]);
    expect(wire.acts).toEqual([]);
  });

  test('it is pinged at the pace of the profile, and each answer puts off the end', async () => {
    await live();
    for (let round = 1; round <= 4; round++) {
      clock.advance(pingMs - 1);
      expect(wire.sent).toHaveLength(round - 1);
      clock.advance(1);
      expect(wire.sent).toHaveLength(round);
      wire.says({ op: 'pong' });
    }
    expect(heard).toEqual([]);
    clock.advance(silenceMs);
    expect(heard).toEqual([`closed "nothing came for ${silenceMs} ms"`]);
  });

  test('a step of the wall clock does not end it', async () => {
    await live();
    clock.stepWall(10 * silenceMs);
    clock.advance(silenceMs - 1);
    expect(heard).toEqual([]);
  });

  test('a slow consumer stops the reading, and it goes on only if it was stopped', async () => {
    const socket = await live();
    socket.resume();
    socket.pause();
    socket.resume();
    socket.resume();
    expect(wire.acts).toEqual(['pause', 'resume']);
  });
});

describe('the token', () => {
  const lifeMs = 60_000;

  test('is renewed after 70 % of its life, on the same connection', async () => {
    let count = 0;
    token = async () => ({ token: `t-${++count}`, expiresAtMs: clock.now().wallMs + 10_000 });
    await live();
    clock.advance(6999);
    expect(count).toBe(1);
    clock.advance(1);
    await turn();
    expect(wire.sent).toEqual([{ op: 'auth', token: 't-2' }]);
    wire.says({ op: 'authenticated' });
    expect(wire.sent).toHaveLength(1);
  });

  test.each<[string, () => number | null]>([
    ['by a venue whose clock is an hour ahead of ours', () => clock.now().wallMs + 3_660_000],
    ['without its end', () => null],
  ])('that was given %s is renewed within the time that was asked for', async (_, expiresAtMs) => {
    let count = 0;
    token = async () => ({ token: `t-${++count}`, expiresAtMs: expiresAtMs() });
    await live();
    for (let ms = 0; ms < 42_000; ms += 6_000) {
      expect(count).toBe(1);
      clock.advance(6_000);
      wire.says({ op: 'pong' });
    }
    await turn();
    expect(count).toBe(2);
    expect(wire.sent.at(-1)).toEqual({ op: 'auth', token: 't-2' });
  });

  test('that has expired already is renewed after a second, not in a loop', async () => {
    let count = 0;
    token = async () => ({ token: `t-${++count}`, expiresAtMs: clock.now().wallMs - lifeMs });
    await live();
    clock.advance(999);
    await turn();
    expect(count).toBe(1);
    clock.advance(1);
    await turn();
    expect(count).toBe(2);
  });

  test('that cannot be renewed is asked for again until it expires, and only then ends the connection', async () => {
    token = async () => ({ token: 't', expiresAtMs: clock.now().wallMs + 10_000 });
    await live();
    let tries = 0;
    token = async () => {
      tries += 1;
      throw new Error('HTTP 503');
    };
    for (let ms = 0; ms < 9_000; ms += 100) {
      clock.advance(100);
      await turn();
      wire.says({ op: 'pong' });
    }
    expect(tries).toBe(1);
    expect(heard).toEqual([]);
    clock.advance(1_000);
    await turn();
    expect(heard).toEqual(['closed "the token cannot be renewed: HTTP 503"']);
  });

  test('that is renewed at the second try goes on, on the same connection', async () => {
    token = async () => ({ token: 't-1', expiresAtMs: clock.now().wallMs + 10_000 });
    await live();
    token = async () => {
      throw new Error('HTTP 503');
    };
    clock.advance(7000);
    await turn();
    token = async () => ({ token: 't-2', expiresAtMs: clock.now().wallMs + 10_000 });
    clock.advance(2100);
    await turn();
    expect(wire.sent).toEqual([{ op: 'auth', token: 't-2' }]);
    expect(heard).toEqual([]);
  });

  test('that comes after the end is not sent', async () => {
    token = async () => ({ token: 't', expiresAtMs: clock.now().wallMs + 10_000 });
    const socket = await live();
    clock.advance(7000);
    socket.close('stopped');
    await turn();
    expect(wire.sent).toEqual([]);
  });
});

describe('the end', () => {
  test('is reported once, whoever brings it about', async () => {
    const socket = await live();
    wire.emit('error', new Error('reset'));
    wire.emit('close', 1006, Buffer.from(''));
    socket.close('stopped');
    expect(heard).toEqual(['closed "reset"']);
    expect(wire.acts).toEqual(['terminate']);
  });

  test('names the code and the reason of the venue', async () => {
    await live();
    wire.emit('close', 4001, Buffer.from('bye'));
    expect(heard).toEqual(['closed "closed with 4001 bye"']);
  });

  test('is final: what still arrives is not read, and no timer runs any more', async () => {
    const socket = await live();
    socket.close('stopped');
    heard.length = 0;
    wire.says({ op: 'event', event: 1 });
    wire.says({ op: 'subscribed' });
    clock.advance(10 * silenceMs);
    expect([heard, wire.sent]).toEqual([[], []]);
  });

  test('nothing is sent on a socket that is no longer open', async () => {
    await live();
    wire.readyState = WebSocket.CLOSING;
    clock.advance(pingMs);
    expect(wire.sent).toEqual([]);
  });
});
