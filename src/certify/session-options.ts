/** The options of a test session, for both protocols. */
import type { ByteOrder } from '../fixp/framing.ts';
import type { BridgeStand } from './bridge-stand.ts';
import type { Participant } from './contra-trader.ts';
import type { TestPort } from './port.ts';
import type { Direction } from './scenario.ts';

export interface SessionOptions {
  readonly direction: Direction;
  readonly port: TestPort;
  /** As the counterparty sends them. */
  readonly names: { readonly senderCompId: string; readonly targetCompId: string };
  readonly heartBtIntS: number;
  /** The session reads drop copies and sends no orders. */
  readonly isReader?: boolean;
  /** Of the framing header of FIXP. */
  readonly framing: ByteOrder;
  /** Of the client: ours as an initiator. */
  readonly credentials?: { readonly username: string; readonly password: string } | undefined;
  /** Our Logon as an initiator may have 141=Y where numbers are in doubt. */
  readonly mayReset: boolean;
  readonly bridge?: BridgeStand | undefined;
  /** Of a server: another session that reads drop copies, too. */
  readonly reader?: Participant | undefined;
  readonly connectWithinMs: number;
  readonly answerWithinMs: number;
}

/** The counterparty did not do what a scenario needs before it can judge anything. */
export class CertificationError extends Error {}
