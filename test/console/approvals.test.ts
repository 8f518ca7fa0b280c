import { expect, test } from 'vitest';
import type { WaitingAct } from '../../src/console/act-shape.ts';
import { Approvals } from '../../src/console/approvals.ts';
import type { Kill } from '../../src/gateway/gate/kill-switch.ts';
import { ActRefused, type Operator } from '../../src/gateway/operator/operator.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { AccountState } from '../../src/venue/gate.ts';

const asked: WaitingAct = { act: 'mass_cancel', scope: { kind: 'all' }, why: 'wrong prices' };

function setup() {
  const clock = new ManualClock();
  const audit: string[] = [];
  const kills: Kill[] = [];
  const state: AccountState = 'blocked';
  const stop = { now: { state, reason: 'the key is not known', isLatched: false } };
  const numbers = [57, 91];
  const busted = new Set<string>();
  const operator = {
    amendable({ execId }: { readonly execId: string }) {
      if (busted.has(execId)) throw new ActRefused(`trade ${execId} is busted already`);
      return {} as ReturnType<Operator['amendable']>;
    },
    stopOf: () => stop.now,
    numbersOf: () => numbers,
    get kills() {
      return [...kills];
    },
    recordExternalAct: ({ who }: { who: string }, what: string, subject: string) => {
      audit.push(`${who} ${what} ${subject}`);
    },
  };
  const approvals = new Approvals(['mass_cancel', 'release', 'set_limits'], clock, operator);
  return { approvals, audit, busted, clock, kills, numbers, operator, stop };
}

test('only what is configured needs approval', () => {
  const { approvals } = setup();
  expect(approvals.needs(asked)).toBe(true);
  expect(approvals.needs({ act: 'cancel', orders: ['K'], why: 'wrong' })).toBe(false);
});

test('where changed limits need approval, their reset to those of the configuration does, too', () => {
  const { approvals } = setup();
  const target = { kind: 'account', name: 'desk' } as const;
  expect(approvals.needs({ act: 'reset_limits', target, why: 'too tight' })).toBe(true);
});

test('where a bust needs approval, a correction does, too', () => {
  const approvals = new Approvals(['bust'], new ManualClock(), setup().operator);
  const trade = { order: 'o1', execId: 'E', why: 'a wrong price' };
  expect(approvals.needs({ ...trade, act: 'bust', confirm: 'BUST' })).toBe(true);
  expect(approvals.needs({ ...trade, act: 'correct', price: '1', qty: '1' })).toBe(true);
});

test('a bust of a trade that has been busted since, or was before, is neither approved nor requested', () => {
  const { approvals, busted } = setup();
  const bust = { act: 'bust', order: 'o1', execId: 'E', why: 'wrong', confirm: 'BUST' } as const;
  const { id } = approvals.request('ann', bust);
  busted.add('E');
  expect(() => approvals.approve(id, 'bob', 'checked')).toThrow('busted already');
  expect(() => approvals.request('ann', bust)).toThrow('busted already');
});

test('a release is not carried out on a kill switch that was set after the release was requested', () => {
  const { approvals, kills } = setup();
  const scope = { kind: 'account', name: 'desk' } as const;
  kills.push({ scope, reason: 'wrong prices', sinceMs: 1 });
  const request = () =>
    approvals.request('ann', { act: 'release', scope, why: 'prices are right' });
  const { id } = request();
  kills[0] = { scope, reason: 'the key was stolen', sinceMs: 2 };
  expect(() => approvals.approve(id, 'bob', 'checked')).toThrow('was set after');
  expect(approvals.approve(request().id, 'bob', 'checked').who).toBe('ann');
});

test('an account that has been stopped for another reason since is not reopened', () => {
  const { approvals, stop } = setup();
  const request = () =>
    approvals.request('ann', { act: 'reopen', account: 'desk', why: 'the key is there' }).id;
  const id = request();
  stop.now = { ...stop.now, isLatched: true };
  expect(() => approvals.approve(id, 'bob', 'checked')).toThrow('has changed since');
  expect(approvals.approve(request(), 'bob', 'checked').who).toBe('ann');
});

test.each([
  { act: 'set_numbers', session: 'S', nextIn: 57, nextOut: 57, why: 'it expects 57' },
  { act: 'reset', session: 'S', why: 'it has lost its numbers' },
] as const)('by $act the numbers of a session that has moved on since are not changed', (asked) => {
  const { approvals, numbers } = setup();
  const { id } = approvals.request('ann', asked);
  numbers[1] = 92;
  expect(() => approvals.approve(id, 'bob', 'checked')).toThrow('has changed since');
  const again = approvals.request('ann', asked);
  expect(approvals.approve(again.id, 'bob', 'checked').who).toBe('ann');
});

test('a second operator approves once, in the name of the first, and both are in the audit chain', () => {
  const { approvals, audit } = setup();
  const { id } = approvals.request('ann', asked);
  expect(() => approvals.approve(id, 'ann', 'my own')).toThrow(ActRefused);
  expect(approvals.approve(id, 'bob', 'checked')).toEqual({
    who: 'ann',
    asked: { ...asked, why: 'wrong prices (approved by bob)' },
  });
  expect(() => approvals.approve(id, 'bob', 'again')).toThrow('has ended or expired');
  expect(approvals.rows).toEqual([]);
  expect(audit).toEqual(['ann approval_requested request 1', 'bob approval_granted request 1']);
});

test('a reason that leaves no room for the second operator is cut between two characters', () => {
  const { approvals } = setup();
  const note = ' (approved by bob)';
  const reasonOf = (why: string) => {
    const { id } = approvals.request('ann', { ...asked, why });
    return approvals.approve(id, 'bob', 'checked').asked.why;
  };
  expect(reasonOf('x'.repeat(182))).toBe(`${'x'.repeat(182)}${note}`);
  expect(reasonOf('x'.repeat(183))).toBe(`${'x'.repeat(181)}…${note}`);
  expect(reasonOf('📉'.repeat(100))).toBe(`${'📉'.repeat(90)}…${note}`);
});

test('a request expires after ten minutes, and cannot be approved any more', () => {
  const { approvals, audit, clock } = setup();
  const { id } = approvals.request('ann', asked);
  clock.advance(599_999);
  expect(approvals.rows).toHaveLength(1);
  clock.advance(1);
  expect(approvals.rows).toEqual([]);
  expect(() => approvals.approve(id, 'bob', 'late')).toThrow(ActRefused);
  expect(audit.at(-1)).toBe('the bridge approval_expired request 1');
});

test('a declined request is over, and the one who asked may withdraw it', () => {
  const { approvals, audit, clock } = setup();
  approvals.decline(approvals.request('ann', asked).id, 'bob', 'no');
  approvals.decline(approvals.request('ann', asked).id, 'ann', 'a mistake');
  clock.advance(600_000);
  expect(audit.filter((line) => line.includes('expired'))).toEqual([]);
  expect(approvals.rows).toEqual([]);
});

test('fifty requests wait at most', () => {
  const { approvals } = setup();
  for (let i = 0; i < 50; i += 1) approvals.request('ann', asked);
  expect(() => approvals.request('ann', asked)).toThrow('50 actions already wait');
  approvals.close();
});
