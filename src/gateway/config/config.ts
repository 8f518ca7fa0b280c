/**
 * The configuration of one gateway: one YAML file, checked completely before any port is opened. It names secrets by
 * file and contains none. Unknown keys are errors, so a misspelt key never silently means a default.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { didYouMean } from '../../runtime/spelling.ts';
import { key } from '../../runtime/yaml-problem.ts';
import { endDate } from '../../signer/signer-config.ts';
import { defaultStoreLimits } from '../../store/log/log-store.ts';
import { bridgeTables } from '../../store/postgres/migrations.ts';
import { placeKeys } from '../../store/postgres/place-config.ts';
import { nameOf } from './client-names.ts';
import {
  account,
  choice,
  clientPort,
  count,
  file,
  integerOr,
  isLoopback,
  limits,
  list,
  milliseconds,
  name,
  off,
} from './config-keys.ts';
import { consoleSection } from './console-config.ts';
import { profile, session, user } from './session-config.ts';
import { signer } from './signing-config.ts';
import { alarmWebhook, metricsExport, tracing } from './telemetry-config.ts';

const dropCopy = z.strictObject({
  retainCopies: key(
    count.default(1_000_000).meta({ unit: 'copies' }),
    'How many copies of each account are kept.',
    500_000,
  ),
  retainDays: key(
    integerOr(7, 1, 3650),
    'For how long copies are kept, if `retainCopies` does not remove them first.',
    30,
  ),
  maxReplay: key(
    count.default(100_000).meta({ unit: 'copies' }),
    'The most copies that one replay request may cover.',
    50_000,
  ),
  endOfDay: key(
    z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'not a time of day: HH:MM, in UTC')
      .default('00:00')
      .meta({ title: 'time of day, HH:MM', unit: 'UTC' }),
    'When a trading day ends and readers receive its totals.',
    '22:00',
  ),
});

/** `htp://` is formally a valid URL. */
const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'not a URL that begins with http:// or https://',
});

const venue = z.strictObject({
  profile: key(
    file,
    'The venue profile: the endpoints, fields, limits and features of the venue. See the [venue contract](venue/contract.md).',
    '../dictionaries/venue.sandbox.yaml',
  ),
  baseUrl: key(
    httpUrl.optional().meta({ title: 'URL' }),
    'The base address of the venue, in place of the one in the venue profile.',
    'https://api.venue.example',
  ),
});

const credential = {
  apiKeyFile: key(file, 'The API key for the venue.', 'secrets/desk-1.api-key'),
  apiSecretFile: key(
    file,
    'The secret of the API key; other users must not be able to read it.',
    'secrets/desk-1.api-secret',
  ),
  passphraseFile: key(
    file,
    'The passphrase of the API key; other users must not be able to read it.',
    'secrets/desk-1.api-passphrase',
  ),
  apiKeyExpiresAt: endDate(
    'When the API key expires; alarms are raised a week, a day and an hour before. `null`: never.',
  ),
};

/** The venue credential only admits requests; the key that moves funds is in the signer alone. */
const tradingAccount = z.strictObject({
  name: key(
    name,
    'The alias that clients use in Account(1). The account keeps it: a start refuses another one on the same data.',
    'desk-1',
  ),
  account: key(account, 'The address of the account at the venue.', `0x${'1'.repeat(40)}`),
  ...credential,
  older: z
    .strictObject(credential)
    .optional()
    .describe(
      'During a rotation, the previous credential. It is used for requests that the venue refuses with the newer one.',
    ),
  limits: limits
    .prefault({})
    .describe('Limits across all sessions of the account, each in place of the one in `limits`.'),
});

const store = z.strictObject({
  postgres: z
    .strictObject({
      ...placeKeys('bridge', 'causeway', bridgeTables.command),
      shard: key(
        name.optional(),
        'The name under which this bridge keeps its data; several bridges with different names share a database. If absent, `gateway`, or `relay` for a process that only relays.',
        'desk-1',
      ),
    })
    .describe('A PostgreSQL database, version 14 or later, best with a synchronous standby.'),
});

