/** A client of a process that only relays: it is refused everything. */
import { expect, test } from 'vitest';
import type { Command } from '../../../src/domain/command.ts';
import { RelayClient } from '../../../src/gateway/relay/relay-client.ts';
import { denied } from '../../support/venue-denial.ts';

const client = new RelayClient({ senderCompId: 'ALPHA' } as never);

test('a command is refused as not authorized, after any fault of its own', () => {
  expect(client.execute({ kind: 'new_order' } as Command).denial.refusal.name).toBe(
    'bridge.not_authorized',
  );
  const fault = denied('bridge.unsupported');
  expect(client.execute(fault)).toEqual({ denial: fault });
});

test('no two refusals have the same ExecID', () => {
  const now = { wallMs: 5, monoMs: 0 };
  const refused = () => client.refused(denied('bridge.not_authorized'), {}, now);
  const [first, second] = [refused(), refused()];
  expect(first).toMatch(/^ALPHA-5-r\d+$/);
  expect(second).not.toBe(first);
});
