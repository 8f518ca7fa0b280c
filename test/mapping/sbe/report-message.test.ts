/** ExecutionReports over SBE that no scenario of the venue brings about. */
import { expect, test } from 'vitest';
import { instrumentsOf } from '../../../src/domain/instrument.ts';
import type { ExecutionReport } from '../../../src/domain/report.ts';
import type { Price, Qty } from '../../../src/domain/units.ts';
import { writeReport } from '../../../src/mapping/sbe/report-message.ts';
import { decodeMessage } from '../../../src/sbe/generic-decoder.ts';
import { orders } from '../../acceptance/parity/fixp-words.ts';
import { Ladder, spot, terms } from '../../domain/ladder.ts';
import { settings } from '../fix/wire.ts';

function decoded(report: ExecutionReport) {
  const message = decodeMessage(orders, writeReport(Buffer.alloc(4096), report, settings, {}));
  if (typeof message === 'string') throw new Error(message);
  return message;
}

test('a trade, its correction and its bust carry price and quantity in their own fields', () => {
  const [instrument] = instrumentsOf(spot);
  const order = new Ladder(terms({ qty: 5n as Qty }), {}, null, instrument);
  order.sent();
  order.event('accepted');
  order.fill(2);
  const trade = order.reports.at(-1) as ExecutionReport;
  expect(decoded(trade).fields).toMatchObject({ LastPx: 10, LastQty: 2 });
  const { execId } = trade;
  order.step({ kind: 'correct', execId, price: 11n as Price, qty: 1n as Qty, nowMs: 5000 });
  const correction = order.reports.at(-1) as ExecutionReport;
  const corrected = decoded(correction);
  expect(corrected.fields).toMatchObject({ LastPx: 11, LastQty: 1, ExecRefID: execId });
  order.step({ kind: 'bust', execId: correction.execId, nowMs: 6000 });
  const busted = decoded(order.reports.at(-1) as ExecutionReport);
  const none = { LastPx: null, LastQty: null };
  expect(busted.fields).toMatchObject({ ...none, ExecRefID: correction.execId });
});
