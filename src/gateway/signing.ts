/** Opens the configured signer: behind a socket or in this process (decision 0042). */
import { accessSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemClock } from '../runtime/clock.ts';
import { makePrivateDirectory } from '../runtime/directory.ts';
import { type ExpiryCode, watchExpiry } from '../runtime/expiry-watch.ts';
import type { RaiseAlarm } from '../runtime/operator-line.ts';
import { readYaml } from '../runtime/yaml.ts';
import { fastestBlake3 } from '../signer/blake3.ts';
import { checkGoldenVectors } from '../signer/golden-vectors.ts';
import {
  addressIn,
  openKey,
  readKeystore,
  readKeystoreFor,
  readPassphraseFile,
} from '../signer/keystore.ts';
import { readCredentials } from '../signer/kms-request.ts';
import { LedgerAnchors } from '../signer/ledger-anchors.ts';
import { noAnchor } from '../signer/ledger-file.ts';
import { expiriesOf, ledgerPlaceOf, openSignerCore } from '../signer/open-signer.ts';
import { RemoteSigner } from '../signer/remote-signer.ts';
import type { Signer } from '../signer/signer.ts';
import type { RaiseSignerAlarm } from '../signer/signer-alarm.ts';
import {
  configProblem,
  placesIn,
  type SignerConfig,
  signerConfigSchema,
} from '../signer/signer-config.ts';
import { inTurn, socketLink, type TlsConnect, tlsLink } from '../signer/signer-link.ts';
import type { SigningContract } from '../signer/signing-contract.ts';
import { pkcs11File } from '../signer/token-process.ts';
import { hostAndPortOf } from '../store/postgres/place-config.ts';
import { loadProfile } from '../venue/profile.ts';
import type { Config } from './config/config.ts';
import { ConfigError, type LoadedConfig } from './config/config-file.ts';
import { reasonForOneKey } from './features.ts';

export async function openGatewaySigner(
  { config, path }: LoadedConfig,
  contract: SigningContract,
  raise: RaiseAlarm,
  withinMs?: number,
): Promise<Signer> {
  const alarm: RaiseSignerAlarm = (text, code) => raise(text, { event: 'signer', code });
  const expiry = (text: string, code: ExpiryCode) => raise(text, { event: 'expiry', code });
  const { signer } = config;
  if (signer === undefined) throw new ConfigError('signer: the role order-entry needs one');
  // A separate signer checks its own copy of the profile; the bytes and ids made here depend on this one.
  checkGoldenVectors(contract, (await fastestBlake3()).blake3);
  const anchors = new LedgerAnchors(
    join(path(config.dataDir), 'signer.anchor'),
    systemClock,
    alarm,
  );
  if (signer.mode !== 'inline') {
    const link =
      signer.mode === 'process'
        ? socketLink(path(signer.socket))
        : inTurn(signersOf(signer, path).map(tlsLink));
    const waits = withinMs === undefined ? {} : { startMs: withinMs };
    return RemoteSigner.open({
      contract,
      clock: systemClock,
      link,
      report: alarm,
      anchors,
      ...waits,
    });
  }
  const read = () => readSignerFile(path(signer.configFile), config.environment);
  const signerConfig = read();
  const { changeKeys, close, core } = await openSignerCore({
    config: signerConfig,
    contract,
    askPassphrase: (keystore) =>
      Promise.reject(new ConfigError(`${keystore}: signer.mode inline needs a passphraseFile`)),
    alarm,
    // Before the first signature of this directory there is no ledger yet.
    mayCreateLedger: anchors.last.id === noAnchor.id,
    isJournaled: true,
  });
  const { anchor, chain } = await core.greet(anchors.last);
  const problem = anchors.problem(anchor, chain);
  if (problem !== undefined) {
    await close();
    throw new ConfigError(problem);
  }
  anchors.keep(anchor);
  let stopWatch = watchExpiry(expiriesOf(signerConfig), systemClock, expiry);
  return {
    keys: core.keys,
    async sign(request) {
      const result = await core.sign(request);
      anchors.keep(core.anchor);
      return result;
    },
    get away() {
      return core.recordProblem;
    },
    recall: (account, floor, digests) => core.recall(account, floor, digests),
    async reload() {
      const changed = read();
      await changeKeys(changed.keys);
      stopWatch();
      stopWatch = watchExpiry(expiriesOf(changed), systemClock, expiry);
    },
    async close() {
      stopWatch();
      // Closing only the core would leave the ledger locked.
      await close();
      anchors.keep(core.anchor);
      anchors.write();
    },
  };
}

/**
 * Throws if a signer in another process does not answer in time. One inside takes its ledger, so the owner alone opens
 * it.
 */
export async function greetSigner(
  loaded: LoadedConfig,
  contract: SigningContract,
  raise: RaiseAlarm,
  withinMs?: number,
): Promise<void> {
  if (loaded.config.signer?.mode === 'inline') return;
  // The bridge's record of the ledger is kept there.
  makePrivateDirectory(loaded.path(loaded.config.dataDir));
  await (await openGatewaySigner(loaded, contract, raise, withinMs)).close();
}

