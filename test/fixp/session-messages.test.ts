import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  readSessionMessage,
  type SessionMessage,
  writeSessionMessage,
} from '../../src/fixp/session-messages.ts';

interface Example {
  readonly name: string;
  readonly hex: string;
  readonly fields: Record<string, unknown>;
}

const file = join(import.meta.dirname, '../vectors/sbe/fixp-examples.jsonl');
const examples = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Example);

test.each(examples.map((example) => [example.name, example] as const))(
  'the official example of %s is read',
  (name, { hex, fields }) => {
    const read = readSessionMessage(Buffer.from(hex, 'hex'));
    // The standard's own spelling of the name has a slip.
    expect(read.name).toBe(name.replace('Restransmit', 'Retransmit'));
    const values = read as unknown as Record<string, unknown>;
    for (const [field, value] of Object.entries(fields)) {
      const found = values[`${field[0]?.toLowerCase()}${field.slice(1)}`];
      expect(found, field).not.toBeUndefined();
      if (field === 'SessionId') expect(found).toBe(Buffer.from(value as number[]).toString('hex'));
      else if (typeof found === 'bigint') expect(String(found)).toBe(String(value));
      else if (typeof found === 'number' && /\d/.test(String(value)))
        expect(found).toBe(Number(value));
    }
  },
);

const sessionId = '0123456789abcdef0123456789abcdef';

test.each<SessionMessage>([
  {
    name: 'Establish',
    sessionId,
    timestamp: 1_767_614_400_123_456_789n,
    keepaliveInterval: 5_000,
    nextSeqNo: undefined,
    cancelOnDisconnectType: 3,
    codTimeoutWindow: undefined,
    credentials: Buffer.from('553=a\x01'),
  },
  {
    name: 'EstablishmentAck',
    sessionId,
    requestTimestamp: 2n ** 64n - 1n,
    keepaliveInterval: 1,
    nextSeqNo: Number.MAX_SAFE_INTEGER,
    lastIncomingSeqNo: 0,
  },
  { name: 'Terminate', sessionId, code: 1, reason: '202: schön' },
  { name: 'UnsequencedHeartbeat' },
  { name: 'NotApplied', fromSeqNo: 7, count: 0xffff_ffff },
])('what is written of $name is read again', (message) => {
  expect(readSessionMessage(writeSessionMessage(message))).toEqual(message);
});

test('a peer of version 0 says nothing of what version 1 has added', () => {
  const example = examples.find(({ name }) => name === 'Establish');
  const read = readSessionMessage(Buffer.from(example?.hex ?? '', 'hex'));
  expect(read).toMatchObject({ cancelOnDisconnectType: undefined, codTimeoutWindow: undefined });
});

test('a message that is cut anywhere is distinguished from a complete one', () => {
  for (const { hex } of examples) {
    const bytes = Buffer.from(hex, 'hex');
    for (let length = 8; length < bytes.length; length += 1) {
      expect(readSessionMessage(bytes.subarray(0, length)).name).toBe('fault');
    }
  }
});

test('another schema and an unknown template are named', () => {
  const other = Buffer.from('0000010039050000', 'hex');
  expect(readSessionMessage(other)).toEqual({
    name: 'fault',
    reason: 'template 1 of schema 1337 is not a session message',
  });
  const unknown = Buffer.from('00006300bc0a0000', 'hex');
  expect(readSessionMessage(unknown)).toMatchObject({ name: 'fault' });
});

test('a reason is cut, so that no text of an operator or a peer is too long to say or to log', () => {
  const message = { name: 'Terminate', sessionId, code: 1 } as const;
  const read = readSessionMessage(writeSessionMessage({ ...message, reason: 'x'.repeat(70_000) }));
  expect(read).toMatchObject({ reason: 'x'.repeat(256) });
});
