import { beforeEach, describe, expect, test } from 'vitest';
import type { StreamEvent } from '../../../src/domain/event.ts';
import type { Account, MarketId } from '../../../src/domain/units.ts';
import {
  type ActParts,
  type ActSubject,
  actsOfEvent,
  carryOut,
  marketOf,
} from '../../../src/gateway/account/venue-acts.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import { FoldedAlarms } from '../../../src/runtime/folded-alarm.ts';
import { Gate } from '../../../src/venue/gate.ts';
import { actsOf } from '../../../src/venue/outbox/submission-life.ts';
import { denialOf, venueRefusal } from '../../../src/venue/refusals.ts';
import { silentEvent } from '../../domain/ladder.ts';

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
    clock: new ManualClock(),
    refusals: new FoldedAlarms(),
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

describe('R79: a refusal on the stream', () => {
  const rejected = (code: string, engineTsMs = 1_000, number: number | null = null) => ({
    ...silentEvent,
    kind: 'rejected' as const,
    denial: denialOf({ code, number, text: 'said' }),
    engineTsMs,
  });
  const happened = (event: StreamEvent, nowMs = 2_000) => {
    for (const step of actsOfEvent(event, nowMs)) carryOut(step, subject, parts);
  };

  test.each([
    ['trading_halted', null, 'gate_closed_by_halt'],
    ['runtime_unavailable', null, 'bridge.gate_closed'],
    ['ENGINE_REJECTED', 104, 'gate_closed_by_ledger'],
    ['MARKET_HALTED', null, 'bridge.market_halted'],
    ['KILL_SWITCH', null, 'bridge.gate_closed'],
    ['post_only_would_cross', null, undefined],
  ])('for %s (%s) closes what the same answer closes: %s', (code, number, row) => {
    happened(rejected(code, 1_000, number));
    expect(gateRow()).toBe(row);
  });

  test('reads the markets again if its reason is a rule of the market', () => {
    happened(rejected('price_not_aligned_to_tick'));
    expect(told).toEqual(['reload']);
  });

  test('that was missed for a long time says nothing about now, and neither does another end', () => {
    happened(rejected('KILL_SWITCH'), 62_000);
    happened({ ...rejected('MARKET_HALTED'), kind: 'canceled' });
    expect(told).toEqual([]);
  });
});

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

  test('R62: an account that closes may reduce, and is one alarm, because an operator has to open it again', () => {
    refused('TRADING_ACCOUNT_CLOSING');
    refused('TRADING_ACCOUNT_CLOSING');
    expect(gateRow()).toBe('bridge.account_closing');
    expect(gateRow(true)).toBeUndefined();
    const text = 'only orders that reduce are placed: TRADING_ACCOUNT_CLOSING: said';
    expect(told).toEqual([`alarm desk-a: ${text}`, 'account']);
  });

  test('an error that may be ours is an alarm with the bytes that were signed', () => {
    const facts: object[] = [];
    parts = { ...parts, alarm: (_, of) => facts.push(of) };
    const bytes = { hash: 'ab'.repeat(32), text: '{"action":{"Cancel":{}}}' };
    refused('schema_violation', { ...subject, bytes });
    refused('INVALID_SCOPE', { ...subject, bytes });
    const of = { event: 'venue_refused', account: 'desk-a' };
    const signed = { hash: `0x${bytes.hash}`, canonical: bytes.text };
    expect(facts).toEqual([
      { ...of, code: 'schema_violation', ...signed },
      { ...of, code: 'INVALID_SCOPE' },
    ]);
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

test('R61: a blocked account whose cancels are refused for the same reason is one alarm, until it is opened again', () => {
  for (let times = 0; times < 3; times += 1) refused('AGENT_REVOKED');
  const blocked = 'alarm desk-a: placements are blocked: AGENT_REVOKED: said';
  expect(told).toEqual([blocked, 'account']);
  gate.setAccount(account, 'open', '');
  refused('AGENT_REVOKED');
  expect(told.slice(2)).toEqual([blocked, 'account']);
});

test('a repeated refusal hides neither another one nor that of another account', () => {
  refused('INVALID_SCOPE');
  refused('INVALID_SCOPE');
  refused('schema_violation');
  refused('INVALID_SCOPE', { ...subject, name: 'desk-b' });
  expect(told).toEqual([
    'alarm desk-a: INVALID_SCOPE: said',
    'alarm desk-a: schema_violation: said',
    'alarm desk-b: INVALID_SCOPE: said',
  ]);
});