/** The first signer, and those that replace it. */
function signersOf(
  signer: Extract<Config['signer'], { mode: 'remote' }>,
  path: (file: string) => string,
): readonly TlsConnect[] {
  const { caFile, certFile, fallbacks, host, keyFile, port, serverName } = signer;
  const files = { certFile: path(certFile), keyFile: path(keyFile), caFile: path(caFile) };
  const places = [{ host, port }, ...fallbacks.flatMap((text) => hostAndPortOf(text) ?? [])];
  return places.map((place) => ({ ...place, ...files, serverName }));
}

const wrongFile = "the signer's configuration is wrong:";

/**
 * Checks the file of a signer without unlocking a key: keys and passphrases must exist and be private, and each of the
 * accounts must have a key. `causeway check --signer` checks a separate signer's file, without an environment to
 * compare.
 */
export function checkSignerFile(
  file: string,
  environment: Config['environment'] | null,
  accounts: readonly string[] = [],
): SignerConfig {
  const { at, config } = positionedSignerFile(file, environment);
  const faults: string[] = [];
  for (const { key, path } of placesIn(config.keys)) {
    const { keystoreFile, kms, passphraseFile, token } = key;
    const files = [
      [['keystoreFile'], () => keystoreFile && readKeystoreFor(config.environment, keystoreFile)],
      [['passphraseFile'], () => passphraseFile && readPassphraseFile(passphraseFile)],
      [['token', 'module'], () => token && accessSync(token.module)],
      [['token'], () => token && pkcs11File()],
      [['token', 'pinFile'], () => token?.pinFile && readPassphraseFile(token.pinFile)],
      [['kms', 'credentialsFile'], () => kms && readCredentials(kms.credentialsFile)],
    ] as const;
    for (const [name, read] of files) {
      try {
        read();
      } catch (error) {
        faults.push(`${at([...path, ...name])}: ${(error as Error).message}`);
      }
    }
  }
  try {
    ledgerPlaceOf(config);
  } catch (error) {
    faults.push(`${at(['ledger', 'postgres'])}: ${(error as Error).message}`);
  }
  const served = new Set<string>(config.keys.flatMap(({ policy }) => [...policy.accounts]));
  for (const account of accounts) {
    if (!served.has(account))
      faults.push(`${at(['keys'])}: no key may sign for account ${account}`);
  }
  if (faults.length > 0) throw new ConfigError(wrongFile, faults);
  return config;
}

/** Opens each keystore with the passphrase in its file, a second for each. Throws with those that it does not open. */
export async function checkPassphrases(file: string): Promise<void> {
  const { at, config } = positionedSignerFile(file, null);
  const faults: string[] = [];
  for (const { key, path } of placesIn(config.keys)) {
    const { keystoreFile, passphraseFile } = key;
    if (keystoreFile === undefined || passphraseFile === undefined) continue;
    const keystore = readKeystore(keystoreFile);
    try {
      (await openKey(keystore, readPassphraseFile(passphraseFile))).fill(0);
    } catch (error) {
      const which = `it does not open ${keystoreFile} (key ${addressIn(keystore)})`;
      faults.push(`${at([...path, 'passphraseFile'])}: ${which}: ${(error as Error).message}`);
    }
  }
  if (faults.length > 0) throw new ConfigError(wrongFile, faults);
}

/** Returns the file with absolute paths; null accepts any environment. */
export function readSignerFile(
  file: string,
  environment: Config['environment'] | null,
): SignerConfig {
  return positionedSignerFile(file, environment).config;
}

function positionedSignerFile(file: string, environment: Config['environment'] | null) {
  const checked = readYaml(file, signerConfigSchema);
  if (checked.kind === 'faults') throw new ConfigError(wrongFile, checked.faults);
  const { at, value } = checked;
  if (environment !== null && value.environment !== environment) {
    const text = `is ${value.environment}, but the bridge's configuration says ${environment}`;
    throw new ConfigError(wrongFile, [`${at(['environment'])}: ${text}`]);
  }
  const problem = configProblem(value);
  if (problem !== undefined) throw new ConfigError(wrongFile, [`${file}: ${problem}`]);
  const config = absolute(value, dirname(file));
  const older = config.keys.findIndex((key) => key.older !== undefined);
  const onlyOne = older < 0 ? undefined : reasonForOneKey(loadProfile(config.profile));
  if (onlyOne !== undefined) {
    throw new ConfigError(wrongFile, [`${at(['keys', older, 'older'])}: ${onlyOne}`]);
  }
  return { at, config };
}

/** Keys of the configuration that name files. A policy names none, and is no plain object. */
const fileKey = /^(?:profile|socket|dataDir|module|\w+File)$/;

function absolute<T>(value: T, folder: string): T {
  if (Array.isArray(value)) return value.map((each) => absolute(each, folder)) as T;
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([key, held]) => {
    if (key === 'policy') return [key, held];
    const isFile = typeof held === 'string' && fileKey.test(key);
    return [key, isFile ? resolve(folder, held) : absolute(held, folder)];
  });
  return Object.fromEntries(members) as T;
}
