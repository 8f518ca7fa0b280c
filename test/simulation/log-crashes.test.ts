/** The log keeps what it acknowledged, whatever the disk loses (docs/decisions/0240-simulation.md). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LogCrashes } from './log-crashes.ts';

test('a log that is opened after any death has all that was acknowledged and no part of a commit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-crashes-'));
  const sums = { commits: 0, deaths: 0, failures: 0, losses: 0, lost: 0 };
  for (let seed = 1; seed <= 50; seed += 1) {
    const run = new LogCrashes(seed, join(folder, 'store.db'));
    await run.run(6);
    expect(run.fault, `seed ${seed}: ${run.plan.join(', ')}`).toBeUndefined();
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += run.counts[name];
  }
  rmSync(folder, { recursive: true });
  // A run that meets nothing proves nothing.
  expect(sums.commits).toBeGreaterThan(1_250);
  expect(sums.losses).toBeGreaterThan(60);
  for (const name of ['deaths', 'failures', 'lost'] as const) {
    expect(sums[name], name).toBeGreaterThan(12);
  }
}, 60_000);
