/**
 * Requests of a drop-copy reader at random, and whether what it was answered is true: each request is accepted, answered
 * completely and once, and its totals are those of the copies that it has (docs/DROPCOPY.md, "Requests").
 */
import { chained, hashedTags } from '../../src/dropcopy/copy-totals.ts';
import { aliases } from './cast.ts';
import { textOf } from './client-log.ts';
import type { Dice } from './dice.ts';
import type { Said } from './fix-trader.ts';
import type { VenueLedger } from './venue-ledger.ts';
import type { VirtualTime } from './virtual-time.ts';

interface Asked {
  readonly line: string;
  readonly copies: Said[];
  status: 'asked' | 'accepted' | 'over';
}

interface Sums {
  count: number;
  trades: number;
  hash: string;
}

export interface ReaderRequestParts {
  readonly dice: Dice;
  readonly ledger: VenueLedger;
  readonly time: Pick<VirtualTime, 'pass'>;
  /** False while the reader has no connection. */
  readonly say: (line: string) => boolean;
  readonly wrong: (text: string, trace?: readonly string[]) => void;
}

/** The answers take turns with the copies, and are read from the store piece by piece: that takes minutes after a long run. */
const maxWaitMs = 600_000;
const stepMs = 500;
const always = '20000101-00:00:00.000';
const idIn = /(?<=\|(?:9120|568)=)[^|]+/;
const noSums = (): Sums => ({ count: 0, trades: 0, hash: '0'.repeat(64) });

export class ReaderRequests {
  readonly #parts: ReaderRequestParts;
  /** By CopyReqID(9120) or TradeRequestID(568). */
  readonly #asked = new Map<string, Asked>();
  /** Copies by Account(1) and ExecID(17), in the order in which they came first. */
  readonly #copies = new Map<string, Said>();
  readonly #sums = new Map<string, Sums>();
  /** The days that have ended, by account and CopyDay(9138). */
  readonly #days = new Set<string>();
  /** ExecIDs of copies that are not counted, by account. */
  readonly #uncounted = new Map<string, Set<string>>();
  #count = 0;

  constructor(parts: ReaderRequestParts) {
    this.#parts = parts;
  }

  ask(): void {
    this.#ask(this.#next());
  }

  hear(said: Said): void {
    const type = textOf(said, '35');
    const asked = this.#asked.get(textOf(said, '9120') ?? textOf(said, '568') ?? '');
    if (type === '8') this.#copy(said, asked);
    // After its numbers began anew, what it had not confirmed comes again, of a time before a subscription too.
    const isAgain = textOf(said, '97') === 'Y' && textOf(said, '325') === 'Y';
    if (type === 'AE' && !isAgain) asked?.copies.push(said);
    if (type === 'UA') this.#answer(said, asked, '9128', '9130');
    if (type === 'AQ') this.#answer(said, asked, '750', '748');
    if (type === 'UT') this.#totals(said);
  }

