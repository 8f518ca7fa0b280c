/**
 * Has an account's actions signed, and chooses between its two keys by the venue's answers
 * (docs/decisions/0296-two-keys-and-two-credentials.md). The signer holds the keys; this class only records which ones
 * the venue has refused.
 */
import type { Account } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Scheme } from '../signer/scheme.ts';
import {
  passingRefusals,
  type Signer,
  type SignRequest,
  type SignResult,
} from '../signer/signer.ts';
import { refusalsOfKeys, type VenueRefusal } from './refusals.ts';
import { RefusedKeys } from './refused-keys.ts';
import { tookNonce, type Verdict } from './verdict.ts';

interface ActionText {
  readonly text: string;
  readonly made?: SignRequest['made'] | undefined;
}

interface SignedBy {
  readonly key: Account;
  /** The key of the order inside a conditional order; null if a previous process had it signed. */
  readonly nested?: Account | null | undefined;
}

export class KeyChoice {
  readonly refused = new RefusedKeys();
  readonly #parts: {
    readonly clock: Clock;
    readonly scheme: Scheme;
    readonly signer: Signer;
  };
  readonly #alarm: (text: string) => void;
  #used: Account | undefined;
  /** The key that the venue refused last. */
  #last: Account | undefined;

  constructor(
    parts: { readonly clock: Clock; readonly scheme: Scheme; readonly signer: Signer },
    alarm: (text: string) => void,
  ) {
    this.#parts = parts;
    this.#alarm = alarm;
  }

  /** The key of the last action that was answered. */
  get used(): Account | undefined {
    return this.#used;
  }

  sign({ made, text }: ActionText): Promise<SignResult> {
    const { scheme, signer } = this.#parts;
    const canonical = made?.canonical ?? Buffer.from(text);
    return signer.sign({ canonical, ...(made && { made }), scheme, refusedKey: this.#avoided });
  }

  /** Returns the key if it signed because the venue had refused another one. */
  inPlaceOf(key: Account): Account | undefined {
    const avoided = this.#avoided;
    return avoided === undefined || avoided === key ? undefined : key;
  }

  /**
   * Calls back with the venue's answer to an action. If the answer refuses the key and another key may sign, the engine
   * sends the same action again, as if the venue were busy: the action itself is valid. A conditional order is refused
   * alone, because its bytes contain a signature.
   */
  answered(
    { key, nested }: SignedBy,
    bytes: ActionText,
    verdict: Verdict,
    callback: (verdict: Verdict) => void,
  ): void {
    this.#used = key;
    if (verdict.kind === 'accepted') this.refused.accept(key);
    const isForGood = verdict.kind === 'refused' ? refusalsOfKeys[verdict.refusal.name] : undefined;
    if (isForGood === undefined || verdict.kind !== 'refused' || tookNonce(verdict)) {
      callback(verdict);
      return;
    }
    const { refusal } = verdict;
    const instead = (acts: VenueRefusal['acts']) =>
      callback({ ...verdict, refusal: { ...refusal, acts } });
    // The venue does not say which of two keys it refuses, so neither is blamed.
    if (nested !== undefined && nested !== key) {
      instead([]);
      return;
    }
    this.refused.refuse(key, isForGood, this.#nowMs);
    this.#last = key;
    const acts: VenueRefusal['acts'] = nested === undefined ? ['BK'] : [];
    // Only the signer knows whether there is another key; one that is away is asked again with the next send.
    void this.sign(bytes).then((signed) => {
      if (signed.kind === 'refused' && passingRefusals.has(signed.code)) {
        instead(acts);
        return;
      }
      const other = signed.kind === 'signed' ? signed.key : key;
      if (other === key || this.refused.isResting(other, this.#nowMs)) {
        callback(verdict);
        return;
      }
      if (this.refused.isNews(key)) {
        this.#alarm(`the venue refuses the key ${key}, so ${other} signs: ${refusal.name}`);
      }
      instead(acts);
    });
  }

  /** Called when the configuration was reloaded, or an operator has opened the account. */
  clear(): void {
    this.refused.clear();
    this.#last = undefined;
  }

  get #nowMs(): number {
    return this.#parts.clock.now().wallMs;
  }

  /** The key to use only if no other key can sign. */
  get #avoided(): Account | undefined {
    const last = this.#last;
    return last !== undefined && this.refused.isResting(last, this.#nowMs) ? last : undefined;
  }
}
