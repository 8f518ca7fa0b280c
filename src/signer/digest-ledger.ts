/**
 * Which placing digest was signed with which nonce, and what was placed in a day: record, then sign. No nonce ever has two placing
 * digests (docs/decisions/0285-never-two-placements-for-a-nonce.md). What places nothing, such as a cancel, needs no entry: the
 * venue takes one action per nonce, so it can only take the place of a placement.
 *
 *     entry     account 20 | nonce u64 | digest 32 | market u32 | day u32 | buy u64 | sell u64 | notional u128   little-endian
 *
 * `day` counts from 1970-01-01, UTC; buy and sell are quantities. An entry with the highest nonce of all has no digest, only the
 * totals of the day.
 */
import type { Side } from '../domain/units.ts';
import { type Anchor, entryBytes, type LedgerFile } from './ledger-file.ts';
import type { SignRefusal } from './signer.ts';

/** What one action places, or what was placed in a market in a day. */
export interface Spend {
  readonly market: number;
  readonly qty: Readonly<Record<Side, bigint>>;
  /** In price atoms times quantity atoms. */
  readonly notional: bigint;
}

export interface Claim {
  readonly account: string;
  /** A safe integer: the encoder of JSON lanes writes no other. */
  readonly nonce: number;
  /** 32 bytes. */
  readonly digest: Uint8Array;
  readonly spend: Spend;
  readonly day: number;
  /** What the policy bounds by what was signed before, for a ledger whose standing is `unknown`. */
  readonly bounds: Bounds;
  /** Why it may not be recorded, unless it is already. */
  readonly denied?: Refused;
}

export interface Bounds {
  readonly maxNonceJump: number;
  /** Of one account and market in a day; null: any. */
  readonly daily: {
    readonly qty: Readonly<Record<Side, bigint | null>>;
    readonly notional: bigint | null;
  } | null;
}

export interface Refused {
  readonly code: SignRefusal;
  readonly text: string;
}

/** What became of a claim that was not recorded: another digest or a newer nonce was, or another reason. */
export type Loss = Refused | { readonly code: 'other_digest' | 'nonce_too_old' };
export type Losses = ReadonlyMap<Claim, Loss>;
const noLosses: Losses = new Map();

export type Standing =
  /** Nothing that places was signed with the nonce; `jump` is how far it lies above all others, null if nothing is known. */
  | { readonly kind: 'new'; readonly jump: number | null }
  | { readonly kind: 'same' }
  | { readonly kind: 'other_digest' }
  | { readonly kind: 'nonce_too_old' }
  /** Only the record will tell, because there are other signers. */
  | { readonly kind: 'unknown' };

/** What the signer asks of a ledger: a file, which has one signer, or tables in PostgreSQL, which may have several. */
export interface Ledger {
  /** The last entry that cannot be lost any more, as far as this signer knows. */
  readonly anchor: Anchor;
  /** Why nothing can be recorded at present. */
  readonly problem?: string | undefined;
  /** The chain after this many entries, with the anchor up to date; undefined where it is not known any more, or not yet. */
  chainAt(count: number): string | undefined | Promise<string | undefined>;
  standing(account: string, nonce: number, digest: Uint8Array): Standing;
  /** Durable once `recorded` resolves, unless that names it as lost. */
  record(claim: Claim): void;
  /** Resolves when every claim so far is durable or lost; rejects for good once nothing can be recorded any more. */
  recorded(): Promise<Losses>;
  /** What was placed in the market on this day or, where the clock went back, on the last one. */
  spent(account: string, market: number, day: number): Spend;
  recall(account: string, floor: number, digests: ReadonlyMap<number, string>): void;
  close(): void | Promise<void>;
}

/** Sixteen windows of the venue. What is older can no longer be accepted there, and is not signed any more. */
const keptNonces = 4096;
/** The file is written anew when it holds this many entries besides those that are kept, and at least as many again. */
const mostOldEntries = 65_536;
const entriesAtOnce = 256;
export const totalsNonce = 0xffff_ffff_ffff_ffffn;

