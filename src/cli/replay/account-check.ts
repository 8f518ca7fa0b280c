/**
 * Applies one account's journal again: what each record causes now is compared with what was recorded and sent when it
 * was written (docs/decisions/0265-replay-and-sums-of-effects.md).
 */

import { isDeepStrictEqual } from 'node:util';
import { exactJson, parseExactJson } from '../../domain/exact-json.ts';
import type { Account } from '../../domain/units.ts';
import { type EffectSum, readSums, sumOf } from '../../engine/effect-sums.ts';
import { journalStream } from '../../engine/journal.ts';
import { isLegName } from '../../engine/order-index.ts';
import type { OrdersState } from '../../engine/orders-state.ts';
import { type AccountState, decodeRecord, isEarlier } from '../../engine/record.ts';
import { readSnapshot } from '../../engine/state-reader.ts';
import { AccountReplay } from '../../gateway/account/account-replay.ts';
import type { EngineSettings } from '../../gateway/config/engine-settings.ts';
import type { Blake3 } from '../../signer/blake3.ts';
import { CorruptRecord } from '../../store/store.ts';
import { earlierNonces } from '../../venue/outbox/earlier.ts';
import { inTodaysWords } from '../../venue/outbox/earlier-words.ts';
import { inputForm } from '../../venue/outbox/input-form.ts';
import type { OutboxState } from '../../venue/outbox/outbox-types.ts';
import { Failure } from '../advice.ts';
import { everything, type JournalFile, type Span } from '../journal/journal-file.ts';
import type { Elsewhere, Kept } from './elsewhere.ts';
import { type Effect, effectWords, type Input, inputWords, timeText } from './words.ts';

export interface Difference extends Kept {
  readonly record: number;
  readonly time: string;
  readonly input: string;
  /** The key and the ClOrdID of the order, if there is one. */
  readonly order: string;
}

/** For each kind, the number of compared effects and of all effects. */
export type Counts = Record<(typeof compared)[number], { compared: number; of: number }>;
const compared = ['effects', 'snapshots', 'messages', 'copies', 'digests'] as const;

export type Finding = Awaited<ReturnType<typeof checkAccount>>;

/** An input, its effects, and the account after it. */
export interface Step {
  readonly record: number;
  readonly atMs: number;
  readonly input: Input;
  readonly effects: readonly Effect[];
  readonly replay: AccountReplay;
}

export interface CheckParts {
  readonly file: JournalFile;
  readonly account: Account;
  readonly blake3: Blake3;
  readonly elsewhere: Elsewhere;
  readonly span: Span;
  /** The settings for a directory that contains none. */
  readonly settings: EngineSettings | undefined;
  readonly stepped?: (step: Step) => void;
}

const maxShown = 20;

/** What a difference refers to. */
type Place = Pick<Step, 'record' | 'atMs'> & { readonly input?: Input };

export function checkAccount(parts: CheckParts) {
  return new AccountCheck(parts).run();
}

