/** The refusal table against the text of part D of the venue contract: each row is read from the document. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { refusalText, venueNumber } from '../../src/domain/refusal.ts';
import {
  finerRefusal,
  isRefusalNumber,
  refusalNumberNames,
  refusalNumbers,
  refusalOf,
  refusalOfNumber,
  refusalOfStatus,
  refusals,
} from '../../src/venue/refusals.ts';

const contract = readFileSync(join(import.meta.dirname, '../../docs/venue/contract.md'), 'utf8');

/** The rows of the first table after a heading, as cells. */
function tableOf(heading: string): string[][] {
  const section = contract.slice(contract.indexOf(`\n## ${heading}`) + 1);
  const lines = section.slice(0, section.indexOf('\n## ', 1)).split('\n');
  return lines
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

const codes = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code ?? '');
const first = (cell: string) => cell.match(/\d+/)?.[0];
const reason = (cell: string) => (cell.startsWith('n/a') ? null : Number(first(cell)));
const actsOf = (cell: string) => [...cell.matchAll(/\b[A-Z][A-Z\d]\b/g)].map(([act]) => act);
const numberOf = (cell: string) => (/^\d/.test(cell) ? Number(first(cell)) : null);
const doubtfulOf = (cell: string) => Number(cell.match(/\((\d+) doubtful\)/)?.[1] ?? 0) || null;

