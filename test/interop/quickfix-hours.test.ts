/**
 * The hours that `import` makes of a settings file against those that QuickFIX C++ keeps: open at the same times, and
 * numbers that begin anew between the same moments. Needs Debian's libquickfix-dev.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseQuickfix } from '../../src/cli/import/quickfix-settings.ts';
import { hoursOf } from '../../src/cli/import/session-hours.ts';
import { periodAt, type Schedule } from '../../src/fix/session-schedule.ts';
import { fixEngineKeys } from '../../src/gateway/config/engine-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-hours-'));
const program = join(folder, 'hours');

/** Answers of each pair of moments whether the first is within the hours, and whether both are of one session. */
const source = `
#include <quickfix/FieldTypes.h>
#include <quickfix/TimeRange.h>
#include <iostream>
int main() {
  int startDay, startHour, endDay, endHour;
  long first, second;
  while (std::cin >> startDay >> startHour >> endDay >> endHour >> first >> second) {
    const FIX::UtcTimeOnly start(startHour, 0, 0), end(endHour, 0, 0);
    const FIX::UtcTimeStamp a(first), b(second);
    const bool isWeek = startDay > 0;
    std::cout << (isWeek ? FIX::TimeRange::isInRange(start, end, startDay, endDay, a)
                         : FIX::TimeRange::isInRange(start, end, a))
              << (isWeek ? FIX::TimeRange::isInSameRange(start, end, startDay, endDay, a, b)
                         : FIX::TimeRange::isInSameRange(start, end, a, b))
              << std::endl;
  }
}`;

beforeAll(() => {
  const cpp = join(folder, 'hours.cpp');
  writeFileSync(cpp, source);
  execFileSync('g++', ['-std=c++14', '-w', cpp, '-o', program, '-lquickfix']);
});

afterAll(() => rmSync(folder, { recursive: true }));

const dayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
/** A Sunday. */
const firstS = Date.UTC(2026, 0, 4) / 1000;

interface Case {
  /** 1 is Sunday; 0 where the session opens every day. */
  readonly startDay: number;
  readonly startHour: number;
  readonly endDay: number;
  readonly endHour: number;
}

const weeks: readonly Case[] = [
  { startDay: 1, startHour: 17, endDay: 6, endHour: 16 },
  { startDay: 2, startHour: 0, endDay: 6, endHour: 22 },
  { startDay: 2, startHour: 8, endDay: 3, endHour: 7 },
  { startDay: 4, startHour: 5, endDay: 7, endHour: 23 },
  { startDay: 1, startHour: 0, endDay: 1, endHour: 0 },
];
const days: readonly Case[] = [
  { startDay: 0, startHour: 0, endDay: 0, endHour: 0 },
  { startDay: 0, startHour: 8, endDay: 0, endHour: 17 },
  { startDay: 0, startHour: 22, endDay: 0, endHour: 6 },
];

const hoursApart = [1, 13, 24, 100, 168];

function imported({ startDay, startHour, endDay, endHour }: Case): Schedule {
  const two = (hour: number) => String(hour).padStart(2, '0');
  const lines = [`StartTime=${two(startHour)}:00:00`, `EndTime=${two(endHour)}:00:00`];
  if (startDay > 0) {
    lines.push(`StartDay=${dayNames[startDay - 1]}`, `EndDay=${dayNames[endDay - 1]}`);
  }
  const [session] = parseQuickfix(['[SESSION]', ...lines].join('\n')).sessions;
  const { notes, schedule } = session === undefined ? { notes: ['none'] } : hoursOf(session);
  expect(notes).toEqual([]);
  return fixEngineKeys.parse({ schedule }).schedule as Schedule;
}

test.each([...weeks, ...days])('%o is kept as QuickFIX C++ keeps it', (hours) => {
  const schedule = imported(hours);
  const { startDay, startHour, endDay, endHour } = hours;
  const moments = Array.from({ length: 3 * 7 * 24 }, (_, hour) => firstS + hour * 3600 + 1800);
  const pairs = moments.flatMap((first) =>
    hoursApart.map((hours) => [first, first + hours * 3600] as const),
  );
  const output = execFileSync(program, {
    input: pairs
      .map((pair) => [startDay, startHour, endDay, endHour, ...pair].join(' '))
      .join('\n'),
    encoding: 'utf8',
  });
  const wanted = pairs.map((pair) => {
    const [one, other] = pair.map((at) => periodAt(schedule, at * 1000)?.startMs);
    return `${Number(one !== undefined)}${Number(one !== undefined && one === other)}`;
  });
  expect(output.trim().split('\n')).toEqual(wanted);
});
