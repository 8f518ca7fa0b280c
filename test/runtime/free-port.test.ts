import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '../../src/runtime/free-port.ts';

const host = '127.0.0.1';

test('a port that is free stays so, and 0 finds one', async () => {
  const port = await freePort({ host, port: 0 });
  expect(port).toBeGreaterThan(0);
  expect(await freePort({ host, port })).toBe(port);
});

test('a port that somebody has is told as the system tells it', async () => {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(freePort({ host, port })).rejects.toThrow('EADDRINUSE');
  server.close();
});
