import { beforeEach, describe, expect, test } from 'vitest';
import type { Account, MarketId } from '../../src/domain/units.ts';
import {
  type ActParts,
  type ActSubject,
  carryOut,
  marketOf,
} from '../../src/gateway/venue-acts.ts';
import { Gate } from '../../src/venue/gate.ts';
import { actsOf } from '../../src/venue/outbox/submission-life.ts';
import { venueRefusal } from '../../src/venue/refusals.ts';

const account = `0x${'1'.repeat(40)}` as Account;
const market = 3 as MarketId;
const subject: ActSubject = { account, name: 'desk-a', market };
let gate: Gate;
let told: string[];
let parts: ActParts;

beforeEach(() => {
  const rules = { goodPolls: 1, goodPollApartMs: 0, ledgerReasons: [], placeWithoutStream: true };
  gate = new Gate(rules);
  gate.polled(
    {
      readiness: 'ready',
      reason: '',
      status: { tradingHalted: false, placementReady: true, placementReason: null } as never,
    },
    0,
  );
  told = [];
  parts = {
    gate,
    alarm: (text) => told.push(`alarm ${text}`),
    changed: (changes) => told.push(...changes.map(({ kind }) => kind)),
    reload: () => told.push('reload'),
  };
});

function refused(name: string, of = subject): void {
  const refusal = venueRefusal(name);
  for (const step of actsOf({ refusal, text: 'said' })) carryOut(step, of, parts);
}

const gateRow = (isReducing = false) => gate.refusal(account, market, isReducing)?.refusal.name;

describe('what a refusal closes:', () => {
  test('a halt closes the venue', () => {
    refused('trading_halted');
    expect(gateRow()).toBe('gate_closed_by_halt');
  });

  test('R61: an ended agent blocks the account, with an alarm', () => {
    refused('AGENT_REVOKED');
    expect(gateRow(true)).toBe('bridge.gate_closed');
    expect(told[0]).toContain('alarm desk-a: placements are blocked: AGENT_REVOKED:');
  });

  test('a scope that is missing only raises an alarm', () => {
    refused('INVALID_SCOPE');
    expect(gateRow()).toBeUndefined();
    expect(told).toEqual(['alarm desk-a: INVALID_SCOPE: said']);
  });

  test('R62: an account that closes may reduce', () => {
    refused('TRADING_ACCOUNT_CLOSING');
    expect(gateRow()).toBe('bridge.account_closing');
    expect(gateRow(true)).toBeUndefined();
  });

  test('a halted market closes alone, a kill switch of the venue blocks the account', () => {
    refused('MARKET_HALTED');
    expect(gateRow()).toBe('bridge.market_halted');
    gate.resumeMarket(market);
    refused('KILL_SWITCH');
    expect(gateRow()).toBe('bridge.gate_closed');
  });

  test('a halted market that a cancel or an amend does not name is looked up, and nothing is blocked', () => {
    refused('MARKET_HALTED', { ...subject, market: null });
    expect(gateRow()).toBeUndefined();
    expect(told).toEqual(['reload']);
  });

  test('a wrong market, and a pace that was too fast, have the records read again', () => {
    refused('market_not_found');
    refused('rate_limited');
    expect(told).toEqual(['reload', 'reload']);
  });

  test('what concerns the order alone closes nothing', () => {
    refused('insufficient_balance');
    refused('nonce_replayed');
    expect(gateRow()).toBeUndefined();
    expect(told).toEqual([]);
  });
});

test('the market of an action is read from its canonical text; a cancel has none', () => {
  expect(marketOf('{"action":{"SpotPlaceOrder":{"market":12,"side":"Bid"}}}')).toBe(12);
  expect(marketOf('{"action":{"Cancel":{"order_id":"0xab"}}}')).toBeNull();
});
