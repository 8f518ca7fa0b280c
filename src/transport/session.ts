/**
 * The waist of the bridge. A session is a state machine: bytes and time go in, effects come out. It owns no socket,
 * timer or file, so the same code runs on a socket, in a test and in the simulator (docs/ARCHITECTURE.md, "Session").
 */
import type { Instant } from '../runtime/clock.ts';

export interface Session {
  /** The transport is up; an initiator speaks first. */
  opened(now: Instant): void;
  /** Any piece of the stream. `bytes` is only lent: the session copies what it keeps. */
  received(bytes: Uint8Array, now: Instant): void;
  /** Time has passed. Returns the monotonic time at which the session next wants to be called. */
  tick(now: Instant): number;
  /** Messages asked for by `Effects.fetch`, in pieces; `done` with the last. */
  fetched(piece: StoredMessages, now: Instant): void;
  /** The transport is gone, whoever ended it. */
  closed(now: Instant): void;
}

/**
 * What a session asks of the world, in order, while one of its methods runs. The host makes all records of a call
 * durable before it transmits any byte that came after them: record, then transmit.
 */
export interface Effects {
  record(write: SessionWrite): void;
  /** `bytes` is only lent: the host copies or writes at once. */
  transmit(bytes: Uint8Array): void;
  /** Asks for stored outbound messages; answered by `Session.fetched`, when the transport has room. */
  fetch(fromSeq: number, toSeq: number): void;
  disconnect(reason: string): void;
}

/** What a session wants to survive a crash. Sequence numbers count from 1 and are safe integers. */
export type SessionWrite =
  | {
      readonly kind: 'sent';
      readonly seq: number;
      readonly bytes: Uint8Array;
      readonly keep: boolean;
    }
  | { readonly kind: 'expect'; readonly nextIn: number }
  | { readonly kind: 'reset'; readonly nextIn: number; readonly nextOut: number };

/** A piece of the stored outbound messages: those of `fromSeq` to `toSeq` that were kept, in order. */
export interface StoredMessages {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly messages: readonly { readonly seq: number; readonly bytes: Uint8Array }[];
  /** Below this number nothing is kept any more. */
  readonly oldestKept: number;
  readonly done: boolean;
}
