/** What the signer's own configuration may say, before any key is opened. */
import { describe, expect, test } from 'vitest';
import {
  configProblem,
  durabilityOf,
  placesIn,
  type SignerConfigInput,
  signerConfigSchema,
} from '../../src/signer/signer-config.ts';

const account = `0x${'1'.repeat(40)}`;
const address = `0x${'2'.repeat(40)}`;
const policy = { accounts: [account] };
const inFile = { keystoreFile: 'key.json', policy };
const minimal: SignerConfigInput = {
  environment: 'local',
  profile: 'venue.yaml',
  socket: 'signer.sock',
  dataDir: 'data',
  keys: [inFile],
};
const limits = { maxNotionalAtoms: '9', maxBuyQtyAtoms: '2', maxSellQtyAtoms: '3' };
const token = { module: 'p11.so', label: 'desk', address };
const kms = { region: 'eu-central-1', keyId: 'k', credentialsFile: 'c', address };

const parsed = (change: object) => signerConfigSchema.parse({ ...minimal, ...change });
const withKey = (key: object) => parsed({ keys: [{ policy, ...key }] });
const problem = (change: object) => configProblem(parsed(change));
const problemOf = (key: object) => configProblem(withKey(key));
const faults = (change: object) =>
  signerConfigSchema
    .safeParse({ ...minimal, ...change })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
const policyOf = (change: object) =>
  parsed({ keys: [{ ...inFile, policy: { ...policy, ...change } }] }).keys[0]?.policy;
const policyFaults = (change: object) =>
  faults({ keys: [{ ...inFile, policy: { ...policy, ...change } }] });

describe('a policy', () => {
  test('without limits signs every action in any market, at a rate and with a jump of nonces that are bounded', () => {
    const { accounts, actions, ...rest } = policyOf({}) ?? {};
    expect([...(accounts ?? [])]).toEqual([account]);
    expect(actions?.size).toBe(10);
    expect(rest).toEqual({
      markets: null,
      placementsPerSecond: 1000,
      burst: 1000,
      maxNonceJump: 65_536,
      knownNonce: null,
      expiresAtMs: null,
    });
  });

  test('has each limit of a market for its own side', () => {
    const market = {
      market: 7,
      ...limits,
      maxBuyPriceAtoms: '4',
      minSellPriceAtoms: '5',
      maxDailyBuyQtyAtoms: '6',
      maxDailySellQtyAtoms: '7',
      maxDailyNotionalAtoms: '8',
    };
    expect([...(policyOf({ markets: [market, { market: 8, ...limits }] })?.markets ?? [])]).toEqual(
      [
        [
          7,
          {
            notional: 9n,
            qty: { Bid: 2n, Ask: 3n },
            price: { Bid: 4n, Ask: 5n },
            daily: { qty: { Bid: 6n, Ask: 7n }, notional: 8n },
          },
        ],
        [
          8,
          {
            notional: 9n,
            qty: { Bid: 2n, Ask: 3n },
            price: { Bid: null, Ask: null },
            daily: { qty: { Bid: null, Ask: null }, notional: null },
          },
        ],
      ],
    );
  });

  test('of no markets signs no placement, which is not the same as any market', () => {
    expect(policyOf({ markets: [] })?.markets).toEqual(new Map());
  });

  test('ends when the delegation of its key ends', () => {
    expect(policyOf({ expiresAt: '2027-06-30T00:00:00Z' })?.expiresAtMs).toBe(
      Date.UTC(2027, 5, 30),
    );
    expect(policyFaults({ expiresAt: '2027-06-30' })?.[0]).toContain('keys.0.policy.expiresAt: ');
  });

  test.each([
    [
      'maxBuyQtyAtoms',
      'is needed: maxNotionalAtoms alone bounds neither a sell nor a market order',
    ],
    [
      'maxSellQtyAtoms',
      'is needed: maxNotionalAtoms alone bounds neither a sell nor a market order',
    ],
    ['maxNotionalAtoms', 'Invalid input: expected string, received undefined'],
  ])('limits a market by %s in any case', (name, text) => {
    const market = Object.fromEntries(Object.entries(limits).filter(([key]) => key !== name));
    expect(policyFaults({ markets: [{ market: 7, ...market }] })).toEqual([
      `keys.0.policy.markets.0.${name}: ${text}`,
    ]);
  });

  test('has whole numbers in quotes, of at most 40 digits', () => {
    const notional = (value: unknown) =>
      policyFaults({ markets: [{ market: 7, ...limits, maxNotionalAtoms: value }] });
    expect(notional('9'.repeat(40))).toBeUndefined();
    for (const value of ['9'.repeat(41), '', '-1', '1.5', '1e3', ' 1']) {
      expect(notional(value)).toEqual([
        'keys.0.policy.markets.0.maxNotionalAtoms: not a whole number in quotes',
      ]);
    }
    expect(notional(9)).toBeDefined();
  });

  test.each([
    [
      'an account with capital letters',
      { accounts: [`0x${'A'.repeat(40)}`] },
      'accounts.0: not an account: 0x and 40 lowercase hex digits',
    ],
    [
      'an account that is too short',
      { accounts: [`0x${'1'.repeat(39)}`] },
      'accounts.0: not an account: 0x and 40 lowercase hex digits',
    ],
    ['no account', { accounts: [] }, 'accounts: Too small'],
    ['no action', { actions: [] }, 'actions: Too small'],
    ['an action that is none', { actions: ['SpotLeg'] }, 'actions.0: Invalid option'],
    ['a rate of nothing', { placementsPerSecond: 0 }, 'placementsPerSecond: Too small'],
    ['a burst of nothing', { burst: 0 }, 'burst: Too small'],
    ['a jump of nothing', { maxNonceJump: 0 }, 'maxNonceJump: Too small'],
    ['a nonce that a number cannot hold', { knownNonce: 2 ** 53 }, 'knownNonce: '],
    ['a word that it does not have', { market: [] }, ': Unrecognized key: "market"'],
  ])('with %s is refused by the name of the key', (_, change, fault) => {
    expect(policyFaults(change)?.[0]).toContain(
      `keys.0.policy${fault.startsWith(':') ? '' : '.'}${fault}`,
    );
  });
});