export class DigestLedger implements Ledger {
  readonly #file: LedgerFile;
  readonly #accounts = new Map<string, AccountDigests>();
  readonly #batch = Buffer.alloc(entriesAtOnce * entryBytes);
  #batchBytes = 0;
  #entriesInFile = 0;
  #writing: Promise<Losses> | undefined;
  /** Once one record has failed, all later ones fail with it. */
  #failure: unknown;

  constructor(file: LedgerFile) {
    this.#file = file;
    file.read((entry) => {
      const known = this.#of(`0x${entry.toString('hex', 0, 20)}`);
      const nonce = entry.readBigUInt64LE(20);
      if (nonce !== totalsNonce) known.keep(Number(nonce), entry.subarray(28, 60));
      known.add(entry.readUInt32LE(64), readSpend(entry));
      this.#entriesInFile += 1;
    });
  }

  get anchor(): Anchor {
    return this.#file.anchor;
  }

  chainAt(count: number): string | undefined {
    return this.#file.chainAt(count);
  }

  standing(account: string, nonce: number, digest: Uint8Array): Standing {
    return this.#of(account).standing(nonce, digest);
  }

  record({ account, day, digest, nonce, spend }: Claim): void {
    const known = this.#of(account);
    known.keep(nonce, digest);
    known.add(day, spend);
    writeEntry(this.#batch, this.#batchBytes, known.account, BigInt(nonce), digest, day, spend);
    this.#batchBytes += entryBytes;
    if (this.#batchBytes === this.#batch.length) this.#write();
  }

  spent(account: string, market: number, day: number): Spend {
    return this.#of(account).spent(market, day);
  }

  /**
   * What the bridge's journal knows, at each start of the bridge. It only forbids: nothing below the floor of the account is signed
   * any more, and a nonce that the journal signed elsewhere has its digest. It is not written, because it comes again.
   */
  recall(account: string, floor: number, digests: ReadonlyMap<number, string>): void {
    this.#of(account).recall(floor, digests);
  }

  recorded(): Promise<Losses> {
    this.#writing ??= Promise.resolve().then(() => {
      this.#writing = undefined;
      this.#write();
      if (this.#failure !== undefined) throw this.#failure;
      return noLosses;
    });
    return this.#writing;
  }

