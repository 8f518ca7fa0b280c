/** A submission with its clock, and what it is told. */

import type { CancelIntent, Intent, PlaceIntent } from '../../../src/domain/intent.ts';
import type { MarketId, OrderId, Price, Qty } from '../../../src/domain/units.ts';
import { newSubmission, type Submission } from '../../../src/venue/outbox/submission.ts';
import {
  advance,
  type Found,
  type Outcome,
  type Step,
  type SubmissionEvent,
} from '../../../src/venue/outbox/submission-life.ts';
import { venueRefusal } from '../../../src/venue/refusals.ts';
import { nothingOfNonces, type Verdict } from '../../../src/venue/verdict.ts';

export const hourMs = 3_600_000;
export const rules = {
  backoff: { firstMs: 250, maxMs: 5000 },
  patienceMs: 5000,
  staleAfterMs: 60_000,
};
export const place: PlaceIntent = {
  kind: 'place',
  market: 1 as MarketId,
  book: null,
  side: 'Bid',
  price: 100_000_000n as Price,
  qty: 1_000_000n as Qty,
  stp: null,
  timeInForce: 'gtc',
  isMarket: false,
  reduceOnly: false,
  expiresAtMs: null,
};
export const cancel: CancelIntent = {
  kind: 'cancel',
  target: 'order',
  orderId: `0x${'ab'.repeat(32)}` as OrderId,
};

/** `own`: a fence or a filler, which no order asked for. */
export interface Origin {
  readonly intent?: Intent;
  readonly own?: 'fence' | 'filler';
}

/** A submission with its clock; `say` gives the kinds of the steps, and of an act its name. */
export class Run {
  readonly own: Submission;
  now = 0;
  steps: Step[] = [];

  constructor({ intent = place, own }: Origin = {}) {
    const asked = own === undefined ? { key: 'k', requestId: 'new' } : null;
    const wanted = { asked, intent: own === undefined ? intent : cancel, clientOrderId: null };
    this.own = newSubmission(7, { ...wanted, fencedId: own === 'fence' ? 3 : null }, 0);
  }

  /** Its bytes are made, and go out. */
  started(madeMs = 0): this {
    const bytes = { text: '{}', hash: '01', madeMs, placed: { kind: 'none' } };
    Object.assign(this.own, { state: 'out', nonce: 1, hasLeft: false, bytes });
    this.steps = [{ kind: 'send' }];
    return this;
  }

  say(event: SubmissionEvent): string[] {
    this.steps = advance(this.own, event, this.now, rules);
    return this.steps.map((step) => (step.kind === 'act' ? step.act : step.kind));
  }

  answer(verdict: Verdict): string[] {
    return this.say({ kind: 'answered', verdict });
  }

  found(kind: 'applied' | 'nothing' | 'unreadable' | Found): string[] {
    if (typeof kind === 'object') return this.say({ kind: 'found', found: kind });
    return this.say({ kind: 'found', found: { kind, seq: 3, problem: '503' } as Found });
  }

  /** As the outbox does: the gate is asked, and what it permits is not sent any more. */
  withdraw(): string[] {
    this.own.withdrawn ??= withdrawal;
    return this.say({ kind: 'withdrawn' });
  }

  refused(
    name: string,
    retryAfterMs: number | null = null,
    nonceConsumed: boolean | null = null,
  ): string[] {
    const refusal = venueRefusal(name);
    return this.answer({
      kind: refusal.decisive ? 'refused' : 'unknown',
      refusal,
      text: name,
      nonce: { ...nothingOfNonces, nonceFloor: 40, nonceConsumed },
      retryAfterMs,
    });
  }

  /** Advances to the time that it waits for. */
  wake(): string[] {
    this.now = Math.max(this.now, this.own.wakeMs);
    return this.say({ kind: 'time' });
  }

  /** Finds nothing, nor gets its nonce fenced off, `times` times over, and gives the last steps. */
  nothing(times: number): string[] {
    let said: string[] = [];
    for (let count = 0; count < times; count += 1) {
      const woken = this.wake();
      if (woken.join() !== 'look') throw new Error(`it said ${woken.join()} and does not look`);
      said = this.found('nothing');
      if (said[0] === 'fence') said = this.say({ kind: 'not_fenced' });
    }
    return said;
  }

  get outcome(): Outcome | undefined {
    return this.steps.find((step) => step.kind === 'end')?.outcome;
  }
}

export const lost = {
  kind: 'unknown',
  refusal: venueRefusal('no_answer'),
  text: 'ECONNRESET',
  nonce: nothingOfNonces,
  retryAfterMs: null,
} satisfies Verdict;
export const accepted = {
  kind: 'accepted',
  seq: 7,
  orderIds: [],
  nonce: nothingOfNonces,
} satisfies Verdict;
export const unsent = {
  kind: 'unsent',
  refusal: venueRefusal('bridge.venue_unreachable'),
  text: 'ECONNREFUSED',
} satisfies Verdict;
export const withdrawal = { refusal: venueRefusal('bridge.kill_switch'), text: 'runaway' };
