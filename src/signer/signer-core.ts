/** The signer itself, wherever it runs: it reads, checks, records and signs. Only the signer has the secret keys. */
import { type Account, maxSafeAtoms } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import { FoldedAlarms } from '../runtime/folded-alarm.ts';
import { AccountKeys, type KeyOfAccount, type SigningKey } from './account-keys.ts';
import { type ActionEnvelope, ActionError } from './action.ts';
import type { Blake3 } from './blake3.ts';
import { CanonicalReader } from './canonical-reader.ts';
import { Derivation } from './digest.ts';
import {
  type Claim,
  type Ledger,
  LedgerFull,
  type Losses,
  RecalledDigests,
  type Standing,
} from './digest-ledger.ts';
import { KeyFailure } from './key-holder.ts';
import { anchorProblem } from './ledger-anchors.ts';
import { type Anchor, noAnchor } from './ledger-file.ts';
import type { MadeAction } from './made-action.ts';
import { type Case, type PolicyGuard, stakesOf } from './policy.ts';
import { signatureOf, signedDigest } from './scheme.ts';
import { refusal, type Signer, type SignRequest, type SignResult } from './signer.ts';
import type { RaiseSignerAlarm } from './signer-alarm.ts';
import type { SigningContract } from './signing-contract.ts';

export interface SignerParts {
  readonly contract: SigningContract;
  readonly blake3: Blake3;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly keys: readonly SigningKey[];
  /** The reason of a pause; null if placements are not paused. */
  readonly paused: () => string | null;
  /** Why the audit log cannot record at present; no placement is signed meanwhile. */
  readonly unaudited?: () => string | undefined;
  readonly alarm: RaiseSignerAlarm;
  /** Called when the ledger can no longer record; the process must be restarted. */
  readonly fatal: (error: Error) => void;
}

/** The greeting counts them in one byte. */
const mostAccounts = 255;

type Understood = Pick<MadeAction, 'digest' | 'envelope'>;

/** A request that may be signed once its record, if it needs one, is durable. */
interface Checked {
  readonly request: Pick<SignRequest, 'scheme'>;
  readonly digest: Uint8Array;
  /** In the order in which they are tried. */
  readonly keys: readonly KeyOfAccount[];
  readonly isPlacing: boolean;
  readonly claim: Claim | undefined;
}

export class SignerCore implements Signer {
  readonly keys = new Map<Account, Account>();
  readonly #parts: SignerParts;
  readonly #reader: CanonicalReader;
  readonly #derivation: Derivation;
  readonly #recalled = new RecalledDigests();
  #held = new Map<Account, AccountKeys>();
  /** A bridge that is refused connects again and again, and a hostile one invents anchors. */
  readonly #differences = new FoldedAlarms<'other' | 'set_back' | 'changed'>();
  #hasFailed = false;

  constructor(parts: SignerParts) {
    const { contract, blake3, keys } = parts;
    this.#parts = parts;
    this.#reader = new CanonicalReader(contract, maxSafeAtoms);
    this.#derivation = new Derivation(contract, blake3);
    this.replaceKeys(keys);
  }

  /**
   * From now on these keys sign; if they do not fit, it throws and nothing changes. A request that was checked before
   * is signed with the key that it was checked for, so the caller closes replaced keys later.
   */
  replaceKeys(keys: readonly SigningKey[]): void {
    const held = new Map<Account, AccountKeys>();
    for (const key of keys) {
      const own = new AccountKeys(key);
      for (const account of key.policy.accounts) {
        if (held.has(account)) throw new Error(twice(account));
        held.set(account, own);
      }
    }
    if (held.size > mostAccounts) throw new Error(`a signer serves ${mostAccounts} accounts`);
    const lost = [...this.keys.keys()].filter((account) => !held.has(account));
    if (lost.length > 0) throw new Error(`no key would be left for ${lost.join(', ')}`);
    this.#held = held;
    for (const [account, { newest }] of held) this.keys.set(account, newest);
  }

  async sign(request: SignRequest): Promise<SignResult> {
    const checked = this.#check(request);
    // Reports that wait for the same commit are sent before the signature, which takes as long as everything else.
    const losses = await this.#lossesOf(this.#parts.ledger.recorded());
    return this.#outcome(checked, losses);
  }

