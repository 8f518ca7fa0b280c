/** An order as an ExecutionReport over SBE states it, read back by the schema alone. */
import { expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order.ts';
import type { ExecutionReport, ReportFrame } from '../../../src/domain/report.ts';
import { statusReport } from '../../../src/domain/status.ts';
import type { Terms, Trigger } from '../../../src/domain/terms.ts';
import type { OrderId, Price, Qty } from '../../../src/domain/units.ts';
import { writeReport } from '../../../src/mapping/sbe/report-message.ts';
import { orderIdBytes, workingIndicator } from '../../../src/mapping/sbe/state-fields.ts';
import { decodeMessage } from '../../../src/sbe/generic-decoder.ts';
import type { JsonObject } from '../../../src/sbe/json.ts';
import { orders } from '../../acceptance/parity/fixp-words.ts';
import { Ladder, terms } from '../../domain/ladder.ts';
import { noBook, settings } from '../fix/wire.ts';

const orderId = `0x${'ab'.repeat(32)}` as OrderId;
const { order: plain, rules } = Ladder.live(10);
const live: Order = { ...plain, orderId };
const trigger: Trigger = { price: 8n as Price, direction: 'at_or_below', kind: 'stop_loss' };

function stateOf(
  changes: Partial<Order>,
  frame: ReportFrame = {},
  report: Partial<ExecutionReport> = {},
): JsonObject {
  const order = { ...live, ...changes };
  const told = { ...statusReport(order, rules, 9000), ...report };
  const decoded = decodeMessage(orders, writeReport(Buffer.alloc(4096), told, settings, frame));
  if (typeof decoded === 'string') throw new Error(decoded);
  return decoded.fields['State'] as JsonObject;
}
const termsOf = (changes: Partial<Terms>) =>
  stateOf({ terms: terms({ qty: 10n as Qty, ...changes }) })['Terms'] as JsonObject;

test('the average price excludes fills from before the bridge knew the order', () => {
  const adopted = { cumQty: 30n as Qty, unseenQty: 20n as Qty, notional: 105n };
  const { AvgPx, AvgPxExponent, CumQty } = stateOf(adopted);
  expect([Number(AvgPx) * 10 ** Number(AvgPxExponent), CumQty]).toEqual([10.5, 30]);
});

test('what is left and what is filled are exact, at the scale of the market', () => {
  const large = 2n ** 63n - 1n;
  const sums = { cumQty: 3n as Qty, leavesQty: large as Qty, instrument: noBook };
  expect(stateOf(sums)).toMatchObject({
    LeavesQty: String(large),
    CumQty: 3,
    CumQtyExponent: -6,
    Instrument: { MarketId: 7, Book: 'NO' },
  });
});

test.each<[ReportFrame, string[]]>([
  [{}, []],
  [{ copy: true }, ['Copy']],
  [{ copy: true, possResend: true }, ['Copy', 'PossResend']],
  [{ requested: true }, ['Requested']],
  [{ massStatus: { reqId: 'm', total: 2, isLast: false } }, []],
  [{ massStatus: { reqId: 'm', total: 2, isLast: true } }, ['LastFragment']],
])('the frame %j sets the flags %j and no others', (frame, flags) => {
  expect((stateOf({}, frame)['Flags'] as string[]).toSorted()).toEqual(flags);
});

test('only an order that is live works, and a conditional one only after its trigger', () => {
  const waiting = { ...live, terms: { ...live.terms, trigger } };
  const orderStates: Order[] = [live, { ...live, phase: 'filled' }, waiting];
  const [works, ended, waits] = orderStates.map(workingIndicator);
  expect(works).not.toBe(0);
  expect(ended).toBe(0);
  expect(waits).not.toBe(works);
  expect(workingIndicator({ ...waiting, triggered: true })).toBe(works);
  expect(stateOf({})['WorkingIndicator']).toBe('Yes');
  expect(stateOf({ terms: waiting.terms })['WorkingIndicator']).toBe('No');
});

test('the times, the seq and the leg are those of the report, and absent ones stay absent', () => {
  expect(stateOf({}, {}, { venueSeq: 7, legIndex: 0, transactTimeMs: 4 })).toMatchObject({
    TransactTime: 4,
    VenueSeq: 7,
    LegIndex: 0,
  });
  expect(stateOf({}, {}, { venueSeq: null })).toMatchObject({ VenueSeq: null, LegIndex: null });
});

test('order ids are the bytes that their hex digits name', () => {
  expect(Buffer.from(orderIdBytes(orderId)).toString('hex')).toBe('ab'.repeat(32));
});

test('the flags of the terms are those that the order has', () => {
  expect(termsOf({})['Flags']).toEqual([]);
  expect(termsOf({ timeInForce: 'post_only' })['Flags']).toEqual(['PostOnly']);
  expect(termsOf({ reduceOnly: true })['Flags']).toEqual(['ReduceOnly']);
});

test('a price, an expiry and a trigger are there only if the order has them', () => {
  expect(termsOf({ price: null, lifetime: 'gtd', expiresAtMs: 5 })).toMatchObject({
    Price: null,
    ExpireTime: 5,
    StopPx: null,
  });
  expect(termsOf({ trigger, expiresAtMs: 5 })).toMatchObject({
    Price: 10,
    ExpireTime: null,
    StopPx: 8,
    TriggerDirection: 'AtOrBelow',
    ConditionalKind: 'StopLoss',
  });
});

test('an order of a strategy states its slices instead of a self-trade rule', () => {
  const strategy = { kind: 'twap', sliceQty: 2n as Qty, intervalMs: 9 } as never;
  const algo = termsOf({ strategy });
  expect(algo).toMatchObject({ AlgoKind: 'Twap', SliceQty: 2, SliceIntervalMs: 9 });
  const stored = { kind: 'twap', sliceQty: 2n as Qty, intervalMs: 5_000_000_000 } as never;
  expect(termsOf({ strategy: stored })).toMatchObject({ SliceIntervalMs: 2 ** 32 - 2 });
  expect(termsOf({ stp: 'reject' })).toMatchObject({ StpMode: 'Reject' });
  expect(termsOf({ stp: null })).toMatchObject({ StpMode: 'None' });
});

test.each([
  ['USDC', 'USDC'],
  ['12345678', '12345678'],
  ['USDC.e-bridged', ''],
  ['Zürich', ''],
])('the currency %j is said as %j, because a part of it may be another currency', (quote, said) => {
  const instrument = { ...live.instrument, market: { ...live.instrument.market, quote } };
  expect(stateOf({ instrument })['Terms']).toMatchObject({ Currency: said });
});

test.each([
  [65_534, 65_534],
  [65_535, null],
  [Number.MAX_SAFE_INTEGER, null],
])('the leg %i of a venue is said as %j', (legIndex, said) => {
  expect(stateOf({}, {}, { legIndex })['LegIndex']).toBe(said);
});
