import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LineOutput } from '../../src/runtime/standard-output.ts';
import { fillDisk, hasRoomAgain } from '../signer/full-disk.ts';

const source = join(import.meta.dirname, '../../src');
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-output-'));
  file = join(folder, 'log');
});
afterEach(() => {
  hasRoomAgain();
  rmSync(folder, { recursive: true });
});

const text = () => readFileSync(file, 'utf8');

test('lines are written in their order, and those that come while it writes go together', async () => {
  const descriptor = openSync(file, 'w');
  const output = new LineOutput(descriptor);
  for (let line = 1; line <= 100; line += 1) output.write(`${line}\n`);
  await vi.waitFor(() => expect(text().split('\n')).toHaveLength(101));
  output.write('written in the background\n');
  output.write('the last\n');
  output.writeNow();
  await vi.waitFor(() => expect(text()).toContain('background'));
  expect(text()).toContain('the last\n');
  closeSync(descriptor);
});

test('what a full disk does not take is lost, and the next line is whole once there is room', async () => {
  const descriptor = openSync(file, 'w');
  const output = new LineOutput(descriptor);
  fillDisk(10);
  output.write('too long for it\n');
  await vi.waitFor(() => expect(text()).toBe('too long f'));
  output.write('no room for this one either\n');
  output.writeNow();
  hasRoomAgain();
  await vi.waitFor(() => {
    output.write('again\n');
    // The rest of the first line was tried again at some moment.
    expect(text()).toMatch(/^too long f(or it)?\nagain\n/);
  });
  closeSync(descriptor);
});

test('a process whose log is on a full disk goes on, and ends with its own exit code', () => {
  const use = `
    import { createLog } from '${source}/runtime/log.ts';
    const log = createLog({ level: 'info' });
    for (let line = 0; line < 100; line += 1) log.info('a line of the log that has no room');
    setTimeout(() => {
      log.error('cannot go on');
      log.error('and why');
      process.exit(4);
    }, 50);`;
  const run = ['-c', 'ulimit -f 1; exec "$@" > "$0"', file, process.execPath, '-e', use];
  const { status, stderr } = spawnSync('bash', run, { encoding: 'utf8', timeout: 20_000 });
  expect([status, stderr]).toEqual([4, '']);
  expect(text().length).toBe(1024);
});

test('a line is written before the call returns, so nothing that ends the process takes it away', () => {
  const descriptor = openSync(file, 'w');
  const output = new LineOutput(descriptor);
  output.write('an alarm\n');
  expect(text()).toBe('an alarm\n');
  output.write('the reason\n');
  expect(text()).toBe('an alarm\nthe reason\n');
  closeSync(descriptor);
});
