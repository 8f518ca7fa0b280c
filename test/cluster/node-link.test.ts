/** What a worker asks its node, and what it says if the node does not answer. */
import { expect, test } from 'vitest';
import { type AskMessage, NodeLink } from '../../src/cluster/node-link.ts';
import type { ActReport, ClusterView } from '../../src/gateway/operator/cluster-link.ts';
import { ActRefused } from '../../src/gateway/operator/operator.ts';
import { ManualClock } from '../../src/runtime/clock.ts';

const by = { who: 'ops', why: 'wrong prices' };
const act = { kind: 'kill', scope: { kind: 'all' } } as const;

function setup() {
  const clock = new ManualClock();
  const asked: AskMessage[] = [];
  const link = new NodeLink(clock, (message) => void asked.push(message));
  return { asked, clock, link };
}

test('each question gets its own answer, in whichever order they come', async () => {
  const { asked, link } = setup();
  const [report, view] = [link.carryOut(by, act), link.view()];
  expect(asked.map((message) => message.asked)).toEqual([
    { kind: 'carry_out', by, act },
    { kind: 'view' },
  ]);
  const [first = 0, second = 0] = asked.map(({ number }) => number);
  link.answered({ kind: 'answer', number: second, answer: { node: 'n1' } as ClusterView });
  link.answered({ kind: 'answer', number: first, answer: { id: 7 } as ActReport });
  expect(await report).toEqual({ id: 7 });
  expect(await view).toEqual({ node: 'n1' });
});

test('a node that does not answer in six seconds leaves an act unknown, and says no more about a view', async () => {
  const { asked, clock, link } = setup();
  const outcomes = [link.carryOut(by, act), link.view()].map((answer) =>
    answer.catch((error: Error) => error.message),
  );
  clock.advance(5_999);
  link.answered({ kind: 'answer', number: asked[1]?.number ?? 0, answer: {} as ClusterView });
  clock.advance(1);
  expect(await Promise.all(outcomes)).toEqual([
    'the node does not answer: whether the act was carried out is unknown',
    {},
  ]);
  const late = link.view().catch((error: Error) => error.message);
  clock.advance(6_000);
  expect(await late).toMatch(/not answer/);
});

test('an answer that comes too late, or to a question that nobody asked, changes nothing', async () => {
  const { asked, clock, link } = setup();
  const first = link.view().catch((error: Error) => error.message);
  clock.advance(6_000);
  const second = link.view();
  for (const number of [asked[0]?.number ?? 0, 99]) {
    link.answered({ kind: 'answer', number, answer: { node: 'late' } as ClusterView });
  }
  link.answered({ kind: 'answer', number: asked[1]?.number ?? 0, answer: {} as ClusterView });
  expect([await first, await second]).toEqual([expect.stringMatching(/not answer/), {}]);
});

test('an act that the node refuses is refused with its text', async () => {
  const { asked, link } = setup();
  const outcome = link.carryOut(by, act).catch((error: Error) => error);
  const number = asked[0]?.number ?? 0;
  link.answered({ kind: 'answer', number, answer: { refused: 'by.why: too long' } });
  expect(await outcome).toEqual(new ActRefused('by.why: too long'));
});
