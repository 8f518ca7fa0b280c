/** Passwords of FIX and FIXP clients against the hashes of the configuration. */
import { expect, test } from 'vitest';
import { userAuthenticator } from '../../../src/gateway/clients/user-logon.ts';
import { PasswordChecks } from '../../../src/gateway/passwords/password-checks.ts';
import {
  hashSecret,
  lightCost,
  parseSecretHash,
} from '../../../src/gateway/passwords/secret-hash.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { PendingVerdict } from '../../../src/transport/pending-verdict.ts';

const hash = parseSecretHash(hashSecret('open sesame', lightCost)) ?? null;
const users = [{ username: 'ali', hash, hmacSecret: null }];
const checks = new PasswordChecks({ clock: systemClock, alarm: () => {} });
checks.imitate(hash === null ? [] : [hash]);
const authenticate = userAuthenticator('cave', users, checks);

async function answer(username: string, password: string): Promise<unknown> {
  const attempt = { peer: { address: '::1' }, credentials: { username, password } };
  for (;;) {
    const said = authenticate(attempt as Parameters<typeof authenticate>[0]);
    if (!(said instanceof PendingVerdict)) return said;
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
