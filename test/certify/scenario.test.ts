import { join } from 'node:path';
import { expect, test } from 'vitest';
import { featureNames } from '../../src/certify/interview.ts';
import { loadCatalogue, needsHand, readScenario } from '../../src/certify/scenario.ts';

const { scenarios } = loadCatalogue(join(import.meta.dirname, '../../certification'));
const head = 'id: S-10\ntitle: T\nlevel: mandatory\nsource: S\nrule: R\nref: F\n';

test('every row of the catalogue has its file', () => {
  const counts = { S: 45, O: 23, X: 18, R: 18, Q: 6, V: 10, D: 15, P: 21 };
  for (const [letter, count] of Object.entries(counts)) {
    const ids = new Set(
      scenarios.filter(({ id }) => id.startsWith(letter)).map(({ id }) => id.slice(0, 4)),
    );
    expect(ids.size, letter).toBe(count);
  }
});

test('a condition is a feature of the interview', () => {
  for (const { id, when, plays } of scenarios) {
    for (const feature of [when, plays.acceptor?.when, plays.initiator?.when]) {
      if (feature !== undefined) expect(featureNames, id).toContain(feature);
    }
  }
});

test('one direction may differ in level, and in why it is not run', () => {
  const steps = 'both:\n  steps:\n    - logon\n    - peer: 0\n';
  const { plays } = readScenario(`${head}${steps}acceptor:\n  notRun: because\n`, 'x.yaml');
  expect(plays.acceptor).toMatchObject({ notRun: 'because', steps: [] });
  expect(plays.initiator?.steps.map(({ verb, text }) => [verb, text])).toEqual([
    ['logon', ''],
    ['peer', '0'],
  ]);
});

test.each([
  ['both:\n  steps:\n    - desk: order|11\n', /x\.yaml:9:7 .*must begin with a MsgType/],
  ['both:\n  steps:\n    - desk: D|11=a\n      peer: "8"\n', /a step has one of/],
  ['both:\n  steps:\n    - peer: Establish\n', /"Establish" is not a message of fix/],
  ['both: {}\n', /needs either steps or notRun/],
  ['both:\n  steps:\n    - logoff\n', /"logoff" is not a step without a text/],
])('a wrong file is refused with its place: %j', (rest, message) => {
  expect(() => readScenario(head + rest, 'x.yaml')).toThrow(message);
});

test('who must act depends on what we are', () => {
  const steps = [{ verb: 'client', text: 'D|11=a' }] as const;
  expect(needsHand({ setup: 'bridge', steps }, 'acceptor')).toBe(true);
  expect(needsHand({ setup: 'bridge', steps }, 'initiator')).toBe(false);
});
