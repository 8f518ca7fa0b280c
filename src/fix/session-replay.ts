/**
 * Our side of a ResendRequest(2): stored application messages are resent, everything else is merged into
 * SequenceReset-GapFill(4). There is one replay at a time; requests that arrive meanwhile are merged into one that
 * spans them all. The store is read in pieces, so new messages pass a replay in progress.
 */
import type { StoredMessages } from '../transport/session.ts';

/** A step of a replay: a resent message, or a gap from `fromSeq` to `newSeqNo`. */
export interface ReplayOutput {
  again(bytes: Uint8Array): void;
  gapFill(fromSeq: number, newSeqNo: number): void;
  /** Messages below `oldestKept` were requested but are no longer kept. */
  beyondRetention(oldestKept: number): void;
}

interface Range {
  readonly fromSeq: number;
  readonly toSeq: number;
}

export class Replay {
  #current: Range | undefined;
  #waiting: Range | undefined;
  /** The next number to resend. */
  #next = 0;
  #lastFrom = 0;
  #lastTo = 0;
  #sameCount = 0;

  /** Returns how many times in a row this request has arrived, including this time. */
  count(fromSeq: number, endSeqNo: number): number {
    const isSame = fromSeq === this.#lastFrom && endSeqNo === this.#lastTo;
    this.#sameCount = isSame ? this.#sameCount + 1 : 1;
    this.#lastFrom = fromSeq;
    this.#lastTo = endSeqNo;
    return this.#sameCount;
  }

  /** The range to fetch now, or undefined while another fetch is in progress. */
  ask(fromSeq: number, toSeq: number): Range | undefined {
    if (this.#current === undefined) return this.#begin({ fromSeq, toSeq });
    const waiting = this.#waiting ?? { fromSeq, toSeq };
    this.#waiting = {
      fromSeq: Math.min(waiting.fromSeq, fromSeq),
      toSeq: Math.max(waiting.toSeq, toSeq),
    };
    return undefined;
  }

  /** Sends a piece; returns the next range to fetch if another request is waiting. */
  piece(piece: StoredMessages, output: ReplayOutput): Range | undefined {
    const range = this.#current;
    if (range === undefined) return undefined;
    // Retention may have passed messages that were read just before.
    const readFrom = piece.messages[0]?.seq ?? range.toSeq + 1;
    const kept = Math.min(piece.oldestKept, readFrom, range.toSeq + 1);
    if (this.#next < kept) {
      output.gapFill(this.#next, kept);
      output.beyondRetention(kept);
      this.#next = kept;
    }
    for (const { seq, bytes } of piece.messages) {
      if (seq < this.#next || seq > range.toSeq) continue;
      if (seq > this.#next) output.gapFill(this.#next, seq);
      output.again(bytes);
      this.#next = seq + 1;
    }
    if (!piece.done) return undefined;
    if (this.#next <= range.toSeq) output.gapFill(this.#next, range.toSeq + 1);
    const waiting = this.#waiting;
    this.#current = undefined;
    this.#waiting = undefined;
    return waiting && this.#begin(waiting);
  }

  /** The connection has closed or the numbers were reset: pieces that are still being read are ignored. */
  stop(): void {
    this.#current = undefined;
    this.#waiting = undefined;
    this.#lastFrom = 0;
    this.#sameCount = 0;
  }

  #begin(range: Range): Range {
    this.#current = range;
    this.#next = range.fromSeq;
    return range;
  }
}
