/**
 * Readers that want something otherwise (docs/DROPCOPY.md): copies of some sessions only, of requests, the open orders at
 * the first logon, or that nothing counts but what they acknowledge themselves; and whether they get exactly that.
 */
import { aliases, type CopyWish } from './cast.ts';
import { type ClientLog, textOf } from './client-log.ts';
import type { Dice } from './dice.ts';
import type { Said, Trader } from './fix-trader.ts';
import type { Door } from './memory-link.ts';
import type { RequestCopies } from './request-copies.ts';
import { otherChannel, type VenueLedger } from './venue-ledger.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface ReaderWishesParts {
  readonly wish: CopyWish;
  readonly dice: Dice;
  readonly ledger: VenueLedger;
  readonly time: VirtualTime;
  readonly requests: RequestCopies;
  readonly door: () => Door | undefined;
  readonly wrong: (text: string, trace?: readonly string[]) => void;
}

const quietMs = 10_000;

export class ReaderWishes {
  readonly #parts: ReaderWishesParts;
  /** ExecIDs in the order in which they came first, by account. */
  readonly #copies = new Map<string, string[]>(aliases.map((alias) => [alias, []]));
  /** How many of them are acknowledged at most. */
  readonly #acknowledged = new Map<string, number>();
  /** What came again since the numbers began anew, by account. */
  readonly #again = new Map<string, Set<string>>();
  /** Requests by session and bytes, and by session and name. */
  readonly #requests = new Map<string, number>();
  readonly #named = new Set<string>();
  #states: string[] = [];
  #mustReset = false;
  #hasTotals = false;
  #lastMs = 0;
  #trader: Trader | undefined;
  #log: ClientLog | undefined;

  constructor(parts: ReaderWishesParts) {
    this.#parts = parts;
  }

  bind(trader: Trader, log: ClientLog): void {
    this.#trader = trader;
    this.#log = log;
    log.isAway = this.#parts.wish.openOrders;
  }

  sees(session: string | undefined): boolean {
    const { of, reports } = this.#parts.wish;
    return reports !== false && (of === undefined || of.includes(session ?? ''));
  }

  /** Whether its numbers, or its session id, begin anew with this connection. */
  resets(): boolean {
    const isMeant = this.#mustReset;
    this.#mustReset = false;
    return isMeant || this.#parts.dice.hits(200);
  }

