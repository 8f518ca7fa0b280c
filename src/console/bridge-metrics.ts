/**
 * Every metric of the bridge by its name, for `/metrics`; docs/METRICS.md is made from this list. No label names a
 * client or an account, for that would tell who trades.
 */
import type { AccountRow, ConsoleView } from '../gateway/console-view.ts';
import { hopNames, hopTexts } from '../gateway/hops.ts';
import type { PasswordChecks } from '../gateway/password-checks.ts';
import { nowUs } from '../runtime/latency.ts';
import { Metrics } from '../runtime/metrics.ts';
import type { AlarmList } from './alarm-list.ts';
import type { Live } from './live.ts';
import type { Trail } from './trail.ts';

export interface MetricSources {
  /** Undefined until the bridge has opened. */
  readonly view: () => ConsoleView | undefined;
  readonly trail: Trail;
  readonly alarms: AlarmList;
  readonly passwords: Pick<PasswordChecks, 'waiting' | 'dropped'>;
  readonly live: Live;
}

type View = ConsoleView;
type Row = readonly [name: string, help: string, read: (view: View) => number];

/** All gauges of a scrape share one look at the accounts, because it goes over every nonce of their windows. */
const sharedLookUs = 100_000;
let look:
  | { readonly view: View; readonly atUs: number; readonly rows: readonly AccountRow[] }
  | undefined;

function accountsOf(view: View): readonly AccountRow[] {
  const atUs = nowUs();
  if (look?.view !== view || atUs - look.atUs > sharedLookUs) {
    look = { view, atUs, rows: view.venue().accounts };
  }
  return look.rows;
}

const streamSum = (name: string) => (view: View) =>
  sum(accountsOf(view), (one) => one.stream[name]);
const nonces = (letter: string) => (view: View) =>
  sum(
    accountsOf(view),
    ({ nonces: { window } }) => [...window].filter((one) => one === letter).length,
  );

/** Gauges of the whole bridge. */
const gauges: readonly Row[] = [
  ['ready', '1 while orders are taken.', (view) => Number(view.notReady.length === 0)],
  [
    'venue_gate_open',
    '1 while the venue takes orders.',
    (view) => Number(view.gate.state === 'open'),
  ],
  ['kill_switches', 'Kill switches that are on.', (view) => view.kills.length],
  [
    'sessions_slow',
    'Sessions whose peer leaves much unread.',
    (view) => sum(view.sessions(), ({ isSlow }) => Number(isSlow)),
  ],
  [
    'session_queued',
    'Messages that wait beyond a gap.',
    (view) => sum(view.sessions(), ({ queued }) => queued),
  ],
  [
    'session_held',
    'Messages that wait for a logon.',
    (view) => sum(view.sessions(), ({ held }) => held),
  ],
  [
    'session_unread_bytes',
    'Bytes that peers have not taken yet.',
    (view) => sum(view.sessions(), ({ unreadBytes }) => unreadBytes),
  ],
  [
    'orders_open',
    'Open orders of the sessions.',
    (view) => sum(accountsOf(view), ({ openOrders }) => openOrders),
  ],
  [
    'venue_requests_in_flight',
    'Requests without an answer yet.',
    (view) => sum(accountsOf(view), ({ inFlight }) => inFlight),
  ],
  [
    'venue_actions_queued',
    'Actions that wait for a request.',
    (view) => sum(accountsOf(view), ({ queued }) => queued),
  ],
  [
    'nonce_waiting',
    'Actions that wait for a nonce.',
    (view) => sum(accountsOf(view), ({ waiting }) => waiting),
  ],
  [
    'venue_clock_offset_ms',
    'Largest offset of the venue clock from ours.',
    (view) => Math.max(0, ...accountsOf(view).map(({ clockOffsetMs }) => Math.abs(clockOffsetMs))),
  ],
  [
    'streams_live',
    'Execution streams that are live.',
    (view) => sum(accountsOf(view), ({ isStreamLive }) => Number(isStreamLive)),
  ],
  ['stream_lag', 'Events known to exist and not yet delivered.', streamSum('lag')],
  [
    'nonce_floor',
    'Highest nonce floor of an account.',
    (view) => Math.max(0, ...accountsOf(view).map(({ nonces: { floor } }) => floor ?? 0)),
  ],
  ['nonces_used', 'Nonces used above the floor.', nonces('u')],
  ['nonces_sent', 'Nonces sent and not settled.', nonces('s')],
  ['nonces_unknown', 'Nonces of unknown outcome.', nonces('?')],
  [
    'nonces_latched',
    'Accounts whose nonces wait for a person.',
    (view) => sum(accountsOf(view), ({ nonces: { isLatched } }) => Number(isLatched)),
  ],
  [
    'copies_behind',
    'Drop copies that readers who are here were not sent yet.',
    (view) => sum(view.readers(), ({ behind, isHere }) => (isHere ? behind : 0)),
  ],
  [
    'copies_held_up',
    'Readers of drop copies that leave no room for more.',
    (view) => sum(view.readers(), ({ isHeldUp }) => Number(isHeldUp)),
  ],
  ['store_uncommitted_turns', 'Turns that wait for the disk.', (view) => view.uncommitted],
  ['audit_records', 'Records of the audit chain.', (view) => view.audit.length],
];

