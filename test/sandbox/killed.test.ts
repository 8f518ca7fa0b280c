/** A venue with a data directory that is killed: the directory is what it leaves, and another starts on a copy. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ManualClock, systemClock } from '../../src/runtime/clock.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { open, spot } from './client.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-killed-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function killed(data: string): string {
  count += 1;
  const copy = join(folder, `copy-${count}`);
  cpSync(data, copy, { recursive: true, filter: (path) => !path.endsWith('-shm') });
  return copy;
}

test('everything that a client received is still true: orders, trades, events, nonces, answers by their key', async () => {
  const first = await open({ data: join(folder, 'one') });
  const [one, two] = [first.client(0), first.client(1)];
  const key = { 'Idempotency-Key': 'kept' };
  const signed = one.sign(one.payload(spot()));
  const placed = await one.post('/api/v1/trading/actions', signed, key);
  await two.act(spot({ side: 'Ask', qty: 400_000 }));
  await first.admin('/deposits', { account: one.account, asset: 'USDC', amount: 1_000_000 });
  await one.act(spot({ qty: 2_000_000 }));
  const events = await one.events();
  const hash = first.venue.state.exchange.hash();
  const copy = killed(join(folder, 'one'));
  await first.stop();

  const second = await open({ data: copy });
  const again = second.client(0);
  expect(second.venue.state.exchange.hash()).toBe(hash);
  expect(await again.events()).toEqual(events);
  const replay = await again.post('/api/v1/trading/actions', signed, key);
  expect(replay.body).toEqual(placed.body);
  expect((await again.act(spot(), { nonce: 1 })).body.code).toBe('nonce_below_floor');
  await second.stop();
});

test('the market makers resume where they were', async () => {
  const data = join(folder, 'two');
  const first = await startSandbox({ seed: 1, clock: systemClock, makers: true, data });
  await expect.poll(() => first.venue.makers.record.turn, { timeout: 5_000 }).toBeGreaterThan(3);
  const copy = killed(data);
  const hash = first.venue.state.exchange.hash();
  const where = structuredClone(first.venue.makers.record);
  await first.stop();
  const second = await startSandbox({ seed: 1, clock: systemClock, makers: false, data: copy });
  expect(second.venue.state.exchange.hash()).toBe(hash);
  expect(second.venue.makers.record).toEqual({ ...where, on: false });
  await second.stop();
});

test('an input that was accepted once is not limited by its rate when it is replayed', async () => {
  const data = join(folder, 'three');
  const first = await open({ data });
  await first.admin('/limits', { actionsPerSecond: 1, burst: 1 });
  const one = first.client(0);
  for (let i = 0; i < 3; i += 1) {
    first.clock.advance(1_000);
    expect((await one.act(spot())).body.code).toBeNull();
  }
  expect((await one.act(spot())).status).toBe(429);
  const hash = first.venue.state.exchange.hash();
  const copy = killed(data);
  await first.stop();
  const second = await startSandbox({ seed: 1, data: copy });
  expect(second.venue.state.exchange.hash()).toBe(hash);
  expect(second.venue.state.limits).toMatchObject({ actionsPerSecond: 1, burst: 1 });
  await second.stop();
});

test('a venue whose clock jumped, that held actions and refused others is rebuilt as it was', async () => {
  const data = join(folder, 'four');
  const first = await open({ data });
  const one = first.client(0);
  const actions = '/api/v1/trading/actions';
  const budget = { perSecond: 1, burst: 1 };
  await first.admin('/agents/dev1-desk', {
    policy: { accounts: null, markets: null, addresses: null, maxNotional: null, budget },
  });
  const { wallMs } = first.clock.now();
  await one.act(spot({ expires_at: wallMs + 60_000 }));
  first.clock.advance(2_000);
  // Its nonce is taken while it is held, so that this cancel is refused, and refused again when it is read back.
  const hold = { kind: 'hold_fail', delayMs: null, claimsNonce: true, path: actions };
  await first.admin('/faults', hold);
  const held = one.payload(spot());
  expect((await one.post(actions, one.sign(held))).status).toBe(503);
  const fence = { ...held, action: { Cancel: { order_id: `0x${'1'.repeat(64)}` } } };
  first.clock.advance(2_000);
  expect((await one.post(actions, one.sign(fence))).body.code).toBe('nonce_replayed');
  first.clock.advance(2_000);
  await first.admin('/faults/release');
  await first.admin('/clock', { offsetMs: 20_000 });
  first.clock.advance(50);
  await first.admin('/clock', { offsetMs: -20_000 });
  await first.client(1).act(spot({ side: 'Ask', qty: 400_000 }));
  await first.admin('/clock', { offsetMs: 0 });
  first.clock.advance(60_000);
  await first.admin('/reservations/r-1', {});
  await first.admin('/reset');
  const { account } = one;
  const known = ({ venue: { state } }: Pick<typeof first, 'venue'>) => ({
    hash: state.exchange.hash(),
    nonces: structuredClone(state.nonces(account).record),
    agent: state.identities.agents.get('dev1-desk'),
    reservations: [...state.kept.reservations],
  });
  const before = known(first);
  expect(before.nonces.floor).toBe(2);
  const copy = killed(data);
  await first.stop();
  const second = await startSandbox({ seed: 1, clock: new ManualClock(), data: copy });
  expect(known(second)).toEqual(before);
  await second.stop();
});
