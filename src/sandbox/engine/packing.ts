/** The records of the past, each as a row of numbers and a row of references (see packed-log.ts). */
import type { ExecutionEvent, ExecutionFill } from './event.ts';
import { type Packing, packed, unpacked } from './packed-log.ts';
import type { ReceiptRecord, TradeView } from './view.ts';

/**
 * The events of one account. `prevSeq` follows from `seq` and `nonceConsumed` from the action, both times and that of
 * a fill are the engine's.
 */
export function eventPacking(account: string): Packing<ExecutionEvent> {
  return {
    numbersPerRow: 13,
    refsPerRow: 10,
    write(event, numbers, atNumber, refs, atRef) {
      numbers[atNumber] = event.seq;
      numbers[atNumber + 1] = packed(event.market);
      numbers[atNumber + 2] = packed(event.legIndex);
      numbers[atNumber + 3] = packed(event.nonce);
      numbers[atNumber + 4] = packed(event.price);
      numbers[atNumber + 5] = packed(event.qty);
      numbers[atNumber + 6] = packed(event.filledQty);
      numbers[atNumber + 7] = packed(event.leavesQty);
      numbers[atNumber + 8] = event.engineTsMs;
      refs[atRef] = event.kind;
      refs[atRef + 1] = event.book;
      refs[atRef + 2] = event.orderId;
      refs[atRef + 3] = event.parentOrderId;
      refs[atRef + 4] = event.clientOrderId;
      refs[atRef + 5] = event.actionHash;
      refs[atRef + 6] = event.side;
      refs[atRef + 7] = event.status;
      refs[atRef + 8] = event.reason;
      const { fill } = event;
      refs[atRef + 9] = fill === null ? null : fill.fillId;
      if (fill !== null) writeFill(fill, numbers, atNumber + 9);
    },
    read(numbers, atNumber, refs, atRef) {
      const seq = numbers[atNumber] ?? 0;
      const tsMs = numbers[atNumber + 8] ?? 0;
      const actionHash = refs[atRef + 5] as string | null;
      const fillId = refs[atRef + 9] as string | null;
      return {
        seq,
        prevSeq: seq === 1 ? null : seq - 1,
        kind: refs[atRef] as ExecutionEvent['kind'],
        account,
        market: unpacked(numbers[atNumber + 1]),
        book: refs[atRef + 1] as ExecutionEvent['book'],
        orderId: refs[atRef + 2] as string | null,
        parentOrderId: refs[atRef + 3] as string | null,
        legIndex: unpacked(numbers[atNumber + 2]),
        clientOrderId: refs[atRef + 4] as string | null,
        nonce: unpacked(numbers[atNumber + 3]),
        actionHash,
        side: refs[atRef + 6] as ExecutionEvent['side'],
        price: unpacked(numbers[atNumber + 4]),
        qty: unpacked(numbers[atNumber + 5]),
        filledQty: unpacked(numbers[atNumber + 6]),
        leavesQty: unpacked(numbers[atNumber + 7]),
        status: refs[atRef + 7] as ExecutionEvent['status'],
        reason: refs[atRef + 8] as ExecutionEvent['reason'],
        fill: fillId === null ? null : readFill(fillId, numbers, atNumber + 9, tsMs),
        nonceConsumed: actionHash === null ? null : true,
        engineTsMs: tsMs,
        serverTsMs: tsMs,
      };
    },
  };
}

function writeFill(fill: ExecutionFill, numbers: Float64Array, at: number): void {
  numbers[at] = fill.price;
  numbers[at + 1] = fill.qty;
  numbers[at + 2] = fill.feeMicro;
  numbers[at + 3] = fill.liquidity === 'maker' ? 1 : 0;
}

function readFill(fillId: string, numbers: Float64Array, at: number, tsMs: number): ExecutionFill {
  return {
    fillId,
    price: numbers[at] ?? 0,
    qty: numbers[at + 1] ?? 0,
    feeMicro: numbers[at + 2] ?? 0,
    liquidity: numbers[at + 3] === 1 ? 'maker' : 'taker',
    tsMs,
  };
}

/** Which reference of a receipt a search looks at. */
export const receiptRefs = { actionHash: 0, orderId: 1 } as const;

export const receiptPacking: Packing<ReceiptRecord> = {
  numbersPerRow: 3,
  refsPerRow: 6,
  write(receipt, numbers, atNumber, refs, atRef) {
    numbers[atNumber] = packed(receipt.seq);
    numbers[atNumber + 1] = receipt.nonce;
    numbers[atNumber + 2] = receipt.engineTsMs;
    refs[atRef + receiptRefs.actionHash] = receipt.actionHash;
    refs[atRef + receiptRefs.orderId] = receipt.orderId;
    refs[atRef + 2] = receipt.clientOrderId;
    refs[atRef + 3] = receipt.status;
    refs[atRef + 4] = receipt.code;
    refs[atRef + 5] = receipt.text;
  },
  read(numbers, atNumber, refs, atRef) {
    return {
      seq: unpacked(numbers[atNumber]),
      actionHash: refs[atRef + receiptRefs.actionHash] as string,
      orderId: refs[atRef + receiptRefs.orderId] as string | null,
      clientOrderId: refs[atRef + 2] as string | null,
      nonce: numbers[atNumber + 1] ?? 0,
      status: refs[atRef + 3] as ReceiptRecord['status'],
      code: refs[atRef + 4] as ReceiptRecord['code'],
      text: refs[atRef + 5] as string | null,
      engineTsMs: numbers[atNumber + 2] ?? 0,
    };
  },
};

/** What is kept as an object for other reasons. */
export function referencePacking<T>(): Packing<T> {
  return {
    numbersPerRow: 0,
    refsPerRow: 1,
    write(entry, _numbers, _atNumber, refs, atRef) {
      refs[atRef] = entry;
    },
    read: (_numbers, _atNumber, refs, atRef) => refs[atRef] as T,
  };
}

export const tradePacking: Packing<TradeView> = {
  numbersPerRow: 4,
  refsPerRow: 5,
  write(trade, numbers, atNumber, refs, atRef) {
    numbers[atNumber] = trade.marketId;
    numbers[atNumber + 1] = trade.price;
    numbers[atNumber + 2] = trade.qty;
    numbers[atNumber + 3] = trade.tsMs;
    refs[atRef] = trade.tradeId;
    refs[atRef + 1] = trade.book;
    refs[atRef + 2] = trade.takerSide;
    refs[atRef + 3] = trade.makerOrderId;
    refs[atRef + 4] = trade.takerOrderId;
  },
  read(numbers, atNumber, refs, atRef) {
    return {
      tradeId: refs[atRef] as string,
      marketId: numbers[atNumber] ?? 0,
      book: refs[atRef + 1] as TradeView['book'],
      price: numbers[atNumber + 1] ?? 0,
      qty: numbers[atNumber + 2] ?? 0,
      takerSide: refs[atRef + 2] as TradeView['takerSide'],
      makerOrderId: refs[atRef + 3] as string,
      takerOrderId: refs[atRef + 4] as string,
      tsMs: numbers[atNumber + 3] ?? 0,
    };
  },
};
