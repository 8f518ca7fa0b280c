/**
 * The configuration of one gateway: one YAML file, checked as a whole before any port is opened. It names secrets by file and
 * contains none. Unknown keys are errors, so a misspelt key never silently means a default.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { defaultStoreLimits } from '../store/log/log-store.ts';
import {
  account,
  clientPort,
  count,
  file,
  host,
  limits,
  listen,
  milliseconds,
  name,
  tls,
} from './config-keys.ts';
import { profile, session, user } from './session-config.ts';

const dropCopy = z.strictObject({
  retainCopies: count.default(1_000_000).meta({
    unit: 'copies',
    description: 'How many copies of each account are kept.',
    examples: [500_000],
  }),
  retainDays: z
    .int()
    .min(1)
    .max(3650)
    .default(7)
    .meta({
      description: 'For how long copies are kept, if `retainCopies` does not remove them first.',
      examples: [30],
    }),
  maxReplay: count.default(100_000).meta({
    unit: 'copies',
    description: 'The most copies that one replay request may cover.',
    examples: [50_000],
  }),
  endOfDay: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'not a time of day: HH:MM, in UTC')
    .default('00:00')
    .meta({
      title: 'time of day, HH:MM',
      unit: 'UTC',
      description: 'When a trading day ends and readers receive its totals.',
      examples: ['22:00'],
    }),
});

/** `htp://` is a URL by its form. */
const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'not a URL that begins with http:// or https://',
});

const venue = z.strictObject({
  profile: file.meta({
    description:
      'The venue profile: the endpoints, fields, limits and features of the venue. See the [venue contract](venue/contract.md).',
    examples: ['../dictionaries/venue.sandbox.yaml'],
  }),
  baseUrl: httpUrl.optional().meta({
    title: 'URL',
    description: 'The base address of the venue, in place of the one in the venue profile.',
    examples: ['https://api.venue.example'],
  }),
});

/** The credential of the venue lets requests in; the key that moves funds is the signer's alone. */
const tradingAccount = z.strictObject({
  name: name.meta({
    description: 'The alias that clients use in Account(1).',
    examples: ['desk-1'],
  }),
  account: account.meta({
    description: 'The address of the account at the venue.',
    examples: [`0x${'1'.repeat(40)}`],
  }),
  apiKeyFile: file.meta({
    description: 'The API key for the venue.',
    examples: ['secrets/desk-1.api-key'],
  }),
  apiSecretFile: file.meta({
    description: 'The secret of the API key; other users must not be able to read it.',
    examples: ['secrets/desk-1.api-secret'],
  }),
  passphraseFile: file.meta({
    description: 'The passphrase of the API key; other users must not be able to read it.',
    examples: ['secrets/desk-1.api-passphrase'],
  }),
  limits: limits
    .prefault({})
    .describe('Limits across all sessions of the account, each in place of the one in `limits`.'),
});

const signer = z.discriminatedUnion(
  'mode',
  [
    z.strictObject({
      mode: z
        .literal('process')
        .describe(
          'Where actions are signed: in a process of its own (`causeway signer`), or in the gateway.',
        ),
      socket: file.meta({
        description: 'The Unix socket on which the signer listens.',
        examples: ['run/signer.sock'],
      }),
    }),
    z.strictObject({
      mode: z.literal('inline').describe('The gateway signs.'),
      configFile: file.meta({
        description: "The [signer's configuration](#the-signers-file).",
        examples: ['signer.yaml'],
      }),
    }),
  ],
  'mode must be inline (the bridge signs) or process (causeway signer); thread was removed',
);

const operator = z.strictObject({
  name: name.meta({
    description: 'The name under which the audit chain records what the operator does.',
    examples: ['olga'],
  }),
  secretHashFile: file.meta({
    description: 'The scrypt hash of the token, made by `causeway keys hash`.',
    examples: ['secrets/olga.hash'],
  }),
  mayAct: z
    .boolean()
    .default(true)
    .describe('If false, the operator can see everything but change nothing.'),
});

const console = z.strictObject({
  listen,
  tls: tls.optional().describe('TLS of the console; required if it listens beyond this machine.'),
  hostNames: z
    .array(host)
    .default([])
    .meta({
      description:
        'Names with port under which browsers may open the console, in addition to the address it listens on.',
      examples: [['console.example:9881']],
    }),
  operators: z.array(operator).min(1).max(100).describe('Who may log in to the console.'),
  keepRecords: z
    .int()
    .min(1_000)
    .max(100_000_000)
    .default(1_000_000)
    .meta({
      unit: 'records',
      description: 'How many messages and order steps are kept for search.',
      examples: [5_000_000],
    }),
  certificationDir: file.optional().meta({
    description:
      'A directory with a subdirectory for each counterparty, each with its `interview.yaml`. If absent, the page cannot run certifications.',
    examples: ['certification'],
  }),
  certificationKeyFile: file.optional().meta({
    description:
      'The key that signs evidence of certifications run from the page. If absent, they cannot lead to a certificate.',
    examples: ['secrets/certification.pem'],
  }),
});

