/**
 * Our side of a ResendRequest(2): kept application messages go out again, everything else is folded into
 * SequenceReset-GapFill(4). One replay at a time; requests that come meanwhile wait as one, which spans them all. The
 * store is read in pieces, so new messages pass a replay under way.
 */
import type { StoredMessages } from '../transport/session.ts';

/** What a replay says: a message again, or the numbers from `fromSeq` up to `newSeqNo` as a gap. */
export interface ReplayOutput {
  again(bytes: Uint8Array): void;
  gapFill(fromSeq: number, newSeqNo: number): void;
  /** Numbers below `oldestKept` were asked for and are no longer kept. */
  beyondRetention(oldestKept: number): void;
}

interface Range {
  readonly fromSeq: number;
  readonly toSeq: number;
}

export class Replay {
  #current: Range | undefined;
  #waiting: Range | undefined;
  /** The next number to answer for. */
  #next = 0;
  #isRetentionTold = false;
  #lastFrom = 0;
  #lastTo = 0;
  #sameCount = 0;

  get isRunning(): boolean {
    return this.#current !== undefined;
  }

  /** How often this very request has come in a row, this time included. */
  count(fromSeq: number, endSeqNo: number): number {
    const isSame = fromSeq === this.#lastFrom && endSeqNo === this.#lastTo;
    this.#sameCount = isSame ? this.#sameCount + 1 : 1;
    this.#lastFrom = fromSeq;
    this.#lastTo = endSeqNo;
    return this.#sameCount;
  }

  /** The range to fetch now, or undefined while another is under way. */
  ask(fromSeq: number, toSeq: number): Range | undefined {
    if (this.#current === undefined) return this.#begin({ fromSeq, toSeq });
    const waiting = this.#waiting ?? { fromSeq, toSeq };
    this.#waiting = {
      fromSeq: Math.min(waiting.fromSeq, fromSeq),
      toSeq: Math.max(waiting.toSeq, toSeq),
    };
    return undefined;
  }

  /** Says a piece; answers the range to fetch when a waiting request has its turn. */
  piece(piece: StoredMessages, voice: ReplayOutput): Range | undefined {
    const range = this.#current;
    if (range === undefined) return undefined;
    const kept = Math.min(piece.oldestKept, range.toSeq + 1);
    if (!this.#isRetentionTold && this.#next < kept) {
      this.#isRetentionTold = true;
      voice.gapFill(this.#next, kept);
      voice.beyondRetention(kept);
      this.#next = kept;
    }
    for (const { seq, bytes } of piece.messages) {
      if (seq < this.#next || seq > range.toSeq) continue;
      if (seq > this.#next) voice.gapFill(this.#next, seq);
      voice.again(bytes);
      this.#next = seq + 1;
    }
    if (!piece.done) return undefined;
    if (this.#next <= range.toSeq) voice.gapFill(this.#next, range.toSeq + 1);
    const waiting = this.#waiting;
    this.stop();
    return waiting && this.#begin(waiting);
  }

  /** The connection is gone or the numbers were reset: whatever is fetched still is of no use. */
  stop(): void {
    this.#current = undefined;
    this.#waiting = undefined;
  }

  forgetCounts(): void {
    this.#lastFrom = 0;
    this.#sameCount = 0;
  }

  #begin(range: Range): Range {
    this.#current = range;
    this.#next = range.fromSeq;
    this.#isRetentionTold = false;
    return range;
  }
}
