/**
 * Every value that a reader of the venue's records takes, found by asking the reader: each member of a valid record in
 * turn gets each of these values, and what the reader refuses is not legal.
 */
import { exactJson } from '../../../src/domain/exact-json.ts';
import type { Market } from '../../../src/domain/instrument.ts';
import { readMarkets } from '../../../src/venue/records.ts';
import { sandbox } from '../../venue/samples.ts';

const longest = 4096;

/** The ends of every number and text that a writer of the bridge may have, and one beyond each. */
export const anyValues: readonly unknown[] = [
  ...[
    0,
    1,
    -1,
    18,
    254,
    255,
    256,
    65_534,
    65_535,
    65_536,
    2 ** 31,
    2 ** 32 - 2,
    2 ** 32 - 1,
    2 ** 32,
  ],
  ...[253_402_300_799_999, 253_402_300_800_000, 8.64e15, 8.64e15 + 1],
  ...[Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 0.5],
  ...[
    '',
    ' ',
    'x',
    'USDC.e-bridged',
    'Zürich',
    '日本',
    '🂡',
    '\ud800',
    '\udc00x',
    'a\0b',
    'a\x01b=c',
    'a\nb',
  ],
  ...['a|b;c=d,e"f', '=1+1', '\x1b[31m', '\x9b', '\u2028', '__proto__', 'constructor', 'A:YES'],
  ...['x'.repeat(longest), '日'.repeat(longest)],
  ...[`0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`, 'YES', 'NO', 'Bid', 'Ask', true, false, null],
];

/** The record with another value at a JSON pointer. */
export function withValue(record: object, pointer: string, value: unknown): object {
  const copy = structuredClone(record) as Record<string, unknown>;
  const path = pointer.split('/').slice(1);
  const last = path.pop() as string;
  let at = copy;
  for (const name of path) {
    at[name] = { ...((at[name] ?? {}) as object) };
    at = at[name] as Record<string, unknown>;
  }
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

export interface Legal<T> {
  /** Which member has which value. */
  readonly what: string;
  readonly value: T;
}

/** What `read` makes of the record with each legal value of each member. */
export function legalValues<T>(
  record: object,
  pointers: Readonly<Record<string, string>>,
  read: (record: object) => T | undefined,
): readonly Legal<T>[] {
  const found = new Map<string, Legal<T>>();
  for (const [name, pointer] of Object.entries(pointers)) {
    for (const one of [...anyValues, undefined]) {
      const value = taken(() => read(withValue(record, pointer, one)));
      if (value === undefined) continue;
      const text = exactJson(value);
      if (!found.has(text)) found.set(text, { what: `${name}=${shown(one)}`, value });
    }
  }
  return [...found.values()];
}

const market = {
  ...{
    marketId: 7,
    kind: 'prediction',
    symbol: 'RAIN',
    base: 'RAIN',
    quote: 'USDC',
    status: 'open',
  },
  ...{ priceScale: 6, qtyScale: 6, tick: 1, lot: 1, minNotional: 1, maxQty: 1000, expiryMs: 1 },
};

/** Markets that the venue may list. */
export function legalMarkets(): readonly Legal<Market>[] {
  const { records } = sandbox;
  return legalValues(market, records.market, (one) => readMarkets(records, { markets: [one] })[0]);
}

function taken<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 40 ? `${text.slice(0, 12)}… of ${text.length}` : text;
}
