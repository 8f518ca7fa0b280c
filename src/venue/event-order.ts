/**
 * Orders the execution stream, as a state machine without I/O (contract G42, G48; R65-R67). Events may arrive
 * duplicated, reordered or with gaps; each is delivered once, in order of seq. No event passes a gap before it is
 * filled. If a seq goes backward, the stream is latched until an operator has checked it.
 */
import { isDeepStrictEqual } from 'node:util';
import { ShortLivedMap } from '../runtime/short-lived-map.ts';
import type { Profile } from './profile.ts';
import type { VenueEvent } from './venue-event.ts';

/**
 * `reorderEvents` is how many events may wait behind a gap; others are dropped and fetched again by gap-fill.
 * `reorderWaitMs` is how long the bridge waits for reordered events before it fills a gap.
 */
type Rules = Pick<Profile['stream'], 'seqModel' | 'reorderEvents' | 'reorderWaitMs'>;

export type EventStep =
  | { readonly kind: 'deliver'; readonly events: readonly VenueEvent[] }
  /** Fetch events from `fromSeq` (inclusive) and pass the result to `filled`. */
  | { readonly kind: 'fill'; readonly fromSeq: number }
  | { readonly kind: 'wait'; readonly untilMs: number }
  | { readonly kind: 'latch'; readonly reason: string };

/** Distinguishes events of the same seq. */
type Look = Pick<VenueEvent, 'kind' | 'orderId' | 'engineTsMs'> & {
  readonly fillId: string | undefined;
};

export class EventOrder {
  /** `recovered` counts the events that arrived only by gap-fill. */
  readonly counts = { delivered: 0, duplicates: 0, reordered: 0, gapFills: 0, recovered: 0 };
  readonly #rules: Rules;
  readonly #waiting = new Map<number, VenueEvent>();
  /** Fingerprints of the last events by seq, to distinguish a duplicate from a venue that started over. */
  readonly #recent = new ShortLivedMap<number, Look>();
  /** The seqs in `#recent`, as a ring: the next one overwrites the oldest. */
  readonly #recentSeqs: number[] = [];
  #lastSeq: number;
  #lastEngineTsMs = 0;
  #highestSeen: number;
  /** The venue's last statement, which may have been about another account: the next one replaces it. */
  #venueSeq = 0;
  #isFilling = false;
  /** The last seq when the venue was last queried. */
  #askedAfterSeq: number;
  #isCatchingUp = false;
  /** The last query failed. */
  #isUnanswered = false;
  #holeUntilMs: number | null = null;
  /** Live events do not show what comes before them, so each waits for a query, though no other may be missing. */
  #isUnproven = false;
  #latch: string | null = null;

  constructor(rules: Rules, lastSeq: number) {
    this.#rules = rules;
    this.#lastSeq = lastSeq;
    this.#highestSeen = lastSeq;
    this.#askedAfterSeq = lastSeq;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get latch(): string | null {
    return this.#latch;
  }

