/** What a campaign counts, over several runs and where one of them is killed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CampaignLedger } from './campaign-ledger.ts';
import { noCounts } from './stream-counts.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-campaign-'));
let made = 0;
const spent = { hours: 0.5, cpuHours: 0.25 };
const start = { commit: 'abc', actionsPerSeed: 10 };
const result = (seed: number, faults: readonly string[] = []) => ({
  ...{ seed, faults },
  counts: { ...noCounts(), actions: 10, commands: 7 },
});

afterAll(() => rmSync(folder, { recursive: true }));

test('runs are added up, and the next one goes on behind the last seed', () => {
  const file = join(folder, `${++made}`);
  const first = new CampaignLedger(file);
  expect(first.next).toBe(1);
  const run = first.begin({ ...start, from: first.next });
  for (const seed of [1, 2, 3]) run.add(result(seed), spent);
  const second = new CampaignLedger(file);
  expect(second.next).toBe(4);
  second.begin({ ...start, commit: 'def', from: 4 }).add(result(4), spent);
  expect(new CampaignLedger(file).summary()).toBe(
    '4 seeds, 40 actions in 28 commands, 0 reports; 0 orders and 0 fills at the venue, 0 restarts; 1 hours, 0.5 hours of CPU; 0 discrepancies',
  );
});

test('a seed that overtakes another counts when that is complete, so none counts twice after a kill', () => {
  const file = join(folder, `${++made}`);
  const run = new CampaignLedger(file).begin({ ...start, from: 5 });
  run.add(result(6), spent);
  expect(new CampaignLedger(file).next).toBe(5);
  run.add(result(5), spent);
  expect(new CampaignLedger(file).next).toBe(7);
  expect(new CampaignLedger(file).summary()).toContain('2 seeds, 20 actions');
});

test('a discrepancy stays in the ledger with its seed', () => {
  const file = join(folder, `${++made}`);
  const run = new CampaignLedger(file).begin({ ...start, from: 5 });
  run.add(result(5, ['a fill is missing']), spent);
  run.add(result(6), spent);
  const later = new CampaignLedger(file);
  expect([later.discrepancies, later.next]).toEqual([1, 7]);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"seed": 5,', '"seed": 5, "corrected": "abc",'));
  expect(new CampaignLedger(file).discrepancies).toBe(0);
});
