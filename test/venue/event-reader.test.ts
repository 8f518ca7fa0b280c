/** Events of the stream from their wire form (contract G41). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventReader } from '../../src/venue/event-reader.ts';
import { denialOf } from '../../src/venue/refusals.ts';
import { WireError } from '../../src/venue/wire-value.ts';
import { sandbox, streamEvent, wireEvent } from './samples.ts';

const reader = new EventReader(sandbox.stream);
const fill = {
  fillId: 'f-1',
  price: 50_000_000_000,
  qty: 400_000,
  feeMicro: -12,
  liquidity: 'maker',
  tsMs: 1_700_000_000_001,
};

test('an event is read by the pointers of the profile', () => {
  const wire = wireEvent(3, {
    kind: 'fill',
    nonce: 9,
    qty: 1_000_000,
    status: 'partially_filled',
    nonceConsumed: true,
    fill,
    reason: { code: 'x', number: 104, text: 'y' },
  });
  expect(reader.read(wire)).toEqual(
    streamEvent(3, {
      kind: 'fill',
      nonce: 9n,
      qty: 1_000_000n as never,
      status: 'partially_filled',
      fill: { ...fill, price: 50_000_000_000n, qty: 400_000n, feeMicro: -12n } as never,
      denial: denialOf({ code: 'x', number: 104, text: 'y' }, true),
    }),
  );
});

test('R74: client order id, book and prices may be absent', () => {
  expect(reader.read(wireEvent(1))).toEqual(streamEvent(1));
});

test('R134: other pointers and another word for a kind need no code', () => {
  const other = new EventReader({
    ...sandbox.stream,
    event: { ...sandbox.stream.event, seq: '/meta/n', kind: '/type' },
    kinds: { ...sandbox.stream.kinds, resting: 'ORDER_OPEN' },
  });
  const { seq, kind, ...rest } = wireEvent(4);
  expect([seq, kind]).toEqual([4, 'resting']);
  expect(other.read({ ...rest, meta: { n: 4 }, type: 'ORDER_OPEN' })).toEqual(streamEvent(4));
});

describe('a malformed event is refused with its seq and member', () => {
  test.each([
    [{ kind: 'exploded' }, /^event 2 kind: "exploded" is not a kind/],
    [{ account: '0xABC' }, /^event 2 account: must be 0x and 40/],
    [{ price: 1.5 }, /^event 2 price: must be an integer/],
    [{ price: -1 }, /^event 2 price: must not be negative/],
    [{ qty: 9_007_199_254_740_992 }, /^event 2 qty: must be an integer within 2\^53-1/],
    [{ qty: '5' }, /^event 2 qty: .*"5"/],
    [{ kind: 'fill' }, /^event 2 fill: is missing on a fill/],
    [{ fill: { ...fill, qty: null } }, /^event 2 fill\.qty: .*null/],
    [
      { fill: { ...fill, liquidity: 'both' } },
      /^event 2 fill\.liquidity: must be one of maker, taker/,
    ],
    [{ orderId: 7 }, /^event 2 orderId: /],
    [{ status: 'lost' }, /^event 2 status: /],
    [{ engineTsMs: undefined }, /^event 2 engineTsMs: .*missing/],
    [{ seq: 0 }, /^event seq: must be positive/],
    [{ seq: null }, /^event seq: /],
  ])('%o', (more, message) => {
    expect(() => reader.read(wireEvent(2, more))).toThrow(WireError);
    expect(() => reader.read(wireEvent(2, more))).toThrow(message);
  });
});

test('no value makes the reader throw anything but a WireError', () => {
  const members = Object.keys(wireEvent(1));
  fc.assert(
    fc.property(fc.constantFrom('', ...members), fc.jsonValue(), (member, value) => {
      try {
        reader.read(member === '' ? value : { ...wireEvent(1), [member]: value });
      } catch (error) {
        expect(error).toBeInstanceOf(WireError);
      }
    }),
  );
});
