/**
 * The journal of an account (docs/decisions/0247-the-account-engine.md). A start restores the account from it. It grows by
 * one record a turn, with a snapshot now and then. Records older than the configured number of days are forgotten, because
 * the bridge cannot take orders when the disk is full.
 */
import type { StreamEvent } from '../domain/event.ts';
import type { Account } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import type { Turns } from '../store/turns.ts';
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
  readonly turns: Turns;
  readonly clock: Clock;
  /** For how many days records are kept. */
  readonly keptDays: () => number;
  /** How many records are written between the beginnings of two pieces of the state. */
  readonly snapshotEvery?: number | undefined;
}

/** The position of a journal at a start. */
interface JournalStart<VenueInput, Event extends StreamEvent> {
  readonly form: InputForm<VenueInput, Event>;
  readonly stream: string;
  readonly end: number;
  /** Records up to this position are forgotten. */
  readonly forgottenTo: number;
  readonly age: JournalAge;
  readonly state: StateWriter;
}

/** The account that a start restores: first from the last snapshot, then from the records after it. */
export interface JournalReader<VenueInput, VenueState, Event extends StreamEvent = StreamEvent> {
  readonly form: InputForm<VenueInput, Event>;
  readonly translated: Translated;
  readonly memory: OrdersMemory;
  restore(state: AccountState<VenueState>): void;
  /** `place` names the record in error messages. */
  apply(record: InputRecord<VenueInput, Event> | EarlierRecord, place: string): void;
}

const readAtOnce = 512;
/** Records are forgotten a few at a time, with each new record, so that forgetting a day delays no turn. */
const forgottenAtOnce = 4;

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
    store: Store,
    account: Account,
    parts: JournalParts,
    reader: JournalReader<VenueInput, VenueState, Event>,
  ): Promise<Journal<VenueInput, Event>> {
    const stream = journalStream(account);
    const last = await store.end(stateStream(stream));
    const state = new StateWriter(stream, last, parts.snapshotEvery);
    const kept = await store.snapshot(stream);
    if (kept !== undefined) {
      const snapshot = await readSnapshot<VenueState>(store, stream, kept, reader.translated);
      reader.restore(snapshot.state);
      if (snapshot.isInParts) state.restored(reader.memory, snapshot.spent);
    }
    let end = kept?.position ?? 0;
    for (;;) {
      const records = await store.read(stream, end, readAtOnce);
      for (const { position, payload } of records) {
        const place = `${stream}, record ${position}`;
        reader.apply(decodeRecord(payload, place, reader.form, reader.translated), place);
        end = position;
      }
      if (records.length < readAtOnce) break;
    }
    const [oldest] = await store.read(stream, 0, 1);
    const forgottenTo = oldest === undefined ? end : oldest.position - 1;
    const age = new JournalAge((await store.snapshot(ageStream(stream)))?.payload);
    return new Journal({ form: reader.form, stream, end, forgottenTo, age, state }, parts);
  }

  private constructor(
    { form, stream, end, forgottenTo, age, state }: JournalStart<VenueInput, Event>,
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

  /** Called inside a turn; `source` has the state after this record. Returns the bytes that were written. */
  append(record: InputRecord<VenueInput, Event>, source: StateSource<unknown>): Uint8Array {
    const { turns } = this.#parts;
    const payload = encodeRecord(record, this.#form);
    turns.write({ kind: 'append', stream: this.#stream, expected: this.#end, payload });
    this.#end += 1;
    const { complete, writes } = this.#state.recorded(this.#end, source);
    for (const write of writes) turns.write(write);
    if (complete !== undefined) this.#grow(complete);
    this.#forget();
    return payload;
  }

  /** Called inside the last turn. The next start has no records to apply, so it may run another version. */
  rest(source: StateSource<unknown>): void {
    for (const write of this.#state.rest(this.#end, source)) this.#parts.turns.write(write);
  }

  /** There is a snapshot of this position, so records before it may be forgotten. */
  #grow(position: number): void {
    const { clock, keptDays, turns } = this.#parts;
    const { wallMs } = clock.now();
    this.#age.note(position, wallMs);
    this.#forgetTo = this.#age.expired(wallMs, keptDays());
    const payload = this.#age.encode();
    turns.write({ kind: 'snapshot', stream: ageStream(this.#stream), position: 0, payload });
  }

  #forget(): void {
    if (this.#forgottenTo >= this.#forgetTo) return;
    const position = Math.min(this.#forgetTo, this.#forgottenTo + forgottenAtOnce);
    this.#parts.turns.write({ kind: 'forget', stream: this.#stream, position });
    this.#forgottenTo = position;
  }
}

export function journalStream(account: Account): string {
  return `desk/${account}`;
}

function ageStream(stream: string): string {
  return `${stream}/age`;
}
