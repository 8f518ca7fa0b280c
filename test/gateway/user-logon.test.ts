/** Passwords of FIX and FIXP clients against the hashes of the configuration. */
import { expect, test } from 'vitest';
import { PasswordChecks } from '../../src/gateway/password-checks.ts';
import { hashSecret, parseSecretHash } from '../../src/gateway/secret-hash.ts';
import { fixpUserAuthenticator } from '../../src/gateway/user-logon.ts';
import { Inquiry } from '../../src/transport/inquiry.ts';

const hash = parseSecretHash(hashSecret('open sesame')) ?? null;
const users = [{ username: 'ali', hash, hmacSecret: null }];
const authenticate = fixpUserAuthenticator(users, new PasswordChecks());

async function answer(username: string, password: string): Promise<unknown> {
  const attempt = { peer: { address: '::1' }, credentials: { username, password } };
  for (;;) {
    const said = authenticate(attempt as Parameters<typeof authenticate>[0]);
    if (!(said instanceof Inquiry)) return said;
    await said.over;
  }
}

/** The quickest of several: a machine that does something else meanwhile only makes them slower. */
async function leastMs(username: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const startMs = performance.now();
    await answer(username, 'open barley');
    least = Math.min(least, performance.now() - startMs);
  }
  return least;
}

test('the right password of a known user lets in, and nothing else', async () => {
  expect(await answer('ali', 'open sesame')).toBeUndefined();
  expect(await answer('ali', 'open barley')).toBeDefined();
  expect(await answer('cassim', 'open sesame')).toEqual(await answer('ali', 'open barley'));
});

test('a user that nobody knows is refused with the same work, so that time does not tell who is one', async () => {
  expect((await leastMs('cassim')) / (await leastMs('ali'))).toBeGreaterThan(0.2);
});
