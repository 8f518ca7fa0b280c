import { expect, test } from 'vitest';
import type { Write } from '../../src/store/store.ts';
import { textOf } from './client-log.ts';
import { LostMessages } from './lost-messages.ts';

const session = 'FIX.4.4:CAUSEWAY/->ALPHA/';

function messages(firstSeq: number, ...names: string[]): Write {
  const frames = names.map((name, index) =>
    Buffer.from(`8=FIX.4.4\x0135=8\x0134=${firstSeq + index}\x0111=${name}\x01`),
  );
  let end = 0;
  const ends = frames.map(({ length }) => (end += length));
  return { kind: 'messages', session, firstSeq, bytes: Buffer.concat(frames), ends };
}
const reset: Write = { kind: 'reset', session, nextIn: 1, nextOut: 1 };
const namesOf = (lost: LostMessages, from: number) =>
  lost.take(session, from).map((said) => textOf(said, '11'));

test('what a client had not read when the numbers began anew is lost, once, and nothing else', () => {
  const lost = new LostMessages();
  lost.read([messages(2, 'a', 'b'), messages(4, 'c')]);
  expect(namesOf(lost, 3)).toEqual([]);
  lost.read([reset, messages(2, 'd')]);
  lost.read([reset, messages(2, 'e')]);
  expect(namesOf(lost, 3)).toEqual(['b', 'c', 'd']);
  expect(namesOf(lost, 1)).toEqual([]);
});
