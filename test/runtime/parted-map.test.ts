/** A map in parts is a map. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PartedMap } from '../../src/runtime/parted-map.ts';

const keys = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.constantFrom('', 'a', 'S/o1', 'S/o2', '0xff'),
);
const steps = fc.array(fc.tuple(fc.constantFrom('set', 'delete', 'get'), keys, fc.nat()));

test('it does what a map does, with keys of any length', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const [parted, whole] = [new PartedMap<number>(), new Map<string, number>()];
      for (const [step, key, value] of all) {
        if (step === 'delete') expect(parted.delete(key)).toBe(whole.delete(key));
        else if (step === 'set') {
          parted.set(key, value);
          whole.set(key, value);
        }
        expect(parted.get(key)).toBe(whole.get(key));
      }
      for (const [key, value] of whole) expect(parted.get(key)).toBe(value);
    }),
  );
});
