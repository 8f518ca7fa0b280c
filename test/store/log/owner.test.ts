/** Who owns a log: one opening after the other, each with all that the one before it has told. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { realDisk } from '../../../src/store/log/disk.ts';
import { segmentNames, takeOver } from '../../../src/store/log/owner.ts';
import { recover } from '../../../src/store/log/recover.ts';
import { PositionConflict } from '../../../src/store/store.ts';
import type { OwnerWord } from './racing-owner.ts';

const directory = mkdtempSync(join(tmpdir(), 'causeway-owner-'));
let made = 0;
afterAll(() => rmSync(directory, { recursive: true }));

function newFolder(): string {
  const folder = join(directory, `${++made}`);
  realDisk.makeDirectory(folder);
  return folder;
}

test('each opening has a number of its own, above that of every token and segment', () => {
  const folder = newFolder();
  const first = takeOver(realDisk, folder);
  const second = takeOver(realDisk, folder);
  expect([first.opening, second.opening]).toEqual([1, 2]);
  second.giveUp();
  writeFileSync(join(folder, '12-7.logz'), '');
  expect(takeOver(realDisk, folder).opening).toBe(8);
});

test('an owner is one until the next opening, however long it slept', () => {
  const folder = newFolder();
  const first = takeOver(realDisk, folder);
  expect(first.conflict).toBeUndefined();
  const second = takeOver(realDisk, folder);
  expect(first.conflict).toBeInstanceOf(PositionConflict);
  const third = takeOver(realDisk, folder);
  for (const { conflict } of [first, second]) expect(conflict).toBeInstanceOf(PositionConflict);
  third.giveUp();
  expect([existsSync(join(folder, 'owner-3')), readdirSync(folder)]).toEqual([false, []]);
});

test('segments come in the order in which they count: the last of the last opening first', () => {
  const names = ['3-1.log', '2-1.logz', '3-2.log', '10-2.log', '3-1.log.new', 'owner-2', 'x'];
  expect(segmentNames(names).map(({ name }) => name)).toEqual([
    '10-2.log',
    '3-2.log',
    '3-1.log',
    '2-1.logz',
  ]);
});

test('all that an owner has told before it was taken over is read by who takes over', async () => {
  for (let race = 0; race < 5; race += 1) {
    const folder = newFolder();
    const worker = new Worker(new URL('racing-owner.ts', import.meta.url), { workerData: folder });
    const next = () => new Promise<OwnerWord>((resolve) => worker.once('message', resolve));
    const begun = await next();
    const over = next();
    takeOver(realDisk, folder);
    const { index, segments } = recover(realDisk, folder);
    const taken = await over;
    expect(begun).toEqual({ told: 100, problem: null });
    expect(taken.problem).toContain('another owner');
    expect(index.end('a')).toBeGreaterThanOrEqual(taken.told);
    segments.close();
    await worker.terminate();
  }
});
