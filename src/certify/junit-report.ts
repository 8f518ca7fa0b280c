/** The run as JUnit XML, for a counterparty's CI: one suite for each family, one case for each scenario. */
import { escaped } from '../runtime/xml-tree.ts';
import {
  countingAttempt,
  countOutcomes,
  type RunRecord,
  type ScenarioRecord,
  sentence,
  verdictsOf,
} from './record.ts';

export const families: Readonly<Record<string, string>> = {
  S: 'Session',
  O: 'Orders',
  X: 'Cancel and replace',
  R: 'Refusals and limits',
  Q: 'Status',
  V: 'Recovery',
  D: 'Drop copy',
  P: 'FIXP',
};

/** Returns each family that has scenarios, with its scenarios. */
export function byFamily(scenarios: readonly ScenarioRecord[]) {
  return Object.entries(families)
    .map(([letter, family]) => ({ family, own: scenarios.filter(({ id }) => id[0] === letter) }))
    .filter(({ own }) => own.length > 0);
}

export function junitReport({ identity, scenarios, direction }: RunRecord): string {
  const name = `${identity.name} ${identity.software} ${identity.version} (${direction})`;
  const suites = byFamily(scenarios).map(({ family, own }) => suite(family, own));
  const { failed, inconclusive } = countOutcomes(scenarios);
  const counts = `tests="${scenarios.length}" failures="${failed}" errors="${inconclusive}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escaped(name)}" ${counts}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(family: string, scenarios: readonly ScenarioRecord[]): string {
  const { failed, inconclusive, notRun, waived } = countOutcomes(scenarios);
  const counts = `tests="${scenarios.length}" failures="${failed}" errors="${inconclusive}" skipped="${notRun + waived}"`;
  return [
    `  <testsuite name="${escaped(family)}" ${counts}>`,
    ...scenarios.map(testCase),
    '  </testsuite>',
  ].join('\n');
}

function testCase(scenario: ScenarioRecord): string {
  const { id, title, outcome, reason, level, attempts } = scenario;
  const counting = countingAttempt(attempts);
  const seconds = ((counting?.endedMs ?? 0) - (counting?.startedMs ?? 0)) / 1000;
  const name = escaped(`${id} ${title}`);
  const open = `    <testcase classname="${escaped(level)}" name="${name}" time="${seconds.toFixed(3)}"`;
  if (outcome === 'passed') return `${open}/>`;
  if (outcome === 'notRun' || outcome === 'waived') {
    return `${open}><skipped message="${escaped(reason)}"/></testcase>`;
  }
  const broken = verdictsOf(scenario)
    .filter(({ isMet }) => !isMet)
    .map((one) => `${sentence(one)}. ${one.rule} (${one.ref})`);
  const element = outcome === 'failed' ? 'failure' : 'error';
  const text = escaped(broken.join('\n'));
  return `${open}><${element} message="${escaped(reason)}">${text}</${element}></testcase>`;
}
