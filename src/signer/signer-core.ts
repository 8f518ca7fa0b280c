/** The signer itself, wherever it runs: read, check, record and sign. It holds the secret keys and nothing else does. */
import { type Account, maxSafeAtoms } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import { type ActionEnvelope, ActionError } from './action.ts';
import type { Blake3 } from './blake3.ts';
import { CanonicalReader } from './canonical-reader.ts';
import { Derivation } from './digest.ts';
import type { Ledger, Standing } from './digest-ledger.ts';
import { KeyFailure, type KeyHolder } from './key-holder.ts';
import { anchorProblem } from './ledger-anchors.ts';
import { type Anchor, noAnchor } from './ledger-file.ts';
import type { MadeAction } from './made-action.ts';
import { type Case, type Policy, PolicyGuard, stakesOf } from './policy.ts';
import { addressOf, signatureOf, signedDigest } from './scheme.ts';
import { refusal, type Signer, type SignRequest, type SignResult } from './signer.ts';
import type { SigningContract } from './signing-contract.ts';

export interface SigningKey {
  readonly holder: KeyHolder;
  readonly policy: Policy;
}

export interface SignerParts {
  readonly contract: SigningContract;
  readonly blake3: Blake3;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly keys: readonly SigningKey[];
  /** Why a person has stopped all placements; null if nobody has. */
  readonly paused: () => string | null;
  /** Told of every refusal of a second digest, with account and nonce. */
  readonly alarm: (text: string) => void;
  /** The ledger can no longer record: its process must be restarted. */
  readonly fatal: (error: Error) => void;
}

/** The hello counts them in one byte. */
const mostAccounts = 255;

interface HeldKey {
  readonly holder: KeyHolder;
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
    const { contract, blake3, keys } = parts;
    this.#parts = parts;
    this.#reader = new CanonicalReader(contract, maxSafeAtoms);
    this.#derivation = new Derivation(contract, blake3);
    for (const { holder, policy } of keys) {
      const held = { holder, guard: new PolicyGuard(policy) };
      const address = addressOf(holder.publicKey);
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
    return Promise.all(checked.map((each) => ('kind' in each ? each : this.#finish(each))));
  }

  /** Why some or all actions are not signed now. */
  get notReady(): readonly string[] {
    const reason = this.#parts.paused();
    const problems = [...this.#held.values()].flatMap(({ holder }) => holder.problem ?? []);
    return [...new Set(reason === null ? problems : [`paused: ${reason}`, ...problems])];
  }

  get anchor(): Anchor {
    return this.#parts.ledger.anchor;
  }

  /** Compares with what the bridge has seen of the ledger, as the bridge does with what it gets. */
  greet(seen: Anchor) {
    const { alarm, ledger } = this.#parts;
    const chain = ledger.chainAt(seen.count);
    const problem = anchorProblem(seen, ledger.anchor, chain);
    if (problem !== undefined) alarm(problem);
    return { anchor: ledger.anchor, chain: chain ?? noAnchor.chain, keys: this.keys };
  }

  recall(account: Account, floor: number, digests: ReadonlyMap<number, string>): void {
    if (this.#held.has(account)) this.#parts.ledger.recall(account, floor, digests);
  }

  async #faultOf(recorded: Promise<void>): Promise<SignResult | undefined> {
    try {
      await recorded;
      return undefined;
    } catch (error) {
      this.#parts.fatal(error instanceof Error ? error : new Error(String(error)));
      return refusal('not_recorded', 'the signer could not record the nonce');
    }
  }

  async close(): Promise<void> {
    for (const { holder } of this.#held.values()) holder.close();
    this.#held.clear();
  }

  #check(request: SignRequest): Checked | SignResult {
    const understood = this.#understood(request);
    if ('kind' in understood) return understood;
    const { envelope, digest } = understood;
    if (this.#held.size === 0) return closed();
    const held = this.#held.get(envelope.account);
    if (held === undefined) return refusal('policy', `no key signs for ${envelope.account}`);
    // Nothing is recorded for a key that is known to be away, so the bridge may use the nonce again.
    const { problem } = held.holder;
    if (problem !== undefined) return refusal('unavailable', problem);
    return this.#allowed(envelope, digest, held) ?? { request, digest, key: held };
  }

  /** Records what places something; undefined if the action may be signed. */
  #allowed(
    envelope: ActionEnvelope,
    digest: Uint8Array,
    { guard }: HeldKey,
  ): SignResult | undefined {
    const { clock, ledger } = this.#parts;
    const { account } = envelope;
    const nonce = Number(envelope.nonce);
    const standing = placesNothing(envelope) ?? ledger.standing(account, nonce, digest);
    if (standing.kind === 'nonce_too_old') {
      return refusal(standing.kind, `nonce ${nonce} lies far below what was signed since`);
    }
    if (standing.kind === 'other_digest') {
      const text = `nonce ${nonce} of ${account} was signed for another action`;
      this.#parts.alarm(text);
      return refusal(standing.kind, text);
    }
    const of = caseOf(envelope, standing, this.#parts);
    const denied = standing.kind === 'same' ? guard.checkAgain(of) : guard.check(of, clock.now());
    if (denied !== undefined) return refusal(denied.code, denied.text);
    if (of.stakes.length > 0 && standing.kind === 'new') {
      const day = dayOf(of.nowMs);
      ledger.record({ account, nonce, digest, spend: guard.spendOf(of.stakes), day });
    }
    return undefined;
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

  #finish({ request: { scheme }, digest, key }: Checked): SignResult | Promise<SignResult> {
    const { signing } = this.#parts.contract;
    if (this.#held.size === 0) return closed();
    const signed = (bytes: Uint8Array): SignResult => {
      return { kind: 'signed', digest, signature: signatureOf(signing, scheme, bytes) };
    };
    const bytes = key.holder.sign(signedDigest(scheme, digest));
    if (bytes instanceof Uint8Array) return signed(bytes);
    return bytes.then(signed, (error: unknown) => {
      if (!(error instanceof KeyFailure)) throw error;
      return refusal('unanswered', `the key did not sign: ${error.message}`);
    });
  }
}

/** What the policy looks at. */
export function caseOf(
  envelope: ActionEnvelope,
  standing: Standing,
  { clock, ledger, paused }: Pick<SignerParts, 'clock' | 'ledger' | 'paused'>,
): Case {
  const nowMs = clock.now().wallMs;
  const stakes = stakesOf(envelope.action);
  return {
    envelope,
    stakes,
    nowMs,
    paused: stakes.length > 0 ? paused() : null,
    spent: (market) => ledger.spent(envelope.account, market, dayOf(nowMs)),
    jump: standing.kind === 'new' ? standing.jump : null,
  };
}

function placesNothing({ action }: ActionEnvelope): Standing | undefined {
  return stakesOf(action).length === 0 ? { kind: 'new', jump: null } : undefined;
}

function dayOf(wallMs: number): number {
  return Math.floor(wallMs / 86_400_000);
}

function closed(): SignResult {
  return refusal('unavailable', 'it is closed');
}
