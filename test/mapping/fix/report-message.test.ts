/** What happened to an order, whole messages compared (contract C.13). */

import { describe, expect, test } from 'vitest';
import type { Denial } from '../../../src/domain/denial.ts';
import type { Fill } from '../../../src/domain/event.ts';
import { createOrder, type Order, type OrderRules } from '../../../src/domain/order.ts';
import type { ExecutionReport } from '../../../src/domain/report.ts';
import { statusReport } from '../../../src/domain/status.ts';
import type { Terms } from '../../../src/domain/terms.ts';
import { type OrderInput, transition } from '../../../src/domain/transition.ts';
import type { FeeMicro, OrderId, Price, Qty } from '../../../src/domain/units.ts';
import { writeReport } from '../../../src/mapping/fix/report-message.ts';
import { denialOf } from '../../../src/venue/refusals.ts';
import { account, fullRules, silentEvent, terms } from '../../domain/ladder.ts';
import { denied } from '../../support/venue-denial.ts';
import { noBook, nowMs, said, settings, spotInstrument } from './wire.ts';

const owner = { session: 'S', account, accountName: 'desk', tag: 'A1', key: 'A1#5', quoteId: null };
const orderId = `0x${'ab'.repeat(32)}` as OrderId;
const rules: OrderRules = fullRules;
const qty = (value: bigint) => value as Qty;

function enter(changes: Partial<Terms> = {}, instrument = spotInstrument): Order {
  const limit = 50_000_250_000n as Price;
  const wanted = terms({ qty: qty(150_000_000n), price: limit, limitPrice: limit, ...changes });
  return createOrder(owner, 'ORD-1', instrument, wanted, nowMs);
}

/** The messages of one step, and the order after it. */
function step(order: Order, input: OrderInput): { order: Order; lines: string[] } {
  const taken = transition(order, input, rules);
  const lines = taken.reports.map((report) => said((out) => writeReport(out, report, settings)));
  return { order: taken.order, lines };
}

const sent = { kind: 'sent', requestId: 'new', venueRef: 'h', orderId, nowMs } as const;

function eventOf(seq: number, changes: object): OrderInput {
  return {
    kind: 'event',
    event: {
      ...silentEvent,
      seq,
      prevSeq: seq - 1,
      market: spotInstrument.market.marketId,
      orderId,
      engineTsMs: nowMs + seq,
      serverTsMs: nowMs + seq,
      ...changes,
    },
  };
}

const fill = (changes: Partial<Fill> = {}) => ({
  kind: 'fill',
  fill: {
    fillId: 'f1',
    price: 50_000_000_000n as Price,
    qty: qty(50_000_000n),
    feeMicro: 12_500_000n as FeeMicro,
    liquidity: 'taker',
    tsMs: nowMs,
    ...changes,
  },
});

