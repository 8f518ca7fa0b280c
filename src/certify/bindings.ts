/**
 * The variables of a scenario: `$order` is generated when a line is sent and captured when one is received, so that the
 * same line works for both sides. `$next+3` and `$qty*2` are exact decimal arithmetic.
 */
import { decimalText } from '../fix/decimal.ts';
import { asValue, LineError, plain } from './line.ts';

const form = /\$([a-z][A-Za-z0-9]{0,23})(?:([+*-])(\d{1,9}(?:\.\d{1,9})?))?/g;

export class Bindings {
  readonly #values = new Map<string, string>();
  readonly #live: (name: string) => string | undefined;
  readonly #fresh: (name: string) => string;

  /** `live` returns values that change, such as `next`; `fresh` generates an unused value. */
  constructor(
    live: (name: string) => string | undefined,
    fresh: (name: string) => string,
    given: Readonly<Record<string, string>>,
  ) {
    this.#live = live;
    this.#fresh = fresh;
    for (const [name, value] of Object.entries(given)) this.#values.set(name, value);
  }

  set(name: string, value: string): void {
    this.#values.set(name, value);
  }

  /** A line with its values. An unknown name gets a new value, and keeps it. */
  fill(text: string): string {
    return text.replace(form, (_, name: string, operator?: string, operand = '0') => {
      const live = this.#live(name);
      const value = live ?? this.#values.get(name) ?? this.#fresh(name);
      if (live === undefined) this.set(name, value);
      if (operator !== undefined) return calculate(value, operator, operand);
      // What the session provides may be several fields.
      return live ?? asValue(value);
    });
  }

  /** Like `fill`, for a text that is not a line. */
  value(text: string): string {
    return plain(this.fill(text));
  }

  /** The value that a pattern requires; for a variable that is not bound yet, its name as `unbound`. */
  wanted(pattern: string): { readonly value: string } | { readonly unbound: string } {
    const [, name, operator] = new RegExp(`^${form.source}$`).exec(pattern) ?? [];
    if (name === undefined || operator !== undefined) return { value: this.value(pattern) };
    const value = this.#live(name) ?? this.#values.get(name);
    return value === undefined ? { unbound: name } : { value };
  }

  copy(): Bindings {
    return new Bindings(this.#live, this.#fresh, Object.fromEntries(this.#values));
  }
}

/** Exact arithmetic: both operands become integers with the same scale. */
export function calculate(value: string, operator: string, operand: string): string {
  const left = atoms(value);
  const right = atoms(operand);
  if (left === undefined || right === undefined) {
    throw new LineError(`${value}${operator}${operand} is not decimal arithmetic`);
  }
  if (operator === '*') return decimalText(left.atoms * right.atoms, left.scale + right.scale);
  const scale = Math.max(left.scale, right.scale);
  const a = left.atoms * 10n ** BigInt(scale - left.scale);
  const b = right.atoms * 10n ** BigInt(scale - right.scale);
  return decimalText(operator === '+' ? a + b : a - b, scale);
}

/** Whether two texts are the same decimal, such as 0.50 and .5. */
export function isSameDecimal(a: string, b: string): boolean {
  const left = atoms(a);
  const right = atoms(b);
  if (left === undefined || right === undefined) return a === b;
  return decimalText(left.atoms, left.scale) === decimalText(right.atoms, right.scale);
}

function atoms(text: string): { readonly atoms: bigint; readonly scale: number } | undefined {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d{0,30})(?:\.(\d{0,30}))?$/.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return undefined;
  return { atoms: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}
