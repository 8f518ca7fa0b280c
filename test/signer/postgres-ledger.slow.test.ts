/** A ledger in PostgreSQL, asked by several signers, with connections that end when it hurts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Account } from '../../src/domain/units.ts';
import { localKey } from '../../src/signer/key-holder.ts';
import { noAnchor } from '../../src/signer/ledger-file.ts';
import { signerRole } from '../support/postgres.ts';
import { kindOf, LedgerSigners, limited, today } from './ledger-signers.ts';
import {
  account,
  coreWith,
  ecdsa,
  envelope,
  openPolicy,
  request,
  secretKey,
  spot,
} from './signer-samples.ts';

const signers = new LedgerSigners();
const { alarms, coreOf, killAll, ledgerOf } = signers;

test('whatever signers are asked while their connections are killed, no nonce gets two digests', async () => {
  const cores = [await coreOf(), await coreOf(), await coreOf()];
  const signed = new Map<number, Set<string>>();
  const step = fc.record({
    of: fc.nat(2),
    nonce: fc.integer({ min: 0, max: 40 }),
    price: fc.integer({ min: 50, max: 53 }),
    isKilled: fc.nat(25).map((draw) => draw === 0),
  });
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      await signers.admin.run('truncate causeway_signer.nonces, causeway_signer.accounts');
      signed.clear();
      const asked = steps.map(async ({ isKilled, nonce, of, price }, index) => {
        // A few turns of the event loop apart, so that groups differ.
        for (let wait = 0; wait < index % 7; wait += 1)
          await new Promise((resolve) => setImmediate(resolve));
        if (isKilled) await killAll();
        const result = await cores[of]?.sign(request(envelope(nonce, spot(BigInt(price)))));
        if (result?.kind !== 'signed') {
          refused += 1;
          return;
        }
        const digests = signed.get(nonce) ?? new Set();
        signed.set(nonce, digests.add(Buffer.from(result.digest).toString('hex')));
      });
      await Promise.all(asked);
      for (const [nonce, digests] of signed) expect([nonce, digests.size]).toEqual([nonce, 1]);
      const rows = await signers.admin.query<{ nonce: number; digest: Buffer }>({
        text: 'select nonce, digest from causeway_signer.nonces',
      });
      const recorded = new Map(rows.map((row) => [row.nonce, row.digest.toString('hex')]));
      for (const [nonce, digests] of signed)
        expect(digests).toEqual(new Set([recorded.get(nonce)]));
    }),
    { numRuns: 25 },
  );
  expect(refused).toBeGreaterThan(0);
}, 180_000);

test('what was signed before is signed again by another signer, although it would not be signed now', async () => {
  const policy = limited({ qty: { Bid: 10n, Ask: null }, notional: null });
  const first = await coreOf(policy);
  expect(await kindOf(first, 1)).toBe('signed');
  const second = await coreOf({ ...policy, placementsPerSecond: 1, burst: 1 });
  expect(await kindOf(second, 1, spot(50n, 10n))).toBe('signed');
  expect(await kindOf(second, 1, spot(50n, 10n))).toBe('signed');
  const narrow = await coreOf({ actions: new Set(['PlaceOrder'] as const) });
  expect(await kindOf(narrow, 1)).toBe('signed');
  expect(await kindOf(narrow, 2)).toBe('policy');
});

test('a clock that is a day back begins no day again, and one that is days ahead begins none', async () => {
  const policy = limited({ qty: { Bid: 15n, Ask: null }, notional: null });
  const keys = [{ holder: localKey(ecdsa, secretKey()), policy: { ...openPolicy, ...policy } }];
  const clock = today();
  const core = await coreWith({ keys, ledger: await ledgerOf(), clock });
  expect(await kindOf(core, 1)).toBe('signed');
  clock.stepWall(-86_400_000);
  expect(await kindOf(core, 2)).toBe('policy');
  clock.stepWall(4 * 86_400_000);
  expect(await core.sign(request(envelope(2)))).toMatchObject({
    text: 'the clock of the signer is more than a day ahead of the database',
  });
});

test('a jump is measured from what all signers have signed, and not from what a bridge recalls', async () => {
  const [first, second] = [await coreOf(), await coreOf({ maxNonceJump: 100 })];
  expect(await kindOf(first, 1000)).toBe('signed');
  expect(await second.sign(request(envelope(1101)))).toMatchObject({
    text: 'nonce 1101 is 101 above all others, more than 100',
  });
  expect(await kindOf(second, 1100)).toBe('signed');
  second.recall(account, 1150, new Map([[5050, 'aa'.repeat(32)]]));
  expect(await kindOf(second, 1149)).toBe('nonce_too_old');
  expect(await kindOf(second, 5050)).toBe('other_digest');
  expect(await kindOf(second, 5051)).toBe('policy');
  expect(await kindOf(second, 1200)).toBe('signed');
  expect(await kindOf(first, 1100)).toBe('signed');
});

test('the first nonce of an account is bounded by the nonce that a person has looked up', async () => {
  const core = await coreOf({ maxNonceJump: 100, knownNonce: 1000 });
  expect(await core.sign(request(envelope(1101)))).toMatchObject({
    text: 'nonce 1101 is 101 above all others, more than 100',
  });
  expect(await kindOf(core, 1100)).toBe('signed');
  expect(await kindOf(core, 1200)).toBe('signed');
});

test('a jump is measured from nonce 0 like from any other, whether it was signed or looked up', async () => {
  const [signed, lookedUp] = [
    await coreOf({ maxNonceJump: 100 }),
    await coreOf({ maxNonceJump: 100, knownNonce: 0 }),
  ];
  expect(await kindOf(lookedUp, 101)).toBe('policy');
  expect(await kindOf(signed, 0)).toBe('signed');
  expect(await kindOf(signed, 101)).toBe('policy');
  expect(await kindOf(signed, 100)).toBe('signed');
});

test('a digest that a bridge recalls is held against the limits like any other, and no other one is signed', async () => {
  const policy = limited({ qty: { Bid: 5n, Ask: null }, notional: null });
  const [first, second] = [await coreOf(policy), await coreOf()];
  const asked = request(envelope(7));
  const before = await (await coreWith()).sign(asked);
  if (before.kind !== 'signed') throw new Error(before.text);
  const digests = new Map([[7, Buffer.from(before.digest).toString('hex')]]);
  for (const core of [first, second]) core.recall(account, 5, digests);
  expect(await first.sign(asked)).toMatchObject({ code: 'policy' });
  expect(await kindOf(second, 7, spot(51n))).toBe('other_digest');
  expect((await second.sign(asked)).kind).toBe('signed');
});

test('a server that restarts is found again', async () => {
  const core = await coreOf();
  expect(await kindOf(core, 1)).toBe('signed');
  await signers.server.kill();
  await expect.poll(() => kindOf(core, 2)).toBe('unavailable');
  await signers.server.run();
  await signers.reconnect();
  await expect.poll(() => kindOf(core, 2)).toBe('signed');
  expect(await kindOf(core, 1, spot(51n))).toBe('other_digest');
});

test('a database that was made read-only gets no signature', async () => {
  const core = await coreOf({}, { answerMs: 1000 });
  await signers.admin.run(
    `alter database ${signers.place.database} set default_transaction_read_only = on`,
  );
  await killAll();
  await expect.poll(() => core.notReady).toEqual([expect.stringContaining('is read-only')]);
  expect(await kindOf(core, 1)).toBe('unavailable');
  await signers.admin.run('set default_transaction_read_only = off');
  await signers.admin.run(
    `alter database ${signers.place.database} reset default_transaction_read_only`,
  );
  await expect.poll(() => core.notReady).toEqual([]);
  expect(await kindOf(core, 1)).toBe('signed');
});

test('a database without room is one alarm until a record succeeds, and few nonces are spent to find that out', async () => {
  const core = await coreOf({}, { answerMs: 150 });
  await signers.admin.run(`
    create function causeway_signer.no_room() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file' using errcode = '53100';
    end $$;
    create trigger no_room before insert on causeway_signer.nonces
      for each row execute function causeway_signer.no_room()`);
  const kinds: string[] = [];
  const endMs = Date.now() + 2500;
  for (let nonce = 1; Date.now() < endMs; nonce += 1) {
    kinds.push(await kindOf(core, nonce));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(kinds.filter((kind) => kind === 'unanswered').length).toBeLessThanOrEqual(3);
  expect(alarms).toEqual([expect.stringContaining('could not extend file')]);
  await signers.admin.run('drop trigger no_room on causeway_signer.nonces');
  await expect.poll(() => kindOf(core, 1000), { timeout: 5000 }).toBe('signed');
  expect(alarms.slice(1)).toEqual(['the ledger records again']);
});

test('signers that make the ledger at the same time make one', async () => {
  const ledgers = await Promise.all(Array.from({ length: 4 }, () => ledgerOf()));
  expect(new Set(ledgers.map(({ anchor }) => anchor.id)).size).toBe(1);
  await expect(ledgerOf({ mayCreate: false })).resolves.toBeDefined();
});

test('the anchor has id, count and chain, and a bridge that has seen it recognizes it at any signer', async () => {
  const [first, second] = [await coreOf(), await coreOf()];
  for (let nonce = 1; nonce <= 3; nonce += 1) await kindOf(first, nonce);
  const seen = first.anchor;
  expect(seen.count).toBe(3);
  expect(await second.greet(seen)).toMatchObject({ anchor: seen, chain: seen.chain });
  await kindOf(second, 4);
  expect(await first.greet(seen)).toMatchObject({ anchor: second.anchor, chain: seen.chain });
  expect((await first.greet(noAnchor)).chain).toBe(noAnchor.chain);
  expect(alarms).toEqual([]);
  await first.greet({ ...seen, count: 9 });
  await first.greet({ ...seen, chain: 'ab'.repeat(16) });
  expect(alarms).toEqual([
    expect.stringContaining('was set back: it has 4 entries'),
    expect.stringContaining('was changed: entry 3'),
  ]);
});

test('a ledger that is set back or changed under a running signer gets no signature any more', async () => {
  const core = await coreOf();
  for (let nonce = 1; nonce <= 3; nonce += 1) await kindOf(core, nonce);
  await signers.admin.run('delete from causeway_signer.nonces where entry = 3');
  await signers.admin.run(`update causeway_signer.ledger set entries = 2`);
  expect(await kindOf(core, 4)).toBe('unanswered');
  expect(await kindOf(core, 3, spot(51n))).toBe('unavailable');
  expect(alarms).toEqual([expect.stringMatching(/set back or changed: it has 2 entries.*seen 3/)]);
  expect(core.notReady).toEqual([expect.stringContaining('set back or changed')]);
  await expect(core.greet(noAnchor)).rejects.toThrow('set back');
});

test('a database that was swapped for another one gets no signature', async () => {
  const core = await coreOf();
  await kindOf(core, 1);
  await signers.admin.run(
    `update causeway_signer.ledger set id = decode('${'ab'.repeat(16)}', 'hex')`,
  );
  expect(await kindOf(core, 2)).toBe('unanswered');
  expect(alarms).toEqual([expect.stringContaining('another ledger, or none')]);
});

test('a ledger that is closed records nothing, and no signature leaves', async () => {
  const core = await coreOf();
  expect(await kindOf(core, 1)).toBe('signed');
  await signers.close();
  const results = await core.signAll([2, 3].map((nonce) => request(envelope(nonce))));
  expect(results).toMatchObject([{ code: 'unavailable' }, { code: 'unavailable' }]);
});

test('old nonces are deleted, and stay refused', async () => {
  const core = await coreOf();
  await kindOf(core, 1);
  await kindOf(core, 2);
  await kindOf(core, 4098);
  const role = await signers.server.admin(signers.place.database);
  await role.run(`set role ${signerRole}`);
  const [row] = await role.query<{ deleted: number }>({
    text: 'select causeway_signer.tidy(10) as deleted',
  });
  await role.close();
  expect(row?.deleted).toBe(2);
  expect(await kindOf(core, 2, spot(51n))).toBe('nonce_too_old');
  expect(await kindOf(core, 3)).toBe('signed');
});

test('the role can do nothing but call the functions', async () => {
  await ledgerOf();
  const role = await signers.server.admin(signers.place.database);
  await role.run(`set role ${signerRole}`);
  for (const statement of [
    'delete from causeway_signer.nonces',
    `update causeway_signer.ledger set entries = 0`,
    'truncate causeway_signer.totals',
    `insert into causeway_signer.accounts values ('\\x')`,
    'drop table causeway_signer.nonces',
    `create or replace function causeway_signer.tidy(in_rows integer) returns bigint language sql as 'select 1::bigint'`,
  ])
    await expect(role.run(statement), statement).rejects.toThrow(/permission denied|must be owner/);
  await role.close();
});

test('a role with too many rights is a warning, and a fault for real money', async () => {
  const warnings: string[] = [];
  const alarm = (text: string) => warnings.push(text);
  await ledgerOf({ place: { ...signers.place, user: 'postgres' }, alarm });
  expect(warnings).toContainEqual(
    expect.stringMatching(/role postgres can write past the functions/),
  );
  await signers.admin.run(`grant delete on causeway_signer.nonces to ${signerRole}`);
  await expect(ledgerOf({ environment: 'mainnet', durability: 'power' })).rejects.toThrow(
    /role signer can write past the functions/,
  );
});

test('accounts share no nonces', async () => {
  const other = `0x${'2'.repeat(40)}` as Account;
  const core = await coreOf({ accounts: new Set([account, other]) });
  expect(await kindOf(core, 5)).toBe('signed');
  const asked = { ...envelope(5, spot(51n)), account: other };
  expect((await core.sign(request(asked))).kind).toBe('signed');
});
