/**
 * The engine between orders and a venue: which half sees an input, in which order, and what the result of one half
 * means for the other. The venue here has no nonces and no actions, so these tests also show that the engine needs
 * none.
 */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { deny } from '../../src/domain/denial.ts';
import { submissionId } from '../../src/domain/order.ts';
import type { Qty } from '../../src/domain/units.ts';
import { account, fullRules, terms } from '../domain/ladder.ts';
import { Account, instrument } from './plain-account.ts';
import { orderIdOf } from './plain-venue.ts';

const killed = deny('bridge.kill_switch', 'the kill switch is on');

let desk: Account;

beforeEach(() => {
  desk = new Account();
});

describe('an order on its way out', () => {
  test('is reported as pending before its request leaves, and its request is judged', () => {
    expect(desk.enter('a')).toEqual(['8 150=A 39=A 11=a 38=10 14=0 151=10', 'request-1: place']);
    expect(desk.orders.get('T#1')).toMatchObject({ phase: 'pending_new', venueRef: 'request-1' });
    const request = desk.effects.at(-1);
    expect(request).toMatchObject({ kind: 'request', clientOrderId: 'S-a' });
  });

  test('that the venue accepts starts with the stream, not with the reply', () => {
    desk.enter('a');
    expect(desk.accept('request-1')).toEqual([]);
    expect(desk.event('resting', 'request-1')).toEqual(['8 150=0 39=0 11=a 38=10 14=0 151=10']);
  });

  test('R10: that the stream shows under another id has the venue stop its kind', () => {
    desk.enter('a');
    desk.event('resting', 'request-1', 0, { orderId: '0xother', venueRef: 'request-1' });
    expect(desk.venue.calls).toContain(`place ${orderIdOf('request-1')} is 0xother`);
    expect(desk.orders.get('T#1')).toMatchObject({ phase: 'live', orderId: '0xother' });
  });

  test('that the venue refuses is rejected once, whichever of reply and stream comes first', () => {
    desk.enter('a');
    const [line, ...more] = desk.refuse('request-1', 'post_only_would_cross');
    expect(line).toMatch(/^8 150=8 39=8 11=a /);
    expect(more).toEqual([]);
    expect(desk.refuse('request-1', 'post_only_would_cross')).toEqual([]);
  });

  test('that waits for the venue leaves when it opens, and is then not counted as just judged', () => {
    desk.venue.isOpen = false;
    expect(desk.enter('a')).toEqual(['8 150=A 39=A 11=a 38=10 14=0 151=10']);
    expect(desk.orders.get('T#1')?.phase).toBe('created');
    expect(desk.step({ kind: 'open' })).toEqual(['request-1: place']);
    expect(desk.orders.get('T#1')?.phase).toBe('pending_new');
  });

  test('that waits and fails the gate is rejected with the reason of the gate', () => {
    desk.venue.isOpen = false;
    desk.enter('a');
    expect(desk.step({ kind: 'judged', id: 1, denial: killed })).toEqual([
      `8 150=8 39=8 11=a 38=10 14=0 151=0 ${killed.refusal.code}`,
    ]);
    expect(desk.step({ kind: 'open' })).toEqual([]);
  });
});

test('the venue sees an event before the orders do, and again after them; every input settles once', () => {
  desk.enter('a');
  desk.venue.calls.length = 0;
  desk.event('resting', 'request-1');
  expect(desk.venue.calls).toEqual(['before 1', 'after 1', 'settle']);
});

test('an event that the orders have passed says nothing to the venue either, so no request loses its answer', () => {
  desk.enter('a');
  desk.event('resting', 'request-1');
  desk.venue.calls.length = 0;
  expect(desk.event('resting', 'request-1', 0, { seq: 1 })).toEqual([]);
  expect(desk.venue.calls).toEqual(['settle']);
});

test('a cancel of an order that has no answer yet is held, and leaves when the answer is there', () => {
  desk.enter('a');
  expect(desk.cancel('T#1', 'c').filter((line) => line.startsWith('request'))).toEqual([]);
  expect(desk.accept('request-1')).toEqual(['request-2: cancel (waited)']);
});

