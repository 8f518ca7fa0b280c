import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '../../src/runtime/free-port.ts';

const host = '127.0.0.1';

test('a port that is free stays so', async () => {
  const port = await freePort({ host, port: 0 });
  expect(await freePort({ host, port })).toBe(port);
});

test('0 finds ports that the system gives to nobody who asks for any, and each but once', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort({ host, port: 0 })));
  expect(new Set(ports).size).toBe(ports.length);
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_768);
  }
});

test('a port that is taken throws the error of the system', async () => {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(freePort({ host, port })).rejects.toThrow('EADDRINUSE');
  server.close();
});
