/** Opens a configured key where it is: in a keystore, in a token, or at a remote service. */
import type { Account } from '../domain/units.ts';
import { systemClock } from '../runtime/clock.ts';
import { ownArguments } from '../runtime/shipped.ts';
import type { Ecdsa } from './ecdsa.ts';
import { type KeyHolder, localKey } from './key-holder.ts';
import {
  addressIn,
  checkEnvironments,
  type Environment,
  KeystoreError,
  keysBeside,
  openKey,
  readKeystore,
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
  if (kms !== undefined) return openKmsKey({ ...kms, ecdsa, report });
  if (token !== undefined) {
    const { address, label, pinFile, ...place } = token;
    return openTokenKey({
      place: { ...place, token: label },
      pin: await secretIn(pinFile, `the token ${label}`),
      program: ownArguments('signer-token'),
      ...{ address, ecdsa, report, clock: systemClock },
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
  const keystore = readKeystore(file);
  const address: Account = addressIn(keystore);
  checkEnvironments([...keysBeside(file), { environment, address, where: `the signer (${file})` }]);
  const madeFor = keystore.causeway?.environment;
  if (madeFor !== undefined && madeFor !== environment) {
    throw new KeystoreError(`${file} is a key for ${madeFor}, not for ${environment}`);
  }
  try {
    return await openKey(keystore, await passphrase());
  } catch (error) {
    throw error instanceof KeystoreError ? new KeystoreError(`${file}: ${error.message}`) : error;
  }
}
