/**
 * Whether what a maker is answered to its quotes is true: every entry is answered once, and no quotes are said to be gone
 * that are there all the time.
 */
import { textOf } from './client-log.ts';
import type { Said } from './fix-trader.ts';
import type { LedgerOrder, VenueLedger } from './venue-ledger.ts';

interface Entry {
  /** What its slots had at the venue when it was sent. */
  readonly before: readonly LedgerOrder[];
  readonly answers: string[];
}

export class QuoteAnswers {
  readonly #session: string;
  readonly #account: string;
  readonly #ledger: VenueLedger;
  readonly #wrong: (text: string, trace?: readonly string[]) => void;
  /** By their name, such as `q1 set 1 entry 1.1 ETH-USDC`. */
  readonly #entries = new Map<string, Entry[]>();
  /** How often each QuoteID(117) was said again; a refusal is then told again, because it left nothing behind. */
  readonly #again = new Map<string, number>();
  /** QuoteIDs of messages that were refused as a whole. */
  readonly #refused = new Set<string>();

  /** `account`: the one that is meant where none is named. */
  constructor(
    session: string,
    account: string,
    ledger: VenueLedger,
    wrong: (text: string, trace?: readonly string[]) => void,
  ) {
    this.#session = session;
    this.#account = account;
    this.#ledger = ledger;
    this.#wrong = wrong;
  }

  said(line: string): void {
    const fields = line.split('|').map((field) => field.split('=') as [string, string]);
    const quoteId = textOf(fields, '117') ?? '';
    // Other commands have had the ids of the pool.
    if (!/^[qs]\d+$/.test(quoteId)) return;
    if (line.includes('|97=Y')) {
      this.#again.set(quoteId, (this.#again.get(quoteId) ?? 0) + 1);
      return;
    }
    const alias = textOf(fields, '1') ?? this.#account;
    if (line.startsWith('S|')) this.#asked(quoteId, alias, 'S', textOf(fields, '55') ?? '');
    if (!line.startsWith('i|')) return;
    let setId = '';
    let entryId = '';
    for (const [tag, value] of fields) {
      if (tag === '302') setId = value;
      if (tag === '299') entryId = value;
      const command = `${quoteId} set ${setId} entry ${entryId}`;
      if (tag === '55') this.#asked(command, alias, entryId, value);
    }
  }

  hear(said: Said): void {
    const type = textOf(said, '35');
    if (type === 'j') this.#refused.add(textOf(said, '379') ?? '');
    if (type !== 'b' && type !== 'AI') return;
    const quoteId = textOf(said, '117') ?? '';
    const text = `${textOf(said, '297')} ${textOf(said, '58') ?? ''}`;
    if (type === 'b' && textOf(said, '299') === undefined) this.#refused.add(quoteId);
    if (type === 'AI') this.#answered(`${quoteId} ${textOf(said, '55')}`, text);
    let setId = '';
    let entryId = '';
    for (const [tag, value] of said) {
      if (tag === '302') setId = value;
      if (tag === '299') entryId = value;
      if (tag !== '55' || entryId === '') continue;
      this.#answered(`${quoteId} set ${setId} entry ${entryId} ${value}`, text);
      entryId = '';
    }
  }

  /** `mustAnswer`: nothing that was said can have been lost. */
  settled(mustAnswer: boolean): void {
    for (const [name, entries] of this.#entries) {
      const answers = entries.flatMap((entry) => entry.answers);
      const trace = answers.map((answer) => `${this.#session} ${name}: ${answer}`);
      const [quoteId = ''] = name.split(' ');
      const isRefused = this.#refused.has(quoteId);
      const refusals = answers.filter((answer) => answer.startsWith('5 '));
      const again = Math.min(this.#again.get(quoteId) ?? 0, Math.max(0, refusals.length - 1));
      if (answers.length > entries.length + again)
        this.#wrong(`${this.#session} ${name} is answered ${answers.length} times`, trace);
      if (mustAnswer && answers.length < entries.length && !isRefused)
        this.#wrong(`${this.#session} ${name} is not answered`, trace);
    }
    this.#entries.clear();
  }

  #asked(command: string, alias: string, entryId: string, symbol: string): void {
    const name = `${command} ${symbol}`;
    const slots = ['1', '2'].map((side) => `${alias} ${entryId} ${symbol} ${side}`);
    const before = [...this.#ledger.openOf(alias)].filter(
      ({ origin }) => origin?.session === this.#session && slots.includes(origin.slot ?? ''),
    );
    this.#entries.set(name, [...(this.#entries.get(name) ?? []), { before, answers: [] }]);
  }

  #answered(name: string, text: string): void {
    const entries = this.#entries.get(name) ?? [];
    const entry = entries.find(({ answers }) => answers.length === 0) ?? entries[0];
    if (entry === undefined) return;
    entry.answers.push(text);
    if (!text.endsWith('no quotes are live')) return;
    for (const { leavesQty, orderId, origin } of entry.before) {
      if (leavesQty === 0) continue;
      const trace = [`${orderId} ${origin?.command}`];
      this.#wrong(`${this.#session} ${name}: "${text}", and an order is open all the time`, trace);
    }
  }
}
