/** Consecutive kept messages of a session in one object: the messages of a transaction form one row. */
import type { KeptMessage, Write } from './store.ts';

export type MessageRange = Omit<Extract<Write, { kind: 'messages' }>, 'kind' | 'session'>;

export function lastSeq(range: MessageRange): number {
  return range.firstSeq + range.ends.length - 1;
}

/** The messages of a range that lie between two numbers, both included. */
export function* messagesOf(
  range: MessageRange,
  fromSeq: number,
  toSeq: number,
): Generator<KeptMessage> {
  const last = Math.min(toSeq, lastSeq(range));
  for (let seq = Math.max(fromSeq, range.firstSeq); seq <= last; seq += 1) {
    const index = seq - range.firstSeq;
    const start = index === 0 ? 0 : (range.ends[index - 1] ?? 0);
    yield { seq, bytes: range.bytes.subarray(start, range.ends[index]) };
  }
}
