/** Opens the configured signer: behind a socket or in this process (decision 0042). */
import { dirname, resolve } from 'node:path';
import { systemClock } from '../runtime/clock.ts';
import { faultList, readYaml } from '../runtime/yaml.ts';
import { fastestBlake3 } from '../signer/blake3.ts';
import { checkGoldenVectors } from '../signer/golden-vectors.ts';
import { KeystoreError, readKeystore, readPassphraseFile } from '../signer/keystore.ts';
import { openSignerCore } from '../signer/open-signer.ts';
import { RemoteSigner } from '../signer/remote-signer.ts';
import type { Signer } from '../signer/signer.ts';
import { type SignerConfig, signerConfigSchema } from '../signer/signer-config.ts';
import { socketLink } from '../signer/signer-link.ts';
import type { SigningContract } from '../signer/signing-contract.ts';
import type { Config } from './config.ts';
import { ConfigError, type LoadedConfig } from './config-file.ts';

export async function openGatewaySigner(
  { config, path }: LoadedConfig,
  contract: SigningContract,
  alarm: (text: string) => void,
): Promise<Signer> {
  const { signer } = config;
  if (signer === undefined) throw new ConfigError('signer: needed to take orders');
  // A separate signer checks its own copy of the profile; the bytes and ids made here depend on this one.
  checkGoldenVectors(contract, (await fastestBlake3()).blake3);
  if (signer.mode === 'process') {
    const link = socketLink(path(signer.socket));
    return RemoteSigner.open({ contract, clock: systemClock, link, report: alarm });
  }
  const { core, close } = await openSignerCore({
    config: readSignerFile(path(signer.configFile), config.environment),
    contract,
    askPassphrase: (keystore) =>
      Promise.reject(new ConfigError(`${keystore}: a signer inside needs a passphraseFile`)),
    alarm,
    isJournaled: true,
  });
  return {
    keys: core.keys,
    sign: (request) => core.sign(request),
    recall: (account, digests) => core.recall(account, digests),
    // Closing the core alone would leave the ledger locked.
    close,
  };
}

/**
 * Checks the file of a signer inside the bridge without unlocking a key: keys and passphrases must exist and be private. A
 * separate signer checks its own file.
 */
export function checkSignerFiles({ config, path }: LoadedConfig): void {
  const { environment, signer } = config;
  if (signer === undefined || signer.mode === 'process') return;
  checkSignerFile(path(signer.configFile), environment);
}

/** The same for a separate signer; null if nothing states its environment. */
export function checkSignerFile(
  file: string,
  environment: Config['environment'] | null,
): SignerConfig {
  const faults: string[] = [];
  const config = readSignerFile(file, environment);
  const { keys } = config;
  for (const [index, { keystoreFile, passphraseFile }] of keys.entries()) {
    const files = [
      ['keystoreFile', () => readKeystore(keystoreFile)],
      ['passphraseFile', () => passphraseFile && readPassphraseFile(passphraseFile)],
    ] as const;
    for (const [name, read] of files) {
      try {
        read();
      } catch (error) {
        if (!(error instanceof KeystoreError)) throw error;
        faults.push(`keys[${index}].${name}: ${error.message}`);
      }
    }
  }
  if (faults.length > 0) throw new ConfigError(faultList(wrongFile, faults));
  return config;
}

const wrongFile = "the signer's configuration is wrong:";

/** Its files as absolute paths; null accepts any environment. */
export function readSignerFile(
  file: string,
  environment: Config['environment'] | null,
): SignerConfig {
  const checked = readYaml(file, signerConfigSchema);
  if (checked.kind === 'faults') {
    throw new ConfigError(faultList(wrongFile, checked.faults));
  }
  const { value } = checked;
  if (environment !== null && value.environment !== environment) {
    throw new ConfigError(`${file} is for ${value.environment}, the bridge for ${environment}`);
  }
  const at = (path: string) => resolve(dirname(file), path);
  return {
    ...value,
    profile: at(value.profile),
    socket: at(value.socket),
    dataDir: at(value.dataDir),
    keys: value.keys.map(({ passphraseFile, ...key }) => ({
      ...key,
      keystoreFile: at(key.keystoreFile),
      ...(passphraseFile !== undefined && { passphraseFile: at(passphraseFile) }),
    })),
  };
}