describe('ExecutionReport(8)', () => {
  test('an expiry after the year 9999, which an earlier version has stored, is its last millisecond', () => {
    const { lines } = step(enter({ lifetime: 'gtd', expiresAtMs: 253_402_300_800_000 }), sent);
    expect(lines[0]).toContain('|126=99991231-23:59:59.999|');
  });

  test('R85 R131: pending new, new and a fee-bearing trade, field by field', () => {
    const pending = step(enter(), sent);
    expect(pending.lines).toEqual([
      `35=8|37=${orderId}|11=ORD-1|17=A1#5-1|150=A|39=A|1=desk|55=BTC-USDC|48=1|22=8|54=1|38=1.5|40=2|44=50000.25|15=USDC|59=1|151=1.5|14=0|6=0|60=20260105-12:00:00.000|9104=cancel_taker`,
    ]);
    const traded = step(pending.order, eventOf(7, fill()));
    expect(traded.lines).toEqual([
      `35=8|37=${orderId}|11=ORD-1|17=A1-7-0|150=0|39=0|636=Y|1=desk|55=BTC-USDC|48=1|22=8|54=1|38=1.5|40=2|44=50000.25|15=USDC|59=1|151=1.5|14=0|6=0|60=20260105-12:00:00.007|9104=cancel_taker|9110=7`,
      `35=8|37=${orderId}|11=ORD-1|17=A1-7-1|150=F|39=1|636=Y|1=desk|55=BTC-USDC|48=1|22=8|54=1|38=1.5|40=2|44=50000.25|15=USDC|59=1|32=0.5|31=50000|151=1|14=0.5|6=50000|60=20260105-12:00:00.007|851=2|136=1|137=12.5|138=USDC|139=4|891=0|9104=cancel_taker|9110=7`,
    ]);
  });

  test('what the client said of itself comes back in a report, and beside its sender in a copy', () => {
    const client = {
      fields: '526=S\x01',
      text: 'as told',
      parties: '448=FUND\x01447=D\x01452=3\x01',
      partyCount: 1,
      route: '57=desk\x01',
    };
    const [report] = transition(enter({ client }), sent, rules).reports;
    const line = (frame = {}) => said((out) => writeReport(out, report!, settings, frame));
    expect(line()).toMatch(/\|58=as told\|453=1\|448=FUND\|447=D\|452=3\|.*\|526=S$/);
    const originator = { session: 'S', compId: 'ALPHA', users: ['u'] };
    expect(line({ copy: true, originator })).toContain(
      '|453=3|448=ALPHA|447=D|452=13|448=u|447=D|452=11|448=FUND|447=D|452=3|',
    );
  });

  test('R131: a maker rebate is a negative fee', () => {
    const { order } = step(enter(), sent);
    const rebate = fill({ feeMicro: -250n as FeeMicro, liquidity: 'maker' });
    expect(step(order, eventOf(7, rebate)).lines[1]).toContain(
      '|851=1|136=1|137=-0.00025|138=USDC|',
    );
  });

  test('R93 R91: an outcome order carries its book, 77=C and 9114=Y where it only reduces', () => {
    const price = 420_000n as Price;
    const order = enter(
      {
        price,
        limitPrice: price,
        qty: qty(25_000_000n),
        reduceOnly: true,
        timeInForce: 'post_only',
      },
      noBook,
    );
    expect(step(order, sent).lines).toEqual([
      `35=8|37=${orderId}|11=ORD-1|17=A1#5-1|150=A|39=A|1=desk|55=RAIN-2026:NO|48=7:NO|22=8|54=1|38=25|40=2|44=0.42|15=USDC|59=1|18=6|151=25|14=0|6=0|60=20260105-12:00:00.000|77=C|9103=NO|9104=cancel_taker|9114=Y`,
    ]);
  });

  test.each([
    [
      'post_only_would_cross',
      '|103=99|',
      '|58=post_only_would_cross: no room|',
      '|9102=post_only_would_cross|',
    ],
    ['market_not_found', '|103=99|', '|9101=300|', '|9102=market_not_found|'],
  ])('R88 R116: the refusal %s of the venue', (code, ...parts) => {
    const { order } = step(enter(), sent);
    const denial = denialOf({ code, number: null, text: 'no room' }, true);
    const [line] = step(order, eventOf(7, { kind: 'rejected', denial })).lines;
    for (const part of [...parts, '|150=8|39=8|', '|9111=Y']) expect(line).toContain(part);
    if (code === 'post_only_would_cross') expect(line).not.toContain('|9101=');
  });

  test('R115 R120: an unknown outcome is reported with 9101=106 and 103=99', () => {
    const { order } = step(enter(), sent);
    const [line] = step(order, { kind: 'overdue', requestId: 'new', nowMs }).lines;
    expect(line).toContain('|17=A1#5-2|150=I|39=A|103=99|');
    expect(line).toContain('|9101=106|9102=bridge.unknown_outcome|');
  });

  test('R97: a replace gives the child, its parent, and the priority lost', () => {
    let { order } = step(enter(), sent);
    order = step(order, eventOf(1, {})).order;
    const wanted = { ...order.terms, limitPrice: 1n as Price, price: 49_000_000_000n as Price };
    const replace = { kind: 'replace', clOrdId: 'ORD-2', origModTimeMs: null, nowMs } as const;
    order = step(order, { ...replace, terms: wanted }).order;
    order = step(order, { ...sent, requestId: 'ORD-2', venueRef: 'h-2' }).order;
    const childId = `0x${'cd'.repeat(32)}` as OrderId;
    const replaced = {
      kind: 'replaced',
      orderId: childId,
      parentOrderId: orderId,
      qty: wanted.qty,
    };
    expect(step(order, eventOf(9, { ...replaced, venueRef: 'h-2', legIndex: 0 })).lines).toEqual([
      `35=8|37=${childId}|11=ORD-2|41=ORD-1|17=A1-9-0|150=5|39=0|636=Y|1=desk|55=BTC-USDC|48=1|22=8|54=1|38=1.5|40=2|44=49000|15=USDC|59=1|151=1.5|14=0|6=0|60=20260105-12:00:00.009|638=1|9104=cancel_taker|9110=9|9112=${orderId}|9113=0`,
    ]);
  });

  test('R110: a stored conditional is not working until it fires', () => {
    const trigger = {
      price: 60_000_000_000n as Price,
      direction: 'at_or_above',
      kind: 'take_profit',
    } as const;
    const order = enter({
      side: 'Ask',
      ordType: 'market_if_touched',
      price: null,
      isMarket: true,
      trigger,
    });
    const pending = step(order, { ...sent, firedOrderId: `0x${'ef'.repeat(32)}` as OrderId });
    const stored = step(pending.order, eventOf(1, { kind: 'accepted' }));
    expect(stored.lines[0]).toContain('|150=0|39=0|636=N|');
    expect(stored.lines[0]).toContain('|40=J|99=60000|');
    expect(stored.lines[0]).toContain('|9105=at_or_above|9106=take_profit|');
    const fired = step(stored.order, eventOf(2, { kind: 'triggered' })).lines[0];
    expect(fired).toContain(`35=8|37=0x${'ef'.repeat(32)}|`);
    expect(fired).toContain('|150=D|39=0|636=Y|378=99|');
    expect(fired).toContain(`|9112=${orderId}`);
  });

  test('R109: a slice fill names slice and parent', () => {
    const strategy = { kind: 'twap', sliceQty: qty(50_000_000n), intervalMs: 1000 } as const;
    const { order } = step(enter({ strategy }), sent);
    const slice = `0x${'55'.repeat(32)}` as OrderId;
    const [first, trade] = step(
      order,
      eventOf(3, { ...fill(), orderId: slice, parentOrderId: orderId }),
    ).lines;
    expect(first).toContain('|9107=twap|9108=0.5|9109=1000|');
    expect(trade).toContain(`35=8|37=${orderId}|198=${slice}|11=ORD-1|`);
    expect(trade).toContain(`|9112=${orderId}`);
  });

  test('R108: the present state on request: ExecID 0, the ids of the request, behind a gap', () => {
    const { order } = step(enter(), sent);
    const report = statusReport(step(order, eventOf(4, {})).order, rules, nowMs);
    const single = said((out) =>
      writeReport(out, report, settings, { statusReqId: 'Q1', behind: true }),
    );
    expect(single).toContain('|11=ORD-1|790=Q1|17=0|150=I|39=0|636=Y|');
    expect(single).toContain('|58=state as of seq 4|');
    const massStatus = { reqId: 'M1', total: 3, isLast: true };
    expect(said((out) => writeReport(out, report, settings, { massStatus }))).toContain(
      '|584=M1|911=3|912=Y|17=0|150=I|',
    );
  });

  test('R127: a drop copy is the same report with CopyMsgIndicator', () => {
    const { reports } = transition(enter(), sent, rules);
    const report = reports[0] as ExecutionReport;
    const own = said((out) => writeReport(out, report, settings));
    const copy = said((out) => writeReport(out, report, settings, { copy: true }));
    expect(copy.replace('797=Y|', '')).toBe(own);
  });

  test('the report of a trade bust and correction refers to the trade', () => {
    const traded = step(step(enter(), sent).order, eventOf(7, fill()));
    const correct = { kind: 'correct', execId: 'A1-7-1', price: 49_000_000_000n as Price } as const;
    const corrected = step(traded.order, { ...correct, qty: qty(50_000_000n), nowMs });
    expect(corrected.lines[0]).toContain('|19=A1-7-1|150=G|39=1|');
    expect(corrected.lines[0]).toContain('|32=0.5|31=49000|151=1|14=0.5|6=49000|');
    const execId = corrected.order.executions[0]?.amendedBy ?? '';
    const busted = step(corrected.order, { kind: 'bust', execId, nowMs });
    expect(busted.lines[0]).toContain(`|19=${execId}|150=H|39=0|`);
  });
});

describe('OrderCancelReject(9)', () => {
  function refused(denial: Denial): string | undefined {
    let { order } = step(enter(), sent);
    order = step(order, eventOf(1, {})).order;
    order = step(order, { kind: 'cancel', clOrdId: 'C-1', origModTimeMs: null, nowMs }).order;
    const outcome = { kind: 'refused', denial } as const;
    const answered = step(order, { kind: 'answered', requestId: 'C-1', outcome, nowMs });
    return answered.lines[0];
  }

  test('names request, order, present state and reason', () => {
    const denial = denialOf(
      { code: 'unauthorized_cancel', number: null, text: 'not yours' },
      false,
    );
    expect(refused(denial)).toBe(
      `35=9|37=${orderId}|11=C-1|41=ORD-1|39=0|636=Y|1=desk|60=20260105-12:00:00.000|434=1|102=99|58=unauthorized_cancel: not yours|9102=unauthorized_cancel|9111=N`,
    );
  });

  test('R115: a number of the venue is sent with 102=99', () => {
    expect(refused(denied('trading_halted'))).toContain('|102=99|58=trading_halted:|9101=103|');
  });
});
