/**
 * The sessions of a gateway: whether an order that has waited may still be placed, and what a change of the file
 * changes.
 */
import { beforeEach, expect, test } from 'vitest';
import { InstrumentList } from '../../../src/domain/instrument.ts';
import type { Qty } from '../../../src/domain/units.ts';
import type {
  ClientLane,
  ClientOpening,
  LaneClient,
} from '../../../src/gateway/clients/client-lane.ts';
import { ClientRegister } from '../../../src/gateway/clients/client-register.ts';
import type { ClientOutput } from '../../../src/gateway/clients/client-session.ts';
import type { Config, RiskLimits, SessionConfig } from '../../../src/gateway/config/config.ts';
import type { LoadedConfig } from '../../../src/gateway/config/config-file.ts';
import type { TradingContext } from '../../../src/gateway/gate/gate-view.ts';
import type { BoundAccount } from '../../../src/gateway/gate/principal.ts';
import { RiskGuard } from '../../../src/gateway/gate/risk.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import { Transactions } from '../../../src/store/transactions.ts';
import { Gate } from '../../../src/venue/gate.ts';
import { account, spot, terms } from '../../domain/ladder.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { denied } from '../../support/venue-denial.ts';
import { sandbox } from '../../venue/samples.ts';

const instruments = new InstrumentList([spot]);
const instrument = instruments.of(spot.marketId, null)!;
const name = 'FIX.4.4:BRIDGE/->ALPHA/';
const places = [{ instrument, terms: terms({ qty: 5n as Qty }), quoteId: null }];

let register: ClientRegister;
let killed: boolean;
let limits: RiskLimits;
let gate: Gate;

const session = (more: Partial<SessionConfig> = {}): SessionConfig =>
  ({
    protocol: 'fix',
    role: 'order-entry',
    senderCompId: 'ALPHA',
    targetCompId: 'BRIDGE',
    users: ['ann'],
    accounts: ['desk'],
    actions: ['order'],
    limits: {},
    cancelOnDisconnect: { when: 'off', graceMs: 0 },
    ...more,
  }) as SessionConfig;
const loadedWith = (...sessions: SessionConfig[]): LoadedConfig =>
  ({
    config: { sessions, profiles: {}, limits: {}, accounts: [] } as unknown as Config,
    users: new Map(),
  }) as unknown as LoadedConfig;

beforeEach(async () => {
  killed = false;
  limits = {};
  gate = new Gate({ ...sandbox.gate, placeWithoutStream: true });
  const status = {
    placementReady: true,
    placementReason: null,
    sequencerCoreReachable: true,
    tradingHalted: false,
  };
  for (let polls = 1; polls <= sandbox.gate.goodPolls; polls++) {
    gate.polled({ readiness: 'ready', reason: '', status }, polls * 10_000);
  }
  const bound = {
    name: 'desk',
    guard: new RiskGuard('account desk', {}),
    runner: { account, orders: { openOf: () => 0, openCount: 0 } },
  } as unknown as BoundAccount;
  const lane = {
    settings: ({ senderCompId }: SessionConfig) => senderCompId,
    load: async () => undefined,
    open: ({ makeClient }: ClientOpening<LaneClient>) => ({
      client: makeClient({} as ClientOutput),
      change: () => {},
    }),
    logOut: async () => {},
    close: () => {},
    stop: () => {},
  } as unknown as ClientLane;
  const context = {
    instruments: () => instruments,
    gate,
    top: () => ({ bid: null, ask: null }),
    admission: {},
    closed: () => undefined,
    killed: () => (killed ? denied('bridge.kill_switch') : undefined),
  } as unknown as TradingContext;
  register = new ClientRegister({
    lanes: { fix: lane, fixp: lane },
    transactions: new Transactions(new MemoryStore(), (error) => {
      throw error;
    }),
    clock: new ManualClock(),
    profile: sandbox,
    context,
    markets: {} as never,
    accounts: () => [bound],
    isStreamBehind: () => false,
    limits: () => limits,
  });
  await register.apply(loadedWith(session()));
});

const verdict = (from = name, on = 'desk') =>
  register.authorize(on, { places, session: from } as never)?.refusal.name;

test('an order that has waited is placed if it is still permitted', () => {
  expect(verdict()).toBeUndefined();
});

test('it may not be placed if its session is not configured any more', async () => {
  expect(verdict('FIX.4.4:BRIDGE/->BETA/')).toBe('bridge.not_authorized');
  await register.apply(loadedWith());
  expect(verdict()).toBe('bridge.not_authorized');
  expect(register.get(name)).toBeUndefined();
});

test('it may not be placed if its session has lost the account', async () => {
  await register.apply(loadedWith(session({ accounts: [] })));
  expect(verdict()).toBe('bridge.not_authorized');
  expect(verdict(name, 'theirs')).toBe('bridge.not_authorized');
});

test('it may not be placed if its session no longer has the role of order entry', async () => {
  await register.apply(loadedWith(session({ role: 'drop-copy' })));
  expect(verdict()).toBe('bridge.not_authorized');
  await register.apply(loadedWith(session({ role: 'market-data' })));
  expect(verdict()).toBe('bridge.not_authorized');
  await register.apply(loadedWith(session()));
  expect(verdict()).toBeUndefined();
});

test('it may not be placed while the kill switch or the gate stops its account', () => {
  killed = true;
  expect(verdict()).toBe('bridge.kill_switch');
  killed = false;
  gate.setAccount(account, 'blocked', 'credential refused');
  expect(verdict()).toBe('bridge.gate_closed');
});

test('a changed file applies to a running session and keeps its counters', async () => {
  const client = register.get(name);
  const guard = client?.principal.guard;
  limits = { maxOrderQty: '4' } as never;
  await register.apply(loadedWith(session({ actions: ['quote'], markets: ['BTC-USDC'] })));
  expect(register.get(name)).toBe(client);
  expect(client?.principal.guard).toBe(guard);
  expect([...(client?.principal.actions ?? [])]).toEqual(['quote']);
  expect([...(client?.principal.markets ?? [])]).toEqual(['BTC-USDC']);
});

test('a session without a list of markets may trade all of them, and an account that is not known is left out', async () => {
  expect(register.get(name)?.principal.markets).toBeNull();
  await register.apply(loadedWith(session({ accounts: ['other', 'desk'] })));
  expect(register.get(name)?.principal.accounts.map((bound) => bound.name)).toEqual(['desk']);
});