const shape = z.strictObject({
  environment: z
    .enum(['local', 'mainnet'])
    .describe(
      'The kind of venue. On `mainnet` every venue value that an enabled feature depends on must be confirmed in the venue profile.',
    ),
  dataDir: key(
    file,
    'The directory of the journal, messages and sequence numbers. One process uses it at a time. With `store` it only contains sockets and the search data of the console.',
    'data/gateway',
  ),
  durability: key(
    z.enum(['replicated', 'power', 'process']).optional(),
    'What a record survives before anything is sent: the loss of the machine (only with `store`, and with a synchronous standby), a loss of power, or only the end of the process. If absent, `replicated` with `store`, otherwise `power`. On mainnet `replicated` refuses to start without a standby.',
    'power',
  ),
  store: store
    .optional()
    .describe(
      'A database instead of the journal in `dataDir`, so that another machine can continue if this one is lost.',
    ),
  maxDataBytes: key(
    z
      .int()
      .min(defaultStoreLimits.reserveBytes + 1024 ** 2)
      .default(defaultStoreLimits.maxBytes),
    'The most disk space for journal and messages. Near it new orders are refused; cancels and reports continue.',
    200_000_000_000,
  ),
  journalDays: key(
    integerOr(90, 1, 3650),
    'How long the journals of the accounts, the source of evidence, are kept.',
    365,
  ),
  auditHeadFile: key(
    file.optional(),
    'A file that receives each new head of the audit chain. Keep it where someone who can change `dataDir` cannot.',
    '/mnt/audit/head',
  ),
  venue: venue.describe('The venue that the gateway trades on.'),
  roles: key(
    list(z.enum(['order-entry', 'drop-copy'])).default(['order-entry', 'drop-copy']),
    'What this process does. With `drop-copy` alone it only relays copies: it has no signer and submits nothing.',
    ['drop-copy'],
  ),
  signer: signer
    .optional()
    .describe('Who signs actions. Required, unless `roles` is only `drop-copy`.'),
  accounts: list(tradingAccount).describe(
    'The accounts at the venue, with the credentials to use them.',
  ),
  fix: z.strictObject(clientPort).describe('The port for sessions with `protocol: fix`.'),
  fixp: z
    .strictObject({
      ...clientPort,
      byteOrder: choice(['big', 'little'], 'big').describe(
        'The byte order of the framing header. Messages are always little-endian.',
      ),
    })
    .optional()
    .describe('The port for sessions with `protocol: fixp`.'),
  console: consoleSection
    .optional()
    .describe(
      'The [web page for operators](CONSOLE.md), with metrics and health. If absent, the gateway serves none of these.',
    ),
  alarmWebhook: alarmWebhook.optional(),
  tracing: tracing.optional(),
  metricsExport: metricsExport.optional(),
  users: list(user).describe('The users that log on, and how they prove it.'),
  profiles: z
    .record(name, profile)
    .default({})
    .describe('Settings that sessions share, under a name that `sessions[].profile` refers to.'),
  sessions: list(session).describe(
    'The sessions of clients. A client can log on only to a session listed here.',
  ),
  dropCopy: dropCopy
    .prefault({})
    .describe('How long [drop copies](DROPCOPY.md) are kept, and how many one request may cover.'),
  limits: limits
    .prefault({})
    .describe('Risk limits of every session and account that does not set its own.'),
  unknownAfterMs: key(
    milliseconds.min(100).default(30_000),
    'How long an order or request may go unanswered before the client is informed that its outcome is unknown. It is never rejected because of that.',
    10_000,
  ),
  patienceMs: key(
    milliseconds.min(100).default(5_000),
    'How long an order that has not been sent may wait for its record or for capacity at the venue before it is rejected.',
    2_000,
  ),
  placeWithoutStream: off.describe(
    'Allows new orders while the execution stream of the account is down. Their fills are then reported late.',
  ),
  shutdownGraceMs: key(
    milliseconds.default(10_000),
    'How long a shutdown waits for outstanding requests before it logs clients out and exits.',
    30_000,
  ),
});

