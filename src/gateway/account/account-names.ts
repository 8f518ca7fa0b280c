/**
 * The aliases of the accounts in a store. Orders, ExecIDs, drop copies, kill switches and changed limits refer to an
 * account by its alias, so an alias belongs to one account for ever
 * (docs/decisions/0250-the-account-names-its-orders.md).
 */
import { z } from 'zod';
import { parsedAs } from '../../runtime/parsed-json.ts';
import type { Store } from '../../store/store.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/config-file.ts';

const stream = 'account-names';
/** The venue's account of each alias. */
const shape = z.record(z.string(), z.string());

/**
 * Called once the accounts are open, so that a start that fails because an address is wrong keeps nothing. Throws if an
 * account had another alias, or its alias another account.
 */
export async function keepAccountNames(store: Store, accounts: Config['accounts']): Promise<void> {
  const known = new Map(await knownAccounts(store));
  const aliases = new Map([...known].map(([alias, account]) => [account, alias]));
  const faults = accounts.flatMap(({ account, name }, index) => {
    const at = `accounts[${index}].name: ${name}`;
    const before = aliases.get(account) ?? name;
    if (before !== name)
      return [`${at}: account ${account} is ${before} in its data; keep that name`];
    const other = known.get(name) ?? account;
    return other === account
      ? []
      : [`${at}: in this data that is account ${other}; choose another`];
  });
  if (faults.length > 0)
    throw new ConfigError(
      'orders, reports and drop copies refer to an account by its name:',
      faults,
    );
  if (accounts.every(({ name }) => known.has(name))) return;
  for (const { account, name } of accounts) known.set(name, account);
  const payload = Buffer.from(JSON.stringify(Object.fromEntries(known)));
  await store.commit([{ kind: 'snapshot', stream, position: 1, payload }]);
}

/** The venue's account of each alias that a start on this store has had. */
export async function knownAccounts(
  store: Pick<Store, 'snapshot'>,
): Promise<readonly (readonly [alias: string, account: string])[]> {
  const kept = await store.snapshot(stream);
  return Object.entries(parsedAs(shape, kept && Buffer.from(kept.payload).toString()) ?? {});
}
