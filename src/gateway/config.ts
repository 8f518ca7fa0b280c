/**
 * The configuration of one gateway: one YAML file, checked whole before anything binds. Secrets are named by file,
 * never written here. Strict throughout, so a misspelt key is an error and not a silent default.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { defaultSqliteLimits } from '../store/sqlite-store.ts';
import { AddressList } from '../transport/address.ts';
import { fixEngineKeys, messageRates } from './engine-config.ts';

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/, 'not a name: letters, digits, dot, dash, underscore');
const compId = z.string().regex(/^[!-~]{1,32}$/, 'not a CompID: 1 to 32 printable characters');
const file = z.string().min(1).max(4096).describe('a file; relative to the configuration file');
const milliseconds = z.int().min(0).max(86_400_000);
const port = z.int().min(0).max(65_535);
const count = z.int().min(1).max(10_000_000);
/** Amounts are decimal text: a YAML number would pass through a float. */
const decimal = z
  .string()
  .regex(/^\d{1,20}(\.\d{1,18})?$/, 'not a decimal in quotes, such as "1500.25"');
const account = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/, 'not an account: 0x and 40 lowercase hex digits');

const addressRange = z.string().refine(isAddressRange, 'not an address or a network');

const listen = z.strictObject({ host: z.string().min(1).max(255).default('127.0.0.1'), port });

const tls = z.strictObject({
  certFile: file,
  keyFile: file,
  clientCaFile: file.optional().describe('set: every client must show a certificate signed by it'),
});

const clientPort = {
  listen,
  tls: tls.optional(),
  maxConnections: count.default(1000),
  proxies: z
    .array(addressRange)
    .min(1)
    .optional()
    .describe('balancers that tell the address of the client by PROXY protocol v2; nobody else'),
};

const limits = z.strictObject({
  maxOrderQty: decimal.optional(),
  maxNotional: decimal.optional(),
  priceCollarBps: z.int().min(1).max(10_000).optional(),
  maxOpenOrders: count.optional(),
  ordersPerSecond: count.optional(),
  maxDuplicatesPerSecond: count.optional(),
});

const profile = z.strictObject({
  iocRemainder: z.enum(['canceled', 'expired']).default('canceled'),
  pending: z.enum(['full', 'reduced']).default('full'),
  dayOrders: z.enum(['end_of_day', 'gtc', 'reject']).default('end_of_day'),
  stp: z
    .enum(['cancel_maker', 'cancel_taker', 'reject', 'skip_self', 'none'])
    .default('cancel_taker'),
  strictTags: z.boolean().default(false),
  maxOrderAgeMs: milliseconds.default(120_000),
  massCancelScope: z.enum(['session', 'account']).default('session'),
  reportQuoteOrders: z
    .boolean()
    .default(false)
    .describe('every report of the orders behind quotes, and not their trades alone'),
  reportOtherChannels: z
    .boolean()
    .default(false)
    .describe('also reports of orders of its accounts that no session of the bridge sent'),
  restateOrders: z
    .boolean()
    .default(false)
    .describe('once numbers begin anew, orders that live on are stated again: 150=D, 378=1'),
});

const cancelOnDisconnect = z.strictObject({
  when: z.enum(['off', 'abrupt', 'always']).default('off'),
  graceMs: z.int().min(0).max(600_000).default(0),
});

const user = z.strictObject({
  name,
  secretHashFile: file.optional().describe('scrypt hash of the password, by "causeway keys hash"'),
  hmacSecretFile: file.optional().describe('only for logons with RawData(96): the secret itself'),
});

/** What a drop-copy session sees of its accounts and markets, and how (docs/DROPCOPY.md). */
const copy = z.strictObject({
  users: z.array(name).min(1).optional().describe('of whose sessions; absent means all'),
  sessions: z.array(compId).min(1).optional().describe('CompIDs; absent means all, and others'),
  reports: z.boolean().default(true).describe('false: only the trades that it subscribes to'),
  requests: z.boolean().default(false).describe('also what clients ask: D, F and G as they came'),
  openOrders: z.boolean().default(false).describe('the open orders when it first logs on'),
  acknowledge: z
    .enum(['session', 'reader'])
    .default('session')
    .describe('what was received counts as read, or only what the reader acknowledges itself'),
});

/** A consumer of drop copies that listens itself: the bridge connects, and proves who it is. */
const connect = z.strictObject({
  host: z.string().min(1).max(255),
  port: port.min(1),
  username: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('Username(553) of our Logon, or in our credentials'),
  passwordFile: file.optional().describe('Password(554) beside it'),
  tls: z
    .strictObject({
      caFile: file
        .optional()
        .describe('who may have signed its certificate; the usual ones if absent'),
      certFile: file.optional(),
      keyFile: file.optional(),
      serverName: z.string().min(1).max(255).optional(),
    })
    .optional(),
});

