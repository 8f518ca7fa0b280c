/** The signer where the configuration says: behind a socket, in a thread, or in this very thread (decision 0042). */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { systemClock } from '../runtime/clock.ts';
import { faultList, readYaml } from '../runtime/yaml.ts';
import { fastestBlake3 } from '../signer/blake3.ts';
import { checkGoldenVectors } from '../signer/golden-vectors.ts';
import { KeystoreError, readKeystore, readPassphraseFile } from '../signer/keystore.ts';
import { openSignerCore, openThreadSigner } from '../signer/open-signer.ts';
import { RemoteSigner } from '../signer/remote-signer.ts';
import type { Signer } from '../signer/signer.ts';
import { type SignerConfigInput, signerConfigSchema } from '../signer/signer-config.ts';
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
  const own = readSignerFile(path(signer.configFile), config.environment);
  if (signer.mode === 'thread') return openThreadSigner({ config: own, contract }, alarm);
  const { core, close } = await openSignerCore({
    config: signerConfigSchema.parse(own),
    contract,
    askPassphrase: (keystore) =>
      Promise.reject(new ConfigError(`${keystore}: a signer inside needs a passphraseFile`)),
    alarm,
    isShared: true,
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
  const faults: string[] = [];
  const { keys } = readSignerFile(path(signer.configFile), environment);
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
}

const wrongFile = "the signer's configuration is wrong:";

/** As written, so that a thread can be started with it; its files as absolute paths. */
function readSignerFile(file: string, environment: Config['environment']): SignerConfigInput {
  const checked = readYaml(file, signerConfigSchema);
  if (checked.kind === 'faults') {
    throw new ConfigError(faultList(wrongFile, checked.faults));
  }
  if (checked.value.environment !== environment) {
    const text = `is for ${checked.value.environment}, the bridge for ${environment}`;
    throw new ConfigError(`${file} ${text}`);
  }
  const written = parse(readFileSync(file, 'utf8')) as SignerConfigInput;
  const at = (name: string) => resolve(dirname(file), name);
  return {
    ...written,
    profile: at(written.profile),
    dataDir: at(written.dataDir),
    keys: written.keys.map(({ passphraseFile, ...key }) => ({
      ...key,
      keystoreFile: at(key.keystoreFile),
      ...(passphraseFile !== undefined && { passphraseFile: at(passphraseFile) }),
    })),
  };
}
