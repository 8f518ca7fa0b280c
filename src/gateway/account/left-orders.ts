/**
 * Reports open orders of an account that the configuration no longer has, or of a session that it no longer has for
 * order entry, at a start and after a reload (docs/decisions/0091-operating-a-running-bridge.md).
 */
import type { Account } from '../../domain/units.ts';
import type { JournalSource } from '../../engine/journal.ts';
import type { RaiseAlarm } from '../../runtime/operator-line.ts';
import { fastestBlake3 } from '../../signer/blake3.ts';
import type { Profile } from '../../venue/profile.ts';
import type { Config } from '../config/config.ts';
import { settingsOf } from '../config/engine-settings.ts';
import { knownAccounts } from './account-names.ts';
import { readEngine } from './open-engine.ts';

interface LeftParts {
  readonly store: JournalSource;
  readonly config: Config;
  readonly profile: Profile;
  readonly alarm: RaiseAlarm;
}

/** Nobody follows such an account at the venue, so its orders are those that its journal had last. */
export async function reportLeftAccounts({
  alarm,
  config,
  profile,
  store,
}: LeftParts): Promise<void> {
  const { blake3 } = await fastestBlake3();
  const settings = settingsOf(config, profile);
  for (const [name, account] of await knownAccounts(store)) {
    if (config.accounts.some((one) => one.name === name)) continue;
    const parts = { account: account as Account, blake3, contract: profile };
    const orders = await readEngine(store, parts, settings).then(
      ({ replay }) => openOrders(replay.orders.openCount),
      // An account that is not used keeps no other from trading.
      (error: Error) => `orders that cannot be counted (${error.message})`,
    );
    if (orders === null) continue;
    const text = `${name}: the configuration no longer has account ${account}, whose journal has ${orders}. Nothing reports or cancels them: cancel them at the venue, or add the account again`;
    alarm(text, { event: 'orders_left', account: name });
  }
}

export function reportLeftSessions(left: ReadonlyMap<string, number>, alarm: RaiseAlarm): void {
  for (const [session, orders] of left) {
    const text = `${session}: the configuration no longer has this session for order entry, and it has ${openOrders(orders)}. Its client cannot cancel them: cancel them in the console, or configure the session as it was`;
    alarm(text, { event: 'orders_left', session });
  }
}

const openOrders = (count: number) =>
  count === 0 ? null : `${count} open order${count === 1 ? '' : 's'}`;
