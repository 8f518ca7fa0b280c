import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import {
  type AuthorizedCall,
  authorized,
  bodyJson,
  bodyObject,
  marketOf,
  member,
  queryInteger,
  queryWord,
  requireOwnAccount,
  requireScope,
  strictObject,
} from '../../src/sandbox/call.ts';
import { createVenue } from '../../src/sandbox/embedded-venue.ts';
import { json } from '../../src/sandbox/http-message.ts';
import { parseJson } from '../../src/sandbox/strict-json.ts';
import { sandboxProfile as profile } from '../support/quick-files.ts';

const { accounts, state } = await createVenue({
  seed: 1,
  clock: new ManualClock(),
  profile,
  accounts: 1,
});
const credential = state.identities.credentials.get(accounts[0]!.apiKey)!;

function callOf({ body = '', query = '', marketId = '' }): AuthorizedCall {
  const request = {
    method: 'POST',
    target: '/',
    headers: {},
    body: Buffer.from(body),
    remoteAddress: '::1',
  };
  return { state, request, credential, query: new URLSearchParams(query), params: { marketId } };
}

const refused = (status: number, reason?: string) => expect.objectContaining({ status, reason });

describe('a body', () => {
  test('that is not JSON is refused with what is wrong', () => {
    expect(() => bodyJson(callOf({ body: '{' }))).toThrow(refused(400, 'malformed_json'));
    expect(() => bodyJson(callOf({ body: '{' }))).toThrow(/^the body is not JSON: ./);
    expect(() => bodyJson(callOf({}))).toThrow(refused(400, 'malformed_json'));
    expect(bodyJson(callOf({ body: '[1]' }))).toEqual([1]);
  });

  test('may be empty only where that is allowed', () => {
    expect(bodyObject(callOf({}), ['a'], true)).toEqual({});
    expect(() => bodyObject(callOf({}), ['a'])).toThrow(refused(400, 'malformed_json'));
    expect(bodyObject(callOf({ body: '{"a":1}' }), ['a'])).toEqual({ a: 1 });
  });

  test('that is no object, or has a field that nobody declared, is refused by its name', () => {
    for (const body of ['[]', 'null', '"a"', '1']) {
      expect(() => bodyObject(callOf({ body }), ['a'])).toThrow(refused(422, 'schema_violation'));
    }
    const strict = (text: string) => strictObject(parseJson(text), ['a'], 'an item');
    expect(() => strict('{"a":1,"b":2}')).toThrow(refused(422, 'unknown_field'));
    expect(() => strict('{"b":2}')).toThrow('an item has no field "b"');
    // A long name would fill the log.
    expect(() => strict(`{"${'b'.repeat(100)}":2}`)).toThrow(
      `an item has no field "${'b'.repeat(64)}"`,
    );
  });

  test('has a member that is null, and lacks one that is not there', () => {
    const body = bodyObject(callOf({ body: '{"a":null}' }), ['a']);
    expect(member(body, 'a')).toBeNull();
    expect(() => member(body, 'b')).toThrow(refused(422, 'missing_field'));
  });
});

describe('a parameter', () => {
  test('is an integer within its limits, or absent', () => {
    const read = (query: string) => queryInteger(callOf({ query }), 'n', 1, 1000);
    expect([read(''), read('n=1'), read('n=1000'), read('m=5')]).toEqual([null, 1, 1000, null]);
    for (const wrong of ['0', '1001', '', '-1', '1.0', '1e2', '0x1', ' 1', '12345678901234567']) {
      const query = `n=${encodeURIComponent(wrong)}`;
      expect(() => read(query), wrong).toThrow('the parameter n must be from 1 to 1000');
      expect(() => read(query), wrong).toThrow(refused(400, 'bad_enum'));
    }
  });

  test('that a double would change, or that is empty, is no number', () => {
    const read = (n: string) =>
      queryInteger(callOf({ query: `n=${n}` }), 'n', 0, Number.MAX_SAFE_INTEGER);
    expect(read('9007199254740991')).toBe(9_007_199_254_740_991);
    expect(() => read('9007199254740993')).toThrow('the parameter n');
    expect(() => read('')).toThrow('the parameter n');
  });

  test('is one of its words, letter for letter', () => {
    const read = (query: string) => queryWord(callOf({ query }), 'book', ['YES', 'NO']);
    expect([read(''), read('book=NO')]).toEqual([null, 'NO']);
    expect(() => read('book=no')).toThrow('the parameter book must be one of YES, NO');
    expect(() => read('book=')).toThrow(refused(400, 'bad_enum'));
  });
});

test('the market of the path is one of the venue, or not found', () => {
  expect(marketOf(callOf({ marketId: '7' })).marketId).toBe(7);
  for (const marketId of ['99', '', 'x', '7.5', '-7']) {
    expect(() => marketOf(callOf({ marketId })), marketId).toThrow(
      refused(404, 'market_not_found'),
    );
  }
});

test('R60: an account in a request is that of its credential, if it is there', () => {
  expect(() => requireOwnAccount(callOf({}), null)).not.toThrow();
  expect(() => requireOwnAccount(callOf({}), credential.account)).not.toThrow();
  for (const other of ['', credential.account.toUpperCase(), `0x${'0'.repeat(40)}`]) {
    const check = () => requireOwnAccount(callOf({}), other);
    expect(check).toThrow(expect.objectContaining({ code: 'ACCOUNT_MISMATCH' }));
  }
});

test('R58: a scope is there by its own name, and no other stands for it', () => {
  expect(() => requireScope(['trade', 'cancel'], 'cancel', 'the agent')).not.toThrow();
  expect(() => requireScope(['quote'], 'trade', 'the agent')).toThrow(
    'the agent lacks the scope trade',
  );
  expect(() => requireScope([], 'trade', 'x')).toThrow(
    expect.objectContaining({ code: 'INVALID_SCOPE' }),
  );
});

test('a route that needs a credential does nothing before it has one', () => {
  const seen: unknown[] = [];
  const route = authorized('GET', '/x', (call) => {
    seen.push(call.credential);
    return json(200, {});
  });
  const { credential: _, ...call } = callOf({});
  const fail = () => {
    throw new Error('no credential');
  };
  expect(() => route.handle(call, fail)).toThrow('no credential');
  expect(seen).toEqual([]);
  route.handle(call, () => credential);
  expect(seen).toEqual([credential]);
});
