import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastSeq, messagesOf } from '../../src/store/message-range.ts';

test('a range gives back the messages it was made of, between any two numbers', () => {
  const bodies = fc.array(fc.uint8Array({ maxLength: 20 }), { minLength: 1, maxLength: 20 });
  const seq = fc.integer({ min: 0, max: 60 });
  fc.assert(
    fc.property(bodies, fc.integer({ min: 1, max: 30 }), seq, seq, (all, firstSeq, from, to) => {
      let end = 0;
      const ends = all.map((body) => {
        end += body.length;
        return end;
      });
      const range = { firstSeq, bytes: Buffer.concat(all), ends };
      const expected = all
        .map((body, i) => ({ seq: firstSeq + i, text: Buffer.from(body).toString('hex') }))
        .filter((message) => message.seq >= from && message.seq <= to);
      const found = [...messagesOf(range, from, to)].map(({ seq: number, bytes }) => ({
        seq: number,
        text: Buffer.from(bytes).toString('hex'),
      }));
      expect(found).toEqual(expected);
      expect(lastSeq(range)).toBe(firstSeq + all.length - 1);
    }),
  );
});