class AccountCheck {
  readonly #parts: CheckParts;
  readonly #stream: string;
  readonly #counts = Object.fromEntries(
    compared.map((kind) => [kind, { compared: 0, of: 0 }]),
  ) as Counts;
  readonly #differences: Difference[] = [];
  #differenceCount = 0;

  constructor(parts: CheckParts) {
    this.#parts = parts;
    this.#stream = journalStream(parts.account);
  }

  /** `first` is the first record that was applied; earlier ones are in the initial snapshot. */
  async run() {
    const { account, elsewhere, span } = this.#parts;
    const snapshot = await this.#snapshot();
    const [oldest] = this.#records(0, everything.to);
    const isWhole = oldest?.position === 1;
    const mayBegin = isWhole && span.from <= (snapshot?.position ?? span.from);
    const start = mayBegin ? undefined : snapshot;
    const first = (start?.position ?? 0) + 1;
    if (oldest !== undefined && oldest.position > first) this.#missing(first);
    const replay = await this.#replay(first, start?.state);
    let last = first - 1;
    for (const { payload, position } of this.#records(last, span.to)) {
      if (position !== last + 1) this.#missing(last + 1);
      last = position;
      if (!this.#apply(replay, position, payload)) break;
      if (snapshot?.position === position) this.#compareState(replay, snapshot.state, position);
    }
    const isAll = span.from <= 1 && span.to === everything.to;
    // Finds effects that are missing because records at the end were cut off. Earlier versions named reports otherwise,
    // so the copies of those reports would be found, too.
    if (isWhole && first === 1 && isAll && !isEarlier(this.#decoded(oldest.payload, 1))) {
      for (const kept of elsewhere.left()) this.#report({ record: last, atMs: 0 }, kept);
    }
    const [counts, differences] = [this.#counts, this.#differences];
    return { account, first, last, counts, differences, differenceCount: this.#differenceCount };
  }

  #missing(position: number): never {
    throw new CorruptRecord(`record ${position} of stream ${this.#stream}`, 'it is missing');
  }

  #records(after: number, to: number) {
    return this.#parts.file.records(this.#stream, { from: after + 1, to });
  }

  async #snapshot() {
    const kept = this.#parts.file.snapshot(this.#stream);
    if (kept === undefined) return undefined;
    const { state } = await readSnapshot<OutboxState>(
      this.#store,
      this.#stream,
      kept,
      inTodaysWords,
    );
    return { position: kept.position, state };
  }

  get #store() {
    const { file } = this.#parts;
    return {
      snapshot: async (stream: string) => file.snapshot(stream),
      read: async (stream: string, after: number, limit: number) => [
        ...file.records(stream, { from: after + 1, to: after + limit }),
      ],
    };
  }

  #decoded(payload: Uint8Array, position: number) {
    return decodeRecord(payload, `${this.#stream}, record ${position}`, inputForm, inTodaysWords);
  }

  /** Starts with the first settings in the directory, which a start applied to all earlier records. */
  async #replay(
    first: number,
    state: AccountState<OutboxState> | undefined,
  ): Promise<AccountReplay> {
    const { account, blake3 } = this.#parts;
    let { settings } = this.#parts;
    if (state?.settings !== undefined) settings = state.settings as EngineSettings;
    else {
      for (const { payload, position } of this.#records(first - 1, everything.to)) {
        const record = this.#decoded(payload, position);
        if (!('settings' in record)) continue;
        settings = record.settings as EngineSettings;
        break;
      }
    }
    if (settings === undefined) {
      throw new Failure(
        `${this.#stream} was written by a version that did not record its settings`,
        'Name the configuration that the bridge ran with: --config FILE',
      );
    }
    const nonces = await earlierNonces(this.#store, account, settings.nonces.rules);
    const replay = new AccountReplay({ account, blake3, nonces }, settings);
    if (state !== undefined) for (const _ of replay.restore(state));
    return replay;
  }

  /** Returns false if the engine cannot continue. */
  #apply(replay: AccountReplay, position: number, payload: Uint8Array): boolean {
    const { span, stepped } = this.#parts;
    const record = this.#decoded(payload, position);
    const [atMs, sums] = isEarlier(record)
      ? [0, undefined]
      : [record.at.wallMs, readSums(record.effects ?? '')];
    let count = 0;
    let isSame = true;
    let step: Step = { record: position, atMs, input: { kind: 'started' }, effects: [], replay };
    const compare = (effect: Effect | undefined) => {
      const recorded = sums?.[count];
      count += 1;
      const sum = effect && sumOf(effect);
      if (sums === undefined || !isSame) return;
      isSame = recorded?.kind === effect?.kind && recorded?.sum === sum;
      const actual = effect === undefined ? nothing : effectWords(effect);
      if (!isSame) this.#report(step, { place, expected: recordedWords(recorded), actual }, effect);
    };
    try {
      replay.apply(record, (effects, input) => {
        step = { ...step, input, effects };
        stepped?.(step);
        if (position < span.from) return;
        for (const effect of effects) {
          compare(effect);
          this.#compareElsewhere(step, effect);
        }
      });
    } catch (error) {
      const actual = `the engine stops: ${(error as Error).message}`;
      this.#report(step, { place, expected: 'its effects', actual });
      return false;
    }
    if (position < span.from) return true;
    this.#counts.effects.of += count;
    if (sums === undefined) return true;
    this.#counts.effects.compared += count;
    if (sums.length > count) compare(undefined);
    return true;
  }

  #compareElsewhere(step: Step, effect: Effect): void {
    const { elsewhere } = this.#parts;
    const count = (name: keyof Counts, kept: Kept | 'same' | undefined) => {
      this.#counts[name].of += 1;
      if (kept !== undefined) this.#counts[name].compared += 1;
      if (typeof kept === 'object') this.#report(step, kept, effect);
    };
    if (effect.kind === 'report') {
      const { report, session } = effect;
      const { messages } = step.replay.settings.current;
      count('messages', elsewhere.messageOf(session, report, messages));
      if (report.kind === 'execution') count('copies', elsewhere.copyOf(report));
    } else if (effect.kind === 'submit' || effect.kind === 'sign') {
      count('digests', elsewhere.digestOf(effect.nonce, effect.bytes.hash));
    }
  }

  /** Compares the state after its record, member by member. */
  #compareState(replay: AccountReplay, kept: AccountState<OutboxState>, record: number): void {
    // Snapshots of earlier versions contain less.
    if (kept.settings === undefined) return;
    this.#counts.snapshots.of += 1;
    this.#counts.snapshots.compared += 1;
    const { firstSpent: _, orders, ...rest } = kept;
    const state = { ...replay.orders.state(), ...replay.rest() };
    const actual = { ...state, orders: state.orders.map(comparable) };
    const expected = { ...rest, orders: orders.map(comparable) };
    const found = differenceIn('snapshot', expected, parseExactJson(exactJson(actual)));
    if (found !== undefined) this.#report({ record, atMs: 0 }, found);
  }

  #report({ atMs, input, record }: Place, kept: Kept, effect?: Effect): void {
    this.#differenceCount += 1;
    if (this.#differences.length >= maxShown) return;
    const words =
      input === undefined ? 'none: this is the stored state after the record' : inputWords(input);
    const order = orderOf(input, effect);
    this.#differences.push({ record, time: timeText(atMs), input: words, order, ...kept });
  }
}

