/**
 * Records which placing digest was signed with which nonce, and what was placed in a day: record, then sign. No nonce
 * ever has two placing digests (docs/decisions/0285-ledger-of-the-signer.md). An action that places nothing, such as a
 * cancel, needs no entry: the venue accepts one action per nonce, so it can only replace a placement.
 *
 *     entry     account 20 | nonce u64 | digest 32 | market u32 | day u32 | buy u64 | sell u64 | notional u128
 *
 * Little-endian; `market` is the low word of its id; `day` counts from 1970-01-01, UTC; buy and sell are quantities. An
 * entry with the maximum u64 as its nonce has no digest, only the totals of the day.
 */
import type { Side } from '../domain/units.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { isFull } from '../store/space.ts';
import { type Anchor, entryBytes, type LedgerFile } from './ledger-file.ts';
import type { SignRefusal } from './signer.ts';
import type { RaiseSignerAlarm } from './signer-alarm.ts';

/** Quantities and notional of one action, or of a market in a day. */
export interface Spend {
  readonly market: number;
  readonly qty: Readonly<Record<Side, bigint>>;
  /** In price atoms times quantity atoms. */
  readonly notional: bigint;
}

export interface Claim {
  readonly account: string;
  /** A safe integer; the encoder writes no other numbers. */
  readonly nonce: number;
  /** 32 bytes. */
  readonly digest: Uint8Array;
  readonly spend: Spend;
  readonly day: number;
  /** The limits that depend on earlier signatures; a ledger whose standing is `unknown` applies them itself. */
  readonly bounds: Bounds;
  /** Why the policy refuses it, unless it was recorded before. */
  readonly denied?: Refused;
}

export interface Bounds {
  readonly maxNonceJump: number;
  readonly knownNonce: number | null;
  /** The totals of one account and market in a day; null means no limit. */
  readonly daily: {
    readonly qty: Readonly<Record<Side, bigint | null>>;
    readonly notional: bigint | null;
  } | null;
}

export interface Refused {
  readonly code: SignRefusal;
  readonly text: string;
}

/** Why a claim was not recorded. */
export type Loss = Refused | { readonly code: 'other_digest' | 'nonce_too_old' };
export type Losses = ReadonlyMap<Claim, Loss>;
export const noLosses: Losses = new Map();

export type Standing =
  /** No placement was signed with the nonce; `highest` is the account's highest nonce, -1 if it has none. */
  | { readonly kind: 'new'; readonly highest: number }
  | { readonly kind: 'same' }
  | { readonly kind: 'other_digest' }
  | { readonly kind: 'nonce_too_old' }
  /** Only the attempt to record shows it, because there are other signers. */
  | { readonly kind: 'unknown' };

/** A ledger is a file, which has one signer, or tables in PostgreSQL, which may have several. */
export interface Ledger {
  /** The last durable entry that this signer knows. */
  readonly anchor: Anchor;
  /** Why the ledger cannot record at present. */
  readonly problem?: string | undefined;
  /** The chain after this many entries, once the anchor is up to date; undefined if the ledger does not have it. */
  chainAt(count: number): string | undefined | Promise<string | undefined>;
  standing(account: string, nonce: number, digest: Uint8Array): Standing;
  /** The claim is durable once `recorded` resolves without a loss for it. */
  record(claim: Claim): void;
  /**
   * Resolves when every claim so far is durable or lost. Rejects with a `LedgerFull` while there is no room for them,
   * and with another error for good once nothing can be recorded any more.
   */
  recorded(): Promise<Losses>;
  /** The total of the market on this day or, if the clock went backward, on the last day. */
  spent(account: string, market: number, day: number): Spend;
  close(): void | Promise<void>;
}

/** The claims wait until the disk has room, and may not be signed before. */
export class LedgerFull extends Error {}

interface LedgerWatch {
  readonly clock: Clock;
  /** Called when the disk is full, and when there is room again. */
  readonly alarm: RaiseSignerAlarm;
}

/** Sixteen windows of the venue, which no longer accepts older nonces; the signer refuses them. */
export const keptNonces = 4096;
/** The file is rewritten once it has this many obsolete entries, and at least as many as current ones. */
const mostOldEntries = 65_536;
const entriesAtOnce = 256;
const retryMs = 1000;
export const totalsNonce = 0xffff_ffff_ffff_ffffn;

