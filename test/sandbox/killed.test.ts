/** A venue with a data directory that is killed: the directory is what it leaves, and another starts on a copy. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
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

test('what a client was told is still so: orders, trades, events, nonces, answers by their key', async () => {
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

test('the market makers go on where they were', async () => {
  const data = join(folder, 'two');
  const first = await startSandbox({ seed: 1, clock: systemClock, makers: true, data });
  await expect
    .poll(() => first.venue.makers.snapshot().turn, { timeout: 5_000 })
    .toBeGreaterThan(3);
  const copy = killed(data);
  const hash = first.venue.state.exchange.hash();
  const where = first.venue.makers.snapshot();
  await first.stop();
  const second = await startSandbox({ seed: 1, clock: systemClock, makers: false, data: copy });
  expect(second.venue.state.exchange.hash()).toBe(hash);
  expect(second.venue.makers.snapshot()).toEqual({ ...where, on: false });
  await second.stop();
});

test('what was let in once is under no limit of its rate when it is done again', async () => {
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
