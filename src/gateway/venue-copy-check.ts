/**
 * Compares the last seq of the venue's own drop copy with the stream, if the profile enables it (contract G72). Events
 * that the drop copy had at the previous check must have arrived by now.
 */
import type { Account } from '../domain/units.ts';
import { type Clock, every } from '../runtime/clock.ts';
import type { VenueReads } from '../venue/venue-reads.ts';

export interface CheckedAccount {
  readonly name: string;
  readonly line: { readonly account: Account; readonly orders: { readonly lastSeq: number } };
  readonly reads: Pick<VenueReads, 'lastSeq'>;
}

export interface CheckParts {
  readonly accounts: readonly CheckedAccount[];
  readonly clock: Clock;
  readonly alarm: (text: string) => void;
  readonly notice: (text: string) => void;
}

const lookMs = 60_000;

export class VenueCopyCheck {
  readonly #parts: CheckParts;
  readonly #before = new Map<Account, number>();
  #cancel = () => {};

  constructor(parts: CheckParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#cancel = every(this.#parts.clock, lookMs, () => void this.look());
  }

  stop(): void {
    this.#cancel();
  }

  async look(): Promise<void> {
    await Promise.all(this.#parts.accounts.map((each) => this.#look(each)));
  }

  async #look({ line, name, reads }: CheckedAccount): Promise<void> {
    const { alarm, notice } = this.#parts;
    const { account } = line;
    const before = this.#before.get(account) ?? 0;
    const received = line.orders.lastSeq;
    if (received < before)
      alarm(`${name}: received up to seq ${received}, the venue's drop copy has ${before}`);
    try {
      this.#before.set(account, await reads.lastSeq(account));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      notice(`${name}: the venue's drop copy cannot be read: ${why}`);
    }
  }
}
