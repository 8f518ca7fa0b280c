/** Groups and data behind a block: their order, their limits, and counts and lengths that lie. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Terminate } from '../../src/fixp/generated/terminate.ts';
import { Block, image, type Layout } from '../../src/sbe/block.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { Grown } from './features/big/grown.ts';
import { Parts } from './features/big/parts.ts';

const features = readSchema(
  readFileSync(join(import.meta.dirname, 'features/features.xml'), 'utf8'),
);
const space = Buffer.alloc(4096);

const refused: [string, () => unknown, string][] = [
  [
    'data beyond the space',
    () => new Terminate().encode(Buffer.alloc(30)).setReason('longer'),
    'Terminate.Reason cannot be text of 6 bytes',
  ],
  [
    'data beyond its length',
    () => new Parts().encode(space).writeOuter().add().setLabel('x'.repeat(201)),
    'Parts.Outer.Label cannot be text of 201 bytes',
  ],
  [
    'data before the group that it follows',
    () => new Parts().encode(space).setText('a').writeSmall(),
    'Parts: groups and data are written once, in the order of the schema',
  ],
  [
    'data twice',
    () => new Terminate().encode(space).setReason('a').setReason('b'),
    'Terminate: groups and data are written once',
  ],
];

test.each(refused)('%s is refused', (_, write, error) => {
  expect(write).toThrow(error);
});

test('more entries than the dimension tells are refused', () => {
  const group = new Parts().encode(space).writeSmall();
  for (let count = 0; count < 5; count += 1) group.add();
  expect(() => group.add()).toThrow('no room for Parts.Small');
});

test('parts that were passed over are empty', () => {
  const parts = new Parts().encode(space).setCount(3).setBlob(Uint8Array.of(1));
  const read = new Parts();
  expect(read.wrap(Uint8Array.from(parts.bytes))).toBeUndefined();
  expect([read.small.count, read.outer.count, read.text, read.blob.length]).toEqual([0, 0, '', 1]);
});

test('counts and lengths that lie are refused before they are believed', () => {
  const parts = new Parts().encode(space);
  parts.writeSmall().add();
  const bytes = Buffer.from(parts.bytes);
  const dimension = features.header.size + Parts.blockLength;
  const wrap = (count: number, blockLength: number) => {
    const lie = Buffer.from(bytes);
    lie[dimension] = count;
    lie[dimension + 1] = blockLength;
    return new Parts().wrap(lie);
  };
  expect(wrap(1, 11)).toBeUndefined();
  expect(wrap(6, 11)).toBe('Parts.Small: 6 is above 5');
  expect(wrap(5, 255)).toBe('Parts.Small: 1275 bytes do not fit into the 21 that are left');
  expect(wrap(1, 7)).toBe('Parts.Small: a block of 7 bytes, version 2 needs 8');
});

test('a group of four billion entries without bytes ends at once', () => {
  const parts = new Parts().encode(space);
  parts.writeOuter().add().writeMiddle();
  const bytes = Buffer.from(parts.bytes);
  const middle = bytes.length - 12 - 4 - 4 - 1 - 2 - 4;
  bytes.writeUInt32BE(0, middle);
  bytes.writeUInt32BE(0xffff_ffff, middle + 4);
  expect(new Parts().wrap(bytes)).toMatch(/^Parts\.Outer\.Middle: 0 bytes do not fit/);
});

const layout: Layout = {
  name: 'M',
  groups: [],
  data: [
    {
      name: 'Words',
      since: 0,
      type: {
        length: { at: 0, bytes: 2, max: 6, littleEndian: true },
        offset: 2,
        characters: 'ascii',
      },
    },
    {
      name: 'Later',
      since: 1,
      type: {
        length: { at: 0, bytes: 1, max: 255, littleEndian: true },
        offset: 1,
        characters: undefined,
      },
    },
  ],
};

describe('data', () => {
  /** A block of 4 bytes in the middle of others. */
  function begun(version: number, room = 40) {
    const bytes = Buffer.alloc(64, 0xa5);
    const block = new Block(layout);
    const at = block.take(bytes, 8);
    block.begin(at, 4, version, at + room);
    return { block, bytes };
  }

  test('has its length before it, in the order of the schema, and what is passed over is empty', () => {
    const { block, bytes } = begun(1);
    block.putText(0, 'abc');
    block.putBytes(1, Uint8Array.of(7));
    expect(block.finish() - block.at).toBe(11);
    expect(bytes.subarray(12, 20).toString('hex')).toBe('0300616263' + '0107' + 'a5');
    expect([block.text(0), Buffer.from(block.bytes(1))]).toEqual(['abc', Buffer.of(7)]);
    const skipped = begun(1);
    skipped.block.putBytes(1, Uint8Array.of(7));
    expect(skipped.bytes.subarray(12, 17).toString('hex')).toBe('0000' + '0107' + 'a5');
  });

  test('is at most what its schema allows, to the byte', () => {
    expect(begun(1).block.putText(0, 'abcdef')).toBeUndefined();
    expect(() => begun(1).block.putText(0, 'abcdefg')).toThrow('M.Words cannot be text of 7 bytes');
    expect(() => begun(1).block.putBytes(0, new Uint8Array(7))).toThrow(
      'M.Words cannot be 7 bytes',
    );
  });

  test('is at most what there is room for, to the byte', () => {
    expect(begun(1, 9).block.putBytes(0, new Uint8Array(3))).toBeUndefined();
    expect(() => begun(1, 8).block.putBytes(0, new Uint8Array(3))).toThrow('no room for M.Words');
    expect(() => begun(1, 6).block.finish()).toThrow('no room for M.Later');
    expect(begun(1, 7).block.finish()).toBeGreaterThan(0);
  });

  test('of a later version is neither written nor left empty in an earlier one', () => {
    const { block } = begun(0);
    expect(() => block.putBytes(1, Uint8Array.of(7))).toThrow('M.Later is not in version 0');
    expect(block.finish() - block.at).toBe(4 + 2);
  });

  test('that does not fit is told with what is wrong: its length, or its end', () => {
    const { block, bytes } = begun(1, 10);
    bytes.set([5, 0], 12);
    expect(block.refuseData(0, block.end)).toBe(
      'M.Words: 5 bytes do not fit into the 4 that are left',
    );
    bytes.set([7, 0], 12);
    expect(block.refuseData(0, block.end)).toBe('M.Words: 7 is above 6');
    block.limit = block.end + 1;
    expect(block.refuseData(0, block.end)).toBe(
      'M.Words: 2 bytes do not fit into the 1 that are left',
    );
  });
});