test('a replace has just passed the gate; a cancel needs no permission and claims none', () => {
  desk.enter('a');
  desk.accept('request-1');
  desk.event('resting', 'request-1');
  expect(desk.replace('T#1', 'r', 20).at(-1)).toBe('request-2: group');
  desk.enter('b');
  desk.accept('request-3');
  desk.event('resting', 'request-3');
  expect(desk.cancel('T#2', 'c').at(-1)).toBe('request-4: cancel (waited)');
});

describe('withdrawing', () => {
  test('takes the unsent placements of one session and leaves those of the others', () => {
    desk.venue.isOpen = false;
    desk.enter('a', 'S');
    desk.enter('b', 'OTHER');
    const lines = desk.step({ kind: 'withdraw', session: 'S', denial: killed });
    expect(lines).toEqual([`8 150=8 39=8 11=a 38=10 14=0 151=0 ${killed.refusal.code}`]);
    expect(desk.orders.byClOrdId('OTHER', 'b')?.phase).toBe('created');
  });

  test('of all sessions takes every unsent placement, and nothing that may be at the venue', () => {
    desk.enter('out');
    desk.venue.isOpen = false;
    desk.enter('a', 'S');
    desk.enter('b', 'OTHER');
    desk.step({ kind: 'withdraw', session: null, denial: killed });
    const phases = ['out', 'a'].map((name) => desk.orders.byClOrdId('S', name)?.phase);
    expect(phases).toEqual(['pending_new', 'rejected']);
    expect(desk.orders.byClOrdId('OTHER', 'b')?.phase).toBe('rejected');
  });

  test('refuses a held group before the end of another order could release it', () => {
    desk.venue.isOpen = false;
    desk.enter('a');
    desk.quote('Q', ['T#1']);
    expect(desk.orders.groups.held).toHaveLength(1);
    const lines = desk.step({ kind: 'withdraw', session: null, denial: killed });
    expect(desk.orders.groups.held).toEqual([]);
    expect(lines.filter((line) => line.includes(': group'))).toEqual([]);
    desk.venue.isOpen = true;
    expect(desk.step({ kind: 'open' })).toEqual([]);
  });

  test('refuses groups that wait for each other without releasing one of them', () => {
    desk.enter('a');
    desk.quote('Q1', ['T#1']);
    desk.quote('Q2', ['T#3']);
    const lines = desk.step({ kind: 'withdraw', session: null, denial: killed });
    expect(lines.filter((line) => line.includes('request'))).toEqual([]);
    expect([desk.orders.get('T#3'), desk.orders.get('T#5')]).toMatchObject([
      { phase: 'rejected' },
      { phase: 'rejected' },
    ]);
  });

  test('of canceled requests takes an order that is being canceled and has not left', () => {
    desk.venue.isOpen = false;
    desk.enter('a');
    desk.enter('b');
    desk.cancel('T#1', 'c');
    desk.step({ kind: 'withdraw_canceled' });
    expect(desk.orders.get('T#1')?.phase).not.toBe('created');
    expect(desk.orders.get('T#2')?.phase).toBe('created');
    expect(desk.step({ kind: 'open' })).toEqual(['request-2: place']);
  });
});

test('a held group whose orders are all being canceled is refused at the end of the transaction', () => {
  desk.enter('a');
  desk.quote('Q', ['T#1']);
  desk.cancel('T#3', 'c');
  desk.step({ kind: 'withdraw_canceled' });
  expect(desk.orders.groups.held).toEqual([]);
  expect(desk.orders.get('T#3')?.phase).toBe('rejected');
});

test('a withdrawn request states why', () => {
  desk.venue.isOpen = false;
  desk.enter('a');
  desk.step({ kind: 'withdraw', session: 'S', denial: killed });
  const report = desk.effects.at(-1);
  expect(report).toMatchObject({ report: { denial: { text: 'the kill switch is on' } } });
});