/** What is counted since the start. */
const totals: readonly Row[] = [
  [
    'session_gaps_total',
    'Gaps found in what clients sent.',
    (view) => sum(view.sessions(), ({ counts }) => counts.gaps),
  ],
  [
    'session_resends_total',
    'ResendRequests of clients.',
    (view) => sum(view.sessions(), ({ counts }) => counts.resends),
  ],
  [
    'session_peer_rejects_total',
    'Messages of the bridge that clients rejected.',
    (view) => sum(view.sessions(), ({ counts }) => counts.rejects),
  ],
  ['stream_delivered_total', 'Events of the streams that were delivered.', streamSum('delivered')],
  ['stream_duplicates_total', 'Events that came again and were ignored.', streamSum('duplicates')],
  ['stream_reordered_total', 'Events that came before their turn.', streamSum('reordered')],
  [
    'stream_gap_fills_total',
    'Gap-fills asked for, also now and then when nothing is missing.',
    streamSum('gapFills'),
  ],
  ['stream_recovered_total', 'Events that only a gap-fill brought.', streamSum('recovered')],
];

export function bridgeMetrics({ alarms, live, passwords, trail, view }: MetricSources): Metrics {
  const metrics = new Metrics();
  metrics.watchProcess();
  const now = (read: Row[2]) => () => {
    const open = view();
    return open === undefined ? 0 : read(open);
  };
  for (const [name, help, read] of gauges) metrics.watch({ name, help }, now(read));
  for (const [name, help, read] of totals) metrics.watchTotal({ name, help }, now(read));
  metrics.watchTotal({ name: 'alarms_total', help: 'Alarms.' }, () => alarms.alarms);
  metrics.watch(
    { name: 'password_checks_waiting', help: 'Passwords of logons that wait to be checked.' },
    () => passwords.waiting,
  );
  metrics.watchTotal(
    {
      name: 'password_checks_dropped_total',
      help: 'Logons whose password there was no time or room to check.',
    },
    () => passwords.dropped,
  );
  metrics.watch({ name: 'trail_records', help: 'Records of the trail.' }, () => trail.count);
  metrics.watchTotal(
    { name: 'trail_dropped_total', help: 'Entries that the trail had no room for.' },
    () => trail.dropped,
  );
  metrics.watch(
    { name: 'trail_waiting_bytes', help: 'Bytes that wait for the trail.' },
    () => trail.waitingBytes,
  );
  metrics.watch(
    { name: 'console_pages', help: 'Pages that follow the bridge live.' },
    () => live.pages,
  );
  metrics.watchLabels(
    { name: 'sessions', help: 'Sessions by their state.', labelNames: ['phase'] },
    () => countBy(view()?.sessions() ?? [], ({ phase }) => phase),
  );
  metrics.watchTotals(
    { name: 'rejects_total', help: 'Refusals by their code.', labelNames: ['code'] },
    () => view()?.rejects ?? new Map(),
  );
  metrics.watchLatencies(
    { name: 'hop_us', help: `Where the time of an order goes. ${hopHelp}`, labelNames: ['hop'] },
    () => {
      const latencies = view()?.latencies;
      if (latencies === undefined) return [];
      return hopNames.map((hop) => [hop, latencies.hops[hop]] as const);
    },
  );
  metrics.watchLatencies(
    {
      name: 'store_us',
      help: 'From the end of a turn until its commit is durable.',
      labelNames: ['part'],
    },
    () => {
      const latencies = view()?.latencies;
      return latencies === undefined ? [] : [['commit', latencies.commits] as const];
    },
  );
  return metrics;
}

const hopHelp = hopNames.map((hop) => `${hop}: ${hopTexts[hop]}.`).join(' ');

function sum<T>(rows: readonly T[], read: (row: T) => number | undefined): number {
  return rows.reduce((total, row) => total + (read(row) ?? 0), 0);
}

function countBy<T>(rows: readonly T[], read: (row: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(read(row), (counts.get(read(row)) ?? 0) + 1);
  return counts;
}
