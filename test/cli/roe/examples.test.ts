import { expect, test } from 'vitest';
import { FixReader } from '../../../src/cli/decode/fix-message.ts';
import { examplesOf } from '../../../src/cli/roe/examples.ts';
import type { FixSessionConfig } from '../../../src/gateway/config.ts';

const session = {
  protocol: 'fix',
  senderCompId: 'ALPHA',
  targetCompId: 'CAUSEWAY',
  users: ['alpha'],
  accounts: ['desk-a'],
} as unknown as FixSessionConfig;

test.each(['order-entry', 'market-data', 'drop-copy'] as const)(
  'the examples for %s are messages that a session lets pass',
  (role) => {
    const reader = new FixReader();
    const examples = examplesOf({ ...session, role }, 'BTC-USDC');
    const seen = examples.map(({ bytes }) => reader.read(bytes));
    expect(seen.flatMap(({ faults }) => faults)).toEqual([]);
    const types = seen.map(({ message }) => message.msgType);
    expect(types[0]).toBe('A');
    expect(types.includes('D')).toBe(role === 'order-entry');
  },
);
