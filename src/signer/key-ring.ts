/**
 * The open keys of a signer. When the configuration is read again, a key that is still in it stays open, so its
 * passphrase is not needed a second time; a removed key is closed once its last signature must have been sent.
 */
import { type Clock, systemClock } from '../runtime/clock.ts';
import { ownArguments } from '../runtime/shipped.ts';
import type { SigningKey } from './account-keys.ts';
import type { Ecdsa } from './ecdsa.ts';
import { type KeyHolder, localKey, patienceMs } from './key-holder.ts';
import {
  addressIn,
  type Environment,
  KeystoreError,
  openKey,
  readKeystore,
  readKeystoreFor,
  readPassphraseFile,
} from './keystore.ts';
import { openKmsKey } from './kms-key.ts';
import type { RaiseSignerAlarm } from './signer-alarm.ts';
import type { KeyConfig, KeyPlace } from './signer-config.ts';
import { openTokenKey } from './token-key.ts';

export class KeyRing {
  readonly #surroundings: KeySurroundings;
  readonly #clock: Clock;
  #holders: ReadonlyMap<string, KeyHolder> = new Map();

  constructor(surroundings: KeySurroundings, clock: Clock) {
    this.#surroundings = surroundings;
    this.#clock = clock;
  }

  /** `use` takes the keys over or throws; then everything stays as it was. */
  async change(configs: readonly KeyConfig[], use: (keys: SigningKey[]) => void): Promise<void> {
    const holders = new Map<string, KeyHolder>();
    const holderOf = async (place: KeyPlace, at: string): Promise<KeyHolder> => {
      try {
        const name = nameOf(place);
        const held = holders.get(name) ?? this.#holders.get(name);
        const holder = held ?? (await openConfiguredKey(place, this.#surroundings));
        holders.set(name, holder);
        return holder;
      } catch (error) {
        throw new KeystoreError(`${at}: ${(error as Error).message}`);
      }
    };
    try {
      const keys: SigningKey[] = [];
      for (const [index, { older, policy, ...place }] of configs.entries()) {
        const holder = await holderOf(place, `keys[${index}]`);
        const { expiresAtMs = null } = older ?? {};
        const second = older && {
          holder: await holderOf(older, `keys[${index}].older`),
          expiresAtMs,
        };
        keys.push({ holder, policy, older: second });
      }
      use(keys);
    } catch (error) {
      closeAll(holders, this.#holders);
      throw error;
    }
    const before = this.#holders;
    this.#holders = holders;
    const { monoMs } = this.#clock.now();
    this.#clock.at(monoMs + 2 * patienceMs, () => closeAll(before, this.#holders));
  }
}

/** A keystore file may have been replaced by that of another key. */
function nameOf({ keystoreFile, kms, token }: KeyPlace): string {
  return JSON.stringify([keystoreFile && addressIn(readKeystore(keystoreFile)), kms, token]);
}

function closeAll(
  holders: ReadonlyMap<string, KeyHolder>,
  except: ReadonlyMap<string, KeyHolder>,
): void {
  for (const [name, holder] of holders) if (!except.has(name)) holder.close();
}

interface KeySurroundings {
  readonly environment: Environment;
  readonly ecdsa: Ecdsa;
  /** Asked for the passphrase of a keystore or the PIN of a token that names no file. */
  readonly askPassphrase: (of: string) => Promise<string>;
  /** Told when a key elsewhere goes and comes back. */
  readonly report: RaiseSignerAlarm;
}

/** Opens a configured key where it is: in a keystore, in a token, or at a remote service. */
async function openConfiguredKey(
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
