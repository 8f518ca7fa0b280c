/**
 * The events that the bridge reports to its operator. Each log line has the name of its event and searchable fields in
 * addition to a text for people. docs/EVENTS.md is generated from this table.
 */

/**
 * `warn`: something was refused or failed, but needs no immediate action. `alarm`: an operator should check; it is
 * logged as an error. Each alarm names its section of docs/OPERATING.md; other events may.
 */
type Level = 'info' | 'warn' | 'alarm' | 'fatal';

interface EventRow {
  readonly level: Level;
  readonly meaning: string;
  /** The anchor of a section of docs/OPERATING.md. */
  readonly runbook?: string;
  readonly isCoded?: true;
}

const info = (meaning: string) => ({ level: 'info', meaning }) as const;
const warn = (meaning: string, runbook?: string) =>
  ({ level: 'warn', meaning, ...(runbook !== undefined && { runbook }) }) as const;
const alarm = (meaning: string, runbook = 'an-alarm-in-the-log') =>
  ({ level: 'alarm', meaning, runbook }) as const;
/** An alarm whose lines all have a `code`. */
const coded = (meaning: string, runbook = 'an-alarm-in-the-log') =>
  ({ level: 'alarm', meaning, runbook, isCoded: true }) as const;
const fatal = (meaning: string, runbook: string) => ({ level: 'fatal', meaning, runbook }) as const;

const noLogon = 'a-client-cannot-log-on';
const cutOff = 'a-client-is-cut-off';
const lateReports = 'reports-are-late';
const refusedOrders = 'orders-are-refused';

export const lineEvents = {
  started_listening: info(
    'A port for clients, readers or operators is open; `tls` says whether it uses TLS.',
  ),
  stopping: info('The process was asked to stop and accepts no more orders.'),
  stopped: info('The process has stopped in good order.'),
  standing_by: info('A standby waits until the process that owns the data exits.'),
  taking_over: info('A standby has the data and starts; it serves no clients yet.'),
  took_over: info('A standby now serves clients.'),
  start_stopped: info('A signal has ended the process before it served anybody.'),
  config_read: info('The configuration was reloaded and applied.'),
  config_refused: alarm(
    'The new configuration is invalid; the previous one stays in force.',
    'start-stop-reload',
  ),
  config_warning: warn('The configuration is valid, but something in it may surprise you.'),
  shard_serving: info('The worker of a shard serves clients.'),
  shard_stopping: info('The worker of a shard ends its sessions and stops.'),
  shard_given_up: info(
    'This node gives a shard to a node that has fewer shards, or that reaches its signer; the text says why.',
  ),
  shard_not_ready: warn(
    'A shard stays with its node, because no other one that could have it is ready to serve it. The text names each node and its reason.',
    'a-node-or-a-shard-is-missing',
  ),
  worker_ended: alarm(
    'The worker of a shard has exited unexpectedly; the text states whether it is restarted.',
    'a-worker-of-a-node-ends',
  ),
  cannot_go_on: fatal(
    'The process exits because its store failed or a transaction threw an exception.',
    'the-bridge-does-not-answer',
  ),
  data_lost: fatal('Another process has taken over the data, so this one exits.', 'standby'),
  connected: info('A client has authenticated and is connected to its session; its logon follows.'),
  logged_on: info('A session is logged on.'),
  disconnected: info(
    'The connection of a session has ended. `reason` is the text of the logout, a fault, or the loss of the connection.',
  ),
  slow_reader: alarm(
    'A client did not read its messages and was disconnected; its reports are kept.',
    cutOff,
  ),
  session_alarm: coded('A session needs attention; `code` has the reason.'),
  connection_refused: warn(
    'A connection or logon was refused; the text has the reason. A peer that has not proved its identity gets a general one.',
    noLogon,
  ),
  address_blocked: warn(
    'A client name failed to log on too often from an address and is blocked there for a while.',
    noLogon,
  ),
  logons_waiting: alarm(
    'Too many password checks are queued, so some logons are refused.',
    noLogon,
  ),
  dialing: info('A connection from the bridge to a consumer of drop copies came up or broke.'),
  descriptors: alarm(
    'The descriptor limit is too low for the configured connections.',
    'it-does-not-start',
  ),
  stream_live: info('The execution stream of an account is live.'),
  stream_down: warn(
    'The execution stream of an account is down or catching up; `code` is its state.',
    lateReports,
  ),
  stream_problem: warn(
    'The execution stream of an account delivered something unexpected and continues.',
    lateReports,
  ),
  stream_latched: alarm(
    'The sequence of the execution stream went backward, so the bridge stopped reading it.',
    lateReports,
  ),
  stream_failed: alarm('The execution stream of an account does not respond.', lateReports),
  events_lost: alarm(
    'The venue no longer keeps some executions; open orders were rebuilt from receipts. `orderId` names an order without a receipt.',
  ),
  venue_number: info(
    'The venue sent a numeric code on the stream of an account; `code` is the number.',
  ),
  venue_refused: coded(
    'The venue refused an action for a reason that needs an operator; `code` is the refusal. If the error may be ours, `hash` and `canonical` are what was signed.',
    refusedOrders,
  ),
  placements_blocked: coded(
    'No orders are placed for an account, or only those that reduce, until an operator reopens it; `code` is the refusal.',
    refusedOrders,
  ),
  account: coded('An account needs attention; `code` has the reason, for instance `outcome_open`.'),
  orders_left: alarm(
    'An account that was removed from the configuration has open orders, or a session that was removed or has another role than `order-entry` now; the text says how many.',
  ),
  other_channel: info(
    'An event belongs to an order that no session of the bridge sent; at most one line per account and minute.',
  ),
  unlisted_market: alarm(
    'An event belongs to a market that the venue does not list, so its order cannot be followed.',
  ),
  venue: coded(
    'The profile and the venue disagree, or the venue cannot be read; `code` contains which.',
  ),
  venue_closed: coded(
    'The venue takes no orders, so none are placed; cancels are still sent. `code` is its state: `unreachable`, `halted`, `not_ready` or `ledger_degraded`.',
    refusedOrders,
  ),
  venue_open: info('The venue accepts orders, at the start or again.'),
  market_halted: info('The venue halted or closed a market; its orders are refused.'),
  market_resumed: info('A halted market trades again.'),
  venue_problem: warn('A query to the venue failed and is repeated; `code` is its kind.'),
  venue_build: warn('The venue does not report some facts about its build.'),
  venue_copy: alarm("The venue's own drop copy contains more than its execution stream delivered."),
  drop_copy: alarm('The drop copies of an account or reader need attention.'),
  signer: coded('The signer refused, failed or restarted; `code` contains which.', 'the-signer'),
  signer_ready: info(
    'The signer is listening; the line has its backend, its location and its keys.',
  ),
  signer_alarm: coded(
    'The signer refused what a bridge asked for, or its ledger, its audit log or one of its keys needs an operator; `code` contains which.',
    'the-signer',
  ),
  signer_connection: warn('The signer refused a connection.', 'the-signer'),
  signer_ended: fatal(
    'The signer exits because it can no longer record; `code` is `ledger_failed` or `audit_failed`.',
    'the-signer',
  ),
  expiry: coded(
    'A key, certificate or credential expires soon or has expired; the text names it, `code` contains how soon.',
    'rotating-keys-credentials-and-certificates',
  ),
  statistics: alarm('A statistic is wrong or lost; trading continues.'),
  kill_switch: alarm(
    'An operator stopped trading for everything, an account or a session.',
    'a-kill-switch-is-on',
  ),
  act_unconfirmed: alarm(
    'A kill switch or a change of limits has not been confirmed by all shards of a cluster; the text names them.',
    'an-act-is-not-confirmed',
  ),
  limits_changed: info('An operator changed the risk limits of an account or a session.'),
  kill_switch_released: info('An operator allowed trading again.'),
  webhook_failed: warn(
    'An alarm could not be sent to the webhook; the log has it.',
    'alarms-to-a-webhook',
  ),
  metrics_export: warn(
    'The OpenTelemetry collector stopped accepting metrics, or accepts them again; trading continues.',
    'metrics-to-opentelemetry',
  ),
  console: warn('The console refused a request or a login.'),
  trail: alarm('The message trail of the console cannot be kept; trading continues.'),
  space_low: alarm(
    'Only the reserve of the disk, or of `maxDataBytes`, is left: new orders are refused; cancels and reports continue.',
    'the-disk-is-full',
  ),
  space_back: info('There is space again, and orders are accepted.'),
  database_away: alarm(
    'The database does not commit, so nothing is sent; the bridge looks for its primary.',
    'the-database-does-not-commit',
  ),
  database_behind: alarm(
    'The database has lost commits of a shard, so no worker is started on it.',
    'the-database-does-not-commit',
  ),
  database_back: info('The database commits again, and everything that waited is sent.'),
  standby_lost: alarm(
    'Commits do not wait for a synchronous standby, so a failover could lose confirmed data.',
    'the-database-does-not-commit',
  ),
  standby_back: info('Commits wait for a synchronous standby again.'),
  store_migrated: info(
    'The store of an earlier version was copied into a log; the old files are kept.',
  ),
  audit: alarm(
    'The audit chain was cut, or its head cannot be written to its file.',
    'backups-and-audits',
  ),
  audit_head: info('The head of the audit chain; keep it where this machine cannot change it.'),
} as const satisfies Readonly<Record<string, EventRow>>;

