/**
 * Routes a report to the session that owns the order, to sessions that subscribed to orders of other channels (O-23),
 * and to the drop copies. All of it happens in the transaction of the event, so that nothing is sent twice after a
 * restart.
 */
import { otherChannel } from '../../domain/order.ts';
import { isQuoteReportWanted } from '../../domain/quote-group.ts';
import type { Report } from '../../domain/report.ts';
import type { CopyReaders } from '../copies/copy-readers.ts';
import type { BoundAccount, Principal } from '../gate/principal.ts';
import type { ClientSession } from './client-session.ts';

export interface RoutingParts {
  /** The configured sessions, by their names. */
  readonly clients: Iterable<RoutedClient> & { get(session: string): RoutedClient | undefined };
  readonly copies: Pick<CopyReaders, 'report' | 'lost'>;
}

type RoutedClient = Pick<ClientSession, 'principal' | 'report' | 'answer'>;

export class ReportRouting {
  readonly #parts: RoutingParts;

  constructor(parts: RoutingParts) {
    this.#parts = parts;
  }

  /** Called within a transaction. `session` owns the order, or represents other channels. */
  report(session: string, report: Report): void {
    const { clients, copies } = this.#parts;
    if (session === otherChannel) {
      for (const each of clients) if (wantsOther(each.principal, report)) each.report(report);
    } else {
      const own = clients.get(session);
      if (own && isQuoteReportWanted(report, own.principal.profile.reportQuoteOrders))
        own.report(report);
    }
    copies.report(report);
  }

  /**
   * Called within a transaction: the venue itself lost executions. Drop copies get the notice in sequence with copies.
   */
  lost(bound: BoundAccount, lines: readonly string[]): void {
    const { clients, copies } = this.#parts;
    for (const client of clients) {
      const { reach, role } = client.principal;
      if (role === 'drop-copy' || !reach.includes(bound)) continue;
      client.answer({ kind: 'news', headline: 'Executions lost', lines });
    }
    copies.lost(bound.name, lines);
  }
}

/** An order-entry session gets such reports only for its accounts and markets. */
function wantsOther({ accounts, markets, profile, role }: Principal, { order }: Report): boolean {
  const { instrument, owner } = order;
  return (
    role === 'order-entry' &&
    profile.reportOtherChannels &&
    accounts.some(({ runner }) => runner.account === owner.account) &&
    (markets === null || markets.has(instrument.market.symbol))
  );
}
