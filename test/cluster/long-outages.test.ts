/** Of what the long run counts as a time without trading. */
import { expect, test } from 'vitest';
import { outages, spansWithoutTrading } from '../long/cluster/outages.ts';

const accepted = (sentMs: number, acceptedMs: number) => ({ sentMs, acceptedMs });
const unanswered = (sentMs: number) => ({ sentMs, acceptedMs: undefined });

test('while every order is accepted at once, the time between two orders does not count', () => {
  const spans = spansWithoutTrading([accepted(0, 5), accepted(900, 907)], []);
  expect(spans).toEqual([
    { fromMs: 0, toMs: 5 },
    { fromMs: 900, toMs: 907 },
  ]);
});

test('a lost connection counts from its last bytes until an order is accepted that was sent afterwards', () => {
  const attempts = [accepted(0, 1_200), accepted(1_150, 1_250)];
  const spans = spansWithoutTrading(attempts.slice(1), [{ heardMs: 100, atMs: 1_100 }]);
  expect(spans).toEqual([{ fromMs: 100, toMs: 1_250 }]);
  // The report of an earlier order shows nothing.
  expect(spansWithoutTrading(attempts, [{ heardMs: 100, atMs: 1_100 }])).toEqual([
    { fromMs: 0, toMs: 1_250 },
  ]);
});

test('an order that was refused or lost counts until a later one is accepted', () => {
  const attempts = [unanswered(10), unanswered(400), accepted(700, 720), accepted(2_000, 2_001)];
  expect(spansWithoutTrading(attempts, [])).toEqual([
    { fromMs: 10, toMs: 720 },
    { fromMs: 2_000, toMs: 2_001 },
  ]);
});

test('what began before the fault counts from the fault on, and what never ended to its end', () => {
  const faults = [{ kind: 'kill', fromMs: 1_000, toMs: 4_000 }];
  const clients = [
    { session: 'A', shard: 's', spans: [{ fromMs: 500, toMs: 1_700 }] },
    { session: 'B', shard: 's', spans: spansWithoutTrading([unanswered(2_500)], []) },
    { session: 'C', shard: 't', spans: [{ fromMs: 4_500, toMs: 9_000 }] },
  ];
  expect(outages(faults, clients)).toEqual([
    { kind: 'kill', faults: 1, lengthsMs: [700, 1_500], byShardMs: [1_500] },
  ]);
});