describe('a start', () => {
  test('refuses a group that waits for the venue, and a group held behind it is not released by that', () => {
    desk.venue.isOpen = false;
    desk.quote('Q1', []);
    desk.quote('Q2', ['T#2']);
    desk.step({ kind: 'started' });
    expect(desk.orders.groups.held).toEqual([]);
    expect([...desk.orders.open()]).toEqual([]);
    expect(desk.step({ kind: 'open' })).toEqual([]);
  });

  test('sends nothing twice: a request that the venue carries stays where it is', () => {
    desk.venue.isOpen = false;
    desk.enter('a');
    desk.enter('b');
    desk.step({ kind: 'started' });
    expect(desk.step({ kind: 'open' })).toEqual(['request-1: place', 'request-2: place']);
  });

  test('keeps a cancel that the venue carries', () => {
    desk.enter('a');
    desk.accept('request-1');
    desk.event('resting', 'request-1');
    desk.venue.isOpen = false;
    desk.cancel('T#1', 'c');
    expect(desk.step({ kind: 'started' })).toEqual([]);
    expect(desk.step({ kind: 'open' })).toEqual(['request-2: cancel (waited)']);
  });

  test('refuses a group that an earlier version had only recorded, and does not send its orders one by one', () => {
    desk.venue.isOpen = false;
    desk.quote('Q', []);
    const state = desk.orders.state();
    const started = new Account();
    started.orders.restore(state);
    expect(started.step({ kind: 'started' }).filter((line) => line.startsWith('request'))).toEqual(
      [],
    );
    expect([...started.orders.open()]).toEqual([]);
  });

  test('refuses a cancel that an earlier version had only recorded, but keeps one that is held', () => {
    desk.enter('a');
    desk.accept('request-1');
    desk.event('resting', 'request-1');
    desk.enter('b');
    desk.venue.isOpen = false;
    desk.cancel('T#1', 'lost');
    desk.cancel('T#2', 'held');
    const started = new Account();
    started.orders.restore(desk.orders.state());
    const lines = started.step({ kind: 'started' });
    expect(lines.filter((line) => line.startsWith('9 '))).toHaveLength(1);
    expect(lines.join()).toContain('11=lost');
    expect(started.orders.byClOrdId('S', 'b')?.pending).toMatchObject({ held: true });
  });

  test('forgets a group that the stream has decided, and of which the answer was lost', () => {
    desk.quote('Q', []);
    desk.event('resting', 'request-1.0');
    const groups = () => desk.orders.state().quotes.groups.map(({ quoteId }) => quoteId);
    desk.step({ kind: 'started' });
    expect(groups()).toEqual(['Q']);
    const started = new Account();
    started.orders.restore(desk.orders.state());
    expect(started.step({ kind: 'started' })).toEqual([]);
    expect(started.orders.state().quotes.groups).toEqual([]);
    expect([...started.orders.open()]).toMatchObject([{ phase: 'live' }]);
  });

  test('refuses held groups, because their cancels may have been lost with the process', () => {
    desk.enter('a');
    desk.quote('Q', ['T#1']);
    desk.step({ kind: 'started' });
    expect(desk.venue.calls).toContain('started');
    expect(desk.orders.groups.held).toEqual([]);
    expect([...desk.orders.open()].map(({ clOrdId }) => clOrdId)).toEqual(['a']);
  });

  test('sends an order that an earlier version had only recorded, as a request that has waited', () => {
    const key = desk.orders.newKeys('T', 1)[0] ?? '';
    const owner = { session: 'S', account, accountName: 'desk', tag: 'T', key, quoteId: null };
    const entry = { kind: 'entry', owner, clOrdId: 'old', instrument, nowMs: 1 } as const;
    // An earlier version recorded the order alone; no submission was kept.
    desk.orders.apply({ ...entry, terms: terms({ qty: 10n as Qty }) });
    expect(desk.step({ kind: 'started' })).toEqual([
      '8 150=A 39=A 11=old 38=10 14=0 151=10',
      'request-1: place (waited)',
    ]);
    expect(desk.step({ kind: 'started' })).toEqual([]);
  });

  test('looks again at once at a refused request that waits for the end of its order', () => {
    desk.enter('a');
    desk.accept('request-1');
    desk.event('resting', 'request-1');
    desk.cancel('T#1', 'c');
    expect(desk.refuse('request-2', 'order_not_found')).toEqual([
      `wait ${fullRules.terminalWaitMs}`,
    ]);
    expect(desk.step({ kind: 'resume' })).toEqual(['wait 0']);
  });
});

test('an event of an order that nobody here sent is passed on as foreign and changes nothing', () => {
  desk.enter('a');
  expect(desk.event('resting', 'request-9')).toEqual(['foreign']);
  expect(desk.orders.openCount).toBe(1);
});

