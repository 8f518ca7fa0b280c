/**
 * Whom a report is for: the session whose order it is, sessions that want to hear of orders of other channels (O-23), and
 * the drop copies. All of it in the turn of the event, so that a restart tells nobody twice.
 */
import { otherChannel } from '../domain/order.ts';
import { isToldOfQuote } from '../domain/quote-group.ts';
import type { Report } from '../domain/report.ts';
import type { ClientSession } from './client-session.ts';
import type { CopyDesk } from './copy-desk.ts';
import type { BoundAccount, Principal } from './principal.ts';

export interface RoutingParts {
  readonly clients: Iterable<RoutedClient>;
  /** The session of this name, if it is configured still. */
  readonly client: (session: string) => RoutedClient | undefined;
  readonly copies: Pick<CopyDesk, 'report' | 'lost'>;
}

type RoutedClient = Pick<ClientSession, 'principal' | 'report' | 'answer'>;

export class ReportRouting {
  readonly #parts: RoutingParts;

  constructor(parts: RoutingParts) {
    this.#parts = parts;
  }

  /** Inside a turn. `session` is the one whose order it is, or that of other channels. */
  report(session: string, report: Report): void {
    const { clients, client, copies } = this.#parts;
    if (session === otherChannel) {
      for (const each of clients) if (wantsOther(each.principal, report)) each.report(report);
    } else {
      const own = client(session);
      if (own && isToldOfQuote(report, own.principal.profile.reportQuoteOrders)) own.report(report);
    }
    copies.report(report);
  }

  /**
   * Inside a turn: executions of this account are lost at the venue itself. Drop copies hear of it at its place among
   * their copies.
   */
  lost(bound: BoundAccount, lines: readonly string[]): void {
    const { clients, copies } = this.#parts;
    for (const client of clients) {
      const { accounts, role } = client.principal;
      if (role === 'drop-copy' || !accounts.includes(bound)) continue;
      client.answer({ kind: 'news', headline: 'Executions lost', lines });
    }
    copies.lost(bound.name, lines);
  }
}

/** An order-entry session hears of what it might have sent itself: its accounts, its markets. */
function wantsOther({ accounts, markets, profile, role }: Principal, { order }: Report): boolean {
  const { instrument, owner } = order;
  return (
    role === 'order-entry' &&
    profile.reportOtherChannels &&
    accounts.some(({ line }) => line.account === owner.account) &&
    (markets === null || markets.has(instrument.market.symbol))
  );
}
