/**
 * A venue without nonces, actions or signatures: it sends each intent at once, or holds it while it is closed, and learns the
 * outcome from an input. The engine must work with it as it works with the outbox, because nothing in the engine may depend
 * on one venue.
 */
import type { Intent } from '../../src/domain/intent.ts';
import type { Outcome } from '../../src/domain/transition.ts';
import type { OrderId } from '../../src/domain/units.ts';
import type {
  Moment,
  RequestRef,
  VenuePort,
  VenueUpdate,
  Wanted,
  Withdrawal,
} from '../../src/engine/venue-port.ts';

export type PlainInput = {
  readonly kind: 'reply';
  readonly ref: string;
  readonly outcome: Outcome;
};
export type PlainEffect = {
  readonly kind: 'request';
  readonly ref: string;
  readonly intent: Intent;
  readonly clientOrderId: string | null;
  readonly isJudged: boolean;
};

interface Carried extends Wanted {
  readonly id: number;
  readonly isJudged: boolean;
  state: 'waiting' | 'out';
}

export class PlainVenue implements VenuePort<PlainInput, PlainEffect> {
  /** What the engine called, in order, apart from the requests themselves. */
  readonly calls: string[] = [];
  isOpen = true;
  #carried: Carried[] = [];
  #effects: (VenueUpdate | PlainEffect)[] = [];
  #lastId = 0;

  want(wanted: Wanted, isJudged: boolean, now: Moment): void {
    this.#lastId += 1;
    const carried: Carried = { ...wanted, id: this.#lastId, isJudged, state: 'waiting' };
    this.#carried.push(carried);
    if (this.isOpen) this.#send(carried, now);
    else if (wanted.asked !== null) this.#effects.push({ kind: 'waits', asked: wanted.asked });
  }

  carried(): (asked: RequestRef) => boolean {
    const carried = [...this.#carried];
    return (asked) => carried.some((one) => isSame(one.asked, asked));
  }

  judged(id: number, denial: Withdrawal | null, now: Moment): void {
    this.calls.push(`judged ${id}: ${denial?.refusal.code ?? 'may go'}`);
    const carried = this.#carried.find((one) => one.id === id);
    if (carried === undefined) return;
    if (denial === null) this.#send(carried, now);
    else this.#end(carried, denial);
  }

  beforeEvent({ seq }: { readonly seq: number }): void {
    this.calls.push(`before ${seq}`);
  }

  afterEvent({ seq }: { readonly seq: number }): void {
    this.calls.push(`after ${seq}`);
  }

  misnamed(kind: string, ours: string, theirs: string): void {
    this.calls.push(`${kind} ${ours} is ${theirs}`);
  }

  withdraw(matches: (asked: RequestRef) => boolean, why: Withdrawal): void {
    const places = ({ intent }: Wanted) => intent.kind === 'place' || intent.kind === 'group';
    for (const one of this.#waiting(matches)) if (places(one)) this.#end(one, why);
  }

  withdrawWaiting(matches: (asked: RequestRef) => boolean, why: Withdrawal): void {
    for (const one of this.#waiting(matches)) this.#end(one, why);
  }

  started(): void {
    this.calls.push('started');
  }

  resume(): void {
    this.calls.push('resume');
  }

  open(now: Moment): void {
    this.isOpen = true;
    for (const one of this.#waiting(() => true)) this.#send(one, now);
  }

  step({ outcome, ref }: PlainInput): void {
    const index = this.#carried.findIndex(({ id }) => refOf(id) === ref);
    const [carried] = index < 0 ? [] : this.#carried.splice(index, 1);
    const asked = carried?.asked ?? null;
    if (asked !== null) this.#effects.push({ kind: 'outcome', asked, outcome });
  }

  settle(): void {
    this.calls.push('settle');
  }

  takeEffects(): readonly (VenueUpdate | PlainEffect)[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  #waiting(matches: (asked: RequestRef) => boolean): Carried[] {
    return this.#carried.filter(
      ({ asked, state }) => state === 'waiting' && asked !== null && matches(asked),
    );
  }

  #send(carried: Carried, { wallMs: atMs }: Moment): void {
    const { asked, clientOrderId, id, intent, isJudged } = carried;
    carried.state = 'out';
    const ref = refOf(id);
    if (asked !== null) {
      const orderId = intent.kind === 'place' ? orderIdOf(ref) : null;
      const legIds =
        intent.kind === 'group' ? intent.legs.map((_, leg) => orderIdOf(`${ref}.${leg}`)) : [];
      const ids = { orderId, firedOrderId: null, legIds };
      this.#effects.push({ kind: 'sent', asked, venueRef: ref, ...ids, atMs });
    }
    this.#effects.push({ kind: 'request', ref, intent, clientOrderId, isJudged });
  }

  #end(carried: Carried, { refusal, text }: Withdrawal): void {
    this.#carried.splice(this.#carried.indexOf(carried), 1);
    const denial = { refusal, text, number: null, isSpent: null };
    const outcome = { kind: 'refused', denial } as const;
    if (carried.asked !== null)
      this.#effects.push({ kind: 'outcome', asked: carried.asked, outcome });
  }
}

/** The id that this venue gives to the order of a request. */
export function orderIdOf(ref: string): OrderId {
  return `0x${ref}` as OrderId;
}

function refOf(id: number): string {
  return `request-${id}`;
}

function isSame(one: RequestRef | null, other: RequestRef): boolean {
  return one?.key === other.key && one.requestId === other.requestId;
}
