import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedQueue } from '../../src/runtime/queue.ts';

test('a full queue says so and takes nothing', () => {
  const queue = new BoundedQueue<number>(2);
  expect([queue.offer(1), queue.offer(2), queue.offer(3)]).toEqual([true, true, false]);
  expect(queue.isFull).toBe(true);
  expect([queue.take(), queue.take(), queue.take()]).toEqual([1, 2, undefined]);
});

test('whatever the order of offers and takes, items come out in order and none is lost', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.boolean()), (capacity, steps) => {
      const queue = new BoundedQueue<number>(capacity);
      const model: number[] = [];
      for (const [index, isOffer] of steps.entries()) {
        if (isOffer) {
          expect(queue.offer(index)).toBe(model.length < capacity);
          if (model.length < capacity) model.push(index);
        } else {
          expect(queue.peek()).toBe(model[0]);
          expect(queue.take()).toBe(model.shift());
        }
        expect(queue.size).toBe(model.length);
      }
    }),
  );
});

test('a queue without an end cannot be made', () => {
  for (const capacity of [0, -1, 1.5, Number.POSITIVE_INFINITY]) {
    expect(() => new BoundedQueue(capacity)).toThrow('positive integer');
  }
});
