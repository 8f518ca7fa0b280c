/**
 * Where streams, kept messages and held messages end, commits counted that are not carried over yet. A commit is
 * compared with it before it is written, because the tables see it only after it was told to be durable.
 */
import { lastSeq } from './message-range.ts';
import type { SqliteReader } from './sqlite-reader.ts';
import type { Write } from './store.ts';

/** A commit's fate: nothing, or the stream's true end when another owner appended. */
export type Outcome =
  | undefined
  | { readonly stream: string; readonly expected: number; readonly actual: number };

export class Ends {
  readonly #reader: SqliteReader;
  readonly #streams = new Map<string, number>();
  readonly #kept = new Map<string, number>();
  readonly #held = new Map<string, number>();

  constructor(reader: SqliteReader) {
    this.#reader = reader;
  }

  of(stream: string): number {
    return known(this.#streams, stream, () => this.#reader.end(stream));
  }

  /** Takes a commit in, unless one of its appends conflicts. */
  take(writes: readonly Write[]): Outcome {
    for (let index = 0; index < writes.length; index += 1) {
      const write = writes[index] as Write;
      if (write.kind !== 'append') continue;
      const { stream, expected } = write;
      const actual = this.of(stream);
      if (actual !== expected) {
        this.#takeBack(writes.slice(0, index));
        return { stream, expected, actual };
      }
      this.#streams.set(stream, actual + 1);
    }
    for (const write of writes) this.#count(write);
    return undefined;
  }

  #takeBack(writes: readonly Write[]): void {
    for (const write of writes.toReversed()) {
      if (write.kind === 'append') this.#streams.set(write.stream, write.expected);
    }
  }

  /** Two messages under one number are a fault of ours. */
  #count(write: Write): void {
    switch (write.kind) {
      case 'messages': {
        const { session, firstSeq } = write;
        const last = known(this.#kept, session, () => this.#reader.lastKept(session));
        if (firstSeq <= last)
          throw new Error(`messages from ${firstSeq} of session ${session} follow number ${last}`);
        this.#kept.set(session, lastSeq(write));
        return;
      }
      case 'reset':
        this.#kept.set(write.session, 0);
        return;
      case 'hold': {
        const { session, position } = write;
        const last = known(this.#held, session, () => this.#reader.numbers(session).heldTo);
        if (position <= last)
          throw new Error(`held message ${position} of session ${session} follows number ${last}`);
        this.#held.set(session, position);
        return;
      }
      default:
        return;
    }
  }
}

function known(ends: Map<string, number>, name: string, look: () => number): number {
  const end = ends.get(name) ?? look();
  ends.set(name, end);
  return end;
}
