/** Which sequence numbers an operator can set, and that nothing is recorded of an act that a session does not take. */
import { expect, test } from 'vitest';
import { FixpDirectory } from '../../src/fixp/fixp-directory.ts';
import { fixpSettings } from '../../src/fixp/settings.ts';
import {
  Operator,
  type OperatorParts,
  type SessionAct,
} from '../../src/gateway/operator/operator.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { MemoryStore } from '../support/memory-store.ts';

const set = (nextIn: number, nextOut: number): SessionAct => {
  return { kind: 'set_numbers', nextIn, nextOut };
};

/** A FIXP session, an operator, and the acts that are in the audit chain. */
async function desk(role: 'acceptor' | 'initiator') {
  const clock = new ManualClock();
  const transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  const directory = new FixpDirectory({ transactions, clock });
  const settings = fixpSettings({ principal: 'CLEARER', users: ['clearer'], role });
  const spec = { settings, application: { onMessage: () => {} } };
  const session = role === 'acceptor' ? await directory.add(spec) : await directory.addClient(spec);
  const audited: string[] = [];
  const operator = new Operator({
    ...{ transactions, clock, rosters: [directory.roster] },
    audit: { add: ({ what }: { what: string }) => audited.push(what) },
  } as unknown as OperatorParts);
  const act = (one: SessionAct) =>
    operator.session({ who: 'ann', why: 'a backup' }, session.name, one);
  return { act, audited, session };
}

test.each(['acceptor', 'initiator'] as const)(
  'a FIXP %s without a session id has no numbers to set',
  async (role) => {
    const { act, audited } = await desk(role);
    for (const one of [set(7, 9), { kind: 'reset' } as const])
      expect(() => act(one)).toThrow('FIXP:CLEARER has no numbers before it has negotiated');
    expect(audited).toEqual([]);
  },
);

test('numbers that an operator skips fit into one NotApplied of the session', async () => {
  const { act, session } = await desk('acceptor');
  session.ids.begin('1'.repeat(32), 1, session.outbox);
  expect(() => act(set(0x1_0000_0000, 1))).toThrow('FIXP:CLEARER takes numbers up to 4294967295');
  act(set(0xffff_ffff, 1));
  expect(session.nextIn).toBe(0xffff_ffff);
});

test('a FIXP initiator can only be reset, because its numbers belong to its session id', async () => {
  const { act, audited, session } = await desk('initiator');
  session.ids.begin('1'.repeat(32), 1, session.outbox);
  expect(() => act(set(1, 2))).toThrow('FIXP:CLEARER takes numbers up to 1');
  act({ kind: 'reset' });
  expect([session.sessionId, audited]).toEqual([undefined, ['reset']]);
});
