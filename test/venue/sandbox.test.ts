/** The venue client against the sandbox over real sockets, its fault switches on (contract E.3, E.5, E.6). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CancelIntent, PlaceIntent } from '../../src/domain/intent.ts';
import type { MarketId, OrderId, Price, Qty } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { SignedSend } from '../../src/venue/action-json.ts';
import type { ExecutionStream, StreamState } from '../../src/venue/execution-stream.ts';
import { Gate, type GateChange } from '../../src/venue/gate.ts';
import type { Profile } from '../../src/venue/profile.ts';
import type { LimitsRecord } from '../../src/venue/records.ts';
import type { VenueEvent } from '../../src/venue/venue-event.ts';
import { VenueReads } from '../../src/venue/venue-reads.ts';
import { VenueWatch, type WatchFinding } from '../../src/venue/venue-watch.ts';
import type { Verdict } from '../../src/venue/verdict.ts';
import type { OutboxLine } from '../support/outbox-line.ts';
import { openVenueHalf, type VenueHalf } from '../support/venue-half.ts';
import { until } from '../support/waits.ts';
import { sandbox, spotOrder } from './samples.ts';

let half: VenueHalf;
let line: OutboxLine;
let stream: ExecutionStream;
let events: VenueEvent[];
let states: StreamState[];
let numbers: number[];

const resting: PlaceIntent = {
  kind: 'place',
  market: 1 as MarketId,
  book: null,
  side: 'Bid',
  price: 40_000_000_000n as Price,
  qty: 1_000_000n as Qty,
  stp: 'cancel_taker',
  timeInForce: 'gtc',
  isMarket: false,
  reduceOnly: false,
  expiresAtMs: null,
};
const cancelOf = (orderId: OrderId): CancelIntent => ({
  kind: 'cancel',
  target: 'order',
  orderId,
});
/** As another writer of the account sends it. */
const send = (action: SignedSend) =>
  new Promise<Verdict>((answered) => {
    line.dispatcher.submit({ id: 1, send: action, priority: 'place', sent: () => {}, answered });
  });
const restings = () => events.filter(({ kind }) => kind === 'resting');

beforeAll(async () => {
  half = await openVenueHalf(7);
});
afterAll(() => half.stop());

beforeEach(async () => {
  events = [];
  states = [];
  numbers = [];
  const page = await half.reads.gapFill(half.account, 1);
  stream = half.stream(page.lastSeq ?? 0, {
    deliver: async (batch) => {
      events.push(...batch);
    },
    state: (state) => states.push(state),
    numbered: (number) => numbers.push(number),
    rebuild: async () => {},
    problem: () => {},
    unanswered: () => {},
  });
  stream.start();
  await until(() => states.at(-1) === 'live');
  line = await half.line();
});
afterEach(async () => {
  line.stop();
  await stream.stop();
  await half.admin('/faults', {}, 'DELETE');
});

test('R8: an order is accepted, its id is the one derived here, and the stream tells its state', async () => {
  const { actionHash, orderId, outcome } = await line.submit(resting);
  expect(outcome).toEqual({ kind: 'accepted', orderId });
  await until(() => events.some((event) => event.orderId === orderId && event.kind === 'resting'));
  const event = events.find((one) => one.kind === 'resting');
  expect(event).toMatchObject({
    account: half.account,
    market: 1,
    side: 'Bid',
    price: 40_000_000_000n,
    venueRef: actionHash,
  });
  expect(line.alarms).toEqual([]);
});

test('R36, R43: a business refusal is decisive', async () => {
  const dust = { ...resting, price: 10_000n as Price, qty: 1000n as Qty };
  const { outcome } = await line.submit(dust);
  expect(outcome).toMatchObject({
    kind: 'refused',
    denial: { refusal: { name: 'spot_notional_below_minimum' } },
  });
});

test('R33: a nonce that another writer used is signed anew', async () => {
  const { floor } = line;
  expect(await send(half.signed({ ...spotOrder, price: resting.price }, floor))).toMatchObject({
    kind: 'accepted',
  });
  const { actionHash, outcome } = await line.submit(resting);
  expect(outcome.kind).toBe('accepted');
  await until(() => events.some((event) => event.venueRef === actionHash));
  const own = events.find((event) => event.venueRef === actionHash);
  expect(Number(own?.nonce)).toBeGreaterThan(floor);
});

test('R45: the same bytes with the same key are one order', async () => {
  const action = half.signed({ ...spotOrder, price: resting.price }, line.floor);
  const first = await send(action);
  const second = await send(action);
  expect(second).toMatchObject({ kind: 'accepted' });
  expect(first.kind === 'accepted' && first.orderIds).toEqual(
    second.kind === 'accepted' && second.orderIds,
  );
  await until(() => events.some(({ kind }) => kind === 'resting'));
  expect(restings()).toHaveLength(1);
});

