import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
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

test('a torn last input was never confirmed, and all inputs before it are there', async () => {
  const folder = join(data, 'torn');
  const first = await open({ data: folder });
  const hashes = [first.venue.state.exchange.hash()];
  const file = join(folder, 'inputs-1');
  const ends = [statSync(file).size];
  for (let i = 0; i < 3; i += 1) {
    await first.client(0).act(spot());
    hashes.push(first.venue.state.exchange.hash());
    ends.push(statSync(file).size);
  }
  await first.stop();
  for (const [index, end] of ends.slice(0, -1).entries()) {
    for (const length of [end, end + 1, end + 9, (ends[index + 1] ?? 0) - 1]) {
      const copy = join(data, 'torn-copy');
      cpSync(folder, copy, { recursive: true });
      truncateSync(join(copy, 'inputs-1'), length);
      const { hash, stop } = await hashOf({ data: copy });
      expect([length, hash]).toEqual([length, hashes[index]]);
      await stop();
      rmSync(copy, { recursive: true });
    }
  }
});

test('a state is made of many inputs beside the venue, and replaces them', async () => {
  const folder = join(data, 'many');
  const saveLimits = { inputs: 5, bytes: 1_000_000 };
  const first = await open({ data: folder, saveLimits });
  for (let round = 0; round < 4; round += 1) {
    for (let i = 0; i < 5; i += 1) await first.client(0).act(spot());
    const state = join(folder, `state-${round + 2}`);
    const isReplaced = () => {
      first.clock.advance(50);
      return existsSync(state) && readdirSync(folder).length === 3;
    };
    await expect.poll(isReplaced, { timeout: 30_000 }).toBe(true);
  }
  await first.client(0).act(spot());
  const hash = first.venue.state.exchange.hash();
  const copy = join(data, 'many-copy');
  cpSync(folder, copy, { recursive: true });
  await first.stop();
  const again = await hashOf({ data: copy });
  expect(again.hash).toBe(hash);
  await again.stop();
});

test('a clock that is ahead of the snapshots waits for them, and continues', async () => {
  const folder = join(data, 'outrun');
  const clock = new ManualClock();
  const inputs = 5;
  const saveLimits = { inputs, bytes: 1_000_000 };
  const venue = await startSandbox({ seed: 1, clock, makers: true, data: folder, saveLimits });
  const kept = () =>
    readdirSync(folder)
      .filter((name) => name.startsWith('inputs-'))
      .map((name) => readFileSync(join(folder, name), 'utf8').split('\n').length - 1);
  // The thread has no turn meanwhile.
  clock.advance(60_000);
  expect(kept()).toEqual([inputs, 4 * inputs]);
  await expect.poll(kept, { timeout: 20_000 }).toEqual([4 * inputs]);
  await expect
    .poll(() => {
      clock.advance(1_000);
      return readdirSync(folder).includes('inputs-3');
    })
    .toBe(true);
  await venue.stop();
});

test('a directory that cannot be read is refused in words that say what it is', async () => {
  const folder = join(data, 'odd');
  mkdirSync(folder);
  writeFileSync(join(folder, 'sandbox.sqlite'), '');
  const start = () => hashOf({ data: folder });
  await expect(start()).rejects.toThrow('holds the state of an earlier version of the sandbox');
  rmSync(folder, { recursive: true });
  const first = await open({ data: folder });
  await expect(start()).rejects.toThrow('another process runs a venue on');
  for (let i = 0; i < 2; i += 1) await first.client(0).act(spot());
  await first.stop();
  const file = join(folder, 'inputs-1');
  const bytes = readFileSync(file);
  const damaged = Buffer.from(bytes);
  damaged[20] = 0;
  writeFileSync(file, damaged);
  await expect(start()).rejects.toThrow(`${file} is damaged at byte 0`);
  writeFileSync(file, bytes);
  truncateSync(join(folder, 'state-1'), 100);
  await expect(start()).rejects.toThrow('state-1 is damaged: it is not whole');
  rmSync(join(folder, 'state-1'));
  await expect(start()).rejects.toThrow('has inputs and no state');
});

/** A venue that goes on where the directory says, and its hash. */
async function hashOf(options: Partial<SandboxOptions>) {
  const venue = await startSandbox({ seed: 1, clock: new ManualClock(), ...options });
  return { hash: venue.venue.state.exchange.hash(), stop: () => venue.stop() };
}

test('requests without any effect are not kept, so that they do not fill the disk', async () => {
  const folder = join(data, 'refused');
  const venue = await open({ data: folder });
  const one = venue.client(0);
  await one.act(spot());
  const { size } = statSync(join(folder, 'inputs-1'));
  const large = 'x'.repeat(100_000);
  expect((await one.post('/api/v1/nowhere', large)).status).toBe(404);
  expect((await one.post('/api/v1/trading/actions', large)).status).toBe(400);
  expect((await one.post('/api/v1/trading/actions', '{}', { 'X-API-Key': '' })).status).toBe(401);
  expect((await one.post('/api/v1/trading/actions/hash', one.payload(spot()))).status).toBe(200);
  await one.token();
  expect(statSync(join(folder, 'inputs-1')).size).toBe(size);
  await venue.stop();
});
