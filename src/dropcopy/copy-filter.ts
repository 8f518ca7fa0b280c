/** The copies that a reader may see. Null means no limit; `accounts` lists all accounts that it may see. */
import type { CopyFacts, ReportCopy, RequestCopy } from './copy.ts';

export interface CopyFilter {
  /** Aliases, as in Account(1). */
  readonly accounts: readonly string[];
  /** Symbols of markets, or of single books of a market (`X:YES`). */
  readonly symbols: ReadonlySet<string> | null;
  readonly users: ReadonlySet<string> | null;
  /** CompIDs. */
  readonly sessions: ReadonlySet<string> | null;
  /** Whether it sees copies of clients' requests, for surveillance. */
  readonly requests: boolean;
}

export function passes(filter: CopyFilter, copy: CopyFacts): boolean {
  if (copy.kind === 'day' || copy.kind === 'gap') return true;
  if (copy.kind === 'request' && !filter.requests) return false;
  const { symbols, users, sessions } = filter;
  if (sessions !== null && !sessions.has(copy.from?.compId ?? '')) return false;
  if (users !== null && copy.from?.users.some((user) => users.has(user)) !== true) return false;
  return symbols === null || symbolsOf(copy).some((symbol) => symbols.has(symbol));
}

function symbolsOf(copy: ReportCopy | RequestCopy): readonly string[] {
  if (copy.kind === 'request') return [copy.symbol, copy.market].filter((name) => name !== null);
  const { symbol, market } = copy.report.order.instrument;
  return [symbol, market.symbol];
}
