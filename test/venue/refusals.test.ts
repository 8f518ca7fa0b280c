/** Which row of the refusal table an answer of the venue has; the rows themselves are in domain/refusal.test.ts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noReason } from '../../src/domain/refusal.ts';
import {
  acts,
  denialOf,
  finerRefusal,
  isRefusalNumber,
  refusalNumbers,
  refusalOf,
  refusalOfNumber,
  refusalOfStatus,
  refusals,
  refusalsOfCredentials,
  refusalsOfKeys,
  venueRefusal,
} from '../../src/venue/refusals.ts';

test('no two rows share a name, and each of their acts is defined', () => {
  expect(new Set(refusals.map(({ name }) => name)).size).toBe(refusals.length);
  for (const { acts: own, onResend } of refusals) {
    for (const act of [...own, ...(onResend ?? [])]) expect(Object.keys(acts)).toContain(act);
  }
});

test('an answer that spends a nonce is reconciled when it comes to a resend, because the first may have counted', () => {
  const spending = refusals.filter(
    ({ acts: own, decisive }) => decisive && own.some((act) => act === 'N1' || act === 'N2'),
  );
  expect(spending.length).toBeGreaterThan(5);
  for (const { name, onResend } of spending) expect([name, onResend]).toEqual([name, ['RC']]);
});

test('an answer that decides nothing is reconciled before anything else is sent', () => {
  const undecided = refusals.filter(({ decisive, source }) => !decisive && source !== 'bridge');
  expect(undecided.length).toBeGreaterThan(8);
  for (const { name, acts: own } of undecided) expect(own, name).toContain('RC');
});

test('what refuses a key or a credential has a row', () => {
  for (const name of Object.keys({ ...refusalsOfKeys, ...refusalsOfCredentials })) {
    expect(refusalOf(name), name).toBeDefined();
  }
});

describe('by its name', () => {
  test('an unlisted code has no row, even if it is a word of JavaScript', () => {
    for (const name of ['brand_new', '', 'constructor', '__proto__', 'toString']) {
      expect(refusalOf(name)).toBeUndefined();
    }
  });

  test('a missing row of a name in our own code is our own mistake', () => {
    expect(venueRefusal('no_answer').decisive).toBe(false);
    expect(() => venueRefusal('brand_new')).toThrow('the refusal table has no row "brand_new"');
  });
});

describe('by its number', () => {
  test('the 17 numbers of the venue are numbers, and nothing else is one', () => {
    for (const number of refusalNumbers) expect(refusalOfNumber(number).number).toBe(number);
    const others = fc.anything().filter((value) => !refusalNumbers.some((one) => one === value));
    fc.assert(fc.property(others, (value) => !isRefusalNumber(value)));
    expect(isRefusalNumber('104')).toBe(false);
  });
});

describe('by the status of HTTP', () => {
  test.each([
    [400, 'BAD_REQUEST', true],
    [401, 'UNAUTHORIZED', true],
    [403, 'FORBIDDEN', true],
    [404, 'NOT_FOUND', true],
    [406, 'NOT_ACCEPTABLE', true],
    [409, 'CONFLICT', false],
    [422, 'BAD_REQUEST', true],
    [429, 'RATE_LIMITED', true],
    [500, 'INTERNAL_ERROR', false],
    [503, 'SERVICE_UNAVAILABLE', false],
  ])('%d is %s, and it is %s that this decides the outcome', (status, name, decisive) => {
    expect(refusalOfStatus(status)).toMatchObject({ name, decisive });
  });

  test('any other status leaves the outcome unknown', () => {
    const listed = [400, 401, 403, 404, 406, 409, 422, 429, 500, 503];
    const others = fc.integer({ min: 100, max: 599 }).filter((status) => !listed.includes(status));
    fc.assert(
      fc.property(others, fc.constantFrom(null, 'brand_new'), (status, code) => {
        expect(refusalOfStatus(status, code)).toMatchObject({ name: 'no_answer', decisive: false });
      }),
    );
  });

  test('the code of the venue is kept, and the row in the table stays as it was', () => {
    expect(refusalOfStatus(400, 'brand_new')).toMatchObject({
      name: 'BAD_REQUEST',
      code: 'brand_new',
      text: 'brand_new:',
    });
    expect(refusalOfStatus(400)).toMatchObject({ code: 'BAD_REQUEST', text: 'BAD_REQUEST:' });
  });
});

describe('by a coarse label and its raw detail', () => {
  test.each([
    ['ENGINE_REJECTED', 'post_only_would_cross', 'post_only_would_cross'],
    ['ENGINE_REJECTED', 'a cross of post_only_would_cross', 'ENGINE_REJECTED'],
    ['ENGINE_REJECTED', 'BAD_REQUEST', 'ENGINE_REJECTED'],
    ['ENGINE_REJECTED', null, 'ENGINE_REJECTED'],
    ['NONCE_REJECTED', 'nonce_replayed', 'nonce_replayed'],
  ])('%s with %s is %s', (label, detail, name) => {
    expect(finerRefusal(label, detail)?.name).toBe(name);
  });

  test('a detail that names a refusal of nonces among other words gives its number alone', () => {
    const named = finerRefusal('NONCE_REJECTED', 'engine: nonce_outside_window (12 > 10)');
    expect(named).toMatchObject({ name: 'NONCE_REJECTED', number: 205, acts: ['N2'] });
    expect(finerRefusal('NONCE_REJECTED', 'no idea')?.number).toBe(201);
    expect(finerRefusal('ENGINE_REJECTED', 'engine: nonce_outside_window')?.number).toBeNull();
  });

  test('an unlisted label without a listed detail has no row', () => {
    expect(finerRefusal('BRAND_NEW', 'brand_new')).toBeUndefined();
  });
});

describe('a denial', () => {
  const reason = { code: 'ENGINE_REJECTED', number: null, text: '' };

  test('without a reason gives none', () => {
    expect(denialOf(null, true)).toEqual({
      refusal: noReason,
      text: null,
      number: null,
      isSpent: true,
    });
  });

  test('has the finest row, the text of the venue and whether the nonce was spent', () => {
    expect(denialOf({ ...reason, text: 'fok_not_filled' }, false)).toMatchObject({
      refusal: { name: 'fok_not_filled' },
      text: 'fok_not_filled',
      isSpent: false,
    });
    expect(denialOf(reason)).toMatchObject({ text: null, isSpent: null });
  });

  test('of an unlisted code keeps that code', () => {
    expect(denialOf({ ...reason, code: 'brand_new', text: 'why' }).refusal).toMatchObject({
      name: 'brand_new',
      code: 'brand_new',
      text: 'brand_new:',
      source: 'lane',
      decisive: true,
    });
  });

  test.each([
    ['denialOf', (code: string) => denialOf({ ...reason, code }).refusal],
    ['refusalOfStatus', (code: string) => refusalOfStatus(400, code)],
  ])('of an unlisted code keeps 64 printable characters of it (%s)', (_, read) => {
    const code = 'c'.repeat(63);
    expect(read(`${code}dd`)).toMatchObject({ code: `${code}d`, text: `${code}d:` });
    expect(read('Größe\n')).toMatchObject({ code: 'Gr??e?', text: 'Gr??e?:' });
  });

  test.each([
    ['nonce_replayed', null, true],
    ['NONCE_REJECTED', null, true],
    ['NONCE_EXHAUSTED', null, true],
    ['duplicate_order_id', null, true],
    ['', 204, true],
    ['ENGINE_REJECTED', 203, true],
    ['', 104, undefined],
    ['trading_halted', 103, undefined],
    ['fok_not_filled', null, undefined],
    ['brand_new', null, undefined],
  ])('of code "%s" and number %j decides nothing: %j', (code, number, decidesNothing) => {
    expect(denialOf({ code, number, text: '' }).decidesNothing).toBe(decidesNothing);
  });

  test('has only a number that is one of the venue', () => {
    expect(denialOf({ ...reason, number: 104 }).number).toBe(104);
    expect(denialOf({ ...reason, number: 107 }).number).toBeNull();
  });
});