test('a block may be longer than it needs to be, but neither shorter nor longer than the bytes', () => {
  const block = new Block(layout);
  const at = block.take(Buffer.alloc(20), 0);
  const wrap = (length: number) => block.wrap(at, length, 4, 1, at + 8);
  expect([wrap(4), wrap(8)]).toEqual([undefined, undefined]);
  expect(block.end - at).toBe(8);
  expect(wrap(3)).toBe('M: a block of 3 bytes, version 1 needs 4');
  expect(wrap(9)).toBe('M: 9 bytes do not fit into the 8 that are left');
});

test('a group of a later version is absent in an earlier one', () => {
  const older = new Grown().encode(space, 0, 0);
  older.writeLegs().add().setRatio(3);
  const read = new Grown();
  expect(read.wrap(Uint8Array.from(older.bytes))).toBeUndefined();
  expect(read.actingVersion).toBe(0);
  expect(read.legs.next()).toBe(true);
  expect(read.legs.count).toBe(1);
});

test('entries are read again from the first, and end with the last', () => {
  const parts = new Parts().encode(space);
  const small = parts.writeSmall();
  for (const mantissa of [1, 2, 3]) small.add().setPriceMantissa(mantissa);
  const read = new Parts();
  expect(read.wrap(Uint8Array.from(parts.bytes))).toBeUndefined();
  const all = () => {
    const found: unknown[] = [];
    for (const group = read.small; group.next(); ) found.push(group.priceMantissa);
    return found;
  };
  expect([all(), all()]).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
});

test('one object serves messages in different buffers, and in different places of one', () => {
  const read = new Parts();
  const write = (count: number) => Uint8Array.from(new Parts().encode(space).setCount(count).bytes);
  const [first, second] = [write(1), write(2)];
  const both = Buffer.concat([first, second]);
  for (const [bytes, at, count] of [
    [first, 0, 1],
    [second, 0, 2],
    [both, first.length, 2],
    [both, 0, 1],
    [both.subarray(first.length), 0, 2],
  ] as const) {
    expect(read.wrap(bytes, at)).toBeUndefined();
    expect(read.count).toBe(count);
  }
});

test('an image is zero but for the bytes that it names', () => {
  expect(Buffer.from(image(6, { 1: 'ff01', 5: '80' })).toString('hex')).toBe('00ff01000080');
  expect(Buffer.from(image(2))).toEqual(Buffer.alloc(2));
});
