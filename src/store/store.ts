/**
 * The truth on disk: journal streams, sessions' messages and numbers, cursors. One `commit` is atomic and durable
 * when it resolves; commits become durable in the order of the calls, several in one group
 * (docs/ARCHITECTURE.md, "Durability"). A log of segments implements it for one machine, PostgreSQL for several.
 */

/** A commit survives the end of the process, a power loss, or the loss of the machine (PostgreSQL only). */
export type Durability = 'replicated' | 'power' | 'process';

/** Bytes in a write are handed over: the caller does not change them afterwards. */
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
  /** Drops a stream's records up to `position`, which lies below its last record and is covered by its snapshot. */
  | { readonly kind: 'forget'; readonly stream: string; readonly position: number }
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
  /** Sets the numbers and drops kept messages; held messages stay. Only an operator, a schedule or an agreed reset does this. */
  | {
      readonly kind: 'reset';
      readonly session: string;
      readonly nextIn: number;
      readonly nextOut: number;
    }
  /** A message that waits for the session's next logon and has no number yet; positions count from 1 on. */
  | {
      readonly kind: 'hold';
      readonly session: string;
      readonly position: number;
      readonly bytes: Uint8Array;
    }
  /** `released`: held messages up to this position went out with numbers. `period`: the schedule's, by its start. */
  | {
      readonly kind: 'mark';
      readonly session: string;
      readonly name: 'released' | 'period';
      readonly value: number;
    }
  | { readonly kind: 'cursor'; readonly name: string; readonly value: number };

export interface Numbers {
  readonly nextIn: number;
  readonly nextOut: number;
  /** The lowest outbound number whose message may still be kept. */
  readonly oldestKept: number;
  /** Held messages up to this position have been sent; 0 at first. */
  readonly releasedTo: number;
  /** The position of the last message ever held; 0 at first. */
  readonly heldTo: number;
  /** The start of the schedule's period in which the session last ran; 0 at first. */
  readonly periodStartMs: number;
}

export interface JournalRecord {
  readonly position: number;
  readonly payload: Uint8Array;
}

/** One kept outbound message of a session, as it went out first. */
export interface KeptMessage {
  readonly seq: number;
  readonly bytes: Uint8Array;
}

export interface HeldMessage {
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** `reserve`: the disk is all but full; new work is refused so that what is under way can be finished. */
export type Room = 'plenty' | 'reserve';

export interface CommitOptions {
  /** Called when the writes would survive this process, which may be before they are durable. */
  readonly onWritten?: () => void;
  /** Nobody waits for this commit: it may be written with the next one, a bounded time later. */
  readonly mayWait?: boolean;
}

export interface Store {
  commit(writes: readonly Write[], options?: CommitOptions): Promise<void>;
  /** Durable when it resolves, for an owner that is about to end. */
  keepNow(write: Extract<Write, { kind: 'snapshot' }>): Promise<void>;
  /**
   * Asked before something leaves that cannot be taken back, because this process may have slept since its record was durable.
   * Undefined if it was the owner a moment ago; else resolves once it is known to be, and rejects if it is not.
   */
  confirmed(): Promise<void> | undefined;
  /** Checked before new work is accepted; reports and cancels may use the reserve. */
  room(): Room;
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
  ): Promise<readonly KeptMessage[]>;
  /** At most `limit` held messages after a position, in order. */
  held(session: string, afterPosition: number, limit: number): Promise<readonly HeldMessage[]>;
  cursor(name: string): Promise<number | undefined>;
  /** Called after the reads of a start. Resolves when resources that are otherwise opened later, such as a thread, are ready. */
  ready(): Promise<void>;
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

/** The disk failed, or is full including the reserve. Commits that were not durable yet never will be, so the owner ends. */
export class StoreFailed extends Error {}

/** The database has fewer commits than it has confirmed: an older backup was restored, or a standby without them was promoted. */
export class CommitsForgotten extends StoreFailed {}

/** A record differs from what was written. The store does not open; the message names the record. */
export class CorruptRecord extends Error {
  readonly record: string;

  constructor(record: string, what: string) {
    super(`${record}: ${what}`);
    this.record = record;
  }
}
