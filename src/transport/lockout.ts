/** Sources that failed to prove who they are too often are not listened to for a while; an IPv6 source is a /64. */
import { sourceOf } from './address.ts';

export interface LockoutLimits {
  readonly offences: number;
  readonly windowMs: number;
  readonly blockMs: number;
  /** Beyond this many sources the one that offended longest ago is forgotten. */
  readonly sources: number;
}

export const defaultLockoutLimits: LockoutLimits = {
  offences: 3,
  windowMs: 60_000,
  blockMs: 60_000,
  sources: 10_000,
};

interface Source {
  readonly offencesMs: readonly number[];
  readonly blockedUntilMs: number;
}

export class Lockout {
  readonly #limits: LockoutLimits;
  /** In the order of their last offence. */
  readonly #sources = new Map<string, Source>();

  constructor(limits = defaultLockoutLimits) {
    this.#limits = limits;
  }

  /** True when this offence blocks the source. */
  offence(address: string, monoMs: number): boolean {
    const { offences, windowMs, blockMs, sources } = this.#limits;
    const source = sourceOf(address);
    const earlier = this.#sources.get(source)?.offencesMs ?? [];
    const recent = [...earlier.filter((atMs) => monoMs - atMs < windowMs), monoMs];
    const isBlocked = recent.length >= offences;
    this.#sources.delete(source);
    this.#sources.set(source, {
      offencesMs: isBlocked ? [] : recent,
      blockedUntilMs: isBlocked ? monoMs + blockMs : 0,
    });
    const [oldest] = this.#sources.keys();
    if (this.#sources.size > sources && oldest !== undefined) this.#sources.delete(oldest);
    return isBlocked;
  }

  isBlocked(address: string, monoMs: number): boolean {
    return monoMs < (this.#sources.get(sourceOf(address))?.blockedUntilMs ?? 0);
  }
}
