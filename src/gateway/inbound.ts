/** Copies of clients' requests for drop-copy readers (docs/DROPCOPY.md, "Configuration"). */
import type { InstrumentRef } from '../domain/instrument.ts';

export interface Inbound {
  /** MsgType(35), also of a message that is not FIX. */
  readonly msgType: string;
  /** The account that the client named, or null. */
  readonly account: string | null;
  readonly instrument: InstrumentRef | null;
  /** The whole message; lent until the call returns. */
  readonly bytes: Uint8Array;
}

export interface InboundWatch {
  /** Whether a reader wants requests of this type now. */
  sees(msgType: string): boolean;
  /** Called inside a turn, before the request is handled. */
  copy(inbound: Inbound): void;
}
