/** Workers that die at once: how often they are started again, and which are not. */
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type KeeperOptions, ShardKeeper } from '../../src/cluster/shard-keeper.ts';
import { Spares } from '../../src/cluster/spares.ts';
import { type FromWorker, fencedExitCode } from '../../src/cluster/worker-messages.ts';
import type { WorkerProcess } from '../../src/cluster/worker-process.ts';
import { ActRefused } from '../../src/gateway/operator/operator.ts';
import { PasswordProofs } from '../../src/gateway/passwords/password-proofs.ts';
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

/** A worker that says what the test says, and ends when it is asked to or the test ends it. */
function heldWorker() {
  const sent: object[] = [];
  let tell = (_: FromWorker) => {};
  const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
  const worker = {
    ended,
    onMessage: (handle: typeof tell) => {
      tell = handle;
    },
    send(message: object) {
      sent.push(message);
      if ('kind' in message && message.kind === 'stop') end(undefined);
    },
  };
  const take = () => worker as never as WorkerProcess;
  return {
    sent,
    spares: { ended: () => {}, serving: () => {}, take },
    tell: (message: FromWorker) => tell(message),
    end: () => end(undefined),
  };
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

test('a worker that died before it served is told from one that had served, because then other nodes come first', async () => {
  const worker = heldWorker();
  keep(1, { spares: worker.spares, changed: () => {} });
  worker.tell({ kind: 'took', epoch: 7 });
  worker.end();
  await until(() => keeper.ownWorker?.state === 'failed');
  expect(keeper.ownWorker).toEqual({ state: 'failed', epoch: 7 });
  const served = heldWorker();
  keep(1, { spares: served.spares, changed: () => {} });
  served.tell({ kind: 'took', epoch: 8 });
  const doors = { fix: '', fixp: '' };
  served.tell({ kind: 'serving', doors, consoleUrl: undefined });
  served.end();
  await until(() => keeper.ownWorker?.state === 'over');
});

test('an act that the node refuses is answered with the reason', async () => {
  const worker = heldWorker();
  keep(1, {
    spares: worker.spares,
    answer: () => Promise.reject(new ActRefused('by.why: too long')),
  });
  const [by, scope] = [{ who: 'ann', why: 'wrong prices' }, { kind: 'all' }] as const;
  const asked = { kind: 'carry_out', by, act: { kind: 'kill', scope } } as const;
  worker.tell({ kind: 'ask', number: 7, asked });
  await until(() => worker.sent.length === 2);
  expect(worker.sent[1]).toEqual({
    kind: 'answer',
    number: 7,
    answer: { refused: 'by.why: too long' },
  });
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
