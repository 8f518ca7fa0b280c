/**
 * The interface between sessions and everything else. A session is a state machine: bytes and time are its inputs, and
 * its effects are outputs. It owns no socket, timer or file, so the same code runs on a socket, in a test and in the
 * simulator (docs/ARCHITECTURE.md, "Session").
 *
 * The host calls a session within a transaction. Everything that the session collects in the transaction (responses,
 * application messages, sequence numbers) is handed over once, in `flush`, at the end: a transaction is one commit and
 * one write to the socket.
 */
import type { Instant } from '../runtime/clock.ts';
import type { PendingVerdict } from './pending-verdict.ts';

export interface Session {
  /** The connection is up; an initiator sends first. */
  opened(peer: Peer, now: Instant): void;
  /** Receives any piece of the stream. `bytes` is valid only during the call: the session copies what it keeps. */
  received(bytes: Uint8Array, now: Instant): void;
  /**
   * Time has passed. Returns the monotonic time of the next call that the session needs, or infinity. It is cheap: the
   * host also calls it at the end of each transaction that involved the session, to get a new deadline.
   */
  tick(now: Instant): number;
  /** Receives messages requested with `Effects.fetch`, in pieces; `done` is set on the last one. */
  fetched?(piece: StoredMessages, now: Instant): void;
  /** Receives messages requested with `Effects.fetchHeld`, in order. */
  fetchedHeld?(messages: readonly HeldMessage[], now: Instant): void;
  /** Called at the end of the transaction in which `Effects.gathered` was called. */
  flush(): void;
  /** The wait of `Effects.wait` is over. Nothing was received in the meantime. */
  proceed?(now: Instant): void;
  /** The connection has closed, whichever side closed it. */
  closed(now: Instant): void;
  /** Why the last connection ended, such as the text of the peer's Logout. */
  readonly endReason: string;
}

/**
 * The effects that a session requests, in order, while one of its methods runs. The host makes all records of a
 * transaction durable before it sends any byte of it: record, then transmit. The bytes belong to the host: the session
 * never changes them again, and the host need not copy them.
 */
export interface Effects {
  record(write: SessionWrite): void;
  transmit(bytes: Uint8Array): void;
  /** Nothing more is received until this resolves; then `Session.proceed` is called, unless the connection closed. */
  wait(over: Promise<unknown>): void;
  /**
   * Requests stored outbound messages; `Session.fetched` receives them in pieces, when the connection has room. After
   * another request, or a `reset`, no more pieces of this one arrive.
   */
  fetch(fromSeq: number, toSeq: number): void;
  /** Requests a bounded number of held messages after a position; `Session.fetchedHeld` receives them. */
  fetchHeld(afterPosition: number): void;
  /** Closes the connection once everything has been written, or after a bounded wait. */
  disconnect(reason: string): void;
  /** The peer has authenticated. */
  loggedOn(): void;
  /** An operator should check this; `kind` is for programs. */
  alarm(kind: string, text: string): void;
  /**
   * Called before a message of the peer is handled. Returns false if a message with the same content stopped a process
   * before, so that it is to be refused. `contentOf` returns what stays the same when the peer sends a message again.
   */
  takes(message: Uint8Array, contentOf: (message: Uint8Array) => string): boolean;
  /**
   * Requests a call of `Session.flush`. Called in any transaction, also by an application, at most once before a flush.
   */
  gathered(): void;
}

/** The records of a session that must survive a crash. Sequence numbers count from 1 and are safe integers. */
export type SessionWrite =
  /** Application messages with consecutive numbers; `ends[i]` is the end of message i in `bytes`. */
  | {
      readonly kind: 'messages';
      readonly firstSeq: number;
      readonly bytes: Uint8Array;
      readonly ends: readonly number[];
    }
  /** The session's sequence numbers. Numbers below `nextOut` without a message were administrative messages. */
  | { readonly kind: 'numbers'; readonly nextIn: number; readonly nextOut: number }
  /** Sets the sequence numbers and drops stored messages; held messages remain. */
  | { readonly kind: 'reset'; readonly nextIn: number; readonly nextOut: number }
  /** A message that waits for the next logon and has no number yet. Positions start at 1. */
  | { readonly kind: 'hold'; readonly position: number; readonly bytes: Uint8Array }
  /** A value that the next start needs: the position of the last released message, or the period of the schedule. */
  | { readonly kind: 'mark'; readonly name: 'released' | 'period'; readonly value: number };

/** A part of the stored outbound messages: those kept from `fromSeq` to `toSeq`, in order. */
export interface StoredMessages {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly messages: readonly { readonly seq: number; readonly bytes: Uint8Array }[];
  /** Messages below this number are no longer kept. */
  readonly oldestKept: number;
  readonly done: boolean;
}

export interface HeldMessage {
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** The peer of a connection. */
export interface Peer {
  readonly address: string;
  readonly isTls?: boolean;
  /** With mutual TLS: the SHA-256 fingerprint as 64 lower-case hex digits, and the subject's common name. */
  readonly certificate?: { readonly fingerprint256: string; readonly commonName: string };
}

/**
 * The configuration's verdict on an address or certificate: `expected` or `stranger`. A stranger's password is checked
 * as if the name did not exist, so that response and timing do not reveal whether it does.
 */
export type Standing = 'expected' | 'stranger';

/** The text for the peer, if the operator sees a different reason. */
export interface Objection {
  readonly peerText: string;
  readonly reason: string;
}

/** Chooses the session of a new connection from its first message. */
export interface Reception<S = Session> {
  /** `bytes` is everything received so far. After `admit` the session gets `opened`, then all these bytes. */
  admit(bytes: Uint8Array, peer: Peer, now: Instant): Admission<S>;
  /** The claimed sender of the first message; empty if the message is incomplete or has no sender. */
  nameIn(bytes: Uint8Array): string;
}

export type Admission<S = Session> =
  | { readonly kind: 'more' }
  | { readonly kind: 'admit'; readonly session: S }
  /** Not known yet: the caller repeats the call when the pending verdict is known. */
  | { readonly kind: 'wait'; readonly pendingVerdict: PendingVerdict }
  /** Nothing was changed. `isOffence` counts against the name at the source: wrong credentials, and nothing else. */
  | {
      readonly kind: 'refuse';
      readonly reason: string;
      readonly answer?: Uint8Array;
      readonly isOffence: boolean;
    };
