/** Open submissions are found by id, hash, nonce and request, and their places in the queue survive a restart. */
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { OrderId } from '../../../src/domain/units.ts';
import type { RequestRef } from '../../../src/engine/venue-port.ts';
import { newSubmission, type Submission } from '../../../src/venue/outbox/submission.ts';
import { SubmissionIndex } from '../../../src/venue/outbox/submission-index.ts';

let index: SubmissionIndex;
let lastId = 0;

beforeEach(() => {
  index = new SubmissionIndex();
  lastId = 0;
});

function cancel(asked: RequestRef | null = null, fencedId: number | null = null): Submission {
  lastId += 1;
  const orderId = `0x${lastId}` as OrderId;
  const intent = { kind: 'cancel', target: 'order', orderId } as const;
  const own = newSubmission(lastId, { asked, intent, clientOrderId: null, fencedId }, 0);
  index.add(own);
  return own;
}

const bytes = (hash: string) => ({ text: '', hash, madeMs: 0, placed: { kind: 'none' } }) as const;

test('a submission is found by the hash and the nonce of its bytes until it loses them', () => {
  const own = cancel();
  index.carries(own, bytes('aa'), 7);
  expect([index.byHash('aa'), index.byNonce(7)]).toEqual([own, own]);
  index.unload(own);
  expect([index.byHash('aa'), index.byNonce(7)]).toEqual([undefined, undefined]);
  expect(index.get(own.id)).toBe(own);
});

test('a nonce has one action, and a fence beside it', () => {
  const own = cancel();
  index.carries(own, bytes('aa'), 7);
  const fence = cancel(null, own.id);
  index.carries(fence, bytes('bb'), 7);
  expect(index.byNonce(7)).toBe(own);
  index.unload(fence);
  expect(index.byNonce(7)).toBe(own);
  expect(() => index.carries(cancel(), bytes('cc'), 7)).toThrow('one nonce, one action');
});

test('the latest fences of an action are known again by their hashes, as many as several restarts make', () => {
  const own = cancel();
  index.carries(own, bytes('aa'), 7);
  const hashes = Array.from({ length: 60 }, (_, i) => `fence ${i}`);
  for (const hash of hashes) {
    const fence = cancel(null, own.id);
    index.carries(fence, bytes(hash), 7);
    index.forget(fence);
  }
  expect(hashes.filter((hash) => !index.isOwn(hash, 7))).toEqual([]);
  expect(index.isOwn('of another agent', 7)).toBe(false);
});

test('the queue keeps its order: the first to wait is the first to leave', () => {
  const [one, two, three] = [cancel(), cancel(), cancel()];
  index.wait(one);
  index.wait(two);
  index.waitFirst(three);
  expect(index.waiting('cancel')).toEqual([three.id, one.id, two.id]);
  index.leaveQueue(one);
  expect(index.waiting('cancel')).toEqual([three.id, two.id]);
  index.forget(three);
  expect([index.waitingCount, index.get(three.id)]).toEqual([{ cancel: 1, place: 0 }, undefined]);
});

test('a restart restores what is found and the order of the queue', () => {
  const [one, two] = [cancel({ key: 'T#1', requestId: 'c' }), cancel()];
  index.carries(one, bytes('aa'), 7);
  one.state = 'beyond';
  index.wait(two);
  const state = index.state();
  const restored = new SubmissionIndex();
  restored.restore(state);
  expect(restored.state()).toEqual(state);
  expect(restored.byNonce(7)?.id).toBe(one.id);
  expect([...restored.beyond]).toEqual([one.id]);
  expect(restored.waiting('cancel')).toEqual([two.id]);
});

test('the requests that have a submission are known, whatever their keys and ids look like', () => {
  const text = fc.oneof(fc.constantFrom('a', 'a\n', '\na', '', 'T#1', 'new'), fc.string());
  const requests = fc.array(fc.record({ key: text, requestId: text }), { maxLength: 30 });
  fc.assert(
    fc.property(requests, requests, (carried, others) => {
      index = new SubmissionIndex();
      for (const asked of carried) cancel(asked);
      cancel();
      const isAsked = index.asked();
      for (const one of [...carried, ...others]) {
        const isThere = carried.some(
          ({ key, requestId }) => key === one.key && requestId === one.requestId,
        );
        expect(isAsked(one)).toBe(isThere);
      }
    }),
  );
});
