/**
 * The signer's own configuration, read by the signer and not handed over by the gateway: which keys, for which
 * accounts, and what they may sign. Amounts are decimal text in atoms of price times atoms of quantity.
 */
import { z } from 'zod';
import type { Account } from '../domain/units.ts';
import { endMsOf } from '../runtime/expiry-watch.ts';
import { key } from '../runtime/yaml-problem.ts';
import { cleartextHost, placeKeys } from '../store/postgres/place-config.ts';
import type { Durability } from '../store/store.ts';
import { actionKinds } from './action.ts';
import { backendNames, defaultBackend } from './ecdsa.ts';
import { environments } from './keystore.ts';
import { ledgerTables } from './ledger-tables.ts';
import type { MarketLimit, Policy } from './policy.ts';

const nonEmpty = z.string().min(1);
const file = nonEmpty.meta({ title: 'file' });
const host = nonEmpty.meta({ title: 'host' });
const text = nonEmpty.meta({ title: 'text' });
const port = z.int().min(0).max(65_535).meta({ unit: 'port' });
const millions = z.int().min(1).max(1_000_000);
const account = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/, 'not an account: 0x and 40 lowercase hex digits')
  .meta({ title: 'account address' })
  .transform((value) => value as Account);
/** `missing` is the error if there is none. */
const atomsOr = (missing?: string) =>
  z
    .string(missing)
    .regex(/^\d{1,40}$/, 'not a whole number in quotes')
    .meta({ title: 'whole number in quotes' })
    .transform(BigInt);
const atoms = atomsOr();

const optionalAtoms = (unit: string, description: string, example: string) =>
  atoms
    .nullable()
    .default(null)
    .meta({ unit, description, examples: [example] });

/** No default would be safe: a notional limits neither a sell, which may have any low price, nor a market order. */
const qtyAtoms = atomsOr(
  'is needed: maxNotionalAtoms alone bounds neither a sell nor a market order',
);

const market = z
  .strictObject({
    market: key(
      z.int().min(0).meta({ unit: 'market id' }),
      'The id of the market at the venue.',
      7,
    ),
    maxNotionalAtoms: key(
      atoms.meta({ unit: 'price atoms × quantity atoms' }),
      'The largest price times quantity of one order or leg; a sell counts with `minSellPriceAtoms` at least. An order without a price is not signed.',
      '50000000000000000',
    ),
    maxBuyQtyAtoms: key(
      qtyAtoms.meta({ unit: 'quantity atoms' }),
      'The largest quantity of one buy.',
      '2000000',
    ),
    maxSellQtyAtoms: key(
      qtyAtoms.meta({ unit: 'quantity atoms' }),
      'The largest quantity of one sell, which a notional does not bound.',
      '2000000',
    ),
    maxBuyPriceAtoms: optionalAtoms(
      'price atoms',
      'The highest price of a buy; with it, market orders to buy are not signed. `null`: any price.',
      '6500000',
    ),
    minSellPriceAtoms: optionalAtoms(
      'price atoms',
      'The lowest price of a sell; with it, market orders to sell are not signed. `null`: any price.',
      '5500000',
    ),
    maxDailyBuyQtyAtoms: optionalAtoms(
      'quantity atoms',
      'How much one account may buy in a day (UTC), whatever was canceled meanwhile. `null`: any.',
      '500000000',
    ),
    maxDailySellQtyAtoms: optionalAtoms(
      'quantity atoms',
      'How much one account may sell in a day (UTC), whatever was canceled meanwhile. `null`: any.',
      '500000000',
    ),
    maxDailyNotionalAtoms: optionalAtoms(
      'price atoms × quantity atoms',
      'The price times quantity of all that one account places in a day (UTC). `null`: any.',
      '5000000000000000000',
    ),
  })
  .transform((limit): readonly [number, MarketLimit] => [
    limit.market,
    {
      notional: limit.maxNotionalAtoms,
      qty: { Bid: limit.maxBuyQtyAtoms, Ask: limit.maxSellQtyAtoms },
      price: { Bid: limit.maxBuyPriceAtoms, Ask: limit.minSellPriceAtoms },
      daily: {
        qty: { Bid: limit.maxDailyBuyQtyAtoms, Ask: limit.maxDailySellQtyAtoms },
        notional: limit.maxDailyNotionalAtoms,
      },
    },
  ]);

