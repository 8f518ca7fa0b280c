import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Account } from '../../src/domain/units.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { ActionEnvelope } from '../../src/signer/action.ts';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import { nobleEcdsa } from '../../src/signer/ecdsa.ts';
import { localKey } from '../../src/signer/key-holder.ts';
import { openLedgerFile } from '../../src/signer/ledger-file.ts';
import { pause, pauseFileIn } from '../../src/signer/pause-file.ts';
import { explainAction } from '../../src/signer/policy-explained.ts';
import { type SignerConfig, signerConfigSchema } from '../../src/signer/signer-config.ts';
import { account, cancel, contract, coreWith, envelope, request, spot } from './signer-samples.ts';

let directory: string;
let config: SignerConfig;
const clock = new ManualClock();

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'explain-'));
  const market = {
    ...{ market: 1, maxNotionalAtoms: '500', maxBuyQtyAtoms: '10', maxSellQtyAtoms: '10' },
    maxDailyBuyQtyAtoms: '15',
  };
  config = signerConfigSchema.parse({
    environment: 'local',
    profile: 'none',
    socket: 'none',
    dataDir: join(directory, 'data'),
    keys: [{ keystoreFile: 'none', policy: { accounts: [account], markets: [market] } }],
  });
});

afterEach(() => rmSync(directory, { recursive: true }));

async function problemsOf(of: ActionEnvelope): Promise<Record<string, string>> {
  const { canonical } = request(of);
  const { isAllowed, rows } = await explainAction({ config, contract, canonical, clock });
  const problems = rows.flatMap(({ problem, rule }) => (problem ? [[rule, problem]] : []));
  expect(isAllowed).toBe(problems.length === 0);
  return Object.fromEntries(problems);
}

test('an action within the policy is allowed before there is any ledger', async () => {
  expect(await problemsOf(envelope(1))).toEqual({});
});

test('each rule that refuses an action says why', async () => {
  expect(await problemsOf(envelope(1, spot(60n, 16n)))).toEqual({
    quantity: 'Bid quantity 16 is over 10 in market 1',
    notional: 'notional 960 is over 500 in market 1',
    'daily total': 'Bid quantity 16 is over 15 in market 1 today',
  });
  const other = { ...envelope(1), account: `0x${'2'.repeat(40)}` as Account };
  expect(await problemsOf(other)).toEqual({ key: `no key signs for ${other.account}` });
});

test('the ledger of a running signer and its pause count, and nothing is changed', async () => {
  mkdirSync(config.dataDir);
  const path = join(config.dataDir, 'signer.ledger');
  const file = openLedgerFile(path, {
    ...{ durability: 'process', environment: 'local', mayCreate: true },
  });
  const [key] = config.keys;
  if (key === undefined) throw new Error('no key');
  const core = await coreWith({
    ledger: new DigestLedger(file),
    clock,
    keys: [{ holder: localKey(nobleEcdsa(), new Uint8Array(32).fill(7)), policy: key.policy }],
  });
  await core.sign(request(envelope(5)));
  pause(pauseFileIn(config.dataDir), 'a drill');
  const paused = { pause: 'placements are paused: a drill' };
  const daily = 'Bid quantity 20 is over 15 in market 1 today';
  const before = core.anchor;
  expect(await problemsOf(envelope(6))).toEqual({ ...paused, 'daily total': daily });
  const ledger = 'another action was signed with this nonce';
  expect(await problemsOf(envelope(5, spot(49n, 5n)))).toEqual({ ...paused, ledger });
  expect(await problemsOf(envelope(5, cancel))).toEqual({});
  expect(core.anchor).toEqual(before);
  file.close();
});
