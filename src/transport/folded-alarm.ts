/**
 * Limits alarms that every message could raise to one per minute for a session or account. The first is raised at once,
 * and the next one contains the number in between. A peer that rejects one report usually rejects all of its kind.
 */
const quietMs = 60_000;
const longestText = 200;

export class FoldedAlarm {
  #count = 0;
  #alarmed = 0;
  #nextAlarmMs = Number.NEGATIVE_INFINITY;

  /** The number since the start. */
  get count(): number {
    return this.#count;
  }

  /** Counts one; returns the alarm to raise, or undefined within a minute of the last. */
  add(what: string, monoMs: number): string | undefined {
    this.#count += 1;
    if (monoMs < this.#nextAlarmMs) return undefined;
    const others = this.#count - this.#alarmed - 1;
    this.#alarmed = this.#count;
    this.#nextAlarmMs = monoMs + quietMs;
    return others === 0 ? what : `${what}; ${others} more since the last alarm`;
  }
}

/** A reject by the peer: the message of ours that it refers to, and the peer's own text. */
export interface PeerReject {
  readonly ours: string;
  readonly text: string;
}

/** The text is truncated and quoted, so that it cannot be mistaken for ours. */
export function peerRejectText({ ours, text }: PeerReject): string {
  return `the peer rejected our ${ours}: ${JSON.stringify(text.slice(0, longestText))}`;
}