/** Two ports on one address conflict; port 0 selects a free one, and 0.0.0.0 and :: are every address. */
function checkPorts(
  { console, fix, fixp }: z.output<typeof shape>,
  context: z.RefinementCtx,
): void {
  const taken: { readonly name: string; readonly host: string; readonly port: number }[] = [];
  for (const [name, section] of Object.entries({ fix, fixp, console })) {
    if (section === undefined || section.listen.port === 0) continue;
    const { host, port } = section.listen;
    const other = taken.find((one) => one.port === port && overlap(one.host, host));
    if (other !== undefined) {
      refuse(context, [name, 'listen', 'port'], `${port} is already the port of ${other.name}`);
    }
    taken.push({ name, host, port });
  }
}

function overlap(a: string, b: string): boolean {
  const isAny = (host: string) => host === '0.0.0.0' || host === '::';
  const address = (host: string) => (host === 'localhost' ? '127.0.0.1' : host);
  return address(a) === address(b) || isAny(a) || isAny(b);
}

export const configSchema = shape.superRefine((config, context) => {
  const { console, users } = config;
  if (console !== undefined) {
    const { listen, tls } = console;
    if (tls === undefined && !isLoopback(listen.host)) {
      const text = `is missing: other machines can reach ${listen.host}, so set tls or listen on 127.0.0.1`;
      refuse(context, ['console', 'tls'], text);
    }
  }
  for (const [index, entry] of users.entries()) {
    if (entry.secretHashFile === undefined && entry.hmacSecretFile === undefined) {
      refuse(context, ['users', index], 'needs secretHashFile or hmacSecretFile');
    }
  }
  if (config.durability === 'replicated' && config.store === undefined) {
    refuse(context, ['durability'], 'replicated needs the section "store" with a database');
  }
  if (config.metricsExport !== undefined && console === undefined) {
    refuse(context, ['metricsExport'], 'needs the section "console", which counts the metrics');
  }
  checkPorts(config, context);
  checkFixp(config, context);
  checkRoles(config, context);
  checkReferences(config, context);
  checkOrderNames(config, context);
});

/** Checks that the users, accounts and profiles that sessions name exist. */
function checkReferences(
  { accounts, profiles, sessions, users }: z.output<typeof shape>,
  context: z.RefinementCtx,
): void {
  const known = {
    users: users.map(({ name }) => name),
    accounts: accounts.map(({ name }) => name),
    profiles: Object.keys(profiles),
  };
  const look = (name: string, among: keyof typeof known, path: (string | number)[]) => {
    if (known[among].includes(name)) return;
    const guess = didYouMean(name, known[among]);
    refuse(context, path, `no ${among.slice(0, -1)} "${name}" in ${among}.${guess}`);
  };
  for (const [index, entry] of sessions.entries()) {
    const at = ['sessions', index];
    for (const [place, user] of entry.users.entries()) look(user, 'users', [...at, 'users', place]);
    for (const [place, alias] of entry.accounts.entries()) {
      look(alias, 'accounts', [...at, 'accounts', place]);
    }
    if (entry.profile !== undefined) look(entry.profile, 'profiles', [...at, 'profile']);
    if (entry.role !== 'market-data' && entry.accounts.length === 0) {
      const text = `a session for ${entry.role} needs at least one account`;
      refuse(context, [...at, 'accounts'], text);
    }
    if (entry.role !== 'drop-copy' && entry.connect !== undefined) {
      const text = 'only a session with the role drop-copy can connect out';
      refuse(context, [...at, 'connect'], text);
    }
  }
}

/**
 * An account finds orders by their session's name, a slash and the ClOrdID, and a ClOrdID may contain slashes. So the
 * name of a session must not start with that of another one and a slash.
 */
