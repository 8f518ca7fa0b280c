/** Seeds that run in a thread, and what happens to one that ends its thread. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StreamRunner } from './stream-runner.ts';

test('a thread runs one seed after another, and its end is a fault of the seed that caused it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'causeway-runner-'));
  mkdirSync(join(root, 'test/simulation'), { recursive: true });
  const worker = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ seed }) => {
      if (seed === 3) process.exit(5);
      parentPort.postMessage({ seed, counts: {}, faults: [] });
    });`;
  writeFileSync(join(root, 'test/simulation/stream-worker.ts'), worker);
  const runner = new StreamRunner(root);
  const faults: unknown[] = [];
  for (const seed of [1, 2, 3, 4]) faults.push(await runner.run({ seed, actions: 1 }));
  await runner.close();
  rmSync(root, { recursive: true });
  expect(faults).toMatchObject([
    { seed: 1, faults: [] },
    { seed: 2, faults: [] },
    { seed: 3, faults: ['its thread ended: exit code 5'] },
    { seed: 4, faults: [] },
  ]);
});
