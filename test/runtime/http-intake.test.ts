import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { bodyOf, endIfHasty } from '../../src/runtime/http-intake.ts';

const body = (...pieces: readonly string[]) =>
  Readable.from(pieces.map((piece) => Buffer.from(piece))) as unknown as IncomingMessage;

test('a body is read as a whole, also if a character comes in two pieces', async () => {
  const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
  const split = Readable.from([first, second]) as unknown as IncomingMessage;
  expect(await bodyOf(split, 2)).toBe('é');
  expect(await bodyOf(body(), 2)).toBe('');
});

test('a body of as many bytes as allowed is read, and a longer one is not', async () => {
  expect(await bodyOf(body('ab', 'c'), 3)).toBe('abc');
  expect(await bodyOf(body('ab', 'cd'), 3)).toBeUndefined();
});

test('a client that asks again before it has its response is cut off, and one that waits is answered on the same connection', async () => {
  let answered = 0;
  const server = createServer(async (request, response) => {
    if (endIfHasty(request, response)) return;
    answered += 1;
    await new Promise(setImmediate);
    response.end('once');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const one = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
  const patient = connect(port, '127.0.0.1');
  for (let asked = 0; asked < 3; asked += 1) {
    patient.write(one);
    expect(String(await once(patient, 'data'))).toMatch(/^HTTP\/1.1 200 OK/);
  }
  patient.destroy();
  const hasty = connect(port, '127.0.0.1').on('error', () => {});
  hasty.write(one.repeat(1_000));
  await once(hasty, 'close');
  expect(answered).toBe(4);
  await new Promise((resolve) => server.close(resolve));
});
