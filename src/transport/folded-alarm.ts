/**
 * One alarm or notice a minute of a session or an account for what may happen with every message: the first at once, with the
 * count of those in between. A peer that rejects one report rejects all of its kind.
 */
const quietMs = 60_000;
const longestText = 200;

export class FoldedAlarm {
  #count = 0;
  #alarmed = 0;
  #nextAlarmMs = Number.NEGATIVE_INFINITY;

  /** Since the start. */
  get count(): number {
    return this.#count;
  }

  /** Counts one; answers the alarm to raise, undefined within a minute of the last. */
  add(what: string, monoMs: number): string | undefined {
    this.#count += 1;
    if (monoMs < this.#nextAlarmMs) return undefined;
    const others = this.#count - this.#alarmed - 1;
    this.#alarmed = this.#count;
    this.#nextAlarmMs = monoMs + quietMs;
    return others === 0 ? what : `${what}; ${others} more since the last alarm`;
  }
}

/** A reject by the peer: the message of ours that it names, and the reason in the peer's own words. */
export interface PeerReject {
  readonly ours: string;
  readonly text: string;
}

/** The words are cut and quoted, so that they cannot pass for ours. */
export function peerRejectText({ ours, text }: PeerReject): string {
  return `the peer rejected our ${ours}: ${JSON.stringify(text.slice(0, longestText))}`;
}
