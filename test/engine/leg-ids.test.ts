/** The orders of a quote where the venue derives their ids otherwise than the bridge does (contract R10, G02, G28). */
import { expect, test } from 'vitest';
import { submissionId } from '../../src/domain/order.ts';
import type { OrderId } from '../../src/domain/units.ts';
import { silentEvent } from '../domain/ladder.ts';
import { entry, TradingCore } from '../support/trading-core.ts';
import { denied } from '../support/venue-denial.ts';

const venueRef = 'hash-0x1';
const fill = {
  ...{ fillId: 'f', price: 12n, qty: 5n, feeMicro: 0n, liquidity: 'maker', tsMs: 1 },
};

function quoted(): TradingCore {
  const core = new TradingCore();
  core.quote('Q', { 1: [entry('1', 'BTC-USDC', '10x5', '12x5')] });
  core.settle();
  return core;
}

/** Returns what is told of events that belong to nobody. */
function happens(core: TradingCore, ...events: object[]): readonly string[] {
  return events.flatMap((one) => {
    const seq = core.orders.lastSeq + 1;
    return core.hear({ ...silentEvent, seq, ...one } as never);
  });
}

function rests(orderId: string, legIndex: number): object {
  return { kind: 'resting', orderId: orderId as OrderId, legIndex, venueRef };
}

test.each([venueRef, null])(
  'each side of a quote has its own events, whatever the venue calls it, with the action %s',
  (ref) => {
    const core = quoted();
    const filled = { kind: 'fill', orderId: '0xask', legIndex: 1, venueRef: ref, fill };
    const strange = happens(core, rests('0xbid', 0), rests('0xask', 1), {
      ...filled,
      leavesQty: 0n,
    });
    const trades = core.reports.flatMap((one) =>
      one.kind === 'execution' && one.execType === 'trade'
        ? [`${one.clOrdId} ${one.order.terms.side}`]
        : [],
    );
    expect(strange).toEqual([]);
    expect(trades).toEqual(['Q.1.1.S Ask']);
  },
);

test('a quote that takes the place of another has its own events, whatever the venue calls its sides', () => {
  const core = quoted();
  happens(core, rests('0xbid', 0), rests('0xask', 1));
  core.quote('R', { 1: [entry('1', 'BTC-USDC', '10x6', '12x6')] });
  core.settle();
  const second = { kind: 'replaced', venueRef: 'hash-0x3' };
  const trade = { ...{ kind: 'fill', venueRef: null, legIndex: 1, orderId: '0xask2' }, fill };
  const strange = happens(
    core,
    { ...second, orderId: '0xbid2', parentOrderId: '0xbid', legIndex: 0, qty: 6n },
    { ...second, orderId: '0xask2', parentOrderId: '0xask', legIndex: 1, qty: 6n },
    { ...trade, parentOrderId: '0xask', leavesQty: 1n },
  );
  const said = core.reports.flatMap((one) =>
    one.kind === 'execution' && one.execType !== 'pending_new'
      ? [`${one.execType} ${one.clOrdId}`]
      : [],
  );
  expect(strange).toEqual([]);
  expect(said).toEqual([
    ...['new Q.1.1.B', 'new Q.1.1.S'],
    ...['new R.1.1.B', 'canceled Q.1.1.B', 'new R.1.1.S', 'canceled Q.1.1.S'],
    'trade R.1.1.S',
  ]);
});

test('the refusal of a quote ends both sides, whatever the venue calls them', () => {
  const core = quoted();
  const denial = denied('post_only_would_cross');
  const refused = (orderId: string, legIndex: number) => ({
    ...{ ...rests(orderId, legIndex), kind: 'rejected', denial },
  });
  happens(core, refused('0xbid', 0), refused('0xask', 1));
  const ends = core.reports.flatMap((one) =>
    one.kind === 'execution' && one.execType === 'rejected' ? [one.clOrdId] : [],
  );
  expect(ends).toEqual(['Q.1.1.B', 'Q.1.1.S']);
});

test('each side is found by its leg, also after the refusal of another action was taken for that of the quote', () => {
  const core = new TradingCore();
  core.quote('Q', { 1: [entry('1', 'BTC-USDC', '10x5', '12x5')] });
  core.settle(denied('post_only_would_cross'));
  expect(core.named('Q.1.1.S')?.phase).toBe('rejected');
  happens(core, rests('0xbid', 0), rests('0xask', 1));
  expect(core.named('Q.1.1.B')).toMatchObject({ phase: 'live', orderId: '0xbid' });
  expect(core.named('Q.1.1.S')).toMatchObject({ phase: 'live', orderId: '0xask' });
});

test('a mass cancel names each side of a quote by the id that the venue gave it', () => {
  const core = quoted();
  happens(core, rests('0xbid', 0), rests('0xask', 1));
  core.cancelQuotes();
  const meant = { session: 'S', symbols: null, side: null, onlyQuotes: false };
  core.apply({ kind: 'mass_cancel', meant, text: 'stop', atOnce: 100, nowMs: 1 } as never);
  const named = core.sent.map(({ intent }) =>
    intent.kind === 'cancel' ? intent.orderId : intent.kind,
  );
  expect(named.sort()).toEqual(['0xask', '0xbid']);
});

test('the action for the sides of a quote is outdated once the stream shows one of them, and an unknown one always', () => {
  const core = new TradingCore();
  core.quote('Q', { 1: [entry('1', 'BTC-USDC', '10x5', '12x5')] });
  const key = core.sent[0]?.key ?? '';
  expect(core.orders.intentNow(key, submissionId)).toBeUndefined();
  core.settle();
  happens(core, rests('0xbid', 0));
  expect(core.orders.intentNow(key, submissionId)).toBeNull();
  expect(core.orders.intentNow('desk#99', submissionId)).toBeNull();
});
