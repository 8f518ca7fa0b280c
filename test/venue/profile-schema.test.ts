/** Each bound of the venue profile at its edge: a value of the sandbox's profile is replaced, the rest stays. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { profileSchema, routeNames } from '../../src/venue/profile-schema.ts';

type Node = Record<string, unknown>;
const file = join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml');
const sandbox = parse(readFileSync(file, 'utf8')) as Node;

/** A copy in which the member at this path is another one, or none. */
function changed(path: string, value: unknown): Node {
  const names = path.split('.');
  const [top = ''] = names;
  const profile = { ...sandbox, [top]: structuredClone(sandbox[top]) };
  const last = names.pop() ?? '';
  let node: Node = profile;
  for (const name of names) node = node[name] as Node;
  if (value === undefined) delete node[last];
  else node[last] = value;
  return profile;
}

const parts: Readonly<Record<string, z.ZodType>> = profileSchema.shape;

/** Only the part with the change is checked, which is many times faster; it is a part of the whole. */
function faultOf(path: string, value: unknown): string | undefined {
  const [top = ''] = path.split('.');
  const part = z.strictObject({ [top]: parts[top] ?? z.never() });
  const profile = changed(path, value);
  const [issue] = part.safeParse(top in profile ? { [top]: profile[top] } : {}).error?.issues ?? [];
  return issue && `${issue.path.join('.')}: ${issue.message}`;
}

test('the profile of the sandbox is one', () => {
  expect(profileSchema.safeParse(sandbox).error).toBeUndefined();
});

test('what may be left out has the default that changes nothing', () => {
  const { localChecks: _, quotes: __, ...rest } = changed('amend.strictPriority', undefined);
  const { amend, localChecks, quotes } = profileSchema.parse(rest);
  expect([amend.strictPriority, localChecks, quotes]).toEqual([
    false,
    false,
    { skipUnchanged: true },
  ]);
});

const market = 'markets.0';
const most = Number.MAX_SAFE_INTEGER;

/** A path, its values within the bounds, and those beyond. */
const edges: [string, unknown[], unknown[]][] = [
  [`${market}.marketId`, [0, most], [-1, most + 1, 1.5]],
  [
    `${market}.symbol`,
    ['A', 'BTC-USDC.2_X', 'X'.repeat(64)],
    ['', 'btc', 'A B', 'A/B', 'X'.repeat(65)],
  ],
  [`${market}.kind`, ['spot', 'binary', 'prediction'], ['SPOT', 'perp']],
  [`${market}.status`, ['open', 'halted', 'closed', 'settled'], ['paused']],
  [`${market}.priceScale`, [0, 18], [-1, 19]],
  [`${market}.qtyScale`, [0, 18], [-1, 19]],
  [`${market}.tick`, [1, most], [0, -1, 0.5, '1']],
  [`${market}.lot`, [1, most], [0, -1, 0.5]],
  [`${market}.minNotional`, [0, most], [-1, 0.5]],
  [`${market}.maxQty`, [0, most], [-1, most + 1]],
  [`${market}.expiryMs`, [null, 1], [0, 1.5]],
  ['auth.http.template', ['{timestamp}{body}'], ['{timestamp}', '{body}', '']],
  ['auth.http.digest', ['hmac-sha256', 'ed25519'], ['md5']],
  [
    'auth.http.headers.key',
    ['X-Key', '{slug}-key', 'k'.repeat(64)],
    ['', '-key', 'a b', 'a:', 'k'.repeat(65)],
  ],
  ['auth.agentTypes', [['a']], [[]]],
  ['ws.private.pingMs', [1, 86_400_000], [0, 86_400_001]],
  ['ws.private.maxFrameBytes', [1024, 67_108_864], [1023, 67_108_865]],
  ['ws.token.tokenPointers', [['/a']], [[]]],
  [
    'stream.event.seq',
    ['', '/', '/a', '/a/b', '/a~0b~1c'],
    ['a', '/a~2', '/~', `/${'a'.repeat(256)}`],
  ],
  ['stream.seqModel', ['contiguous', 'global'], ['local']],
  ['stream.reorderEvents', [1, 1_000_000], [0, 1_000_001]],
  ['gapFill.use', ['fromSeq', 'cursor'], ['page']],
  ['gapFill.limit', [1, 1000], [0, 1001]],
  ['records.receipts.limit', [1, 1000], [0, 1001]],
  ['routes.orders', ['/', '/v1/orders?a=b'], ['orders', '/a b', '/ü', '']],
  ['lanes.order', [['actions']], [[], ['tcp']]],
  ['http.connections', [1, 256], [0, 257]],
  ['http.maxBodyBytes', [1024, 67_108_864], [1023, 67_108_865]],
  ['idempotency.keyHexChars', [16, 64], [15, 65]],
  ['submit.defaultStatus', [400, 599], [399, 600]],
  ['compact.codec', [null, 'sandbox-compact-1'], ['other']],
  ['cancelAll.mode', ['fanout', 'route'], ['both']],
  ['nonce.window', [1, 65_536], [0, 65_537]],
  [
    'nonce.stride',
    [
      { offset: 0, step: 1 },
      { offset: 255, step: 256 },
    ],
    [
      { offset: 1, step: 1 },
      { offset: 0, step: 257 },
      { offset: -1, step: 2 },
    ],
  ],
  ['amend.newQty', ['total', 'remaining', 'unknown'], ['twice']],
  ['marketOrder.collarBps', [1, 10_000], [0, 10_001]],
  ['families.spot', ['SpotPlaceOrder', 'PlaceOrder'], ['Cancel']],
  ['engine.complement', [false], [true]],
  ['conditional.maxPerAccount', [0, 256], [-1, 257]],
  ['fees.takerBps', [-10_000, 10_000], [-10_001, 10_001]],
  [
    'fees.tiers',
    [[], [{ fromUsd: 0, rebateBps: 10_000 }]],
    [[{ fromUsd: 0, rebateBps: 10_001 }], [{ fromUsd: -1, rebateBps: 0 }]],
  ],
  ['limits.batch.actions', [1, 1024], [0, 1025]],
  ['limits.batch.legs', [1, 1024], [0, 1025]],
  ['limits.rate.burst', [1, 1_000_000], [0, 1_000_001]],
  ['environments.local.baseUrl', [null, 'http://127.0.0.1:1'], ['nowhere', '']],
  [
    'environments.mainnet.baseUrl',
    [null, 'https://x.example'],
    ['http://x.example', 'wss://x.example'],
  ],
  ['gate.goodPolls', [1, 100], [0, 101]],
  ['marketData.depth', [1, 1000], [0, 1001]],
  ['reject.numberMap', [{}, { X: null }, { X: 103 }], [{ X: 999 }, { X: '103' }]],
  ['fix.customTags.book', [5000, 39_999], [4999, 40_000]],
  ['confirmed', [true, false, [], ['amend.newQty']], ['yes', ['']]],
];

