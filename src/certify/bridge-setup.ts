/** The bridge with a sandbox that a certification needs; the command line creates it. */
import type { VenueTrace } from './record.ts';

export interface Login {
  readonly senderCompId: string;
  readonly targetCompId: string;
  readonly username: string;
  readonly password: string;
}

export interface BridgeSetup {
  readonly host: string;
  readonly port: number;
  /** The FIXP port of the same bridge. */
  readonly fixpPort: number;
  /** Its FIX port while its first site is lost. */
  readonly backupPort: number;
  /** Another participant, which trades against the counterparty. */
  readonly contra: Login;
  /** A participant on another account than that one. */
  readonly other: Login;
  /** Another reader of drop copies. */
  readonly reader: Login;
  /** The credentials that the counterparty's Logon must contain; they are added if absent. */
  readonly login: Login;
  /** Sets the sequence numbers of the counterparty's session, which has no connection at that time. */
  setNumbers(nextIn: number, nextOut: number): Promise<void>;
  /** A route of the sandbox's operator, such as `POST /gates {"tradingHalted": true}`. */
  venue(text: string): Promise<void>;
  /** One of `bridgeActs`, such as `kill` or `set {"markets": ["BTC-USDC"]}`. */
  act(text: string): Promise<void>;
  /** Cancels open orders, switches faults off, and undoes every act on the bridge. */
  tidy(): Promise<void>;
  /** Returns the orders with these OrderID(37) values as the venue has them. */
  trace(orderIds: readonly string[]): readonly Omit<VenueTrace, 'clOrdId' | 'seqs'>[];
  stop(): Promise<void>;
}
