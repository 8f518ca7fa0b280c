/** What a configuration switches on of the profile, and what mainnet makes of it (R135). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { admit } from '../../src/domain/admission.ts';
import type { RequestedTerms } from '../../src/domain/command.ts';
import { isDenial } from '../../src/domain/denial.ts';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import { entryIntent } from '../../src/domain/terms.ts';
import { parseDecimal } from '../../src/domain/units.ts';
import { type Config, configSchema } from '../../src/gateway/config/config.ts';
import { orderRulesOf } from '../../src/gateway/config/engine-settings.ts';
import { admissionRules, enabledFeatures, requireSpoken } from '../../src/gateway/features.ts';
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import { MadeAction } from '../../src/signer/made-action.ts';
import { ActionBytes } from '../../src/venue/outbox/action-bytes.ts';
import { actionOf } from '../../src/venue/outbox/action-of.ts';
import { featureKeys, parseProfile, requireConfirmed } from '../../src/venue/profile.ts';
import { account, spot } from '../domain/ladder.ts';
import { wanted } from '../support/trading-core.ts';

const { blake3 } = await fastestBlake3();

const file = join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml');
const text = readFileSync(file, 'utf8');
const confirming = (keys: readonly string[]) =>
  parseProfile(text.replace('confirmed: false', `confirmed: [${keys.join()}]`), 'venue.yaml');
const bare = confirming([]);

function config(session: object, more: object = {}): Config {
  return configSchema.parse({
    environment: 'mainnet',
    dataDir: 'data',
    venue: { profile: 'venue.yaml' },
    signer: { mode: 'process', socket: 'signer.sock' },
    accounts: [
      {
        name: 'desk',
        account: `0x${'1'.repeat(40)}`,
        apiKeyFile: 'k',
        apiSecretFile: 's',
        passphraseFile: 'p',
      },
    ],
    fix: { listen: { port: 0 } },
    users: [{ name: 'alpha', secretHashFile: 'h' }],
    profiles: { gtc: { dayOrders: 'gtc' } },
    sessions: [
      {
        senderCompId: 'ALPHA',
        targetCompId: 'CAUSEWAY',
        role: 'order-entry',
        users: ['alpha'],
        accounts: ['desk'],
        profile: 'gtc',
        ...session,
      },
    ],
    ...more,
  });
}

test.each([
  [{ actions: ['order', 'quote'] }, 'quotes needs orderId.leg'],
  [{ actions: ['algo'] }, /twap needs .*strategies\.twap/],
  [{ actions: ['conditional'] }, 'conditionals needs variants.PlaceConditionalOrder'],
  [{ profile: undefined }, 'goodTillDate needs types.expiresAt'],
  [{}, 'hashRoute needs hashRoute'],
  [{}, 'nonceFiller needs nonce.filler'],
])('a session with %j starts on mainnet only with what it needs: %s', (session, words) => {
  const asked = config(session);
  const features = enabledFeatures(asked, bare);
  expect(() => requireConfirmed(bare, 'mainnet', features)).toThrow(words);
});

test('what no session may do needs nothing confirmed', () => {
  const features = enabledFeatures(config({}), bare);
  for (const feature of ['quotes', 'twap', 'conditionals', 'goodTillDate', 'directTcp'] as const) {
    expect(features).not.toContain(feature);
  }
});

test('R53: direct TCP in the profile is a feature that mainnet wants confirmed', () => {
  const profile = parseProfile(text.replace('directTcp: false', 'directTcp: true'), 'venue.yaml');
  expect(enabledFeatures(config({}), profile)).toContain('directTcp');
});

test('one kind of algo that is confirmed is enough to start, and the others are refused', () => {
  const profile = confirming(featureKeys.twap);
  expect(enabledFeatures(config({ actions: ['algo'] }), profile)).not.toContain('iceberg');
  expect([...admissionRules(profile, 'mainnet').algos]).toEqual(['twap']);
});

test.each(['', 'slice_qty', 'interval_ms', 'slice_qty, interval_ms', 'interval_ms, slice_qty'])(
  'an algo is refused where the venue has the parameters [%s] and cannot be told of it',
  (params) => {
    const profile = parseProfile(
      text.replaceAll(/(iceberg|twap|vwap): \[slice.*\]/g, `$1: [${params}]`),
      'venue.yaml',
    );
    const [instrument] = instrumentsOf(spot);
    const rules = {
      ...admissionRules(profile, 'local'),
      ...({ dayOrders: 'gtc', defaultStp: null, localChecks: false } as const),
    } as const;
    const bytes = new ActionBytes(account, MadeAction.maker(profile, blake3));
    const head = { nonce: 1, clientOrderId: null, madeMs: 1 };
    const plain = wanted('Bid', '100x5') as RequestedTerms;
    const sliceQty = parseDecimal('2');
    const taken = (['iceberg', 'twap', 'vwap'] as const).filter((kind) => {
      const algo = { kind, sliceQty, intervalMs: kind === 'iceberg' ? null : 1_000 };
      const moment = { nowMs: 0, bestAsk: null, bestBid: null };
      const terms = admit({ ...plain, algo } as RequestedTerms, instrument as never, rules, moment);
      if (isDenial(terms)) return false;
      bytes.of(head, actionOf(entryIntent(terms, instrument as never)));
      return true;
    });
    const ofBoth = params.includes(',') ? ['twap', 'vwap'] : [];
    expect(taken).toEqual(params === 'slice_qty' ? ['iceberg'] : ofBoth);
  },
);

test('a process that only relays needs the stream alone', () => {
  const session = { role: 'drop-copy', profile: undefined };
  const relay = config(session, { roles: ['drop-copy'], signer: undefined });
  expect(enabledFeatures(relay, bare)).toEqual(['stream']);
});

describe('what is refused order by order on mainnet', () => {
  test('orders without limit, with an end, algos and conditionals, while unconfirmed', () => {
    expect(admissionRules(bare, 'mainnet')).toMatchObject({
      marketOrders: false,
      goodTillDate: false,
      algos: new Set(),
      conditionals: new Set(),
    });
  });

  test('a strategy without the order of its fields, a direction without the action, are not enough', () => {
    const words = ['strategies', 'enums'];
    const { algos, conditionals } = admissionRules(confirming(words), 'mainnet');
    expect([algos.size, conditionals.size]).toEqual([0, 0]);
  });

  test('what new_qty of an amend means is not known before it is confirmed', () => {
    const read = (keys: readonly string[], environment: Config['environment']) =>
      orderRulesOf('', { ...config({}), environment }, confirming(keys)).amendQty;
    expect(read([], 'mainnet')).toBe('unknown');
    expect(read(['amend.newQty'], 'mainnet')).toBe('total');
    expect(read([], 'local')).toBe('total');
  });

  test('nothing of it on local', () => {
    const rules = admissionRules(bare, 'local');
    expect([rules.marketOrders, rules.goodTillDate]).toEqual([true, true]);
    expect([rules.algos.size, rules.conditionals.size]).toEqual([3, 4]);
  });
});

test.each([
  ['mode: fanout', 'mode: route', 'cancelAll.mode is route; only fanout is supported'],
  ['price: collar', 'price: extreme', 'marketOrder.price is extreme; only collar is supported'],
  ['directTcp: false', 'directTcp: true', 'lanes.directTcp is true; only false is supported'],
  ['binary: PlaceOrder', 'binary: SpotPlaceOrder', 'families.binary is SpotPlaceOrder'],
])(
  'a profile with %s changed to %s is refused, because nothing here can do it',
  (was, is, words) => {
    expect(text).toContain(was);
    const changed = parseProfile(text.replace(was, is), 'venue.yaml');
    expect(() => requireSpoken(changed)).toThrow(words);
  },
);

test('R136: strides need a venue that can be asked for its floor', () => {
  const strided = text.replace('stride: { offset: 0, step: 1 }', 'stride: { offset: 0, step: 2 }');
  expect(() => requireSpoken(parseProfile(strided, 'venue.yaml'))).not.toThrow();
  const mute = strided.replace('discovery: hash_route', 'discovery: first_reject');
  expect(() => requireSpoken(parseProfile(mute, 'venue.yaml'))).toThrow(
    'nonce.discovery, with a nonce.stride.step above 1, is first_reject; only hash_route is supported',
  );
});

test('what is shipped is spoken whole', () => {
  expect(() => requireSpoken(bare)).not.toThrow();
});
