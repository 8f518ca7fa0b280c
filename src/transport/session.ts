/**
 * The waist of the bridge. A session is a state machine: bytes and time go in, effects come out. It owns no socket,
 * timer or file, so the same code runs on a socket, in a test and in the simulator (docs/ARCHITECTURE.md, "Session").
 *
 * The host calls a session inside a turn. Whatever the session gathers in the turn (answers, an application's
 * messages, numbers) it hands over in `flush`, once, at the end: a turn is one commit and one write to the socket.
 */
import type { Instant } from '../runtime/clock.ts';
import type { PendingVerdict } from './pending-verdict.ts';

export interface Session {
  /** The transport is up; an initiator speaks first. */
  opened(peer: Peer, now: Instant): void;
  /** Any piece of the stream. `bytes` is only lent: the session copies what it keeps. */
  received(bytes: Uint8Array, now: Instant): void;
  /**
   * Time has passed. Returns the monotonic time at which the session next wants to be called, infinite if never.
   * Cheap: the host also calls it at the end of each turn that touched the session, to learn of a new deadline.
   */
  tick(now: Instant): number;
  /** Messages asked for by `Effects.fetch`, in pieces; `done` with the last. */
  fetched(piece: StoredMessages, now: Instant): void;
  /** Messages asked for by `Effects.fetchHeld`, in order. */
  fetchedHeld(messages: readonly HeldMessage[], now: Instant): void;
  /** Called at the end of the turn in which `Effects.gathered` was called. */
  flush(): void;
  /** What `Effects.wait` was about is over. Nothing was received meanwhile. */
  proceed?(now: Instant): void;
  /** The transport is gone, whoever ended it. */
  closed(now: Instant): void;
  /** Why the last connection ended, such as the text of the peer's Logout. */
  readonly endReason: string;
}

/**
 * What a session asks of the world, in order, while one of its methods runs. The host makes all records of a turn
 * durable before it transmits any byte of it: record, then transmit. Bytes are handed over: the session never
 * changes them again, and the host need not copy.
 */
export interface Effects {
  record(write: SessionWrite): void;
  transmit(bytes: Uint8Array): void;
  /** Nothing more is received until this is over; then `Session.proceed` is called, unless the transport is gone. */
  wait(over: Promise<unknown>): void;
  /** Asks for stored outbound messages; answered by `Session.fetched`, piece by piece, when the transport has room. */
  fetch(fromSeq: number, toSeq: number): void;
  /** Asks for held messages after a position, a bounded number of them; answered by `Session.fetchedHeld`. */
  fetchHeld(afterPosition: number): void;
  /** Closes the transport once all that was transmitted is written, or after a bounded wait. */
  disconnect(reason: string): void;
  /** The peer may speak from now on. */
  loggedOn(): void;
  /** Something that an operator should look at; `kind` is for machines. */
  alarm(kind: string, text: string): void;
  /**
   * Asked before a message of the peer is handled: false when one of the same content stopped a process before and is to
   * be refused. `contentOf` is what stays the same when the peer sends a message again.
   */
  takes(message: Uint8Array, contentOf: (message: Uint8Array) => string): boolean;
  /** Something waits for `Session.flush`. Called in any turn, an application's too, at most once before a flush. */
  gathered(): void;
}

/** What a session wants to survive a crash. Sequence numbers count from 1 and are safe integers. */
export type SessionWrite =
  /** Application messages with consecutive numbers; `ends[i]` is the end of message i in `bytes`. */
  | {
      readonly kind: 'messages';
      readonly firstSeq: number;
      readonly bytes: Uint8Array;
      readonly ends: readonly number[];
    }
  /** Where the session stands. Numbers below `nextOut` without a message were administrative. */
  | { readonly kind: 'numbers'; readonly nextIn: number; readonly nextOut: number }
  /** Numbers are set anew and stored messages dropped; held messages stay. */
  | { readonly kind: 'reset'; readonly nextIn: number; readonly nextOut: number }
  /** A message that waits for the next logon and has no number yet. Positions count from 1. */
  | { readonly kind: 'hold'; readonly position: number; readonly bytes: Uint8Array }
  /** A number to be found again at the next start: how far held messages went out, the period of the schedule. */
  | { readonly kind: 'mark'; readonly name: 'released' | 'period'; readonly value: number };

/** A piece of the stored outbound messages: those of `fromSeq` to `toSeq` that were kept, in order. */
export interface StoredMessages {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly messages: readonly { readonly seq: number; readonly bytes: Uint8Array }[];
  /** Below this number nothing is kept any more. */
  readonly oldestKept: number;
  readonly done: boolean;
}

export interface HeldMessage {
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** Who is at the other end of a connection. */
export interface Peer {
  readonly address: string;
  readonly isTls?: boolean;
  /** Of mutual TLS: the SHA-256 fingerprint as 64 lower-case hex digits, and the subject's common name. */
  readonly certificate?: { readonly fingerprint256: string; readonly commonName: string };
}

/**
 * What the configuration says of an address or certificate: `expected`, or that of a `stranger`, whose password is looked
 * at as if nobody had the name, so that the answer and its time do not tell that somebody has.
 */
export type Standing = 'expected' | 'stranger';

/** What the peer hears where the operator reads another reason. */
export interface Objection {
  readonly told: string;
  readonly reason: string;
}

/** Chooses the session of a new connection by what the connection sends first. */
export interface Reception<S = Session> {
  /** `bytes` is all that was received so far. After `admit` the session gets `opened`, then all these bytes. */
  admit(bytes: Uint8Array, peer: Peer, now: Instant): Admission<S>;
  /** Whom the first message claims to come from; empty if it is not complete or names nobody. */
  nameIn(bytes: Uint8Array): string;
}

export type Admission<S = Session> =
  | { readonly kind: 'more' }
  | { readonly kind: 'admit'; readonly session: S }
  /** Not known yet: the same is to be asked again when the inquiry is over. */
  | { readonly kind: 'wait'; readonly inquiry: PendingVerdict }
  /** Nothing was changed. `isOffence` counts against the name at the source: wrong credentials, and nothing else. */
  | {
      readonly kind: 'refuse';
      readonly reason: string;
      readonly answer?: Uint8Array;
      readonly isOffence: boolean;
    };
