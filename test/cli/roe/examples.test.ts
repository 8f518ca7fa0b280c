/** The examples of a demo's sessions are messages that its bridge reads and writes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFix } from '../../../src/cli/decode/fix-message.ts';
import { writeDemoFiles } from '../../../src/cli/demo-files.ts';
import { type Example, examplesOf } from '../../../src/cli/roe/examples.ts';
import { causeway44 } from '../../../src/fix/dictionaries.ts';
import type { Config, FixSessionConfig } from '../../../src/gateway/config/config.ts';
import { loadConfig } from '../../../src/gateway/config/config-file.ts';
import { developmentAccounts } from '../../../src/sandbox/development-accounts.ts';
import { openEcdsa } from '../../../src/signer/ecdsa.ts';
import { loadProfile } from '../../../src/venue/profile.ts';

const profileFile = join(import.meta.dirname, '../../../dictionaries/venue.sandbox.yaml');
const profile = loadProfile(profileFile);
const dictionary = causeway44();
let directory: string;
let config: Config;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'roe-examples-'));
  const file = await writeDemoFiles({
    directory,
    seed: 1,
    fixHost: '127.0.0.1',
    fixPort: 9880,
    venueUrl: 'http://127.0.0.1:1',
    profileFile,
    accounts: await developmentAccounts({ profile, seed: 1 }, await openEcdsa(), 4),
    cancelOnDisconnect: false,
  } as Parameters<typeof writeDemoFiles>[0]);
  ({ config } = loadConfig(file));
});

afterAll(() => rmSync(directory, { recursive: true }));

function examplesFor(compId: string, change: Partial<FixSessionConfig> = {}): readonly Example[] {
  const found = config.sessions.find(({ senderCompId }) => senderCompId === compId);
  const session = { ...found, ...change } as FixSessionConfig;
  return examplesOf({ config, session, profile, dictionary });
}

const textOf = ({ bytes }: Example) => bytes.toString('latin1').replaceAll('\x01', '|');

test.each([
  ['ALPHA', 'AADF'],
  ['MARKET', 'AAV5'],
  ['DROP', 'AA5'],
])('the examples for %s are messages that a session lets pass', (compId, types) => {
  const seen = examplesFor(compId).map(({ bytes }) => readFix(bytes));
  expect(seen.flatMap(({ faults }) => faults)).toEqual([]);
  const shown = new Set(seen.map(({ message }) => message.msgType));
  for (const type of types) expect(shown).toContain(type);
  expect(shown.has('D')).toBe(compId === 'ALPHA');
});

test('the reports have the fields that the bridge sends, in its order', () => {
  const [, , , pending = '', accepted = '', fill = ''] = examplesFor('ALPHA').map(textOf);
  expect(pending).toContain('|17=desk-a#1-1|150=A|39=A|1=desk-a|55=BTC-USDC|48=1|22=8|54=1|');
  expect(accepted).toContain('|17=desk-a-1-0|150=0|39=0|636=Y|');
  expect(fill).toContain('|59=1|32=0.004|31=100|151=0.006|14=0.004|6=100|');
  expect(fill).toContain('|9104=cancel_taker|9110=2|');
});

test('a session with reduced reports gets no Pending New', () => {
  const profiles = {
    ...config.profiles,
    short: { ...config.profiles['short'], pending: 'reduced' },
  };
  const session = { ...config.sessions[0], profile: 'short' } as FixSessionConfig;
  const changed = { ...config, profiles, sessions: [session] } as Config;
  const shown = examplesOf({ config: changed, session, profile, dictionary }).map(textOf);
  expect(shown.filter((text) => text.includes('|150=A|'))).toEqual([]);
  expect(shown.filter((text) => text.includes('|150=0|'))).toHaveLength(1);
});

test.each(profile.markets.map(({ symbol }) => symbol))(
  'an order in %s is one that the venue could take',
  (symbol) => {
    const [, , order] = examplesFor('ALPHA', { markets: [symbol] });
    const market = profile.markets.find((one) => one.symbol === symbol);
    const [, qty = '', price = ''] = /\|38=([^|]+)\|40=2\|44=([^|]+)\|/.exec(textOf(order!)) ?? [];
    const notional = Number(qty) * Number(price) * 10 ** (market?.priceScale ?? 0);
    expect(notional).toBeGreaterThanOrEqual(Number(market?.minNotional));
    if (market?.kind !== 'spot') expect(Number(price)).toBeLessThan(1);
  },
);
