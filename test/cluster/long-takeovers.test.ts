/** Where the long run says that the time of a takeover goes. */
import { expect, test } from 'vitest';
import { momentsIn, takeovers } from '../long/cluster/takeovers.ts';

const change = (shard: string, epoch: number, atMs: number) => {
  return { shard, epoch, atMs, position: 1, node: 'n1' };
};

test('a shard is taken with the first commit of an epoch, and served when a node says so after that', () => {
  const changes = [
    change('a', 1, 0),
    change('a', 1, 900),
    change('a', 2, 2_600),
    change('b', 2, 3_000),
    change('a', 2, 4_000),
  ];
  const served = [
    { shard: 'a', atMs: 100 },
    { shard: 'a', atMs: 2_900 },
    { shard: 'b', atMs: 3_500 },
  ];
  const faults = [
    { kind: 'kill', fromMs: 1_000, toMs: 5_000 },
    { kind: 'drain', fromMs: 6_000, toMs: 7_000 },
  ];
  expect(takeovers(faults, changes, served, [])).toEqual([
    { kind: 'kill', takenMs: [1_600, 2_000], servedMs: [1_900, 2_500], unservedMs: [] },
    { kind: 'drain', takenMs: [], servedMs: [], unservedMs: [] },
  ]);
});

test('a shard that was taken and never served has no time at which it was', () => {
  const faults = [{ kind: 'kill', fromMs: 1_000, toMs: 5_000 }];
  const [steps] = takeovers(faults, [change('a', 2, 2_000)], [{ shard: 'a', atMs: 1_500 }], []);
  expect(steps).toEqual({ kind: 'kill', takenMs: [1_000], servedMs: [], unservedMs: [] });
});

test('a shard is without a worker from the stop of one until the next one serves, in the order of the lengths', () => {
  const faults = [{ kind: 'drain', fromMs: 1_000, toMs: 5_000 }];
  const stopped = [
    { shard: 'a', atMs: 1_200 },
    { shard: 'b', atMs: 2_000 },
    { shard: 'b', atMs: 6_000 },
  ];
  const served = [
    { shard: 'a', atMs: 2_000 },
    { shard: 'b', atMs: 2_500 },
  ];
  expect(takeovers(faults, [], served, stopped)).toMatchObject([{ unservedMs: [500, 800] }]);
});

test('the log of a node names the shards that it serves and stops, with the time, and other lines say nothing', () => {
  const line = (event: string, text: string) =>
    `{"level":"info","time":"2026-11-24T00:00:01.500Z","event":"${event}","msg":"shard desk-a ${text}"}`;
  const serving = line('shard_serving', 'is served by process 7');
  const stopping = line('shard_stopping', 'accepts no more orders here');
  const log = ['no JSON', serving, stopping, '{"level":"info","event":"logged_on"}'].join('\n');
  const moment = { shard: 'desk-a', atMs: Date.parse('2026-11-24T00:00:01.500Z') };
  expect(momentsIn(log, 'shard_serving')).toEqual([moment]);
  expect(momentsIn(log, 'shard_stopping')).toEqual([moment]);
  expect(momentsIn(`${serving}\n${serving}`, 'shard_stopping')).toEqual([]);
});
