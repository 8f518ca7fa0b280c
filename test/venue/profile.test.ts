/** The venue profile: one file, checked whole, and what it does not confirm stops `mainnet` (contract part B). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { referenceBlake3 } from '../../src/signer/blake3.ts';
import { checkGoldenVectors } from '../../src/signer/golden-vectors.ts';
import {
  featureKeys,
  isConfirmed,
  isUsable,
  loadProfile,
  type Profile,
  ProfileError,
  parseProfile,
  profileMarkets,
  requireConfirmed,
  routePath,
} from '../../src/venue/profile.ts';

const folder = join(import.meta.dirname, '../../dictionaries');
const sandboxFile = join(folder, 'venue.sandbox.yaml');
const sandboxText = readFileSync(sandboxFile, 'utf8');
const sandbox = loadProfile(sandboxFile);
const errorOf = (text: string) => {
  try {
    parseProfile(text, 'p.yaml');
  } catch (error) {
    expect(error).toBeInstanceOf(ProfileError);
    return (error as Error).message;
  }
  throw new Error('the profile was taken');
};
const changed = (from: string, to: string) => {
  expect(sandboxText).toContain(from);
  return sandboxText.replace(from, to);
};

test('a profile that has just been read is parsed again only if its text has changed', () => {
  const directory = mkdtempSync(join(tmpdir(), 'profile-'));
  const file = join(directory, 'venue.yaml');
  writeFileSync(file, sandboxText);
  expect(loadProfile(file)).toBe(loadProfile(file));
  writeFileSync(file, changed('slug: sandbox', 'slug: other'));
  expect(loadProfile(file).service.slug).toBe('other');
  writeFileSync(file, 'service: 1');
  expect(() => loadProfile(file)).toThrow(ProfileError);
  writeFileSync(file, sandboxText);
  expect(loadProfile(file)).toEqual(sandbox);
  rmSync(directory, { recursive: true });
});

test('R113: the sandbox profile seeds 5 spot, 1 binary and 6 prediction markets', () => {
  const count = (kind: string) => sandbox.markets.filter((market) => market.kind === kind).length;
  expect([count('spot'), count('binary'), count('prediction')]).toEqual([5, 1, 6]);
  for (const { seedPrice, tick, maxQty, lot } of sandbox.markets) {
    expect(seedPrice % tick).toBe(0n);
    expect(maxQty % lot).toBe(0n);
  }
});

test('its markets are those of a venue, without the prices that seed the sandbox', () => {
  const markets = profileMarkets(sandbox);
  expect(markets.map(({ marketId }) => marketId)).toEqual(
    sandbox.markets.map(({ marketId }) => marketId),
  );
  const [{ seedPrice: _, ...first } = { seedPrice: 0n }] = sandbox.markets;
  expect(markets[0]).toEqual(first);
});

test('R18: names and domains come from the profile, so a /v2 domain needs no code', () => {
  expect(sandbox.signing.domains.action).toBe('SANDBOX/ACTION_PAYLOAD/v1');
  expect(sandbox.headers.responseMode).toBe('x-sandbox-response-mode');
  const other = parseProfile(
    changed('{ name: SANDBOX, slug: sandbox }', '{ name: REAL, slug: real }').replace(
      'ACTION_PAYLOAD/v1',
      'ACTION_PAYLOAD/v2',
    ),
    'p.yaml',
  );
  expect(other.signing.domains.action).toBe('REAL/ACTION_PAYLOAD/v2');
  expect(other.headers.responseMode).toBe('x-real-response-mode');
  expect(other.compact.contentType).toBe('application/x-real-order-entry-batch');
});

describe('a wrong profile is refused with the place and the key', () => {
  test.each([
    [
      'an unknown key',
      changed('engine: {', 'engine: { speed: 9,'),
      /p\.yaml:\d+:\d+ engine\.speed: unknown key/,
    ],
    [
      'a missing key',
      changed('amend: { newQty: total, strictPriority: false }', ''),
      /p\.yaml:1:1 amend: /,
    ],
    [
      'a confirmation of no key',
      changed('confirmed: false', 'confirmed: [amend.newQtty]'),
      /no key "amend\.newQtty"/,
    ],
    ['text that is no YAML', `${sandboxText}\n  - [`, /p\.yaml:\d+:\d+: /],
    ['an alias without its anchor', 'profile: *name', /p\.yaml: Unresolved alias/],
    ['an empty file', '', /\(whole file\)/],
  ])('%s', (_, text, message) => {
    expect(errorOf(text)).toMatch(message);
  });

  test('a file that is not there', () => {
    expect(() => loadProfile('/no/such/file.yaml')).toThrow(
      /\/no\/such\/file\.yaml does not exist/,
    );
  });

  test('a wholly wrong file lists twenty places and the count of the rest', () => {
    const message = errorOf('profile: x\n');
    expect(message.split('\n').length).toBe(22);
    expect(message).toMatch(/and \d+ more/);
  });
});

describe('R135: mainnet takes only what the venue confirmed', () => {
  const confirming = (list: string): Profile =>
    parseProfile(changed('confirmed: false', `confirmed: ${list}`), 'p.yaml');

  test('an unconfirmed value of an enabled feature is named', () => {
    expect(() => requireConfirmed(sandbox, 'mainnet', ['amend'])).toThrow(
      /cannot serve mainnet:\n {2}amend needs amend\.newQty/,
    );
  });

  test('local runs with the defaults', () => {
    requireConfirmed(sandbox, 'local', Object.keys(featureKeys) as (keyof typeof featureKeys)[]);
  });

  test('a confirmed key confirms all below it, and no neighbour', () => {
    const profile = confirming('[auth, amend.newQty]');
    expect(isConfirmed(profile, 'auth.http')).toBe(true);
    expect(isConfirmed(profile, 'amend.newQty')).toBe(true);
    expect(isConfirmed(profile, 'amend')).toBe(false);
    requireConfirmed(profile, 'mainnet', ['amend']);
  });

  test('R111: one word of an enumeration can be confirmed alone', () => {
    const profile = confirming(
      '[enums.triggerDirection.at_or_above, enums.conditionalKind.take_profit, variants, nonce, types]',
    );
    requireConfirmed(profile, 'mainnet', ['conditionals']);
    expect(isUsable(profile, 'mainnet', 'enums.triggerDirection.at_or_above')).toBe(true);
    expect(isUsable(profile, 'mainnet', 'enums.triggerDirection.at_or_below')).toBe(false);
  });

  test('R53: direct TCP stays off on mainnet while it is unconfirmed', () => {
    expect(sandbox.lanes.directTcp).toBe(false);
    expect(() => requireConfirmed(sandbox, 'mainnet', ['directTcp'])).toThrow(/lanes\.directTcp/);
  });

  test('every key that a feature names stands in the profile', () => {
    for (const key of Object.values(featureKeys).flat()) confirming(`[${key}]`);
  });
});

test('a route is filled with its parameters, escaped, and lacks none silently', () => {
  expect(routePath(sandbox, 'orderbook', { marketId: 7 })).toBe('/api/v1/markets/7/orderbook');
  expect(routePath(sandbox, 'agent', { agentId: 'a/../b' })).toBe('/api/agents/a%2F..%2Fb');
  expect(() => routePath(sandbox, 'agent')).toThrow(/agentId/);
});

test('the template for the real venue is a profile and confirms nothing that its text leaves open', () => {
  const template = loadProfile(join(folder, 'venue.template.yaml'));
  expect(template.environments.mainnet.baseUrl).toBeNull();
  for (const feature of ['orders', 'stream', 'quotes'] as const) {
    expect(() => requireConfirmed(template, 'mainnet', [feature])).toThrow(ProfileError);
  }
});

describe('R134: every gap that the contract gives to the profile has its key there', () => {
  const contract = readFileSync(join(folder, '../docs/venue/contract.md'), 'utf8');
  const part = contract.slice(contract.indexOf('\n# B.'), contract.indexOf('\n## B.6'));
  const rows = part
    .split('\n')
    .filter((line) => line.startsWith('| G'))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .map((cells) => [cells[1] ?? '', cells.at(-2) ?? ''] as const)
    .filter(([, cell]) => cell !== 'code');
  /** Where the contract writes a key with a placeholder, or as one name for several. */
  const spelled: Record<string, string> = { 'routes.public': 'routes.markets' };
  const keysOf = (cell: string) =>
    [...cell.split(' = ')[0]!.matchAll(/`([a-zA-Z]+\.?[^`]*)`/g)].map(([, key]) => {
      const plain = key!
        .split(/[:/]/)[0]!
        .replace(/\[\].*|\.<.*/, '')
        .replace('.*.', '.')
        .replace(/\.\*$/, '');
      return spelled[plain] ?? plain;
    });

  test('the contract names 62 such rows', () => expect(rows.length).toBe(62));
  test.each(rows)('%s %s', (_, cell) => {
    const keys = keysOf(cell);
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) {
      let at: unknown = sandbox;
      for (const step of key.split('.')) at = (at as Record<string, unknown> | undefined)?.[step];
      expect(at, key).toBeDefined();
    }
  });
});

test('R17: the golden vectors of the profile hold, and one wrong byte is refused', () => {
  checkGoldenVectors(sandbox, referenceBlake3);
  expect(sandbox.signing.goldenVectors).toHaveLength(3);
  const spoiled = parseProfile(changed('"price":50000000000,', '"price":50000000001,'), 'p.yaml');
  expect(() => checkGoldenVectors(spoiled, referenceBlake3)).toThrow(/golden vector V1/);
});

test('whatever stands in the file, it is a profile or a list of faults', () => {
  const keys = Object.keys(sandbox);
  fc.assert(
    fc.property(fc.constantFrom(...keys), fc.jsonValue(), fc.string(), (key, value, tail) => {
      const lines = sandboxText.replace(
        new RegExp(`^${key}:.*$`, 'm'),
        () => `${key}: ${JSON.stringify(value)}`,
      );
      for (const text of [lines, sandboxText + tail, tail]) {
        try {
          parseProfile(text, 'p.yaml');
        } catch (error) {
          expect(error).toBeInstanceOf(ProfileError);
        }
      }
    }),
    { numRuns: 20 },
  );
});
