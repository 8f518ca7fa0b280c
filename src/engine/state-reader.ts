/** Reads the state of an account from the parts that a snapshot names, or from a snapshot of an earlier version. */
import { hasEnded } from '../domain/order.ts';
import { CorruptRecord, type JournalRecord, type Store } from '../store/store.ts';
import type { Kept, Numbers } from './order-index.ts';
import {
  type AccountState,
  decodeSnapshot,
  isManifest,
  type Manifest,
  type Translated,
} from './record.ts';
import { decodePart, type ReadPart, type SpentNames } from './state-part.ts';
import { stateStream } from './state-writer.ts';

export interface ReadState<VenueState> {
  readonly state: AccountState<VenueState>;
  readonly isInParts: boolean;
  /** The spent names in each part. */
  readonly spent: ReadonlyMap<number, readonly SpentNames[]>;
}

/** The number of parts in memory at a time. */
const readAtOnce = 32;

type Found = Kept & Numbers;

export async function readSnapshot<V>(
  store: Pick<Store, 'read'>,
  journal: string,
  { payload }: JournalRecord,
  translated?: Translated,
): Promise<ReadState<V>> {
  const snapshot = decodeSnapshot<V>(payload, `${journal}, snapshot`, translated);
  if (isManifest(snapshot)) return new PartsReader(snapshot, stateStream(journal)).read(store);
  return { state: snapshot, isInParts: false, spent: new Map() };
}

/** Reads the newest part first, so the first version of an order that it finds is the valid one. */
class PartsReader<V> {
  readonly #manifest: Manifest<V>;
  readonly #stream: string;
  readonly #orders: Found[] = [];
  /** Arrival numbers of orders that have been found, or are forgotten. */
  readonly #seen = new Set<number>();
  readonly #names: string[];
  readonly #spent = new Map<number, readonly SpentNames[]>();
  /** The position of the piece that is being read. */
  #at = 0;

  constructor(manifest: Manifest<V>, stream: string) {
    const [first, end] = manifest.spent;
    this.#manifest = manifest;
    this.#stream = stream;
    this.#names = new Array(end - first);
  }

  async read(store: Pick<Store, 'read'>): Promise<ReadState<V>> {
    const { parts, orders: count, spent, ...rest } = this.#manifest;
    const [from, to] = parts;
    for (let last = to; last >= from; last -= readAtOnce) {
      const before = Math.max(from, last - readAtOnce + 1) - 1;
      const records = await store.read(this.#stream, before, last - before);
      if (records.length < last - before) this.#damaged(before + 1, 'a part is missing');
      for (const { payload, position } of records.toReversed()) {
        this.#take(decodePart(payload, `${this.#stream}, part ${position}`), position);
      }
    }
    if (this.#orders.length !== count) this.#damaged(from, `the parts lack orders`);
    const names = this.#names;
    if (names.includes(undefined as never)) this.#damaged(from, 'the parts lack names');
    const [firstSpent] = spent;
    const state = { ...rest, orders: inOrder(this.#orders), spent: names, firstSpent };
    return { state: state as unknown as AccountState<V>, isInParts: true, spent: this.#spent };
  }

  #take(part: ReadPart, position: number): void {
    if (part.isLast) this.#at = part.at;
    if (part.at !== this.#at) return;
    for (const [index, [arrival, ending]] of part.orders.entries()) {
      if (this.#seen.has(arrival)) continue;
      this.#seen.add(arrival);
      this.#orders.push({ ...part.order(index), arrival, ending, part: position });
    }
    for (const arrival of part.gone) this.#seen.add(arrival);
    const [first] = this.#manifest.spent;
    for (const { from, names } of part.spent) {
      for (const [index, name] of names.entries()) {
        if (from + index >= first) this.#names[from + index - first] = name;
      }
    }
    if (part.spent.length > 0) this.#spent.set(position, part.spent);
  }

  #damaged(position: number, what: string): never {
    throw new CorruptRecord(`record ${position} of stream ${this.#stream}`, what);
  }
}

/** Sorts the orders as in a state that is written at once. */
function inOrder(orders: readonly Found[]): Found[] {
  const ended = orders.filter(({ order }) => hasEnded(order));
  const open = orders.filter(({ order }) => !hasEnded(order));
  return [
    ...ended.toSorted((a, b) => a.ending - b.ending),
    ...open.toSorted((a, b) => a.arrival - b.arrival),
  ];
}
