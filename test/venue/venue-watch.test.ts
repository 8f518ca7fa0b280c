/** The polls of the venue's operational routes, under manual time, with a venue that the test plays. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Market } from '../../src/domain/instrument.ts';
import type { MarketId } from '../../src/domain/units.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Gate, type GateChange, type VenuePoll } from '../../src/venue/gate.ts';
import type { LimitsRecord } from '../../src/venue/records.ts';
import { VenueReadError, type VenueReads } from '../../src/venue/venue-reads.ts';
import { VenueWatch, type WatchFinding } from '../../src/venue/venue-watch.ts';
import { WireError } from '../../src/venue/wire-value.ts';
import { spot } from '../domain/ladder.ts';
import { account, sandbox } from './samples.ts';

const { pollMs, goodPolls, limitsMs, versionMs } = sandbox.gate;
const domain = sandbox.signing.domains.action;
const { contractValue } = sandbox.headers;
const limits = { maxActions: 3 } as LimitsRecord;
const good: VenuePoll = {
  readiness: 'ready',
  reason: '',
  status: {
    placementReady: true,
    placementReason: null,
    sequencerCoreReachable: true,
    tradingHalted: false,
  },
};

let clock: ManualClock;
let gate: Gate;
let watch: VenueWatch;
let asked: string[];
let found: WatchFinding[];
let changes: GateChange[];
let lists: (readonly Market[])[];
let said: {
  poll: VenuePoll;
  contract: string | null;
  domain: string | null;
  markets: Market[];
  faults: [place: string, problem: string][];
  build: string[];
  /** These routes fail. */
  broken: string[];
};

let reads: VenueReads;
const ofAccount = (name: string, its: VenueReads) => ({
  name,
  reads: its,
  limited: () => void asked.push('limits taken'),
});
let own: ReturnType<typeof ofAccount>;

beforeEach(() => {
  clock = new ManualClock();
  gate = new Gate({ ...sandbox.gate, placeWithoutStream: true });
  [asked, found, changes, lists] = [[], [], [], []];
  const [markets, faults]: [Market[], []] = [[spot], []];
  said = { poll: good, contract: contractValue, domain, markets, faults, build: [], broken: [] };
  const answer = async <T>(route: string, value: () => T): Promise<T> => {
    asked.push(route);
    if (said.broken.includes(route)) throw new Error(`${route} is broken`);
    return value();
  };
  reads = {
    poll: () => answer('poll', () => said.poll),
    limits: () => answer('limits', () => ({ limits, contract: said.contract })),
    signingDomain: () => answer('domain', () => said.domain),
    markets: (skip: (fault: WireError) => void) =>
      answer('markets', () => {
        for (const [place, problem] of said.faults) skip(new WireError(place, problem));
        return said.markets;
      }),
    unknownBuild: () => answer('version', () => said.build),
  } as unknown as VenueReads;
  own = ofAccount('main', reads);
  const consumer = {
    changed: (more: readonly GateChange[]) => void changes.push(...more),
    markets: (list: readonly Market[]) => void lists.push(list),
    found: (finding: WatchFinding) => void found.push(finding),
  };
  watch = new VenueWatch({ profile: sandbox, reads, gate, clock, consumer });
});

/** Lets everything that is under way come to its end. */
const turn = () => new Promise((resolve) => setImmediate(resolve));
async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await turn();
}
const count = (route: string) => asked.filter((one) => one === route).length;
const mayPlace = () => gate.refusal(account, 1 as MarketId, false) === null;
const texts = () => found.map((finding) => ('text' in finding ? finding.text : finding.fields));

test('the gate opens while nothing but readiness is asked, and the polls go on when the rest begins', async () => {
  await watch.watchGate();
  for (let polls = 1; polls < goodPolls; polls++) await pass(pollMs);
  expect(mayPlace()).toBe(true);
  expect(new Set(asked)).toEqual(new Set(['poll']));
  await watch.start(reads, [own], []);
  const before = count('poll');
  await pass(pollMs);
  expect(count('poll')).toBe(before + 1);
  watch.stop();
  await pass(10 * pollMs);
  expect(count('poll')).toBe(before + 1);
});

test('only limits and the signing domain are asked with the credential of an account', async () => {
  const withCredential: string[] = [];
  const noted = new Proxy(reads, {
    get(target, name) {
      withCredential.push(String(name));
      return Reflect.get(target, name);
    },
  });
  await watch.start(reads, [ofAccount('main', noted)], []);
  await pass(pollMs);
  expect(withCredential.toSorted()).toEqual(['limits', 'signingDomain']);
});

