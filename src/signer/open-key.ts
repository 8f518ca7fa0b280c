/** Opens a configured key where it is: in a keystore, in a token, or at a remote service. */
import { systemClock } from '../runtime/clock.ts';
import { ownArguments } from '../runtime/shipped.ts';
import type { Ecdsa } from './ecdsa.ts';
import { type KeyHolder, localKey } from './key-holder.ts';
import {
  type Environment,
  KeystoreError,
  openKey,
  readKeystoreFor,
  readPassphraseFile,
} from './keystore.ts';
import { openKmsKey } from './kms-key.ts';
import type { RaiseSignerAlarm } from './signer-alarm.ts';
import type { KeyPlace } from './signer-config.ts';
import { openTokenKey } from './token-key.ts';

export interface KeySurroundings {
  readonly environment: Environment;
  readonly ecdsa: Ecdsa;
  /** Asked for the passphrase of a keystore or the PIN of a token that names no file. */
  readonly askPassphrase: (of: string) => Promise<string>;
  /** Told when a key elsewhere goes and comes back. */
  readonly report: RaiseSignerAlarm;
}

export async function openConfiguredKey(
  { keystoreFile, kms, passphraseFile, token }: KeyPlace,
  { askPassphrase, ecdsa, environment, report }: KeySurroundings,
): Promise<KeyHolder> {
  const secretIn = (file: string | undefined, of: string) =>
    file === undefined ? askPassphrase(of) : Promise.resolve(readPassphraseFile(file));
  const clock = systemClock;
  if (kms !== undefined) return openKmsKey({ ...kms, ecdsa, clock, report });
  if (token !== undefined) {
    const { address, label, pinFile, ...place } = token;
    return openTokenKey({
      place: { ...place, token: label },
      pin: await secretIn(pinFile, `the token ${label}`),
      program: ownArguments('signer-token'),
      ...{ address, ecdsa, report, clock },
    });
  }
  const file = keystoreFile ?? '';
  return localKey(ecdsa, await unlock(file, environment, () => secretIn(passphraseFile, file)));
}

async function unlock(
  file: string,
  environment: Environment,
  passphrase: () => Promise<string>,
): Promise<Uint8Array> {
  const keystore = readKeystoreFor(environment, file);
  try {
    return await openKey(keystore, await passphrase());
  } catch (error) {
    throw error instanceof KeystoreError ? new KeystoreError(`${file}: ${error.message}`) : error;
  }
}
