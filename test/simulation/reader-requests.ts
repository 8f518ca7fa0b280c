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

const idIn = /(?<=\|(?:9120|568)=)[^|]+/;
const noSums = (): Sums => ({ count: 0, trades: 0, hash: '0'.repeat(64) });

export interface ReaderRequestParts {
  readonly dice: Dice;
  readonly ledger: VenueLedger;
  readonly time: Pick<VirtualTime, 'pass'>;
  /** False while the reader has no connection. */
  readonly say: (line: string) => boolean;
  readonly wrong: (text: string, trace?: readonly string[]) => void;
}

/** A reader's requests take turns with the copies, and are read from the store piece by piece. */
const maxWaitMs = 60_000;
const stepMs = 500;

export class ReaderRequests {
  readonly #dice: Dice;
  readonly #ledger: VenueLedger;
  readonly #say: ReaderRequestParts['say'];
  readonly #time: ReaderRequestParts['time'];
  readonly #wrong: ReaderRequestParts['wrong'];
  /** By CopyReqID(9120) or TradeRequestID(568). */
  readonly #asked = new Map<string, Asked>();
  /** Copies by Account(1) and ExecID(17), in the order in which they came first. */
  readonly #copies = new Map<string, Said>();
  readonly #sums = new Map<string, Sums>();
  /** ExecIDs of copies that are not counted, by account. */
  readonly #unknown = new Map<string, Set<string>>();
  #count = 0;

  constructor({ dice, ledger, say, time, wrong }: ReaderRequestParts) {
    this.#dice = dice;
    this.#ledger = ledger;
    this.#say = say;
    this.#time = time;
    this.#wrong = wrong;
  }

  ask(): void {
    this.#ask(this.#next());
  }

