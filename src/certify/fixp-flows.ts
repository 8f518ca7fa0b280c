/**
 * Both flows of a FIXP session. Messages contain no sequence numbers, so each side counts. As in FIX, if a scenario
 * sends out of sequence, the counterparty's expectation counts instead of our own.
 */
import { fieldOf, numberOf, type ReceivedMessage } from './received-message.ts';
import { type Difference, type Field, Resends } from './resends.ts';

/** Messages of the session itself; all others are numbered, as are Applied and NotApplied. */
const unnumbered = new Set([
  ...['Negotiate', 'NegotiationResponse', 'NegotiationReject', 'Topic'],
  ...['Establish', 'EstablishmentAck', 'EstablishmentReject'],
  ...['Sequence', 'Context', 'UnsequencedHeartbeat', 'MessageTemplate'],
  ...['RetransmitRequest', 'Retransmission', 'RetransmitReject'],
  ...['Terminate', 'FinishedSending', 'FinishedReceiving'],
]);

export function isNumbered({ msgType }: ReceivedMessage): boolean {
  return !unnumbered.has(msgType);
}

/** One direction: the sequence number that its reader expects next, and the retransmission in progress. */
class Flow {
  next = 1;
  #replayed = 1;
  #replaysLeft = 0;

  /** A new connection starts without a retransmission in progress; a new session also starts at 1. */
  resume(next = this.next): void {
    this.next = next;
    this.#replaysLeft = 0;
  }

  replays(message: ReceivedMessage): void {
    this.#replayed = numberOf(message, 'NextSeqNo') ?? this.next;
    this.#replaysLeft = numberOf(message, 'Count') ?? 0;
  }

  /** Returns the number of the message. */
  count(): { readonly seq: number; readonly isReplay: boolean } {
    if (this.#replaysLeft === 0) {
      const seq = this.next;
      this.next += 1;
      return { seq, isReplay: false };
    }
    const seq = this.#replayed;
    this.#replaysLeft -= 1;
    this.#replayed += 1;
    this.next = Math.max(this.next, this.#replayed);
    return { seq, isReplay: true };
  }
}

export class FixpFlows {
  /** 32 hex digits; empty until one was negotiated. */
  sessionId = '';
  readonly #weAreClient: boolean;
  readonly #ours = new Flow();
  readonly #theirs = new Flow();
  readonly #resends = new Resends();
  #announced = 1;
  /** How the last message that was received differs from the one that it repeats. */
  changed: Difference | undefined;

  constructor(weAreClient: boolean) {
    this.#weAreClient = weAreClient;
  }

  /** The number that the counterparty expects next. */
  get nextOut(): number {
    return this.#ours.next;
  }

  /** The number that we expect next. */
  get nextIn(): number {
    return this.#theirs.next;
  }

  /** The number of our next message, after a gap that has not been filled. */
  get announced(): number {
    return Math.max(this.#announced, this.#ours.next);
  }

  sent(message: ReceivedMessage): void {
    const { msgType } = message;
    const next = numberOf(message, 'NextSeqNo');
    if (msgType === 'Negotiate') this.#begin(message);
    else if (msgType === 'Establish') {
      this.#resume(message);
      this.#ours.next = next ?? this.#ours.next;
    } else if (msgType === 'Retransmission') this.#ours.replays(message);
    else if (msgType === 'Sequence') {
      this.#announced = next ?? this.#announced;
      // A gap in a client's flow is reported but not filled; a gap in a server's flow is requested.
      if (this.#weAreClient) this.#ours.next = this.announced;
    } else if (msgType === 'RetransmitReject') this.#ours.next = this.announced;
    else if (isNumbered(message)) this.#ours.count();
  }

  /** Returns the fault in the numbering of a message, or undefined. */
  received(message: ReceivedMessage): string | undefined {
    const next = numberOf(message, 'NextSeqNo');
    const expected = this.#theirs.next;
    this.changed = undefined;
    switch (message.msgType) {
      case 'Negotiate':
        this.#begin(message);
        return undefined;
      case 'Establish':
        this.#resume(message);
        this.#theirs.next = next ?? expected;
        return next === undefined || next <= expected ? undefined : `at most ${expected}`;
      case 'EstablishmentAck':
        this.#theirs.next = next ?? expected;
        return next === undefined || next >= expected ? undefined : `at least ${expected}`;
      case 'Sequence':
      case 'Context':
        this.#theirs.next = next ?? expected;
        return next === expected ? undefined : String(expected);
      case 'Retransmission':
        this.#theirs.replays(message);
        return undefined;
    }
    if (isNumbered(message)) {
      const { isReplay, seq } = this.#theirs.count();
      const body: readonly Field[] = [['message', message.msgType], ...message.fields];
      this.changed = this.#resends.take(seq, body, isReplay);
    }
    return undefined;
  }

  #begin(message: ReceivedMessage): void {
    this.#resends.forget();
    this.#resume(message, 1);
  }

  #resume(message: ReceivedMessage, next?: number): void {
    this.sessionId = fieldOf(message, 'SessionId') ?? '';
    this.#announced = 1;
    this.#ours.resume(next);
    this.#theirs.resume(next);
  }
}
