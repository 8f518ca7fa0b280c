/** Drop copies as FIX messages: what no scenario of the venue brings about. */
import { expect, test } from 'vitest';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import type { ExecutionReport } from '../../src/domain/report.ts';
import type { Price, Qty } from '../../src/domain/units.ts';
import type { Copy, ReportCopy } from '../../src/dropcopy/copy.ts';
import { leanCopy } from '../../src/dropcopy/copy.ts';
import { factsOf } from '../../src/dropcopy/copy-text.ts';
import { noTotals } from '../../src/dropcopy/copy-totals.ts';
import { Ladder, spot, terms } from '../domain/ladder.ts';
import { from, text } from './copies.ts';

function bodyOf(message: Parameters<typeof text.write>[0]): string {
  const { body, msgType } = text.write(message);
  return `${msgType}|${Buffer.from(body).toString('latin1').replaceAll('\x01', '|')}`;
}

/** A trade, and what `amend` then makes of it. */
function amended(amend: (order: Ladder, execId: string) => void): Copy<ReportCopy> {
  const [instrument] = instrumentsOf(spot);
  const order = new Ladder(terms({ qty: 5n as Qty }), {}, null, instrument);
  order.sent();
  order.event('accepted');
  order.fill(2);
  const traded = order.reports.at(-1) as ExecutionReport;
  amend(order, traded.execId);
  const report = order.reports.at(-1) as ExecutionReport;
  const copy = leanCopy({ kind: 'report', report, from }) as ReportCopy;
  return { ...copy, position: 1, atMs: 0, seq: 1 };
}

const trade = (copy: Copy<ReportCopy>) =>
  bodyOf({ kind: 'trade', copy, possResend: false, tradeRequestId: 't', isLast: null });
const report = (copy: Copy<ReportCopy>) =>
  bodyOf({ kind: 'report', copy, possResend: false, reqId: null });

test('D-10: a trade that is taken back names it, as a report and as a trade capture report', () => {
  const copy = amended((order, execId) => order.step({ kind: 'bust', execId, nowMs: 5000 }));
  expect(report(copy)).toMatch(/^8\|.*\|19=T-2-0\|150=H\|.*\|14=0\|.*\|797=Y\|/);
  expect(trade(copy)).toMatch(/^AE\|571=.*\|487=1\|568=t\|325=Y\|572=T-2-0\|/);
});

test('D-10: a correction carries the trade as it now is', () => {
  const copy = amended((order, execId) =>
    order.step({ kind: 'correct', execId, price: 11n as Price, qty: 1n as Qty, nowMs: 5000 }),
  );
  expect(report(copy)).toMatch(/\|19=T-2-0\|150=G\|.*\|32=1\|31=11\|/);
  expect(trade(copy)).toMatch(/\|487=2\|.*\|572=T-2-0\|.*\|32=1\|31=11\|/);
});

test('the hash covers the facts in their own order, whatever stands between them', () => {
  const body = Buffer.from('37=O\x0111=C\x0158=x\x0117=E\x01453=1\x01448=A\x0160=T\x01');
  expect(Buffer.from(factsOf(body)).toString()).toBe('17=E\x0137=O\x0111=C\x0160=T\x01');
});

test('the totals of a day with more instruments than a message holds leave out their volumes', () => {
  const volumes = (count: number) => {
    const one = 10n ** 30n;
    const sides = { bought: one, sold: one, boughtValue: one, soldValue: one };
    const volume = { ...sides, qtyScale: 18, valueScale: 18 };
    const entries = Array.from({ length: count }, (_, at) => [`${'S'.repeat(240)}${at}`, volume]);
    return Object.fromEntries(entries);
  };
  const totals = (count: number) => ({ ...noTotals, volumes: volumes(count) });
  const said = (count: number) =>
    bodyOf({
      ...({ kind: 'totals', account: 'desk', day: '20261120', possResend: false } as const),
      ...{ reqId: null, totals: totals(count) },
    });
  expect(said(2_000)).toContain('|9133=2000|');
  expect(said(20_000)).toMatch(/^UT\|1=desk\|9130=0\|9131=0+\|9132=0\|9138=20261120\|/);
});
