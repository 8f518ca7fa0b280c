/**
 * Whether the random legal streams find bugs that are planted into a copy of the source (test/simulation/planted-bugs.ts):
 * each within so many seeds, and the seed that finds it runs on the source as it is without a fault.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type PlantedBug, plant, plantedBugs } from '../simulation/planted-bugs.ts';
import { StreamRunner } from '../simulation/stream-runner.ts';
import type { LongRun } from './main.ts';

const root = resolve(import.meta.dirname, '../..');
const copied = ['src', 'test', 'dictionaries', 'certification', 'package.json', 'vitest.config.ts'];
const maxSeeds = 2_000;
const actionsOfRun = 800;
/** Those that CI looks for. */
const quick = ['open-orders', 'slot', 'timeout-is-refusal'];

export async function run({ short, seed }: LongRun): Promise<string> {
  const { PLANTED } = process.env as { PLANTED?: string };
  const only = PLANTED?.split(',');
  const bugs = plantedBugs.filter(({ name }) => (only ?? (short ? quick : [name])).includes(name));
  const folder = mkdtempSync(join(tmpdir(), 'causeway-planted-'));
  const lines: string[] = [];
  let lost = 0;
  try {
    for (const bug of bugs) {
      const copy = join(folder, bug.name);
      const found = await hunt(bug, copy, seed * 1_000_000);
      rmSync(copy, { recursive: true });
      if (found === undefined) lost += 1;
      lines.push(`  ${bug.name}, ${bug.what}: ${found ?? 'not found'}`);
      if (!short) process.stdout.write(`${lines.at(-1)}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  if (lost > 0) throw new Error(`${lost} planted bugs were not found\n${lines.join('\n')}`);
  return `${bugs.length} planted bugs were found\n${lines.join('\n')}`;
}

async function hunt(bug: PlantedBug, copy: string, first: number): Promise<string | undefined> {
  copySource(copy);
  const { test } = bug;
  if (test !== undefined && !passes(test, copy)) throw new Error(`${test} fails as it is`);
  const misplaced = plant(bug, join(copy, 'src'));
  if (misplaced !== undefined) throw new Error(misplaced);
  if (test === undefined) return bySeeds(copy, first);
  return passes(test, copy) ? undefined : `by ${test}`;
}

function passes(test: string, copy: string): boolean {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  return spawnSync(process.execPath, [vitest, 'run', test], { cwd: copy }).status === 0;
}

async function bySeeds(copy: string, first: number): Promise<string | undefined> {
  const startMs = performance.now();
  const planted = new StreamRunner(copy);
  try {
    for (let seed = first; seed < first + maxSeeds; seed += 1) {
      const [fault] = (await planted.run({ seed, actions: actionsOfRun })).faults;
      if (fault === undefined) continue;
      const seconds = (performance.now() - startMs) / 1_000;
      await isSound(seed);
      return `by seed ${seed} after ${seconds.toFixed(1)} s: ${fault.split('\n')[0]}`;
    }
    return undefined;
  } finally {
    await planted.close();
  }
}

/** What a seed finds must be the planted bug, and no other. */
async function isSound(seed: number): Promise<void> {
  const own = new StreamRunner(root);
  const { faults } = await own.run({ seed, actions: actionsOfRun });
  await own.close();
  if (faults.length > 0) throw new Error(`seed ${seed} fails without a planted bug: ${faults[0]}`);
}

function copySource(copy: string): void {
  for (const part of copied) {
    cpSync(join(root, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}
