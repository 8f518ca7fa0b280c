/**
 * A source that failed too often to prove that it has a name is not listened to under that name for a while; an IPv6 source is a
 * /64. Others behind the same address, with names of their own, are not locked out with it.
 */
import { sourceOf } from './address.ts';

export interface LockoutLimits {
  readonly offences: number;
  readonly windowMs: number;
  readonly blockMs: number;
  /**
   * Beyond this many names of sources the one that offended longest ago is forgotten. Nobody gets rid of his own offences by
   * failures under other names: within a window there cannot be so many.
   */
  readonly remembered: number;
}

export const defaultLockoutLimits: LockoutLimits = {
  offences: 3,
  windowMs: 60_000,
  blockMs: 60_000,
  remembered: 50_000,
};

interface Offender {
  readonly offencesMs: readonly number[];
  readonly blockedUntilMs: number;
}

/** Nobody has a longer name, and a stranger must not fill the memory with one. */
const longestName = 64;

export class Lockout {
  readonly #limits: LockoutLimits;
  /** In the order of their last offence. */
  readonly #offenders = new Map<string, Offender>();

  constructor(limits = defaultLockoutLimits) {
    this.#limits = limits;
  }

  /** True when this offence blocks the name at the source. */
  offence(address: string, monoMs: number, name = ''): boolean {
    const { offences, windowMs, blockMs, remembered } = this.#limits;
    const key = keyOf(address, name);
    const earlier = this.#offenders.get(key)?.offencesMs ?? [];
    const recent = [...earlier.filter((atMs) => monoMs - atMs < windowMs), monoMs];
    const isBlocked = recent.length >= offences;
    this.#offenders.delete(key);
    this.#offenders.set(key, {
      offencesMs: isBlocked ? [] : recent,
      blockedUntilMs: isBlocked ? monoMs + blockMs : 0,
    });
    const [oldest] = this.#offenders.keys();
    if (this.#offenders.size > remembered && oldest !== undefined) this.#offenders.delete(oldest);
    return isBlocked;
  }

  isBlocked(address: string, monoMs: number, name = ''): boolean {
    return monoMs < (this.#offenders.get(keyOf(address, name))?.blockedUntilMs ?? 0);
  }
}

function keyOf(address: string, name: string): string {
  return `${sourceOf(address)} ${name.slice(0, longestName)}`;
}
