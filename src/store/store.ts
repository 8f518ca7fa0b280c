/**
 * The truth on disk: journal streams, sessions' messages and numbers, cursors. One `commit` is atomic and durable
 * when it resolves; commits become durable in the order of the calls, several in one group
 * (docs/ARCHITECTURE.md, "Durability"). SQLite implements it here, PostgreSQL for a cluster.
 */
export type Durability = 'power' | 'process';

export type Write =
  /** Compare-and-append: fails the whole commit unless the stream ends at `expected`; 0 is an empty stream. */
  | {
      readonly kind: 'append';
      readonly stream: string;
      readonly expected: number;
      readonly payload: Uint8Array;
    }
  | {
      readonly kind: 'snapshot';
      readonly stream: string;
      readonly position: number;
      readonly payload: Uint8Array;
    }
  /** Outbound messages of a session with consecutive numbers; `ends[i]` is the end of message i in `bytes`. */
  | {
      readonly kind: 'messages';
      readonly session: string;
      readonly firstSeq: number;
      readonly bytes: Uint8Array;
      readonly ends: readonly number[];
    }
  | {
      readonly kind: 'numbers';
      readonly session: string;
      readonly nextIn: number;
      readonly nextOut: number;
    }
  /** Numbers are set, kept messages dropped: only ever by an operator, a schedule or an agreed reset. */
  | {
      readonly kind: 'reset';
      readonly session: string;
      readonly nextIn: number;
      readonly nextOut: number;
    }
  | { readonly kind: 'cursor'; readonly name: string; readonly value: number };

export interface Numbers {
  readonly nextIn: number;
  readonly nextOut: number;
  /** The lowest outbound number whose message may still be kept. */
  readonly oldestKept: number;
}

export interface JournalRecord {
  readonly position: number;
  readonly payload: Uint8Array;
}

export interface Store {
  commit(writes: readonly Write[]): Promise<void>;
  /** The position of the last record, 0 when the stream is empty. */
  end(stream: string): Promise<number>;
  /** At most `limit` records after `position`, in order. */
  read(stream: string, afterPosition: number, limit: number): Promise<readonly JournalRecord[]>;
  snapshot(stream: string): Promise<JournalRecord | undefined>;
  numbers(session: string): Promise<Numbers>;
  /** Kept messages from `fromSeq` to `toSeq`, in order, at most about `maxBytes` but at least one. */
  messages(
    session: string,
    fromSeq: number,
    toSeq: number,
    maxBytes: number,
  ): Promise<readonly { readonly seq: number; readonly bytes: Uint8Array }[]>;
  cursor(name: string): Promise<number | undefined>;
  /** Drops messages below `belowSeq`; what is dropped is told to a peer that asks, never silently missing. */
  trim(session: string, belowSeq: number): Promise<void>;
  close(): Promise<void>;
}

/** Another process appended first: this owner is fenced and must stop. */
export class PositionConflict extends Error {
  readonly stream: string;
  readonly expected: number;
  readonly actual: number;

  constructor(stream: string, expected: number, actual: number) {
    super(`stream ${stream} ends at ${actual}, not at ${expected}: another owner appended`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}
