/** The signer where the configuration says: behind a socket or in this process (decision 0042). */
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
  // A signer elsewhere proves its own copy of the profile; the bytes and ids made here rest on this one.
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
 * What a signer inside the bridge will read, without unlocking a key: its file, and that keys and passphrases are there
 * and nobody else may read them. A signer elsewhere looks at its own.
 */
export function checkSignerFiles({ config, path }: LoadedConfig): void {
  const { environment, signer } = config;
  if (signer === undefined || signer.mode === 'process') return;
  checkSignerFile(path(signer.configFile), environment);
}

/** The same for a signer of its own; null where nothing says which environment it is for. */
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

/** Its files as absolute paths; any environment will do where it is null. */
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
