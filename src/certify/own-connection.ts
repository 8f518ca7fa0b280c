/**
 * The common part of our own clients: a connection that is reopened after it ends, and a store for the session.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../runtime/clock.ts';
import { makePrivateDirectory } from '../runtime/directory.ts';
import { openLogStore } from '../store/log/log-store.ts';
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

/** The parts of every session directory. Without a folder for its numbers and messages they end with it. */
export async function ownHosting(data?: string) {
  const folder = data ?? mkdtempSync(join(tmpdir(), 'causeway-session-'));
  makePrivateDirectory(folder);
  const path = join(folder, 'client.db');
  const store = await openLogStore({ path, durability: 'process', reserveBytes: 0 });
  const transactions = new Transactions(store, (error) => {
    throw error;
  });
  const close = async () => {
    transactions.close();
    await store.close();
    if (data === undefined) rmSync(folder, { recursive: true, force: true });
  };
  return { hosting: { transactions, clock: systemClock }, close, [Symbol.asyncDispose]: close };
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