test('R48, R49, R52: a JSON batch of what queued, each result with its action', async () => {
  const lanes = { ...half.profile.lanes, order: ['jsonBatch'] as 'jsonBatch'[] };
  line.stop();
  line = await half.line({ ...half.profile, lanes });
  const settled = await Promise.all(Array.from({ length: 12 }, () => line.submit(resting)));
  expect(settled.map(({ outcome }) => outcome.kind)).toEqual(new Array(12).fill('accepted'));
  await until(() => restings().length === 12);
});

describe('R46: after a lost answer exactly one order and one outcome', () => {
  const one = { path: '/trading/actions', times: 1 };
  test.each([
    { kind: 'fail_before', status: 500 },
    { kind: 'fail_before', status: 503 },
    { kind: 'fail_after', status: 500 },
    { kind: 'fail_after', status: 503 },
    { kind: 'drop' },
    { kind: 'slow', delayMs: 1500 },
    { kind: 'cut_before', atByte: 0 },
    ...[0, 1, 17, 60, 200, 350, 500].map((atByte) => ({ kind: 'cut_after', atByte })),
  ])('$kind $status $atByte', async (rule) => {
    await half.admin('/faults', { ...one, ...rule });
    const { actionHash, orderId, outcome } = await line.submit(resting);
    expect(outcome.kind).toBe('accepted');
    await until(() => events.some((event) => event.orderId === orderId));
    const receipts = await half.reads.receipts(half.account, { actionHash });
    expect(receipts).toHaveLength(1);
    expect(restings()).toHaveLength(1);
  });
});

test('R50: a refusal by the engine is told by the stream, too', async () => {
  const { actionHash, outcome } = await line.submit({ ...resting, timeInForce: 'fok' });
  expect(outcome).toMatchObject({
    kind: 'refused',
    denial: { refusal: { name: 'fok_not_filled' } },
  });
  await until(() => events.some((event) => event.venueRef === actionHash));
});

describe('R73: frames that are lost, late, doubled or out of order change nothing', () => {
  test.each(['frame_drop', 'frame_delay', 'frame_double', 'frame_reorder'])('%s', async (kind) => {
    await half.admin('/faults', { kind, times: 3, delayMs: 100 });
    const from = stream.lastSeq;
    for (let count = 0; count < 6; count += 1) await line.submit(resting);
    await until(() => restings().length === 6);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => from + 1 + index));
  });
});

test('R71: a numeric reason of the socket is told', async () => {
  await half.admin(`/streams/${half.account}`, { number: 104, message: 'ledger' });
  await until(() => numbers.includes(104));
});

test('R66: a socket that the venue closes is opened again, and nothing is missed', async () => {
  await half.admin(`/streams/${half.account}`, { number: 105, message: 'fenced' });
  await until(() => states.includes('down') && states.indexOf('down', 1) > 0);
  await line.submit(resting);
  await until(() => events.some(({ kind }) => kind === 'resting') && states.at(-1) === 'live');
});

test('a cancel goes by the id that was derived here', async () => {
  const { orderId } = await line.submit(resting);
  if (orderId === null) throw new Error('no order');
  const { outcome } = await line.submit(cancelOf(orderId));
  expect(outcome.kind).toBe('accepted');
  await until(() => events.some((one) => one.kind === 'canceled' && one.orderId === orderId));
  const again = await line.submit(cancelOf(orderId));
  expect(again.outcome).toMatchObject({ denial: { refusal: { name: 'order_not_open' } } });
});

test('R83: markets, order book and receipts are read as the venue has them', async () => {
  const markets = await half.reads.markets();
  expect(markets).toHaveLength(12);
  const { seedPrice, ...first } = sandbox.markets[0]!;
  expect(seedPrice).toBeGreaterThan(0n);
  expect(markets[0]).toEqual(first);
  await line.submit(resting);
  const book = await half.reads.orderBook(1 as MarketId, null);
  expect(book.bids[0]?.price).toBe(40_000_000_000n);
  const outcomeBook = await half.reads.orderBook(7 as MarketId, 'NO');
  expect(outcomeBook).toMatchObject({ marketId: 7, book: 'NO', bids: [] });
});

