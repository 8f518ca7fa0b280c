/**
 * Connections that have not authenticated. Their number and waiting time are limited, and the oldest make room for new
 * ones.
 */
import type { Clock } from '../runtime/clock.ts';

export interface Guest {
  /** The network of the connection: the network with the most connections loses one first. */
  readonly network: string;
  evict(reason: string): void;
}

export interface WaitingLimits {
  /** Beyond this number, the longest-waiting connection of the network with the most is evicted. */
  readonly waiting: number;
  readonly waitingMs: number;
}

const newer = 'made room for a newer connection';

export class WaitingRoom<One extends Guest = Guest> {
  readonly #clock: Clock;
  readonly #limits: WaitingLimits;
  /** Arrival times, in order of arrival. */
  readonly #guests = new Map<One, number>();
  readonly #networks = new Map<string, Set<One>>();
  #cancelAlarm: (() => void) | undefined;

  constructor(clock: Clock, limits: WaitingLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  get size(): number {
    return this.#guests.size;
  }

  enter(guest: One): void {
    if (this.#guests.size >= this.#limits.waiting) this.makeRoom();
    const { network } = guest;
    this.#guests.set(guest, this.#clock.now().monoMs);
    this.#networks.set(network, (this.#networks.get(network) ?? new Set()).add(guest));
    this.#arm();
  }

  leave(guest: One): void {
    this.#guests.delete(guest);
    const fellows = this.#networks.get(guest.network);
    fellows?.delete(guest);
    if (fellows?.size === 0) this.#networks.delete(guest.network);
    // A timer for nobody would keep a process that is done.
    if (this.#guests.size > 0) return;
    this.#cancelAlarm?.();
    this.#cancelAlarm = undefined;
  }

  /** Evicts the longest-waiting connection of the most crowded network; returns false if none is waiting. */
  makeRoom(): boolean {
    let crowd: ReadonlySet<One> = new Set();
    for (const fellows of this.#networks.values()) if (fellows.size > crowd.size) crowd = fellows;
    const [oldest] = crowd;
    if (oldest !== undefined) this.#evict(oldest, newer);
    return oldest !== undefined;
  }

  /** Evicts the longest-waiting of these connections; returns false if none is waiting. */
  makeRoomAmong(isOne: (guest: One) => boolean): boolean {
    const oldest = [...this.#guests.keys()].find(isOne);
    if (oldest !== undefined) this.#evict(oldest, newer);
    return oldest !== undefined;
  }

  close(): void {
    for (const guest of this.#guests.keys()) this.#evict(guest, 'the port is closed');
  }

  #evict(guest: One, reason: string): void {
    this.leave(guest);
    guest.evict(reason);
  }

  /** All connections share one timer: the first to arrive is the next to time out. */
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
      this.#evict(guest, 'no logon in time');
    }
    this.#arm();
  }
}
