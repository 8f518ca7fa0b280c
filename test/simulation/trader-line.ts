/** A client's connection, one after the other: what comes on an earlier one is not heard any more. */
import type { Dice } from './dice.ts';
import { type Door, MemoryLink } from './memory-link.ts';
import type { VirtualTime } from './virtual-time.ts';

/** So long a process that died may go unnoticed. */
const maxUnnoticedMs = 2_500;

export interface LineParts {
  readonly time: VirtualTime;
  readonly dice: Dice;
  /** The connection stands and commands may be given, or not any more. */
  readonly changed: (isUp: boolean) => void;
}

export class TraderLine {
  readonly #parts: LineParts;
  #link: MemoryLink | undefined;
  #connection = 0;
  #isUp = false;

  constructor(parts: LineParts) {
    this.#parts = parts;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  get isConnected(): boolean {
    return this.#link !== undefined;
  }

  get isReading(): boolean {
    return this.#link?.isReading === true;
  }

  connect(door: Door, heard: (bytes: Buffer) => void): void {
    const connection = ++this.#connection;
    this.#link = new MemoryLink(this.#parts.time, door, {
      heard: (bytes) => connection === this.#connection && heard(bytes),
      ended: () => connection === this.#connection && this.lost(),
    });
  }

  /** Calls every so often, while the present connection is the one. */
  every(periodMs: number, call: () => void): void {
    const connection = this.#connection;
    this.#parts.time.after(periodMs, () => {
      if (connection !== this.#connection) return;
      call();
      this.every(periodMs, call);
    });
  }

  say(bytes: Buffer, lagMs: number): void {
    this.#link?.say(bytes, lagMs);
  }

  /** The answer to a reset within the session is no news. */
  up(): void {
    if (this.#isUp) return;
    this.#isUp = true;
    this.#parts.changed(true);
  }

  down(): void {
    if (!this.#isUp) return;
    this.#isUp = false;
    this.#parts.changed(false);
  }

  cut(noticedMs: number): void {
    this.#drop()?.cut(noticedMs);
    this.down();
  }

  stall(forMs: number): void {
    this.#link?.stall(forMs);
  }

  readAgain(): void {
    this.#link?.readAgain();
  }

  lost(): void {
    this.#drop()?.cut(this.#parts.dice.below(maxUnnoticedMs));
    this.down();
  }

  #drop(): MemoryLink | undefined {
    const link = this.#link;
    this.#connection += 1;
    this.#link = undefined;
    return link;
  }
}