test('an order that the venue shows after its end is restated, alarmed and canceled', () => {
  desk.enter('a');
  desk.refuse('request-1', 'post_only_would_cross');
  const lines = desk.event('resting', 'request-1');
  expect(lines[0]).toMatch(/^8 150=D 39=0 11=a /);
  expect(lines[1]).toMatch(/^alarm: /);
  expect(lines[2]).toBe('request-2: cancel (waited)');
});

/** Random legal commands; the venue answers and reports in an order of its own. */
const acts = fc.array(
  fc.record({
    act: fc.constantFrom(
      'enter',
      'cancel',
      'replace',
      'quote',
      'reply',
      'refuse',
      'event',
      'close',
      'open',
      'withdraw',
      'withdraw_canceled',
      'started',
    ),
    which: fc.nat(7),
  }),
  { maxLength: 60, size: 'max' },
);

function play(steps: readonly { readonly act: string; readonly which: number }[]): Account {
  const own = new Account();
  let names = 0;
  const name = () => {
    names += 1;
    return `n${names}`;
  };
  for (const { act, which } of steps) {
    const orders = [...own.orders.open()];
    const order = orders[which % Math.max(1, orders.length)];
    const ref = `request-${which + 1}`;
    const mayAsk = order !== undefined && order.pending === null;
    if (act === 'enter') own.enter(name(), which % 2 === 0 ? 'S' : 'OTHER');
    else if (act === 'cancel' && mayAsk) own.cancel(order.owner.key, name());
    else if (act === 'replace' && mayAsk) own.replace(order.owner.key, name(), 10 + which);
    else if (act === 'quote') own.quote(name(), which % 3 > 0 && order ? [order.owner.key] : []);
    else if (act === 'reply') own.accept(ref);
    else if (act === 'refuse') own.refuse(ref, 'post_only_would_cross');
    else if (act === 'event') own.event(which % 3 === 0 ? 'canceled' : 'resting', ref);
    else if (act === 'close') own.venue.isOpen = false;
    else if (act === 'open') own.step({ kind: 'open' });
    else if (act === 'withdraw') own.step({ kind: 'withdraw', session: 'S', denial: killed });
    else if (act === 'withdraw_canceled' || act === 'started') own.step({ kind: act });
  }
  return own;
}

test('the same inputs have the same effects and leave the same state', () => {
  fc.assert(
    fc.property(acts, (steps) => {
      const [one, other] = [play(steps), play(steps)];
      expect(other.effects).toEqual(one.effects);
      expect(other.orders.state()).toEqual(one.orders.state());
    }),
  );
});

test('whatever happens, no request places an order that is reported as rejected, unless the venue refused it', () => {
  fc.assert(
    fc.property(acts, (steps) => {
      const dead = new Set<string>();
      const placed = new Set<string>();
      for (const effect of play(steps).effects) {
        if (effect.kind === 'report' && effect.report.kind === 'execution') {
          const { denial, order, ordStatus } = effect.report;
          const isOwn = denial?.refusal.name.startsWith('bridge.');
          if (ordStatus !== 'rejected') dead.delete(order.clOrdId);
          else if (isOwn) expect(placed).not.toContain(order.clOrdId);
          if (ordStatus === 'rejected') dead.add(order.clOrdId);
        }
        if (effect.kind !== 'request') continue;
        const { clientOrderId, intent } = effect;
        if (intent.kind !== 'place' && intent.kind !== 'group') continue;
        const name = `${clientOrderId?.split('-')[1]}${intent.kind === 'group' ? '.B' : ''}`;
        expect(dead).not.toContain(name);
        placed.add(name);
      }
    }),
  );
});

test('every order that is not open was reported to its client as ended', () => {
  fc.assert(
    fc.property(acts, (steps) => {
      const { effects, orders } = play(steps);
      const last = new Map<string, string>();
      for (const effect of effects) {
        if (effect.kind !== 'report' || effect.report.kind !== 'execution') continue;
        last.set(effect.report.order.owner.key, effect.report.ordStatus);
      }
      for (const { owner, phase } of orders.all()) {
        const isEnd = ['rejected', 'canceled', 'filled', 'expired'].includes(phase);
        if (isEnd) expect(last.get(owner.key)).toBe(phase);
      }
    }),
  );
});

test('the submission of an order has its own id, which no ClOrdID can be', () => {
  expect(desk.enter(submissionId)).toHaveLength(2);
  expect(desk.orders.clientOf('T#1', submissionId)).toEqual({
    session: 'S',
    clOrdId: submissionId,
  });
});