test.each(edges)('%s has its bounds', (path, within, beyond) => {
  for (const value of within) expect([value, faultOf(path, value)]).toEqual([value, undefined]);
  for (const value of beyond) {
    expect(faultOf(path, value), JSON.stringify(value)?.slice(0, 40)).toMatch(
      new RegExp(`^${path}`),
    );
  }
});

test('each key is needed, and no other one is known', () => {
  for (const key of Object.keys(sandbox)) {
    if (key === 'localChecks' || key === 'quotes') continue;
    expect(faultOf(key, undefined)).toMatch(new RegExp(`^${key}`));
  }
  expect(profileSchema.safeParse({ ...sandbox, speed: 9 }).error?.issues).toMatchObject([
    { path: [], message: 'Unrecognized key: "speed"' },
  ]);
  for (const place of ['markets.0.', 'nonce.', 'records.receipt.', 'ws.private.incoming.']) {
    expect(faultOf(`${place}speed`, 9)).toContain('Unrecognized key: "speed"');
  }
});

test('each route is one that the bridge may use, and none is missing', () => {
  expect(Object.keys(sandbox['routes'] as Node).sort()).toEqual([...routeNames].sort());
  for (const name of routeNames) expect(faultOf(`routes.${name}`, undefined)).toContain(name);
  expect(faultOf('routes.transfer', '/transfer')).toContain('transfer');
});

test('two markets that share an id or a symbol are refused', () => {
  const [first, second, ...others] = sandbox['markets'] as Node[];
  const withSecond = (change: Node) =>
    faultOf('markets', [first, { ...second, ...change }, ...others]);
  expect(withSecond({ marketId: first?.['marketId'] })).toBe(
    'markets: two markets share a marketId',
  );
  expect(withSecond({ symbol: first?.['symbol'] })).toBe('markets: two markets share a symbol');
});

test('amounts are exact integers of the domain', () => {
  const [parsed] = profileSchema.parse(changed(`${market}.maxQty`, most)).markets;
  expect(parsed?.maxQty).toBe(BigInt(most));
  expect(typeof parsed?.tick).toBe('bigint');
});