  #next(): string {
    const dice = this.#dice.below(100);
    const alias = this.#dice.pick(aliases);
    const execIds = [...this.#copies.values()]
      .filter((said) => textOf(said, '1') === alias)
      .map((said) => textOf(said, '17') ?? '');
    const at = this.#dice.below(Math.max(1, execIds.length));
    if (dice < 15 && execIds.length > 0) return `UK|17=${execIds[at]}|1=${alias}`;
    if (dice < 30) {
      const id = `t${++this.#count}`;
      const kind = this.#dice.pick(['0', '0', '1', '2']);
      return `AD|568=${id}|569=${this.#dice.below(2)}|263=${kind}`;
    }
    const id = `r${++this.#count}`;
    const type = 1 + this.#dice.below(6);
    const from = execIds[at];
    const to = execIds[Math.min(execIds.length - 1, at + this.#dice.below(20))];
    const range = [
      from === undefined ? '' : `|9122=${from}${this.#dice.hits(500) ? `|9123=${to}` : ''}`,
      this.#dice.hits(500) ? '|9124=now' : '|9124=20000101-00:00:00.000',
      `|9126=${1 + this.#dice.below(50)}`,
      ...['', '', ''],
    ][type - 1];
    return `UR|9120=${id}|9121=${type}|1=${alias}${range}`;
  }

  hear(said: Said): void {
    const type = textOf(said, '35');
    const asked = this.#asked.get(textOf(said, '9120') ?? textOf(said, '568') ?? '');
    if (type === '8') this.#copy(said, asked);
    if (type === 'AE') asked?.copies.push(said);
    if (type === 'UA') this.#answer(said, asked, ['0', '1', '2'], '9128', '9130');
    if (type === 'AQ') this.#answer(said, asked, ['0', '1', '2'], '750', '748');
    if (type === 'UT') this.#totals(said);
  }

  /** The connection ended, and with it the requests that were not answered completely. */
  leave(): void {
    for (const asked of this.#asked.values()) asked.status = 'over';
  }

  #ask(line: string): void {
    const [id] = idIn.exec(line) ?? [];
    if (this.#say(line) && id !== undefined)
      this.#asked.set(id, { line, copies: [], status: 'asked' });
  }

  /** Whether its numbers begin anew. */
  resets(): boolean {
    return this.#dice.hits(200);
  }

  /** Once all is at rest, the answers are known. */
  async judge(): Promise<void> {
    const ids = () => `z${++this.#count}`;
    const always = '20000101-00:00:00.000';
    const questions = [
      ...aliases.map((alias) => `UR|9120=${ids()}|9121=5|1=${alias}`),
      ...aliases.map((alias) => `UR|9120=${ids()}|9121=2|1=${alias}|9124=${always}`),
      ...aliases.map((alias) => `UR|9120=${ids()}|9121=6|1=${alias}`),
      `AD|568=${ids()}|569=0|263=0`,
    ];
    for (const line of questions) {
      this.#ask(line);
      const asked = this.#asked.get(idIn.exec(line)?.[0] ?? '');
      for (let ms = 0; ms < maxWaitMs && asked?.status !== 'over'; ms += stepMs) {
        await this.#time.pass(stepMs);
      }
      const came = asked?.copies.length ?? 0;
      const [alias = ''] = /(?<=\|1=)[^|]+/.exec(line) ?? [];
      const expected = this.#expected(line, alias);
      if (asked?.status !== 'over') this.#wrong(`${line}: not answered at rest`);
      else if (came !== expected) this.#wrong(`${line}: ${came} came, there are ${expected}`);
    }
  }

  #expected(line: string, alias: string): number {
    if (line.startsWith('AD')) return this.#ledger.fills.length;
    if (line.includes('9121=6')) return 0;
    if (line.includes('9121=5')) {
      return this.#ledger.openOf(alias).size + this.#ledger.othersOf(alias).length;
    }
    const unknown = this.#unknown.get(alias) ?? new Set();
    return (
      unknown.size + [...this.#copies.values()].filter((said) => textOf(said, '1') === alias).length
    );
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
      if (execId !== '0')
        this.#unknown.set(alias, (this.#unknown.get(alias) ?? new Set()).add(execId));
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

  #answer(
    said: Said,
    asked: Asked | undefined,
    [accepted, completed]: readonly string[],
    statusTag: string,
    countTag: string,
  ): void {
    if (asked === undefined) return;
    const status = textOf(said, statusTag);
    const wrong = (text: string) =>
      this.#wrong(`${asked.line}: ${text}`, [said.map((field) => field.join('=')).join('|')]);
    if (asked.status === 'over') return;
    if (status === accepted) {
      if (asked.status !== 'asked') wrong('it is accepted twice');
      asked.status = 'accepted';
      return;
    }
    asked.status = 'over';
    if (status !== completed) return;
    const count = Number(textOf(said, countTag));
    const isTotals = asked.line.includes('|9121=6');
    if (!isTotals && count !== asked.copies.length)
      wrong(`${count} are counted, ${asked.copies.length} came`);
    const ids = new Set(asked.copies.map((copy) => `${textOf(copy, '17')} ${textOf(copy, '37')}`));
    if (ids.size !== asked.copies.length) wrong('a copy came twice');
    const [type] = /(?<=9121=)\d/.exec(asked.line) ?? [];
    if (type !== '1') return;
    const [from] = /(?<=9122=)[^|]+/.exec(asked.line) ?? [];
    const [to] = /(?<=9123=)[^|]+/.exec(asked.line) ?? [];
    const first = textOf(asked.copies[0] ?? [], '17');
    const last = textOf(asked.copies.at(-1) ?? [], '17');
    if (first !== from) wrong(`it begins with ${first}`);
    if (to !== undefined && last !== to) wrong(`it ends with ${last}`);
  }

  #totals(said: Said): void {
    const alias = textOf(said, '1') ?? '';
    const sums = this.#sums.get(alias) ?? noSums();
    const told = [textOf(said, '9130'), textOf(said, '9132'), textOf(said, '9131')].join();
    const own = [sums.count, sums.trades, sums.hash].join();
    if (told !== own) this.#wrong(`the totals of ${alias} are ${told}, the copies make ${own}`);
    if (textOf(said, '9143') === 'Y') this.#sums.set(alias, noSums());
  }
}

function factsOf(said: Said): Uint8Array {
  const facts = hashedTags.flatMap((tag) => {
    const value = textOf(said, `${tag}`);
    return value === undefined ? [] : [`${tag}=${value}\x01`];
  });
  return Buffer.from(facts.join(''), 'latin1');
}
