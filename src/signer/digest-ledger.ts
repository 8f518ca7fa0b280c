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
  /** 32 bytes; kept, so never changed afterwards. */
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

interface AccountDigests {
  readonly bytes: Uint8Array;
  readonly digests: Map<number, Uint8Array>;
  highest: number;
}

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
    if (nonce + keptNonces <= known.highest) return { code: 'nonce_too_old' };
    const earlier = known.digests.get(nonce);
    let proof = 0;
    if (earlier !== undefined) {
      if (Buffer.compare(earlier, digest) === 0) return undefined;
      const hex = Buffer.from(earlier).toString('hex');
      if (hex !== supersedes?.digest) return { code: 'other_digest', digest: hex };
      proof = 1 + proofs.indexOf(supersedes.proof);
    }
    keep(known, nonce, digest);
    this.#entries.push(toEntry(known.bytes, nonce, digest, proof));
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
    const all = [...this.#accounts.values()].flatMap(({ bytes, digests }) =>
      [...digests].map(([nonce, digest]) => toEntry(bytes, nonce, digest, 0)),
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
      keep(known, Number(bytes.readBigUInt64LE(at + 20)), bytes.subarray(at + 28, at + 60));
    }
    this.#end = position;
  }

  #of(account: string): AccountDigests {
    let known = this.#accounts.get(account);
    if (known === undefined) {
      const bytes = Buffer.from(account.slice(2), 'hex');
      known = { bytes, digests: new Map(), highest: 0 };
      this.#accounts.set(account, known);
    }
    return known;
  }
}

function keep(known: AccountDigests, nonce: number, digest: Uint8Array): void {
  known.digests.set(nonce, digest);
  if (nonce > known.highest) known.highest = nonce;
  if (known.digests.size <= 2 * keptNonces) return;
  for (const old of known.digests.keys()) {
    if (old + keptNonces <= known.highest) known.digests.delete(old);
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