test('a signer listens in exactly one place', () => {
  const tls = {
    host: 'h',
    port: 9443,
    certFile: 'c',
    keyFile: 'k',
    clientCaFile: 'ca',
    clientName: 'bridge',
  };
  expect(problem({})).toBeUndefined();
  expect(problem({ socket: undefined, tls })).toBeUndefined();
  expect(problem({ socket: undefined })).toBe('socket: needed, unless there is tls');
  expect(problem({ tls })).toBe('tls: in place of socket, not beside it');
});

describe('a key', () => {
  const ofToken = { ...token, keyLabel: 'desk-1' };

  test('is in exactly one place', () => {
    for (const place of [inFile, { token: ofToken }, { kms }]) {
      expect(problemOf(place)).toBeUndefined();
    }
    const fault = 'keys[0]: one of keystoreFile, token and kms is needed';
    expect(problemOf({})).toBe(fault);
    expect(problemOf({ keystoreFile: 'k', kms })).toBe(fault);
    expect(problemOf({ token: ofToken, kms })).toBe(fault);
  });

  test('has a passphrase only in a keystore', () => {
    expect(problemOf({ keystoreFile: 'k', passphraseFile: 'p' })).toBeUndefined();
    expect(problemOf({ kms, passphraseFile: 'p' })).toBe(
      'keys[0].passphraseFile: only a keystoreFile has a passphrase',
    );
  });

  test('in a token has a label, an id, or both', () => {
    expect(problemOf({ token: { ...token, keyId: '01' } })).toBeUndefined();
    expect(problemOf({ token })).toBe('keys[0].token: keyLabel or keyId is needed');
    const withId = (keyId: string) => faults({ keys: [{ token: { ...token, keyId }, policy }] });
    expect(withId('0aff')).toBeUndefined();
    for (const keyId of ['', '0', '0A']) {
      expect(withId(keyId)).toEqual(['keys.0.token.keyId: not an id in lowercase hex']);
    }
  });

  test.each([
    ['https://kms.example', undefined],
    ['http://localhost:4566', undefined],
    ['http://127.0.0.1:4566', undefined],
    ['http://[::1]:4566', undefined],
    ['http://kms.example', 'keys[0].kms.endpoint: must be https'],
    ['http://localhost.example', 'keys[0].kms.endpoint: must be https'],
    ['http://127.0.0.1.example', 'keys[0].kms.endpoint: must be https'],
  ])('of a remote service at %s: the problem is %s', (endpoint, expected) => {
    expect(problemOf({ kms: { ...kms, endpoint } })).toBe(expected);
  });

  test('of a remote service is reached over HTTP or HTTPS alone', () => {
    const endpoint = 'ftp://localhost';
    expect(faults({ keys: [{ kms: { ...kms, endpoint }, policy }] })).toHaveLength(1);
  });

  test('and the one before it are each checked, and named by their place', () => {
    const keys = [inFile, { ...inFile, older: {} }];
    expect(problem({ keys })).toBe('keys[1].older: one of keystoreFile, token and kms is needed');
    const expiresAt = '2027-01-01T00:00:00Z';
    const config = parsed({ keys: [inFile, { ...inFile, older: { kms, expiresAt } }] });
    expect(configProblem(config)).toBeUndefined();
    expect(config.keys[1]?.older).toMatchObject({ expiresAtMs: Date.UTC(2027, 0, 1) });
    expect(
      placesIn(config.keys).map(({ path, key }) => [path.join('.'), Object.keys(key)[0]]),
    ).toEqual([
      ['keys.0', 'keystoreFile'],
      ['keys.1', 'keystoreFile'],
      ['keys.1.older', 'kms'],
    ]);
  });
});

describe('what a record survives', () => {
  const ledger = (...hosts: string[]) => ({ ledger: { postgres: { hosts } } });
  const local = ledger('127.0.0.1:5432');
  const both = ledger('127.0.0.1:5432', '[::1]:5432');

  test('is the loss of power in a file, and the loss of a machine in a database, unless it is said otherwise', () => {
    expect(durabilityOf(parsed({}))).toBe('power');
    expect(durabilityOf(parsed(local))).toBe('replicated');
    expect(durabilityOf(parsed({ durability: 'process' }))).toBe('process');
    expect(durabilityOf(parsed({ ...local, durability: 'power' }))).toBe('power');
  });

  test.each([
    ['a file that ends with the process', { durability: 'process' }, undefined],
    [
      'a file on several machines',
      { durability: 'replicated' },
      'durability: replicated needs ledger.postgres',
    ],
    ['a database', local, undefined],
    ['a database with a successor', both, undefined],
    ['a database without a copy', { ...local, durability: 'power' }, undefined],
    [
      'a database that ends with the process',
      { ...local, durability: 'process' },
      'durability: process would lose records with the database, and a nonce could be signed twice: use replicated or power',
    ],
    [
      'a successor that lacks records',
      { ...both, durability: 'power' },
      'durability: a failover between several hosts would lose records: use replicated',
    ],
    [
      'a database whose connections others can read',
      ledger('db1.example:5432'),
      'ledger.postgres.tls: needed, because db1.example:5432 is on another machine',
    ],
  ])('with %s is checked', (_, change, expected) => {
    expect(problem(change)).toBe(expected);
  });
});
