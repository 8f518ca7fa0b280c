/** Connections that have not proved who they are: few, not for long, and the newest is never kept out by the oldest. */
import type { Clock } from '../runtime/clock.ts';

export interface Guest {
  /** Where it comes from: the network with the most guests is the first that gives way. */
  readonly network: string;
  turnOut(reason: string): void;
}

export interface WaitingLimits {
  /** Beyond it the one that waits longest, of the network with the most, makes room for a new one. */
  readonly waiting: number;
  readonly waitingMs: number;
}

export class WaitingRoom {
  readonly #clock: Clock;
  readonly #limits: WaitingLimits;
  /** When each came, in order of arrival. */
  readonly #guests = new Map<Guest, number>();
  readonly #networks = new Map<string, Set<Guest>>();
  #cancelAlarm: (() => void) | undefined;

  constructor(clock: Clock, limits: WaitingLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  get size(): number {
    return this.#guests.size;
  }

  enter(guest: Guest): void {
    if (this.#guests.size >= this.#limits.waiting) this.makeRoom();
    const { network } = guest;
    this.#guests.set(guest, this.#clock.now().monoMs);
    this.#networks.set(network, (this.#networks.get(network) ?? new Set()).add(guest));
    this.#arm();
  }

  leave(guest: Guest): void {
    this.#guests.delete(guest);
    const fellows = this.#networks.get(guest.network);
    fellows?.delete(guest);
    if (fellows?.size === 0) this.#networks.delete(guest.network);
  }

  /** Turns out the guest who waits longest of those from the most crowded network; false when nobody waits. */
  makeRoom(): boolean {
    let crowd: ReadonlySet<Guest> = new Set();
    for (const fellows of this.#networks.values()) if (fellows.size > crowd.size) crowd = fellows;
    const [oldest] = crowd;
    if (oldest === undefined) return false;
    this.#turnOut(oldest, 'made room for a newer connection');
    return true;
  }

  close(): void {
    for (const guest of this.#guests.keys()) this.#turnOut(guest, 'the port is closed');
    this.#cancelAlarm?.();
  }

  #turnOut(guest: Guest, reason: string): void {
    this.leave(guest);
    guest.turnOut(reason);
  }

  /** One alarm for all: whoever came first is the next to have waited too long. */
  #arm(): void {
    const [oldestMs] = this.#guests.values();
    if (this.#cancelAlarm !== undefined || oldestMs === undefined) return;
    this.#cancelAlarm = this.#clock.at(oldestMs + this.#limits.waitingMs, () => this.#sweep());
  }

  #sweep(): void {
    this.#cancelAlarm = undefined;
    const { monoMs } = this.#clock.now();
    for (const [guest, sinceMs] of this.#guests) {
      if (monoMs - sinceMs < this.#limits.waitingMs) break;
      this.#turnOut(guest, 'no logon in time');
    }
    this.#arm();
  }
}
