import type { Server } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { type HttpShellOptions, listen } from '../../src/sandbox/http-shell.ts';

async function shellOf(handle: HttpShellOptions['handle']) {
  const faults: unknown[] = [];
  const shell = await listen({
    host: '127.0.0.1',
    port: 0,
    maxBodyBytes: 1000,
    clock: new ManualClock(),
    reportFault: (error) => faults.push(error),
    handle,
  });
  return { ...shell, faults };
}

async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

test('an exception inside costs one empty 500 and is reported, no stack leaves', async () => {
  const shell = await shellOf(() => {
    throw new Error('secret words');
  });
  const answer = await exchange(
    shell.port,
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(answer).toMatch(/^HTTP\/1.1 500 /);
  expect(answer).not.toContain('secret');
  expect(shell.faults).toHaveLength(1);
  await shell.stop();
});

test('more requests at once than answers go out together are each answered, and in order', async () => {
  const shell = await shellOf(({ target }) => ({ status: 200, headers: {}, body: target }));
  const targets = Array.from({ length: 11 }, (_, index) => `/${index}`);
  const requests = targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: x\r\n`);
  const answer = await exchange(shell.port, `${requests.join('\r\n')}Connection: close\r\n\r\n`);
  expect(answer.match(/^\/\d+/gm)).toEqual(targets);
  await shell.stop();
});

test('bytes that are no HTTP, or a head beyond the limit, are refused and the connection ends', async () => {
  const shell = await shellOf(() => {
    throw new Error('not reached');
  });
  const long = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`;
  for (const [status, bytes] of [
    [400, '\x16\x03\x01\r\n\r\n'],
    [431, long],
    [400, 'GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n'],
  ] as const) {
    expect(await exchange(shell.port, bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  }
  expect(shell.faults).toEqual([]);
  await shell.stop();
});

test('a port that is taken is an error and not a silence', async () => {
  const first = await shellOf(() => {
    throw new Error('not reached');
  });
  const again = listen({
    host: '127.0.0.1',
    port: first.port,
    maxBodyBytes: 1,
    clock: new ManualClock(),
    reportFault: () => undefined,
    handle: () => {
      throw new Error('not reached');
    },
  });
  await expect(again).rejects.toThrow('EADDRINUSE');
  await first.stop();
});

test('a client that does not close its side after the 400 does not keep the connection', async () => {
  const shell = await shellOf(() => {
    throw new Error('not reached');
  });
  const socket = connect({ port: shell.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.write('no HTTP\r\n\r\n');
  for await (const _ of socket);
  while ((await connectionsOf(shell)) > 0) await turn();
  socket.destroy();
  await shell.stop();
});

test('an answer behind others on its connection is cut when its turn comes', async () => {
  const shell = await shellOf(({ target }) => ({
    status: 200,
    headers: {},
    body: target,
    ...(target === '/1' && { wire: { cutAtByte: 15 } }),
  }));
  const requests = ['/0', '/1'].map((target) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const answer = await exchange(shell.port, requests.join(''));
  expect(answer).toMatch(/\/0HTTP\/1.1 200 OK$/);
  await shell.stop();
});

function connectionsOf({ server }: { server: Server }): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((_, count) => resolve(count));
  });
}
