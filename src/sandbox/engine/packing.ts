/** How past records are packed: each as a row of numbers and a row of references (see packed-log.ts). */
import type { ExecutionEvent, ExecutionFill } from './event.ts';
import { type Packing, packed, unpacked } from './packed-log.ts';
import type { ReceiptRecord, TradeView } from './view.ts';

/** A packing for records whose members are stored unchanged: numbers or null, and references. */
function membersPacking<T extends object>(
  numberKeys: readonly (keyof T)[],
  refKeys: readonly (keyof T)[],
): Packing<T> {
  return {
    numbersPerRow: numberKeys.length,
    refsPerRow: refKeys.length,
    write(entry, numbers, atNumber, refs, atRef) {
      for (let index = 0; index < numberKeys.length; index += 1) {
        numbers[atNumber + index] = packed(entry[numberKeys[index] as keyof T] as number | null);
      }
      for (let index = 0; index < refKeys.length; index += 1) {
        refs[atRef + index] = entry[refKeys[index] as keyof T];
      }
    },
    read(numbers, atNumber, refs, atRef) {
      const entry: Partial<Record<keyof T, unknown>> = {};
      for (let index = 0; index < numberKeys.length; index += 1) {
        entry[numberKeys[index] as keyof T] = unpacked(numbers[atNumber + index]);
      }
      for (let index = 0; index < refKeys.length; index += 1) {
        entry[refKeys[index] as keyof T] = refs[atRef + index];
      }
      return entry as T;
    },
  };
}

const ownMembers = membersPacking<ExecutionEvent>(
  ['seq', 'market', 'legIndex', 'nonce', 'price', 'qty', 'filledQty', 'leavesQty', 'engineTsMs'],
  [
    ...(['kind', 'book', 'orderId', 'parentOrderId', 'clientOrderId', 'actionHash'] as const),
    ...(['side', 'status', 'reason'] as const),
  ],
);
const fillMembers = membersPacking<ExecutionFill>(
  ['price', 'qty', 'feeMicro', 'tsMs'],
  ['fillId', 'liquidity'],
);

/** The events of one account. `prevSeq` follows from `seq`, `nonceConsumed` from the action; times are the engine's. */
export function eventPacking(account: string): Packing<ExecutionEvent> {
  const { numbersPerRow, refsPerRow } = ownMembers;
  return {
    numbersPerRow: numbersPerRow + fillMembers.numbersPerRow,
    refsPerRow: refsPerRow + fillMembers.refsPerRow,
    write(event, numbers, atNumber, refs, atRef) {
      ownMembers.write(event, numbers, atNumber, refs, atRef);
      refs[atRef + refsPerRow] = null;
      if (event.fill === null) return;
      fillMembers.write(event.fill, numbers, atNumber + numbersPerRow, refs, atRef + refsPerRow);
    },
    read(numbers, atNumber, refs, atRef) {
      const own = ownMembers.read(numbers, atNumber, refs, atRef);
      const fill = fillMembers.read(numbers, atNumber + numbersPerRow, refs, atRef + refsPerRow);
      return {
        ...own,
        account,
        prevSeq: own.seq === 1 ? null : own.seq - 1,
        fill: fill.fillId === null ? null : fill,
        nonceConsumed: own.actionHash === null ? null : true,
        serverTsMs: own.engineTsMs,
      };
    },
  };
}

/** The reference of a receipt that a search uses. */
export const receiptRefs = { actionHash: 0, orderId: 1 } as const;

export const receiptPacking = membersPacking<ReceiptRecord>(
  ['seq', 'nonce', 'engineTsMs'],
  ['actionHash', 'orderId', 'clientOrderId', 'status', 'code', 'text'],
);

/** For records that are kept as objects. */
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

export const tradePacking = membersPacking<TradeView>(
  ['marketId', 'price', 'qty', 'tsMs'],
  ['tradeId', 'book', 'takerSide', 'makerOrderId', 'takerOrderId'],
);