  /** The number of known events that are not delivered yet. */
  get lag(): number {
    return Math.max(this.#highestSeen, this.#venueSeq) - this.#lastSeq;
  }

  /** Whether events are missing, or it is not known that none are. */
  get isBehind(): boolean {
    return this.#isCatchingUp || this.#isUnanswered || (this.lag > 0 && !this.#isUnproven);
  }

  /** Whether events that were missed while disconnected are still being filled. */
  get isCatchingUp(): boolean {
    return this.#isCatchingUp;
  }

  /** Called when a connection is about to be made or established: missed events come first, and live events wait. */
  connected(): EventStep[] {
    if (this.#latch !== null) return [];
    this.#isCatchingUp = true;
    return this.#fill();
  }

  live(event: VenueEvent, nowMs: number): EventStep[] {
    if (this.#latch !== null) return [];
    this.#highestSeen = Math.max(this.#highestSeen, event.seq);
    this.#isUnproven = this.#rules.seqModel === 'global' && event.prevSeq === null;
    if (event.seq <= this.#lastSeq) return this.#duplicate(event);
    if (this.#isFilling ? this.#isNextOfProbe(event) : this.#follows(event)) {
      return this.#deliver(event);
    }
    if (this.#waiting.size < this.#rules.reorderEvents) this.#waiting.set(event.seq, event);
    if (this.#isFilling) return [];
    this.counts.reordered += 1;
    if (this.#waiting.size >= this.#rules.reorderEvents) return this.#fill();
    if (this.#holeUntilMs !== null) return [];
    this.#holeUntilMs = nowMs + this.#rules.reorderWaitMs;
    return [{ kind: 'wait', untilMs: this.#holeUntilMs }];
  }

  /** An event could not be read, so it is fetched again: no event may be skipped. */
  suspect(): EventStep[] {
    return this.#latch === null && !this.#isFilling ? this.#fill() : [];
  }

  time(nowMs: number): EventStep[] {
    if (this.#holeUntilMs === null || nowMs < this.#holeUntilMs) return [];
    return this.#latch === null && !this.#isFilling ? this.#fill() : [];
  }

  /** A page of the gap-fill, in order of seq; `complete` is set on the last page. */
  filled(
    events: readonly VenueEvent[],
    venueLastSeq: number | null,
    complete: boolean,
  ): EventStep[] {
    if (this.#latch !== null) return [];
    const backward = this.#seen(venueLastSeq);
    if (backward !== null) return backward;
    const ready: VenueEvent[] = [];
    for (const event of [...events].sort((a, b) => a.seq - b.seq)) {
      if (event.seq <= this.#lastSeq) continue;
      if (!this.#follows(event, true)) break;
      this.counts.recovered += 1;
      this.#pass(event, ready);
    }
    if (!complete && ready.length > 0) return [...deliveries(ready), this.#again()];
    this.#isFilling = false;
    this.#isCatchingUp = !complete;
    this.#isUnanswered = false;
    this.#holeUntilMs = null;
    this.#drain(ready);
    const isHole = !complete || this.lag > 0 || events.some(({ seq }) => seq > this.#lastSeq);
    return isHole ? [...deliveries(ready), ...this.#fill()] : deliveries(ready);
  }

  /** The gap-fill failed; the caller retries later through `suspect`. */
  fillFailed(): void {
    this.#isFilling = false;
    this.#isUnanswered = true;
  }

  /** Events that the gap-fill no longer has were rebuilt from receipts up to `seq` (R75). */
  rebuiltTo(seq: number): EventStep[] {
    this.#lastSeq = Math.max(this.#lastSeq, seq);
    for (const waiting of this.#waiting.keys()) {
      if (waiting <= this.#lastSeq) this.#waiting.delete(waiting);
    }
    return this.#fill();
  }

  /** Where seq counts the whole venue, only prevSeq or a page of the gap-fill shows what comes before an event. */
  #follows({ seq, prevSeq }: VenueEvent, isOfPage = false): boolean {
    if (this.#rules.seqModel === 'contiguous') return seq === this.#lastSeq + 1;
    return prevSeq === null ? isOfPage : prevSeq <= this.#lastSeq;
  }

  /** A check for a lost frame delays nothing: there is no gap before the very next event. */
  #isNextOfProbe({ seq }: VenueEvent): boolean {
    return !this.#isCatchingUp && seq === this.#lastSeq + 1;
  }

  #deliver(event: VenueEvent): EventStep[] {
    const ready: VenueEvent[] = [];
    this.#pass(event, ready);
    this.#drain(ready);
    if (this.#waiting.size === 0) this.#holeUntilMs = null;
    return deliveries(ready);
  }

  #drain(ready: VenueEvent[]): void {
    for (const seq of [...this.#waiting.keys()].sort((a, b) => a - b)) {
      const event = this.#waiting.get(seq);
      if (event === undefined) continue;
      if (seq > this.#lastSeq && !this.#follows(event)) return;
      this.#waiting.delete(seq);
      if (seq > this.#lastSeq) this.#pass(event, ready);
    }
  }

  #pass(event: VenueEvent, ready: VenueEvent[]): void {
    this.#lastSeq = event.seq;
    this.#lastEngineTsMs = event.engineTsMs;
    this.#highestSeen = Math.max(this.#highestSeen, event.seq);
    const place = this.counts.delivered % this.#rules.reorderEvents;
    this.#recent.delete(this.#recentSeqs[place] ?? event.seq);
    this.#recentSeqs[place] = event.seq;
    this.#recent.set(event.seq, lookOf(event));
    this.counts.delivered += 1;
    ready.push(event);
  }

  #duplicate(event: VenueEvent): EventStep[] {
    const known = this.#recent.get(event.seq);
    const isSame =
      known === undefined
        ? event.engineTsMs <= this.#lastEngineTsMs
        : isDeepStrictEqual(lookOf(event), known);
    const isFirst = known === undefined && this.#lastEngineTsMs === 0;
    this.counts.duplicates += 1;
    if (isSame || isFirst) return [];
    return this.#end(
      `seq ${event.seq} came again with another event; ${this.#lastSeq} was reached`,
    );
  }

  #fill(): EventStep[] {
    this.#isFilling = true;
    this.#holeUntilMs = null;
    return [this.#again()];
  }

  #again(): EventStep {
    this.counts.gapFills += 1;
    this.#askedAfterSeq = this.#lastSeq;
    return { kind: 'fill', fromSeq: this.#lastSeq + 1 };
  }

  #seen(venueLastSeq: number | null): EventStep[] | null {
    if (venueLastSeq === null) return null;
    // A venue-wide seq also counts the events of other accounts, so a gap in it does not mean that one of ours is
    // missing.
    if (this.#rules.seqModel === 'contiguous') this.#venueSeq = venueLastSeq;
    // Live events may have overtaken the answer, so it is compared with the state at the time of the query.
    if (venueLastSeq >= this.#askedAfterSeq) return null;
    return this.#end(`the venue is at seq ${venueLastSeq}, but ${this.#askedAfterSeq} was reached`);
  }

  #end(reason: string): EventStep[] {
    this.#latch = reason;
    this.#waiting.clear();
    return [{ kind: 'latch', reason }];
  }
}

function deliveries(events: readonly VenueEvent[]): EventStep[] {
  return events.length === 0 ? [] : [{ kind: 'deliver', events }];
}

function lookOf({ kind, orderId, engineTsMs, fill }: VenueEvent): Look {
  return { kind, orderId, engineTsMs, fillId: fill?.fillId };
}
