/**
 * Which digest was signed with which nonce (docs/ARCHITECTURE.md: record, then sign). A second digest for a nonce is
 * refused, unless the request names the first and why its action is dead; that reason is recorded, too.
 *
 *     record    entries of 61 bytes: account 20, nonce u64, digest 32, proof u8 (0: first digest of the nonce)
 */
import type { Write } from '../store/store.ts';
import type { LedgerStore } from './ledger-file.ts';
import type { Proof } from './nonce-window.ts';

export interface Claim {
  readonly account: string;
  /** A safe integer: the encoder of JSON lanes writes no other. */
  readonly nonce: number;
  /** 32 bytes. */
  readonly digest: Uint8Array;
  readonly supersedes: { readonly digest: string; readonly proof: Proof } | null;
}

export type ClaimRefusal =
  | { readonly code: 'other_digest'; readonly digest: string }
  | { readonly code: 'nonce_too_old' };

/** Sixteen windows of the venue. What is older can no longer be accepted there, and is not signed any more. */
const keptNonces = 4096;
const snapshotEvery = 16_384;
const readAtOnce = 1024;
const entryBytes = 61;
const stream = 'signer/digests';
export const proofs: readonly Proof[] = ['never_sent', 'not_consumed', 'refused'];

export class DigestLedger {
  readonly #store: LedgerStore;
  readonly #accounts = new Map<string, AccountDigests>();
  #end = 0;
  #sinceSnapshot = 0;
  #entries: Buffer[] = [];
  /** The last commit, under way or done; once one has failed, all later ones fail with it. */
  #durable: Promise<void> = Promise.resolve();
  /** The commit that waits for the one under way. */
  #next: Promise<void> | undefined;

  static async open(store: LedgerStore): Promise<DigestLedger> {
    const ledger = new DigestLedger(store);
    const snapshot = await store.snapshot(stream);
    if (snapshot !== undefined) ledger.#replay(snapshot.position, snapshot.payload);
    for (;;) {
      const records = await store.read(stream, ledger.#end, readAtOnce);
      for (const { position, payload } of records) ledger.#replay(position, payload);
      if (records.length < readAtOnce) return ledger;
    }
  }

  private constructor(store: LedgerStore) {
    this.#store = store;
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
      if (hex !== supersedes?.digest) return { code: 'other_digest', digest: hex };
      proof = 1 + proofs.indexOf(supersedes.proof);
    }
    known.keep(nonce, digest);
    this.#entries.push(toEntry(known.account, nonce, digest, proof));
    return undefined;
  }

  /** Resolves when every claim so far is durable. Claims made while the disk is busy share the next commit. */
  recorded(): Promise<void> {
    if (this.#entries.length === 0) return this.#durable;
    if (this.#next === undefined) {
      const next = this.#durable.then(() => {
        this.#next = undefined;
        return this.#store.commit(this.#writes());
      });
      this.#next = next;
      this.#durable = next;
    }
    return this.#next;
  }

  #writes(): Write[] {
    const payload = Buffer.concat(this.#entries);
    this.#sinceSnapshot += this.#entries.length;
    this.#entries = [];
    const writes: Write[] = [{ kind: 'append', stream, expected: this.#end, payload }];
    this.#end += 1;
    if (this.#sinceSnapshot < snapshotEvery) return writes;
    this.#sinceSnapshot = 0;
    const all = [...this.#accounts.values()].flatMap((known) =>
      [...known.all()].map(([nonce, digest]) => toEntry(known.account, nonce, digest, 0)),
    );
    return [
      ...writes,
      { kind: 'snapshot', stream, position: this.#end, payload: Buffer.concat(all) },
    ];
  }

  #replay(position: number, payload: Uint8Array): void {
    if (payload.length % entryBytes !== 0) {
      throw new Error(`${stream}, record ${position} is not made of whole entries`);
    }
    const bytes = Buffer.from(payload);
    for (let at = 0; at < bytes.length; at += entryBytes) {
      const known = this.#of(`0x${bytes.toString('hex', at, at + 20)}`);
      known.keep(Number(bytes.readBigUInt64LE(at + 20)), bytes.subarray(at + 28, at + 60));
    }
    this.#end = position;
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

  *all(): Iterable<readonly [number, Uint8Array]> {
    for (const nonce of this.#nonces) {
      const digest = nonce < 0 ? undefined : this.digestOf(nonce);
      if (digest !== undefined && !this.isTooOld(nonce)) yield [nonce, digest];
    }
  }
}

function toEntry(account: Uint8Array, nonce: number, digest: Uint8Array, proof: number): Buffer {
  const entry = Buffer.allocUnsafe(entryBytes);
  entry.set(account, 0);
  entry.writeUInt32LE(nonce % 0x1_0000_0000, 20);
  entry.writeUInt32LE(Math.floor(nonce / 0x1_0000_0000), 24);
  entry.set(digest, 28);
  entry[60] = proof;
  return entry;
}