describe('R116: each submit code maps as D.4', () => {
  const rows = tableOf('D.4 ').filter(([code]) => code?.startsWith('`'));
  test('there are 48 rows', () => expect(rows.length).toBe(48));
  test.each(rows)('%s', (code, d, f, g, i, number, retriable, _policy, act) => {
    const refusal = refusalOf(codes(code ?? '')[0] ?? '');
    expect(refusal).toMatchObject({
      source: 'submit',
      order: reason(d ?? ''),
      cancel: reason(f ?? ''),
      replace: reason(g ?? ''),
      quote: reason(i ?? ''),
      number: numberOf(number ?? ''),
      doubtful: doubtfulOf(number ?? ''),
    });
    expect(refusal?.retriable.split(' ')[0]).toBe(
      { no: 'no', yes: 'yes' }[retriable ?? ''] ?? 'after',
    );
    const stated = actsOf((act ?? '').split(/[;(]/)[0] ?? '');
    const or = (act ?? '').includes('N1 or RC');
    expect(refusal?.acts).toEqual(or ? ['N1'] : stated);
    expect(refusal?.code).toBe(refusal?.name);
    expect(refusal?.text).toBe(`${refusal?.name}:`);
  });
});

describe('R117: each lane code and coarse label maps as D.4b', () => {
  const rows = tableOf('D.4b').filter(([code]) => code?.startsWith('`'));
  test('there are 12 rows', () => expect(rows.length).toBe(12));
  test.each(rows)('%s', (code, d, fg, i, number, _policy, act) => {
    const refusal = refusalOf(codes(code ?? '')[0] ?? '');
    expect(refusal).toMatchObject({
      source: 'lane',
      order: reason(d ?? ''),
      cancel: reason(fg ?? ''),
      quote: reason(i ?? ''),
      doubtful: doubtfulOf(number ?? ''),
    });
    expect(refusal?.acts).toEqual(actsOf(act ?? ''));
    if (refusal?.name !== 'NONCE_REJECTED') expect(refusal?.number).toBe(numberOf(number ?? ''));
  });

  test('a finer code that the raw detail names exactly wins over the label', () => {
    expect(finerRefusal('ENGINE_REJECTED', 'fok_not_filled')?.name).toBe('fok_not_filled');
    expect(finerRefusal('ENGINE_REJECTED', 'about fok_not_filled')?.name).toBe('ENGINE_REJECTED');
    expect(finerRefusal('NEW_LABEL', null)).toBeUndefined();
  });

  test('the number of NONCE_REJECTED is that of the code in its detail, else the catch-all', () => {
    expect(finerRefusal('NONCE_REJECTED', 'was nonce_replayed at 7')?.number).toBe(204);
    expect(finerRefusal('NONCE_REJECTED', 'no words')?.number).toBe(201);
    expect(finerRefusal('NONCE_REJECTED', null)?.number).toBe(201);
  });
});

describe('R59: each of the 14 agent codes maps as D.3', () => {
  const rows = tableOf('D.3');
  test('there are 14 rows', () => expect(rows.length).toBe(14));
  test.each(rows)('%s', (code, d, fg, i, also, number, _text, _policy, act) => {
    const refusal = refusalOf(codes(code ?? '')[0] ?? '');
    expect(refusal).toMatchObject({
      source: 'agent',
      order: reason(d ?? ''),
      cancel: reason(fg ?? ''),
      quote: reason(i ?? ''),
      business: also?.includes('380=6') ? 6 : null,
      number: numberOf(number ?? ''),
      doubtful: doubtfulOf(number ?? ''),
    });
    expect(refusal?.acts).toEqual(actsOf(act ?? ''));
    expect(refusal?.decisive).toBe(!d?.includes('after RC'));
  });
});

describe('R118: each HTTP status and code maps as D.1', () => {
  test.each(tableOf('D.1'))('%s', (code, d, fg, i, number, _text, retriable, _policy, act) => {
    const named = codes(code ?? '');
    const edge = code?.startsWith('edge');
    for (const name of named.length > 0 ? named : [edge ? 'edge_limit' : 'no_answer']) {
      const refusal = refusalOf(name);
      const undecided = d?.startsWith('not decisive') === true;
      expect(refusal?.decisive).toBe(!undecided);
      expect(refusal?.number).toBe(numberOf(number ?? ''));
      if (!undecided) {
        expect(refusal).toMatchObject({
          order: reason(d ?? ''),
          cancel: reason(fg ?? ''),
          quote: reason(i ?? ''),
        });
      }
      if (retriable !== '–') expect(refusal?.retriable).toBe(retriable);
      expect(refusal?.acts).toEqual(actsOf((act ?? '').replace(/^CR if.*/, 'CR')));
    }
  });

  test('R43: an unlisted code is kept as it came and follows the HTTP status', () => {
    expect(refusalOfStatus(422, 'brand_new')).toMatchObject({
      code: 'brand_new',
      text: 'brand_new:',
      decisive: true,
      number: null,
      acts: ['IN'],
    });
    expect(refusalOfStatus(503, 'brand_new').decisive).toBe(false);
    expect(refusalOfStatus(504)).toMatchObject({ decisive: false, code: 'bridge.unknown_outcome' });
  });
});

describe('R119: each of the 17 numbers maps as D.5', () => {
  const rows = tableOf('D.5');
  test('there are 17 rows', () => {
    expect(rows.length).toBe(17);
    expect(refusalNumbers.length).toBe(17);
    expect(Object.keys(refusalNumberNames).map(Number)).toEqual(refusalNumbers);
  });
  test.each(rows)('%s', (number, client, carried, _policy, act) => {
    const value = Number(first(number ?? ''));
    if (!isRefusalNumber(value)) throw new Error(`${value} is none of the 17`);
    const refusal = refusalOfNumber(value);
    expect(refusal.name).toBe(codes(number ?? '')[0]);
    expect(Number(first(carried ?? ''))).toBe(refusal.number);
    expect(refusal.decisive).toBe(!/^(not decisive|nothing)/.test(client ?? ''));
    expect(refusal.acts).toEqual(
      act === 'N1 or RC' ? ['N1'] : actsOf((act ?? '').replace('lane off', '')),
    );
  });
});

describe('R115, R122: VenueRejectNumber(9101)', () => {
  test('R115: only the 17 numbers occur, and 103, 102 and 300 are then the other value', () => {
    for (const refusal of refusals.filter(({ number }) => number !== null)) {
      expect(isRefusalNumber(refusal.number)).toBe(true);
      expect([99, null]).toContain(refusal.order);
      expect([99, null]).toContain(refusal.cancel);
      expect([99, null]).toContain(refusal.quote);
    }
  });

  const pairs = tableOf('D.2').flatMap(([number, certain, doubtful]) => [
    ...codes(certain ?? '').map((code) => [code, Number(number), true] as const),
    ...codes(doubtful ?? '').map((code) => [code, Number(number), false] as const),
  ]);
  test.each(pairs.filter(([code]) => code !== 'tradingHalted'))(
    'R122: %s and %d: certain %s',
    (code, number, certain) => {
      const refusal = refusalOf(code);
      if (refusal === undefined || !isRefusalNumber(number)) throw new Error(`no row ${code}`);
      expect(venueNumber(refusal)).toBe(certain ? number : null);
      expect(certain ? refusal.number : refusal.doubtful).toBe(number);
      expect(venueNumber(refusal, { [code]: number })).toBe(number);
      expect(venueNumber(refusal, { [code]: null })).toBeNull();
    },
  );
});

test('R121: each code of D.6 has a row with the reasons stated there', () => {
  const stated = tableOf('D.6').filter(([, , , code]) => code?.includes('`'));
  for (const [name, message, why, cell] of stated) {
    const named = [...(cell?.matchAll(/`(bridge\.\w+)`/g) ?? [])].map(([, code]) => code);
    const rows = refusals.filter(
      ({ source, code }) => source === 'bridge' && named.includes(code ?? ''),
    );
    expect(new Set(rows.map(({ code }) => code)).size, name).toBe(named.length);
    const all = `${message} ${why}`;
    const order = all.match(/\b103=(\d+)/)?.[1];
    const cancel = all.match(/\b102=(\d+)/)?.[1];
    const number = all.match(/\b9101=(\d+)/)?.[1];
    if (order !== undefined) expect(rows.map((row) => row.order)).toContain(Number(order));
    if (cancel !== undefined) expect(rows.map((row) => row.cancel)).toContain(Number(cancel));
    if (number !== undefined) expect(rows.map((row) => row.number)).toContain(Number(number));
  }
});

test('no two rows share a name', () => {
  expect(new Set(refusals.map(({ name }) => name)).size).toBe(refusals.length);
});

test('Text(58) begins with the code, is printable, hides key material and ends at 256 characters', () => {
  const refusal = refusalOf('expired');
  if (refusal === undefined) throw new Error('no row');
  expect(refusalText(refusal, 'too late')).toBe('expired: too late');
  expect(refusalText(refusal, null)).toBe('expired:');
  expect(refusalText(refusal, 'x'.repeat(999)).length).toBe(256);
  const secret = `sps_abc-123 0x${'ab'.repeat(65)} \u0001\u001b[31m`;
  expect(refusalText(refusal, secret)).toBe('expired: [credential] [bytes] ??[31m');
});

describe('C.1: the venue’s words are the venue’s alone', () => {
  /** What an exchange was, where the venue itself gave no code. */
  const ofTheExchange = new Set(['edge_limit', 'no_answer', 'ENGINE_REJECTED']);
  const root = join(import.meta.dirname, '../../src');
  const made = globSync('**/*.ts', { cwd: root })
    .filter((file) => !file.startsWith('sandbox/'))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [...text.matchAll(/\b(?:deny|refusalNamed)\(\s*'([^']+)'/g)].map(([, name = '']) => ({
        file,
        name,
      }));
    });

  test.each(made)('$file: $name is of the bridge', ({ name }) => {
    if (!ofTheExchange.has(name)) expect(refusalOf(name)?.source).toBe('bridge');
  });

  test.each(refusals.filter(({ source }) => source === 'bridge'))(
    '$name has a code of the bridge, or none',
    ({ code }) => expect(code ?? 'bridge.').toMatch(/^bridge\./),
  );

  test('a refusal of the venue without a code is told without one', () => {
    expect(finerRefusal('no_reason', null)).toMatchObject({ code: null, order: 99 });
    expect(finerRefusal('no_reason', 'fok_not_filled')).toMatchObject({ code: 'fok_not_filled' });
  });
});
