import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StatusServer } from '../../src/runtime/status-server.ts';

let directory: string;
let path: string;
let server: StatusServer;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'status-'));
  path = join(directory, 'status.sock');
  server = new StatusServer(async ({ url }, isPrivate) => ({
    status: 200,
    body: `${url} ${isPrivate}`,
  }));
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

function privately(target: string): Promise<string> {
  return new Promise((resolve) => {
    request({ socketPath: path, path: target }, (response) => {
      response.setEncoding('utf8').on('data', resolve);
    }).end();
  });
}

test('an answer knows whether it was asked for on the port or on the private socket', async () => {
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  await server.listenPrivately(path);
  expect(await (await fetch(`${url}/a`)).text()).toBe('/a false');
  expect(await privately('/b')).toBe('/b true');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a stranger who sends too long a header is refused, and others are still answered', async () => {
  const url = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
  const stranger = connect(Number(url.port), '127.0.0.1');
  stranger.write(`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`);
  const answer = await new Promise((resolve) => stranger.once('data', resolve));
  expect(String(answer)).toContain('431');
  stranger.destroy();
  expect(await (await fetch(url)).text()).toBe('/ false');
});

test('requests that are sent ahead of the responses are not answered', async () => {
  let asked = 0;
  await server.close();
  server = new StatusServer(async () => ({ status: 200, body: String(++asked) }));
  const url = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
  const hasty = connect(Number(url.port), '127.0.0.1').on('error', () => {});
  hasty.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000));
  await once(hasty, 'close');
  expect(asked).toBe(1);
});

test('a socket that another process serves is left to it', async () => {
  const other = createServer().listen(path);
  await once(other, 'listening');
  await expect(server.listenPrivately(path)).rejects.toThrow('is served by another process');
  await new Promise((resolve) => other.close(resolve));
  await server.listenPrivately(path);
  expect(await privately('/')).toBe('/ true');
});

test('connections that send nothing keep no health check out: the oldest makes room', async () => {
  const url = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
  const silent = Array.from({ length: 100 }, () => connect(Number(url.port), '127.0.0.1'));
  for (const socket of silent) socket.on('error', () => {});
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  expect(await (await fetch(url, { signal: AbortSignal.timeout(2_000) })).text()).toBe('/ false');
  for (const socket of silent) socket.destroy();
});

test('a request whose answer fails is answered so, and the process goes on', async () => {
  await server.close();
  server = new StatusServer(async (asked) => {
    for await (const _piece of asked);
    throw new Error('no answer');
  });
  const url = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
  expect((await fetch(url)).status).toBe(500);
  const aborted = connect(Number(url.port), '127.0.0.1');
  aborted.end('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{');
  await once(aborted.resume(), 'close');
  expect((await fetch(url)).status).toBe(500);
});
