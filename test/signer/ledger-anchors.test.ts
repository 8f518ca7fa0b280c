import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { anchorProblem, LedgerAnchors } from '../../src/signer/ledger-anchors.ts';
import { noAnchor } from '../../src/signer/ledger-file.ts';

let directory: string;
let file: string;
const clock = new ManualClock();
const alarms: string[] = [];
const seen = { id: 'ab'.repeat(16), count: 7, chain: '12'.repeat(16) };

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'anchors-'));
  file = join(directory, 'signer.anchor');
});

afterEach(() => rmSync(directory, { recursive: true }));

test('the first anchor of a ledger is written at once, later ones within a second', async () => {
  const anchors = new LedgerAnchors(file, clock, (text) => alarms.push(text));
  expect(anchors.last).toEqual(noAnchor);
  anchors.keep(seen);
  expect(new LedgerAnchors(file, clock, (text) => alarms.push(text)).last).toEqual(seen);
  anchors.keep({ ...seen, count: 8 });
  anchors.keep({ ...seen, count: 9 });
  expect(anchors.last.count).toBe(9);
  expect(new LedgerAnchors(file, clock, (text) => alarms.push(text)).last.count).toBe(7);
  clock.advance(1000);
  await anchors.settled();
  expect(new LedgerAnchors(file, clock, (text) => alarms.push(text)).last.count).toBe(9);
});

test('an answer that comes late does not set the anchor back', () => {
  const anchors = new LedgerAnchors(null, clock, () => {});
  anchors.keep(seen);
  anchors.keep({ ...seen, count: 6 });
  expect(anchors.last.count).toBe(7);
});

test.each([
  ['the same ledger', seen, seen.chain, undefined],
  ['one that has gone on', { ...seen, count: 9, chain: '99'.repeat(16) }, seen.chain, undefined],
  ['one that was rewritten since', { ...seen, count: 9 }, undefined, undefined],
  ['one that was cut off or set back', { ...seen, count: 6 }, undefined, 'was set back'],
  ['one with another history', { ...seen, count: 9 }, '34'.repeat(16), 'was changed: entry 7'],
  ['another one', { ...seen, id: 'cd'.repeat(16) }, seen.chain, 'has used ledger abab'],
] as const)('%s is judged by id, count and chain', (_what, now, chain, problem) => {
  const found = anchorProblem(seen, now, chain);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found?.text).toContain(problem);
  expect(anchorProblem(noAnchor, now, chain)).toBeUndefined();
});

test('a refusal names the file that a person removes to confirm a new ledger', () => {
  const anchors = new LedgerAnchors(file, clock, (text) => alarms.push(text));
  anchors.keep(seen);
  expect(anchors.problem({ ...seen, count: 1 }, noAnchor.chain)).toContain(`remove ${file}`);
});

test.each(['{"id":1}', '', '{"id":"ab'])(
  'an anchor that is %j stops the start and is named',
  (text) => {
    writeFileSync(file, text);
    expect(() => new LedgerAnchors(file, clock, (text) => alarms.push(text))).toThrow(
      `${file} is no anchor`,
    );
  },
);

test('an anchor that cannot be looked up stops the start, as if it did not fit', () => {
  symlinkSync(file, file);
  expect(() => new LedgerAnchors(file, clock, () => {})).toThrow('ELOOP');
});

test('a disk that cannot take the anchor is an alarm, once a minute, and the bridge goes on', async () => {
  const anchors = new LedgerAnchors(join(directory, 'nowhere', 'signer.anchor'), clock, (text) =>
    alarms.push(text),
  );
  anchors.keep(seen);
  expect(anchors.last).toEqual(seen);
  for (let second = 1; second < 60; second += 1) {
    anchors.keep({ ...seen, count: seen.count + second });
    clock.advance(1_000);
    await anchors.settled();
  }
  expect(alarms).toEqual([expect.stringMatching(/signer\.anchor cannot be written: ENOENT/)]);
  anchors.keep({ ...seen, count: 99 });
  clock.advance(1_000);
  await anchors.settled();
  expect(alarms[1]).toMatch(/ENOENT.*; 59 more since the last one$/);
});
