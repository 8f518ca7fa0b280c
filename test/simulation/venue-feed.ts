/**
 * A venue that tells the same in other events: they leave out what they may, and some come twice over. Which members an
 * event has, and which events there are of one change, nobody has written down (contract G41). It may also count the events
 * of all accounts together (G42), and list the trades of a receipt in the other order (G49).
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

/** How the venue counts its events, and lists trades; as the sandbox does where this is left out. */
export interface FeedRules {
  /** It counts the events of all accounts, so that those of one have gaps. */
  readonly isGlobal: boolean;
  readonly hasPrevSeq: boolean;
  readonly isNewestFirst: boolean;
}

interface FeedParts extends FeedRules {
  readonly omitted: readonly Omission[];
  readonly added: readonly Addition[];
}

class OtherFeed {
  readonly #state: State;
  readonly #read: State['feed']['read'];
  readonly #receipt: State['feed']['receipt'];
  readonly #parts: FeedParts;
  /** By account: the seq on the wire of the last event that tells of each event of the exchange, which counts from 1. */
  readonly #seqs = new Map<string, number[]>();

  constructor(state: State, parts: FeedParts) {
    const { feed } = state;
    this.#state = state;
    this.#read = feed.read.bind(feed);
    this.#receipt = feed.receipt.bind(feed);
    this.#parts = parts;
  }

  lastSeq(account: string): number {
    return this.#seqsOf(account).at(-1) ?? 0;
  }

  wireSeq(account: string, seq: number | null): number | null {
    return seq === null ? null : (this.#seqsOf(account)[seq] ?? 0);
  }

  receipt(account: string, receipt: Parameters<State['feed']['receipt']>[1]): unknown {
    const fills = this.#parts.isNewestFirst ? receipt.fills.toReversed() : receipt.fills;
    return this.#receipt(account, { ...receipt, fills, seq: this.wireSeq(account, receipt.seq) });
  }

  read(account: string, fromSeq: number, limit: number): ReturnType<State['feed']['read']> {
    const seqs = this.#seqsOf(account);
    const first = seqs.findIndex((seq) => seq >= fromSeq);
    const from = first < 0 ? seqs.length : first;
    const page = this.#read(account, from, limit);
    if (page === undefined) return undefined;
    const kept = this.#state.exchange.events(account, from, page.events.length);
    const source = kept.kind === 'page' ? kept.events : [];
    const all = source
      .flatMap((event, index) => this.#wire(event, page.events[index], seqs))
      .filter(({ seq }) => seq >= fromSeq);
    const events = all.slice(0, limit).map(({ record }) => record);
    const complete = page.complete && events.length === all.length;
    const nextSeq = (all[events.length - 1]?.seq ?? fromSeq - 1) + 1;
    return { events, nextSeq, lastSeq: this.lastSeq(account), complete };
  }

  #seqsOf(account: string): readonly number[] {
    const seqs = this.#seqs.get(account) ?? [0];
    this.#seqs.set(account, seqs);
    const { exchange } = this.#state;
    if (exchange.lastSeq(account) < seqs.length) return seqs;
    const page = exchange.events(account, seqs.length, Number.MAX_SAFE_INTEGER);
    for (const { kind, seq } of page.kind === 'page' ? page.events : []) {
      const more = this.#parts.added.filter(({ isOf }) => isOf(kind)).length;
      const others = this.#parts.isGlobal ? Math.imul(seq, 0x9e3779b1) >>> 30 : 0;
      seqs.push((seqs.at(-1) ?? 0) + others + 1 + more);
    }
    return seqs;
  }

  /** `record` is the event as it would be on the wire. */
  #wire(event: ExecutionEvent, record: unknown, seqs: readonly number[]) {
    const { added, hasPrevSeq, isGlobal, omitted } = this.#parts;
    const of = added.filter(({ isOf }) => isOf(event.kind));
    const at = (place: Addition['place']) =>
      of.filter((one) => one.place === place).map(({ values }) => values(event));
    const last = seqs[event.seq] ?? 0;
    const before = seqs[event.seq - 1] ?? 0;
    return [...at('before'), {}, ...at('after')].map((values: Values, index) => {
      const seq = last - of.length + index;
      const prevSeq = index === 0 ? before : seq - 1;
      // What comes in addition has the cause of its event: a cancel without one could be anybody's.
      const lacking = omitted.filter(({ isOf }) => isOf(event.kind));
      const nothing = lacking.flatMap(({ members }) => members.map((member) => [member, null]));
      const kind = (values.kind ?? event.kind) as EventKind;
      const { event: pointers, kinds } = this.#state.profile.stream;
      const isFirst = prevSeq === 0 || (isGlobal && !hasPrevSeq);
      const told = { ...values, kind: kinds[kind], seq, prevSeq: isFirst ? null : prevSeq };
      const wire = structuredClone(record) as Record<string, unknown>;
      return { seq, record: placed(pointers, { ...told, ...Object.fromEntries(nothing) }, wire) };
    });
  }
}

/** The venue tells of its events by these rules, and in a dialect where dice choose one; returns it as a line. */
export function tellOtherwise({ state }: EmbeddedVenue, rules: FeedRules, dialect?: Dice): string {
  const omitted = omissions.filter(() => dialect?.hits(500));
  const added = additions.filter(() => dialect?.hits(400));
  const feed = new OtherFeed(state, { ...rules, omitted, added });
  Object.assign(state.feed, {
    lastSeq: feed.lastSeq.bind(feed),
    wireSeq: feed.wireSeq.bind(feed),
    receipt: feed.receipt.bind(feed),
    read: feed.read.bind(feed),
  });
  const less = omitted.flatMap(({ members }) => members).join(', ');
  return `events lack ${less || 'nothing'}, ${added.length} kinds of events come in addition`;
}
