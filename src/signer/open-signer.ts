/** Puts a signer together from its configuration, and opens it where the configuration says (docs/decisions/0042). */
import { join } from 'node:path';
import { systemClock } from '../runtime/clock.ts';
import { makePrivateDirectory } from '../runtime/directory.ts';
import { certificateIn, type Expiring, endOf } from '../runtime/expiry-watch.ts';
import type { SigningKey } from './account-keys.ts';
import { fastestBlake3 } from './blake3.ts';
import { DigestLedger } from './digest-ledger.ts';
import { openEcdsa } from './ecdsa.ts';
import { checkGoldenVectors } from './golden-vectors.ts';
import { KeyRing } from './key-ring.ts';
import { type LedgerFile, openLedgerFile } from './ledger-file.ts';
import { pauseFileIn, pauseWatch } from './pause-file.ts';
import type { RaiseSignerAlarm } from './signer-alarm.ts';
import type { SignerConfig } from './signer-config.ts';
import { SignerCore } from './signer-core.ts';
import type { SigningContract } from './signing-contract.ts';

export interface OpenOptions {
  readonly config: SignerConfig;
  readonly contract: SigningContract;
  /** Asked for the passphrase of a keystore, or the PIN of a token, that names no file. */
  readonly askPassphrase: (of: string) => Promise<string>;
  readonly alarm: RaiseSignerAlarm;
  /** The ledger can no longer record; absent: an alarm, and every later request is refused. */
  readonly fatal?: (error: Error) => void;
  /** A missing ledger is made: a person has confirmed it, or nothing can have been signed before. */
  readonly mayCreateLedger: boolean;
  /** The asker's journal has each digest durably before the signature leaves the process, and recalls them at each start. */
  readonly isJournaled?: boolean;
}

/** The signer in this thread; `backend` is for the log. */
export async function openSignerCore({
  config,
  contract,
  askPassphrase,
  alarm,
  fatal = ({ message }) =>
    alarm(`the ledger of nonces cannot be written: ${message}`, 'ledger_failed'),
  mayCreateLedger,
  isJournaled = false,
}: OpenOptions): Promise<{
  readonly core: SignerCore;
  readonly backend: string;
  /** From now on the keys of this configuration sign; rejects, and changes nothing, if one cannot be opened. */
  changeKeys(keys: SignerConfig['keys']): Promise<void>;
  close(): Promise<void>;
}> {
  const ecdsa = await openEcdsa(config.backend);
  const clock = systemClock;
  const { environment } = config;
  const ring = new KeyRing({ askPassphrase, ecdsa, environment, report: alarm }, clock);
  let keys: readonly SigningKey[] = [];
  await ring.change(config.keys, (opened) => {
    keys = opened;
  });
  const { blake3 } = await fastestBlake3();
  checkGoldenVectors(contract, blake3);
  const ledger = new DigestLedger(openOwnFile(config, mayCreateLedger, isJournaled));
  const paused = pauseWatch(pauseFileIn(config.dataDir), clock);
  const parts = { contract, blake3, ledger, clock, keys, paused, alarm, fatal };
  const core = new SignerCore(parts);
  return {
    core,
    backend: ecdsa.name,
    changeKeys: (changed) => ring.change(changed, (opened) => core.replaceKeys(opened)),
    async close() {
      await core.close();
      try {
        ledger.close();
      } catch (error) {
        alarm(`the ledger of nonces is not whole: ${String(error)}`, 'ledger_failed');
      }
    },
  };
}

/** What ends by itself: delegations of keys, and certificates. */
export function expiriesOf({ keys, tls }: SignerConfig): readonly Expiring[] {
  const delegations = keys.flatMap(({ older, policy }) => {
    const accounts = [...policy.accounts].join(', ');
    const ends = policy.expiresAtMs ?? undefined;
    const newer = { name: `the delegation of the key for ${accounts}`, endsAtMs: () => ends };
    if (older === undefined) return [newer];
    return [newer, endOf(`the delegation of the older key for ${accounts}`, older.expiresAt)];
  });
  return [...delegations, ...(tls ? [tls.certFile, tls.clientCaFile].map(certificateIn) : [])];
}

/** With a journal, entries share a sync: after a loss of power the journal recalls what the file lost. */
const entriesPerSync = 256;

function openOwnFile(
  { dataDir, durability, environment }: SignerConfig,
  mayCreate: boolean,
  isJournaled: boolean,
): LedgerFile {
  makePrivateDirectory(dataDir);
  return openLedgerFile(join(dataDir, 'signer.ledger'), {
    durability,
    environment,
    mayCreate,
    ...(isJournaled && { entriesPerSync }),
  });
}
