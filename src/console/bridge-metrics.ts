/**
 * Every metric of the bridge by name, for `/metrics`; docs/METRICS.md is generated from this list. A name that ends in
 * `_total` is a counter, any other a gauge. No label identifies a client or an account, because that would reveal who
 * trades.
 */

import { hopNames, hopTexts } from '../gateway/account/hops.ts';
import type { AccountRow, ConsoleView, ReaderRow, SessionRow } from '../gateway/console-view.ts';
import type { PasswordChecks } from '../gateway/passwords/password-checks.ts';
import { type Latency, nowUs } from '../runtime/latency.ts';
import { Metrics } from '../runtime/metrics.ts';
import type { AlarmList } from './alarm-list.ts';
import type { Live } from './live.ts';
import type { Trail } from './trail.ts';

interface MetricSources {
  /** Undefined until the bridge has opened; its metrics are 0 until then. */
  readonly view: () => ConsoleView | undefined;
  readonly trail: Trail;
  readonly alarms: AlarmList;
  readonly passwords: Pick<PasswordChecks, 'waiting' | 'dropped'>;
  readonly live: Live;
}

type Row<Source> = readonly [name: string, help: string, read: (source: Source) => number];

const ofBridge: readonly Row<ConsoleView>[] = [
  ['ready', '1 while orders are accepted.', ({ notReady }) => Number(notReady.length === 0)],
  [
    'venue_gate_open',
    '1 while the venue accepts orders.',
    ({ gate }) => Number(gate.state === 'open'),
  ],
  [
    'venue_build_unknown',
    'Facts about its build that the venue does not report.',
    ({ unknownBuild }) => unknownBuild.length,
  ],
  ['kill_switches', 'Kill switches that are on.', ({ kills }) => kills.length],
  [
    'store_uncommitted_transactions',
    'Transactions whose commit is not durable yet.',
    ({ uncommitted }) => uncommitted,
  ],
  ['audit_records', 'Records of the audit chain.', ({ audit }) => audit.length],
  [
    'venue_clock_offset_ms',
    'Largest offset between the venue clock and ours.',
    (view) => largest(view, ({ clockOffsetMs }) => Math.abs(clockOffsetMs)),
  ],
  [
    'nonce_floor',
    'Highest nonce floor of an account.',
    (view) => largest(view, ({ nonces }) => nonces.floor ?? 0),
  ],
];

/** Each of these is summed over all sessions. */
const ofSessions: readonly Row<SessionRow>[] = [
  ['sessions_slow', 'Sessions whose peer is a slow reader.', ({ isSlow }) => Number(isSlow)],
  ['session_queued', 'Messages queued behind a gap.', ({ queued }) => queued],
  ['session_held', 'Messages stored for a client that is not logged on.', ({ held }) => held],
  ['session_unread_bytes', 'Bytes that peers have not read yet.', ({ unreadBytes }) => unreadBytes],
  ['session_gaps_total', 'Gaps in the sequence numbers of clients.', ({ counts }) => counts.gaps],
  ['session_resends_total', 'ResendRequests from clients.', ({ counts }) => counts.resends],
  [
    'session_peer_rejects_total',
    'Messages of the bridge that clients rejected.',
    ({ counts }) => counts.rejects,
  ],
];

const stream = (name: string) => (row: AccountRow) => row.stream[name] ?? 0;
const nonces = (letter: string) => (row: AccountRow) =>
  [...row.nonces.window].filter((one) => one === letter).length;

/** Each of these is summed over all accounts. */
const ofAccounts: readonly Row<AccountRow>[] = [
  ['orders_open', 'Open orders of the sessions.', ({ openOrders }) => openOrders],
  ['venue_requests_in_flight', 'Requests without a response yet.', ({ inFlight }) => inFlight],
  ['venue_actions_queued', 'Actions that wait for a request.', ({ queued }) => queued],
  ['nonce_waiting', 'Actions that wait for a nonce.', ({ waiting }) => waiting],
  ['streams_live', 'Execution streams that are live.', ({ isStreamLive }) => Number(isStreamLive)],
  ['stream_lag', 'Events known to exist and not yet delivered.', stream('lag')],
  ['stream_delivered_total', 'Events that the streams delivered.', stream('delivered')],
  ['stream_duplicates_total', 'Events that arrived again and were ignored.', stream('duplicates')],
  ['stream_reordered_total', 'Events that arrived out of order.', stream('reordered')],
  [
    'stream_gap_fills_total',
    'Gap-fills requested, including periodic checks when nothing is missing.',
    stream('gapFills'),
  ],
  ['stream_recovered_total', 'Events that arrived only through a gap-fill.', stream('recovered')],
  ['keys_refused', 'Signing keys that the venue has refused.', ({ refusedKeys }) => refusedKeys],
  [
    'credentials_refused',
    'Credentials that the venue has refused.',
    ({ refusedCredentials }) => refusedCredentials,
  ],
  ['nonces_used', 'Nonces used above the floor.', nonces('u')],
  ['nonces_sent', 'Nonces sent and not settled.', nonces('s')],
  ['nonces_unknown', 'Nonces with an unknown outcome.', nonces('?')],
  [
    'nonces_latched',
    'Accounts whose nonces are latched until an operator acts.',
    (row) => Number(row.nonces.isLatched),
  ],
];

