/** Where a desk is found, over real sockets. */
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type DeskPort, listen } from '../../src/certify/port.ts';
import { freePort } from '../../src/runtime/free-port.ts';

const host = '127.0.0.1';
const signal = new AbortController().signal;
const sockets: Socket[] = [];
let desk: DeskPort | undefined;

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  desk?.close();
});

/** Whether somebody answers there. */
function answers(port: number): Promise<boolean> {
  const socket = connect({ host, port });
  sockets.push(socket);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
}

test('a desk that gave its address up is found at its backup site until it comes back', async () => {
  const backup = await freePort({ host, port: 0 });
  desk = await listen(host, 0, undefined, { host, port: backup });
  const { port } = desk;
  expect([await answers(port), await answers(backup)]).toEqual([true, false]);
  await desk.leave?.();
  expect([await answers(port), await answers(backup)]).toEqual([false, true]);
  expect((await desk.next(2_000, signal))?.localPort).toBe(backup);
  await desk.comeBack?.();
  await desk.comeBack?.();
  expect([await answers(port), await answers(backup)]).toEqual([true, false]);
  expect((await desk.next(2_000, signal))?.localPort).toBe(port);
});

test('a desk with one address cannot leave it', async () => {
  desk = await listen(host, 0);
  expect(desk.leave).toBeUndefined();
});
