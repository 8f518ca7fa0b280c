/** A ledger in PostgreSQL that several signers ask; what else happens to it and to them is in the slow tests. */
import { expect, test } from 'vitest';
import type { SignerCore } from '../../src/signer/signer-core.ts';
import { signerRole } from '../support/postgres.ts';
import { kindOf, LedgerSigners, limited } from './ledger-signers.ts';
import { cancel, envelope, request, spot } from './signer-samples.ts';

const signers = new LedgerSigners();
const { alarms, coreOf, killAll, ledgerOf } = signers;

test('of two signers one signs a nonce, and both sign the same digest', async () => {
  const [first, second] = [await coreOf(), await coreOf()];
  const both = await Promise.all([first, second].map((core) => core.sign(request(envelope(5)))));
  expect(both[0]).toEqual(both[1]);
  expect(both[0]?.kind).toBe('signed');
  expect(await kindOf(second, 5, spot(51n))).toBe('other_digest');
  expect(await kindOf(second, 5, cancel)).toBe('signed');
  const conflict = [kindOf(first, 6, spot(60n)), kindOf(second, 6, spot(61n))];
  expect((await Promise.all(conflict)).sort()).toEqual(['other_digest', 'signed']);
});

test('in one group and in one turn, the first claim of a nonce is recorded and the second is not', async () => {
  const core = await coreOf();
  const results = await core.signAll([
    request(envelope(3)),
    request(envelope(3, spot(51n))),
    request(envelope(3)),
    request(envelope(4, cancel)),
  ]);
  expect(results.map((result) => (result.kind === 'signed' ? 'signed' : result.code))).toEqual([
    ...['signed', 'other_digest', 'signed', 'signed'],
  ]);
});

test('the total of a day is that of all signers, and survives their restart', async () => {
  const policy = limited({ qty: { Bid: 25n, Ask: null }, notional: null });
  const cores = [await coreOf(policy), await coreOf(policy)];
  const nonces = [1, 2, 3, 4, 5, 6];
  const kinds = await Promise.all(
    nonces.map((nonce, at) => kindOf(cores[at % 2] as SignerCore, nonce)),
  );
  expect(kinds.sort()).toEqual(['policy', 'policy', 'policy', 'policy', 'signed', 'signed']);
  const later = await coreOf(policy);
  expect(await later.sign(request(envelope(9)))).toMatchObject({
    code: 'policy',
    text: 'Bid quantity 30 is over 25 in market 1 today',
  });
  // What is refused uses no nonce, and a smaller order still fits.
  expect(await kindOf(later, 9, spot(50n, 5n))).toBe('signed');
  const notional = await coreOf(limited({ qty: { Bid: null, Ask: null }, notional: 1300n }));
  expect(await notional.sign(request(envelope(10)))).toMatchObject({
    text: 'notional 1750 is over 1300 in market 1 today',
  });
});

test('the answer that the server never sent is settled by the database before anything is signed', async () => {
  const core = await coreOf();
  await signers.admin.run('begin');
  await signers.admin.run('lock table causeway_signer.nonces in share mode');
  const asked = core.sign(request(envelope(1)));
  const waiting = async () =>
    (
      await signers.admin.query({
        text: `select pid from pg_stat_activity where usename = $1 and wait_event_type = 'Lock'`,
        values: [signerRole],
      })
    ).length;
  await expect.poll(waiting).toBe(1);
  await killAll();
  await signers.admin.run('commit');
  expect((await asked).kind).toBe('signed');
  expect(await kindOf(core, 1, spot(51n))).toBe('other_digest');
});

test('a database that does not answer gets no signature, and is not asked again before it does', async () => {
  const core = await coreOf({}, { answerMs: 300 });
  await signers.admin.run('begin');
  await signers.admin.run('lock table causeway_signer.nonces in share mode');
  const asked = core.sign(request(envelope(1)));
  expect(await asked).toMatchObject({
    code: 'unanswered',
    text: 'the ledger: no answer within 300 ms',
  });
  expect(core.notReady).toEqual([expect.stringContaining('the ledger is away')]);
  expect(await kindOf(core, 2)).toBe('unavailable');
  // What places nothing needs no ledger.
  expect(await kindOf(core, 2, cancel)).toBe('signed');
  await signers.admin.run('commit');
  await expect.poll(() => core.notReady).toEqual([]);
  expect(alarms).toEqual([
    expect.stringContaining('the ledger does not record'),
    'the ledger records again',
  ]);
  expect(await kindOf(core, 2)).toBe('signed');
  expect(await kindOf(core, 1)).toBe('signed');
});

test('without a ledger nothing starts, nor on that of another environment', async () => {
  await expect(ledgerOf({ mayCreate: false })).rejects.toThrow(/no ledger.*--new-ledger/);
  await ledgerOf();
  await signers.admin.run(`update causeway_signer.ledger set environment = 'mainnet'`);
  await expect(ledgerOf()).rejects.toThrow(/ledger of a signer for mainnet, not for local/);
});
