/** The messages to a drop-copy reader, independent of the protocol, and the output that sends them. */
import type { Copy, Gap, ReportCopy, RequestCopy } from './copy.ts';
import type { ReqReason } from './copy-tags.ts';
import type { Totals } from './copy-totals.ts';

export type CopyMessage =
  | {
      readonly kind: 'report';
      readonly copy: Copy<ReportCopy>;
      /** PossResend(97): the copy may have been sent before, with another number. */
      readonly possResend: boolean;
      /** The id of the request that it answers; null for the stream itself. */
      readonly reqId: string | null;
    }
  | {
      readonly kind: 'request';
      readonly copy: Copy<RequestCopy>;
      readonly account: string;
      readonly possResend: boolean;
      readonly reqId: string | null;
    }
  /** The current state of an open order. */
  | { readonly kind: 'state'; readonly order: ReportCopy; readonly reqId: string | null }
  | {
      readonly kind: 'trade';
      readonly copy: Copy<ReportCopy>;
      readonly possResend: boolean;
      readonly tradeRequestId: string;
      /** LastRptRequested(912); null for trades by subscription. */
      readonly isLast: boolean | null;
    }
  | {
      readonly kind: 'totals';
      readonly account: string;
      readonly totals: Totals;
      /** The day that ended with these totals; null if they are current. */
      readonly day: string | null;
      readonly possResend: boolean;
      readonly reqId: string | null;
    }
  | {
      readonly kind: 'gap';
      readonly copy: Copy<Gap>;
      readonly account: string;
      readonly possResend: boolean;
    }
  /** Copies that retention dropped before the reader had them. */
  | { readonly kind: 'lost'; readonly account: string; readonly from: number; readonly to: number }
  | { readonly kind: 'answer'; readonly answer: RequestAnswer }
  | { readonly kind: 'trade_answer'; readonly answer: TradeAnswer };

export type MessageOf<Kind extends CopyMessage['kind']> = Extract<CopyMessage, { kind: Kind }>;

export interface RequestAnswer {
  readonly reqId: string;
  readonly reqType: number;
  readonly status: 'accepted' | 'completed' | 'refused';
  readonly reason: ReqReason | null;
  readonly count: number | null;
  readonly text: string | null;
}

export interface TradeAnswer {
  readonly tradeRequestId: string;
  readonly requestType: number;
  /** TradeRequestResult(749). */
  readonly result: number;
  /** TradeRequestStatus(750). */
  readonly status: 'accepted' | 'completed' | 'rejected';
  readonly total: number | null;
  readonly symbol: string | null;
  readonly text: string | null;
}

/** The protocol cannot express a message, which stops its reader and nothing else. */
export class NotWritable extends Error {}

/** Calls what writes a message, before anything of it is sent. */
export function written<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new NotWritable(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Sends messages to a reader, in either protocol. */
export interface CopyOutput {
  /** The reader is logged on. */
  readonly isHere: boolean;
  /** The reader is logged on and reads fast enough to get more. */
  readonly hasRoom: boolean;
  /** The number of the next message. */
  readonly nextSeq: number;
  /** Called within a transaction. */
  send(message: CopyMessage): void;
  /** Called within a transaction: requests a confirmation from the reader. */
  askConfirmation(): void;
}
