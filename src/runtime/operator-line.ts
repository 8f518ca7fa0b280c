/**
 * What the bridge reports to its operator: each line of the log has the name of its event and the facts that a program
 * searches for, beside a text for people. docs/EVENTS.md is made from the table.
 */

/** `warn`: something was refused or went wrong, and nobody has to do anything about it at once. */
type Level = 'info' | 'warn' | 'error' | 'fatal';

export const lineEvents = {
  started_listening: [
    'info',
    'A port for clients, readers or operators is open; says whether it has TLS.',
  ],
  took_over: ['info', 'A standby serves clients now.'],
  standing_by: ['info', 'A standby waits for the end of the process that has the data.'],
  config_read: ['info', 'The configuration was read again and applied.'],
  config_refused: ['error', 'A new configuration is wrong; the one before stays in force.'],
  config_warning: ['warn', 'The configuration is sound and may still surprise somebody.'],
  cannot_go_on: ['fatal', 'The process ends, because its store failed or a turn threw.'],
  data_lost: ['fatal', 'Another process has taken the data over, so this one ends.'],
  connected: ['info', 'A client proved who it is and has its session; the logon itself follows.'],
  logged_on: ['info', 'A session is logged on.'],
  disconnected: ['info', 'The bridge ended the connection of a session, and says why.'],
  connection_gone: ['info', 'The connection of a session ended.'],
  slow_reader: [
    'error',
    'A client did not read what it was sent and was cut off; its reports are kept.',
  ],
  session_alarm: ['error', 'A session needs attention; `code` says of what kind.'],
  connection_refused: [
    'warn',
    'A connection or logon was refused; the text says why, its peer is not told.',
  ],
  address_blocked: ['warn', 'An address failed to log on too often and is blocked for a while.'],
  logons_waiting: ['error', 'So many passwords wait to be checked that some are turned away.'],
  dialing: ['info', 'A connection of the bridge to a consumer of drop copies came up or broke.'],
  descriptors: [
    'error',
    'The limit of descriptors is too low for the connections that are configured.',
  ],
  stream_state: ['info', 'The execution stream of an account is live, behind, down or latched.'],
  venue_number: [
    'info',
    'The venue stated one of its numbers on the stream of an account; `code` is the number.',
  ],
  account: [
    'error',
    'An account needs attention: a lost outcome, a refusal of the venue, or a hold on its orders.',
  ],
  account_note: ['info', 'Something of an account that is worth knowing.'],
  other_channel: [
    'info',
    'An event of the account is of an order that no session of the bridge sent.',
  ],
  venue: ['error', 'The venue as a whole needs attention: integrity, markets, gate.'],
  venue_note: ['info', 'Something of the venue that is worth knowing.'],
  venue_copy: ['error', "The venue's own drop copy shows more than was heard on the stream."],
  drop_copy: ['error', 'Drop copies of an account or reader need attention.'],
  signer: ['error', 'The signer refused, failed or restarted.'],
  statistics: ['error', 'A statistic is wrong or lost; trading goes on.'],
  kill_switch: ['error', 'An operator stopped trading in a scope.'],
  kill_switch_released: ['info', 'An operator let trading go on in a scope.'],
  console: ['warn', 'Somebody was refused at the console.'],
  trail: ['error', 'The trail of messages cannot be kept; trading goes on.'],
  store_migrated: [
    'info',
    'The store of an earlier version was copied into a log; the old files are kept.',
  ],
  audit: ['error', 'The audit chain was cut, or its head cannot be kept in its file.'],
  audit_head: [
    'info',
    'The head of the audit chain, to be kept where this machine cannot change it.',
  ],
} as const satisfies Readonly<Record<string, readonly [Level, meaning: string]>>;

export type LineEvent = keyof typeof lineEvents;

export interface LineFacts {
  readonly event: LineEvent;
  readonly session?: string;
  /** The alias of the configuration. */
  readonly account?: string;
  /** A code of the tables, or the kind of a session's alarm. */
  readonly code?: string;
  readonly address?: string;
  readonly tls?: boolean;
  /** What lines have in common that strangers can cause in any number; they are folded by it. */
  readonly about?: string;
}

export type Tell = (text: string, facts: LineFacts) => void;

/** For parts that know nothing but a text: they are told about by these facts. */
export function tagged(tell: Tell, facts: LineFacts): (text: string) => void {
  return (text) => tell(text, facts);
}
