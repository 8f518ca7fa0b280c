import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Totals } from '../../src/dropcopy/copy-totals.ts';
import {
  decodeState,
  encodeState,
  type Mark,
  noState,
  type ReaderState,
  shownAt,
  trackFrom,
} from '../../src/dropcopy/reader-state.ts';

const totals = { day: 3, rows: [] } as unknown as Totals;
const record = (json: string) => Buffer.from(json);

test('a reader that never logged on has seen nothing', () => {
  expect(noState).toEqual({
    tracks: {},
    left: {},
    subscription: null,
    isJoined: false,
    isRejected: false,
  });
});

test('a track begins where everything is sent, acknowledged and furthest', () => {
  const mark = { position: 7, totals };
  expect(trackFrom(7, totals)).toEqual({ sent: mark, acked: mark, furthest: 7 });
});

test('what was shown is the last copy that was sent, and in a mark of an earlier version all of them', () => {
  expect(shownAt({ position: 9, totals, shown: 4 })).toBe(4);
  expect(shownAt({ position: 9, totals, shown: 0 })).toBe(0);
  expect(shownAt({ position: 9, totals })).toBe(9);
});

test('a state is read as it was written, whatever the amounts and names', () => {
  const amount = fc.bigInt({ min: 0n, max: 2n ** 90n });
  const mark = fc
    .tuple(fc.nat(), fc.option(fc.nat()), amount)
    .map(([position, shown, qty]): Mark => {
      const sums = { day: 1, qty } as unknown as Totals;
      return { position, totals: sums, ...(shown !== null && { shown }) };
    });
  const track = fc.record({ sent: mark, acked: mark, furthest: fc.nat() });
  const name = fc
    .oneof(fc.constant('$'), fc.string({ minLength: 1, maxLength: 8 }))
    .filter((text) => text !== '__proto__');
  const word = fc.option(fc.string({ maxLength: 8 }));
  const criteria = fc.record({
    symbol: word,
    side: fc.constantFrom('Bid', 'Ask', null),
    orderId: word,
    clOrdId: word,
    execId: word,
    fromMs: fc.option(fc.nat()),
    toMs: fc.option(fc.nat()),
  });
  const state = fc.record({
    tracks: fc.dictionary(name, track, { maxKeys: 3, noNullPrototype: true }),
    left: fc.constant({ desk: totals }),
    subscription: fc.option(fc.record({ tradeRequestId: fc.string(), criteria })),
    isJoined: fc.boolean(),
    isRejected: fc.boolean(),
  });
  fc.assert(
    fc.property(state, (one) => {
      expect(decodeState(encodeState(one as ReaderState), 'r')).toEqual(one);
    }),
    { numRuns: 50 },
  );
});

test('what an earlier version did not store is as if it had never been', () => {
  expect(decodeState(record('{"v":1,"isJoined":true}'), 'r')).toEqual({
    ...noState,
    isJoined: true,
  });
});

test.each(['{"v":2}', '{"isJoined":true}', '{}', 'null', '7', '[]'])(
  'the record %s is of no version that this one reads, and names the reader',
  (json) => {
    expect(() => decodeState(record(json), 'desk-1')).toThrow(
      new Error('the state of reader desk-1 is not a record of version 1'),
    );
  },
);
