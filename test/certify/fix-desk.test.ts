/** The desk that speaks FIX to a client on a real socket. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { FixDesk } from '../../src/certify/fix-desk.ts';
import { lineBytes } from '../../src/certify/fix-line.ts';
import { fieldOf, type Heard, type Incoming, listenToFix } from '../../src/certify/heard.ts';
import { Inbox } from '../../src/certify/inbox.ts';
import { Ladder } from '../../src/certify/ladder.ts';
import { listen } from '../../src/certify/port.ts';

const names = { senderCompId: 'CLIENT', targetCompId: 'DESK' };
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

class Client {
  readonly inbox = new Inbox();
  readonly #socket: Socket;

  constructor(port: number) {
    this.#socket = connect({ host: '127.0.0.1', port });
    const listener = listenToFix('bridge', (incoming) => this.inbox.push(incoming));
    this.#socket.on('error', () => {});
    this.#socket.on('data', listener);
    this.#socket.on('close', () => this.inbox.push({ kind: 'closed', by: 'bridge' }));
    ends.push(() => this.#socket.destroy());
  }

  async say(line: string, msgSeqNum: number): Promise<void> {
    if (this.#socket.connecting) await once(this.#socket, 'connect');
    this.#socket.write(lineBytes(line, { ...names, msgSeqNum, wallMs: Date.now() }));
  }

  leave(): void {
    this.#socket.destroy();
  }

  async hears(): Promise<Incoming> {
    const endMs = performance.now() + 5_000;
    const found = await this.inbox.take(() => true, endMs, new AbortController().signal);
    if (found === undefined) throw new Error('nothing came');
    return found;
  }

  async message(): Promise<Heard> {
    const found = await this.hears();
    if (found.kind !== 'message') throw new Error(`${found.kind} came`);
    return found.message;
  }
}

async function opened() {
  const port = await listen('127.0.0.1', 0);
  const desk = new FixDesk(
    {
      direction: 'acceptor',
      port,
      names,
      heartBtIntS: 5,
      framing: 'big',
      mayReset: false,
      connectWithinMs: 5_000,
      answerWithinMs: 5_000,
    },
    new AbortController().signal,
  );
  ends.push(() => desk.close());
  return { desk, call: () => new Client(port.port) };
}

async function loggedOn() {
  const { desk, call } = await opened();
  const client = call();
  await client.say('A|98=0|108=5', 1);
  await desk.logon('engine');
  expect((await client.message()).msgType).toBe('A');
  return { desk, client, call };
}

test('a client that logs on is answered, with the heartbeat that it asked for', async () => {
  const { desk, call } = await opened();
  const client = call();
  await client.say('A|98=0|108=7', 1);
  await desk.logon('engine');
  const answer = await client.message();
  expect([answer.msgType, fieldOf(answer, 108)]).toEqual(['A', '7']);
  expect([desk.live('next'), desk.live('peer')]).toEqual(['2', '2']);
});

test('what keeps a session alive is answered, but not what the scenario answers itself', async () => {
  const { desk, client } = await loggedOn();
  await client.say('1|112=asked', 2);
  expect(fieldOf(await client.message(), 112)).toBe('asked');
  desk.begin(new Ladder(() => {}), new Set(['1']));
  await client.say('1|112=left', 3);
  await desk.wire.take(
    (one) => one.kind === 'message' && fieldOf(one.message, 112) === 'left',
    'nothing came',
  );
  desk.say('0|112=by hand');
  expect(fieldOf(await client.message(), 112)).toBe('by hand');
});

test('many messages go in one piece, each with its number, and are one rung', async () => {
  const { desk, client } = await loggedOn();
  const ladder = new Ladder(() => {});
  desk.begin(ladder, new Set());
  desk.sayMany(3, () => `0|112=m${desk.live('next')}`);
  const heard = [await client.message(), await client.message(), await client.message()];
  expect(heard.map((one) => [fieldOf(one, 34), fieldOf(one, 112)])).toEqual([
    ['2', 'm2'],
    ['3', 'm3'],
    ['4', 'm4'],
  ]);
  expect(desk.live('next')).toBe('5');
  expect(ladder.rungs.map(({ label }) => label)).toEqual(['3 messages in one piece']);
});

test('a new day waits for a client that begins at 1, and sends every other away', async () => {
  const { desk, call } = await loggedOn();
  const old = call();
  await old.say('A|98=0|108=5', 9);
  const renewed = desk.renew();
  expect((await old.hears()).kind).toBe('closed');
  const anew = call();
  await anew.say('A|98=0|108=5', 1);
  await renewed;
  expect(desk.wire.conversation.inbox.waiting).toHaveLength(1);
  expect([desk.live('next'), desk.live('peer')]).toEqual(['1', '2']);
});

test('who does not read hears nothing, and learns of the end by speaking', async () => {
  const { desk, client } = await loggedOn();
  const { conversation } = desk.wire;
  conversation.stopReading();
  expect(conversation.isReading).toBe(false);
  await client.say('0', 2);
  client.leave();
  const knocking = setInterval(() => desk.say('0'), 5);
  await desk.wire.take((one) => one.kind === 'closed', 'the end was not seen');
  clearInterval(knocking);
  expect(conversation.inbox.waiting).toEqual([]);
});