  /** Throws where what it holds could not be written. */
  close(): void {
    this.#write();
    this.#file.close();
    if (this.#failure !== undefined) throw this.#failure;
  }

  #write(): void {
    const entries = this.#batch.subarray(0, this.#batchBytes);
    this.#batchBytes = 0;
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
    let kept = 0;
    for (const { size } of this.#accounts.values()) kept += size;
    if (this.#entriesInFile < kept + Math.max(mostOldEntries, kept)) return;
    const all = [...this.#accounts.values()].flatMap((known) => known.entries());
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
export class AccountDigests {
  readonly account: Uint8Array;
  /** Nothing below it is signed. */
  floor = 0;
  /** How many digests it holds, of which a few may be too old. */
  size = 0;
  readonly #digests = Buffer.alloc(keptNonces * 32);
  readonly #nonces = new Float64Array(keptNonces).fill(-1);
  #highest = -1;
  #day = 0;
  readonly #spent = new Map<number, Spend>();

  constructor(account: Uint8Array) {
    this.account = account;
  }

  standing(nonce: number, digest: Uint8Array): Standing {
    const earlier = this.#digestOf(nonce);
    if (earlier !== undefined && !this.#isTooOld(nonce)) {
      return { kind: earlier.equals(digest) ? 'same' : 'other_digest' };
    }
    if (nonce < this.floor || this.#isTooOld(nonce)) return { kind: 'nonce_too_old' };
    const { newest } = this;
    return { kind: 'new', jump: newest <= 0 ? null : nonce - newest };
  }

  /** What a jump is measured from. */
  get newest(): number {
    return Math.max(this.#highest, this.floor);
  }

  recall(floor: number, digests: ReadonlyMap<number, string>): void {
    this.floor = Math.max(this.floor, floor);
    for (const [nonce, hex] of digests) {
      const digest = Buffer.from(hex, 'hex');
      if (this.standing(nonce, digest).kind === 'new') this.keep(nonce, digest);
    }
  }

  keep(nonce: number, digest: Uint8Array): void {
    const place = nonce % keptNonces;
    // A nonce from long ago must not take the place of a newer one.
    if (this.#isTooOld(nonce)) return;
    if (this.#nonces[place] === -1) this.size += 1;
    this.#nonces[place] = nonce;
    this.#digests.set(digest, place * 32);
    if (nonce > this.#highest) this.#highest = nonce;
  }

  /** What is placed while the clock is a day back counts on the last day: else it would not count at all. */
  add(day: number, { market, notional, qty }: Spend): void {
    if (qty.Bid === 0n && qty.Ask === 0n) return;
    const { qty: before, notional: notionalBefore } = this.spent(market, day);
    if (day > this.#day) this.#spent.clear();
    this.#day = Math.max(this.#day, day);
    this.#spent.set(market, {
      market,
      qty: { Bid: before.Bid + qty.Bid, Ask: before.Ask + qty.Ask },
      notional: notionalBefore + notional,
    });
  }

  spent(market: number, day: number): Spend {
    const spent = day > this.#day ? undefined : this.#spent.get(market);
    return spent ?? { market, qty: { Bid: 0n, Ask: 0n }, notional: 0n };
  }

  /** Each digest without what it placed, and the totals of the last day. */
  entries(): Buffer[] {
    const kept: Buffer[] = [];
    const keep = (nonce: bigint, digest: Uint8Array, spend: Spend) =>
      kept.push(entryOf(this.account, nonce, digest, this.#day, spend));
    for (const nonce of this.#nonces) {
      const digest = nonce < 0 || this.#isTooOld(nonce) ? undefined : this.#digestOf(nonce);
      if (digest !== undefined) keep(BigInt(nonce), digest, nothing);
    }
    for (const spend of this.#spent.values()) keep(totalsNonce, noDigest, spend);
    return kept;
  }

  #isTooOld(nonce: number): boolean {
    return nonce + keptNonces <= this.#highest;
  }

  #digestOf(nonce: number): Buffer | undefined {
    const place = nonce % keptNonces;
    if (this.#nonces[place] !== nonce) return undefined;
    return this.#digests.subarray(place * 32, place * 32 + 32);
  }
}

export const nothing: Spend = { market: 0, qty: { Bid: 0n, Ask: 0n }, notional: 0n };
export const noDigest = new Uint8Array(32);
const word = 0xffff_ffff_ffff_ffffn;

function readSpend(entry: Buffer): Spend {
  return {
    market: entry.readUInt32LE(60),
    qty: { Bid: entry.readBigUInt64LE(68), Ask: entry.readBigUInt64LE(76) },
    notional: entry.readBigUInt64LE(84) | (entry.readBigUInt64LE(92) << 64n),
  };
}

/** With the highest nonce of all it has the total of a day, and no digest. */
export function entryOf(
  account: Uint8Array,
  nonce: bigint,
  digest: Uint8Array,
  day: number,
  spend: Spend,
): Buffer {
  const entry = Buffer.alloc(entryBytes);
  writeEntry(entry, 0, account, nonce, digest, day, spend);
  return entry;
}

function writeEntry(
  bytes: Buffer,
  at: number,
  account: Uint8Array,
  nonce: bigint,
  digest: Uint8Array,
  day: number,
  { market, notional, qty }: Spend,
): void {
  bytes.set(account, at);
  bytes.writeBigUInt64LE(nonce, at + 20);
  bytes.set(digest, at + 28);
  bytes.writeUInt32LE(market, at + 60);
  bytes.writeUInt32LE(day, at + 64);
  // A total that does not fit is far above any limit, and stays there.
  bytes.writeBigUInt64LE(qty.Bid < word ? qty.Bid : word, at + 68);
  bytes.writeBigUInt64LE(qty.Ask < word ? qty.Ask : word, at + 76);
  bytes.writeBigUInt64LE(notional & word, at + 84);
  bytes.writeBigUInt64LE(notional >> 64n, at + 92);
}
