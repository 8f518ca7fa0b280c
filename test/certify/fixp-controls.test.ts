/**
 * Negative controls of FIXP: a client that is broken in one way fails the scenarios that this breaks, and no others.
 * All of them are played by test/long/certify-controls.long.ts; here, the ones that need no waiting.
 */
import { expect, test } from 'vitest';
import { type FixpDefect, fixpDefects } from './broken-fixp-peer.ts';
import { notPassed } from './controls.ts';
import { certifyFixpPeer, fixpBreaks } from './fixp-controls.ts';

const quick = ['P-02', 'P-05', 'P-14', 'P-15', 'P-16'];
const shown: readonly FixpDefect[] = [
  'reusesSessionId',
  'ignoresRequestTimestamp',
  'neverReceivesAll',
  'takesWrongFlow',
  'takesEarlyMessages',
];

test.concurrent('a FIXP client without a defect passes', async () => {
  expect(notPassed(await certifyFixpPeer([], quick))).toEqual([]);
});

test.concurrent.each(shown)(
  'a FIXP client with the defect %s fails just what it breaks',
  async (defect) => {
    const failed = notPassed(await certifyFixpPeer([defect], quick));
    expect(failed).toEqual(fixpBreaks[defect].filter((id) => quick.includes(id)));
  },
);

test('every defect of FIXP has its scenarios', () => {
  expect(Object.keys(fixpBreaks).sort()).toEqual(Object.keys(fixpDefects).sort());
});
