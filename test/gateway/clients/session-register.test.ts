/** The configured sessions of a process: added, changed and removed while the others run. */
import { beforeEach, expect, test } from 'vitest';
import type {
  ClientLane,
  ClientOpening,
  LaneClient,
} from '../../../src/gateway/clients/client-lane.ts';
import type { ClientOutput } from '../../../src/gateway/clients/client-session.ts';
import { SessionRegister } from '../../../src/gateway/clients/session-register.ts';
import type { Config, SessionConfig } from '../../../src/gateway/config/config.ts';
import type { LoadedConfig } from '../../../src/gateway/config/config-file.ts';

interface Client {
  readonly id: number;
}
let happened: string[];
/** Whether no session can be opened. */
let isBroken: boolean;
/** Whether the state of no session can be read. */
let isUnreadable: boolean;
let register: SessionRegister<Client & LaneClient>;

const session = (senderCompId: string, engine = 1): SessionConfig =>
  ({ protocol: 'fixp', senderCompId, engine }) as unknown as SessionConfig;
const apply = (...sessions: SessionConfig[]) =>
  register.apply({ config: { sessions } as unknown as Config } as LoadedConfig);
const names = () => [...register].map(({ id }) => id);

beforeEach(() => {
  happened = [];
  isBroken = false;
  isUnreadable = false;
  let count = 0;
  const lane = {
    settings: ({ engine }: { engine?: number }) => ({ engine }),
    async load(name: string) {
      if (isUnreadable) throw new Error('the store cannot read');
      return `${name} as stored`;
    },
    open({ name, state, makeClient }: ClientOpening<LaneClient>) {
      if (isBroken) throw new Error('no place');
      happened.push(`open ${state}`);
      const change = () => happened.push(`admission ${name}`);
      return { client: makeClient({} as ClientOutput), change };
    },
    logOut: async (name: string) => void happened.push(`log out ${name}`),
    close(name: string) {
      happened.push(`close ${name}`);
      return `${name} as left`;
    },
  } as unknown as ClientLane;
  register = new SessionRegister({
    lanes: { fix: lane, fixp: lane },
    make: () => ({ id: ++count }) as Client & LaneClient,
    change: ({ id }) => void happened.push(`change ${id}`),
  });
});

test('each session is opened once, and found by its name', async () => {
  await apply(session('A'), session('B'));
  expect(happened).toEqual(['open FIXP:A as stored', 'open FIXP:B as stored']);
  expect([register.get('FIXP:A')?.id, register.get('FIXP:B')?.id]).toEqual([1, 2]);
  expect([register.get('FIXP:C'), names()]).toEqual([undefined, [1, 2]]);
});

test('a session whose engine stays the same is not logged out by a change of its permissions', async () => {
  await apply(session('A'));
  happened.length = 0;
  await apply(session('A'));
  expect(happened).toEqual(['admission FIXP:A', 'change 1']);
});

test('a session whose engine changes is logged out, closed and opened anew, after all permissions have changed', async () => {
  await apply(session('A'), session('B'));
  happened.length = 0;
  await apply(session('A', 2), session('B'));
  expect(happened).toEqual([
    ...['admission FIXP:B', 'change 2'],
    ...['log out FIXP:A', 'close FIXP:A', 'open FIXP:A as left'],
  ]);
  expect(register.get('FIXP:A')?.id).toBe(3);
});

test('all sessions that change are closed before one is opened, because a user may move between them', async () => {
  await apply(session('A'), session('B'));
  happened.length = 0;
  await apply(session('C'), session('A', 2), session('B', 2));
  const names = ['A', 'B'].map((name) => `FIXP:${name}`);
  expect(happened).toEqual([
    ...names.map((name) => `log out ${name}`),
    ...names.map((name) => `close ${name}`),
    'open FIXP:C as stored',
    ...names.map((name) => `open ${name} as left`),
  ]);
});

test('a session that is opened anew is never missing, however slow the store is', async () => {
  await apply(session('A'));
  const applied = apply(session('B'), session('A', 2));
  expect([register.get('FIXP:A')?.id, names()]).toEqual([1, [1]]);
  await applied;
  expect([register.get('FIXP:A')?.id, names()]).toEqual([3, [2, 3]]);
});

test('a session that cannot be opened anew is opened from the store by the next configuration', async () => {
  await apply(session('A'));
  isBroken = true;
  await expect(apply(session('A', 2))).rejects.toThrow('no place');
  expect([register.get('FIXP:A'), names()]).toEqual([undefined, []]);
  isBroken = false;
  happened.length = 0;
  await apply(session('A', 2));
  expect(happened).toEqual(['open FIXP:A as stored']);
});

test('if the state of a new session cannot be read, no session is logged out or changed', async () => {
  await apply(session('A'), session('B'));
  isUnreadable = true;
  happened.length = 0;
  await expect(apply(session('A', 2), session('B'), session('C'))).rejects.toThrow('cannot read');
  expect([happened, names()]).toEqual([[], [1, 2]]);
});

test('a session that is not configured any more is closed, and is among the clients no more', async () => {
  await apply(session('A'), session('B'));
  happened.length = 0;
  await apply(session('B'));
  expect(happened).toEqual(['admission FIXP:B', 'change 2', 'log out FIXP:A', 'close FIXP:A']);
  expect([register.get('FIXP:A'), names()]).toEqual([undefined, [2]]);
});
