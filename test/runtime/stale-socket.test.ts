import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { removeStaleSocket } from '../../src/runtime/stale-socket.ts';

const directory = mkdtempSync(join(tmpdir(), 'stale-socket-'));
const path = join(directory, 'served.sock');
const server = createServer((socket) => socket.resume());

beforeEach(async () => {
  if (server.listening) await new Promise((resolve) => server.close(resolve));
  await once(server.listen({ path, backlog: 1 }), 'listening');
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true });
});

test('a socket that another process serves is left alone, and said so', async () => {
  await expect(removeStaleSocket(path)).rejects.toThrow(
    new Error(`${path} is served by another process`),
  );
  expect(existsSync(path)).toBe(true);
});

test('a socket that nobody listens on any more is removed', async () => {
  const left = join(directory, 'left.sock');
  renameSync(path, left);
  await new Promise((resolve) => server.close(resolve));
  expect(existsSync(left)).toBe(true);
  await removeStaleSocket(left);
  expect(existsSync(left)).toBe(false);
});

test('nothing is needed where there is nothing', async () => {
  await expect(removeStaleSocket(join(directory, 'none.sock'))).resolves.toBeUndefined();
});

test('a server that is too busy to accept one more connection keeps its socket', async () => {
  const waiting = Array.from({ length: 8 }, () => connect(path).on('error', () => {}));
  await expect(removeStaleSocket(path)).rejects.toThrow('is served by another process');
  expect(existsSync(path)).toBe(true);
  for (const socket of waiting) socket.destroy();
});

test('a file that is no socket is not deleted, whatever the configuration says it is', async () => {
  const file = join(directory, 'keys.json');
  writeFileSync(file, 'precious');
  await expect(removeStaleSocket(file)).rejects.toThrow(new Error(`${file} is not a socket`));
  expect(readFileSync(file, 'utf8')).toBe('precious');
});

test('where it cannot be known whether anybody listens, nothing is deleted', async () => {
  const below = join(directory, 'keys.json', 'below.sock');
  await expect(removeStaleSocket(below)).rejects.toThrow(`connect ENOTDIR ${below}`);
});
