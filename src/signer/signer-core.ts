/** The signer itself, wherever it runs: read, check, record and sign. It holds the secret keys and nothing else does. */
import { type Account, maxSafeAtoms } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import { ActionError } from './action.ts';
import type { Blake3 } from './blake3.ts';
import { CanonicalReader } from './canonical-reader.ts';
import { Derivation } from './digest.ts';
import type { DigestLedger } from './digest-ledger.ts';
import type { Ecdsa } from './ecdsa.ts';
import type { MadeAction } from './made-action.ts';
import { type Policy, PolicyGuard } from './policy.ts';
import { addressOf, sign } from './scheme.ts';
import { refusal, type Signer, type SignRequest, type SignResult } from './signer.ts';
import type { SigningContract } from './signing-contract.ts';

export interface SigningKey {
  readonly secretKey: Uint8Array;
  readonly policy: Policy;
}

export interface SignerParts {
  readonly contract: SigningContract;
  readonly blake3: Blake3;
  readonly ecdsa: Ecdsa;
  readonly ledger: DigestLedger;
  readonly clock: Clock;
  readonly keys: readonly SigningKey[];
  /** Told of every refusal of a second digest, with account and nonce. */
  readonly alarm: (text: string) => void;
  /** The ledger can no longer record: its process must be restarted. */
  readonly fatal: (error: Error) => void;
}

/** The hello counts them in one byte. */
const mostAccounts = 255;

interface HeldKey {
  readonly secretKey: Uint8Array;
  readonly guard: PolicyGuard;
}

type Understood = Pick<MadeAction, 'digest' | 'envelope'>;

/** What is recorded and waits for the disk. */
interface Checked {
  readonly request: SignRequest;
  readonly digest: Uint8Array;
  readonly key: HeldKey;
}

export class SignerCore implements Signer {
  readonly keys = new Map<Account, Account>();
  readonly #parts: SignerParts;
  readonly #reader: CanonicalReader;
  readonly #derivation: Derivation;
  readonly #held = new Map<Account, HeldKey>();

  constructor(parts: SignerParts) {
    const { contract, blake3, ecdsa, keys } = parts;
    this.#parts = parts;
    this.#reader = new CanonicalReader(contract, maxSafeAtoms);
    this.#derivation = new Derivation(contract, blake3);
    for (const { secretKey, policy } of keys) {
      const held = { secretKey, guard: new PolicyGuard(policy) };
      const address = addressOf(ecdsa.publicKey(secretKey));
      for (const account of policy.accounts) {
        if (this.#held.has(account)) throw new Error(`account ${account} has two signing keys`);
        this.#held.set(account, held);
        this.keys.set(account, address);
      }
    }
    if (this.keys.size > mostAccounts) throw new Error(`a signer serves ${mostAccounts} accounts`);
  }

  async sign(request: SignRequest): Promise<SignResult> {
    const checked = this.#check(request);
    // Reports that wait for the same commit go out meanwhile: a signature takes as long as all the rest.
    const fault = await this.#faultOf(this.#parts.ledger.recorded());
    if ('kind' in checked) return checked;
    return fault ?? this.#finish(checked);
  }

  /** Several at once share one record; the order of nonces is that of the requests. */
  async signAll(requests: readonly SignRequest[]): Promise<SignResult[]> {
    const checked = requests.map((request) => this.#check(request));
    const fault = await this.#faultOf(this.#parts.ledger.recorded());
    if (fault !== undefined) return checked.map(() => fault);
    return checked.map((each) => ('kind' in each ? each : this.#finish(each)));
  }

  /** What the journal of the account holds, before anything is signed for it. */
  recall(account: Account, digests: ReadonlyMap<number, string>): void {
    this.#parts.ledger.recall(account, digests);
  }

  async #faultOf(recorded: Promise<void> | undefined): Promise<SignResult | undefined> {
    try {
      await recorded;
      return undefined;
    } catch (error) {
      this.#parts.fatal(error instanceof Error ? error : new Error(String(error)));
      return refusal('not_recorded', 'the signer could not record the nonce');
    }
  }

  async close(): Promise<void> {
    for (const { secretKey } of this.#held.values()) secretKey.fill(0);
    this.#held.clear();
  }

  #check(request: SignRequest): Checked | SignResult {
    const understood = this.#understood(request);
    if ('kind' in understood) return understood;
    const { envelope, digest } = understood;
    if (this.#held.size === 0) return closed();
    const held = this.#held.get(envelope.account);
    if (held === undefined) return refusal('policy', `no key signs for ${envelope.account}`);
    const denied = held.guard.check(envelope, this.#parts.clock.now());
    if (denied !== undefined) return refusal(denied.code, denied.text);
    const { account } = envelope;
    const nonce = Number(envelope.nonce);
    const { supersedes } = request;
    if (supersedes?.proof === 'fence' && envelope.action.kind !== 'Cancel') {
      return refusal('policy', `${envelope.action.kind} cannot fence a nonce, a Cancel can`);
    }
    const conflict = this.#parts.ledger.claim({ account, nonce, digest, supersedes });
    if (conflict === undefined) return { request, digest, key: held };
    if (conflict.code === 'nonce_too_old') {
      return refusal(conflict.code, `nonce ${nonce} lies far below what was signed since`);
    }
    const text = `nonce ${nonce} of ${account} was signed for another action`;
    this.#parts.alarm(text);
    return refusal(conflict.code, text, conflict.digest);
  }

  /** What is signed is what the signer understood: its reader takes only the bytes that its own encoder writes. */
  #understood({ canonical, made }: SignRequest): Understood | SignResult {
    if (made?.contract === this.#parts.contract) return made;
    try {
      const envelope = this.#reader.read(canonical);
      return { envelope, digest: this.#derivation.actionHash(canonical) };
    } catch (error) {
      if (error instanceof ActionError) return refusal('unreadable', error.message);
      throw error;
    }
  }

  #finish({ request: { scheme }, digest, key }: Checked): SignResult {
    const { contract, ecdsa } = this.#parts;
    if (this.#held.size === 0) return closed();
    const signature = sign(contract.signing, scheme, ecdsa, digest, key.secretKey);
    return { kind: 'signed', digest, signature };
  }
}

function closed(): SignResult {
  return refusal('unavailable', 'it is closed');
}
