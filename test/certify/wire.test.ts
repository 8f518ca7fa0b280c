/** The connections of a certification, on real sockets. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { direct } from '../../src/certify/conversation.ts';
import { lineBytes } from '../../src/certify/fix-line.ts';
import { Ladder } from '../../src/certify/ladder.ts';
import { type Address, listen } from '../../src/certify/port.ts';
import { type Incoming, listenToFix } from '../../src/certify/received-message.ts';
import { CertificationError } from '../../src/certify/session-options.ts';
import { Wire } from '../../src/certify/wire.ts';

const names = { senderCompId: 'CLIENT', targetCompId: 'DESK' };
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A wire that listens, with room for a client to call it. */
async function listening(
  patience: { connectWithinMs?: number; answerWithinMs?: number } = {},
  backup?: Address,
) {
  const port = await listen('127.0.0.1', 0, undefined, backup);
  const abort = new AbortController();
  const wire = new Wire(
    {
      direction: 'acceptor',
      port,
      names,
      heartBtIntS: 5,
      framing: 'big',
      mayReset: false,
      connectWithinMs: 5_000,
      answerWithinMs: 5_000,
      ...patience,
    },
    abort.signal,
  );
  ends.push(() => wire.close());
  const received: string[] = [];
  const call = async () => {
    const socket = connect({ host: '127.0.0.1', port: port.port });
    socket.on('error', () => {});
    ends.push(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  /** Of a client that says something at once, which is told to nobody. */
  const take = async () => {
    const client = await call();
    client.write(message('A'));
    wire.use(conversationOf(await wire.socket()), {
      frame: { wanted: 'a message', rule: 'R', ref: 'F' },
      received: ({ msgType }) => received.push(msgType),
      sent: () => {},
      closed: () => received.push('closed'),
    });
    await wire.take(isOf('A'), 'no Logon(A) came');
    received.length = 0;
    return client;
  };
  return { wire, received, abort, call, take };
}

function conversationOf(socket: Socket) {
  const conversation = direct(socket, listenToFix);
  socket.resume();
  return conversation;
}

let msgSeqNum = 0;
function message(line: string): Buffer {
  msgSeqNum += 1;
  return lineBytes(line, { ...names, msgSeqNum, wallMs: Date.now() });
}

const isOf = (msgType: string) => (one: Incoming) =>
  one.kind === 'message' && one.message.msgType === msgType;

test('there is no conversation before somebody connects, and none after the desk cut it', async () => {
  const { wire, take } = await listening();
  expect(() => wire.conversation).toThrow(CertificationError);
  await take();
  expect([wire.isOpen, wire.wasCutByUs]).toEqual([true, false]);
  wire.cut();
  expect([wire.isOpen, wire.wasCutByUs]).toEqual([false, true]);
});

test('nobody who comes in time is told, and that the counterparty is not there', async () => {
  const { wire } = await listening({ connectWithinMs: 20 });
  await expect(wire.socket()).rejects.toThrow('the counterparty did not connect within 0.02 s');
  expect(wire.isDeserted).toBe(true);
});

test('a connection that a client closes before its first message does not count, and the next one is awaited', async () => {
  const { wire, call } = await listening();
  const socket = wire.socket();
  (await call()).destroy();
  const second = await call();
  second.write(message('A'));
  expect((await socket).remotePort).toBe(second.localPort);
});

test('a connection on which nothing is sent keeps nobody out, however many there are', async () => {
  const { wire, call } = await listening();
  const socket = wire.socket();
  for (let count = 0; count < 20; count += 1) await call();
  const client = await call();
  client.write(message('A'));
  expect((await socket).remotePort).toBe(client.localPort);
});

test('a counterparty that sends nothing has not come, and the reason mentions its connection', async () => {
  const { wire, call } = await listening({ connectWithinMs: 100 });
  await call();
  await expect(wire.socket()).rejects.toThrow(
    'did not connect within 0.1 s; 1 connections sent nothing or did not begin its session',
  );
});

test('a client that only comes and goes has not come', async () => {
  const { wire, call } = await listening({ connectWithinMs: 100 });
  (await call()).destroy();
  await expect(wire.socket()).rejects.toThrow('the counterparty did not connect within 0.1 s');
  expect(wire.isDeserted).toBe(true);
});

test('a backup site that there is none of, or whose port is taken, is named, and the desk stays', async () => {
  const { wire } = await listening();
  await expect(wire.leaveSite()).rejects.toThrow('the interview names no backup site of ours');
  const taken = await listen('127.0.0.1', 0);
  ends.push(() => taken.close());
  const other = await listening({}, { host: '127.0.0.1', port: taken.port });
  await expect(other.wire.leaveSite()).rejects.toThrow(/EADDRINUSE/);
  await other.wire.comeBack();
  expect(await other.call()).toBeDefined();
});

test('a run that is stopped waits for nobody', async () => {
  const { wire, abort } = await listening({ connectWithinMs: 60_000 });
  const waiting = wire.socket();
  abort.abort();
  await expect(waiting).rejects.toThrow(CertificationError);
});

test('a message is received at once and kept until it is read, whatever came before', async () => {
  const { wire, received, take } = await listening();
  const client = await take();
  client.write(Buffer.concat([message('0'), message('1|112=x')]));
  const found = await wire.take(isOf('1'), 'no TestRequest(1) came');
  expect(isOf('1')(found)).toBe(true);
  expect(received).toEqual(['0', '1']);
  expect(wire.conversation.inbox.waiting.map(isOf('0'))).toEqual([true]);
});

test('what does not come in time, or not before the connection ends, is named', async () => {
  const { wire, take } = await listening({ answerWithinMs: 30 });
  const client = await take();
  await expect(wire.take(isOf('A'), 'no Logon(A) came')).rejects.toThrow(/^no Logon\(A\) came$/);
  client.destroy();
  await expect(wire.take(isOf('A'), 'no Logon(A) came')).rejects.toThrow(
    'no Logon(A) came: the connection closed',
  );
});

test('the end that the counterparty makes is evidence, the one that is ours is not', async () => {
  const { wire, received, take } = await listening();
  wire.ladder = new Ladder(() => {});
  await take();
  const ours = wire.conversation;
  wire.cut();
  await ours.inbox.take((one) => one.kind === 'closed', performance.now() + 5_000, wire.signal);
  expect(received).toEqual([]);
  expect(wire.ladder.rungs).toEqual([]);
  const client = await take();
  client.destroy();
  await wire.take((one) => one.kind === 'closed', 'the connection stands');
  expect(received).toEqual(['closed']);
  expect(wire.ladder.rungs.map(({ from, label }) => [from, label])).toEqual([
    ['peer', 'closes the connection'],
  ]);
});

test('a client that is never quiet is not waited for longer than for an answer', async () => {
  const { wire, take } = await listening({ answerWithinMs: 300 });
  const client = await take();
  const chatter = setInterval(() => client.write(message('0')), 10);
  ends.push(() => clearInterval(chatter));
  await wire.quiet();
  expect(wire.isOpen).toBe(true);
});

test('it is quiet once nothing has come for a while', async () => {
  const { wire, received, take } = await listening();
  const client = await take();
  client.write(message('0'));
  await wire.take(isOf('0'), 'no Heartbeat(0) came');
  await wire.quiet();
  expect(received).toHaveLength(1);
});

test('a second connection is spoken on beside the first, and its end is seen', async () => {
  const { wire, call, take } = await listening();
  await take();
  const second = await call();
  second.write('8=FIX');
  await wire.sendSecond(conversationOf, message('A|98=0|108=5'));
  const [bytes] = (await once(second, 'data')) as [Buffer];
  expect(bytes.toString()).toContain('\x0135=A\x01');
  expect(await wire.secondEnds(20)).toEqual({ isClosed: false, received: [] });
  second.destroy();
  expect(await wire.secondEnds(5_000)).toEqual({ isClosed: true, received: [] });
  expect(wire.isOpen).toBe(true);
});

test('without a bridge nobody can trade', async () => {
  const { wire } = await listening();
  expect(() => wire.bridge).toThrow('there is no bridge to trade on');
  await expect(wire.contra('D|11=a')).rejects.toThrow(CertificationError);
});

test('what arrives while this process does not run is read before silence counts', async () => {
  const { wire, received, take } = await listening({ answerWithinMs: 50 });
  const client = await take();
  const quiet = wire.quiet(0);
  await standStill(200, () => client.write(message('0')));
  await quiet;
  expect(received).toEqual(['0']);
  const answer = wire.take(isOf('1'), 'no TestRequest(1) came');
  await standStill(60, () => client.write(message('1')));
  await expect(answer).resolves.toMatchObject({ kind: 'message' });
});

/** Blocks the process as a starved machine does, until timers are due and before its sockets are read. */
function standStill(ms: number, first: () => void): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => {
      first();
      const endMs = performance.now() + ms;
      while (performance.now() < endMs);
      resolve();
    });
  });
}