test('polls that hang take four connections and no more', async () => {
  let open = 0;
  const hangs = async () => {
    open += 1;
    await new Promise<never>(() => {});
  };
  const two = async () => Promise.all([hangs(), hangs()]);
  const silent = { poll: two, markets: hangs, unknownBuild: hangs } as unknown as VenueReads;
  void watch.start(silent, [own], []);
  for (let asks = 0; asks < 5; asks += 1) {
    void watch.reload();
    await pass(versionMs);
  }
  expect(open).toBe(4);
});

test('an account whose credential is refused keeps nothing from the others, and the next one asks for the domain', async () => {
  const refuse = async () => {
    throw new VenueReadError('API_CREDENTIAL_REVOKED', 403, 'API_CREDENTIAL_REVOKED');
  };
  const revoked = { ...reads, limits: refuse, signingDomain: refuse } as unknown as VenueReads;
  said.domain = 'other/v2';
  await watch.start(reads, [ofAccount('revoked', revoked), own], []);
  expect(count('limits taken')).toBe(1);
  expect(found.map(({ kind }) => kind).toSorted()).toEqual(['integrity', 'problem']);
  expect(texts()).toContain('limits of revoked: API_CREDENTIAL_REVOKED');
});

test('a read before an account is open leaves the domain for later', async () => {
  await watch.reload();
  expect(texts()).toEqual(['signing domain: no account is open yet']);
  expect(lists).toEqual([[spot]]);
});

test('a venue that does not answer is asked for its domain once, not once for each account', async () => {
  said.broken = ['domain'];
  await watch.start(reads, [own, ofAccount('other', reads)], []);
  expect(count('domain')).toBe(1);
});

test('many who ask for another read while one is under way share the one that follows it', async () => {
  await watch.start(reads, [own], []);
  const before = count('markets');
  const [first, ...others] = Array.from({ length: 5 }, () => watch.reload());
  await Promise.resolve();
  await Promise.resolve();
  const later = Array.from({ length: 200 }, () => watch.reload());
  await Promise.all([first, ...others, ...later]);
  expect(count('markets') - before).toBe(2);
  await watch.reload();
  expect(count('markets') - before).toBe(3);
});

test('a market that cannot be read hides no others, and is an alarm once', async () => {
  said.faults = [['markets[1].status', 'must be open']];
  await watch.start(reads, [own], []);
  await watch.reload();
  expect(lists).toEqual([[spot], [spot]]);
  const text = "1 markets of the venue's list cannot be used: markets[1].status: must be open";
  expect(found).toEqual([{ kind: 'integrity', text }]);
});

test('a market is not offered from the start if the venue lists it with other decimals than an open order has', async () => {
  await watch.start(reads, [own], [{ ...spot, qtyScale: 3 }]);
  expect(lists).toEqual([[]]);
  expect(found).toMatchObject([{ text: expect.stringContaining('of the price and 0 of the') }]);
});

test('a market whose decimals change is not offered while they differ from the first ones', async () => {
  await watch.start(reads, [own], []);
  said.markets = [{ ...spot, priceScale: 4 }];
  await watch.reload();
  said.markets = [spot];
  await watch.reload();
  expect(lists).toEqual([[spot], [], [spot]]);
  const decimals = (price: number) => `${price} decimals of the price and 0 of the quantity`;
  const text = `1 markets of the venue's list cannot be used: BTC-USDC has ${decimals(4)}, it had ${decimals(0)}`;
  expect(found).toEqual([{ kind: 'integrity', text }]);
});

test('the start has asked every route once when it is over', async () => {
  await watch.start(reads, [own], []);
  expect(asked.toSorted()).toEqual(
    ['domain', 'limits', 'limits taken', 'markets', 'poll', 'version'].toSorted(),
  );
  expect(lists).toEqual([[spot]]);
  expect(found).toEqual([]);
});

test('each route is asked at the pace of the profile', async () => {
  await watch.start(reads, [own], []);
  for (let ms = 0; ms < versionMs; ms += pollMs) await pass(pollMs);
  expect(count('poll')).toBe(1 + versionMs / pollMs);
  expect(count('limits')).toBe(1 + versionMs / limitsMs);
  expect(count('markets')).toBe(1 + versionMs / limitsMs);
  expect(count('version')).toBe(2);
});

test('a slow venue is not asked again before it has answered', async () => {
  await watch.start(reads, [own], []);
  let answer = (_: VenuePoll) => {};
  const slow = new Promise<VenuePoll>((resolve) => {
    answer = resolve;
  });
  said.poll = slow as unknown as VenuePoll;
  await pass(pollMs);
  await pass(10 * pollMs);
  expect(count('poll')).toBe(2);
  said.poll = good;
  answer(good);
  await turn();
  await pass(pollMs);
  expect(count('poll')).toBe(3);
});

