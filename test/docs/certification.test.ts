/** docs/CERTIFICATION.md is made from the scenario files: `npx vitest run test/docs -u` writes it anew. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { families } from '../../src/certify/junit-report.ts';
import { type Direction, loadCatalogue, type Scenario } from '../../src/certify/scenario.ts';

const root = join(import.meta.dirname, '../..');
const { scenarios } = loadCatalogue(join(root, 'certification'));

const introduction = `# Certification: the scenarios

Made from the files in \`certification/\`: change those, then \`npx vitest run test/docs -u\`.

Each scenario shows one rule. The rule holds for both sides of a connection unless it names one. \`causeway certify list
--interview FILE\` lists the scenarios that a counterparty's answers select. How a certification is run, what its outcomes
mean, and how a scenario is written is in [CERTIFICATION-GUIDE.md](CERTIFICATION-GUIDE.md).

- **Mandatory** scenarios must be passed or waived. If a feature stands in brackets, this holds for counterparties that
  declare it in the interview.
- **Conditional** scenarios are mandatory for counterparties that declare the feature in brackets.
- **Optional** scenarios may fail; the certificate then lists them as failed.

A scenario is played against a server, which the desk calls, or a client, which calls the desk. Letters after a number are
variants of one case; \`f\` is the same case over FIXP. Where a server must be killed, configured anew or reached at a second
address, the interview asks whether somebody there can do that. What cannot be played is listed in the report and in the
certificate, and is never claimed to be passed.

Where a case comes from is in the column "Source": ISO is ISO 3531-3:2022 (FIX session test cases), QF the acceptance suite
of QuickFIX, AD Appendix D of the FIX 4.4 specification, P an issue of Parity Trading, KAL and BIN the FIX documentation of
Kalshi and Binance. Other names are exchanges, venues and engines whose certification guides or defects gave the case.
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
      const why = scenario.plays[side]?.notRun ?? 'the rule is of the other side alone';
      return `- ${scenario.id} is not played against a ${name}: ${why}.`;
    });
}

function chapter([letter, family]: readonly [string, string]): string {
  const own = scenarios.filter(({ id }) => id.startsWith(letter));
  const absent = own.flatMap(missing);
  return [
    `## ${letter}: ${family}`,
    '',
    '| Id | What is shown | Level | Played against | Reference | Source |',
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