const dropCopy = z.strictObject({
  retainCopies: count.default(1_000_000).describe('of each account'),
  retainDays: z.int().min(1).max(3650).default(7),
  maxReplay: count.default(100_000).describe('copies that one request may cover'),
  endOfDay: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'not a time of day: HH:MM, in UTC')
    .default('00:00'),
});

/** What every session has, whatever protocol it speaks. */
const client = {
  senderCompId: compId.describe(
    'SenderCompID(49) that a FIX client sends; the name in the credentials of a FIXP client',
  ),
  role: z.enum(['order-entry', 'market-data', 'drop-copy']),
  users: z.array(name).min(1),
  accounts: z.array(name).default([]),
  markets: z.array(z.string().min(1)).optional().describe('symbols; absent means every market'),
  actions: z.array(z.enum(['order', 'quote', 'algo', 'conditional'])).default(['order']),
  profile: name.optional(),
  cancelOnDisconnect: cancelOnDisconnect.prefault({}),
  copy: copy.prefault({}),
  connect: connect
    .optional()
    .describe('the bridge connects out; senderCompId and targetCompId stay theirs and ours'),
  limits: limits.prefault({}),
  rates: messageRates.prefault({}),
  allowFrom: z
    .array(addressRange)
    .optional()
    .describe('addresses or CIDR ranges; absent means any'),
  certificateSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
};

const session = z.discriminatedUnion('protocol', [
  z.strictObject({
    protocol: z.literal('fix').default('fix'),
    ...client,
    targetCompId: compId.describe(
      'TargetCompID(56) that the client sends: the name of this gateway',
    ),
    allowReset: z.boolean().default(false).describe('whether ResetSeqNumFlag(141)=Y is honoured'),
    engine: fixEngineKeys.prefault({}),
  }),
  z.strictObject({ protocol: z.literal('fixp'), ...client }),
]);

const venue = z.strictObject({
  profile: file,
  baseUrl: z.url().optional().describe("outranks the profile's base address of the environment"),
});

/** The credential of the venue lets requests in; the key that moves funds is the signer's alone. */
const tradingAccount = z.strictObject({
  name: name.describe('the alias in Account(1)'),
  account,
  apiKeyFile: file,
  apiSecretFile: file,
  passphraseFile: file,
  limits: limits.prefault({}),
});

const signer = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('process'), socket: file }),
  z.strictObject({ mode: z.enum(['thread', 'inline']), configFile: file }),
]);

const operator = z.strictObject({
  name: name.describe('who acted, in the audit chain'),
  secretHashFile: file.describe('scrypt hash of the token, by "causeway keys hash"'),
  mayAct: z.boolean().default(true).describe('false: may look at everything and do nothing'),
});

const console = z.strictObject({
  listen,
  tls: tls.optional().describe('needed where it listens beyond this machine'),
  hostNames: z
    .array(z.string().min(1).max(255))
    .default([])
    .describe('names with port by which browsers may call it, besides the address it listens on'),
  operators: z.array(operator).min(1).max(100),
  keepRecords: z
    .int()
    .min(1_000)
    .max(100_000_000)
    .default(1_000_000)
    .describe('messages and steps of orders that are kept for search'),
  certificationDir: file
    .optional()
    .describe(
      'a folder for each counterparty with its interview.yaml, to be certified from the page',
    ),
  tracesUrl: z
    .url()
    .optional()
    .describe('where the hops of orders are sent as OpenTelemetry traces (OTLP, HTTP, JSON)'),
});

const shape = z.strictObject({
  environment: z.enum(['local', 'mainnet']),
  dataDir: file,
  durability: z.enum(['power', 'process']).default('power'),
  maxDataBytes: z
    .int()
    .min(defaultSqliteLimits.reserveBytes + 1024 ** 2)
    .default(defaultSqliteLimits.maxBytes)
    .describe('of journal and messages; near it new orders are refused, cancels and reports go on'),
  journalDays: z
    .int()
    .min(1)
    .max(3650)
    .default(90)
    .describe(
      'for so many days the journals of the accounts are kept, which evidence is made from',
    ),
  venue,
  roles: z
    .array(z.enum(['order-entry', 'drop-copy']))
    .min(1)
    .default(['order-entry', 'drop-copy'])
    .describe('only drop-copy: no key, no signer, nothing is submitted'),
  signer: signer.optional().describe('needed unless the only role is drop-copy'),
  accounts: z.array(tradingAccount).min(1),
  fix: z.strictObject(clientPort),
  fixp: z
    .strictObject({
      ...clientPort,
      byteOrder: z
        .enum(['big', 'little'])
        .default('big')
        .describe('of the framing header; messages are always little-endian'),
    })
    .optional()
    .describe('the port for sessions whose protocol is fixp'),
  console: console
    .optional()
    .describe('the web page of the operators, metrics and health; absent: none of them'),
  users: z.array(user).min(1),
  profiles: z.record(name, profile).default({}),
  sessions: z.array(session).min(1),
  dropCopy: dropCopy.prefault({}),
  limits: limits.prefault({}).describe('of every session and account that sets none of its own'),
  unknownAfterMs: milliseconds.min(100).default(30_000),
  patienceMs: milliseconds
    .min(100)
    .default(5_000)
    .describe('how long an order may wait for room at the venue, or for a nonce'),
  placeWithoutStream: z.boolean().default(false),
  shutdownGraceMs: milliseconds.default(10_000),
});