  /** Signs several requests with one sync of the ledger. They are recorded in the order of the requests. */
  async signAll(requests: readonly SignRequest[]): Promise<SignResult[]> {
    const checked = requests.map((request) => this.#check(request));
    const losses = await this.#lossesOf(this.#parts.ledger.recorded());
    return Promise.all(checked.map((each) => this.#outcome(each, losses)));
  }

  /** Why some or all actions are not signed now. */
  get notReady(): readonly string[] {
    const reason = this.#parts.paused();
    const keys = [...this.#held.values()].map(({ problem }) => problem);
    const problems = [this.recordProblem, ...keys].flatMap((problem) => problem ?? []);
    return [...new Set(reason === null ? problems : [`paused: ${reason}`, ...problems])];
  }

  /** Without its ledger the signer signs no placements. */
  get isLedgerReady(): boolean {
    return this.#parts.ledger.problem === undefined;
  }

  /** Why no placement can be recorded, so that none is signed. */
  get recordProblem(): string | undefined {
    return this.#parts.ledger.problem ?? this.#parts.unaudited?.();
  }

  /** Whether the action could open a position. An unreadable request is never signed. */
  isPlacing(request: SignRequest): boolean {
    const understood = this.#understood(request);
    return 'envelope' in understood && stakesOf(understood.envelope.action).length > 0;
  }

  get anchor(): Anchor {
    return this.#parts.ledger.anchor;
  }

  /** Compares the ledger with the anchor of the bridge; the bridge does the same with the answer. */
  async greet(seen: Anchor) {
    const { alarm, clock, ledger } = this.#parts;
    const chain = await ledger.chainAt(seen.count);
    const problem = anchorProblem(seen, ledger.anchor, chain);
    if (problem !== undefined) {
      const text = this.#differences.add(problem.kind, problem.text, clock.now().monoMs);
      if (text !== undefined) alarm(text, 'ledger_differs');
    }
    return { anchor: ledger.anchor, chain: chain ?? noAnchor.chain, keys: this.keys };
  }

  recall(account: Account, floor: number, digests: ReadonlyMap<number, string>): void {
    if (this.#held.has(account)) this.#recalled.recall(account, floor, digests);
  }

  async #lossesOf(recorded: Promise<Losses>): Promise<Losses | SignResult> {
    try {
      return await recorded;
    } catch (error) {
      if (error instanceof LedgerFull) return refusal('not_recorded', error.message);
      if (!this.#hasFailed) this.#parts.fatal(error as Error);
      this.#hasFailed = true;
      return refusal('not_recorded', 'the signer could not record the nonce');
    }
  }

  async close(): Promise<void> {
    for (const keys of this.#held.values()) keys.close();
    this.#held.clear();
  }

  #check(request: SignRequest): Checked | SignResult {
    const understood = this.#understood(request);
    if ('kind' in understood) return understood;
    const { envelope, digest } = understood;
    if (this.#held.size === 0) return closed();
    const held = this.#held.get(envelope.account);
    if (held === undefined) return refusal('policy', `no key signs for ${envelope.account}`);
    const { wallMs } = this.#parts.clock.now();
    const keys = held.inOrder(request.refusedKey, wallMs);
    // If no key can sign, nothing is recorded, so the bridge may use the nonce again.
    const [first] = keys;
    if (first === undefined) return refusal('unavailable', held.problem ?? 'no key');
    const stakes = stakesOf(envelope.action);
    const claim = this.#claim(envelope, stakes, digest, held.guard, first);
    if (claim && 'kind' in claim) return claim;
    const isPlacing = stakes.length > 0;
    // The policy has looked at the delegation of the first key only.
    const mayPlace = ({ expiresAtMs }: KeyOfAccount) =>
      expiresAtMs === null || wallMs < expiresAtMs;
    return { request, digest, keys: isPlacing ? keys.filter(mayPlace) : keys, isPlacing, claim };
  }

  /** Records a placement, or refuses it. */
  #claim(
    envelope: ActionEnvelope,
    stakes: Case['stakes'],
    digest: Uint8Array,
    guard: PolicyGuard,
    { expiresAtMs }: KeyOfAccount,
  ): SignResult | Claim | undefined {
    const { clock, ledger } = this.#parts;
    const { account } = envelope;
    const nonce = Number(envelope.nonce);
    const isPlacing = stakes.length > 0;
    const problem = isPlacing ? this.recordProblem : undefined;
    if (problem !== undefined) return refusal('unavailable', problem);
    const standing = isPlacing
      ? this.#recalled.standing(ledger.standing(account, nonce, digest), account, nonce, digest)
      : nothingPlaced;
    if (standing.kind === 'nonce_too_old' || standing.kind === 'other_digest')
      return this.#taken(standing.kind, account, nonce);
    const of = caseOf(envelope, stakes, standing, this.#parts, expiresAtMs);
    const denied = standing.kind === 'same' ? guard.checkAgain(of) : guard.check(of, clock.now());
    if (denied !== undefined) {
      // Another signer may have recorded the action; then it is signed again although the policy refuses it now.
      const mayBeSame = standing.kind === 'unknown' && guard.checkAgain(of) === undefined;
      if (!mayBeSame) return refusal(denied.code, denied.text);
    }
    if (!isPlacing || standing.kind === 'same') return undefined;
    const claim: Claim = {
      ...{ account, nonce, digest, day: dayOf(of.nowMs), ...guard.claimOf(stakes) },
      ...(denied && { denied }),
    };
    ledger.record(claim);
    return claim;
  }

  #taken(code: 'other_digest' | 'nonce_too_old', account: string, nonce: number): SignResult {
    if (code === 'nonce_too_old')
      return refusal(code, `nonce ${nonce} of ${account} lies far below what was signed since`);
    return refusal(code, `nonce ${nonce} of ${account} was signed for another action`);
  }

  /** The signer signs the action that it has read: the reader accepts only the bytes that the encoder writes. */
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

  /** A fault of the ledger refuses all placements; a claim that was not recorded is refused alone. */
  #outcome(
    checked: Checked | SignResult,
    losses: Losses | SignResult,
  ): SignResult | Promise<SignResult> {
    if ('kind' in checked) return checked;
    const { claim, isPlacing } = checked;
    if ('kind' in losses) return isPlacing ? losses : this.#finish(checked);
    const loss = claim && losses.get(claim);
    if (claim === undefined || loss === undefined) return this.#finish(checked);
    if ('text' in loss) return refusal(loss.code, loss.text);
    return this.#taken(loss.code, claim.account, claim.nonce);
  }

  #finish(checked: Checked): SignResult | Promise<SignResult> {
    const { digest, keys, request } = checked;
    const { signing } = this.#parts.contract;
    const [key, ...others] = keys;
    if (this.#held.size === 0 || key === undefined) return closed();
    const signed = (bytes: Uint8Array): SignResult => {
      const signature = signatureOf(signing, request.scheme, bytes);
      return { kind: 'signed', digest, signature, key: key.address };
    };
    const bytes = key.holder.sign(signedDigest(request.scheme, digest));
    if (bytes instanceof Uint8Array) return signed(bytes);
    return bytes.then(signed, (error: unknown) => {
      if (!(error instanceof KeyFailure)) throw error;
      if (others.length > 0) return this.#finish({ ...checked, keys: others });
      return refusal('unanswered', `the key did not sign: ${error.message}`);
    });
  }
}

/** The input of the policy's rules. */
export function caseOf(
  envelope: ActionEnvelope,
  stakes: Case['stakes'],
  standing: Standing,
  { clock, ledger, paused }: Pick<SignerParts, 'clock' | 'ledger' | 'paused'>,
  delegatedUntilMs: number | null,
): Case {
  const nowMs = clock.now().wallMs;
  return {
    envelope,
    stakes,
    nowMs,
    delegatedUntilMs,
    paused: stakes.length > 0 ? paused() : null,
    spent: (market) => ledger.spent(envelope.account, market, dayOf(nowMs)),
    highest: standing.kind === 'new' ? standing.highest : null,
  };
}

const nothingPlaced: Standing = { kind: 'new', highest: -1 };

function dayOf(wallMs: number): number {
  return Math.floor(wallMs / 86_400_000);
}

function twice(account: Account): string {
  return `account ${account} is under two keys: a key and the one before it are one entry, with older`;
}

function closed(): SignResult {
  return refusal('unavailable', 'it is closed');
}