  /** The connection ended, and with it the requests that were not answered completely. */
  leave(): void {
    for (const asked of this.#asked.values()) asked.status = 'over';
  }

  /** Whether the numbers of its session begin anew. */
  resets(): boolean {
    return this.#parts.dice.hits(200);
  }

  /** Once all is at rest, the answers are known. */
  async judge(): Promise<void> {
    const { time, wrong } = this.#parts;
    const id = () => `z${++this.#count}`;
    const questions = [
      ...aliases.map((alias) => `UR|9120=${id()}|9121=5|1=${alias}`),
      ...aliases.map((alias) => `UR|9120=${id()}|9121=2|1=${alias}|9124=${always}`),
      ...aliases.map((alias) => `UR|9120=${id()}|9121=6|1=${alias}`),
      `AD|568=${id()}|569=0|263=0`,
    ];
    for (const line of questions) {
      this.#ask(line);
      const asked = this.#asked.get(idIn.exec(line)?.[0] ?? '');
      for (let ms = 0; ms < maxWaitMs && asked?.status !== 'over'; ms += stepMs) {
        await time.pass(stepMs);
      }
      const came = asked?.copies.length ?? 0;
      const [alias = ''] = /(?<=\|1=)[^|]+/.exec(line) ?? [];
      const expected = this.#expected(line, alias);
      if (asked?.status !== 'over') wrong(`${line}: not answered at rest`);
      else if (came !== expected) wrong(`${line}: ${came} came, there are ${expected}`);
    }
  }

  #expected(line: string, alias: string): number {
    const { ledger } = this.#parts;
    if (line.startsWith('AD')) return ledger.fills.length;
    if (line.includes('9121=6')) return 0;
    if (line.includes('9121=5')) return ledger.openOf(alias).size + ledger.othersOf(alias).length;
    const counted = [...this.#copies.values()].filter((said) => textOf(said, '1') === alias);
    return counted.length + (this.#uncounted.get(alias)?.size ?? 0);
  }

  #next(): string {
    const { dice } = this.#parts;
    const chance = dice.below(100);
    const alias = dice.pick(aliases);
    const execIds = [...this.#copies.values()]
      .filter((said) => textOf(said, '1') === alias)
      .map((said) => textOf(said, '17') ?? '');
    const at = dice.below(Math.max(1, execIds.length));
    if (chance < 15 && execIds.length > 0) return `UK|17=${execIds[at]}|1=${alias}`;
    if (chance < 30) {
      const kind = dice.pick(['0', '0', '1', '2']);
      return `AD|568=t${++this.#count}|569=${dice.below(2)}|263=${kind}`;
    }
    const type = 1 + dice.below(6);
    const to = execIds[Math.min(execIds.length - 1, at + dice.below(20))];
    const end = dice.hits(500) ? `|9123=${to}` : '';
    const ranges = [
      execIds.length === 0 ? '' : `|9122=${execIds[at]}${end}`,
      `|9124=${dice.hits(500) ? 'now' : always}`,
      `|9126=${1 + dice.below(50)}`,
    ];
    return `UR|9120=r${++this.#count}|9121=${type}|1=${alias}${ranges[type - 1] ?? ''}`;
  }

  #ask(line: string): void {
    const [id] = idIn.exec(line) ?? [];
    if (this.#parts.say(line) && id !== undefined)
      this.#asked.set(id, { line, copies: [], status: 'asked' });
  }

  #copy(said: Said, asked: Asked | undefined): void {
    if (asked !== undefined) {
      asked.copies.push(said);
      return;
    }
    const execId = textOf(said, '17') ?? '';
    const alias = textOf(said, '1') ?? '';
    const key = `${alias} ${execId}`;
    if (textOf(said, '150') === 'I') {
      const uncounted = this.#uncounted.get(alias) ?? new Set();
      if (execId !== '0') this.#uncounted.set(alias, uncounted.add(execId));
      return;
    }
    if (this.#copies.has(key)) return;
    this.#copies.set(key, said);
    const sums = this.#sums.get(alias) ?? noSums();
    this.#sums.set(alias, {
      count: sums.count + 1,
      trades: sums.trades + (textOf(said, '150') === 'F' ? 1 : 0),
      hash: chained(sums.hash, factsOf(said)),
    });
  }

  /** Of both answers, 0 is accepted, 1 completed and 2 refused. */
  #answer(said: Said, asked: Asked | undefined, statusTag: string, countTag: string): void {
    if (asked === undefined || asked.status === 'over') return;
    const { copies, line } = asked;
    const wrong = (text: string) =>
      this.#parts.wrong(`${line}: ${text}`, [said.map((field) => field.join('=')).join('|')]);
    const status = textOf(said, statusTag);
    if (status === '0') {
      if (asked.status !== 'asked') wrong('it is accepted twice');
      asked.status = 'accepted';
      return;
    }
    asked.status = 'over';
    if (status !== '1') return;
    const count = Number(textOf(said, countTag));
    // A subscription has new trades as well, which may come before the last of the past ones.
    const isMore = line.includes('|263=1') && copies.length > count;
    if (!line.includes('|9121=6') && count !== copies.length && !isMore)
      wrong(`${count} are counted, ${copies.length} came`);
    // Several orders that the venue has not accepted yet have the same OrderID, NONE.
    const ids = new Set(
      copies.map((copy) => ['17', '37', '11'].map((tag) => textOf(copy, tag)).join()),
    );
    if (ids.size !== copies.length) wrong('a copy came twice');
    const [from] = /(?<=9122=)[^|]+/.exec(line) ?? [];
    const [to] = /(?<=9123=)[^|]+/.exec(line) ?? [];
    const [first, last] = [copies[0], copies.at(-1)].map((copy) => textOf(copy ?? [], '17'));
    if (from !== undefined && first !== from) wrong(`it begins with ${first}`);
    if (to !== undefined && last !== to) wrong(`it ends with ${last}`);
  }

  #totals(said: Said): void {
    const alias = textOf(said, '1') ?? '';
    const isDay = textOf(said, '9143') === 'Y';
    const day = `${alias} ${textOf(said, '9138')}`;
    // A day that the reader has not acknowledged comes again after a reset of its numbers.
    if (isDay && this.#days.has(day)) return;
    if (isDay) this.#days.add(day);
    const sums = this.#sums.get(alias) ?? noSums();
    const told = [textOf(said, '9130'), textOf(said, '9132'), textOf(said, '9131')].join();
    const own = [sums.count, sums.trades, sums.hash].join();
    if (told !== own)
      this.#parts.wrong(`the totals of ${alias} are ${told}, the copies make ${own}`);
    if (isDay) this.#sums.set(alias, noSums());
  }
}

function factsOf(said: Said): Uint8Array {
  const facts = hashedTags.flatMap((tag) => {
    const value = textOf(said, `${tag}`);
    return value === undefined ? [] : [`${tag}=${value}\x01`];
  });
  return Buffer.from(facts.join(''), 'latin1');
}
