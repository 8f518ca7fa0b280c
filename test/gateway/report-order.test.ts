/** The order in which the reports of one transaction leave: that of the states which they report. */
import { expect, test } from 'vitest';
import { deny } from '../../src/domain/denial.ts';
import type { Qty } from '../../src/domain/units.ts';
import type { Request } from '../../src/engine/engine.ts';
import type { Signer } from '../../src/signer/signer.ts';
import { silentEvent, spot, terms } from '../domain/ladder.ts';
import { entry, instrument, openRunner, ownerOf } from './opened-runner.ts';

const quoteTerms = terms({ qty: 5n as Qty });
const sign = () => new Promise<never>(() => {});
/** It never answers, so that nothing reaches a venue. */
const signer: Signer = { sign, recall() {}, keys: new Map(), close: async () => {} };

/** A group of one quote that waits until the order with the key `awaited` has ended. */
function quote(quoteId: string, [key, member]: readonly [string, string], awaited: string) {
  const { limitPrice: price, qty, side, timeInForce } = quoteTerms;
  const flags = { stp: null, isMarket: false, reduceOnly: false, expiresAtMs: null, book: null };
  const leg = { ...flags, cancelOrderId: null, side, price, qty, timeInForce };
  const places = { setId: '1', entries: [], places: [member], cancels: [] };
  const owner = ownerOf(member, quoteId);
  return {
    ...{ kind: 'quotes', key, session: 'S', awaits: [awaited], nowMs: 1_000 },
    flight: { key, quoteId, accountName: 'desk', response: 'all', single: null, ...places },
    orders: [{ owner, clOrdId: quoteId, instrument, terms: quoteTerms, legIndex: 0 }],
    intent: { kind: 'group', market: spot.marketId, legs: [leg] },
  } as Extract<Request, { kind: 'quotes' }>;
}

test('of two quotes that one event releases and the gate refuses, each is pending before it is rejected', async () => {
  const authorize = () => deny('bridge.market_halted', 'halted');
  const { apply, runner, order, reports } = await openRunner({ signer, authorize });
  apply(entry('X'));
  apply(quote('q1', ['g1', 'm1'], 'X'));
  apply(quote('q2', ['g2', 'm2'], 'X'));
  reports.length = 0;
  const { orderId, venueRef } = order('X');
  const ended = { kind: 'canceled', seq: 1, orderId, venueRef, market: spot.marketId } as const;
  void runner.onEvents([{ ...silentEvent, ...ended, nonce: 1n }]);
  const told = reports.flatMap((one) =>
    one.kind === 'execution' ? [`${one.clOrdId} ${one.execType}`] : [],
  );
  expect(told).toEqual([
    ...['x new', 'x canceled', 'q2 pending_new'],
    ...['q1 rejected', 'q2 rejected'],
  ]);
});