const shape = z.strictObject({
  environment: z
    .enum(['local', 'mainnet'])
    .describe(
      'The kind of venue. On `mainnet` every venue value that an enabled feature depends on must be confirmed in the venue profile.',
    ),
  dataDir: file.meta({
    description:
      'The directory of the journal, messages and sequence numbers. One process uses it at a time.',
    examples: ['data/gateway'],
  }),
  durability: z
    .enum(['power', 'process'])
    .default('power')
    .describe(
      'What a record survives before anything is sent: a loss of power, or only the end of the process.',
    ),
  maxDataBytes: z
    .int()
    .min(defaultStoreLimits.reserveBytes + 1024 ** 2)
    .default(defaultStoreLimits.maxBytes)
    .meta({
      description:
        'The most disk space for journal and messages. Near it new orders are refused; cancels and reports continue.',
      examples: [200_000_000_000],
    }),
  journalDays: z
    .int()
    .min(1)
    .max(3650)
    .default(90)
    .meta({
      description: 'How long the journals of the accounts, the source of evidence, are kept.',
      examples: [365],
    }),
  auditHeadFile: file.optional().meta({
    description:
      'A file that receives each new head of the audit chain. Keep it where someone who can change `dataDir` cannot.',
    examples: ['/mnt/audit/head'],
  }),
  venue: venue.describe('The venue that the gateway trades on.'),
  roles: z
    .array(z.enum(['order-entry', 'drop-copy']))
    .min(1)
    .default(['order-entry', 'drop-copy'])
    .meta({
      description:
        'What this process does. With `drop-copy` alone it only relays copies: it has no signer and submits nothing.',
      examples: [['drop-copy']],
    }),
  signer: signer
    .optional()
    .describe('Who signs actions. Required, unless `roles` is only `drop-copy`.'),
  accounts: z
    .array(tradingAccount)
    .min(1)
    .describe('The accounts at the venue, with the credentials to use them.'),
  fix: z.strictObject(clientPort).describe('The port for sessions with `protocol: fix`.'),
  fixp: z
    .strictObject({
      ...clientPort,
      byteOrder: z
        .enum(['big', 'little'])
        .default('big')
        .describe('The byte order of the framing header. Messages are always little-endian.'),
    })
    .optional()
    .describe('The port for sessions with `protocol: fixp`.'),
  console: console
    .optional()
    .describe(
      'The [web page for operators](CONSOLE.md), with metrics and health. If absent, there are none of them.',
    ),
  users: z.array(user).min(1).describe('The users that log on, and how they prove it.'),
  profiles: z
    .record(name, profile)
    .default({})
    .describe('Settings that sessions share, under a name that `sessions[].profile` refers to.'),
  sessions: z
    .array(session)
    .min(1)
    .describe('The sessions of clients. A client can log on only to a session listed here.'),
  dropCopy: dropCopy
    .prefault({})
    .describe('How long [drop copies](DROPCOPY.md) are kept, and how many one request may cover.'),
  limits: limits
    .prefault({})
    .describe('Risk limits of every session and account that does not set its own.'),
  unknownAfterMs: milliseconds
    .min(100)
    .default(30_000)
    .meta({
      description:
        'How long an order or request may go unanswered before the client is told that its outcome is unknown. It is never rejected for that.',
      examples: [10_000],
    }),
  patienceMs: milliseconds
    .min(100)
    .default(5_000)
    .meta({
      description:
        'How long an order that has not been sent may wait for capacity at the venue before it is rejected.',
      examples: [2_000],
    }),
  placeWithoutStream: z
    .boolean()
    .default(false)
    .describe(
      'Allows new orders while the execution stream of the account is down. Their fills are then reported late.',
    ),
  shutdownGraceMs: milliseconds.default(10_000).meta({
    description:
      'How long a shutdown waits for outstanding requests before it logs clients out and exits.',
    examples: [30_000],
  }),
});

const loopback = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;

export function isLoopback(host: string): boolean {
  return loopback.test(host);
}

/** Two ports on one address collide; 0 takes a free one, and 0.0.0.0 and :: are every address. */
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
      refuse(context, [name, 'listen', 'port'], `${port} is the port of ${other.name} already`);
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
  // Unique across all sessions, because it distinguishes the orders of an account.
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
    if (tls === undefined && !isLoopback(listen.host)) {
      refuse(context, ['console', 'tls'], `needed, because ${listen.host} is not of this machine`);
    }
  }
  for (const [index, entry] of config.users.entries()) {
    if (entry.secretHashFile === undefined && entry.hmacSecretFile === undefined) {
      refuse(context, ['users', index], 'needs secretHashFile or hmacSecretFile');
    }
  }
  checkPorts(config, context);
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

/** A FIXP client states its user and no session, so a user must belong to one session only. */
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

/** The profile of a session that names none. */
export const defaultProfile: ClientProfile = profile.parse({});

/** Returns the changed keys that need a restart; the others may change while sessions run. */
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

/** The JSON schema of the file, for editors. */
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
