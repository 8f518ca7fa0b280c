import { request } from 'node:http';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { handleAdmin } from '../../src/sandbox/admin-routes.ts';
import { Client, type Loose, open, outcome, spot } from './client.ts';

const venue = await open();
afterAll(() => venue.stop());
beforeEach(() => venue.fresh());
const one = venue.client(0);
const actions = '/api/v1/trading/actions';

test.each([
  ['a page of another origin', { origin: 'https://example.org' }],
  ['a page that has taken a name for loopback', { host: 'rebound.example.org:80' }],
])('are not for %s', async (_, headers) => {
  const { port } = new URL(venue.info.adminUrl);
  const status = await new Promise((done) => {
    request({ port, method: 'POST', path: '/admin/reset', headers }, (answer) => {
      answer.resume();
      done(answer.statusCode);
    }).end();
  });
  expect(status).toBe(403);
});

test('a halt and its end are reported to every account', async () => {
  const stream = await one.stream();
  await venue.admin('/gates', { tradingHalted: true });
  await venue.admin('/gates', { tradingHalted: false });
  await venue.admin('/markets/7', { status: 'halt' });
  await venue.admin('/markets/7', { status: 'resume' });
  const events = await stream.events(4);
  expect(events.map(({ kind, market }) => [kind, market])).toEqual([
    ['halt', null],
    ['resume', null],
    ['halt', 7],
    ['resume', 7],
  ]);
  expect(events[0].reason).toMatchObject({ code: 'trading_halted', number: 103 });
  stream.close();
});

test('the kill switch of a market refuses its placements and no others, and lets cancels pass', async () => {
  const { body } = await one.act(outcome());
  await venue.admin('/kill', { kind: 'market', market: 7, on: true });
  expect((await one.act(outcome())).body.code).toBe('KILL_SWITCH');
  expect((await one.act(outcome({ market: 8 }))).body.code).toBeNull();
  expect((await one.act({ Cancel: { order_id: body.derivedOrderId } })).body.code).toBeNull();
  expect((await one.get('/api/v1/readiness')).status).toBe(200);
});

test('a fenced lease is reported with number 105, and the socket is closed', async () => {
  const stream = await one.stream();
  await venue.admin(`/streams/${one.account}`, { number: 105, message: 'write lease fenced' });
  expect(await stream.closed()).toBe(4105);
});

test('a market that closes cancels its orders, a settled one pays', async () => {
  const other = await open();
  const client = other.client(0);
  await client.act(outcome());
  await other.admin('/markets/7', { status: 'close' });
  const events = await client.events();
  expect(events.at(-1)).toMatchObject({ kind: 'canceled', reason: { code: 'MARKET_HALTED' } });
  expect((await client.act(outcome())).body.code).toBe('MARKET_HALTED');
  expect((await other.admin('/markets/7', { status: 'settle', outcome: 'YES' })).status).toBe(200);
  expect((await other.admin('/markets/1', { status: 'settle', outcome: 'YES' })).status).toBe(400);
  const { body } = await client.get('/api/v1/markets');
  expect(body.markets[6].status).toBe('settled');
  await other.stop();
});

test('what the operator sends is checked', async () => {
  for (const [path, body] of [
    ['/gates', { halted: true }],
    ['/markets/99', { status: 'halt' }],
    ['/faults', { kind: 'meteor' }],
    ['/accounts/0x1', {}],
    ['/agents/nobody', {}],
    ['/deposits', { account: one.account, asset: 'USDC', amount: 1.5 }],
  ] as const) {
    const answer = await venue.admin(path, body);
    expect([path, answer.status]).toEqual([path, 400]);
    expect(answer.body.error).not.toMatch(/\.[tj]s:/);
  }
  expect((await venue.admin('/nothing')).status).toBe(404);
});

const state = async () => (await venue.admin('/state', undefined, 'GET')).body;
const shown = async () => (await venue.admin(`/accounts/${one.account}`, undefined, 'GET')).body;

test('a request that is refused has changed nothing', async () => {
  const before = await state();
  const refuse = async (path: string, body: Loose) =>
    expect([path, (await venue.admin(path, body)).status]).toEqual([path, 400]);
  await refuse('/markets/1', { busy: true, status: 'settle', outcome: 'YES' });
  await refuse('/markets/7', { busy: true, status: 'settle' });
  await refuse('/markets/7', { busy: true, status: 'settle', outcome: 'YES' });
  await refuse('/limits', { burst: 7, actionsPerSecond: -1 });
  await refuse('/gates', { placementOff: true, halted: true });
  await refuse('/clock', { offsetMs: 5, advanceMs: -1 });
  expect(await state()).toEqual(before);
});