  hear(said: Said): void {
    this.#lastMs = this.#parts.time.monoMs;
    const type = textOf(said, '35');
    const [alias, execId] = [textOf(said, '1') ?? '', textOf(said, '17') ?? ''];
    if (type === 'UT' || type === 'B') this.#hasTotals = true;
    if (type === 'UO') this.#request(said);
    if (type !== '8') return;
    if (textOf(said, '150') === 'I') {
      if (execId === '0') this.#states.push(textOf(said, '37') ?? '');
      return;
    }
    const copies = this.#copies.get(alias) ?? [];
    if (!this.#log?.hasCopy(execId)) copies.push(execId);
    else this.#again.set(alias, (this.#again.get(alias) ?? new Set()).add(execId));
    if (this.#parts.dice.hits(15)) this.#acknowledge(alias, copies.length - 1);
  }

  /** Once all is at rest. `isLossy`: what was said may be lost. `isLeftOut`: the file may have been without the reader. */
  async judge(isLossy: boolean, isLeftOut: boolean): Promise<void> {
    const { dice, wish } = this.#parts;
    if (this.#log?.isAway) await this.#join();
    if (this.#states.length > 0) this.#parts.wrong('it gets open orders unasked');
    this.#states = [];
    // Requests that came while the file did not have the reader are nowhere.
    if (wish.requests && !isLeftOut) this.#judgeRequests(isLossy);
    if (dice.hits(500)) await this.#startAnew();
  }

  /** For the first time: the open orders come, each once. */
  async #join(): Promise<void> {
    const { ledger, wrong } = this.#parts;
    if (this.#log !== undefined) this.#log.isAway = false;
    await this.#connect();
    const open = aliases.flatMap((alias) => [
      ...ledger.openOf(alias),
      ...(this.sees(otherChannel) ? ledger.othersOf(alias) : []),
    ]);
    const seen = open.filter(({ origin }) => this.sees(origin?.session));
    const expected = seen.map(({ orderId }) => orderId).toSorted();
    const told = this.#states.toSorted();
    if (told.join() !== expected.join())
      wrong(`at its first logon it gets ${told.length} open orders, there are ${expected.length}`);
    this.#states = [];
  }

  /** What it has not acknowledged comes again, and nothing of what it has. */
  async #startAnew(): Promise<void> {
    const { dice, time, wish, wrong } = this.#parts;
    const isOfReader = wish.acknowledge === 'reader';
    const isAll = dice.hits(500);
    for (const [alias, { length }] of this.#copies)
      this.#acknowledge(alias, isAll ? length - 1 : dice.below(length) - 1);
    await time.pass(quietMs);
    this.#again.clear();
    this.#mustReset = true;
    this.#trader?.logout();
    await time.pass(5_000);
    await this.#connect();
    for (const [alias, copies] of this.#copies) {
      const again = this.#again.get(alias) ?? new Set();
      const from = isOfReader ? (this.#acknowledged.get(alias) ?? 0) : copies.length;
      const lacking = copies.slice(from).filter((execId) => !again.has(execId));
      if (lacking.length > 0)
        wrong(
          `${lacking.length} copies of ${alias} that it has not acknowledged do not come again`,
        );
      // What has no ExecID(17) of its own cannot be acknowledged, nor the batch with it.
      const isKnown = !isOfReader || (isAll && !wish.requests && !this.#hasTotals);
      if (isKnown && again.size > 0)
        wrong(`${again.size} copies of ${alias} that are acknowledged come again`);
    }
  }

  #acknowledge(alias: string, index: number): void {
    const execId = this.#copies.get(alias)?.[index];
    if (this.#parts.wish.acknowledge !== 'reader' || execId === undefined) return;
    if (!this.#trader?.say(`UK|17=${execId}|1=${alias}`)) return;
    this.#acknowledged.set(alias, Math.max(this.#acknowledged.get(alias) ?? 0, index + 1));
  }

  async #connect(): Promise<void> {
    const { door, time } = this.#parts;
    for (let i = 0; i < 60 && this.#trader?.isUp !== true; i += 1) {
      const open = door();
      if (open !== undefined) this.#trader?.connect(open);
      await time.pass(2_000);
    }
    do await time.pass(quietMs);
    while (time.monoMs - this.#lastMs < quietMs);
  }

  #request(said: Said): void {
    const { requests, wish, wrong } = this.#parts;
    const session = textOf(said, '448') ?? '';
    const key = `${session} ${textOf(said, '96')}`;
    const had = this.#requests.get(key) ?? 0;
    if (textOf(said, '97') === 'Y' && had > 0) return;
    this.#requests.set(key, had + 1);
    const written = requests.written.get(key);
    if (!wish.requests || !this.sees(session)) wrong(`it gets a request of ${session}`);
    else if (written === undefined) wrong(`it gets a request that ${session} did not send`, [key]);
    else if (written.type !== textOf(said, '9142')) wrong(`${written.clOrdId} is no ${said[0]}`);
    else if (had >= written.count) wrong(`it gets ${session} ${written.clOrdId} twice`);
    else this.#named.add(`${session} ${written.clOrdId}`);
  }

  #judgeRequests(isLossy: boolean): void {
    const { requests, wrong } = this.#parts;
    for (const [name, session] of requests.answered) {
      if (this.sees(session) && !this.#named.has(name))
        wrong(`the request ${name} was answered and is not copied`);
    }
    if (isLossy) return;
    for (const [key, { clOrdId, count, session }] of requests.written) {
      const had = this.#requests.get(key) ?? 0;
      if (this.sees(session) && had !== count)
        wrong(`the request ${session} ${clOrdId} was sent ${count} times and copied ${had} times`);
    }
  }
}
