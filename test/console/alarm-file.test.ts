/** Alarms across restarts, on a real disk. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AlarmFile } from '../../src/console/alarm-file.ts';
import { AlarmList } from '../../src/console/alarm-list.ts';
import { ManualClock } from '../../src/runtime/clock.ts';

let directory: string;
let problems: string[];
const clock = new ManualClock();

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'causeway-alarms-'));
  problems = [];
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function opened(name = 'alarms.json') {
  const file = new AlarmFile(join(directory, name), clock, (text) => problems.push(text));
  const list = new AlarmList(clock, () => file.changed());
  await file.open(list);
  return { file, list };
}

test('alarms, acknowledgements and assignees are there after a restart', async () => {
  const { file, list } = await opened();
  list.add('alarm', 'the disk is full', { event: 'venue', session: 'S' });
  list.acknowledge(1, { who: 'ann', why: 'seen' });
  list.assign(1, 'bob');
  list.add('notice', 'not kept', { event: 'venue_problem' });
  await file.close();
  const again = await opened();
  expect(again.list.list()).toEqual(list.list('alarm'));
  await again.file.close();
  expect(problems).toEqual([]);
});

test('an alarm is written within a second, and an operator who waits for the file finds it written', async () => {
  const { file, list } = await opened();
  list.add('alarm', 'first', { event: 'venue' });
  clock.advance(1_000);
  await file.flush();
  list.acknowledge(1, { who: 'ann', why: 'seen' });
  await file.flush();
  expect(readFileSync(join(directory, 'alarms.json'), 'utf8')).toContain('"who":"ann"');
  await file.close();
});

test.each(['{', '[["a",{}]]', '"x"'])(
  'a damaged file %j is reported and stops nothing',
  async (text) => {
    writeFileSync(join(directory, 'alarms.json'), text);
    const { file, list } = await opened();
    expect(list.list()).toEqual([]);
    expect(problems).toEqual([expect.stringContaining('damaged')]);
    await file.close();
  },
);

test('a directory that takes no file is reported and stops nothing', async () => {
  const { file, list } = await opened('none/alarms.json');
  list.add('alarm', 'first', { event: 'venue' });
  await file.flush();
  expect(problems).toEqual([expect.stringContaining('alarms are not kept')]);
});
