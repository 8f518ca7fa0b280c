/**
 * Applies the policy to an action, rule by rule, without a key and next to a running signer (`causeway signer
 * explain`). It leaves out the rate, which depends on the moment of the request.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { maxSafeAtoms } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import { referenceBlake3 } from './blake3.ts';
import { CanonicalReader } from './canonical-reader.ts';
import { Derivation } from './digest.ts';
import { DigestLedger } from './digest-ledger.ts';
import { type LedgerFile, noAnchor, readLedger } from './ledger-file.ts';
import { accountEntries } from './ledger-tables.ts';
import { ledgerPlaceOf } from './open-signer.ts';
import { pauseFileIn, pauseReason } from './pause-file.ts';
import { type Explained, PolicyGuard, stakesOf } from './policy.ts';
import type { SignerConfig } from './signer-config.ts';
import { caseOf } from './signer-core.ts';
import type { SigningContract } from './signing-contract.ts';

export interface ExplainOptions {
  readonly config: SignerConfig;
  readonly contract: SigningContract;
  readonly canonical: Uint8Array;
  readonly clock: Clock;
}

export async function explainAction({
  canonical,
  clock,
  config,
  contract,
}: ExplainOptions): Promise<{
  readonly isAllowed: boolean;
  readonly rows: readonly Explained[];
}> {
  const envelope = new CanonicalReader(contract, maxSafeAtoms).read(canonical);
  const digest = new Derivation(contract, referenceBlake3).actionHash(canonical);
  const { account } = envelope;
  const key = config.keys.find(({ policy }) => policy.accounts.has(account));
  if (key === undefined) {
    return { isAllowed: false, rows: [{ rule: 'key', problem: `no key signs for ${account}` }] };
  }
  const place = ledgerPlaceOf(config);
  const path = join(config.dataDir, 'signer.ledger');
  const entries = place && (await accountEntries(place, account));
  const ledger = new DigestLedger(readOnly(path, entries));
  const standing = ledger.standing(account, Number(envelope.nonce), digest);
  const stakes = stakesOf(envelope.action);
  const paused = () => pauseReason(pauseFileIn(config.dataDir));
  const ends = [key.policy, ...(key.older ? [key.older] : [])].map(
    ({ expiresAtMs }) => expiresAtMs ?? Number.POSITIVE_INFINITY,
  );
  const until = Math.max(...ends);
  const of = caseOf(envelope, stakes, standing, { ledger, clock, paused }, until);
  const rows = new PolicyGuard(key.policy).explain(of);
  const problem = stakes.length > 0 ? standingProblems[standing.kind] : undefined;
  const all = [...rows, { rule: 'ledger', problem }];
  return { isAllowed: all.every((row) => row.problem === undefined), rows: all };
}

const standingProblems = {
  new: undefined,
  same: undefined,
  unknown: undefined,
  other_digest: 'another action was signed with this nonce',
  nonce_too_old: 'the nonce lies far below what was signed since',
} as const;

/** Reads the file while the signer has it open; with a database, `entries` are those of the account. */
function readOnly(path: string, entries: readonly Buffer[] | undefined): LedgerFile {
  const refuse = () => {
    throw new Error('this ledger is only read');
  };
  return {
    anchor: noAnchor,
    chainAt: () => undefined,
    read(onEntry) {
      if (entries !== undefined) for (const entry of entries) onEntry(entry);
      else if (existsSync(path)) readLedger(path, onEntry);
    },
    append: refuse,
    rewrite: refuse,
    close: () => {},
  };
}
