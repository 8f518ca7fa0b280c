/** The venue as a process finds it: when it is asked, and over which connections. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dispatcher } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { type Outside, realOutside } from '../../src/gateway/outside.ts';
import { realNetwork, type VenueNetwork } from '../../src/venue/network.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';

let bridge: Bridge | undefined;
afterEach(() => bridge?.stop());

interface Asked {
  readonly pool: number;
  readonly path: string;
  readonly headers: string;
}

/** Notes what is asked over which pool of connections. */
function noting(asked: Asked[], heard: () => void): VenueNetwork {
  let pools = 0;
  return {
    ...realNetwork,
    pool(origin, options) {
      const pool = realNetwork.pool(origin, options);
      const number = ++pools;
      const dispatch: Dispatcher['dispatch'] = (request, handler) => {
        const headers = JSON.stringify(request.headers ?? []);
        asked.push({ pool: number, path: request.path.split('?')[0] ?? '', headers });
        heard();
        return pool.dispatch(request, handler);
      };
      return { dispatch, destroy: () => pool.destroy() };
    },
  };
}

test('readiness is asked while a start reads its data, and without a credential', async () => {
  const asked: Asked[] = [];
  let enough = () => {};
  const askedTwice = new Promise<void>((resolve) => (enough = resolve));
  const count = () => asked.filter(({ path }) => path.endsWith('/readiness')).length;
  const network = noting(asked, () => {
    if (count() === 2) enough();
  });
  let pathsBefore: string[] = [];
  const openStore: Outside['openStore'] = async (...all) => {
    const store = await realOutside.openStore(...all);
    const numbers = store.numbers.bind(store);
    return Object.assign(store, {
      numbers: async (session: string) => {
        await askedTwice;
        if (pathsBefore.length === 0) pathsBefore = asked.map(({ path }) => path);
        return numbers(session);
      },
    });
  };
  bridge = await startBridge({ outside: { openStore, network } });
  expect(new Set(pathsBefore)).toEqual(new Set(['/api/v1/readiness', '/api/v1/status']));
  const [first] = asked;
  const own = asked.filter(({ pool }) => pool === first?.pool);
  expect(own.filter(({ headers }) => /api-key/i.test(headers))).toEqual([]);
  const withCredential = asked.filter(({ headers }) => /api-key/i.test(headers));
  expect(new Set(withCredential.map(({ path }) => path))).toContain('/api/v1/order-entry/limits');
});

test('R83: each account goes by the limits of its own credential, not by those of the first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-limits-'));
  const profileFile = join(folder, 'venue.yaml');
  const shipped = join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml');
  const text = readFileSync(shipped, 'utf8').replace('limitsMs: 30000', 'limitsMs: 50');
  writeFileSync(profileFile, text);
  bridge = await startBridge({ profileFile });
  rmSync(folder, { recursive: true });
  const [first, second] = bridge.gateway.accounts;
  if (first === undefined || second === undefined) throw new Error('two accounts are needed');
  const { reads } = second.link;
  const { contract, limits } = await reads.limits();
  reads.limits = async () => ({ contract, limits: { ...limits, maxInFlight: 2 } });
  await expect.poll(() => second.dispatcher.limits.inFlight).toBe(2);
  expect(first.dispatcher.limits.inFlight).toBe(limits.maxInFlight);
});

/** A proxy before the venue that checks a credential on every route, the public ones included. */
function checking(refused: () => string | undefined, ask: (what: string) => void): VenueNetwork {
  return {
    ...realNetwork,
    pool(origin, options) {
      const pool = realNetwork.pool(origin, options);
      const dispatch: Dispatcher['dispatch'] = (request, handler) => {
        const headers = JSON.stringify(request.headers ?? []);
        const key = refused();
        ask(`${request.path.split('?')[0]} ${headers}`);
        const isRefused = key !== undefined && headers.includes(key);
        const path = isRefused ? '/api/v1/order-entry/limits' : request.path;
        return pool.dispatch({ ...request, path }, handler);
      };
      return { dispatch, destroy: () => pool.destroy() };
    },
  };
}

test('R61: a revoked credential of one account does not close the venue for the others', async () => {
  let revoked: string | undefined;
  const asked: string[] = [];
  const network = checking(
    () => revoked,
    (what) => void asked.push(what),
  );
  bridge = await startBridge({ outside: { network } });
  const { gateway, sandbox } = bridge;
  const [first] = gateway.accounts;
  const own = sandbox.info.accounts.find(({ account }) => account === first?.config.account);
  expect(gateway.gate.state).toBe('open');
  revoked = own?.apiKey;
  await bridge.admin('POST', `/credentials/${revoked}`, { revokedFromMs: 0 });
  const before = asked.length;
  const polls = () => asked.slice(before).filter((what) => what.includes('/readiness')).length;
  await expect.poll(polls).toBeGreaterThan(4);
  expect(gateway.gate.state).toBe('open');
});