/** Each of these is summed over all drop-copy readers. */
const ofReaders: readonly Row<ReaderRow>[] = [
  [
    'copies_behind',
    'Drop copies that connected readers were not sent yet.',
    ({ behind, isHere }) => (isHere ? behind : 0),
  ],
  ['copies_held_up', 'Drop-copy readers whose buffer is full.', ({ isHeldUp }) => Number(isHeldUp)],
];

const ofConsole: readonly Row<Omit<MetricSources, 'view'>>[] = [
  ['alarms_total', 'Alarms.', ({ alarms }) => alarms.alarms],
  [
    'password_checks_waiting',
    'Logons that wait for their password check.',
    ({ passwords }) => passwords.waiting,
  ],
  [
    'password_checks_dropped_total',
    'Logons dropped before their password was checked.',
    ({ passwords }) => passwords.dropped,
  ],
  ['trail_records', 'Records of the trail.', ({ trail }) => trail.count],
  ['trail_dropped_total', 'Trail entries dropped for lack of room.', ({ trail }) => trail.dropped],
  ['trail_waiting_bytes', 'Bytes queued for the trail.', ({ trail }) => trail.waitingBytes],
  ['console_pages', 'Console pages with live updates.', ({ live }) => live.pages],
];

export function bridgeMetrics(sources: MetricSources): Metrics {
  const { view } = sources;
  const metrics = new Metrics();
  metrics.watchProcess();
  const each = <Source>(list: (open: ConsoleView) => readonly Source[]) => {
    return () => {
      const open = view();
      return open === undefined ? [] : list(open);
    };
  };
  const watch = <Source>(
    rows: readonly Row<Source>[],
    list: (open: ConsoleView) => readonly Source[],
  ) => {
    for (const [name, help, read] of rows) {
      metrics.watch({ name, help }, () => each(list)().reduce((sum, one) => sum + read(one), 0));
    }
  };
  watch(ofBridge, (open) => [open]);
  watch(ofSessions, (open) => open.sessions());
  watch(ofAccounts, accountsOf);
  watch(ofReaders, (open) => open.readers());
  for (const [name, help, read] of ofConsole) metrics.watch({ name, help }, () => read(sources));
  metrics.watchLabels(
    { name: 'sessions', help: 'Sessions by state.', labelNames: ['phase'] },
    () => {
      const byPhase = Map.groupBy(view()?.sessions() ?? [], ({ phase }) => phase);
      return new Map([...byPhase].map(([phase, { length }]) => [phase, length]));
    },
  );
  metrics.watchLabels(
    { name: 'rejects_total', help: 'Refusals by code.', labelNames: ['code'] },
    () => view()?.rejects ?? new Map(),
  );
  const hopHelp = hopNames.map((hop) => `${hop}: ${hopTexts[hop]}.`).join(' ');
  metrics.watchLatencies(
    { name: 'hop_us', help: `Latency of each hop of an order. ${hopHelp}`, labelNames: ['hop'] },
    each(({ latencies }) => hopNames.map((hop): Latencies => [hop, latencies.hops[hop]])),
  );
  const commitHelp = 'From the end of a transaction until its commit is durable.';
  metrics.watchLatencies(
    { name: 'store_us', help: commitHelp, labelNames: ['part'] },
    each(({ latencies }): Latencies[] => [['commit', latencies.commits]]),
  );
  return metrics;
}

type Latencies = readonly [name: string, latency: Latency];

/** All gauges of a scrape share one view of the accounts, because it goes through every nonce of their windows. */
const sharedLookUs = 100_000;
let look:
  | { readonly view: ConsoleView; readonly atUs: number; readonly rows: readonly AccountRow[] }
  | undefined;

function accountsOf(view: ConsoleView): readonly AccountRow[] {
  const atUs = nowUs();
  if (look?.view !== view || atUs - look.atUs > sharedLookUs) {
    look = { view, atUs, rows: view.venue().accounts };
  }
  return look.rows;
}

function largest(view: ConsoleView, read: (row: AccountRow) => number): number {
  return Math.max(0, ...accountsOf(view).map(read));
}
