/** The log: the contract of every store, with segments of the usual size and with tiny ones, then what is its own. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { logFolder, openLogStore } from '../../../src/store/log/log-store.ts';
import { segmentNames } from '../../../src/store/log/owner.ts';
import { MemoryStore } from '../../../src/store/memory-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { storeContract } from '../contract.ts';
import { answersOf, WriteMaker } from './random-writes.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-log-'));
const paths = new Map<Store, string>();
let made = 0;
const newPath = () => join(folder, `${++made}.db`);
const small = { reserveBytes: 64 * 1024 };
const tiny = { segmentBytes: 2_000, blockBytes: 300, stateShare: 0 };

async function open(path = newPath(), more: object = {}): Promise<Store> {
  const store = await openLogStore({ path, durability: 'process', ...small, ...more });
  paths.set(store, path);
  return store;
}

afterAll(async () => {
  for (const store of paths.keys()) await store.close();
  rmSync(folder, { recursive: true });
});

describe('with segments of the usual size', () => {
  storeContract({ open: () => open(), reopen: (store) => open(paths.get(store)) });
});

describe('with tiny segments', () => {
  storeContract({
    open: () => open(newPath(), tiny),
    reopen: (store) => open(paths.get(store), tiny),
  });
});

const step = fc.oneof(
  { weight: 20, arbitrary: fc.array(fc.tuple(fc.nat(11), fc.nat(2_000)), { maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constant('close' as const) },
  { weight: 1, arbitrary: fc.constant('crash' as const) },
  { weight: 3, arbitrary: fc.constant('rest' as const) },
  { weight: 1, arbitrary: fc.constant('compare' as const) },
);
/** Long enough for what goes on beside the commits to come to something. */
const rest = async () => {
  for (let round = 0; round < 60; round += 1) await new Promise((resolve) => setImmediate(resolve));
};

test('whatever is written and however often it is opened, it answers as a store in memory does', async () => {
  const seen = { sealed: 0, carried: 0, gone: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 120, size: 'max' }),
      async (steps) => {
        const path = newPath();
        let store = await open(path, tiny);
        let told = Promise.resolve();
        const model = new MemoryStore();
        const maker = new WriteMaker();
        for (const each of steps) {
          if (each === 'rest') await rest();
          else if (each === 'compare')
            expect(await answersOf(store)).toEqual(await answersOf(model));
          else if (each === 'close' || each === 'crash') {
            await told;
            if (each === 'close') await store.close();
            store = await open(path, tiny);
          } else {
            const writes = each.map(([choice, size]) => maker.make(choice, size));
            told = store.commit(writes);
            await model.commit(writes);
            if (writes.length % 2 === 0) await told;
          }
        }
        expect(await answersOf(store)).toEqual(await answersOf(model));
        await store.close();
        const names = readdirSync(logFolder(path));
        if (names.some((name) => name.endsWith('.logz'))) seen.sealed += 1;
        const texts = names.map((name) => readFileSync(join(logFolder(path), name), 'latin1'));
        if (texts.some((text) => text.includes('{"kind":"carried"}'))) seen.carried += 1;
        const present = segmentNames(names).map(({ segment }) => segment);
        if (new Set(present).size < Math.max(...present)) seen.gone += 1;
      },
    ),
    { numRuns: 60 },
  );
  expect(seen.sealed).toBeGreaterThan(20);
  expect(seen.carried).toBeGreaterThan(5);
  expect(seen.gone).toBeGreaterThan(5);
}, 60_000);
