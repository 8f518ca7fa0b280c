/** Opens a signer as its configuration describes it (docs/decisions/0042-the-signer.md). */
import { join } from 'node:path';
import { systemClock } from '../runtime/clock.ts';
import { makePrivateDirectory } from '../runtime/directory.ts';
import { certificateIn, type Expiring, endOf } from '../runtime/expiry-watch.ts';
import type { DatabasePlace } from '../store/postgres/connection.ts';
import { placeOf } from '../store/postgres/place-config.ts';
import type { SigningKey } from './account-keys.ts';
import { fastestBlake3 } from './blake3.ts';
import { DigestLedger, type Ledger } from './digest-ledger.ts';
import { openEcdsa } from './ecdsa.ts';
import { checkGoldenVectors } from './golden-vectors.ts';
import { KeyRing } from './key-ring.ts';
import { openLedgerFile } from './ledger-file.ts';
import { pauseFileIn, pauseWatch } from './pause-file.ts';
import { PostgresLedger } from './postgres-ledger.ts';
import type { RaiseSignerAlarm } from './signer-alarm.ts';
import { durabilityOf, type SignerConfig } from './signer-config.ts';
import { SignerCore, type SignerParts } from './signer-core.ts';
import type { SigningContract } from './signing-contract.ts';

export interface OpenOptions {
  readonly config: SignerConfig;
  readonly contract: SigningContract;
  /** Called for the passphrase of a keystore, or the PIN of a token, that names no file. */
  readonly askPassphrase: (of: string) => Promise<string>;
  readonly alarm: RaiseSignerAlarm;
  /** Called when the ledger can no longer record. By default that is an alarm, and every later request is refused. */
  readonly fatal?: (error: Error) => void;
  /** Create a missing ledger: an operator has confirmed it, or nothing can have been signed before. */
  readonly mayCreateLedger: boolean;
  readonly unaudited?: SignerParts['unaudited'];
  /** The caller's journal has each digest durably before the signature leaves, and recalls them at each start. */
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
  unaudited = () => undefined,
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
  const place = ledgerPlaceOf(config);
  const durability = durabilityOf(config);
  makePrivateDirectory(config.dataDir);
  const options = { durability, environment, mayCreate: mayCreateLedger };
  const own = { ...options, ...(isJournaled && { entriesPerSync }) };
  const ledger: Ledger =
    place === undefined
      ? new DigestLedger(openLedgerFile(join(config.dataDir, 'signer.ledger'), own), {
          clock,
          alarm,
        })
      : await PostgresLedger.open({ ...options, place, alarm });
  const paused = pauseWatch(pauseFileIn(config.dataDir), clock);
  const parts = { contract, blake3, ledger, clock, keys, paused, unaudited, alarm, fatal };
  const core = new SignerCore(parts);
  return {
    core,
    backend: ecdsa.name,
    changeKeys: (changed) => ring.change(changed, (opened) => core.replaceKeys(opened)),
    async close() {
      await core.close();
      try {
        await ledger.close();
      } catch (error) {
        alarm(`the ledger of nonces is not whole: ${String(error)}`, 'ledger_failed');
      }
    },
  };
}

/** Delegations of keys and certificates, which expire. */
export function expiriesOf({ keys, ledger, tls }: SignerConfig): readonly Expiring[] {
  const delegations = keys.flatMap(({ older, policy }) => {
    const accounts = [...policy.accounts].join(', ');
    return [
      endOf(`the delegation of the key for ${accounts}`, policy.expiresAtMs),
      ...(older
        ? [endOf(`the delegation of the older key for ${accounts}`, older.expiresAtMs)]
        : []),
    ];
  });
  const database = ledger?.postgres.tls;
  const files = [tls?.certFile, tls?.clientCaFile, database?.caFile, database?.certFile];
  return [...delegations, ...files.flatMap((file) => (file ? certificateIn(file) : []))];
}

/** With a journal, entries share a sync; after a loss of power the journal recalls what the file lost. */
const entriesPerSync = 256;

/** Undefined where the ledger is a file. */
export function ledgerPlaceOf({ ledger }: SignerConfig): DatabasePlace | undefined {
  return ledger && placeOf(ledger.postgres, (file) => file);
}