test('a clock that is not manual cannot be advanced, and its error stays as it is', () => {
  const { clock } = venue;
  const parts = {
    venue: venue.venue,
    clock: { now: () => clock.now(), at: clock.at.bind(clock) },
    failSockets: () => 0,
    release: () => undefined,
    pump: () => undefined,
  };
  const move = (body: Loose) =>
    handleAdmin(parts, {
      method: 'POST',
      target: '/admin/clock',
      headers: {},
      body: Buffer.from(JSON.stringify(body)),
      remoteAddress: '::1',
    });
  expect(move({ offsetMs: 7, advanceMs: 1 })).toMatchObject({
    status: 400,
    body: JSON.stringify({ ok: false, error: 'the clock is not manual' }),
  });
  expect(venue.venue.state.clock.error).toEqual({ offsetMs: 0, driftPpm: 0 });
  expect(move({ offsetMs: 7 }).status).toBe(200);
  expect(venue.venue.state.clock.error.offsetMs).toBe(7);
});

test('a reset puts back every switch, limit and key, and leaves orders, balances and closed markets', async () => {
  const before = await state();
  const { caps } = (await venue.admin('/caps', {})).body;
  await one.act(spot());
  for (const [path, body] of [
    ['/gates', { tradingHalted: true, venueKilled: true, backlogFull: true }],
    ['/kill', { kind: 'market', market: 1, on: true }],
    ['/kill', { kind: 'account', account: one.account, on: true }],
    ['/markets/1', { status: 'halt', busy: true }],
    ['/markets/8', { status: 'close' }],
    ['/limits', { delegations: 1, jsonEnabled: false, burst: 1, actionsPerSecond: 1 }],
    ['/caps', { openOrders: 1 }],
    ['/credit', { mode: 'killed' }],
    ['/fees', { takerBps: 900_000, makerBps: 0 }],
    ['/faults', { kind: 'fail_before', path: actions, times: null }],
    [`/credentials/${one.facts.apiKey}`, { scopes: [], revokedFromMs: 0 }],
    ['/agents/dev1-desk', { revoked: true }],
    [`/accounts/${one.account}`, { state: 'closing' }],
    ['/clock', { offsetMs: 100_000 }],
  ] as const) {
    expect([path, (await venue.admin(path, body)).status]).toEqual([path, 200]);
  }
  const { openOrders } = await shown();
  await venue.admin('/reset');
  await venue.admin('/limits', { actionsPerSecond: 0, edgeRequestsPerSecond: 0 });
  const after = await state();
  expect(after.markets.find(({ marketId }: Loose) => marketId === 8).status).toBe('closed');
  const isOpen = ({ marketId }: Loose) => marketId !== 8;
  expect(after.markets.filter(isOpen)).toEqual(before.markets.filter(isOpen));
  expect({ ...after, markets: null }).toEqual({ ...before, markets: null });
  expect((await venue.admin('/caps', {})).body.caps).toEqual(caps);
  expect(await shown()).toMatchObject({ state: 'active', openOrders });
  expect((await one.act(spot())).body.code).toBeNull();
});

test('money is put in and taken out, but not more than is free', async () => {
  const deposit = (amount: number) =>
    venue.admin('/deposits', { account: one.account, asset: 'USDC', amount });
  const free = ({ body }: Loose) => body.balances.find(({ asset }: Loose) => asset === 'USDC').free;
  const before = free(await deposit(0));
  expect(free(await deposit(5))).toBe(before + 5);
  expect(free(await deposit(-5))).toBe(before);
  expect((await deposit(-before - 1)).status).toBe(400);
  expect(free(await deposit(0))).toBe(before);
});

test('an account may get a second credential, which signs like its first', async () => {
  const given = { apiKey: 'spk_new', secret: 'sps_new', passphrase: 'spp_new' };
  const add = (account: string) => venue.admin(`/accounts/${account}/credentials`, given);
  expect((await add(one.account)).status).toBe(200);
  const facts = { ...one.facts, apiKey: 'spk_new', apiSecret: 'sps_new', passphrase: 'spp_new' };
  const client = new Client(venue, facts, venue.clock);
  expect((await client.get('/api/v1/order-entry/sessions')).status).toBe(200);
  expect((await add(`0x${'0'.repeat(40)}`)).body.error).toBe('there is no such account');
});

test('nonces that are reset begin at 0 again', async () => {
  await one.act(spot());
  expect((await shown()).nonces.floor).toBeGreaterThan(0);
  await venue.admin(`/accounts/${one.account}`, { resetNonces: true });
  expect((await shown()).nonces).toEqual({ floor: 0, used: [], held: [] });
});

test('makers quote while they are on, and withdraw when they are off', async () => {
  const bids = async () => (await one.get('/api/v1/markets/1/orderbook')).body.bids.length;
  await venue.admin('/makers', { on: true });
  venue.clock.advance(10_000);
  expect(await bids()).toBeGreaterThan(0);
  await venue.admin('/makers', { on: false });
  venue.clock.advance(10_000);
  expect(await bids()).toBe(0);
});

test('the ledger has a hash, which changes with it', async () => {
  const hash = async () => (await venue.admin('/ledger/hash', undefined, 'GET')).body.hash;
  const before = await hash();
  expect(await hash()).toBe(before);
  await one.act(spot());
  expect(await hash()).not.toBe(before);
  const { orders } = (await venue.admin('/ledger', undefined, 'GET')).body;
  expect(orders.at(-1)).toMatchObject({ account: one.account, state: 'open' });
});
