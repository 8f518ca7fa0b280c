/**
 * The console's view of the running bridge: plain data, amounts as decimal text, no secrets. All views go through this
 * file, so that the other parts of the gateway can change freely.
 */
import { formatAtoms } from '../domain/units.ts';
import type { Relay } from '../dropcopy/relay.ts';
import type { Latency } from '../runtime/latency.ts';
import type { AuditRecord } from '../store/audit-chain.ts';
import type { SessionStatus } from '../transport/session-roster.ts';
import type { Profile } from '../venue/profile.ts';
import type { Hops } from './account/hops.ts';
import { nameOf } from './config/client-names.ts';
import type { Config, SessionConfig } from './config/config.ts';
import type { LoadedConfig } from './config/config-file.ts';
import { type Hours, SessionHours } from './config/session-hours.ts';
import type { Kill } from './gate/kill-switch.ts';
import type { RiskGuard } from './gate/risk.ts';
import type { Operator, OperatorParts } from './operator/operator.ts';
import type { TradingAccount } from './trading-account.ts';
import type { VenueSide } from './venue-side.ts';
import { LatestOrders } from './view/latest-orders.ts';
import type { MakerVolume } from './view/maker-volume.ts';
import { type OrderRow, orderRow, type TradeRow, tradeRows } from './view/order-row.ts';
import { type FoundOrders, foundOrders, matcherOf, type OrderSearch } from './view/order-search.ts';
import { OrderWalk } from './view/order-walk.ts';
import { QuotedMarkets, type QuoteRow } from './view/quoted-markets.ts';
import type { RefusalRow, Refusals } from './view/refusals.ts';
import { type FoundSessions, pageOf, type SessionSearch } from './view/session-search.ts';

export type SessionRow = ReturnType<typeof sessionRow>;
export type AccountRow = ReturnType<typeof accountRow>;
export type ReaderRow = ReturnType<typeof readerRows>[number];

export interface ViewParts
  extends Pick<OperatorParts, 'audit' | 'clock' | 'gate' | 'limits' | 'rosters' | 'transactions'> {
  readonly accounts: () => readonly TradingAccount[];
  readonly venue: Pick<VenueSide, 'instruments' | 'unknownBuild'>;
  readonly loaded: () => LoadedConfig;
  readonly profile: Profile;
  readonly hops: Hops;
  readonly rejects: Refusals;
  readonly operator: Operator;
  readonly guardOf: (session: string) => RiskGuard | undefined;
  readonly makers: MakerVolume;
  readonly copies: Pick<Relay, 'readers'>;
  readonly isDraining: () => boolean;
  /** Why nothing can be signed at the moment; undefined if it can be. */
  readonly signerAway: () => string | undefined;
}

const shownWindow = 256;
const letters = { free: 'f', reserved: 'r', sent: 's', unknown: '?', used: 'u', expired: 'x' };

export class ConsoleView {
  readonly #parts: ViewParts;
  readonly #walk = new OrderWalk();
  readonly #hours = new SessionHours();
  #configured:
    | { readonly of: Config; readonly sessions: ReadonlyMap<string, SessionConfig> }
    | undefined;

  constructor(parts: ViewParts) {
    this.#parts = parts;
  }

  get operator(): Operator {
    return this.#parts.operator;
  }

  get unknownBuild(): readonly string[] {
    return this.#parts.venue.unknownBuild;
  }

  get gate(): { readonly state: string; readonly reason: string } {
    const { reason, state } = this.#parts.gate;
    return { state, reason };
  }

  get kills(): readonly Kill[] {
    return this.#parts.operator.kills;
  }

  get audit(): { readonly head: string; readonly length: number } {
    const { head, length } = this.#parts.audit;
    return { head, length };
  }

  auditRecords(upTo: number, limit: number): Promise<readonly AuditRecord[]> {
    return this.#parts.audit.latest(upTo, limit);
  }

  /** Increases with every change of an order, and with every refusal. */
  get orderMark(): number {
    return this.#parts.rejects.mark + this.#sum(({ bound }) => bound.runner.journalEnd);
  }

  /** The reasons why the bridge accepts no orders; empty if it does. */
  get notReady(): readonly string[] {
    const { gate, signerAway, transactions } = this.#parts;
    const accounts = this.#parts.accounts();
    const away = signerAway();
    const signer = away === undefined ? [] : [`the signer signs no orders: ${away}`];
    const venue = gate.state === 'open' ? [] : [`the venue is ${gate.state}: ${gate.reason}`];
    const streams = accounts
      .filter(({ isStreamLive }) => !isStreamLive)
      .map(({ bound }) => `the execution stream of ${bound.name} is not live`);
    const store =
      transactions.store.room() === 'plenty'
        ? []
        : ['the store is all but full, or does not keep up'];
    const draining = this.#parts.isDraining() ? ['the bridge is going down'] : [];
    const all = this.kills.some(({ scope }) => scope.kind === 'all');
    return [
      ...draining,
      ...signer,
      ...venue,
      ...streams,
      ...store,
      ...(all ? ['the kill switch is on for everything'] : []),
    ];
  }