describe('the watch and the gate', () => {
  let changes: GateChange[];
  let findings: WatchFinding[];
  let limits: LimitsRecord[];
  let gate: Gate;
  let watch: VenueWatch;

  beforeEach(async () => {
    changes = [];
    findings = [];
    limits = [];
    const rules = { ...half.profile.gate, goodPollApartMs: 20, placeWithoutStream: false };
    gate = new Gate(rules);
    watch = watching(half.profile);
    await startWatch();
    await until(() => gate.state === 'open');
  });
  afterEach(async () => {
    watch.stop();
    await half.admin('/gates', {
      tradingHalted: false,
      placementOff: false,
      ledgerDegraded: false,
    });
  });

  function watching(used: Profile): VenueWatch {
    return new VenueWatch({
      profile: { ...used, gate: { ...used.gate, pollMs: 10, limitsMs: 10, versionMs: 10 } },
      reads: new VenueReads(half.http, used),
      gate,
      clock: systemClock,
      consumer: {
        changed: (list) => changes.push(...list),
        markets: () => {},
        found: (finding) => findings.push(finding),
      },
    });
  }
  function startWatch(): Promise<void> {
    const reads = new VenueReads(half.http, half.profile);
    const limited = (record: LimitsRecord) => void limits.push(record);
    return watch.start(reads, [{ name: 'main', reads, limited }], []);
  }
  const refusal = () => gate.refusal(half.account, 1 as MarketId, false)?.refusal;

  test.each([
    ['placementOff', 'not_ready', 'bridge.gate_closed', null],
    ['tradingHalted', 'halted', 'bridge.gate_closed', 103],
    ['ledgerDegraded', 'ledger_degraded', 'bridge.gate_closed', 104],
  ])('R77, R79, R82: %s closes the gate, and it opens again', async (name, state, code, number) => {
    await half.admin('/gates', { [name]: true });
    await until(() => gate.state === state);
    expect(refusal()).toMatchObject({ code, number });
    await half.admin('/gates', { [name]: false });
    await until(() => gate.state === 'open');
    expect(changes.map((change) => change.kind === 'venue' && change.state)).toEqual([
      'open',
      state,
      'open',
    ]);
  });

  test('R80: a market that halts and resumes is told', async () => {
    await half.admin('/markets/3', { status: 'halt' });
    await until(() => gate.isHalted(3 as MarketId));
    await half.admin('/markets/3', { status: 'resume' });
    await until(() => !gate.isHalted(3 as MarketId));
    expect(changes.filter(({ kind }) => kind === 'market')).toHaveLength(2);
  });

  test('R83: limits are read again and again', async () => {
    await half.admin('/limits', { jsonEnabled: false });
    await until(() => limits.at(-1)?.jsonEnabled === false);
    await half.admin('/limits', { jsonEnabled: true });
    await until(() => limits.at(-1)?.jsonEnabled === true);
    expect(limits.at(-1)).toMatchObject({ maxActions: 32, maxLegs: 32, nonceWindow: 256 });
  });

  test('R81: a build without metadata is a warning and no stop', async () => {
    expect(findings).toEqual([]);
    await half.admin('/build', { hidden: true });
    await until(() => findings.some(({ kind }) => kind === 'build_unknown'));
    expect(gate.state).toBe('open');
  });

  test('R84: another contract value, and another signing domain, are alarms told once', async () => {
    watch.stop();
    const signing = {
      ...half.profile.signing,
      domains: { ...half.profile.signing.domains, action: 'OTHER/v1' },
    };
    watch = watching({
      ...half.profile,
      signing,
      headers: { ...half.profile.headers, contractValue: 'v9' },
    });
    await startWatch();
    await until(() => limits.length > 5);
    const alarms = findings.filter(({ kind }) => kind === 'integrity');
    expect(alarms).toHaveLength(2);
    expect(JSON.stringify(alarms)).toMatch(/bsl-order-entry-v1, not v9/);
    expect(JSON.stringify(alarms)).toMatch(/SANDBOX\/ACTION_PAYLOAD\/v1.*OTHER\/v1/);
    // Every signature of ours is worthless there, or worth something elsewhere (G01).
    expect(gate.state).toBe('not_ready');
    expect(refusal()).toMatchObject({ code: 'bridge.gate_closed' });
  });
});

describe('R63: request authentication is data of the profile that both sides read', () => {
  const { http: auth } = sandbox.auth;
  const other = {
    ...auth,
    headers: {
      ...auth.headers,
      key: 'Access-Key',
      signature: 'Access-Sign',
      timestamp: 'Access-Time',
    },
    template: '{body}.{timestamp}.{METHOD}.{path}',
    encoding: 'hex' as const,
    timestampUnit: 's' as const,
  };
  const pem = (seedHex: string) => {
    const der = Buffer.concat([
      Buffer.from('302e020100300506032b657004220420', 'hex'),
      Buffer.from(seedHex, 'hex'),
    ]);
    return `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
  };

  test.each([
    ['the default', auth, undefined],
    ['other headers, template, encoding and unit', other, undefined],
    ['Ed25519', { ...auth, digest: 'ed25519' as const }, 'ed25519'],
  ])('%s', async (_, http, digest) => {
    const other = await openVenueHalf(3, {
      profile: { ...sandbox, auth: { ...sandbox.auth, http } },
      ...(digest === undefined ? {} : { secretOf: ({ ed25519Key }) => pem(ed25519Key) }),
    });
    const { outcome } = await (await other.line()).submit(resting);
    await other.stop();
    expect(outcome.kind).toBe('accepted');
  });

  test('R57: a wrong secret lets nothing in', async () => {
    const wrong = await openVenueHalf(3, { secretOf: () => 'sps_wrong' });
    const reading = wrong.reads.gapFill(wrong.account, 1);
    await expect(reading).rejects.toThrow('API_CREDENTIAL_INVALID');
    await wrong.stop();
  });
});