/** When a key or a credential ends. */
export const endDate = (description: string) =>
  z.iso
    .datetime()
    .nullable()
    .default(null)
    .meta({
      ...{ title: 'date and time, ISO 8601', unit: 'UTC', description },
      examples: ['2027-06-30T00:00:00Z'],
    });

const delegationEnd = endDate(
  'When the delegation of the key ends; after that only cancels are signed. `null`: never.',
);

const policySchema = z
  .strictObject({
    accounts: key(z.array(account).min(1).max(255), 'The accounts that the key signs for.', [
      `0x${'1'.repeat(40)}`,
    ]),
    actions: key(
      z
        .array(z.enum(actionKinds))
        .min(1)
        .default([...actionKinds]),
      'The kinds of action that the key signs. Cancels are always signed.',
      ['SpotPlaceOrder', 'Cancel'],
    ),
    markets: z
      .array(market)
      .max(4096)
      .nullable()
      .default(null)
      .describe(
        'The markets in which the key signs placements, each with its limits. `null`: any market and any size.',
      ),
    placementsPerSecond: key(
      millions.default(1000),
      'How many orders and quote legs are signed in the long run. Cancels and amends are never limited.',
      500,
    ),
    burst: key(
      millions.default(1000).meta({ unit: 'placements' }),
      'How many orders and quote legs are signed at once after a pause.',
      200,
    ),
    maxNonceJump: key(
      z.int().min(1).max(1_000_000_000).default(65_536).meta({ unit: 'nonces' }),
      'How far the nonce of a placement may lie above all that the signer knows. The default is the largest window that the bridge accepts of a venue.',
      1024,
    ),
    knownNonce: key(
      z.int().min(1).max(Number.MAX_SAFE_INTEGER).nullable().default(null).meta({ unit: 'nonce' }),
      'A nonce that the accounts have reached, looked up at the venue: `maxNonceJump` counts from it while the ledger has no higher one. `null`: the first placement of an account in a new ledger may have any nonce.',
      125_000,
    ),
    expiresAt: delegationEnd,
  })
  .transform(
    ({ accounts, actions, markets, expiresAt, ...rates }): Policy => ({
      ...rates,
      accounts: new Set(accounts),
      actions: new Set(actions),
      markets: markets === null ? null : new Map(markets),
      expiresAtMs: endMsOf(expiresAt),
    }),
  );

const tls = z.strictObject({
  host: key(host, 'The address to listen on.', '10.0.0.7'),
  port: key(port, 'The port to listen on.', 9443),
  certFile: key(file, "The signer's certificate, PEM.", 'tls/signer.pem'),
  keyFile: key(
    file,
    'The key of the certificate; other users must not be able to read it.',
    'tls/signer.key',
  ),
  clientCaFile: key(file, "The authority that issued the bridge's certificate, PEM.", 'tls/ca.pem'),
  clientName: key(
    nonEmpty.meta({ title: 'host name' }),
    "The name in the bridge's certificate. No other certificate is accepted.",
    'bridge.example',
  ),
});

const address = key(
  account,
  'The address of the key. A key with another address is not used; the message names the address that was found.',
  `0x${'2'.repeat(40)}`,
);

const token = z.strictObject({
  module: key(
    file,
    "The vendor's PKCS#11 module. The package `pkcs11js` must be installed.",
    '/usr/lib/softhsm/libsofthsm2.so',
  ),
  label: key(text.max(32), 'The label of the token.', 'desk'),
  keyLabel: key(text.optional(), 'The label of the key.', 'desk-1'),
  keyId: key(
    z
      .string()
      .regex(/^([0-9a-f]{2})+$/, 'not an id in lowercase hex')
      .optional()
      .meta({ title: 'hex' }),
    'The id of the key.',
    '01',
  ),
  pinFile: key(
    file.optional(),
    'The PIN, in a file of mode 0600. If absent, it is asked for at the start. A PIN that the token refuses is never tried again.',
    'keys/token.pin',
  ),
  address,
});