  /** A summary without a row for each session, for frequent requests. */
  statuses(): readonly SessionStatus[] {
    return this.#parts.rosters.flatMap((roster) => roster.list());
  }

  sessions(): readonly SessionRow[] {
    return this.findSessions({ limit: Number.POSITIVE_INFINITY }).rows;
  }

  /** Only the rows of the requested page are filled in. */
  findSessions(search: SessionSearch): FoundSessions<SessionRow> {
    const configured = this.#sessions;
    const known = this.statuses().filter(({ name }) => configured.has(name));
    const page = pageOf(known, search);
    const rows = page.rows.flatMap((status) => {
      const session = configured.get(status.name);
      if (session === undefined) return [];
      const openOrders = this.openOrdersOf(status.name);
      const hours = this.#hours.of(session, this.#parts.clock.now().wallMs);
      return [sessionRow(session, status, this.#parts, { openOrders, hours })];
    });
    return { ...page, rows };
  }

  session(name: string): SessionRow | undefined {
    const { rows } = this.findSessions({ text: name, limit: Number.POSITIVE_INFINITY });
    return rows.find((row) => row.name === name);
  }

  openOrdersOf(session: string): number {
    return this.#sum(({ bound }) => bound.runner.orders.openOf(session));
  }

  /** A session that is no longer configured counts as permanently closed. */
  hoursOf(name: string, wallMs: number): Hours {
    const session = this.#sessions.get(name);
    return session === undefined
      ? { isOpen: false, changesMs: null }
      : this.#hours.of(session, wallMs);
  }

  async orders(search: OrderSearch): Promise<FoundOrders> {
    const isWanted = matcherOf(search);
    const found = new LatestOrders(search);
    for (const row of this.#parts.rejects.orders.values()) if (isWanted(row)) found.add(row);
    for (const { bound } of this.#parts.accounts()) {
      await this.#walk.each(bound.runner.orders, (order) => isWanted(order) && found.add(order));
    }
    return foundOrders(found, search.sort, (key) => this.#parts.rejects.reasonOf(key));
  }

  /** An order with its trades. */
  order(
    key: string,
  ): { readonly order: OrderRow; readonly trades: readonly TradeRow[] } | undefined {
    const { accounts, rejects } = this.#parts;
    for (const { bound } of accounts()) {
      const order = bound.runner.orders.get(key);
      if (order !== undefined)
        return { order: orderRow(order, rejects.reasonOf(key)), trades: tradeRows(order) };
    }
    const refused = rejects.orders.get(key);
    return refused && { order: refused, trades: [] };
  }

  /** The venue's id of an account, or empty if there is none. */
  accountOf(alias: string): string {
    const found = this.#parts.accounts().find(({ bound }) => bound.name === alias);
    return found?.bound.runner.account ?? '';
  }

  venue() {
    const { accounts, gate, loaded, venue } = this.#parts;
    const [first] = accounts();
    return {
      state: gate.state,
      reason: gate.reason,
      environment: loaded().config.environment,
      batch: { ...first?.dispatcher.limits },
      markets: [...venue.instruments].map(({ symbol, market }) => ({
        symbol,
        kind: market.kind,
        isHalted: gate.isHalted(market.marketId),
      })),
      accounts: accounts().map((account) => accountRow(account, this.#parts)),
    };
  }

  get latencies(): { readonly hops: Hops; readonly commits: Latency } {
    return { hops: this.#parts.hops, commits: this.#parts.transactions.commits };
  }

  latenciesOf(session: string): { readonly reply?: Latency; readonly inbound?: Latency } {
    const reply = this.#parts.rosters.map((roster) => roster.replies(session)).find(Boolean);
    const inbound = this.#parts.hops.inboundOf(session);
    return { ...(reply && { reply }), ...(inbound && { inbound }) };
  }

  /** The number of refusals by name. */
  get rejects(): ReadonlyMap<string, number> {
    return this.#parts.rejects.counts;
  }

  get refusals(): readonly RefusalRow[] {
    return this.#parts.rejects.latest;
  }

  get uncommitted(): number {
    return this.#parts.transactions.uncommitted;
  }

  async quotes(): Promise<readonly QuoteRow[]> {
    const quoted = new QuotedMarkets();
    for (const { bound } of this.#parts.accounts()) {
      await this.#walk.each(bound.runner.orders, (order) => quoted.add(bound.name, order));
    }
    return quoted.rows;
  }

  readers(): readonly ReaderRow[] {
    return readerRows(this.#parts.copies);
  }

  /** The maker volume of the month and the resulting tier. */
  makers() {
    const { clock, makers, profile } = this.#parts;
    const { wallMs } = clock.now();
    return this.#parts.accounts().map(({ bound }) => {
      const micro = makers.of(bound.runner.account, wallMs);
      const whole = Number(micro / 1_000_000n);
      const earned = profile.fees.tiers.filter(({ fromUsd }) => whole >= fromUsd).at(-1);
      const next = profile.fees.tiers.find(({ fromUsd }) => whole < fromUsd);
      return {
        account: bound.name,
        volume: formatAtoms(micro, 6),
        rebateBps: earned?.rebateBps ?? 0,
        nextFromUsd: next?.fromUsd ?? null,
      };
    });
  }

  get tiers(): Profile['fees']['tiers'] {
    return this.#parts.profile.fees.tiers;
  }

  /** The current configuration, which names secrets by file and does not contain them. */
  get config(): Config {
    return this.#parts.loaded().config;
  }

  /** The configured sessions by their name in the store. */
  get #sessions(): ReadonlyMap<string, SessionConfig> {
    const { config } = this.#parts.loaded();
    if (this.#configured?.of !== config) {
      const sessions = new Map(config.sessions.map((session) => [nameOf(session), session]));
      this.#configured = { of: config, sessions };
    }
    return this.#configured.sessions;
  }

  #sum(read: (account: TradingAccount) => number): number {
    return this.#parts.accounts().reduce((total, account) => total + read(account), 0);
  }
}

function sessionRow(
  session: SessionConfig,
  status: SessionStatus,
  { clock, guardOf, limits }: ViewParts,
  more: { readonly openOrders: number; readonly hours: Hours },
) {
  const guard = guardOf(status.name);
  return {
    ...status,
    lane: session.protocol,
    clientRole: session.role,
    compId: session.senderCompId,
    users: session.users,
    accounts: session.accounts,
    limits: guard?.limits ?? {},
    /** Null if the configured limits apply. */
    changed: limits.of({ kind: 'session', name: status.name }) ?? null,
    ordersInLastSecond: guard?.ordersInLastSecond(clock.now().monoMs) ?? 0,
    ...more,
  };
}

function accountRow(
  { bound, config, dispatcher, isStreamLive, link }: TradingAccount,
  { clock, gate, limits }: ViewParts,
) {
  const { guard, runner, name } = bound;
  const { keys, nonces, orders, waiting } = runner;
  const { floor, isLatched, statedFloor } = nonces;
  const stateAt = (place: number) => letters[nonces.state((floor ?? 0) + place)];
  const window =
    floor === null ? '' : Array.from({ length: shownWindow }, (_, i) => stateAt(i)).join('');
  return {
    name,
    account: runner.account as string,
    ...gate.account(runner.account),
    isStreamLive,
    stream: { ...link.streamCounts } as Readonly<Record<string, number>>,
    queued: dispatcher.queued,
    inFlight: dispatcher.inFlight,
    /** Submissions that wait for a nonce. */
    waiting,
    clockOffsetMs: link.clockOffsetMs,
    openOrders: orders.openCount,
    /** The address of the key that signed last; null before the first answer. */
    key: keys.used ?? null,
    /** Keys and credentials that the venue has refused and that are temporarily not used. */
    refusedKeys: keys.refused.size,
    refusedCredentials: link.credentials.refused.size,
    limits: guard.limits,
    /** Null if the configured limits apply. */
    changed: limits.of({ kind: 'account', name: config.name }) ?? null,
    ordersInLastSecond: guard.ordersInLastSecond(clock.now().monoMs),
    /** `window` has the state of each nonce from the floor on, as one letter each. */
    nonces: { floor, statedFloor, isLatched, window },
  };
}

/** What each drop-copy reader may see, and its position. */
function readerRows({ readers }: Pick<Relay, 'readers'>) {
  return readers.map((reader) => ({
    name: reader.name,
    symbols: reader.filter.symbols === null ? null : [...reader.filter.symbols],
    seesRequests: reader.filter.requests,
    /** The number of copies that are not sent, or not acknowledged. */
    behind: reader.behind,
    unacknowledged: reader.unacknowledged,
    isHere: reader.isHere,
    isHeldUp: reader.isHeldUp,
    /** The replays and lists that are being sent to it. */
    asked: reader.asked,
    hasSubscription: reader.subscription !== null,
    accounts: reader.filter.accounts.map((account) => {
      const { busts, corrections, count, hash, lost, trades } = reader.totals(account);
      const totals = { count, trades, busts, corrections, lost, hash };
      return { account, ...totals, acknowledged: reader.acknowledged(account) };
    }),
  }));
}
