/** One connection with the counterparty, on real sockets: held by the desk itself, or copied on its way to a bridge. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import {
  type Conversation,
  direct,
  peek,
  type TapOptions,
  tapped,
} from '../../src/certify/conversation.ts';
import { lineBytes } from '../../src/certify/fix-line.ts';
import { type Incoming, listenToFix } from '../../src/certify/received-message.ts';
import { names } from './messages.ts';

const host = '127.0.0.1';
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server, and what connects to it. */
async function listening() {
  const arrived: Socket[] = [];
  let wake = () => {};
  const server = createServer((socket) => {
    ends.push(() => socket.destroy());
    socket.on('error', () => {});
    arrived.push(socket);
    wake();
  });
  await once(server.listen(0, host), 'listening');
  ends.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const next = async (): Promise<Socket> => {
    while (arrived.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return arrived.shift() as Socket;
  };
  return { port, next };
}

async function connected(port: number): Promise<Socket> {
  const socket = connect({ host, port });
  ends.push(() => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Both ends of one connection. */
async function bothEnds() {
  const { port, next } = await listening();
  const theirs = await connected(port);
  return { theirs, ours: await next() };
}

/** A counterparty, and the bridge that its bytes are copied to. */
async function tappedEnds(how: Partial<TapOptions> = {}) {
  const bridgeSide = await listening();
  const { theirs, ours } = await bothEnds();
  const conversation = tapped(ours, { host, port: bridgeSide.port, listen: listenToFix, ...how });
  ends.push(() => conversation.cut());
  return { theirs, ours, conversation, bridge: await bridgeSide.next() };
}

function message(line: string, msgSeqNum = 1): Buffer {
  return lineBytes(line, { ...names, msgSeqNum, wallMs: Date.UTC(2026, 0, 1) });
}

const inAMinute = () => performance.now() + 60_000;
function next({ inbox }: Conversation): Promise<Incoming | undefined> {
  return inbox.take(() => true, inAMinute(), new AbortController().signal);
}

async function bytesOf(socket: Socket, count: number): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  while (bytes.length < count) {
    const [more] = await once(socket, 'data');
    bytes = Buffer.concat([bytes, more]);
  }
  return bytes;
}

test('a message is received, and one is sent, until the counterparty closes', async () => {
  const { theirs, ours } = await bothEnds();
  const conversation = direct(ours, listenToFix);
  theirs.write(message('0|112=a'));
  expect(await next(conversation)).toMatchObject({ from: 'peer', message: { msgType: '0' } });
  const sent = message('0|112=b');
  expect(conversation.send(sent)).toBe(true);
  expect(await bytesOf(theirs, sent.length)).toEqual(sent);
  theirs.end();
  expect(await next(conversation)).toEqual({ kind: 'closed', by: 'peer' });
  expect(conversation.isOpen).toBe(false);
  expect(conversation.send(sent)).toBe(false);
});

test.each(['cut', 'end'] as const)(
  'behind a call of %s, nothing counts as sent, even before the system reports that the connection is closed',
  async (way) => {
    const { theirs, ours } = await bothEnds();
    const conversation = direct(ours, listenToFix);
    const isClosed = once(theirs.resume(), 'close');
    conversation[way]();
    expect(conversation.send(message('0'))).toBe(false);
    await isClosed;
  },
);

test('an end delivers what was sent before', async () => {
  const { theirs, ours } = await bothEnds();
  const conversation = direct(ours, listenToFix);
  const sent = Buffer.concat(Array(500).fill(message('0')));
  conversation.send(sent);
  conversation.end();
  expect(await bytesOf(theirs, sent.length)).toEqual(sent);
});

test('a desk that stops reading receives nothing more', async () => {
  const { theirs, ours } = await bothEnds();
  const conversation = direct(ours, listenToFix);
  expect(conversation.isReading).toBe(true);
  conversation.stopReading();
  expect(conversation.isReading).toBe(false);
  theirs.write(message('0'));
  // Once this has crossed, the other has as well.
  const sent = message('0');
  conversation.send(sent);
  expect(await bytesOf(theirs, sent.length)).toEqual(sent);
  expect(conversation.inbox.waiting).toEqual([]);
});

test('a desk that stops reading in a tap goes on reading nothing, also once the bridge takes more', async () => {
  let passedBytes = 0;
  const { theirs, ours, conversation, bridge } = await tappedEnds({
    listen: () => (bytes) => {
      passedBytes += bytes.length;
    },
  });
  theirs.write(much);
  while (!ours.isPaused()) await turn();
  conversation.stopReading();
  await bytesOf(bridge, passedBytes);
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect([conversation.isReading, ours.isPaused()]).toEqual([false, true]);
});

test('bytes that are not a message are reported as such, and what follows is read', async () => {
  const { theirs, ours } = await bothEnds();
  const conversation = direct(ours, listenToFix);
  const wrong = Buffer.from(
    message('0')
      .toString()
      .replace(/10=\d+/, '10=999'),
  );
  theirs.write(Buffer.concat([wrong, message('1|112=a', 2)]));
  expect(await next(conversation)).toMatchObject({ kind: 'garbled' });
  expect(await next(conversation)).toMatchObject({ message: { msgType: '1' } });
});

test('a tap passes every byte on, says who sent a message, and changes only the first bytes', async () => {
  const login = message('A|98=0|108=5|554=added');
  const { theirs, conversation, bridge } = await tappedEnds({ rewriteFirst: () => login });
  theirs.write(message('A|98=0|108=5'));
  expect(await bytesOf(bridge, login.length)).toEqual(login);
  expect(await next(conversation)).toMatchObject({ from: 'peer', message: { msgType: 'A' } });
  const order = message('D|11=a', 2);
  theirs.write(order);
  expect(await bytesOf(bridge, order.length)).toEqual(order);
  expect(await next(conversation)).toMatchObject({ from: 'peer', message: { msgType: 'D' } });
  const report = message('8|11=a');
  bridge.write(report);
  expect(await bytesOf(theirs, report.length)).toEqual(report);
  expect(await next(conversation)).toMatchObject({ from: 'bridge', message: { msgType: '8' } });
});

test.each(['peer', 'bridge'] as const)(
  'where the %s closes, both connections end, and it is the one that has closed',
  async (who) => {
    const { theirs, conversation, bridge } = await tappedEnds();
    const [closing, other] = who === 'peer' ? [theirs, bridge] : [bridge, theirs];
    const isClosed = once(other.resume(), 'close');
    closing.end();
    await isClosed;
    expect(await next(conversation)).toEqual({ kind: 'closed', by: who });
    expect([conversation.isOpen, conversation.send(message('0'))]).toEqual([false, false]);
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(conversation.inbox.waiting).toEqual([]);
  },
);

test('a cut ends both connections, as if the counterparty had closed', async () => {
  const { theirs, conversation, bridge } = await tappedEnds();
  const areClosed = Promise.all([theirs, bridge].map((one) => once(one.resume(), 'close')));
  conversation.cut();
  expect(conversation.isOpen).toBe(false);
  await areClosed;
  expect(await next(conversation)).toEqual({ kind: 'closed', by: 'peer' });
});

test('a bridge that is not there ends the connection of the counterparty', async () => {
  const { port } = await listening();
  for (const end of ends.splice(0)) end();
  const { theirs, ours } = await bothEnds();
  const conversation = tapped(ours, { host, port, listen: listenToFix });
  await once(theirs.resume(), 'close');
  expect(await next(conversation)).toEqual({ kind: 'closed', by: 'bridge' });
});

test('what the counterparty sent before it closed reaches the bridge, even if that is connected later', async () => {
  const { port, next: arrives } = await listening();
  const { theirs, ours } = await bothEnds();
  const logon = message('A|98=0|108=5');
  theirs.end(logon);
  // The name is looked up first.
  const conversation = tapped(ours, { host: 'localhost', port, listen: listenToFix });
  expect(await next(conversation)).toMatchObject({ message: { msgType: 'A' } });
  expect(await next(conversation)).toEqual({ kind: 'closed', by: 'peer' });
  expect(await bytesOf(await arrives(), logon.length)).toEqual(logon);
});

test('what the bridge sent before it closed reaches the counterparty, even if the system takes it later', async () => {
  const { theirs, ours, conversation, bridge } = await tappedEnds();
  ours.cork();
  const logout = message('5|58=Good night');
  bridge.end(logout);
  expect(await next(conversation)).toMatchObject({ message: { msgType: '5' } });
  expect(await next(conversation)).toEqual({ kind: 'closed', by: 'bridge' });
  expect(await bytesOf(theirs, logout.length)).toEqual(logout);
});

/** More than the buffers of the system hold between two sockets of this machine. */
const much = Buffer.alloc(16 * 1024 * 1024);

test('a slow reader slows the sender down, and gets everything', async () => {
  const { theirs, ours, bridge } = await tappedEnds({ listen: () => () => {} });
  let isSent = false;
  bridge.write(much, () => {
    isSent = true;
  });
  while (ours.writableLength === 0) await turn();
  expect(isSent).toBe(false);
  expect(ours.writableLength).toBeLessThan(1024 * 1024);
  let readBytes = 0;
  theirs.on('data', (bytes) => {
    readBytes += bytes.length;
  });
  bridge.end();
  await once(theirs, 'close');
  expect([isSent, readBytes]).toEqual([true, much.length]);
});

test('a cut does not wait for a reader', async () => {
  const { theirs, ours, conversation, bridge } = await tappedEnds({ listen: () => () => {} });
  bridge.write(much);
  while (ours.writableLength === 0) await turn();
  bridge.destroy();
  conversation.cut();
  await once(theirs.resume(), 'close');
  expect(await next(conversation)).toEqual({ kind: 'closed', by: 'peer' });
});

test('a look at the first bytes of a connection takes none of them away', async () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(pieces, fc.nat(200), async (sent, wanted) => {
      const { theirs, ours } = await bothEnds();
      const all = Buffer.concat(sent);
      const enough = Math.min(wanted, all.length);
      const looking = peek(ours, (bytes) => bytes.length >= enough);
      for (const piece of sent) theirs.write(piece);
      const first = await looking;
      expect(first?.equals(all.subarray(0, first.length))).toBe(true);
      expect(await bytesOf(ours.resume(), all.length)).toEqual(all);
      for (const end of ends.splice(0)) end();
    }),
    { numRuns: 10 },
  );
});

test('a connection that ends before its first bytes are enough has none', async () => {
  const { theirs, ours } = await bothEnds();
  const looking = peek(ours, (bytes) => bytes.length > 3);
  theirs.end('abc');
  expect(await looking).toBeUndefined();
});