test('the gate opens after the good polls that the profile asks for, and closes at the first bad one', async () => {
  await watch.start(reads, [own], []);
  for (let polls = 1; polls < goodPolls; polls++) {
    expect(mayPlace()).toBe(false);
    await pass(pollMs);
  }
  expect(mayPlace()).toBe(true);
  expect(changes).toEqual([{ kind: 'venue', state: 'open', reason: '' }]);
  said.poll = { ...good, readiness: 'unreachable', reason: 'refused' };
  await pass(pollMs);
  expect(mayPlace()).toBe(false);
  expect(changes.at(-1)).toEqual({ kind: 'venue', state: 'unreachable', reason: 'refused' });
});

describe('a signing domain', () => {
  const openGate = async () => {
    await watch.start(reads, [own], []);
    await pass(pollMs * goodPolls);
    await pass(pollMs * goodPolls);
    expect(mayPlace()).toBe(true);
  };

  test('that is not ours closes the gate and raises one alarm, until it is ours again', async () => {
    await openGate();
    said.domain = 'other/v2';
    await watch.reload();
    await watch.reload();
    expect(mayPlace()).toBe(false);
    const text = `the venue signs under other/v2, the profile under ${domain}`;
    expect(found).toEqual([{ kind: 'integrity', text }]);
    await pass(10 * pollMs);
    await pass(10 * pollMs);
    expect(mayPlace()).toBe(false);
    said.domain = domain;
    await watch.reload();
    for (let polls = 0; polls < goodPolls; polls++) await pass(pollMs);
    expect(mayPlace()).toBe(true);
    said.domain = 'other/v2';
    await watch.reload();
    expect(found).toHaveLength(2);
  });

  test('that the venue does not name, or a route that fails, changes nothing', async () => {
    await openGate();
    said.domain = null;
    await watch.reload();
    said.broken = ['domain'];
    await watch.reload();
    expect(mayPlace()).toBe(true);
    expect(found).toEqual([{ kind: 'problem', text: 'signing domain: domain is broken' }]);
  });

  test('that was not ours stays distrusted while the route fails', async () => {
    await openGate();
    said.domain = 'other/v2';
    await watch.reload();
    said.broken = ['domain'];
    await watch.reload();
    await pass(10 * pollMs);
    await pass(10 * pollMs);
    expect(mayPlace()).toBe(false);
  });
});

test('another contract is an alarm once, and the limits are taken nevertheless', async () => {
  said.contract = 'v9';
  await watch.start(reads, [own], []);
  await watch.reload();
  expect(texts()).toEqual([`${sandbox.headers.contract} is v9, not ${contractValue}`]);
  expect(count('limits taken')).toBe(2);
  said.contract = 'v10';
  await watch.reload();
  expect(texts()).toHaveLength(2);
});

test('a market that is not open is halted, and goes on when it opens', async () => {
  said.markets = [spot, { ...spot, marketId: 2 as MarketId, status: 'closed' }];
  await watch.start(reads, [own], []);
  expect([gate.isHalted(1 as MarketId), gate.isHalted(2 as MarketId)]).toEqual([false, true]);
  expect(changes).toEqual([{ kind: 'market', market: 2, state: 'closed' }]);
  said.markets = [
    { ...spot, status: 'halted' },
    { ...spot, marketId: 2 as MarketId },
  ];
  await watch.reload();
  expect([gate.isHalted(1 as MarketId), gate.isHalted(2 as MarketId)]).toEqual([true, false]);
  expect(lists).toHaveLength(2);
  said.markets = [{ ...spot, status: 'settled' }];
  await watch.reload();
  expect(changes.at(-1)).toEqual({ kind: 'market', market: 1, state: 'closed' });
});

test('a route that fails is a problem by its name, and the others are still taken', async () => {
  said.broken = ['limits', 'version'];
  await watch.start(reads, [own], []);
  expect(texts().toSorted()).toEqual([
    'limits of main: limits is broken',
    'version: version is broken',
  ]);
  expect(lists).toHaveLength(1);
  said.broken = [];
  await pass(limitsMs);
  expect(count('limits taken')).toBe(1);
});

test('R81: a build without metadata is found once, until it changes', async () => {
  said.build = ['/commit'];
  await watch.start(reads, [own], []);
  await pass(versionMs);
  expect(watch.unknownBuild).toEqual(['/commit']);
  expect(found).toEqual([{ kind: 'build_unknown', fields: ['/commit'] }]);
  said.build = [];
  await pass(versionMs);
  expect(watch.unknownBuild).toEqual([]);
  said.build = ['/commit'];
  await pass(versionMs);
  expect(found).toHaveLength(2);
});

test('after the end nothing is asked, and an answer that still comes changes nothing', async () => {
  await watch.start(reads, [own], []);
  said.broken = ['limits'];
  clock.advance(limitsMs);
  watch.stop();
  const before = asked.length;
  await turn();
  await pass(10 * versionMs);
  expect(asked).toHaveLength(before);
  expect([changes, found]).toEqual([[], []]);
});
