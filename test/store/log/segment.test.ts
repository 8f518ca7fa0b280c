/** What a segment does that is written; how segments are read and sealed is in log-store.test.ts. */
import { expect, test } from 'vitest';
import type { DiskFile } from '../../../src/store/log/disk.ts';
import { RawSegment } from '../../../src/store/log/segment.ts';
import { isFull } from '../../../src/store/space.ts';
import { StoreFailed } from '../../../src/store/store.ts';

const full = Object.assign(new Error('ENOSPC: no space left on device, fdatasync'), {
  code: 'ENOSPC',
});
const file = {
  sync: () => Promise.reject(full),
  syncNow() {
    throw full;
  },
} as unknown as DiskFile;

test('a sync that fails on a full disk is not taken for a write that can be tried again', async () => {
  const head = { segment: 1, opening: 1, mark: Buffer.alloc(8), blockBytes: 1_024 };
  const segment = new RawSegment(file, head);
  const error = await segment.sync().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StoreFailed);
  expect(isFull(error)).toBe(false);
  expect(() => segment.syncNow()).toThrow(StoreFailed);
});
