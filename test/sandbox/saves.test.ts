import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { open, spot } from './client.ts';

const data = mkdtempSync(join(tmpdir(), 'sandbox-'));
afterAll(() => rmSync(data, { recursive: true }));

test('a venue that stops and starts again knows its orders, numbers, keys and switches', async () => {
  const first = await open({ data });
  const [one, two] = [first.client(0), first.client(1)];
  const key = { 'Idempotency-Key': 'kept' };
  const signed = one.sign(one.payload(spot()));
  const placed = await one.post('/api/v1/trading/actions', signed, key);
  await two.act(spot({ side: 'Ask', qty: 400_000 }));
  await first.admin('/agents/dev2-desk', { revoked: true });
  await first.admin('/gates', { placementOff: true });
  const events = await one.events();
  const hash = first.venue.state.exchange.hash();
  await first.stop();

  const second = await open({ data });
  const again = second.client(0);
  expect(second.venue.state.exchange.hash()).toBe(hash);
  expect(await again.events()).toEqual(events);
  const replay = await again.post('/api/v1/trading/actions', signed, key);
  expect(replay.body).toEqual(placed.body);
  expect((await again.get('/api/v1/readiness')).status).toBe(503);
  await second.admin('/gates', { placementOff: false });
  expect((await again.act(spot(), { nonce: 0 })).body.code).toBe('nonce_below_floor');
  expect((await again.act(spot(), { nonce: 1 })).body.code).toBeNull();
  expect((await second.client(1).act(spot(), { nonce: 5 })).body.code).toBe('AGENT_REVOKED');
  await second.stop();
});

test('a saved state of another seed is refused, and more accounts are opened when asked for', async () => {
  await expect(open({ data, seed: 2 })).rejects.toThrow('the saved state is of seed 1 and profile');
  const more = await open({ data, accounts: 6 });
  await more.admin('/reset');
  expect((await more.client(5).act(spot())).body.code).toBeNull();
  await more.stop();
});
