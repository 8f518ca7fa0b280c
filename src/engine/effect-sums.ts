/**
 * A short checksum of each effect, kept with the record of the inputs that caused it, so that `causeway replay` can see
 * whether the same inputs still have the same effects (docs/decisions/0265-replay-and-sums-of-effects.md). It is
 * computed on the order path, so the members of an effect are mixed in directly instead of being serialized first.
 */

/** Increase this when the same effects get other sums; sums of another form are not compared. */
const form = 4;

export interface EffectSum {
  readonly kind: string;
  readonly sum: string;
}

interface Effect {
  readonly kind: string;
}

export class EffectSums {
  #text = '';

  add(effects: readonly Effect[]): void {
    for (const effect of effects) this.#text += ` ${effect.kind}:${sumOf(effect)}`;
  }

  /** Returns the sums since the last call, for the record of the transaction. */
  take(): string {
    const text = `${form}${this.#text}`;
    this.#text = '';
    return text;
  }
}

/** Undefined if the sums have another form. */
export function readSums(text: string): readonly EffectSum[] | undefined {
  const [version, ...sums] = text.split(' ');
  if (version !== `${form}`) return undefined;
  return sums.map((each) => {
    const [kind = '', sum = ''] = each.split(':');
    return { kind, sum };
  });
}

export function sumOf(effect: Effect): string {
  return (mixed(offset, effect) >>> 0).toString(36);
}

/** FNV-1a with 32 bits, over characters and whole numbers instead of bytes. */
const offset = 0x811c9dc5;
const prime = 0x01000193;
const wordSize = 2 ** 32;

/** Marks for values that are neither text nor numbers. */
const marks = { true: 1, false: 2, null: 3, list: 4, end: 5 };

function mixed(sum: number, value: unknown): number {
  switch (typeof value) {
    case 'string':
      return mixedText(sum, value);
    case 'number':
      return mixedNumber(sum, value);
    case 'bigint': {
      const number = Number(value);
      return Number.isSafeInteger(number) ? mixedNumber(sum, number) : mixedText(sum, `${value}`);
    }
    case 'boolean':
      return mixedWord(sum, value ? marks.true : marks.false);
    case 'object':
      if (value === null) return mixedWord(sum, marks.null);
      return Array.isArray(value)
        ? mixedList(sum, value)
        : mixedMembers(sum, value as Record<string, unknown>);
    default:
      return sum;
  }
}

function mixedList(sum: number, values: readonly unknown[]): number {
  let next = mixedWord(mixedWord(sum, marks.list), values.length);
  for (const value of values) next = mixed(next, value);
  return next;
}

/**
 * Mixes in the members of an object. Their order does not matter, because a stored value may have another one. An
 * undefined member is skipped, as in a record. The code and the order of an alarm are skipped too, because earlier
 * versions had neither. The length and two letters of a name distinguish members well enough.
 */
function mixedMembers(sum: number, members: Readonly<Record<string, unknown>>): number {
  const { kind } = members;
  let total = 0;
  for (const name in members) {
    const value = members[name];
    if (value === undefined || name === 'made') continue;
    if (kind === 'alarm' && (name === 'orderId' || name === 'code')) continue;
    total += mixedMember(name, value);
  }
  return mixedWord(mixedWord(sum, total | 0), marks.end);
}

function mixedMember(name: string, value: unknown): number {
  const { length } = name;
  const letters = (name.charCodeAt(0) << 16) | (name.charCodeAt(length - 1) << 8) | length;
  const sum = mixedWord(offset, letters);
  if (name === 'executions') return mixedTrades(sum, value as readonly unknown[]);
  if (name === 'instrument') return mixed(sum, (value as { readonly symbol?: string }).symbol);
  return mixed(sum, value);
}

/**
 * An order can have a thousand trades, and each was in an earlier report already, so only the last one is mixed in.
 * What a bust or correction of another one changes is in the order's sums.
 */
function mixedTrades(sum: number, trades: readonly unknown[]): number {
  return mixed(mixedWord(sum, trades.length), trades.at(-1));
}

function mixedText(sum: number, text: string): number {
  let next = mixedWord(sum, text.length);
  for (let at = 0; at < text.length; at += 1) {
    next = Math.imul(next ^ text.charCodeAt(at), prime);
  }
  return next;
}

function mixedNumber(sum: number, value: number): number {
  if ((value | 0) === value) return mixedWord(sum, value);
  if (!Number.isSafeInteger(value)) return mixedText(sum, `${value}`);
  return mixedWord(mixedWord(sum, value | 0), Math.floor(value / wordSize));
}

function mixedWord(sum: number, word: number): number {
  const next = Math.imul(sum ^ word, prime);
  return next ^ (next >>> 15);
}
