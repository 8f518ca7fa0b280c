/** Random legal writes, made from numbers so that a test that shrinks them still has legal ones, and all that a store answers. */

import type { Store, Write } from '../../../src/store/store.ts';
import type { MemoryStore } from '../../support/memory-store.ts';

const streams = ['a', 'b', 'copies'];
const sessions = ['A', 'B'];

/** What a legal write has to know of those before it. */
export class WriteMaker {
  #ends = new Map<string, number>();
  #kept = new Map<string, number>();
  #held = new Map<string, number>();
  #forgotten = new Map<string, number>();
  #count = 0;

  /** The write that these two numbers choose. */
  make(choice: number, size: number): Write {
    this.#count += 1;
    const content = Buffer.alloc(size % 300, `${this.#count} `);
    const stream = streams[size % streams.length] ?? 'a';
    const session = sessions[size % sessions.length] ?? 'A';
    const of = (map: Map<string, number>, name: string) => map.get(name) ?? 0;
    const end = of(this.#ends, stream);
    switch (choice % 12) {
      case 0:
        return { kind: 'snapshot', stream, position: end, payload: content };
      case 1: {
        const forgotten = of(this.#forgotten, stream);
        const position =
          forgotten + Math.floor(((end - 1 - forgotten) * Math.min(60, size % 100)) / 60);
        if (position <= forgotten) break;
        this.#forgotten.set(stream, position);
        return { kind: 'forget', stream, position };
      }
      case 2:
      case 3:
      case 4: {
        // Sometimes a number is passed over.
        const firstSeq = of(this.#kept, session) + 1 + (size % 7 === 0 ? 3 : 0);
        const half = Math.floor(content.length / 2);
        const ends = size % 3 === 0 ? [content.length] : [half, content.length];
        this.#kept.set(session, firstSeq + ends.length - 1);
        return { kind: 'messages', session, firstSeq, bytes: content, ends };
      }
      case 5:
        return { kind: 'numbers', session, nextIn: size, nextOut: of(this.#kept, session) + 1 };
      case 6: {
        if (size % 3 !== 0) break;
        this.#kept.set(session, 0);
        return { kind: 'reset', session, nextIn: 1, nextOut: 1 };
      }
      case 7: {
        const position = of(this.#held, session) + 1;
        this.#held.set(session, position);
        return { kind: 'hold', session, position, bytes: content };
      }
      case 8: {
        const value = Math.floor((of(this.#held, session) * Math.min(60, size % 100)) / 60);
        return { kind: 'mark', session, name: size % 5 === 0 ? 'period' : 'released', value };
      }
      case 9:
        return { kind: 'cursor', name: stream, value: this.#count };
      default:
    }
    this.#ends.set(stream, end + 1);
    return { kind: 'append', stream, expected: end, payload: content };
  }
}

/** Everything that can be read, in a form that can be compared. */
export async function answersOf(store: Store | MemoryStore): Promise<object> {
  const answers: { [question: string]: unknown } = {};
  for (const stream of streams) {
    const records = await store.read(stream, 0, 1e6);
    const snapshot = await store.snapshot(stream);
    answers[stream] = {
      end: await store.end(stream),
      records: records.map(({ position, payload }) => [position, sumOf(payload)]),
      middle: (await store.read(stream, 7, 3)).map(({ position }) => position),
      snapshot: snapshot && [snapshot.position, sumOf(snapshot.payload)],
      cursor: await store.cursor(stream),
    };
  }
  for (const session of sessions) {
    const messages = await store.messages(session, 1, 1e9, 1e9);
    const held = await store.held(session, 0, 1e6);
    answers[session] = {
      numbers: await store.numbers(session),
      messages: messages.map(({ seq, bytes }) => [seq, sumOf(bytes)]),
      part: (await store.messages(session, 3, 11, 200)).map(({ seq }) => seq),
      held: held.map(({ position, bytes }) => [position, sumOf(bytes)]),
    };
  }
  return answers;
}

const sumOf = (bytes: Uint8Array) => `${bytes.length}:${Buffer.from(bytes.subarray(0, 12))}`;
