/**
 * One reader of two accounts at random: copies of orders that it may see and others, connections, resets of the numbers,
 * acknowledgements, retention, restarts, requests, ends of days, an account that is taken away and given back. What it gets must be true, and complete.
 */
import { expect, test } from 'vitest';
import type { ExecutionReport } from '../../src/domain/report.ts';
import type { CopyMessage } from '../../src/dropcopy/copy-output.ts';
import { reqTypes } from '../../src/dropcopy/copy-tags.ts';
import { chained, noTotals } from '../../src/dropcopy/copy-totals.ts';
import type { Reader } from '../../src/dropcopy/reader.ts';
import { Dice } from '../simulation/dice.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { type Bench, bench, everything, from, RecordingOutput, reports, text } from './copies.ts';

const accounts = ['desk', 'pit'] as const;
const [fresh] = reports(0) as [ExecutionReport];

class Run {
  readonly wrong: string[] = [];
  readonly #dice: Dice;
  readonly #store = new MemoryStore();
  readonly #acknowledge: 'reader' | 'session';
  /** The copies of each account, and whether the reader may see them. */
  readonly #told: Record<string, { readonly execId: string; readonly isSeen: boolean }[]> = {};
  readonly #known = new Set<string>();
  readonly #sums: Record<string, { readonly count: number; readonly hash: string }> = {};
  readonly #days = new Set<string>();
  /** The ends of days that it was not told of yet. */
  readonly #ended: Record<string, Set<string>> = {};
  #isAway = false;
  /** The copies that came for each request that is not answered completely. */
  readonly #asked = new Map<string, string[]>();
  #count = 0;
  #isLost = false;
  #last = { account: '', execId: '' };
  #on!: Bench;
  #reader!: Reader;
  #output!: RecordingOutput;

  static async on(seed: number): Promise<Run> {
    const run = new Run(new Dice(seed));
    await run.#start(2);
    return run;
  }

  private constructor(dice: Dice) {
    this.#dice = dice;
    this.#acknowledge = dice.hits(500) ? 'session' : 'reader';
    for (const account of accounts) {
      this.#told[account] = [];
      this.#ended[account] = new Set();
    }
  }

  async step(): Promise<void> {
    const chance = this.#dice.below(100);
    const { isHere } = this.#output;
    if (chance < 40) for (let i = this.#dice.below(40); i > 0; i -= 1) this.#tell();
    else if (chance < 60) await this.#settle();
    else if (chance < 66) this.#connect(!isHere);
    else if (chance < 70) this.#reset();
    else if (chance < 76) this.#confirm();
    else if (chance < 79) await this.#retain();
    else if (chance < 82) await this.#restart();
    else if (chance < 84) this.#endDay();
    else if (chance < 87) this.#move();
    else if (isHere) this.#ask();
  }

  /** All that is left to say is said. */
  async end(): Promise<void> {
    this.#connect(true);
    for (let i = 0; i < 10; i += 1) await this.#settle();
    for (const reqId of this.#asked.keys()) this.wrong.push(`${reqId} is not answered`);
    for (const account of this.#isLost ? [] : accounts)
      for (const { execId, isSeen } of this.#told[account] ?? [])
        if (isSeen && !this.#known.has(`${account} ${execId}`)) this.wrong.push(`no ${execId}`);
    this.#on.relay.stop();
  }

  #tell(): void {
    const account = this.#dice.pick(accounts);
    const compId = this.#dice.pick(['ALPHA', 'BRAVO']);
    const execId = `e-${++this.#count}`;
    const order = { ...fresh.order, owner: { ...fresh.order.owner, accountName: account } };
    const report = { ...fresh, execId, order };
    const isAway = this.#isAway && account === 'pit';
    this.#told[account]?.push({ execId, isSeen: compId === 'ALPHA' && !isAway });
    const copy = { kind: 'report', report, from: { ...from, compId } } as const;
    this.#on.run(() => this.#on.relay.copy(account, copy, this.#count));
  }

  async #settle(): Promise<void> {
    await this.#on.settle();
    if (this.#acknowledge === 'session') this.#confirm();
  }

  #connect(isHere: boolean): void {
    this.#output.isHere = isHere;
    this.#on.run(() => (isHere ? this.#on.relay.arrived(this.#reader) : this.#reader.left()));
    if (!isHere) this.#asked.clear();
  }

  #reset(): void {
    this.#output.nextSeq = 2;
    this.#on.run(() => this.#reader.begunAnew());
  }

  #confirm(): void {
    const { account, execId } = this.#last;
    if (!this.#output.isHere || execId === '') return;
    this.#on.run(() => {
      if (this.#acknowledge === 'session') this.#reader.confirmed(this.#output.nextSeq - 1);
      else this.#on.relay.acknowledgements.add(this.#reader, this.#output, account, execId);
    });
  }

  async #retain(): Promise<void> {
    await this.#settle();
    await this.#on.relay.retain();
  }