const loopback = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;

export const configSchema = shape.superRefine((config, context) => {
  unique(
    config.accounts.map((entry) => entry.name),
    ['accounts'],
    'name',
    context,
  );
  unique(
    config.accounts.map((entry) => entry.account),
    ['accounts'],
    'account',
    context,
  );
  unique(
    config.users.map((entry) => entry.name),
    ['users'],
    'name',
    context,
  );
  // Of all sessions, because orders of an account are told apart by it.
  unique(
    config.sessions.map((entry) => entry.senderCompId),
    ['sessions'],
    'senderCompId',
    context,
  );
  if (config.console !== undefined) {
    const { listen, operators, tls } = config.console;
    unique(
      operators.map((entry) => entry.name),
      ['console', 'operators'],
      'name',
      context,
    );
    if (tls === undefined && !loopback.test(listen.host)) {
      refuse(context, ['console', 'tls'], `needed, because ${listen.host} is not of this machine`);
    }
  }
  for (const [index, entry] of config.users.entries()) {
    if (entry.secretHashFile === undefined && entry.hmacSecretFile === undefined) {
      refuse(context, ['users', index], 'needs secretHashFile or hmacSecretFile');
    }
  }
  checkFixp(config, context);
  checkRoles(config, context);
  for (const [index, entry] of config.sessions.entries()) {
    const at = ['sessions', index];
    for (const [place, user] of entry.users.entries()) {
      if (!config.users.some((known) => known.name === user)) {
        refuse(context, [...at, 'users', place], `no user "${user}" in users`);
      }
    }
    for (const [place, alias] of entry.accounts.entries()) {
      if (!config.accounts.some((known) => known.name === alias)) {
        refuse(context, [...at, 'accounts', place], `no account "${alias}" in accounts`);
      }
    }
    if (entry.role !== 'market-data' && entry.accounts.length === 0) {
      refuse(
        context,
        [...at, 'accounts'],
        `a session for ${entry.role} needs at least one account`,
      );
    }
    if (entry.role !== 'drop-copy' && entry.connect !== undefined) {
      refuse(context, [...at, 'connect'], 'only drop copies are brought to whom they are for');
    }
    if (entry.profile !== undefined && !Object.hasOwn(config.profiles, entry.profile)) {
      refuse(context, [...at, 'profile'], `no profile "${entry.profile}" in profiles`);
    }
  }
});

/** A process that only relays has nothing to sign with, and takes no orders. */
function checkRoles(
  { roles, sessions, signer: signing }: z.output<typeof shape>,
  context: z.RefinementCtx,
): void {
  if (roles.includes('order-entry')) {
    if (signing === undefined) refuse(context, ['signer'], 'needed to take orders');
    return;
  }
  if (signing !== undefined) refuse(context, ['signer'], 'a process that only relays holds no key');
  for (const [index, { role }] of sessions.entries()) {
    if (role === 'drop-copy') continue;
    refuse(context, ['sessions', index, 'role'], 'this process only relays copies');
  }
}

/** A FIXP client names its user and no session, so the user must mean one. */
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
        refuse(context, [...at, 'users', place], `another session for fixp has the user "${user}"`);
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
export type ConsoleConfig = z.output<typeof console>;
export type ClientProfile = z.output<typeof profile>;
export type RiskLimits = z.output<typeof limits>;

/** What a session is bound by when it names no profile. */
export const defaultProfile: ClientProfile = profile.parse({});

/** The keys that differ and that only a start reads; the others may change while sessions go on. */
export function startOnlyChanges(before: Config, after: Config): readonly string[] {
  const then: Readonly<Record<string, unknown>> = startOnly(after);
  return Object.entries(startOnly(before))
    .filter(([key, value]) => !isDeepStrictEqual(value, then[key]))
    .map(([key]) => key);
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
  return { ...rest, accounts: accounts.map(({ limits: _, ...account }) => account) };
}

/** The form of the file for editors that check while one types. */
export function configJsonSchema(): unknown {
  return z.toJSONSchema(shape, { io: 'input' });
}

function unique(
  values: readonly string[],
  path: (string | number)[],
  key: string,
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) refuse(context, [...path, index, key], `"${value}" stands twice`);
    seen.add(value);
  }
}

function refuse(context: z.RefinementCtx, path: (string | number)[], message: string): void {
  context.addIssue({ code: 'custom', path, message });
}

function isAddressRange(text: string): boolean {
  try {
    return new AddressList([text]) !== null;
  } catch {
    return false;
  }
}
