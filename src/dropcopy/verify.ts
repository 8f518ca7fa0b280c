/**
 * Computes a reader's totals from the messages that it received, and compares them with the totals that it was sent
 * (docs/DROPCOPY.md, "Reconciliation"). It shares only the hash rule with the relay.
 */
import { type Decimal, parseDecimal } from '../domain/units.ts';
import { copyTags, copyTypes } from './copy-tags.ts';
import { chained, hashedTags } from './copy-totals.ts';
import type { LoggedMessage } from './fix-log.ts';

/** One message of totals, compared with the log. */
export interface Checked {
  readonly account: string;
  /** The day that ended; null for requested totals. */
  readonly day: string | null;
  readonly count: number;
  readonly hash: string;
  /** The differences; empty if everything agrees. */
  readonly faults: readonly string[];
}

export interface Verification {
  readonly checked: readonly Checked[];
  readonly copies: number;
  /** Repeated copies with PossDupFlag(43) or PossResend(97). */
  readonly repeated: number;
  /** Repeated copies without either, which is an error. */
  readonly doubled: readonly string[];
}

interface Sums {
  count: number;
  hash: string;
  /** By the name of the total. */
  readonly numbers: Map<number, number>;
  readonly volumes: Map<string, Volume>;
}

const volumeNames = ['bought', 'sold', 'boughtValue', 'soldValue'] as const;
type Volume = Record<(typeof volumeNames)[number], Decimal>;

const zero: Decimal = { mantissa: 0n, scale: 0 };
const noVolume: Volume = { bought: zero, sold: zero, boughtValue: zero, soldValue: zero };
/** The limit for messages behind a gap that is never filled, as in a log without administrative messages. */
const maxPending = 10_000;
const tradeTags: Readonly<Record<string, number>> = {
  F: copyTags.trades,
  H: copyTags.busts,
  G: copyTags.corrections,
};

/** One direction of one session: its messages in the order of MsgSeqNum(34), each once. */
class Line {
  #expected = 0;
  readonly #pending = new Map<number, LoggedMessage>();

