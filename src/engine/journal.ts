/**
 * The journal of an account (docs/decisions/0247-the-account-engine.md). A start restores the account from it. It grows
 * by one record a transaction, with a snapshot now and then. Records older than the configured number of days are
 * forgotten, because the bridge cannot take orders when the disk is full.
 */
import { setImmediate } from 'node:timers/promises';
import type { StreamEvent } from '../domain/event.ts';
import type { Account } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import type { JournalRecord, Store } from '../store/store.ts';
import type { Transactions } from '../store/transactions.ts';
import { JournalAge } from './journal-age.ts';
import type { OrdersMemory } from './orders-state.ts';
import {
  type AccountState,
  decodeRecord,
  type EarlierRecord,
  encodeRecord,
  type InputForm,
  type InputRecord,
  type Translated,
} from './record.ts';
import { readSnapshot } from './state-reader.ts';
import { type StateSource, StateWriter, stateStream } from './state-writer.ts';

export interface JournalParts {
  readonly transactions: Transactions;
  readonly clock: Clock;
  /** The number of days for which records are kept. */
  readonly keptDays: () => number;
  /** The number of records between the starts of two pieces of the state. */
  readonly snapshotEvery?: number | undefined;
}

/** The account that a start restores: first from the last snapshot, then from the records after it. */
export interface JournalReader<VenueInput, VenueState, Event extends StreamEvent = StreamEvent> {
  readonly form: InputForm<VenueInput, Event>;
  readonly translated: Translated;
  readonly memory: OrdersMemory;
  /** Yields so that other work can run between two steps. */
  restore(state: AccountState<VenueState>): Iterable<void> | void;
  /** `place` names the record in error messages. */
  apply(record: InputRecord<VenueInput, Event> | EarlierRecord, place: string): void;
}

const readAtOnce = 512;
/** Each new record deletes a few old ones, so that deleting a whole day of records delays no transaction. */
const forgottenAtOnce = 4;

/** The part of a store that a start reads. */
export type JournalSource = Pick<Store, 'end' | 'read' | 'snapshot'>;

/**
 * Restores an account from its journal, and can continue to read it later: the next owner of a shard has read most of
 * the journal before it takes over (docs/decisions/0287-nodes-own-shards-by-leases.md).
 */
export class JournalReading<VenueInput, VenueState, Event extends StreamEvent = StreamEvent> {
  readonly stream: string;
  readonly reader: JournalReader<VenueInput, VenueState, Event>;
  readonly #every: number | undefined;
  #state: StateWriter;
  #kept: JournalRecord | undefined;
  #isBegun = false;
  #end = 0;

  constructor(
    account: Account,
    reader: JournalReader<VenueInput, VenueState, Event>,
    snapshotEvery?: number,
  ) {
    this.stream = journalStream(account);
    this.reader = reader;
    this.#every = snapshotEvery;
    this.#state = new StateWriter(this.stream, snapshotEvery);
  }

  /** The position of the last record that was read. */
  get end(): number {
    return this.#end;
  }

  /** Tracks which parts of the state contain which orders. */
  get state(): StateWriter {
    return this.#state;
  }

