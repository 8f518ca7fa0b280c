/** The worker's side of acts for all shards; both sides together are in node-acts.test.ts. */
import { beforeEach, expect, test } from 'vitest';
import type { ForWorker } from '../../src/cluster/node-acts.ts';
import { WorkerActs } from '../../src/cluster/worker-acts.ts';
import type { ActMessage } from '../../src/cluster/worker-messages.ts';
import { ActRefused } from '../../src/gateway/operator/operator.ts';
import {
  type ActingOperator,
  type AskedForAll,
  SharedActs,
} from '../../src/gateway/operator/shared-acts.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { MemoryStore } from '../support/memory-store.ts';

const clock = new ManualClock();
let store: MemoryStore;
let sent: ActMessage[];
let calls: string[];
let worker: WorkerActs;

const operator: ActingOperator = {
  kills: [],
  kill: (_, scope) => {
    if (scope.kind !== 'all') throw new ActRefused('there is no such account');
    calls.push('kill');
    return 0;
  },
  release: () => {
    calls.push('release');
    return true;
  },
  setLimits: () => void calls.push('limits'),
};
const kill: AskedForAll = {
  ...{ uid: 'u1', node: 'n1', by: { who: 'ops', why: 'wrong prices' } },
  act: { kind: 'kill', scope: { kind: 'all' } },
};
const act = (id: number, asked = kill): ForWorker => ({
  kind: 'act',
  node: 'n2',
  numbered: { ...asked, id, atMs: 5 },
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  store = new MemoryStore();
  sent = [];
  calls = [];
  worker = new WorkerActs(clock, (message) => void sent.push(message));
});

/** Opens the shard with what its store has. */
async function opened() {
  const transactions = new Transactions(store, (error) => {
    throw error;
  });
  const sharedActs = await SharedActs.open(transactions);
  let isReady = false;
  const ready = worker.opened({ operator, sharedActs }).then(() => {
    isReady = true;
  });
  return { ready, isReady: () => isReady };
}

test('a shard is ready once the node has sent all acts that it has not recorded', async () => {
  const { isReady, ready } = await opened();
  expect(sent).toEqual([{ kind: 'opened', last: 0, done: [] }]);
  worker.take(act(1));
  await turn();
  expect(isReady()).toBe(false);
  worker.take({ kind: 'acts_sent' });
  await ready;
  expect(calls).toEqual(['kill']);
});

test('an act is carried out once, recorded with where and when, and reported', async () => {
  await opened();
  worker.take(act(3));
  worker.take(act(3));
  worker.take(act(2));
  await turn();
  expect(calls).toEqual(['kill']);
  const done = {
    numbered: { ...kill, id: 3, atMs: 5 },
    node: 'n2',
    atMs: Math.floor(clock.now().wallMs),
    isHere: true,
  };
  expect(sent.slice(1)).toMatchObject([{ kind: 'act_done', done }]);
  // The next worker of the shard begins with it.
  worker = new WorkerActs(clock, (message) => void sent.push(message));
  await opened();
  expect(sent.at(-1)).toMatchObject({ kind: 'opened', last: 3, done: [done] });
});

test('an act of an account of another shard is recorded as not of here', async () => {
  await opened();
  const scope = { kind: 'account', name: 'elsewhere' } as const;
  worker.take(act(1, { ...kill, act: { kind: 'kill', scope } }));
  await turn();
  expect(calls).toEqual([]);
  expect(sent.at(-1)).toMatchObject({ kind: 'act_done', done: { isHere: false } });
});

test('an act without a number holds at once, and is neither recorded nor reported', async () => {
  await opened();
  worker.take({ kind: 'act_at_once', asked: kill });
  await turn();
  expect(calls).toEqual(['kill']);
  expect(sent).toHaveLength(1);
  worker.take(act(1));
  await turn();
  expect(calls).toEqual(['kill', 'kill']);
});

test('before the shard is open nothing is carried out: the node sends it again', async () => {
  worker.take(act(1));
  worker.take({ kind: 'act_at_once', asked: kill });
  worker.take({ kind: 'acts_sent' });
  await turn();
  expect([calls, sent]).toEqual([[], []]);
});

test("the console of the shard asks through its node, and gets the node's answer", async () => {
  const view = worker.link.view();
  expect(sent).toEqual([{ kind: 'ask', number: 1, asked: { kind: 'view' } }]);
  const answer = { nodes: [], acts: [] } as never;
  worker.take({ kind: 'answer', number: 1, answer });
  expect(await view).toBe(answer);
});
