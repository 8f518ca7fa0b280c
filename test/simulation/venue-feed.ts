/**
 * A venue that tells the same in other events: they leave out what they may, and some come twice over. Which members an
 * event has, and which events there are of one change, nobody has written down (contract G41).
 */
import type { EventKind } from '../../src/domain/event.ts';
import type { EmbeddedVenue } from '../../src/sandbox/embedded-venue.ts';
import type { ExecutionEvent } from '../../src/sandbox/engine/event.ts';
import { placed } from '../../src/sandbox/placed.ts';
import type { Dice } from './dice.ts';

type State = EmbeddedVenue['state'];
type Values = Readonly<Partial<Record<keyof State['profile']['stream']['event'], unknown>>>;

interface Omission {
  readonly members: readonly (keyof Values)[];
  readonly isOf: (kind: EventKind) => boolean;
}

const ofCause = ['actionHash', 'nonce', 'nonceConsumed'] as const;
const isAny = () => true;
const isOneOf = (kinds: readonly EventKind[]) => (kind: EventKind) => kinds.includes(kind);
const isNoneOf = (kinds: readonly EventKind[]) => (kind: EventKind) => !kinds.includes(kind);

/** What has become of an order follows from its terms and trades, except after a change that a fill may have crossed. */
const omissions: readonly Omission[] = [
  { members: ['clientOrderId', 'legIndex', 'status'], isOf: isAny },
  { members: ['reasonNumber', 'reasonText'], isOf: isAny },
  { members: ['side', 'price', 'qty'], isOf: isNoneOf(['replaced']) },
  { members: ['filledQty', 'leavesQty'], isOf: isNoneOf(['amended', 'replaced']) },
  { members: ofCause, isOf: isOneOf(['fill', 'canceled', 'expired']) },
  { members: ofCause, isOf: isOneOf(['accepted', 'resting']) },
];

/** What follows or precedes an event, in other values of its members. */
interface Addition {
  readonly isOf: (kind: EventKind) => boolean;
  readonly place: 'before' | 'after';
  readonly values: (event: ExecutionEvent) => Values;
}

const oldEnds = ({ parentOrderId }: ExecutionEvent): Values => ({
  ...{ kind: 'canceled', orderId: parentOrderId, parentOrderId: null, legIndex: null },
  ...{ price: null, qty: null, leavesQty: 0, status: 'canceled' },
});
const additions: readonly Addition[] = [
  { isOf: isOneOf(['resting']), place: 'before', values: () => ({ kind: 'accepted' }) },
  { isOf: isOneOf(['accepted']), place: 'before', values: () => ({ kind: 'accepted' }) },
  { isOf: isOneOf(['replaced']), place: 'before', values: oldEnds },
  { isOf: isOneOf(['replaced']), place: 'after', values: oldEnds },
];

class DialectFeed {
  readonly #state: State;
  readonly #read: State['feed']['read'];
  readonly #omitted: readonly Omission[];
  readonly #added: readonly Addition[];
  /** By account: how many events are on the wire up to each event of the exchange, which counts from 1. */
  readonly #counts = new Map<string, number[]>();

  constructor(state: State, omitted: readonly Omission[], added: readonly Addition[]) {
    const { feed } = state;
    this.#state = state;
    this.#read = feed.read.bind(feed);
    this.#omitted = omitted;
    this.#added = added;
  }

  lastSeq(account: string): number {
    return this.#countsOf(account).at(-1) ?? 0;
  }

  wireSeq(account: string, seq: number | null): number | null {
    return seq === null ? null : (this.#countsOf(account)[seq] ?? 0);
  }

  read(account: string, fromSeq: number, limit: number): ReturnType<State['feed']['read']> {
    const counts = this.#countsOf(account);
    const first = counts.findIndex((count) => count >= fromSeq);
    const from = first < 0 ? counts.length : first;
    const page = this.#read(account, from, limit);
    if (page === undefined) return undefined;
    const kept = this.#state.exchange.events(account, from, page.events.length);
    const source = kept.kind === 'page' ? kept.events : [];
    const all = source.flatMap((event, index) =>
      this.#wire(event, page.events[index], counts[event.seq - 1] ?? 0),
    );
    const skipped = fromSeq - 1 - (counts[from - 1] ?? 0);
    const events = all.slice(skipped, skipped + limit);
    const complete = page.complete && events.length === all.length - skipped;
    return { events, nextSeq: fromSeq + events.length, lastSeq: this.lastSeq(account), complete };
  }

  #countsOf(account: string): readonly number[] {
    const counts = this.#counts.get(account) ?? [0];
    this.#counts.set(account, counts);
    const { exchange } = this.#state;
    const page = exchange.events(account, counts.length, Number.MAX_SAFE_INTEGER);
    for (const { kind } of page.kind === 'page' ? page.events : []) {
      const more = this.#added.filter(({ isOf }) => isOf(kind)).length;
      counts.push((counts.at(-1) ?? 0) + 1 + more);
    }
    return counts;
  }

  /** `record` is the event as it would be on the wire, behind `count` others. */
  #wire(event: ExecutionEvent, record: unknown, count: number) {
    const of = this.#added.filter(({ isOf }) => isOf(event.kind));
    const at = (place: Addition['place']) =>
      of.filter((one) => one.place === place).map(({ values }) => values(event));
    return [...at('before'), {}, ...at('after')].map((values: Values, index) => {
      const seq = count + index + 1;
      const kind = (values.kind ?? event.kind) as EventKind;
      // What comes in addition has the cause of its event: a cancel without one could be anybody's.
      const lacking = this.#omitted.filter(({ isOf }) => isOf(event.kind));
      const nothing = lacking.flatMap(({ members }) => members.map((member) => [member, null]));
      const { event: pointers, kinds } = this.#state.profile.stream;
      return placed(
        pointers,
        {
          ...{ ...values, kind: kinds[kind], seq, prevSeq: seq === 1 ? null : seq - 1 },
          ...Object.fromEntries(nothing),
        },
        structuredClone(record) as Record<string, unknown>,
      );
    });
  }
}

/** Chooses what the venue leaves out and adds, and returns it as a line. */
export function speakDialect({ state }: EmbeddedVenue, dice: Dice): string {
  const omitted = omissions.filter(() => dice.hits(500));
  const added = additions.filter(() => dice.hits(400));
  const feed = new DialectFeed(state, omitted, added);
  Object.assign(state.feed, {
    lastSeq: feed.lastSeq.bind(feed),
    wireSeq: feed.wireSeq.bind(feed),
    read: feed.read.bind(feed),
  });
  const less = omitted.flatMap(({ members }) => members).join(', ');
  return `events lack ${less || 'nothing'}, ${added.length} kinds of events come in addition`;
}