export class DigestLedger implements Ledger {
  readonly #file: LedgerFile;
  readonly #watch: LedgerWatch;
  readonly #accounts = new Map<string, AccountDigests>();
  readonly #batch = Buffer.alloc(entriesAtOnce * entryBytes);
  #batchBytes = 0;
  #entriesInFile = 0;
  /** After a rewrite for which the disk had no room, the next attempt waits for so many entries. */
  #rewriteFrom = 0;
  #writing: Promise<Losses> | undefined;
  /** Once a record has failed, all later ones fail, too. */
  #failure: unknown;
  #full: string | undefined;
  #cancelRetry = () => {};

  constructor(file: LedgerFile, watch: LedgerWatch = { clock: systemClock, alarm: () => {} }) {
    this.#file = file;
    this.#watch = watch;
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

  get problem(): string | undefined {
    if (this.#failure !== undefined)
      return `the ledger cannot record, which only a restart changes: ${this.#failure}`;
    return this.#full;
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

  recorded(): Promise<Losses> {
    this.#writing ??= Promise.resolve().then(() => {
      this.#writing = undefined;
      if (this.#full === undefined) this.#write();
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#full !== undefined) throw new LedgerFull(this.#full);
      return noLosses;
    });
    return this.#writing;
  }

  /** Throws if entries could not be written. */
  close(): void {
    this.#write();
    this.#cancelRetry();
    this.#file.close();
    if (this.#failure !== undefined) throw this.#failure;
  }

  #write(): void {
    const entries = this.#batch.subarray(0, this.#batchBytes);
    if (this.#failure === undefined && entries.length > 0) {
      try {
        this.#file.append(entries);
        this.#entriesInFile += entries.length / entryBytes;
        this.#hasRoom();
        this.#dropOld();
      } catch (error) {
        if (isFull(error)) {
          this.#waitForRoom(error);
          return;
        }
        this.#failure = error;
      }
    }
    this.#batchBytes = 0;
  }

  /** The entries of the batch already count in memory, so they are kept and written before any others. */
  #waitForRoom({ message }: Error): void {
    const { alarm, clock } = this.#watch;
    const problem = `the ledger cannot record: ${message}`;
    if (this.#full === undefined) alarm(problem, 'ledger_away');
    this.#full = problem;
    this.#cancelRetry = clock.at(clock.now().monoMs + retryMs, () => this.#write());
  }

  #hasRoom(): void {
    if (this.#full === undefined) return;
    this.#full = undefined;
    this.#cancelRetry();
    this.#watch.alarm('the ledger records again', 'ledger_back');
  }

  #dropOld(): void {
    let kept = 0;
    for (const { size } of this.#accounts.values()) kept += size;
    const most = Math.max(this.#rewriteFrom, kept + Math.max(mostOldEntries, kept));
    if (this.#entriesInFile < most) return;
    const all = [...this.#accounts.values()].flatMap((known) => known.entries());
    try {
      this.#file.rewrite(Buffer.concat(all));
    } catch (error) {
      if (!isFull(error)) throw error;
      this.#rewriteFrom = this.#entriesInFile + mostOldEntries / 16;
      return;
    }
    this.#entriesInFile = all.length;
  }

  #of(account: string): AccountDigests {
    return digestsOf(this.#accounts, account);
  }
}

/**
 * Nonces and digests that bridges recall from their journals at each start and on each connection. A bridge may be
 * compromised, so a recall can only forbid: the signer signs nothing below the floor of an account, and no other digest
 * for a nonce that has one. An action with the recalled digest is still new: limits, jump and daily totals apply to it.
 * Recalls are not written to disk, because the bridge sends them again.
 */
export class RecalledDigests {
  readonly #accounts = new Map<string, AccountDigests>();

  recall(account: string, floor: number, digests: ReadonlyMap<number, string>): void {
    digestsOf(this.#accounts, account).recall(floor, digests);
  }

  /** The ledger's answer, unless the nonce is not known to be recorded and a journal objects. */
  standing(recorded: Standing, account: string, nonce: number, digest: Uint8Array): Standing {
    if (recorded.kind !== 'new' && recorded.kind !== 'unknown') return recorded;
    const recalled = this.#accounts.get(account)?.standing(nonce, digest);
    const isAgainst = recalled?.kind === 'other_digest' || recalled?.kind === 'nonce_too_old';
    return isAgainst ? recalled : recorded;
  }
}

/** The digests of an account's newest nonces, in a ring: the place of a nonce is its remainder. */
class AccountDigests {
  readonly account: Uint8Array;
  #floor = 0;
  /** How many digests it has; a few of them may be too old. */
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
    if (nonce < this.#floor || this.#isTooOld(nonce)) return { kind: 'nonce_too_old' };
    return { kind: 'new', highest: this.#highest };
  }

  recall(floor: number, digests: ReadonlyMap<number, string>): void {
    this.#floor = Math.max(this.#floor, floor);
    for (const [nonce, hex] of digests) {
      const digest = Buffer.from(hex, 'hex');
      if (this.standing(nonce, digest).kind === 'new') this.keep(nonce, digest);
    }
  }

  keep(nonce: number, digest: Uint8Array): void {
    const place = nonce % keptNonces;
    // An old nonce must not overwrite a newer one.
    if (this.#isTooOld(nonce)) return;
    if (this.#nonces[place] === -1) this.size += 1;
    this.#nonces[place] = nonce;
    this.#digests.set(digest, place * 32);
    if (nonce > this.#highest) this.#highest = nonce;
  }

  /** Orders that are placed while the clock is a day behind count on the last day; otherwise they would not count. */
  add(day: number, { market, notional, qty }: Spend): void {
    if (qty.Bid === 0n && qty.Ask === 0n) return;
    const { qty: before, notional: notionalBefore } = this.spent(market, day);
    if (day > this.#day) this.#spent.clear();
    this.#day = Math.max(this.#day, day);
    this.#spent.set(lowWord(market), {
      market,
      qty: { Bid: before.Bid + qty.Bid, Ask: before.Ask + qty.Ask },
      notional: notionalBefore + notional,
    });
  }

  spent(market: number, day: number): Spend {
    const spent = day > this.#day ? undefined : this.#spent.get(lowWord(market));
    return spent ?? { market, qty: { Bid: 0n, Ask: 0n }, notional: 0n };
  }

  /** An entry for each digest, without quantities, and the totals of the last day. */
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

function digestsOf(accounts: Map<string, AccountDigests>, account: string): AccountDigests {
  const known = accounts.get(account) ?? new AccountDigests(Buffer.from(account.slice(2), 'hex'));
  accounts.set(account, known);
  return known;
}

export const nothing: Spend = { market: 0, qty: { Bid: 0n, Ask: 0n }, notional: 0n };
export const noDigest = new Uint8Array(32);
const word = 0xffff_ffff_ffff_ffffn;
/** The largest total that an entry has room for; the policy refuses what would exceed it. */
export const mostNotional = (1n << 128n) - 1n;
/** An id may have 53 bits (contract C.12). Markets that share a low word share their total, which only allows less. */
const lowWord = (market: number) => market % 2 ** 32;

function readSpend(entry: Buffer): Spend {
  return {
    market: entry.readUInt32LE(60),
    qty: { Bid: entry.readBigUInt64LE(68), Ask: entry.readBigUInt64LE(76) },
    notional: entry.readBigUInt64LE(84) | (entry.readBigUInt64LE(92) << 64n),
  };
}

/** With `totalsNonce`, an entry has the total of a day and no digest. */
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
  bytes.writeUInt32LE(lowWord(market), at + 60);
  bytes.writeUInt32LE(day, at + 64);
  // A total that does not fit is far above any limit and stays there.
  bytes.writeBigUInt64LE(qty.Bid < word ? qty.Bid : word, at + 68);
  bytes.writeBigUInt64LE(qty.Ask < word ? qty.Ask : word, at + 76);
  bytes.writeBigUInt64LE(notional & word, at + 84);
  bytes.writeBigUInt64LE(notional >> 64n, at + 92);
}
