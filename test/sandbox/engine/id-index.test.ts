import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdIndex, type Indexed } from '../../../src/sandbox/engine/id-index.ts';

interface Entry extends Indexed {
  readonly value: number;
}

test('the index finds what a map finds, through growth, rows used again and colliding ends', () => {
  const id = fc.oneof(fc.stringMatching(/^0x[0-9a-f]same-end$/), fc.string({ maxLength: 3 }));
  const step = fc.record({ id, removes: fc.boolean() });
  const property = fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
    const index = new IdIndex<Entry>(4);
    const map = new Map<string, Entry>();
    for (const [value, { id, removes }] of steps.entries()) {
      if (removes) {
        const entry = map.get(id);
        if (entry !== undefined) index.delete(entry);
        map.delete(id);
      } else if (!map.has(id)) {
        const entry: Entry = { id, value, indexRow: -1 };
        index.add(entry);
        map.set(id, entry);
      }
      expect(index.get(id)).toBe(map.get(id));
    }
    expect([...index.values()]).toHaveLength(map.size);
    expect(new Set(index.values())).toEqual(new Set(map.values()));
    for (const [key, entry] of map) expect(index.get(key)).toBe(entry);
  });
  fc.assert(property, { numRuns: 300 });
});

test('a record that is not in the index is no record to delete', () => {
  const index = new IdIndex<Entry>(4);
  const kept: Entry = { id: 'kept', value: 1, indexRow: -1 };
  const gone: Entry = { id: 'gone', value: 2, indexRow: -1 };
  index.add(kept);
  index.add(gone);
  index.delete(gone);
  index.delete(gone);
  expect([...index.values()]).toEqual([kept]);
  expect([index.get('gone'), index.get('kept')]).toEqual([undefined, kept]);
});