  async #restart(): Promise<void> {
    await this.#settle();
    // The position of the reader is recorded every five seconds.
    this.#on.clock.advance(5_000);
    await this.#settle();
    this.#on.relay.stop();
    this.#asked.clear();
    await this.#start(this.#output.nextSeq);
  }

  #endDay(): void {
    const day = `day ${++this.#count}`;
    for (const account of accounts) {
      this.#told[account]?.push({ execId: '', isSeen: false });
      this.#ended[account]?.add(day);
    }
    this.#on.relay.endDay(day);
  }

  get #filter() {
    const seen = this.#isAway ? (['desk'] as const) : accounts;
    return { ...everything, accounts: seen, sessions: new Set(['ALPHA']) };
  }

  /** Nothing that waits when the account is taken away is due any more; totals that were to be sent again are not true. */
  #move(): void {
    if (this.#reader.isRepeating('pit')) return;
    this.#isAway = !this.#isAway;
    this.#reader.refilter(this.#filter);
    const { desk = [], pit = [] } = this.#told;
    const told = pit.map((one) => ({ ...one, isSeen: one.isSeen && this.#isKnown(one.execId) }));
    if (this.#isAway) Object.assign(this.#told, { desk, pit: told });
    else if (this.#ended['pit']?.size !== 0) delete this.#sums['pit'];
    if (!this.#isAway) this.#ended['pit']?.clear();
  }

  #isKnown(execId: string): boolean {
    return this.#known.has(`pit ${execId}`);
  }

  #ask(): void {
    const reqId = `r${++this.#count}`;
    const { times, totals, unacknowledged } = reqTypes;
    const reqType = this.#dice.pick([times, totals, unacknowledged]);
    const account = this.#dice.pick([null, ...accounts]);
    const range = { fromExecId: null, toExecId: null, fromMs: 0, toMs: null };
    const request = { reqId, reqType, account, ...range, fromSeq: null, toSeq: null };
    this.#asked.set(reqId, []);
    this.#on.run(() => this.#on.relay.ask(this.#reader, this.#output, request));
  }

  async #start(nextSeq: number): Promise<void> {
    this.#on = await bench({ store: this.#store, retainCopies: this.#dice.pick([3, 100]) });
    await this.#on.relay.follow('pit', '0xpit');
    const rules = { reports: true, acknowledge: this.#acknowledge, openOrders: false };
    this.#reader = await this.#on.relay.open('R', this.#filter, rules);
    const output = new RecordingOutput();
    const send = output.send.bind(output);
    output.send = (message) => {
      send(message);
      this.#hear(message);
    };
    output.nextSeq = nextSeq;
    output.isHere = false;
    this.#output = output;
    this.#reader.bind(output);
  }

  #hear(message: CopyMessage): void {
    if (message.kind === 'report') this.#copy(message);
    if (message.kind === 'totals') this.#totals(message);
    if (message.kind === 'lost') this.#lost(message);
    if (message.kind !== 'answer' || message.answer.status === 'accepted') return;
    const { count, reqId, reqType, status } = message.answer;
    const copies = this.#asked.get(reqId) ?? [];
    const isCounted = status === 'completed' && reqType !== reqTypes.totals;
    if (isCounted && count !== copies.length) this.wrong.push(`${reqId}: ${count} are counted`);
    if (new Set(copies).size !== copies.length) this.wrong.push(`${reqId}: a copy came twice`);
    this.#asked.delete(reqId);
  }

  #copy({ copy, possResend, reqId }: Extract<CopyMessage, { kind: 'report' }>): void {
    const account = copy.report.order.owner.accountName;
    const { execId } = copy.report;
    const name = `${account} ${execId}`;
    if (copy.from?.compId !== 'ALPHA') this.wrong.push(`it may not see ${execId}`);
    const isKnown = this.#known.has(name);
    if (reqId !== null) {
      const isDue = this.#told[account]?.some((one) => one.execId === execId && one.isSeen);
      if (!isKnown && isDue) this.wrong.push(`${execId} came first on request`);
      this.#asked.get(reqId)?.push(name);
      return;
    }
    this.#last = { account, execId };
    if (isKnown && !possResend) this.wrong.push(`${execId} came again without a mark`);
    if (isKnown) return;
    this.#known.add(name);
    const { count, hash } = this.#sums[account] ?? noTotals;
    this.#sums[account] = { count: count + 1, hash: chained(hash, text.facts(copy)) };
  }

  #totals({ account, day, totals }: Extract<CopyMessage, { kind: 'totals' }>): void {
    if (this.#days.has(`${account} ${day}`)) return;
    const { count, hash } = this.#sums[account] ?? noTotals;
    const isTrue = count === totals.count && hash === totals.hash && totals.lost === 0;
    if (!this.#isLost && !isTrue) this.wrong.push(`${account}: ${totals.count}, not ${count}`);
    if (day === null) return;
    this.#ended[account]?.delete(day);
    this.#days.add(`${account} ${day}`);
    delete this.#sums[account];
  }

  /** Something that the reader may see was not sent, or not acknowledged when the numbers began anew. */
  #lost({ account, from, to }: Extract<CopyMessage, { kind: 'lost' }>): void {
    this.#isLost = true;
    const passed = this.#reader.furthest(account);
    const sent = this.#told[account]?.slice(this.#reader.acknowledged(account), passed) ?? [];
    const waits = sent.some(({ execId, isSeen }) => isSeen || execId === '');
    if (to <= passed && !waits) this.wrong.push(`${account}: ${from} to ${to} were not for it`);
  }
}

test('whatever happens to a reader, it gets every copy that it may see once without a mark, and true answers and totals', async () => {
  for (let seed = 1; seed <= 24; seed += 1) {
    const run = await Run.on(seed);
    for (let i = 0; i < 80 && run.wrong.length === 0; i += 1) await run.step();
    if (run.wrong.length === 0) await run.end();
    expect(run.wrong, `seed ${seed}`).toEqual([]);
  }
}, 60_000);
