import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { Decoder } from '../../src/fix/decoder.ts';
import { fix44 } from '../../src/fix/dictionaries.ts';
import type { Message } from '../../src/fix/message.ts';
import { Gap } from '../../src/fix/session-gap.ts';
import { clientBytes } from '../acceptance/fix/script.ts';

const limits = { resendChunk: 10, maxQueuedMessages: 3, maxQueuedBytes: 1000 };

function heartbeat(seq: number, text = ''): Message {
  const decoder = new Decoder(fix44());
  decoder.push(clientBytes(`0|34=${seq}|112=${text}x`, { client: 'A', server: 'B' }, 0));
  expect(decoder.next()).toBe('message');
  return decoder.message;
}

test('a gap is asked for once, to the end', () => {
  const gap = new Gap(limits);
  expect(gap.isOpen).toBe(false);
  expect(gap.found(2, 5, 0)).toEqual({ beginSeqNo: 2, endSeqNo: 0 });
  expect(gap.found(2, 6, 0)).toBeUndefined();
  expect(gap.filledTo(4, 0)).toBeUndefined();
  expect(gap.isOpen).toBe(true);
  expect(gap.filledTo(5, 0)).toBeUndefined();
  expect(gap.isOpen).toBe(false);
});

test('a large gap is asked for in chunks, the last one to the end', () => {
  const gap = new Gap(limits);
  expect(gap.found(1, 26, 0)).toEqual({ beginSeqNo: 1, endSeqNo: 10 });
  expect(gap.filledTo(10, 0)).toBeUndefined();
  expect(gap.filledTo(11, 0)).toEqual({ beginSeqNo: 11, endSeqNo: 20 });
  expect(gap.filledTo(21, 0)).toEqual({ beginSeqNo: 21, endSeqNo: 0 });
  expect(gap.filledTo(26, 0)).toBeUndefined();
  expect(gap.isOpen).toBe(false);
});

test('a kept message outlives the bytes it came in, and is given out once', () => {
  const gap = new Gap(limits);
  gap.keep(5, heartbeat(5, 'five'));
  gap.keep(6, 'done');
  const kept = gap.take(5);
  expect(kept === 'done' ? '' : kept?.text(112)).toBe('fivex');
  expect(gap.take(5)).toBeUndefined();
  expect(gap.take(6)).toBe('done');
  expect(gap.queued).toBe(0);
});

test('the queue is bounded in messages and in bytes', () => {
  const gap = new Gap(limits);
  for (let seq = 2; seq < 10; seq += 1) gap.keep(seq, heartbeat(seq));
  expect(gap.queued).toBe(3);
  const small = new Gap({ ...limits, maxQueuedBytes: 100 });
  small.keep(2, heartbeat(2));
  small.keep(3, heartbeat(3));
  expect(small.queued).toBe(1);
  small.take(2);
  small.keep(3, heartbeat(3));
  expect(small.queued).toBe(1);
});

test('numbers that were skipped over are dropped', () => {
  const gap = new Gap(limits);
  for (const seq of [3, 5, 7]) gap.keep(seq, heartbeat(seq));
  gap.dropBelow(6);
  expect(gap.queued).toBe(1);
  expect(gap.take(7)).toBeDefined();
});

test('however far the numbers advance, those below are dropped and the others are kept', () => {
  const step = fc.oneof(
    fc.record({ keep: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ advance: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ max: 40 })) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const gap = new Gap({ ...limits, maxQueuedMessages: 20 });
      let kept = new Set<number>();
      let next = 1;
      for (const each of steps) {
        if ('keep' in each) {
          const seq = next + each.keep;
          if (kept.size < 20) kept.add(seq);
          gap.keep(seq, 'done');
          continue;
        }
        next += Math.max(0, each.advance);
        kept = new Set([...kept].filter((seq) => seq >= next));
        gap.dropBelow(next);
        expect(gap.queued).toBe(kept.size);
        if (gap.take(next) !== undefined) expect(kept.delete(next)).toBe(true);
      }
      for (const seq of kept) expect(gap.take(seq)).toBe('done');
    }),
  );
});

test('a gap that is filled message by message does not look through all that is queued each time', () => {
  const gap = new Gap({ ...limits, maxQueuedMessages: 1_000 });
  for (let seq = 1_001; seq <= 2_000; seq += 1) gap.keep(seq, 'done');
  const looks = vi.spyOn(Map.prototype, 'keys');
  for (let seq = 2; seq <= 1_001; seq += 1) gap.dropBelow(seq);
  expect(looks.mock.calls.length).toBeLessThan(5);
  looks.mockRestore();
  expect(gap.queued).toBe(1_000);
});

test('progress moves the time from which patience counts', () => {
  const gap = new Gap(limits);
  expect(gap.sinceMs).toBe(Number.POSITIVE_INFINITY);
  gap.found(1, 9, 100);
  expect(gap.sinceMs).toBe(100);
  gap.filledTo(3, 500);
  expect(gap.sinceMs).toBe(500);
  gap.clear();
  expect(gap.sinceMs).toBe(Number.POSITIVE_INFINITY);
});