const kms = z.strictObject({
  region: key(
    z
      .string()
      .regex(/^[a-z0-9-]{1,32}$/, 'not a region')
      .meta({ title: 'text' }),
    'The region of the key.',
    'eu-central-1',
  ),
  endpoint: key(
    z
      .url({ protocol: /^https?$/ })
      .optional()
      .meta({ title: 'URL' }),
    'Another service than that of AWS. Without TLS it must be on this machine: a loopback address.',
    'https://kms.example',
  ),
  keyId: key(
    text.max(2048),
    'The id or ARN of the key, of the kind ECC_SECG_P256K1.',
    '1234abcd-12ab-34cd-56ef-1234567890ab',
  ),
  credentialsFile: key(
    file,
    'Access key and secret as in `~/.aws/credentials`, in a file of mode 0600. A changed file is used within a few seconds.',
    'keys/kms.credentials',
  ),
  address,
});

const place = {
  keystoreFile: key(
    file.optional(),
    'The encrypted key, made by `causeway keys new`. One of `keystoreFile`, `token` and `kms` is needed.',
    'keys/desk-1.json',
  ),
  token: token.optional().describe('The key is in a PKCS#11 token and never leaves it.'),
  kms: kms
    .optional()
    .describe('The key is at a remote service that speaks the protocol of AWS KMS.'),
  passphraseFile: key(
    file.optional(),
    'The passphrase of the key, in a file of mode 0600. If absent, it is asked for at the start.',
    'keys/desk-1.pass',
  ),
};

export const signerConfigSchema = z.strictObject({
  environment: z
    .enum(environments)
    .describe('The kind of venue; it must be that of the keys and of the gateway.'),
  profile: key(
    file,
    'The venue profile, which has the domains and fields that are signed. See the [venue contract](venue/contract.md).',
    '../dictionaries/venue.sandbox.yaml',
  ),
  socket: key(
    file.max(100).optional(),
    'The Unix socket to listen on, in a directory of mode 0700, or 0750 if the bridge is another user in its group. This or `tls` is needed.',
    'run/signer.sock',
  ),
  tls: tls.optional().describe('In place of `socket`, for a bridge on another machine.'),
  connections: key(
    z.int().min(1).max(4096).default(256).meta({ unit: 'connections' }),
    'The most connections at the same time. A bridge has one for each of its shards; on a port, a connection without a finished handshake also counts, for at most 5 s.',
    64,
  ),
  status: z
    .strictObject({
      socket: key(
        file.optional(),
        'A Unix socket for this user alone, in a directory of this user: `curl --unix-socket run/status.sock http://signer/readyz`.',
        'run/status.sock',
      ),
      host: key(host.default('127.0.0.1'), 'The address of the port.', '127.0.0.1'),
      port: key(
        port.optional(),
        'The port. It needs no login, and its answers name no account.',
        9444,
      ),
    })
    .optional()
    .describe('Where `/healthz`, `/readyz` and `/metrics` are served. If absent, they are not.'),
  auditHeadFile: key(
    file.optional(),
    'Where the head of the audit log is kept, preferably on another machine. The log contains it as well.',
    '/mnt/audit/signer.head',
  ),
  dataDir: key(
    file,
    'The directory of the audit log, of a pause and, unless there is `ledger`, of the file in which nonces and digests are recorded, so that none is signed twice.',
    'data/signer',
  ),
  ledger: z
    .strictObject({
      postgres: z
        .strictObject(placeKeys('signer', 'causeway_signer', ledgerTables.command))
        .describe(
          'A separate PostgreSQL database, version 14 or later, to which the bridge must have no access.',
        ),
    })
    .optional()
    .describe(
      'Where nonces and digests are recorded in place of a file in `dataDir`; several signers may use the same database.',
    ),
  durability: z
    .enum(['replicated', 'power', 'process'])
    .optional()
    .describe(
      "What a record survives before its signature is returned: the loss of the database's machine (only with `ledger`, and its default), a loss of power (the default of a file), or only the end of the process (only a file).",
    ),
  backend: z
    .enum(backendNames)
    .default(defaultBackend)
    .describe(
      'The implementation of secp256k1: `secp256k1` is native code, `noble` is JavaScript, runs everywhere and takes eight times as long. The default is `noble` where the package has no native code: anywhere but on Linux x64, macOS arm64 and Windows x64.',
    ),
  keys: z
    .array(
      z.strictObject({
        ...place,
        older: z
          .strictObject({ ...place, expiresAt: delegationEnd })
          .transform(({ expiresAt, ...rest }) => ({ ...rest, expiresAtMs: endMsOf(expiresAt) }))
          .optional()
          .describe(
            'During a rotation, the previous key. It signs actions that the venue refuses from the newer one.',
          ),
        policy: policySchema.describe('What the key may sign, for any caller.'),
      }),
    )
    .min(1)
    .max(64)
    .describe('The keys, each with its policy.'),
});

