/**
 * The common part of our own clients: a connection that is reopened after it ends, and a session that is stored only if
 * there is a store.
 */
import { systemClock } from '../runtime/clock.ts';
import { MemoryStore } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';
import { Transactions } from '../store/transactions.ts';
import { Connector, type ConnectorOptions } from '../transport/connector.ts';

export interface OwnConnection {
  readonly host: string;
  readonly port: number;
  readonly backup?: ConnectorOptions['backup'];
  readonly tls?: ConnectorOptions['tls'];
  readonly credentials?: { readonly username: string; readonly password: string };
}

const backoff = { firstMs: 20, maxMs: 100, provenMs: 10, connectWithinMs: 2_000 };

/** The parts of every session directory. */
export function ownHosting(store: Store = new MemoryStore()) {
  const transactions = new Transactions(store, (error) => {
    throw error;
  });
  return { transactions, clock: systemClock };
}

export function keepConnected(
  { host, port, backup, tls }: OwnConnection,
  attach: ConnectorOptions['attach'],
): Connector {
  const options = { host, port, backup, clock: systemClock, backoff, attach };
  const connector = new Connector({ ...options, ...(tls && { tls }) });
  connector.start();
  return connector;
}
