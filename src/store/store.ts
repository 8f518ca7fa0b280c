/**
 * The persistent data: journal streams, sessions' messages and numbers, cursors. One `commit` is atomic, and durable
 * when it resolves; commits become durable in the order of the calls, several in one group (docs/ARCHITECTURE.md,
 * "Durability"). A log of segments implements it for one machine, PostgreSQL for several.
 */

/** What a commit survives: the loss of the machine (PostgreSQL only), a power loss, or the end of the process. */
export type Durability = 'replicated' | 'power' | 'process';

/** The bytes of a write belong to the store: the caller must not change them afterwards. */
export type Write =
  /** Compare-and-append: fails the whole commit unless the stream ends at `expected`; 0 means an empty stream. */
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
  /** Drops a stream's records up to `position`, which is below its last record and covered by its snapshot. */
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
  /** Sets the numbers and drops kept messages, but not held ones: for an operator, a schedule or an agreed reset. */
  | {
      readonly kind: 'reset';
      readonly session: string;
      readonly nextIn: number;
      readonly nextOut: number;
    }
  /** A message that waits for the session's next logon and has no number yet; positions start at 1. */
  | {
      readonly kind: 'hold';
      readonly session: string;
      readonly position: number;
      readonly bytes: Uint8Array;
    }
  /** `released`: held messages up to this position were sent. `period`: the start of the schedule's period. */
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
  /** Held messages up to this position have been sent; initially 0. */
  readonly releasedTo: number;
  /** The position of the last message ever held; initially 0. */
  readonly heldTo: number;
  /** When the session last ran in a period of its schedule, or the start of that period; 0 without a schedule. */
  readonly periodStartMs: number;
}

export interface JournalRecord {
  readonly position: number;
  readonly payload: Uint8Array;
}

/** A kept outbound message of a session, as it was first sent. */
export interface KeptMessage {
  readonly seq: number;
  readonly bytes: Uint8Array;
}

export interface HeldMessage {
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** `reserve`: the disk is almost full; new work is refused so that work in progress can be finished. */
export type Room = 'plenty' | 'reserve';

export interface CommitOptions {
  /** Called when the writes would survive the end of this process, which may be before they are durable. */
  readonly onWritten?: () => void;
  /** Nobody waits for this commit, so it may be written with the next one, a bounded time later. */
  readonly mayWait?: boolean;
}

export interface Store {
  commit(writes: readonly Write[], options?: CommitOptions): Promise<void>;
  /** The snapshot is durable when it resolves, for an owner that is about to exit. */
  keepNow(write: Extract<Write, { kind: 'snapshot' }>): Promise<void>;
  /**
   * Called before something irrevocable is sent, because this process may have been suspended since its record became
   * durable. Undefined if it was the owner a moment ago; otherwise resolves once that is confirmed, or rejects.
   */
  confirmed(): Promise<void> | undefined;
  /** Checked before new work is accepted; reports and cancels may use the reserve. */
  room(): Room;
  /** Measures again, because an operator may have freed space. Returns why only the reserve is left, if it is. */
  recheckRoom?(): string | undefined;
  /** The position of the last record; 0 if the stream is empty. */
  end(stream: string): Promise<number>;
  /** At most `limit` records after `position`, in order. */
  read(stream: string, afterPosition: number, limit: number): Promise<readonly JournalRecord[]>;
  snapshot(stream: string): Promise<JournalRecord | undefined>;
  numbers(session: string): Promise<Numbers>;
  /** Kept messages from `fromSeq` to `toSeq`, in order: at least one, and at most about `maxBytes`. */
  messages(
    session: string,
    fromSeq: number,
    toSeq: number,
    maxBytes: number,
  ): Promise<readonly KeptMessage[]>;
  /** At most `limit` held messages after a position, in order. */
  held(session: string, afterPosition: number, limit: number): Promise<readonly HeldMessage[]>;
  cursor(name: string): Promise<number | undefined>;
  /** Called after the reads of a start. Resolves when resources that open lazily, such as a thread, are ready. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** Another process has appended to the stream: this owner is fenced off and must stop. */
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

/** The first append of a commit that does not follow its stream, whose earlier appends in the commit count. */
export function conflictOf(
  writes: readonly Write[],
  streams: { end(stream: string): number },
): PositionConflict | undefined {
  const appended = new Map<string, number>();
  for (const write of writes) {
    if (write.kind !== 'append') continue;
    const { stream, expected } = write;
    const actual = appended.get(stream) ?? streams.end(stream);
    if (actual !== expected) return new PositionConflict(stream, expected, actual);
    appended.set(stream, actual + 1);
  }
  return undefined;
}

/** The disk failed, or is full including the reserve. Pending commits will never be durable, so the owner exits. */
export class StoreFailed extends Error {}

/** Only an operator knows which data are the right ones, so nothing is opened; the message contains what to do. */
export class StoreInDoubt extends StoreFailed {}

/** The database lost commits that it had confirmed: an old backup was restored, or a standby without them promoted. */
export class CommitsForgotten extends StoreFailed {}

/** A record differs from what was written. The store is not opened; the message contains the record. */
export class CorruptRecord extends Error {
  readonly record: string;

  constructor(record: string, what: string) {
    super(`${record}: ${what}`);
    this.record = record;
  }
}
