/** Passwords of FIX and FIXP clients against the hashes of the configuration. */
import { expect, test } from 'vitest';
import { hashSecret, parseSecretHash } from '../../src/gateway/secret-hash.ts';
import { fixpUserAuthenticator } from '../../src/gateway/user-logon.ts';

const hash = parseSecretHash(hashSecret('open sesame')) ?? null;
const authenticate = fixpUserAuthenticator([{ username: 'ali', hash, hmacSecret: null }]);

function answer(username: string, password: string): unknown {
  const credentials = { username, password };
  return authenticate({ credentials } as Parameters<typeof authenticate>[0]);
}

/** The quickest of several: a machine that does something else meanwhile only makes them slower. */
function leastMs(username: string): number {
  const times = Array.from({ length: 5 }, () => {
    const startMs = performance.now();
    answer(username, 'open barley');
    return performance.now() - startMs;
  });
  return Math.min(...times);
}

test('the right password of a known user lets in, and nothing else', () => {
  expect(answer('ali', 'open sesame')).toBeUndefined();
  expect(answer('ali', 'open barley')).toBeDefined();
  expect(answer('cassim', 'open sesame')).toEqual(answer('ali', 'open barley'));
});

test('a user that nobody knows is refused with the same work, so that time does not tell who is one', () => {
  expect(leastMs('cassim') / leastMs('ali')).toBeGreaterThan(0.2);
});
