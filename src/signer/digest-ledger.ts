/**
 * Which digest was signed with which nonce (docs/ARCHITECTURE.md: record, then sign). A second digest for a nonce is
 * refused, unless the request names the first and why its action is dead; that reason is recorded, too.
 *
 * Where whoever asks has recorded the digest itself, in a journal that it tells of at each start, the file follows that
 * journal in lots: the same record is not waited for twice (docs/decisions/0209-one-record-before-a-signature.md).
 *
 *     entry     account 20 | nonce u64 | digest 32 | proof u8 (0: first digest of the nonce)      little-endian
 */
import { entryBytes, type LedgerFile } from './ledger-file.ts';
import type { Warrant } from './nonce-types.ts';

export interface Claim {
  readonly account: string;
  /** A safe integer: the encoder of JSON lanes writes no other. */
  readonly nonce: number;
  /** 32 bytes. */
  readonly digest: Uint8Array;
  readonly supersedes: { readonly digest: string; readonly proof: Warrant } | null;
}

export type ClaimRefusal =
  | { readonly code: 'other_digest'; readonly digest: string }
  | { readonly code: 'nonce_too_old' };

/** Sixteen windows of the venue. What is older can no longer be accepted there, and is not signed any more. */
const keptNonces = 4096;
/** The file is written anew when it holds this many entries that nobody asks for, and at least as many as are kept. */
const mostOldEntries = 65_536;
const entriesAtOnce = 256;
export const proofs: readonly Warrant[] = ['never_sent', 'not_consumed', 'refused', 'fence'];

export class DigestLedger {
  readonly #file: LedgerFile;
  readonly #isJournaled: boolean;
  readonly #accounts = new Map<string, AccountDigests>();
  readonly #batch = Buffer.alloc(entriesAtOnce * entryBytes);
  #batchBytes = 0;
  #entriesInFile = 0;
  #writing: Promise<void> | undefined;
  /** A journal that names two digests of a nonce does not say which of them is the signer's: this file does. */
  #isUrgent = false;
  /** Once one record has failed, all later ones fail with it. */
  #failure: unknown;

  /** `isJournaled`: each digest that is claimed stands in a journal already. */
  constructor(file: LedgerFile, isJournaled = false) {
    this.#file = file;
    this.#isJournaled = isJournaled;
    file.read((entry) => {
      const known = this.#of(`0x${entry.toString('hex', 0, 20)}`);
      known.keep(Number(entry.readBigUInt64LE(20)), entry.subarray(28, 60));
      this.#entriesInFile += 1;
    });
  }

  /** Takes the nonce for the digest, or says why not. Durable once `recorded` resolves. */
  claim({ account, nonce, digest, supersedes }: Claim): ClaimRefusal | undefined {
    const known = this.#of(account);
    if (known.isTooOld(nonce)) return { code: 'nonce_too_old' };
    const earlier = known.digestOf(nonce);
    let proof = 0;
    if (earlier !== undefined) {
      if (earlier.equals(digest)) return undefined;
      const hex = earlier.toString('hex');
      // A fence is harmless beside whatever was signed before, so it need not know that.
      const isKnown = supersedes?.proof === 'fence' || supersedes?.digest === hex;
      if (supersedes === null || !isKnown) return { code: 'other_digest', digest: hex };
      proof = 1 + proofs.indexOf(supersedes.proof);
    }
    this.#keep(known, nonce, digest, proof);
    if (supersedes !== null) this.#isUrgent = true;
    return undefined;
  }

  /** What the journal holds. What is known here already may be newer than that. */
  recall(account: string, digests: ReadonlyMap<number, string>): void {
    const known = this.#of(account);
    for (const [nonce, digest] of digests) {
      if (known.isTooOld(nonce) || known.digestOf(nonce) !== undefined) continue;
      this.#keep(known, nonce, Buffer.from(digest, 'hex'), 0);
    }
    this.#write();
  }

