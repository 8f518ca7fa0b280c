/** Messages, copies and ledgers are compared field by field, on both lanes, and the field that differs is named. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { JournalFile } from '../../../src/cli/journal/journal-file.ts';
import { checkAccount, type Step } from '../../../src/cli/replay/account-check.ts';
import { Elsewhere, sentReports } from '../../../src/cli/replay/elsewhere.ts';
import type { Account } from '../../../src/domain/units.ts';
import { fastestBlake3 } from '../../../src/signer/blake3.ts';
import { DigestLedger } from '../../../src/signer/digest-ledger.ts';
import { openLedgerFile } from '../../../src/signer/ledger-file.ts';
import { LegalStream } from '../../simulation/legal-stream.ts';

const { blake3 } = await fastestBlake3();
const directory = mkdtempSync(join(tmpdir(), 'causeway-elsewhere-'));
const all = { from: 1, to: Number.MAX_SAFE_INTEGER };

afterAll(() => rmSync(directory, { recursive: true }));

async function opened() {
  const file = await JournalFile.open(directory);
  const accounts = file
    .streams()
    .flatMap(({ stream }) => /^desk\/(0x\w+)$/.exec(stream)?.[1] ?? []) as Account[];
  return { file, accounts, sent: sentReports(file) };
}

/** The same reports with another currency of fees: how many messages stay the same, and how the others differ. */
async function withOtherCurrency(seed: number) {
  const stream = await LegalStream.open(seed, ['power']);
  await stream.run(150);
  await stream.store.save(directory);
  const { accounts, file, sent } = await opened();
  using _opened = file;
  const found = { same: 0, other: new Set<string>() };
  for (const account of accounts) {
    const elsewhere = new Elsewhere(file, account, sent, undefined);
    const stepped = ({ effects, replay }: Step) => {
      for (const effect of effects) {
        if (effect.kind !== 'report') continue;
        const messages = { ...replay.settings.current.messages, feeCurrency: 'XXX' };
        const kept = elsewhere.messageOf(effect.session, effect.report, messages);
        if (kept === 'same') found.same += 1;
        else if (kept !== undefined) found.other.add(`${kept.expected} ${kept.actual}`);
      }
    };
    const given = { file, account, blake3, elsewhere, span: all, settings: undefined };
    expect((await checkAccount({ ...given, stepped })).differences).toEqual([]);
  }
  return found;
}

test('another fee currency is reported for trades of both lanes, by field', async () => {
  const told = new Set<string>();
  let same = 0;
  // Which lane a random stream trades on is up to its seed.
  for (let seed = 2; told.size < 2 && seed < 12; seed += 1) {
    rmSync(directory, { recursive: true });
    mkdirSync(directory);
    const found = await withOtherCurrency(seed);
    same += found.same;
    for (const one of found.other) told.add(one);
  }
  expect(same).toBeGreaterThan(20);
  expect([...told].sort()).toEqual(['138=USDC 138=XXX', 'FeeCurrency=USDC FeeCurrency=XXX']);
}, 60_000);

test('a digest that the signer has and no record asked for is reported, and one that was never signed is not', async () => {
  const { accounts, file, sent } = await opened();
  using _opened = file;
  const [account = '0x' as Account] = accounts;
  const path = join(directory, 'signer.ledger');
  const ledger = new DigestLedger(
    openLedgerFile(path, { durability: 'process', environment: 'local', mayCreate: true }),
  );
  const [first, second] = [7, 8].map((byte) => Buffer.alloc(32, byte));
  if (first === undefined || second === undefined) throw new Error('no digests');
  const spend = { market: 1, qty: { Bid: 1n, Ask: 0n }, notional: 1n };
  const bounds = { maxNonceJump: 65_536, knownNonce: null, daily: null };
  ledger.record({ account, nonce: 5, digest: first, spend, day: 1, bounds });
  ledger.record({ account, nonce: 5, digest: second, spend, day: 1, bounds });
  ledger.record({ account, nonce: 9, digest: first, spend, day: 1, bounds });
  ledger.close();
  const elsewhere = new Elsewhere(file, account, sent, path);
  const ofLedger = () => [...elsewhere.left()].filter(({ place }) => place.includes('ledger'));
  expect(ofLedger()).toEqual([]);
  expect(elsewhere.digestOf(5, 'never signed')).toBeUndefined();
  expect(elsewhere.digestOf(5, first.toString('hex'))).toBe('same');
  expect(elsewhere.digestOf(5, first.toString('hex'))).toBe('same');
  expect(ofLedger()).toEqual([
    {
      place: "the signer's ledger, nonce 5",
      expected: second.toString('hex'),
      actual: 'no record asks for this signature',
    },
  ]);
  expect(elsewhere.digestOf(5, second.toString('hex'))).toBe('same');
  expect(ofLedger()).toEqual([]);
});
