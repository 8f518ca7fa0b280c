/** The inputs and effects of an account's orders (`orders.ts`). */
import type { AlarmEffect } from '../domain/alarm.ts';
import type { StreamEvent } from '../domain/event.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { Intent } from '../domain/intent.ts';
import type { Owner } from '../domain/order.ts';
import type { Report } from '../domain/report.ts';
import type { Terms } from '../domain/terms.ts';
import type { OrderInput } from '../domain/transition.ts';
import type { OrderId } from '../domain/units.ts';
import type { CancelScope } from './mass-cancels.ts';
import type { QuotesInput, SessionAnswer } from './quote-groups.ts';

/** `atOnce`: how many orders are canceled now; the others follow in later slices. */
export interface NextSlice {
  readonly atOnce: number;
  readonly nowMs: number;
}

/** An input of one order names it by its key; an event of the stream finds its order by the venue's ids. */
export type OrdersInput =
  | {
      readonly kind: 'entry';
      readonly owner: Owner;
      readonly clOrdId: string;
      readonly instrument: Instrument;
      readonly terms: Terms;
      readonly nowMs: number;
    }
  | QuotesInput
  | { readonly kind: 'event'; readonly event: StreamEvent }
  /** The event belongs to an order from another channel; the bridge tracks that order from now on. */
  | {
      readonly kind: 'adopt';
      readonly event: StreamEvent;
      readonly instrument: Instrument;
      readonly accountName: string;
    }
  | { readonly kind: 'order'; readonly key: string; readonly input: OrderInput }
  /** Cancels the orders that are meant; `mass_cancel_next` continues with the next slice. */
  | ({
      readonly kind: 'mass_cancel';
      readonly meant: CancelScope;
      readonly text: string;
    } & NextSlice)
  | ({ readonly kind: 'mass_cancel_next' } & NextSlice)
  /** A ClOrdID of a request that never became an order. */
  | { readonly kind: 'spent'; readonly session: string; readonly clOrdId: string };

export type OrdersEffect =
  | { readonly kind: 'report'; readonly session: string; readonly report: Report }
  | SessionAnswer
  | {
      readonly kind: 'send';
      readonly key: string;
      readonly requestId: string;
      readonly intent: Intent;
    }
  /** The engine wants to check the request again after this time. */
  | {
      readonly kind: 'wait';
      readonly key: string;
      readonly requestId: string;
      readonly ms: number;
    }
  /** The stream names the order otherwise than we have derived. */
  | {
      readonly kind: 'misnamed';
      readonly key: string;
      readonly ours: OrderId;
      readonly theirs: OrderId;
    }
  /** An event of an order that this account does not know: it came through another channel, or has been forgotten. */
  | { readonly kind: 'foreign'; readonly event: StreamEvent }
  | AlarmEffect;
