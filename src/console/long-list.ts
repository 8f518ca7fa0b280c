/** What the console does with lists that a client can make long: the story of an order has its two ends, in pieces. */
import { setImmediate } from 'node:timers/promises';

/** The beginning and the end of a list that is longer than `most`, and the first entry left out between them. */
export function endsOf<T>(list: readonly T[], most: number) {
  const half = Math.floor(most / 2);
  return list.length <= most
    ? { kept: list, omitted: undefined }
    : { kept: [...list.slice(0, half), ...list.slice(half - most)], omitted: list[half] };
}

/** Reading a piece takes about a millisecond. */
export const pieceRows = 10;

/** The messages of clients get their turn between the pieces. */
export async function* inPieces<T>(list: readonly T[]): AsyncGenerator<T> {
  for (const [index, one] of list.entries()) {
    if (index > 0 && index % pieceRows === 0) await setImmediate();
    yield one;
  }
}