/** Keys that contradict each other. A schema with a check would lose its members for the reference. */
export function configProblem(config: SignerConfig): string | undefined {
  const { keys, socket, tls } = config;
  if (socket === undefined && tls === undefined) return 'socket: needed, unless there is tls';
  if (socket !== undefined && tls !== undefined) return 'tls: in place of socket, not beside it';
  const ledger = ledgerProblem(config);
  if (ledger !== undefined) return ledger;
  const faults = placesIn(keys).map(({ key, path }) => {
    const at = `keys[${path[1]}]${path.length > 2 ? '.older' : ''}`;
    const places = [key.keystoreFile, key.token, key.kms].filter((place) => place !== undefined);
    if (places.length !== 1) return `${at}: one of keystoreFile, token and kms is needed`;
    if (key.passphraseFile !== undefined && key.keystoreFile === undefined) {
      return `${at}.passphraseFile: only a keystoreFile has a passphrase`;
    }
    if (key.token && (key.token.keyLabel ?? key.token.keyId) === undefined) {
      return `${at}.token: keyLabel or keyId is needed`;
    }
    const { protocol, hostname } = new URL(key.kms?.endpoint ?? 'https://kms');
    const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
    return protocol === 'https:' || isLocal ? undefined : `${at}.kms.endpoint: must be https`;
  });
  return faults.find((fault) => fault !== undefined);
}

/** The location of each key, with its path in the configuration. */
export function placesIn(
  keys: readonly KeyConfig[],
): { readonly path: readonly (string | number)[]; readonly key: KeyPlace }[] {
  return keys.flatMap((key, index) => [
    { path: ['keys', index], key },
    ...(key.older ? [{ path: ['keys', index, 'older'], key: key.older }] : []),
  ]);
}

function ledgerProblem({ durability, ledger }: SignerConfig): string | undefined {
  if (ledger === undefined)
    return durability === 'replicated' ? 'durability: replicated needs ledger.postgres' : undefined;
  if (durability === 'process')
    return 'durability: process would lose records with the database, and a nonce could be signed twice: use replicated or power';
  if (durability === 'power' && ledger.postgres.hosts.length > 1)
    return 'durability: a failover between several hosts would lose records: use replicated';
  const host = cleartextHost(ledger.postgres);
  return host && `ledger.postgres.tls: needed, because ${host} is on another machine`;
}

export function durabilityOf({ durability, ledger }: SignerConfig): Durability {
  return durability ?? (ledger === undefined ? 'power' : 'replicated');
}

export type KeyConfig = z.infer<typeof signerConfigSchema>['keys'][number];
export type KeyPlace = Pick<KeyConfig, keyof typeof place>;
export type SignerConfig = z.infer<typeof signerConfigSchema>;
/** The content of a file, before defaults and transforms. */
export type SignerConfigInput = z.input<typeof signerConfigSchema>;