  /** Reads to the end. Returns false if later records are missing, so that reading has to start again. */
  async readOn(store: JournalSource): Promise<boolean> {
    const { reader, stream } = this;
    const kept = await store.snapshot(stream);
    if (!this.#isBegun) await this.#restore(store, kept);
    else if (!isSame(kept, this.#kept)) this.#keepAnew(kept);
    for (;;) {
      const records = await store.read(stream, this.#end, readAtOnce);
      for (const { position, payload } of records) {
        if (this.#isBegun && position !== this.#end + 1) return false;
        const place = `${stream}, record ${position}`;
        reader.apply(decodeRecord(payload, place, reader.form, reader.translated), place);
        this.#end = position;
      }
      if (records.length < readAtOnce) break;
    }
    this.#isBegun = true;
    return this.#end === (await store.end(stream));
  }

  async #restore(store: JournalSource, kept: JournalRecord | undefined): Promise<void> {
    const { reader, stream } = this;
    this.#kept = kept;
    if (kept === undefined) return;
    const snapshot = await readSnapshot<VenueState>(store, stream, kept, reader.translated);
    for (const _ of reader.restore(snapshot.state) ?? []) await setImmediate();
    if (snapshot.isInParts) this.#state.restored(reader.memory, snapshot.spent);
    this.#end = kept.position;
  }

  /** The store has other parts than those that were read, so the next piece of the state contains everything. */
  #keepAnew(kept: JournalRecord | undefined): void {
    this.#kept = kept;
    this.#state = new StateWriter(this.stream, this.#every);
    this.reader.memory.index.changeAll();
  }
}

function isSame(a: JournalRecord | undefined, b: JournalRecord | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.position === b.position && Buffer.compare(a.payload, b.payload) === 0;
}

export class Journal<VenueInput = never, Event extends StreamEvent = StreamEvent> {
  readonly #form: InputForm<VenueInput, Event>;
  readonly #parts: JournalParts;
  readonly #stream: string;
  readonly #state: StateWriter;
  readonly #age: JournalAge;
  #end: number;
  #forgottenTo: number;
  #forgetTo = 0;

  /** `reader` receives the contents of the journal. */
  static async open<VenueInput, VenueState, Event extends StreamEvent = StreamEvent>(
    store: JournalSource,
    account: Account,
    parts: JournalParts,
    reader: JournalReader<VenueInput, VenueState, Event>,
  ): Promise<Journal<VenueInput, Event>> {
    const reading = new JournalReading(account, reader, parts.snapshotEvery);
    await reading.readOn(store);
    return Journal.after(reading, store, parts);
  }

  /** Continues the journal after all of it has been read. */
  static async after<VenueInput, Event extends StreamEvent = StreamEvent>(
    reading: JournalReading<VenueInput, never, Event>,
    store: JournalSource,
    parts: JournalParts,
  ): Promise<Journal<VenueInput, Event>> {
    const { end, stream } = reading;
    const [oldest] = await store.read(stream, 0, 1);
    const forgottenTo = oldest === undefined ? end : oldest.position - 1;
    const age = new JournalAge((await store.snapshot(ageStream(stream)))?.payload);
    reading.state.writeAfter(await store.end(stateStream(stream)));
    return new Journal(reading, { forgottenTo, age }, parts);
  }

  private constructor(
    {
      end,
      reader: { form },
      state,
      stream,
    }: Pick<JournalReading<VenueInput, never, Event>, 'end' | 'reader' | 'state' | 'stream'>,
    { age, forgottenTo }: { readonly age: JournalAge; readonly forgottenTo: number },
    parts: JournalParts,
  ) {
    this.#form = form;
    this.#parts = parts;
    this.#stream = stream;
    this.#state = state;
    this.#age = age;
    this.#end = end;
    this.#forgottenTo = forgottenTo;
  }

  /** The position of the last record. */
  get end(): number {
    return this.#end;
  }

  /**
   * Called within a transaction, when `source` has the state after this record. Returns the bytes that were written.
   */
  append(record: InputRecord<VenueInput, Event>, source: StateSource<unknown>): Uint8Array {
    const { transactions } = this.#parts;
    const payload = encodeRecord(record, this.#form);
    transactions.write({ kind: 'append', stream: this.#stream, expected: this.#end, payload });
    this.#end += 1;
    const { complete, writes } = this.#state.recorded(this.#end, source);
    for (const write of writes) transactions.write(write);
    if (complete !== undefined) this.#grow(complete);
    this.#forget();
    return payload;
  }

  /** Called within the last transaction. The next start has no records to apply, so it may run another version. */
  rest(source: StateSource<unknown>): void {
    for (const write of this.#state.rest(this.#end, source)) this.#parts.transactions.write(write);
  }

  /** A snapshot of this position exists, so records before it may be deleted. */
  #grow(position: number): void {
    const { clock, keptDays, transactions } = this.#parts;
    const { wallMs } = clock.now();
    this.#age.note(position, wallMs);
    this.#forgetTo = this.#age.expired(wallMs, keptDays());
    const payload = this.#age.encode();
    transactions.write({ kind: 'snapshot', stream: ageStream(this.#stream), position: 0, payload });
  }

  #forget(): void {
    if (this.#forgottenTo >= this.#forgetTo) return;
    const position = Math.min(this.#forgetTo, this.#forgottenTo + forgottenAtOnce);
    this.#parts.transactions.write({ kind: 'forget', stream: this.#stream, position });
    this.#forgottenTo = position;
  }
}

export function journalStream(account: Account): string {
  return `desk/${account}`;
}

function ageStream(stream: string): string {
  return `${stream}/age`;
}
