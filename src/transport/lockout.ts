/**
 * Blocks a name at a source address for a while after too many failed logons; the source of an IPv6 address is its /64.
 * Clients with other names at the same address are not affected.
 */

import { keepLatest } from '../runtime/keep-latest.ts';
import { sourceOf } from './address.ts';

export const defaultLockoutLimits = {
  offences: 3,
  windowMs: 60_000,
  blockMs: 60_000,
  /**
   * Beyond this many combinations of source and name, the one with the oldest last offence is forgotten. A client
   * cannot get its own offences forgotten by failing with other names: within a window there cannot be so many.
   */
  remembered: 50_000,
};
export type LockoutLimits = Readonly<typeof defaultLockoutLimits>;

interface Offender {
  readonly offencesMs: readonly number[];
  readonly blockedUntilMs: number;
}

/** No client has a longer name, and a stranger must not fill the memory with one. */
export const longestName = 64;

export class Lockout {
  readonly #limits: LockoutLimits;
  /** In order of the last offence. */
  readonly #offenders = new Map<string, Offender>();

  constructor(limits = defaultLockoutLimits) {
    this.#limits = limits;
  }

  /** Returns true if this offence blocks the name at the source. */
  offence(address: string, monoMs: number, name = ''): boolean {
    const { offences, windowMs, blockMs, remembered } = this.#limits;
    const key = keyOf(address, name);
    const earlier = this.#offenders.get(key)?.offencesMs ?? [];
    const recent = [...earlier.filter((atMs) => monoMs - atMs < windowMs), monoMs];
    const isBlocked = recent.length >= offences;
    const offender = {
      offencesMs: isBlocked ? [] : recent,
      blockedUntilMs: isBlocked ? monoMs + blockMs : 0,
    };
    keepLatest(this.#offenders, key, offender, remembered);
    return isBlocked;
  }

  isBlocked(address: string, monoMs: number, name = ''): boolean {
    return monoMs < (this.#offenders.get(keyOf(address, name))?.blockedUntilMs ?? 0);
  }
}

function keyOf(address: string, name: string): string {
  return `${sourceOf(address)} ${name.slice(0, longestName)}`;
}
