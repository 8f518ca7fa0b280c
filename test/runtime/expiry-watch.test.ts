import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { certificateIn, type Expiring, watchExpiry } from '../../src/runtime/expiry-watch.ts';

const hourMs = 3_600_000;

function watched(endsAtMs: () => number | undefined) {
  const clock = new ManualClock();
  const alarms: string[] = [];
  const key: Expiring = { name: 'the key', endsAtMs };
  const stop = watchExpiry([key], clock, (text) => alarms.push(text.replace(/: .*/, '')));
  return { alarms, clock, stop };
}

test('a week, a day and an hour before the end, and at the end, there is one alarm each', () => {
  const end = new ManualClock().now().wallMs + 200 * hourMs;
  const { alarms, clock, stop } = watched(() => end);
  const at = (left: number) => {
    clock.advance(end - left * hourMs - clock.now().wallMs);
    return alarms.map((text) => text.slice('the key '.length));
  };
  expect(at(169)).toEqual([]);
  expect(at(167)).toEqual(['expires within a week']);
  expect(at(25)).toHaveLength(1);
  expect(at(23).at(-1)).toBe('expires within a day');
  expect(at(1.1)).toHaveLength(2);
  expect(at(0.9).at(-1)).toBe('expires within an hour');
  expect(at(-1).at(-1)).toBe('has expired');
  expect(at(-100)).toHaveLength(4);
  stop();
});

test('at a start, only the nearest of the alarms is raised', () => {
  const end = new ManualClock().now().wallMs + hourMs / 2;
  expect(watched(() => end).alarms).toEqual([expect.stringMatching(/the key .*hour/)]);
});

test('a renewed entry is watched again, and one that never expires is not watched', () => {
  const start = new ManualClock().now().wallMs;
  let end: number | undefined = start + hourMs;
  const { alarms, clock } = watched(() => end);
  end = start + 1000 * hourMs;
  clock.advance(900 * hourMs);
  expect(alarms).toEqual([expect.stringMatching(/hour/), expect.stringMatching(/week/)]);
  end = undefined;
  clock.advance(900 * hourMs);
  expect(alarms).toHaveLength(2);
});

test('the end of a certificate is read from its file, and a file that is no certificate has none', () => {
  const directory = mkdtempSync(join(tmpdir(), 'expiry-'));
  const [key, file] = [join(directory, 'key'), join(directory, 'cert')];
  const options = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const names = ['-days', '3', '-subj', '/CN=signer', '-keyout', key, '-out', file];
  execFileSync('openssl', ['req', ...options, ...names], { stdio: 'pipe' });
  const leftMs = (certificateIn(file).endsAtMs() ?? 0) - Date.now();
  expect(Math.round(leftMs / hourMs)).toBe(72);
  writeFileSync(file, 'half a certifi');
  expect(certificateIn(file).endsAtMs()).toBeUndefined();
  rmSync(directory, { recursive: true });
});
