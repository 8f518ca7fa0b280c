/**
 * The journal of a desk (docs/ARCHITECTURE.md, "Durability"): how a start takes the desk up from it, and how it grows, a
 * record a turn, with a snapshot now and then. Records older than is configured are forgotten, because a disk that is
 * full takes no orders.
 */
import type { OrderRules } from '../domain/order.ts';
import type { Account } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import type { Turns } from '../store/turns.ts';
import { Desk } from './desk.ts';
import { decodeRecord, decodeState, type SavedDesk } from './desk-record.ts';
import { DeskSnapshots, type Snapshot } from './desk-snapshot.ts';
import { JournalAge } from './journal-age.ts';
import type { PreparedAction } from './prepared-action.ts';

/** Where a journal stands. */
export interface JournalStart {
  readonly stream: string;
  readonly end: number;
  /** Records up to here are forgotten. */
  readonly forgottenTo: number;
  readonly age: JournalAge;
}

export interface RestoredDesk {
  readonly desk: Desk;
  readonly journal: JournalStart;
  /** Actions that were recorded for sending and whose outcome is not. */
  readonly unresolved: readonly PreparedAction[];
}

export interface JournalParts {
  readonly turns: Turns;
  readonly clock: Clock;
  /** For how many days records are kept. */
  readonly keptDays: () => number;
  /** Records from one snapshot to the next. */
  readonly snapshotEvery?: number | undefined;
}

const readAtOnce = 512;
/** With each record, so that forgetting a day holds up nobody. */
const forgottenAtOnce = 4;

export class DeskJournal {
  readonly #parts: JournalParts;
  readonly #stream: string;
  readonly #snapshots: DeskSnapshots;
  readonly #age: JournalAge;
  #end: number;
  #forgottenTo: number;
  #forgetTo = 0;

  constructor({ stream, end, forgottenTo, age }: JournalStart, parts: JournalParts) {
    this.#parts = parts;
    this.#stream = stream;
    this.#snapshots = new DeskSnapshots(parts.snapshotEvery);
    this.#age = age;
    this.#end = end;
    this.#forgottenTo = forgottenTo;
  }

  /** The position of the last record. */
  get end(): number {
    return this.#end;
  }

  /** Inside a turn; `state` is the desk's with this record. */
  append(payload: Uint8Array, state: () => SavedDesk): void {
    const stream = this.#stream;
    this.#parts.turns.write({ kind: 'append', stream, expected: this.#end, payload });
    this.#end += 1;
    const snapshot = this.#snapshots.recorded(this.#end, state);
    if (snapshot !== undefined) this.#snapshot(snapshot);
    this.#forget();
  }

  #snapshot(snapshot: Snapshot): void {
    const { clock, keptDays, turns } = this.#parts;
    const stream = this.#stream;
    turns.write({ kind: 'snapshot', stream, ...snapshot });
    const { wallMs } = clock.now();
    this.#age.note(snapshot.position, wallMs);
    this.#forgetTo = this.#age.expired(wallMs, keptDays());
    const payload = this.#age.encode();
    turns.write({ kind: 'snapshot', stream: ageStream(stream), position: 0, payload });
  }

  #forget(): void {
    if (this.#forgottenTo >= this.#forgetTo) return;
    const position = Math.min(this.#forgetTo, this.#forgottenTo + forgottenAtOnce);
    this.#parts.turns.write({ kind: 'forget', stream: this.#stream, position });
    this.#forgottenTo = position;
  }
}

export function deskStream(account: Account): string {
  return `desk/${account}`;
}

function ageStream(stream: string): string {
  return `${stream}/age`;
}

/** What the desk wanted is not done again; what may be at the venue without an outcome is handed over. */
export async function restoreDesk(
  store: Store,
  account: Account,
  rulesOf: (session: string) => OrderRules,
): Promise<RestoredDesk> {
  const stream = deskStream(account);
  const desk = new Desk(rulesOf);
  const snapshot = await store.snapshot(stream);
  const actions = new Map<string, PreparedAction>();
  const take = (action: PreparedAction) => actions.set(action.actionHash, action);
  if (snapshot !== undefined) {
    const saved = decodeState(snapshot.payload, `${stream}, snapshot`);
    desk.restore(saved);
    saved.actions?.forEach(take);
  }
  let end = snapshot?.position ?? 0;
  for (;;) {
    const records = await store.read(stream, end, readAtOnce);
    for (const { position, payload } of records) {
      const record = decodeRecord(payload, `${stream}, record ${position}`);
      for (const input of record.inputs) desk.apply(input);
      record.actions.forEach(take);
      end = position;
    }
    if (records.length < readAtOnce) break;
  }
  const unresolved = [...actions.values()].filter(({ key, requestId, actionHash }) =>
    desk.awaits(key, requestId, actionHash),
  );
  const [oldest] = await store.read(stream, 0, 1);
  const forgottenTo = oldest === undefined ? end : oldest.position - 1;
  const age = new JournalAge((await store.snapshot(ageStream(stream)))?.payload);
  return { desk, journal: { stream, end, forgottenTo, age }, unresolved };
}
