/** docs/CERTIFICATION.md is made from the scenario files: `npx vitest run test/docs -u` rewrites it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { families } from '../../src/certify/junit-report.ts';
import { type Direction, loadCatalogue, type Scenario } from '../../src/certify/scenario.ts';

const root = join(import.meta.dirname, '../..');
const { scenarios } = loadCatalogue(join(root, 'certification'));

const introduction = `# Certification: the scenarios

Generated from the files in \`certification/\`: change those, then run \`npx vitest run test/docs -u\`.

Each scenario demonstrates one rule, which applies to both sides of a connection unless it names one. \`causeway certify list
--interview FILE\` lists the scenarios that apply to a counterparty. [CERTIFICATION-GUIDE.md](CERTIFICATION-GUIDE.md) describes
how to run a certification, the possible outcomes, and how to write a scenario.

- **Mandatory** scenarios must be passed or waived. With a feature in brackets, this applies to
  counterparties that declare it in the interview.
- **Conditional** scenarios are mandatory for counterparties that declare the feature in brackets.
- **Optional** scenarios may fail; the certificate then lists them as failed.

A scenario runs against a server, to which the desk connects, or against a client, which connects to the desk. Letters after a
number are variants of one case; \`f\` is the same case over FIXP. If a server must be killed, reconfigured or reached at a second
address, the interview asks whether somebody there can do that. Scenarios that cannot be run are listed in the report and in the
certificate, and never count as passed.

The column "Source" gives the origin of a case: ISO is ISO 3531-3:2022 (FIX session test cases), QF the acceptance suite
of QuickFIX, AD Appendix D of the FIX 4.4 specification, P an issue of Parity Trading, KAL and BIN the FIX documentation of
Kalshi and Binance. Other names are exchanges, venues and engines whose certification guides or defects led to the case.
`;

const sides = [
  ['initiator', 'server'],
  ['acceptor', 'client'],
] as const;

function isPlayed({ plays }: Scenario, side: Direction): boolean {
  return (plays[side]?.steps.length ?? 0) > 0;
}

function rowOf(scenario: Scenario): string {
  const { id, title, level, when, rule, ref, source } = scenario;
  const played = sides.filter(([side]) => isPlayed(scenario, side)).map(([, name]) => name);
  const needs = when === undefined ? '' : ` [${when}]`;
  const cells = [id, `**${title}.** ${rule}.`, `${level}${needs}`, played.join(', '), ref, source];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function missing(scenario: Scenario): readonly string[] {
  return sides
    .filter(([side]) => !isPlayed(scenario, side))
    .map(([side, name]) => {
      const why = scenario.plays[side]?.notRun ?? 'the rule applies to the other side only';
      return `- ${scenario.id} does not run against a ${name}: ${why}.`;
    });
}

function chapter([letter, family]: readonly [string, string]): string {
  const own = scenarios.filter(({ id }) => id.startsWith(letter));
  const absent = own.flatMap(missing);
  return [
    `## ${letter}: ${family}`,
    '',
    '| Id | Rule | Level | Runs against | Reference | Source |',
    '|---|---|---|---|---|---|',
    ...own.map(rowOf),
    ...(absent.length > 0 ? ['', ...absent] : []),
    '',
  ].join('\n');
}

test('the catalogue in the documents is the one that is played', async () => {
  const text = [introduction, ...Object.entries(families).map(chapter)].join('\n');
  await expect(text).toMatchFileSnapshot(join(root, 'docs/CERTIFICATION.md'));
});

test('what is shown is a sentence of its own', () => {
  const unfinished = scenarios.filter(
    ({ title, rule }) => /[.,;:]$/.test(title) || /[.,;:]$/.test(rule) || !/^[A-Z0-9]/.test(rule),
  );
  expect(unfinished.map(({ id }) => id)).toEqual([]);
});
