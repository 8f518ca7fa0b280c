/** Whether an order may be placed (contract A.2, G52). */

import { describe, expect, test } from 'vitest';
import type { MarketId } from '../../src/domain/units.ts';
import { Gate, type VenuePoll } from '../../src/venue/gate.ts';
import { refusalOfNumber, venueRefusal } from '../../src/venue/refusals.ts';
import { account, otherAccount } from './samples.ts';

const rules = {
  goodPolls: 2,
  goodPollApartMs: 1000,
  ledgerReasons: ['ledger_degraded'],
  placeWithoutStream: false,
};
const market = 1 as MarketId;
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
const bad = (more: object): VenuePoll => ({ ...good, ...more });
const status = (more: object) => ({ ...good.status, ...more }) as VenuePoll['status'];

function openGate(more: Partial<typeof rules> = {}): Gate {
  const gate = new Gate({ ...rules, ...more });
  gate.polled(good, 0);
  gate.polled(good, 1000);
  expect(gate.state).toBe('open');
  return gate;
}
const refusedAs = (gate: Gate, isReducing = false) =>
  gate.refusal(account, market, isReducing)?.refusal.name ?? null;

test('R78: nothing goes before readiness was good twice, a second apart', () => {
  const gate = new Gate(rules);
  expect(refusedAs(gate)).toBe('bridge.venue_unreachable');
  expect(gate.polled(good, 0)).toEqual([]);
  expect(gate.polled(good, 999)).toEqual([]);
  expect(gate.polled(good, 1000)).toMatchObject([{ kind: 'venue', state: 'open' }]);
  expect(refusedAs(gate)).toBeNull();
});

describe('R77, R79, R80: it closes at the first bad sign and says so once', () => {
  test.each([
    [
      'readiness 503',
      bad({ readiness: 'not_ready', reason: 'x' }),
      'not_ready',
      'bridge.gate_closed',
    ],
    [
      'no answer',
      bad({ readiness: 'unreachable', reason: 'x' }),
      'unreachable',
      'bridge.venue_unreachable',
    ],
    [
      'placementReady false',
      bad({ status: status({ placementReady: false }) }),
      'not_ready',
      'bridge.gate_closed',
    ],
    ['a status that cannot be read', bad({ status: null }), 'not_ready', 'bridge.gate_closed'],
    [
      'tradingHalted',
      bad({ status: status({ tradingHalted: true }) }),
      'halted',
      'gate_closed_by_halt',
    ],
    [
      'a reason that names the ledger',
      bad({ readiness: 'not_ready', status: status({ placementReason: 'ledger_degraded now' }) }),
      'ledger_degraded',
      'gate_closed_by_ledger',
    ],
  ])('%s', (_, poll, state, row) => {
    const gate = openGate();
    expect(gate.polled(poll, 2000)).toMatchObject([{ kind: 'venue', state }]);
    expect(gate.polled(poll, 3000)).toEqual([]);
    expect(refusedAs(gate)).toBe(row);
  });

  test.each([
    [venueRefusal('trading_halted'), 'halted'],
    [refusalOfNumber(103), 'halted'],
    [refusalOfNumber(104), 'ledger_degraded'],
    [venueRefusal('runtime_unavailable'), 'not_ready'],
    [venueRefusal('SERVICE_UNAVAILABLE'), 'not_ready'],
  ])('a refusal %o closes it within one event', (refusal, state) => {
    const gate = openGate();
    expect(gate.refused(refusal, 'words')).toMatchObject([{ state }]);
    expect(gate.polled(good, 1100)).toEqual([]);
    expect(gate.polled(good, 2100)).toMatchObject([{ state: 'open' }]);
  });

  test('a bad poll between two good ones begins the count anew', () => {
    const gate = openGate();
    gate.halted('event');
    gate.polled(good, 5000);
    gate.polled(bad({ readiness: 'not_ready' }), 6000);
    expect(gate.polled(good, 7000)).toEqual([]);
    expect(gate.polled(good, 8000)).toMatchObject([{ state: 'open' }]);
  });
});

test('R80: a market halts and resumes alone, told once each way', () => {
  const gate = openGate();
  expect(gate.haltMarket(market)).toEqual([{ kind: 'market', market, state: 'halted' }]);
  expect(gate.haltMarket(market)).toEqual([]);
  expect(refusedAs(gate)).toBe('bridge.market_halted');
  expect(gate.refusal(account, 2 as MarketId, false)).toBeNull();
  expect(gate.resumeMarket(market)).toEqual([{ kind: 'market', market, state: 'open' }]);
  expect(refusedAs(gate)).toBeNull();
});

test('R80: the end of a market that was halted is told as well, and a halt event does not undo it', () => {
  const gate = openGate();
  gate.haltMarket(market);
  expect(gate.haltMarket(market, 'closed')).toEqual([{ kind: 'market', market, state: 'closed' }]);
  expect(gate.haltMarket(market, 'closed')).toEqual([]);
  expect(gate.haltMarket(market)).toEqual([]);
  expect(gate.market(market)).toBe('closed');
  expect(refusedAs(gate)).toBe('bridge.market_halted');
});

test('R62: an account that reduces only still places what reduces', () => {
  const gate = openGate();
  gate.setAccount(account, 'reducing', 'closing');
  expect(refusedAs(gate)).toBe('bridge.account_closing');
  expect(refusedAs(gate, true)).toBeNull();
  expect(gate.refusal(otherAccount, market, false)).toBeNull();
});

test('R61: a blocked account places nothing until an operator opens it', () => {
  const gate = openGate();
  expect(gate.setAccount(account, 'blocked', 'AGENT_REVOKED')).toHaveLength(1);
  expect(gate.setAccount(account, 'blocked', 'AGENT_REVOKED')).toEqual([]);
  expect(gate.refusal(account, market, true)?.text).toBe('AGENT_REVOKED');
  gate.setAccount(account, 'open', 'operator');
  expect(refusedAs(gate)).toBeNull();
});

test('a blocked account stays blocked although an earlier action is refused because the account may only reduce', () => {
  const gate = openGate();
  gate.setAccount(account, 'blocked', 'AGENT_REVOKED');
  expect(gate.setAccount(account, 'reducing', 'closing')).toEqual([]);
  expect(gate.refusal(account, market, true)?.text).toBe('AGENT_REVOKED');
  gate.setAccount(account, 'open', 'operator');
  gate.setAccount(account, 'reducing', 'closing');
  expect(gate.setAccount(account, 'blocked', 'AGENT_REVOKED')).toHaveLength(1);
});

test('R69: without the stream of the account nothing is placed, unless the setting allows it', () => {
  const gate = openGate();
  gate.streamDown(account, 'stream is down');
  expect(refusedAs(gate)).toBe('bridge.gate_closed');
  expect(gate.refusal(otherAccount, market, false)).toBeNull();
  gate.streamUp(account);
  expect(refusedAs(gate)).toBeNull();
  const bold = openGate({ placeWithoutStream: true });
  bold.streamDown(account, 'stream is down');
  expect(refusedAs(bold)).toBeNull();
});

test('nothing is placed at a venue that is not the one of the profile, however ready it is', () => {
  const gate = openGate();
  expect(gate.distrust('it signs under another domain')).toMatchObject([{ state: 'not_ready' }]);
  for (const nowMs of [5000, 7000, 9000]) gate.polled(good, nowMs);
  expect(gate.refusal(account, market, true)?.text).toBe('it signs under another domain');
  gate.distrust('');
  for (const nowMs of [11_000, 13_000]) gate.polled(good, nowMs);
  expect(gate.state).toBe('open');
});
