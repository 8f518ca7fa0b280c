import { expect, test } from 'vitest';
import { objectionToTime, requestTime } from '../../src/fixp/request.ts';

const wallMs = 1_767_614_400_000;
const nowNs = BigInt(wallMs) * 1_000_000n;

test('a request is timed in nanoseconds, near our time, and after the last', () => {
  expect(objectionToTime(nowNs, wallMs, 30_000, 0n)).toBeUndefined();
  expect(objectionToTime(nowNs, wallMs, 30_000, nowNs - 1n)).toBeUndefined();
  expect(objectionToTime(nowNs, wallMs, 30_000, nowNs)).toContain('not after');
  expect(objectionToTime(nowNs + 30_000_999_999n, wallMs, 30_000, 0n)).toBeUndefined();
  expect(objectionToTime(nowNs + 30_001_000_000n, wallMs, 30_000, 0n)).toContain('30000 ms');
  expect(objectionToTime(nowNs - 30_001_000_000n, wallMs, 30_000, 0n)).toContain('30000 ms');
  expect(objectionToTime(nowNs / 1_000n, wallMs, 30_000, 0n)).toContain('nanoseconds');
  expect(objectionToTime(2n ** 64n - 1n, wallMs, 30_000, 0n)).toContain('nanoseconds');
});

test('our own requests never have the same time', () => {
  expect(requestTime(wallMs, 0n)).toBe(nowNs);
  expect(requestTime(wallMs, nowNs)).toBe(nowNs + 1n);
  expect(requestTime(wallMs, nowNs + 7n)).toBe(nowNs + 8n);
});
