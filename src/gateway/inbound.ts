/** What a client asks, as it came, for those who watch (docs/DROPCOPY.md, "Configuration"). */
import type { InstrumentRef } from '../domain/instrument.ts';

export interface Inbound {
  /** MsgType(35), also of a message that is not FIX. */
  readonly msgType: string;
  /** As the client names it, null where it names none. */
  readonly account: string | null;
  readonly instrument: InstrumentRef | null;
  /** The whole message; lent until the call returns. */
  readonly bytes: Uint8Array;
}

export interface InboundWatch {
  /** Whether anyone watches requests of this type now. */
  sees(msgType: string): boolean;
  /** Inside a turn, before anything is made of the request. */
  copy(inbound: Inbound): void;
}
