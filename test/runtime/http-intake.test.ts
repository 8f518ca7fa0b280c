import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { bodyOf } from '../../src/runtime/http-intake.ts';

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
