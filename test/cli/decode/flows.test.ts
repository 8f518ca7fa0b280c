import { array, assert, constantFrom, integer, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { Flows } from '../../../src/cli/decode/flows.ts';
import { framed as inFrame } from '../../../src/fixp/framing.ts';
import { message, toText } from '../../support/fix-text.ts';

const beat = Buffer.from(message('0', ''));
const order = Buffer.from(message('D', '11=a|'));
const sequence = Buffer.from('08000800bc0a01000700000000000000', 'hex');
const frame = inFrame(sequence, 'big');

function read(...pieces: readonly (readonly [direction: string, bytes: Uint8Array])[]) {
  const missed = { otherLines: 0, droppedBytes: 0 };
  const flows = new Flows(missed);
  const found = pieces.flatMap(([direction, bytes]) => [
    ...flows.messages(direction, Buffer.from(bytes)),
  ]);
  const rest = [...flows.end()];
  return { found, rest, missed };
}

test('messages of each direction are whole and in order, however its bytes are cut and mixed with the other', () => {
  const protocols = constantFrom('fix', 'sbe');
  const counts = integer({ min: 1, max: 4 });
  const cuts = array(integer({ min: 6, max: 70 }), { minLength: 1, maxLength: 8 });
  assert(
    property(tuple(protocols, counts, cuts), tuple(protocols, counts, cuts), (...directions) => {
      const queues = directions.map(([protocol, count, sizes]) => {
        const bytes = Buffer.concat(new Array(count).fill(protocol === 'fix' ? order : frame));
        const pieces: Buffer[] = [];
        for (let at = 0; at < bytes.length; at += pieces.at(-1)?.length ?? 0) {
          pieces.push(bytes.subarray(at, at + (sizes[pieces.length % sizes.length] ?? 6)));
        }
        return pieces;
      });
      const mixed = Array.from(
        { length: Math.max(...queues.map(({ length }) => length)) },
        (_, at) =>
          queues.flatMap((pieces, way) => {
            const piece = pieces[at];
            return piece === undefined ? [] : [[`Node ${way}`, piece] as const];
          }),
      ).flat();
      const { found, missed } = read(...mixed);
      for (const [way, [protocol, count]] of directions.entries()) {
        const own = found.filter(({ where }) => where === `Node ${way}`);
        const bytes = protocol === 'fix' ? order : sequence;
        expect(own).toEqual(new Array(count).fill({ protocol, bytes, where: `Node ${way}` }));
      }
      expect(missed).toEqual({ otherLines: 0, droppedBytes: 0 });
    }),
  );
});

test('frames of either byte order are found, by the first of them', () => {
  const { found, missed } = read(
    ['a', inFrame(sequence, 'little')],
    ['a', inFrame(sequence, 'little')],
    ['b', frame],
  );
  expect(found.map(({ bytes, where }) => [where, bytes.equals(sequence)])).toEqual([
    ['a', true],
    ['a', true],
    ['b', true],
  ]);
  expect(missed.droppedBytes).toBe(0);
});

test('what a direction ends with is shown where it is FIX, because a cut message still says something', () => {
  const { found, rest } = read(['a', beat], ['a', order.subarray(0, 30)], ['b', frame]);
  expect(found).toHaveLength(2);
  expect(rest.map(({ bytes, where }) => [where, toText(bytes)])).toEqual([
    ['a', `${toText(order.subarray(0, 30))}|`],
  ]);
});

test('a frame that is cut at the end is counted, with its header', () => {
  const { found, rest, missed } = read(['a', frame], ['a', frame.subarray(0, 9)]);
  expect([found.length, rest.length, missed.droppedBytes]).toEqual([1, 0, 9]);
});

test('after an invalid frame everything is counted, and nothing that was shown before it', () => {
  const bad = Buffer.alloc(20);
  const { found, missed } = read(
    ['a', frame.subarray(0, 10)],
    ['a', Buffer.concat([frame.subarray(10), frame, bad])],
    ['a', frame],
    ['b', frame],
  );
  expect(found.map(({ where }) => where)).toEqual(['a', 'a', 'b']);
  expect(missed.droppedBytes).toBe(bad.length + frame.length);
});
