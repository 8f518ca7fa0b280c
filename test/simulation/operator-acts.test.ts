/** The acts of an operator, at random, and what must be true of them afterwards. */
import { expect, test } from 'vitest';
import { Cast } from './cast.ts';
import { Dice } from './dice.ts';
import { LimitsInForce } from './limits-in-force.ts';
import { OperatorActs } from './operator-acts.ts';
import { VirtualTime } from './virtual-time.ts';

interface Act {
  readonly kind: string;
  readonly name?: string;
  readonly limits?: unknown;
}

function stand() {
  const [time, acts, wrong]: [VirtualTime, Act[], string[]] = [new VirtualTime(), [], []];
  const { limits: configured, sessions: plans } = new Cast(new Dice(3), []);
  const operator = {
    setLimits: (_: unknown, { name }: { name: string }, limits: unknown) =>
      acts.push({ kind: 'limits', name, limits }),
    session: (_: unknown, name: string, act: Act) => acts.push({ ...act, name }),
    massCancel: () => acts.push({ kind: 'cancel' }),
    cancel: (_: unknown, keys: readonly string[]) => {
      acts.push({ kind: 'single' });
      return new Set(keys).size - 1;
    },
  };
  const open = ['1', '2', '3'].map((key) => ({ owner: { key } }));
  const accounts = [{ bound: { runner: { orders: { open: () => open } } } }];
  const limits = new LimitsInForce(configured);
  const own = new OperatorActs({
    ...{ time, dice: new Dice(3), plans, configured, limits },
    bridge: { isUp: true, hasSession: () => true, gateway: { operator, accounts } } as never,
    ledger: { allOpen: [] } as never,
    note: () => {},
    wrong: (text) => wrong.push(text),
  });
  for (let i = 0; i < 500; i += 1) own.step();
  return { acts, limits, own, plans, time, wrong };
}

test('an operator does everything now and then, and all sessions are started at rest', () => {
  const { acts, own } = stand();
  const count = (kind: string) => acts.filter((act) => act.kind === kind).length;
  for (const kind of ['limits', 'stop', 'cancel', 'single']) expect(count(kind)).toBeGreaterThan(0);
  own.calm();
  expect(count('start')).toBe(count('stop'));
});

test('after a restart the changes since the last rest are repeated, and earlier ones are not', () => {
  const { acts, own } = stand();
  const last = acts.findLast(({ kind }) => kind === 'limits');
  acts.length = 0;
  own.restarted();
  expect(acts).toContainEqual(last);
  acts.length = 0;
  own.rest();
  own.restarted();
  expect(acts).toEqual([]);
});

test('a client that logs on while its session is stopped is noticed, unless the answer was on its way', async () => {
  const { acts, own, plans, time, wrong } = stand();
  const last = (compId: string) =>
    acts.findLast(({ kind, name }) => name === `FIXP:${compId}` && kind !== 'limits')?.kind;
  own.came('DELTA');
  expect(wrong).toEqual([]);
  await time.pass(1_001);
  const { compId } = plans.find((plan) => last(plan.compId) === 'stop') ?? plans[0]!;
  own.came(compId);
  expect(wrong).toEqual([`${compId} is logged on, and its session is stopped`]);
  own.calm();
  own.came(compId);
  expect(wrong).toHaveLength(1);
});
