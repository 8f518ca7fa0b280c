import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { createVenue, type EmbeddedVenue } from '../../src/sandbox/embedded-venue.ts';
import type { VenueRequest } from '../../src/sandbox/http-message.ts';
import { isKept, rebuildVenue, type VenueInput } from '../../src/sandbox/venue-input.ts';
import { sandboxProfile as profile } from '../support/quick-files.ts';
import { Client, type Loose, spot } from './client.ts';

const startMs = Date.UTC(2026, 0, 5, 12);
const optionsAt = (wallMs: number, accounts = 1) => ({
  seed: 1,
  clock: new ManualClock(wallMs),
  profile,
  accounts,
});

/** A venue, what a server would have kept of it, and the way to send it actions. */
async function recorded() {
  const options = optionsAt(startMs);
  const venue = await createVenue(options);
  const saved = structuredClone(venue.save());
  const inputs: VenueInput[] = [];
  venue.ingress.onDone = (request, _, wallMs) => inputs.push({ kind: 'request', wallMs, request });
  venue.onDue = (wallMs) => inputs.push({ kind: 'due', wallMs });
  const { clock } = options;
  const client = new Client({ info: {} } as never, venue.accounts[0]!, clock);
  const act = (action: Loose) => {
    const target = '/api/v1/trading/actions';
    const body = JSON.stringify(client.sign(client.payload(action)));
    const answer = venue.ingress.handle({
      method: 'POST',
      target,
      headers: lowerCase(client.headers('POST', target, body)),
      body: Buffer.from(body),
      remoteAddress: '::1',
    });
    return JSON.parse(answer.body);
  };
  return { act, clock, inputs, saved, venue };
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function admin(path: string, body: unknown): VenueRequest {
  const bytes = Buffer.from(JSON.stringify(body));
  return {
    method: 'POST',
    target: `/admin${path}`,
    headers: {},
    body: bytes,
    remoteAddress: '::1',
  };
}

const hashOf = ({ state }: EmbeddedVenue) => state.exchange.hash();

describe('the same inputs at the same times give the same venue', () => {
  test('with what fell due between them, long after they came', async () => {
    const { act, clock, inputs, saved, venue } = await recorded();
    act(spot());
    act(spot({ expires_at: startMs + 1_000 }));
    clock.advance(5_000);
    venue.advance();
    act(spot({ side: 'Ask', qty: 400_000 }));
    expect(inputs.map(({ kind }) => kind)).toEqual(['request', 'request', 'due', 'request']);
    const rebuilt = await rebuildVenue(optionsAt(startMs + 86_400_000), saved, inputs);
    expect(hashOf(rebuilt)).toBe(hashOf(venue));
    expect(rebuilt.save()).toEqual(venue.save());
    expect(rebuilt.state.clock.now().wallMs).toBe(startMs + 86_400_000);
  });

  test('although a budget, of which nothing is kept, would refuse some of them', async () => {
    const { act, inputs, saved, venue } = await recorded();
    venue.state.setLimits({ actionsPerSecond: 0 });
    for (let count = 0; count < 3; count += 1) expect(act(spot()).code).toBeNull();
    saved.state.limits.actionsPerSecond = 1;
    saved.state.limits.burst = 1;
    const rebuilt = await rebuildVenue(optionsAt(startMs), saved, inputs);
    expect(hashOf(rebuilt)).toBe(hashOf(venue));
    expect([1, 2].map(() => rebuilt.state.accountLimiter.take('a', 1, 0).allowed)).toEqual([
      true,
      false,
    ]);
  });

  test('although its clock had jumped back before an input', async () => {
    const { act, clock, inputs, saved, venue } = await recorded();
    act(spot({ expires_at: startMs + 10_000 }));
    venue.state.exchange.advance(startMs + 5_000);
    act(spot());
    const engineMs = startMs + 5_000;
    const rebuild = (last: VenueInput) =>
      rebuildVenue(optionsAt(startMs), saved, [inputs[0]!, last]);
    expect(clock.now().wallMs).toBe(startMs);
    expect(hashOf(await rebuild({ ...inputs[1]!, engineMs }))).toBe(hashOf(venue));
    expect(hashOf(await rebuild(inputs[1]!))).not.toBe(hashOf(venue));
  });
});

test('switches of the operator and a start with more accounts are repeated', async () => {
  const { saved } = await recorded();
  const rebuilt = await rebuildVenue(optionsAt(startMs, 3), saved, [
    { kind: 'admin', wallMs: startMs, request: admin('/gates', { placementOff: true }) },
    { kind: 'admin', wallMs: startMs, request: admin('/markets/7', { status: 'halt' }) },
    { kind: 'start', wallMs: startMs, settings: { accounts: 3, makers: true } },
  ]);
  expect(rebuilt.state.gates.switches.placementOff).toBe(true);
  const seventh = rebuilt.state.exchange.markets().find(({ marketId }) => marketId === 7);
  expect(seventh?.status).toBe('halted');
  const opened = rebuilt.accounts.filter((one) =>
    rebuilt.state.identities.accounts.has(one.account),
  );
  expect(opened).toHaveLength(3);
  expect(rebuilt.makers.record.on).toBe(true);
});

test('what an operator reads, faults and the clock are not kept: they are of the process', () => {
  const kept = (method: string, target: string) => isKept({ ...admin('', {}), method, target });
  expect(kept('GET', '/admin/state')).toBe(false);
  for (const path of ['/clock', '/faults', '/faults/release', '/faults?x=1']) {
    expect([path, kept('POST', `/admin${path}`)]).toEqual([path, false]);
  }
  expect(kept('DELETE', '/admin/faults')).toBe(false);
  for (const path of ['/gates', '/reset', '/deposits', '/streams/clock', '/markets/7']) {
    expect([path, kept('POST', `/admin${path}`)]).toEqual([path, true]);
  }
});
