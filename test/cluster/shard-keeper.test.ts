/** Workers that die at once: how often they are started again, and which are not. */
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type KeeperOptions, ShardKeeper } from '../../src/cluster/shard-keeper.ts';
import { Spares } from '../../src/cluster/spares.ts';
import { type FromWorker, fencedExitCode } from '../../src/cluster/worker-messages.ts';
import type { WorkerProcess } from '../../src/cluster/worker-process.ts';
import { ActRefused } from '../../src/gateway/operator.ts';
import { PasswordProofs } from '../../src/gateway/password-proofs.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { until } from '../support/waits.ts';
import { TestNode } from './acting-shard.ts';

const program = { arguments: [join(import.meta.dirname, 'broken-worker.ts')] } as const;
const clock = new ManualClock();
const alive = { kind: 'alive' } as const;
const spares = new Spares({ program, clock, prepare: alive, ahead: () => alive, alarm: () => {} });
let keeper: ShardKeeper;

afterEach(async () => {
  await keeper.stop();
  await spares.close();
});

function keep(exitCode: number, options: Partial<KeeperOptions> = {}): string[] {
  const alarms: string[] = [];
  const name = String(exitCode);
  keeper = new ShardKeeper({
    shard: { name, accounts: [], sessions: [] },
    own: { kind: 'own', clusterFile: '', node: 'n1', shard: name },
    ...{ spares, clock, stopWithinMs: 1_000, notice: () => {}, offended: () => {} },
    acts: new TestNode('n1', [name]).acts,
    ...{ proofs: new PasswordProofs(), proved: () => {} },
    answer: () => Promise.reject(new Error('nobody asks')),
    alarm: (text) => void alarms.push(text),
    ...options,
  });
  keeper.start();
  return alarms;
}

test('a worker that dies again and again is started again after waits that double', async () => {
  const alarms = keep(1);
  for (const [at, waitMs] of [0, 100, 200].entries()) {
    await until(() => alarms.length === at + 1);
    expect(alarms[at]).toBe(
      `the worker of shard 1 has ended with exit code 1: it is started again in ${waitMs} ms`,
    );
    expect(keeper.pid).toBeUndefined();
    clock.advance(waitMs);
    expect(keeper.pid).toBeGreaterThan(0);
  }
  await until(() => alarms.length === 4);
  await keeper.stop();
  clock.advance(10_000);
  expect(keeper).toMatchObject({ state: 'stopped', pid: undefined, restarts: 4 });
});

test.each([
  [fencedExitCode, 'lost', /another process has taken over its data/],
  [4, 'damaged', /a stored record is damaged/],
])(
  'a worker that exits with %i is not started again before an operator asks for it',
  async (code, state, text) => {
    const alarms = keep(code);
    await until(() => keeper.state === state);
    expect(alarms[0]).toMatch(text);
    clock.advance(60_000);
    expect(keeper).toMatchObject({ state, pid: undefined, restarts: 0 });
    keeper.reload();
    expect(keeper.pid).toBeGreaterThan(0);
    await until(() => alarms.length === 2);
  },
);

test('an act that the node refuses is answered with the reason', async () => {
  const sent: object[] = [];
  let tell = (_: FromWorker) => {};
  let end = () => {};
  const worker = {
    ended: new Promise<void>((resolve) => {
      end = resolve;
    }),
    onMessage: (handle: typeof tell) => {
      tell = handle;
    },
    send(message: object) {
      sent.push(message);
      if ('kind' in message && message.kind === 'stop') end();
    },
  };
  keep(1, {
    spares: { ended: () => {}, serving: () => {}, take: () => worker as never as WorkerProcess },
    answer: () => Promise.reject(new ActRefused('by.why: too long')),
  });
  const [by, scope] = [{ who: 'ann', why: 'wrong prices' }, { kind: 'all' }] as const;
  const asked = { kind: 'carry_out', by, act: { kind: 'kill', scope } } as const;
  tell({ kind: 'ask', number: 7, asked });
  await until(() => sent.length === 2);
  expect(sent[1]).toEqual({ kind: 'answer', number: 7, answer: { refused: 'by.why: too long' } });
});

test('a worker that is stopped twice, by a drain and by a signal, ends both, and is told once', async () => {
  const file = join(import.meta.dirname, 'reserve-worker.ts');
  const silent = { arguments: [file, 'silent'] } as const;
  const notices: string[] = [];
  const hanging = new Spares({
    ...{ program: silent, clock, prepare: alive, ahead: () => alive, alarm: () => {} },
  });
  keep(1, { spares: hanging, notice: (text) => void notices.push(text) });
  const stops = [keeper.stop(), keeper.stop()];
  clock.advance(1_000);
  await Promise.all(stops);
  expect(keeper).toMatchObject({ state: 'stopped', pid: undefined });
  expect(notices).toEqual(['shard 1 accepts no more orders here']);
  await hanging.close();
});
