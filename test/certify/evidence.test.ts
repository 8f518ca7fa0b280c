/** What the attempts of a scenario come to. */
import { expect, test } from 'vitest';
import { Evidence } from '../../src/certify/evidence.ts';
import { htmlReport } from '../../src/certify/html-report.ts';
import type { Outcome } from '../../src/certify/record.ts';
import { addRecords, scenarioRecord, subjectAt } from './records.ts';

function played(...outcomes: readonly Outcome[]) {
  const attempts = outcomes.flatMap((outcome) => scenarioRecord('S-10', outcome).attempts);
  const scenario = scenarioRecord('S-10', 'passed', { attempts });
  return addRecords(new Evidence(subjectAt('1.0')), [scenario]);
}

test.each([
  ['passed', ['failed', 'passed']],
  ['failed', ['passed', 'failed']],
  ['passed', ['passed', 'inconclusive']],
  ['failed', ['passed', 'failed', 'inconclusive']],
  ['inconclusive', ['inconclusive', 'inconclusive']],
  ['passed', ['failed', 'passed', ...Array<Outcome>(30).fill('inconclusive')]],
] as const)('%s is the result of the attempts %j', (outcome, attempts) => {
  expect(played(...attempts).scenario('S-10').outcome).toBe(outcome);
});

test('the report shows the attempt that counts, and lists the others', () => {
  const { run } = played('passed', 'inconclusive');
  const html = htmlReport(run);
  expect(html).toContain('<b>1</b><span class="dim">passed</span>');
  expect(html).toMatch(/Other tries: 1<.*inconclusive/s);
});

test('evidence whose scenario has an id that is none is refused, so that no report contains it', () => {
  const lines: string[] = [];
  const from = new Evidence(subjectAt('1.0'), (line) => lines.push(line));
  addRecords(from, [scenarioRecord('S-10"><script>alert(1)</script>', 'passed')]);
  const to = new Evidence(subjectAt('1.0'));
  expect(() => to.take(lines.join(''))).toThrow('line 1 is not a whole record');
});
