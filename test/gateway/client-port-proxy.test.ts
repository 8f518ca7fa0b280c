/** A bridge behind a balancer: who the client is, the balancer says, and it alone is heard. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DemoSession, demoSessions, gatewayCompId } from '../../src/cli/demo-files.ts';
import { clientBytes } from '../acceptance/fix/script.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';

const [alpha] = demoSessions(1) as readonly [DemoSession];
const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
let bridge: Bridge;

beforeAll(async () => {
  bridge = await startBridge({
    config: { fix: { listen: { port: 0 }, proxies: ['127.0.0.1'] } },
    session: { allowFrom: ['203.0.113.0/24'] },
  });
});

afterAll(() => bridge.stop());

/** PROXY protocol version 2, TCP over IPv4. */
function header(from: string): Buffer {
  const addresses = [...from.split('.'), ...'192.0.2.1'.split('.')].map(Number);
  return Buffer.concat([signature, Buffer.from([0x21, 0x11, 0, 12, ...addresses, 1, 1, 2, 2])]);
}

async function answerTo(before: Buffer): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: bridge.gateway.port });
  await once(socket, 'connect');
  const { senderCompId, username, password } = alpha;
  const logon = `A|34=1|98=0|108=30|553=${username}|554=${password}`;
  const names = { client: senderCompId, server: gatewayCompId };
  socket.on('error', () => {});
  socket.write(Buffer.concat([before, clientBytes(logon, names, Date.now())]));
  const heard = await Promise.race([
    once(socket, 'data').then(([bytes]) => String(bytes).replaceAll('\x01', '|')),
    once(socket, 'close').then(() => 'closed'),
  ]);
  socket.destroy();
  return heard;
}

test('the address that the balancer tells is the one that a session allows or not', async () => {
  expect(await answerTo(header('203.0.113.7'))).toMatch(/\|35=A\|/);
  expect(await answerTo(header('198.51.100.7'))).not.toMatch(/\|35=A\|/);
});

test('a client that bypasses the balancer is refused', async () => {
  expect(await answerTo(Buffer.alloc(0))).toBe('closed');
});
