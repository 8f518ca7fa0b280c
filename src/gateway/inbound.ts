/** Copies of clients' requests for drop-copy readers (docs/DROPCOPY.md, "Configuration"). */
import type { InstrumentRef } from '../domain/instrument.ts';

export interface Inbound {
  /** MsgType(35), also for a message that is not FIX. */
  readonly msgType: string;
  /** The account in the request, or null. */
  readonly account: string | null;
  readonly instrument: InstrumentRef | null;
  /** The whole message; valid only during the call. */
  readonly bytes: Uint8Array;
}

export interface InboundWatch {
  /** Whether a reader currently wants requests of this type. */
  sees(msgType: string): boolean;
  /** Called inside a transaction, before the request is handled. */
  copy(inbound: Inbound): void;
}
