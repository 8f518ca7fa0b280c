/**
 * The open keys of a signer. When the configuration is read again, a key that is still in it stays open, so its
 * passphrase is not needed a second time; a removed key is closed once its last signature must have been sent.
 */
import type { Clock } from '../runtime/clock.ts';
import type { SigningKey } from './account-keys.ts';
import { type KeyHolder, patienceMs } from './key-holder.ts';
import { addressIn, KeystoreError, readKeystore } from './keystore.ts';
import { type KeySurroundings, openConfiguredKey } from './open-key.ts';
import type { KeyConfig, KeyPlace } from './signer-config.ts';

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
