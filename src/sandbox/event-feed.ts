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

export type EventFeed = Readonly<ReturnType<typeof eventFeed>>;

export function eventFeed(
  exchange: Exchange,
  { records: { receipt: receiptPointers }, stream }: Profile,
  { forgotten, offsets }: FeedRecords,
) {
  const offsetOf = (account: string) => offsets.get(account) ?? 0;
  const wireSeq = (account: string, seq: number | null) =>
    seq === null ? null : seq - offsetOf(account);
  const wireFill = (fill: ExecutionFill) => placed(stream.fill, { ...fill });
  const wireEvent = (event: ExecutionEvent, offset: number) => {
    const seq = event.seq - offset;
    return placed(stream.event, {
      ...event,
      seq,
      prevSeq: seq === 1 ? null : seq - 1,
      kind: stream.kinds[event.kind],
      reasonCode: event.reason?.code ?? null,
      reasonNumber: event.reason?.number ?? null,
      reasonText: event.reason?.text ?? null,
      fill: event.fill && wireFill(event.fill),
    });
  };
  const fills = (made: readonly ExecutionFill[]): readonly unknown[] => made.map(wireFill);
  return {
    fills,
    wireSeq,
    lastSeq: (account: string) => exchange.lastSeq(account) - offsetOf(account),
    /** Undefined if not all events from `fromSeq` on are kept. */
    read(account: string, fromSeq: number, limit: number) {
      const offset = offsetOf(account);
      if (fromSeq + offset <= (forgotten.get(account) ?? 0)) return undefined;
      const page = exchange.events(account, fromSeq + offset, limit);
      if (page.kind === 'seq_too_old') return undefined;
      return {
        events: page.events.map((event) => wireEvent(event, offset)),
        nextSeq: fromSeq + page.events.length,
        lastSeq: page.lastSeq - offset,
        complete: page.complete,
      };
    },
    receipt(account: string, receipt: ReceiptView): unknown {
      const { rejectCode: code } = receipt;
      return placed(receiptPointers, {
        ...receipt,
        seq: wireSeq(account, receipt.seq),
        fills: fills(receipt.fills),
        rejectCode: code === null ? null : coarseLabel(code),
        rejectReason: code,
      });
    },
    /** The account's next event has number 1 again, as after a venue that lost its state. */
    resetSeq: (account: string) => void offsets.set(account, exchange.lastSeq(account)),
    /** Events up to now are no longer available, as after their retention period. */
    forget: (account: string) => void forgotten.set(account, exchange.lastSeq(account)),
  };
}
