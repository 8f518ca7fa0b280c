/** What `store-filler.ts` writes and `kill-store.long.ts` expects: each commit says its position in every table. */
import type { Write } from '../../src/store/store.ts';

export const stream = 'journal';
export const session = 'A';
/** How a filler ends that was taken over. */
export const conflictCode = 9;

export function recordOf(life: number, position: number): Buffer {
  const size = 100 + ((position * 7_919) % 6_000);
  return Buffer.alloc(size, `life ${life} position ${position} `);
}

export function writesOf(position: number, payload: Buffer): Write[] {
  return [
    { kind: 'append', stream, expected: position - 1, payload },
    { kind: 'messages', session, firstSeq: position, bytes: payload, ends: [payload.length] },
    { kind: 'numbers', session, nextIn: position, nextOut: position + 1 },
    { kind: 'cursor', name: 'venue', value: position },
  ];
}
