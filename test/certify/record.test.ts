import { expect, test } from 'vitest';
import {
  type Attempt,
  attemptShape,
  countingAttempt,
  countOutcomes,
  type Outcome,
  outcomes,
  sentence,
  subjectOf,
  verdictsOf,
} from '../../src/certify/record.ts';
import { runRecord, scenarioRecord } from './records.ts';

function attempts(...list: Outcome[]): Attempt[] {
  return list.map((outcome, startedMs) => {
    const [attempt] = scenarioRecord('A', outcome === 'notRun' ? 'failed' : outcome).attempts;
    if (attempt === undefined) throw new Error('no attempt');
    return { ...attempt, outcome, startedMs };
  });
}

test.each<[Outcome[], number | undefined]>([
  [[], undefined],
  [['passed'], 0],
  [['passed', 'failed'], 1],
  [['failed', 'passed', 'inconclusive'], 1],
  [['passed', 'inconclusive', 'inconclusive'], 0],
  [['inconclusive', 'inconclusive'], 1],
])(
  'of the attempts %j number %j counts: an inconclusive one replaces no verdict',
  (list, counting) => {
    expect(countingAttempt(attempts(...list))?.startedMs).toBe(counting);
  },
);

test('the verdicts are those of the attempt that counts, over all its messages', () => {
  const scenario = scenarioRecord('A', 'failed');
  const [failed, unclear] = attempts('failed', 'inconclusive');
  const [rung] = failed?.ladder ?? [];
  if (failed === undefined || unclear === undefined || rung === undefined) throw new Error('none');
  const ladder = [rung, { ...rung, verdicts: [] }, rung];
  const found = verdictsOf({ ...scenario, attempts: [{ ...failed, ladder }, unclear] });
  expect(found).toEqual([...rung.verdicts, ...rung.verdicts]);
  expect(verdictsOf({ ...scenario, attempts: [] })).toEqual([]);
});

test('each outcome is counted, and those that did not occur are 0', () => {
  const all = [...outcomes, 'failed' as const].map((outcome) => scenarioRecord('A', outcome));
  expect(countOutcomes(all)).toEqual({
    passed: 1,
    failed: 2,
    inconclusive: 1,
    notRun: 1,
    waived: 1,
  });
  expect(countOutcomes([])).toEqual({
    passed: 0,
    failed: 0,
    inconclusive: 0,
    notRun: 0,
    waived: 0,
  });
});

test('the subject of a run is what its attempts count for, and nothing else of it', () => {
  const run = runRecord([scenarioRecord('A', 'passed')]);
  expect(Object.keys(subjectOf(run)).sort()).toEqual([
    ...['catalogueHash', 'dictionaryHash', 'direction', 'identity'],
    ...['protocol', 'rulesHash', 'signer'],
  ]);
  const later = { ...run, causeway: '9.9.9', features: [], endedMs: 1, scenarios: [] };
  expect(subjectOf(later)).toEqual(subjectOf(run));
  expect(subjectOf(runRecord([], '2.0'))).not.toEqual(subjectOf(run));
});

test('an attempt is taken from a file only if nothing in it is missing, unknown or no base64', () => {
  const [attempt] = attempts('passed');
  const accepts = (change: object) => attemptShape.safeParse({ ...attempt, ...change }).success;
  const [rung] = attempt?.ladder ?? [];
  expect([accepts({}), accepts({ numbers: { nextOut: 1, isDoubtful: false } })]).toEqual([
    true,
    true,
  ]);
  const wrong = [
    { more: 1 },
    { reason: undefined },
    { outcome: 'good' },
    { numbers: undefined },
    { numbers: { nextOut: 1 } },
    { ladder: [{ ...rung, raw: '<script>' }] },
    { ladder: [{ ...rung, from: 'nobody' }] },
  ];
  expect(wrong.map(accepts)).toEqual(wrong.map(() => false));
});

test('a verdict is a sentence', () => {
  expect(sentence({ name: 'Text(58)', wanted: 'a', got: 'b' })).toBe('Text(58): wanted a, got b');
});
