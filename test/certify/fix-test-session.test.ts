/** The session that speaks FIX to a client on a real socket. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { BridgeSetup } from '../../src/certify/bridge-setup.ts';
import { lineBytes } from '../../src/certify/fix-line.ts';
import { FixTestSession } from '../../src/certify/fix-test-session.ts';
import { Inbox } from '../../src/certify/inbox.ts';
import { Ladder } from '../../src/certify/ladder.ts';
import { asValue } from '../../src/certify/line.ts';
import { listen } from '../../src/certify/port.ts';
import {
  fieldOf,
  type Incoming,
  listenToFix,
  type ReceivedMessage,
} from '../../src/certify/received-message.ts';
import { scriptedBridge } from './certify-server.ts';

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

  /** Further lines are in the same piece, with the next numbers. */
  async say(line: string, msgSeqNum: number, ...more: readonly string[]): Promise<void> {
    if (this.#socket.connecting) await once(this.#socket, 'connect');
    const bytes = [line, ...more].map((one, index) =>
      lineBytes(one, { ...names, msgSeqNum: msgSeqNum + index, wallMs: Date.now() }),
    );
    this.#socket.write(Buffer.concat(bytes));
  }

  leave(): void {
    this.#socket.destroy();
  }

  async receives(): Promise<Incoming> {
    const endMs = performance.now() + 5_000;
    const found = await this.inbox.take(() => true, endMs, new AbortController().signal);
    if (found === undefined) throw new Error('nothing came');
    return found;
  }

  async message(): Promise<ReceivedMessage> {
    const found = await this.receives();
    if (found.kind !== 'message') throw new Error(`${found.kind} came`);
    return found.message;
  }
}

async function opened(bridge?: BridgeSetup) {
  const port = await listen('127.0.0.1', 0);
  const session = new FixTestSession(
    {
      direction: 'acceptor',
      port,
      names,
      heartBtIntS: 5,
      framing: 'big',
      mayReset: false,
      bridge,
      connectWithinMs: 5_000,
      answerWithinMs: 5_000,
    },
    new AbortController().signal,
  );
  ends.push(() => session.close());
  return { session, call: () => new Client(port.port) };
}

test('a session continues with the numbers of an earlier process', async () => {
  const { session, call } = await opened();
  session.resume({ nextIn: 17, nextOut: 12, isDoubtful: false });
  const client = call();
  await client.say('A|98=0|108=5', 17);
  await session.logon('engine');
  expect(fieldOf(await client.message(), 34)).toBe('12');
  expect(session.resumable()).toEqual({ nextIn: 18, nextOut: 13, isDoubtful: false });
  session.doubt();
  expect(session.resumable().isDoubtful).toBe(true);
});

test('a client that expects a higher number, because a run was killed, is no fault and gets that number next', async () => {
  const { session, call } = await opened();
  session.resume({ nextIn: 17, nextOut: 12, isDoubtful: false });
  const client = call();
  await client.say('A|98=0|108=5', 17);
  const begun = session.logon('engine');
  expect(fieldOf(await client.message(), 34)).toBe('12');
  await client.say('5|58=MsgSeqNum too low, expecting 1012 but received 12', 18);
  await expect(begun).rejects.toThrow('our Logon(A) was answered by a Logout(5)');
  expect(session.live('next')).toBe('1012');
});

test.each(['0', '9'.repeat(400)])(
  'no number can be learned from a Logout(5) that expects %s',
  async (expected) => {
    const { session, call } = await opened();
    session.resume({ nextIn: 17, nextOut: 12, isDoubtful: false });
    const client = call();
    await client.say('A|98=0|108=5', 17);
    const begun = session.logon('engine');
    await client.message();
    await client.say(`5|58=MsgSeqNum too low, expecting ${expected}`, 18);
    await expect(begun).rejects.toThrow('our Logon(A) was answered by a Logout(5)');
    expect(session.resumable().nextOut).toBe(13);
  },
);

async function loggedOn() {
  const { session, call } = await opened();
  const client = call();
  await client.say('A|98=0|108=5', 1);
  await session.logon('engine');
  expect((await client.message()).msgType).toBe('A');
  return { session, client, call };
}