export type LineEvent = keyof typeof lineEvents;

/** Only an event with a section of the runbook can be raised as an alarm. */
export type AlarmEvent = {
  [Event in LineEvent]: (typeof lineEvents)[Event]['level'] extends 'alarm' | 'fatal'
    ? Event
    : never;
}[LineEvent];

export interface LineFacts {
  readonly event: LineEvent;
  readonly session?: string;
  /** The alias in the configuration. */
  readonly account?: string;
  readonly orderId?: string | undefined;
  /** A code from the tables, or the kind of a session's alarm. */
  readonly code?: string | undefined;
  /** Why a connection or session ended. */
  readonly reason?: string;
  readonly address?: string;
  readonly tls?: boolean;
  /** Combines lines that strangers can cause in any number into one row of the console. */
  readonly about?: string;
}

type CodedEvent = {
  [Event in LineEvent]: (typeof lineEvents)[Event] extends { readonly isCoded: true }
    ? Event
    : never;
}[LineEvent];

/** An alarm without the code that its event requires does not compile. */
export type AlarmFacts =
  | (LineFacts & { readonly event: CodedEvent; readonly code: string })
  | (LineFacts & { readonly event: Exclude<AlarmEvent, CodedEvent> });

export type WriteNotice = (text: string, facts: LineFacts) => void;
export type RaiseAlarm = (text: string, facts: AlarmFacts) => void;

/** The log of a process, in which its parts write. */
export interface OperatorLines {
  readonly alarm: RaiseAlarm;
  readonly notice: WriteNotice;
}

/** For callers that only have a text. */
export function withFacts<Facts extends LineFacts>(
  write: (text: string, facts: Facts) => void,
  facts: Facts,
): (text: string) => void {
  return (text) => write(text, facts);
}

/** The section of the runbook for an event; alert rules use it too. */
export function runbookOf(event: LineEvent): string | undefined {
  const row: EventRow = lineEvents[event];
  return row.runbook === undefined ? undefined : `docs/OPERATING.md#${row.runbook}`;
}
