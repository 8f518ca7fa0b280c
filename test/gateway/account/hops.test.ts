import { expect, test } from 'vitest';
import { Hops } from '../../../src/gateway/account/hops.ts';
import { nowUs } from '../../../src/runtime/latency.ts';

function times() {
  const us = nowUs() - 1_000;
  return { startedUs: us, recordedUs: us, signedUs: us, sentUs: 0, answeredUs: 0 };
}

test('the first send of an action counts for the bridge and for its session, a later one for neither', () => {
  const hops = new Hops();
  const action = times();
  hops.sent(action, 'A');
  hops.sent(action, 'A');
  hops.sent(times(), undefined);
  expect([hops.inbound.count, hops.send.count]).toEqual([2, 2]);
  expect(hops.inboundOf('A')?.count).toBe(1);
  expect(hops.inboundOf('A')?.sumUs).toBeGreaterThanOrEqual(1_000);
  expect(hops.inboundOf('B')).toBeUndefined();
});

test('sessions beyond a limit are counted in the whole only', () => {
  const hops = new Hops();
  for (let session = 0; session <= 8_192; session += 1) hops.sent(times(), `${session}`);
  expect(hops.inbound.count).toBe(8_193);
  expect(hops.inboundOf('8191')?.count).toBe(1);
  expect(hops.inboundOf('8192')).toBeUndefined();
});
