import { connect } from 'node:net';
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

test('bytes that are no HTTP, or a head beyond the limit, get 400 and the connection ends', async () => {
  const shell = await shellOf(() => {
    throw new Error('not reached');
  });
  const long = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`;
  for (const bytes of [
    '\x16\x03\x01\r\n\r\n',
    long,
    'GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n',
  ]) {
    expect(await exchange(shell.port, bytes)).toMatch(/^HTTP\/1.1 400 /);
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
