import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { compare, comparisonText } from '../../src/certify/comparison.ts';
import { htmlReport } from '../../src/certify/html-report.ts';
import { junitReport } from '../../src/certify/junit-report.ts';
import { runRecord, scenarioRecord } from './records.ts';

const run = runRecord([
  scenarioRecord('S-01', 'passed'),
  scenarioRecord('S-02', 'failed'),
  scenarioRecord('O-01', 'inconclusive'),
  scenarioRecord('O-02', 'notRun'),
]);

test('JUnit: failures, errors and skips are what they are', () => {
  const xml = junitReport(run);
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  expect(xml).toContain('tests="4" failures="1" errors="1"');
  expect(xml.match(/<failure|<error |<skipped/g)).toEqual(['<failure', '<error ', '<skipped']);
});

test('HTML: one file without script or outside resource, and what a counterparty says is only text', () => {
  const html = htmlReport(run, runRecord([scenarioRecord('S-01', 'failed')], '0.9'));
  expect(html).not.toMatch(/<script|src=|https?:|@import|url\(/);
  expect(html).toContain('&lt;script&gt;alert(1)');
  expect(html).toContain('Example &amp; Sons');
  expect(html).toContain('3 required scenarios are not shown');
  expect(html).toContain('0.9 → 1.0');
  for (const { id } of run.scenarios) expect(html).toContain(`id="${id}"`);
});

test('HTML: every variable that the style uses is defined in it', () => {
  const html = htmlReport(run);
  const used = [...html.matchAll(/var\((--\w+)\)/g)].map(([, name]) => name);
  expect(used).toContain('--desk');
  for (const name of used) expect(html).toContain(`${name}:`);
});

test('the time in the report is that of all attempts, not of the last call of the program', () => {
  const [attempt] = scenarioRecord('S-01', 'passed').attempts;
  if (attempt === undefined) throw new Error('unreachable');
  const longer = { ...attempt, startedMs: 0, endedMs: 40_000 };
  const played = ['S-01', 'S-02'].map((id) =>
    scenarioRecord(id, 'passed', { attempts: [longer, longer] }),
  );
  const html = htmlReport({ ...runRecord(played), startedMs: 0, endedMs: 2_000 });
  expect(html).toContain('<b>3 min</b><span class="dim">of playing</span>');
  expect(html).toContain('<b>4</b><span class="dim">attempts</span>');
});

test('a comparison tells what has changed, and nothing else', () => {
  const before = runRecord([scenarioRecord('S-01', 'failed'), scenarioRecord('S-09', 'passed')]);
  expect(comparisonText(compare(before, before))).toBe('nothing has changed');
  expect(
    compare(before, run).changes.map(({ id, before: then, after }) => `${id} ${then} ${after}`),
  ).toEqual([
    'S-01 failed passed',
    'S-09 passed absent',
    'S-02 absent failed',
    'O-01 absent inconclusive',
    'O-02 absent notRun',
  ]);
});
