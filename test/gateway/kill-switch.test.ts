import { beforeEach, expect, test } from 'vitest';
import { KillSwitch } from '../../src/gateway/kill-switch.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { Turns } from '../../src/store/turns.ts';

let store: MemoryStore;
let turns: Turns;
const kill = { scope: { kind: 'account', name: 'desk-a' }, reason: 'loss', sinceMs: 5 } as const;

beforeEach(() => {
  store = new MemoryStore();
  turns = new Turns(store, (error) => {
    throw error;
  });
});

const reopened = () => KillSwitch.open(store, turns);

test('nobody is refused while nothing is killed', async () => {
  expect((await reopened()).denial('desk-a', 's')).toBeUndefined();
});

test('an account, a session or everything is refused, and nobody else', async () => {
  const own = await reopened();
  turns.run(() => own.engage(kill));
  expect(own.denial('desk-a', 's')).toMatchObject({ text: 'loss' });
  expect(own.denial('desk-b', 's')).toBeUndefined();
  turns.run(() => own.engage({ ...kill, scope: { kind: 'session', name: 's' } }));
  expect(own.denial('desk-b', 's')?.refusal.name).toBe('bridge.kill_switch');
  expect(own.denial('desk-b', 't')).toBeUndefined();
  turns.run(() => own.engage({ ...kill, scope: { kind: 'all' } }));
  expect(own.denial('desk-b', 't')).toBeDefined();
});

test('what is engaged and released is so after a restart', async () => {
  const own = await reopened();
  turns.run(() => own.engage(kill));
  expect((await reopened()).engaged).toEqual([kill]);
  turns.run(() => own.release(kill.scope, 6));
  expect((await reopened()).engaged).toEqual([]);
});

test('a scope that is not killed cannot be released', async () => {
  const own = await reopened();
  expect(turns.run(() => own.release({ kind: 'all' }, 1))).toBe(false);
});