/** The numbers differ if the replay started elsewhere. Earlier versions did not name orders by their legs. */
function comparable({ names, order, venueIds }: OrdersState['orders'][number]) {
  return { names, order, venueIds: venueIds.filter((id) => !isLegName(id)) };
}

const place = 'effect';
const nothing = 'nothing more';

function recordedWords(recorded: EffectSum | undefined): string {
  if (recorded === undefined) return nothing;
  return `a ${recorded.kind} with the sum ${recorded.sum} (the journal has no more of it)`;
}

function orderOf(input: Input | undefined, effect: Effect | undefined): string {
  const order = effect?.kind === 'report' ? effect.report.order : undefined;
  const { clOrdId, owner } = order ?? (input?.kind === 'entry' ? input : {});
  if (owner !== undefined) return `${owner.key} (ClOrdID ${clOrdId})`;
  if (input?.kind === 'order') return input.key;
  return effect?.kind === 'submit' ? (effect.asked?.key ?? '') : '';
}

/** The first member that differs, with its path. */
function differenceIn(place: string, expected: unknown, actual: unknown): Kept | undefined {
  if (isDeepStrictEqual(expected, actual)) return undefined;
  if (isMembers(expected) && isMembers(actual)) {
    for (const name of Object.keys({ ...expected, ...actual })) {
      const found = differenceIn(`${place}.${name}`, expected[name], actual[name]);
      if (found !== undefined) return found;
    }
  }
  return { place, expected: exactJson(expected), actual: exactJson(actual) };
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
