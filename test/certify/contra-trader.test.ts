/** Another participant of the market, at a server that answers as the test says. */

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { ContraTrader } from '../../src/certify/contra-trader.ts';
import { lineBytes } from '../../src/certify/fix-line.ts';
import { asValue } from '../../src/certify/line.ts';
import { fieldOf, listenToFix, type ReceivedMessage } from '../../src/certify/received-message.ts';

const host = '127.0.0.1';
const login = {
  senderCompId: 'BRAVO',
  targetCompId: 'CAUSEWAY',
  username: 'bravo|1',
  password: 'with|a bar',
};
const names = { senderCompId: login.targetCompId, targetCompId: login.senderCompId };
const accepted = 'A|98=0|108=30|141=Y';

let server: Server;
let port: number;
let connection: Socket | undefined;
const received: ReceivedMessage[] = [];
const traders: ContraTrader[] = [];
let wake = () => {};
let sent = 0;

afterEach(() => {
  vi.useRealTimers();
  for (const trader of traders.splice(0)) trader.end();
  connection?.destroy();
  connection = undefined;
  server.close();
  received.length = 0;
  sent = 0;
});

/** Each line that `answers` returns is sent; `end` closes the connection. */
async function serving(answers: (message: ReceivedMessage) => readonly string[]): Promise<void> {
  server = createServer((socket) => {
    connection = socket;
    socket.on('error', () => {});
    const listener = listenToFix('peer', (incoming) => {
      if (incoming.kind !== 'message') throw new Error(`the trader sent ${incoming.kind}`);
      received.push(incoming.message);
      for (const line of answers(incoming.message)) say(line);
      wake();
    });
    socket.on('data', listener);
  });
  await once(server.listen(0, host), 'listening');
  port = (server.address() as AddressInfo).port;
}

function say(line: string): void {
  if (line === 'end') {
    connection?.end();
    return;
  }
  sent += 1;
  connection?.write(lineBytes(line, { ...names, msgSeqNum: sent, wallMs: Date.now() }));
}

async function trading(answers: (message: ReceivedMessage) => readonly string[] = () => []) {
  await serving((message) => (message.msgType === 'A' ? [accepted] : answers(message)));
  const trader = await ContraTrader.logon({ host, port, login });
  traders.push(trader);
  return trader;
}

/** Resolves with the first message of that type that the server has received. */
async function next(msgType: string): Promise<ReceivedMessage> {
  for (;;) {
    const found = received.find((one) => one.msgType === msgType);
    if (found !== undefined) return found;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

const report = (execType: string, clOrdId = 'a') =>
  `8|11=${clOrdId}|150=${execType}|39=${execType}`;
/** A minute that nothing waits for: what is awaited comes, or the wait ends for another reason. */
const patientMs = 60_000;
const refused = 'BRAVO could not log on';

test('a trader logs on in a session that begins anew, with any secret', async () => {
  const trader = await trading();
  expect(trader.isOpen).toBe(true);
  const logon = await next('A');
  const values = [34, 49, 56, 141, 553, 554].map((tag) => fieldOf(logon, tag));
  expect(values).toEqual(['1', 'BRAVO', 'CAUSEWAY', 'Y', 'bravo|1', 'with|a bar']);
  expect(logon.fault).toBeUndefined();
});

test.each([
  ['a Logout(5) and the end', ['5|58=no', 'end']],
  ['the end of the connection', ['end']],
])('a logon that is answered with %s is refused at once', async (_, answer) => {
  await serving(() => answer);
  await expect(ContraTrader.logon({ host, port, login })).rejects.toThrow(refused);
});

test('a trader that could not log on leaves no connection', async () => {
  await serving(() => []);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const logon = ContraTrader.logon({ host, port, login });
  await next('A');
  const isClosed = once(connection as Socket, 'close');
  vi.advanceTimersByTime(5_000);
  await expect(logon).rejects.toThrow(refused);
  await isClosed;
});

test('a market that is not there is named, and no secret', async () => {
  await serving(() => []);
  server.close();
  await expect(ContraTrader.logon({ host, port, login })).rejects.toThrow(
    new Error(`no response to BRAVO at ${port}`),
  );
});

test.each([
  ['D', 'A', '0'],
  ['F', '6', '4'],
  ['G', 'E', '5'],
])(
  'a trade with %s is over once the venue has responded, not with its ExecType(150)=%s',
  async (msgType, pending, final) => {
    const trader = await trading((message) =>
      message.msgType === msgType ? ['0', report('8', 'of another'), report(pending)] : [],
    );
    let isOver = false;
    const trade = trader.trade(`${msgType}|11=a|55=BTC-USDC|60=now`).then((bytes) => {
      isOver = true;
      return bytes;
    });
    await next(msgType);
    say('1|112=between');
    await next('0');
    expect(isOver).toBe(false);
    say(report(final));
    const sent = received.find((one) => one.msgType === msgType);
    expect((await trade).equals(sent?.raw ?? Buffer.alloc(0))).toBe(true);
  },
);

test('a report of an earlier trade does not count for the next one', async () => {
  const ofFirst = [report('0'), report('F'), '0|112=last'];
  const trader = await trading(({ msgType }) => (msgType === 'D' ? ofFirst.splice(0) : ['end']));
  await trader.trade('D|11=a');
  const isLast = (message: ReceivedMessage) => fieldOf(message, 112) === 'last';
  expect(await trader.receives(isLast, patientMs)).toBeDefined();
  await expect(trader.trade('F|11=a')).rejects.toThrow('the market did not report');
});

test('a market that closes instead of a report is named with the order, at once', async () => {
  const trader = await trading(() => ['end']);
  await expect(trader.trade('D|11=a')).rejects.toThrow('the market did not report D|11=a');
  expect(trader.isOpen).toBe(false);
  expect(await trader.receives(() => true, patientMs)).toBeUndefined();
});

test.each(['asked', 'a|b', '$order', '-58'])(
  'a heartbeat repeats the TestReqID(112) %s, with the next number',
  async (testReqId) => {
    await trading();
    say(`1|112=${asValue(testReqId)}`);
    const heartbeat = await next('0');
    expect([fieldOf(heartbeat, 34), fieldOf(heartbeat, 112)]).toEqual(['2', testReqId]);
  },
);

test('a trader that ends is gone at once', async () => {
  const trader = await trading();
  const isClosed = once(connection as Socket, 'close');
  trader.end();
  await isClosed;
  expect(trader.isOpen).toBe(false);
});