test('a client that logs on is answered, with the heartbeat that it asked for', async () => {
  const { session, call } = await opened();
  const client = call();
  await client.say('A|98=0|108=7', 1);
  await session.logon('engine');
  const answer = await client.message();
  expect([answer.msgType, fieldOf(answer, 108)]).toEqual(['A', '7']);
  expect([session.live('next'), session.live('peer')]).toEqual(['2', '2']);
});

test('a session has begun once both sides have logged on, each in its own name', async () => {
  const { session, call } = await opened();
  await call().say('A|98=0|108=5', 1);
  await session.open('engine');
  await session.wire.take((one) => one.kind === 'message', 'no Logon(A) came');
  const hasBegun = [session.hasBegun];
  for (const line of ['A|49=NOBODY|98=0|108=5', 'A|98=0|108=5']) {
    session.sendLine(line);
    hasBegun.push(session.hasBegun);
  }
  expect(hasBegun).toEqual([false, false, true]);
});

test('what keeps a session alive is answered, but not what the scenario answers itself', async () => {
  const { session, client } = await loggedOn();
  await client.say('1|112=asked', 2);
  expect(fieldOf(await client.message(), 112)).toBe('asked');
  session.begin(new Ladder(() => {}), new Set(['1']));
  await client.say('1|112=left', 3);
  await session.wire.take(
    (one) => one.kind === 'message' && fieldOf(one.message, 112) === 'left',
    'nothing came',
  );
  session.sendLine('0|112=by hand');
  expect(fieldOf(await client.message(), 112)).toBe('by hand');
});

test.each(['a|b|34=1|$next', 'now', 'now-5s', 'known + new'])(
  'a TestReqID(112) comes back whatever is in it: %s',
  async (id) => {
    const { session, client } = await loggedOn();
    await client.say(`1|112=${asValue(id)}`, 2);
    expect(fieldOf(await client.message(), 112)).toBe(id);
    expect(session.wire.isOpen).toBe(true);
  },
);

test('a Logon(A) gets the login of the bridge, also with a message in the same piece', async () => {
  const arrived: ReceivedMessage[] = [];
  const bridge = await scriptedBridge(names, (message) => {
    arrived.push(message);
    return message.msgType === 'A' ? ['A|98=0|108=5'] : ['0|112=soon'];
  });
  ends.push(() => void bridge.stop());
  const { session, call } = await opened(bridge);
  const client = call();
  await client.say('A|98=0|108=5', 1, '1|112=soon');
  await session.open('bridge');
  expect((await client.message()).msgType).toBe('A');
  expect(fieldOf(await client.message(), 112)).toBe('soon');
  expect(arrived.map((one) => [one.msgType, fieldOf(one, 34), fieldOf(one, 554)])).toEqual([
    ['A', '1', bridge.login.password],
    ['1', '2', undefined],
  ]);
});

test('many messages go in one piece, each with its number, and are one rung', async () => {
  const { session, client } = await loggedOn();
  const ladder = new Ladder(() => {});
  session.begin(ladder, new Set());
  session.sendMany(3, () => `0|112=m${session.live('next')}`);
  const heard = [await client.message(), await client.message(), await client.message()];
  expect(heard.map((one) => [fieldOf(one, 34), fieldOf(one, 112)])).toEqual([
    ['2', 'm2'],
    ['3', 'm3'],
    ['4', 'm4'],
  ]);
  expect(session.live('next')).toBe('5');
  expect(ladder.rungs.map(({ label }) => label)).toEqual(['3 messages in one piece']);
});

test('a new day waits for a client that begins at 1, and sends every other away', async () => {
  const { session, call } = await loggedOn();
  const old = call();
  await old.say('A|98=0|108=5', 9);
  const renewed = session.renew();
  expect((await old.receives()).kind).toBe('closed');
  const anew = call();
  await anew.say('A|98=0|108=5', 1);
  await renewed;
  expect(session.wire.conversation.inbox.waiting).toHaveLength(1);
  expect([session.live('next'), session.live('peer')]).toEqual(['1', '2']);
});

test('a peer that does not read gets nothing, and notices the end when it sends', async () => {
  const { session, client } = await loggedOn();
  const { conversation } = session.wire;
  conversation.stopReading();
  expect(conversation.isReading).toBe(false);
  await client.say('0', 2);
  client.leave();
  const knocking = setInterval(() => session.sendLine('0'), 5);
  await session.wire.take((one) => one.kind === 'closed', 'the end was not seen');
  clearInterval(knocking);
  expect(conversation.inbox.waiting).toEqual([]);
});