function checkOrderNames({ sessions }: z.output<typeof shape>, context: z.RefinementCtx): void {
  const named = sessions.map((session, index) => ({ name: `${nameOf(session)}/`, session, index }));
  named.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const [place, { index, name }] of named.entries()) {
    const before = named[place - 1];
    if (before === undefined || !name.startsWith(before.name)) continue;
    const other = before.session.senderCompId;
    const text = `orders of this session could be taken for orders of "${other}": choose a CompID that does not begin with "${other}/"`;
    refuse(context, ['sessions', index, 'senderCompId'], text);
  }
}

/** A process that only relays has no keys and accepts no orders. */
function checkRoles(
  { roles, sessions, signer: signing }: z.output<typeof shape>,
  context: z.RefinementCtx,
): void {
  if (roles.includes('order-entry')) {
    if (signing === undefined)
      refuse(context, ['signer'], 'is missing: the role order-entry needs a signer');
    return;
  }
  if (signing !== undefined)
    refuse(
      context,
      ['signer'],
      'remove this section: a process that only relays drop copies does not sign',
    );
  for (const [index, { role }] of sessions.entries()) {
    if (role === 'drop-copy') continue;
    refuse(
      context,
      ['sessions', index, 'role'],
      'must be drop-copy: this process only relays copies',
    );
  }
}

/** A FIXP client sends its user but no session name, so a user must belong to one session only. */
function checkFixp({ fixp, sessions }: z.output<typeof shape>, context: z.RefinementCtx): void {
  const taken = new Set<string>();
  for (const [index, { connect, protocol, users }] of sessions.entries()) {
    if (protocol !== 'fixp') continue;
    const at = ['sessions', index];
    if (fixp === undefined && connect === undefined) {
      refuse(context, [...at, 'protocol'], 'needs the section "fixp" with a port to listen on');
    }
    for (const [place, user] of users.entries()) {
      if (taken.has(user)) {
        refuse(
          context,
          [...at, 'users', place],
          `user "${user}" already belongs to another FIXP session`,
        );
      }
      taken.add(user);
    }
  }
}

export type Config = z.output<typeof configSchema>;
export type AccountConfig = Config['accounts'][number];
export type SessionConfig = Config['sessions'][number];
export type FixSessionConfig = Extract<SessionConfig, { protocol: 'fix' }>;
export type FixpSessionConfig = Extract<SessionConfig, { protocol: 'fixp' }>;
export type ClientProfile = z.output<typeof profile>;
export type RiskLimits = z.output<typeof limits>;

export const defaultProfile: ClientProfile = profile.parse({});

export function profileOf({ profile: name }: SessionConfig, { profiles }: Config): ClientProfile {
  return (name === undefined ? undefined : profiles[name]) ?? defaultProfile;
}

/** Returns the changed keys that need a restart; all others may change while sessions run. */
export function startOnlyChanges(before: Config, after: Config): readonly string[] {
  return changedKeys(startOnly(before), startOnly(after));
}

type Sections = Readonly<Record<string, unknown>>;

/** Either may lack a section. */
export function changedKeys(before: Sections, after: Sections): readonly string[] {
  const keys = Object.keys({ ...before, ...after });
  return keys.filter((key) => !isDeepStrictEqual(before[key], after[key]));
}

function startOnly({
  journalDays: _days,
  limits: _limits,
  profiles: _profiles,
  sessions: _sessions,
  shutdownGraceMs: _grace,
  users: _users,
  accounts,
  ...rest
}: Config) {
  return { ...rest, accounts: accounts.map(({ account, name }) => ({ account, name })) };
}

/** Returns the JSON schema of the file, for editors. */
export function configJsonSchema(): unknown {
  return z.toJSONSchema(shape, { io: 'input' });
}

function refuse(context: z.RefinementCtx, path: (string | number)[], message: string): void {
  context.addIssue({ code: 'custom', path, message });
}
