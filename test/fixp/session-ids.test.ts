import { expect, test } from 'vitest';
import { fates, maxRememberedIds, SessionIds } from '../../src/fixp/session-ids.ts';

const id = (number: number) => number.toString(16).padStart(32, '0');

test('the flow of a new id begins behind what a client was handed under the last', () => {
  const ids = new SessionIds();
  expect(ids.current).toBeUndefined();
  expect(ids.begin(id(1), 1, { nextIn: 1, nextOut: 4 })).toMatchObject({ inBase: 0, outBase: 0 });
  ids.handedTo = 7;
  const next = ids.begin(id(2), 1, { nextIn: 6, nextOut: 10 });
  expect(next).toMatchObject({ inBase: 5, outBase: 7, outFrom: 8, outEnd: null });
  expect(ids.find(id(1))).toMatchObject({ outFrom: 1, outEnd: 9 });
});

test('all of it is found again in the record', () => {
  const ids = new SessionIds();
  ids.begin(id(1), 3, { nextIn: 1, nextOut: 1 });
  ids.lastRequestNs = 1_767_614_400_123_456_789n;
  ids.handedTo = null;
  ids.missed({ fromSeq: 2, toSeq: 3 });
  const again = new SessionIds(ids.record());
  expect(again).toEqual(ids);
  expect(again.current).toMatchObject({ sessionId: id(1), clientFlow: 3 });
  expect(again.gaps).toEqual([{ fromSeq: 2, toSeq: 3 }]);
  expect(again.record()).toEqual(ids.record());
});

test('an id that has ended is known and is not the current one', () => {
  const ids = new SessionIds();
  ids.begin(id(1), 1, { nextIn: 1, nextOut: 1 });
  ids.end(5);
  expect(ids.current).toBeUndefined();
  expect(ids.find(id(1))?.outEnd).toBe(5);
});

test('so many ids are remembered, and the oldest is forgotten', () => {
  const ids = new SessionIds();
  for (let number = 0; number <= maxRememberedIds; number += 1) {
    ids.begin(id(number), 1, { nextIn: 1, nextOut: 1 });
  }
  expect(ids.find(id(0))).toBeUndefined();
  expect(ids.find(id(1))).toBeDefined();
  expect(ids.record().length).toBeLessThan(200 * maxRememberedIds);
});

test('numbers that are sent again were applied, except for the gaps', () => {
  const gaps = [
    { fromSeq: 3, toSeq: 4 },
    { fromSeq: 8, toSeq: 8 },
  ];
  const peerText = (fromSeq: number, toSeq: number) =>
    fates({ fromSeq, toSeq }, gaps).map(
      (fate) => `${fate.isApplied ? '+' : '-'}${fate.fromSeq}-${fate.toSeq}`,
    );
  expect(peerText(1, 9)).toEqual(['+1-2', '-3-4', '+5-7', '-8-8', '+9-9']);
  expect(peerText(4, 8)).toEqual(['-4-4', '+5-7', '-8-8']);
  expect(peerText(5, 6)).toEqual(['+5-6']);
  expect(peerText(3, 3)).toEqual(['-3-3']);
  expect(peerText(5, 4)).toEqual([]);
});
