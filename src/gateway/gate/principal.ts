/** The permissions of a client session, from the configuration (contract C.2). */
import { type Denial, isDenial } from '../../domain/denial.ts';
import {
  type Instrument,
  InstrumentList,
  type InstrumentRef,
  marketsOf,
} from '../../domain/instrument.ts';
import type { Order, OrderRules } from '../../domain/order.ts';
import { canceledUnsent } from '../../engine/engine.ts';
import { allOrders, type CancelScope, MassCancels } from '../../engine/mass-cancels.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { AccountRunner } from '../account/account-runner.ts';
import type { ClientProfile, SessionConfig } from '../config/config.ts';
import type { RiskGuard } from './risk.ts';

/** An account under the name that its sessions use. */
export interface BoundAccount {
  /** The value of Account(1), and the account's short name in ExecIDs. */
  readonly name: string;
  readonly runner: AccountRunner;
  readonly guard: RiskGuard;
}

export interface Principal {
  readonly session: string;
  readonly role: SessionConfig['role'];
  readonly compId: string;
  readonly users: readonly string[];
  /** The first is the default for a message without Account(1). */
  readonly accounts: readonly BoundAccount[];
  /** These and the accounts that a reload took from the session while it had open orders there, which it may cancel. */
  readonly reach: readonly BoundAccount[];
  /** All accounts of the bridge: on any of them the session may have used a ClOrdID before a reload. */
  readonly known: readonly BoundAccount[];
  readonly profile: ClientProfile;
  readonly rules: OrderRules;
  readonly guard: RiskGuard;
  /** The permitted symbols; null permits every market. */
  readonly markets: ReadonlySet<string> | null;
  readonly actions: ReadonlySet<SessionConfig['actions'][number]>;
  readonly cancelOnDisconnect: SessionConfig['cancelOnDisconnect'];
}

/** Returns these accounts of a session, and others of the bridge on which it has open orders. */
export function reachOf(
  session: string,
  accounts: readonly BoundAccount[],
  all: readonly BoundAccount[],
): readonly BoundAccount[] {
  const hasOrders = ({ runner }: BoundAccount) => runner.orders.openOf(session) > 0;
  return [...accounts, ...all.filter((one) => !accounts.includes(one) && hasOrders(one))];
}

/** Finds an account by its alias or by the venue's id, by default among those on which the session may trade. */
export function accountNamed(
  principal: Principal,
  name: string | null,
  among = principal.accounts,
): BoundAccount | undefined {
  if (name === null) return principal.accounts[0];
  return among.find((bound) => bound.name === name || bound.runner.account === name);
}

/** Whether the session has used this ClOrdID before, also on an account that it no longer has. */
export function isSpent({ known, session }: Principal, clOrdId: string): boolean {
  return known.some(({ runner }) => runner.orders.isSpent(session, clOrdId));
}

/** The open orders that the session may see: all of its accounts, and its own on those that were taken from it. */
export function* openOrders({
  accounts,
  reach,
  session,
}: Principal): Generator<readonly [BoundAccount, Order]> {
  for (const bound of reach) {
    const isOwn = accounts.includes(bound);
    for (const order of bound.runner.orders.open()) {
      if (isOwn || order.owner.session === session) yield [bound, order];
    }
  }
}

/**
 * The instrument that a request about open orders names. The venue may no longer list the market of an order that is
 * still open.
 */
export function instrumentNamed(
  principal: Principal,
  ref: InstrumentRef,
  listed: InstrumentList,
): Instrument | Denial {
  const named = listed.resolve(ref);
  if (!isDenial(named)) return named;
  const traded = marketsOf(openOrders(principal).map(([, order]) => order));
  const unlisted = traded.filter(({ marketId }) => listed.market(marketId) === undefined);
  const known = new InstrumentList(unlisted).resolve(ref);
  return isDenial(known) ? named : known;
}

/**
 * Called within a transaction: cancels the open orders that are meant with signed cancels, in slices; returns how many.
 */
export function cancelOrders(
  { runner }: BoundAccount,
  text: string,
  nowMs: number,
  meant: CancelScope,
): number {
  const count = runner.orders.count(meant);
  const { atOnce } = MassCancels;
  if (count > 0) runner.apply({ kind: 'mass_cancel', meant, text, atOnce, nowMs });
  return count;
}

/** Called within a transaction: cancels a session's own orders (C.2), or withdraws those that have not been sent. */
export function cancelOwn(
  session: string,
  { accounts, clock }: { readonly accounts: () => readonly BoundAccount[]; readonly clock: Clock },
  text: string,
): void {
  const { wallMs } = clock.now();
  const reach = reachOf(session, [], accounts());
  for (const { runner } of reach) runner.withdraw(session, canceledUnsent);
  for (const bound of reach) cancelOrders(bound, text, wallMs, { ...allOrders, session });
}
