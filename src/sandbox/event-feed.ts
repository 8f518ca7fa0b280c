/**
 * The execution log in wire format (contract G41, G73): the exchange's events, with each member at the profile's
 * pointer, and their numbering, which a fault switch can restart.
 */
import type { Profile } from '../venue/profile.ts';
import type { ExecutionEvent, ExecutionFill } from './engine/event.ts';
import type { Exchange } from './engine/exchange.ts';
import type { ReceiptView } from './engine/queries.ts';
import { coarseLabel } from './engine/refusal.ts';
import { placed } from './placed.ts';

type FeedRecords = Readonly<ReturnType<typeof newFeed>>;

export function newFeed() {
  return {
    /** By account: the difference between the exchange's numbers and those on the wire. */
    offsets: new Map<string, number>(),
    /** By account: the seq, as the exchange counts, up to which events are forgotten. */
    forgotten: new Map<string, number>(),
  };
}

export class EventFeed {
  readonly #exchange: Exchange;
  readonly #profile: Profile;
  readonly #records: FeedRecords;

  constructor(exchange: Exchange, profile: Profile, records: FeedRecords) {
    this.#exchange = exchange;
    this.#profile = profile;
    this.#records = records;
  }

  lastSeq(account: string): number {
    return this.#exchange.lastSeq(account) - this.#offset(account);
  }

  /** Undefined if not all events from `fromSeq` on are kept. */
  read(account: string, fromSeq: number, limit: number) {
    const offset = this.#offset(account);
    if (fromSeq + offset <= (this.#records.forgotten.get(account) ?? 0)) return undefined;
    const page = this.#exchange.events(account, fromSeq + offset, limit);
    if (page.kind === 'seq_too_old') return undefined;
    return {
      events: page.events.map((event) => this.#wire(event, offset)),
      nextSeq: fromSeq + page.events.length,
      lastSeq: page.lastSeq - offset,
      complete: page.complete,
    };
  }

  receipt(account: string, receipt: ReceiptView): unknown {
    const { rejectCode: code } = receipt;
    return placed(this.#profile.records.receipt, {
      ...receipt,
      seq: this.wireSeq(account, receipt.seq),
      fills: this.fills(receipt.fills),
      rejectCode: code === null ? null : coarseLabel(code),
      rejectReason: code,
    });
  }

  /** The account's next event has number 1 again, as after a venue that lost its state. */
  resetSeq(account: string): void {
    this.#records.offsets.set(account, this.#exchange.lastSeq(account));
  }

  /** Events up to now are no longer available, as after their retention period. */
  forget(account: string): void {
    this.#records.forgotten.set(account, this.#exchange.lastSeq(account));
  }

  fills(fills: readonly ExecutionFill[]): readonly unknown[] {
    return fills.map((fill) => this.#fill(fill));
  }

  wireSeq(account: string, seq: number | null): number | null {
    return seq === null ? null : seq - this.#offset(account);
  }

  #offset(account: string): number {
    return this.#records.offsets.get(account) ?? 0;
  }

  #wire(event: ExecutionEvent, offset: number): unknown {
    const { event: pointers, kinds } = this.#profile.stream;
    const seq = event.seq - offset;
    return placed(pointers, {
      ...event,
      seq,
      prevSeq: seq === 1 ? null : seq - 1,
      kind: kinds[event.kind],
      reasonCode: event.reason?.code ?? null,
      reasonNumber: event.reason?.number ?? null,
      reasonText: event.reason?.text ?? null,
      fill: event.fill === null ? null : this.#fill(event.fill),
    });
  }

  #fill(fill: ExecutionFill): unknown {
    return placed(this.#profile.stream.fill, { ...fill });
  }
}
