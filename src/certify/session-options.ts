/** The options of a test session, for both protocols. */
import type { ByteOrder } from '../fixp/framing.ts';
import type { BridgeSetup } from './bridge-setup.ts';
import type { Participant } from './contra-trader.ts';
import type { TestPort } from './port.ts';
import type { Direction } from './scenario.ts';

export interface SessionOptions {
  readonly direction: Direction;
  readonly port: TestPort;
  /** The names in messages of the counterparty. */
  readonly names: { readonly senderCompId: string; readonly targetCompId: string };
  readonly heartBtIntS: number;
  /** Whether the session reads drop copies and sends no orders. */
  readonly isReader?: boolean;
  /** The byte order of the FIXP framing header. */
  readonly framing: ByteOrder;
  /** The client's credentials, which are ours as an initiator. */
  readonly credentials?: { readonly username: string; readonly password: string } | undefined;
  /** Whether our Logon as an initiator may use 141=Y if the numbers are uncertain. */
  readonly mayReset: boolean;
  readonly bridge?: BridgeSetup | undefined;
  /** For a server: another session that also reads drop copies. */
  readonly reader?: Participant | undefined;
  readonly connectWithinMs: number;
  readonly answerWithinMs: number;
}

/** Ends a scenario without a verdict on the counterparty: somebody did not do what the scenario needs. */
export class CertificationError extends Error {}