  /** Returns the messages that are next in order. */
  take(message: LoggedMessage): readonly LoggedMessage[] {
    const seq = Number(message.field(34));
    const begins = message.field(35) === 'A' && seq === 1;
    const before = begins ? this.rest() : [];
    if (begins || this.#expected === 0) this.#expected = seq;
    if (message.field(35) === '4') {
      const newSeqNo = Number(message.field(36));
      if (seq <= this.#expected) this.#expected = Math.max(this.#expected, newSeqNo);
      return [...before, ...this.#due()];
    }
    if (seq >= this.#expected) this.#pending.set(seq, message);
    if (this.#pending.size > maxPending) return [...before, ...this.rest()];
    return [...before, ...this.#due()];
  }

  /** Returns the messages behind a gap that the log does not fill. */
  rest(): readonly LoggedMessage[] {
    const left = [...this.#pending].sort(([a], [b]) => a - b);
    this.#pending.clear();
    const [last] = left.at(-1) ?? [];
    if (last !== undefined) this.#expected = last + 1;
    return left.map(([, message]) => message);
  }

  #due(): readonly LoggedMessage[] {
    const due: LoggedMessage[] = [];
    for (;;) {
      const next = this.#pending.get(this.#expected);
      if (next === undefined) return due;
      this.#pending.delete(this.#expected);
      this.#expected += 1;
      due.push(next);
    }
  }
}

export class Verifier {
  readonly #lines = new Map<string, Line>();
  readonly #sums = new Map<string, Sums>();
  readonly #seen = new Set<string>();
  readonly #days = new Set<string>();
  readonly #checked: Checked[] = [];
  readonly #doubled: string[] = [];
  #copies = 0;
  #repeated = 0;

  take(message: LoggedMessage): void {
    const name = `${message.field(49)}>${message.field(56)}`;
    const line = this.#lines.get(name) ?? new Line();
    this.#lines.set(name, line);
    for (const due of line.take(message)) this.#read(due);
  }

  finish(): Verification {
    for (const line of this.#lines.values()) for (const left of line.rest()) this.#read(left);
    return {
      checked: this.#checked,
      copies: this.#copies,
      repeated: this.#repeated,
      doubled: this.#doubled,
    };
  }

  #read(message: LoggedMessage): void {
    const type = message.field(35);
    const isAnswer = message.field(copyTags.reqId) !== undefined;
    if (type === '8' && message.field(797) === 'Y' && !isAnswer) this.#copy(message);
    else if (type === copyTypes.totals) this.#totals(message);
  }

  #copy(message: LoggedMessage): void {
    const execId = message.field(17) ?? '';
    const account = message.field(1) ?? '';
    if (message.field(150) === 'I') return;
    const isRepeat = message.field(43) === 'Y' || message.field(97) === 'Y';
    const key = `${message.field(56)} ${account} ${execId}`;
    if (this.#seen.has(key)) {
      if (isRepeat) this.#repeated += 1;
      else this.#doubled.push(execId);
      return;
    }
    this.#seen.add(key);
    this.#copies += 1;
    const sums = this.#sumsOf(message);
    sums.count += 1;
    sums.hash = chained(sums.hash, factsOf(message));
    const tag = tradeTags[message.field(150) ?? ''];
    if (tag !== undefined) sums.numbers.set(tag, (sums.numbers.get(tag) ?? 0) + 1);
    if (message.field(150) === 'F') addVolume(sums.volumes, message);
  }

  #totals(message: LoggedMessage): void {
    const account = message.field(1) ?? '';
    const day = message.field(copyTags.day) ?? null;
    const key = `${message.field(56)} ${account}`;
    if (day !== null && this.#days.has(`${key} ${day}`)) return;
    const sums = this.#sumsOf(message);
    const { count, hash } = sums;
    this.#checked.push({ account, day, count, hash, faults: faultsOf(message, sums) });
    if (day === null) return;
    this.#days.add(`${key} ${day}`);
    this.#sums.delete(key);
  }

  #sumsOf(message: LoggedMessage): Sums {
    const key = `${message.field(56)} ${message.field(1) ?? ''}`;
    const known = this.#sums.get(key);
    if (known !== undefined) return known;
    const sums = { count: 0, hash: '0'.repeat(64), numbers: new Map(), volumes: new Map() };
    this.#sums.set(key, sums);
    return sums;
  }
}

function factsOf(message: LoggedMessage): Uint8Array {
  const facts = hashedTags.flatMap((tag) => {
    const value = message.field(tag);
    return value === undefined ? [] : [`${tag}=${value}\x01`];
  });
  return Buffer.from(facts.join(''), 'latin1');
}

function faultsOf(message: LoggedMessage, sums: Sums): readonly string[] {
  const faults: string[] = [];
  const compare = (what: string, stated: string | undefined, found: string) => {
    if (stated !== found) faults.push(`${what} is ${found}, stated ${stated ?? 'nothing'}`);
  };
  compare('count', message.field(copyTags.count), String(sums.count));
  compare('hash', message.field(copyTags.hash), sums.hash);
  for (const what of ['trades', 'busts', 'corrections'] as const) {
    const tag = copyTags[what];
    compare(what, message.field(tag), String(sums.numbers.get(tag) ?? 0));
  }
  const lost = message.field(copyTags.lost);
  if (lost !== '0') faults.push(`${lost} copies were lost by retention`);
  // Volumes of very many instruments fit into no message.
  if (message.field(copyTags.volumes) === undefined && sums.volumes.size > 2_000) return faults;
  const stated = statedVolumes(message);
  for (const symbol of new Set([...stated.keys(), ...sums.volumes.keys()])) {
    if (!isSame(stated.get(symbol), sums.volumes.get(symbol))) {
      faults.push(`the volume of ${symbol} differs`);
    }
  }
  return faults;
}

function addVolume(volumes: Map<string, Volume>, message: LoggedMessage): void {
  const symbol = message.field(55) ?? '';
  const qty = exact(message.field(32));
  const value = times(qty, exact(message.field(31)));
  const before = volumes.get(symbol) ?? noVolume;
  const after =
    message.field(54) === '1'
      ? { bought: plus(before.bought, qty), boughtValue: plus(before.boughtValue, value) }
      : { sold: plus(before.sold, qty), soldValue: plus(before.soldValue, value) };
  volumes.set(symbol, { ...before, ...after });
}

function statedVolumes(message: LoggedMessage): Map<string, Volume> {
  const volumes = new Map<string, Volume>();
  let current: Volume | undefined;
  for (const [tag, value] of message.fields) {
    if (tag === 55) {
      current = { ...noVolume };
      volumes.set(value, current);
    }
    const name = volumeNames.find((one) => copyTags[one] === tag);
    if (name !== undefined && current !== undefined) current[name] = exact(value);
  }
  return volumes;
}

function isSame(a: Volume | undefined, b: Volume | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return volumeNames.every((name) => isEqual(a[name], b[name]));
}

function exact(text: string | undefined): Decimal {
  return parseDecimal(text ?? '0') ?? zero;
}

function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const at = (one: Decimal) => one.mantissa * 10n ** BigInt(scale - one.scale);
  return { mantissa: at(a) + at(b), scale };
}

function times(a: Decimal, b: Decimal): Decimal {
  return { mantissa: a.mantissa * b.mantissa, scale: a.scale + b.scale };
}

function isEqual(a: Decimal, b: Decimal): boolean {
  return a.mantissa * 10n ** BigInt(b.scale) === b.mantissa * 10n ** BigInt(a.scale);
}