  /** Resolves when every claim so far is durable; undefined where that is so. Claims of one turn share a record. */
  recorded(): Promise<void> | undefined {
    if (this.#isJournaled && !this.#isUrgent && this.#failure === undefined) return undefined;
    this.#writing ??= Promise.resolve().then(() => {
      this.#writing = undefined;
      this.#write();
      if (this.#failure !== undefined) throw this.#failure;
    });
    return this.#writing;
  }

  /** Throws where what it holds could not be written. */
  close(): void {
    this.#write();
    this.#file.close();
    if (this.#failure !== undefined) throw this.#failure;
  }

  #keep(known: AccountDigests, nonce: number, digest: Uint8Array, proof: number): void {
    known.keep(nonce, digest);
    writeEntry(this.#batch, this.#batchBytes, known.account, nonce, digest, proof);
    this.#batchBytes += entryBytes;
    if (this.#batchBytes === this.#batch.length) this.#write();
  }

  #write(): void {
    const entries = this.#batch.subarray(0, this.#batchBytes);
    this.#batchBytes = 0;
    this.#isUrgent = false;
    if (this.#failure !== undefined || entries.length === 0) return;
    try {
      this.#file.append(entries);
      this.#entriesInFile += entries.length / entryBytes;
      this.#dropOld();
    } catch (error) {
      this.#failure = error;
    }
  }

  #dropOld(): void {
    if (this.#entriesInFile < mostOldEntries) return;
    const all = [...this.#accounts.values()].flatMap((known) => known.entries());
    if (this.#entriesInFile - all.length < Math.max(mostOldEntries, all.length)) return;
    this.#file.rewrite(Buffer.concat(all));
    this.#entriesInFile = all.length;
  }

  #of(account: string): AccountDigests {
    let known = this.#accounts.get(account);
    if (known === undefined) {
      known = new AccountDigests(Buffer.from(account.slice(2), 'hex'));
      this.#accounts.set(account, known);
    }
    return known;
  }
}

/** The digests of one account's newest nonces: a ring, in which a nonce has the place of its remainder. */
class AccountDigests {
  readonly account: Uint8Array;
  readonly #digests = Buffer.alloc(keptNonces * 32);
  readonly #nonces = new Float64Array(keptNonces).fill(-1);
  #highest = -1;

  constructor(account: Uint8Array) {
    this.account = account;
  }

  isTooOld(nonce: number): boolean {
    return nonce + keptNonces <= this.#highest;
  }

  digestOf(nonce: number): Buffer | undefined {
    const place = nonce % keptNonces;
    if (this.#nonces[place] !== nonce) return undefined;
    return this.#digests.subarray(place * 32, place * 32 + 32);
  }

  keep(nonce: number, digest: Uint8Array): void {
    const place = nonce % keptNonces;
    this.#nonces[place] = nonce;
    this.#digests.set(digest, place * 32);
    if (nonce > this.#highest) this.#highest = nonce;
  }

  /** Without the proofs: they say why a digest changed, which is over. */
  entries(): Buffer[] {
    const kept: Buffer[] = [];
    for (const nonce of this.#nonces) {
      const digest = nonce < 0 || this.isTooOld(nonce) ? undefined : this.digestOf(nonce);
      if (digest === undefined) continue;
      const entry = Buffer.allocUnsafe(entryBytes);
      writeEntry(entry, 0, this.account, nonce, digest, 0);
      kept.push(entry);
    }
    return kept;
  }
}

function writeEntry(
  bytes: Buffer,
  at: number,
  account: Uint8Array,
  nonce: number,
  digest: Uint8Array,
  proof: number,
): void {
  bytes.set(account, at);
  bytes.writeUInt32LE(nonce % 0x1_0000_0000, at + 20);
  bytes.writeUInt32LE(Math.floor(nonce / 0x1_0000_0000), at + 24);
  bytes.set(digest, at + 28);
  bytes[at + 60] = proof;
}
