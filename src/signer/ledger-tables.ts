/** The tables of a ledger in PostgreSQL (database/signer/), and the queries besides the record itself. */
import { randomBytes } from 'node:crypto';
import {
  type Connection,
  type DatabasePlace,
  within,
  withPrimary,
} from '../store/postgres/connection.ts';
import { inspectDatabase } from '../store/postgres/inspect.ts';
import type { Tables } from '../store/postgres/migrations.ts';
import type { Durability } from '../store/store.ts';
import { entryOf, noDigest, nothing, totalsNonce } from './digest-ledger.ts';
import type { Environment } from './keystore.ts';
import { type Anchor, confirmNewLedger } from './ledger-file.ts';

export const ledgerTables: Tables = {
  schema: 'causeway_signer',
  folder: 'database/signer',
  command: 'causeway signer migrate',
  section: 'ledger.postgres',
};

/** Finds faults that keep a signer from starting on the database, and settings that make it less safe than it seems. */
export function inspectLedger(place: DatabasePlace, durability: Durability, isStrict: boolean) {
  return inspectDatabase(place, { durability, isStrict, tables: ledgerTables });
}

/** The amounts may be larger than a number. */
interface LedgerTotal extends Readonly<Record<'buy' | 'sell' | 'notional', string>> {
  readonly market: number;
}

/** The ledger of one account, as the entries of a file. */
export async function accountEntries(
  place: DatabasePlace,
  account: string,
): Promise<readonly Buffer[]> {
  return withPrimary(place, 'process', async (connection) => {
    const bytes = Buffer.from(account.slice(2), 'hex');
    const values = [bytes];
    const nonces = await connection.query<{ nonce: number; digest: Buffer }>({
      text: 'select nonce, digest from causeway_signer.nonces where account = $1 order by entry',
      values,
    });
    const totals = await connection.query<LedgerTotal>({
      text: `select market, buy, sell, notional from causeway_signer.totals
               join causeway_signer.accounts using (account, day) where account = $1`,
      values,
    });
    const [known] = await connection.query<{ day: number }>({
      text: 'select day from causeway_signer.accounts where account = $1',
      values,
    });
    const day = known?.day ?? 0;
    return [
      ...nonces.map(({ digest, nonce }) => entryOf(bytes, BigInt(nonce), digest, day, nothing)),
      ...totals.map(({ buy, market, notional, sell }) => {
        const qty = { Bid: BigInt(buy), Ask: BigInt(sell) };
        const spend = { market, qty, notional: BigInt(notional) };
        return entryOf(bytes, totalsNonce, noDigest, day, spend);
      }),
    ];
  });
}

const createMs = 5000;

/**
 * Creates a ledger if there is none and an operator has confirmed that; throws if it belongs to another environment.
 */
export async function findLedger(
  connection: Connection,
  database: string,
  environment: Environment,
  mayCreate: boolean,
): Promise<Anchor> {
  let found = await ledgerRow(connection);
  if (found === undefined && mayCreate) {
    // If several signers do this at the same time, all of them use the first one.
    const text = 'select causeway_signer.create_ledger($1, $2)';
    const values = [randomBytes(16), environment];
    await within(connection, createMs, connection.query({ text, values }));
    found = await ledgerRow(connection);
  }
  if (found === undefined) {
    const text = `the database ${database} has no ledger of signed nonces`;
    throw new Error(`${text}: use the one that signed last, or ${confirmNewLedger}`);
  }
  if (found.environment === environment) return found.anchor;
  const other = `the database ${database} has the ledger of a signer for ${found.environment}`;
  throw new Error(`${other}, not for ${environment}: correct ${ledgerTables.section}`);
}

async function ledgerRow(
  connection: Connection,
): Promise<{ readonly anchor: Anchor; readonly environment: string } | undefined> {
  const [row] = await connection.query<{
    id: Buffer;
    environment: string;
    entries: number;
    chain: Buffer;
  }>({ text: 'select id, environment, entries, chain from causeway_signer.ledger' });
  if (row === undefined) return undefined;
  const { chain, entries, environment, id } = row;
  const anchor = { id: id.toString('hex'), count: entries, chain: chain.toString('hex') };
  return { environment, anchor };
}
