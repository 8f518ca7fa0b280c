/** The records of the copy journal, as they are written and as earlier versions wrote them. */
import { expect, test } from 'vitest';
import { exactJson } from '../../src/domain/exact-json.ts';
import type { Execution } from '../../src/domain/order.ts';
import type { ExecutionReport } from '../../src/domain/report.ts';
import { type CopyFacts, decodeCopy, encodeCopy, leanCopy } from '../../src/dropcopy/copy.ts';
import { from, reports } from './copies.ts';

const trade = reports(3).at(-1) as ExecutionReport;
const all: CopyFacts[] = [
  { kind: 'report', report: trade, from },
  { kind: 'report', report: trade, from: null },
  { kind: 'request', from, msgType: 'D', symbol: 'X', market: null, message: 'AAECAw==' },
  { kind: 'gap', lines: ['lost', 'again'] },
  { kind: 'day', day: '20260105' },
];

test.each(all)('a copy of kind $kind comes back as it was, at its own place', (facts) => {
  const read = decodeCopy(encodeCopy(facts, 5, 7), 3, 's');
  expect(read).toEqual({ ...facts, position: 3, atMs: 5, seq: 7 });
});

test.each(all)('a copy of kind $kind is read as version 2 wrote it', (facts) => {
  const payload = Buffer.from(exactJson({ v: 2, atMs: 5, seq: 7, ...facts }));
  expect(decodeCopy(payload, 3, 's')).toEqual({ ...facts, position: 3, atMs: 5, seq: 7 });
});

test.each(['{"v":4}', '{}', 'null', '7', '{"v":"3"}'])(
  'the record %s is of no version, which is an error that says where it is',
  (text) => {
    const said = 's, copy 3 is not a record of version 1 to 3';
    expect(() => decodeCopy(Buffer.from(text), 3, 's')).toThrow(said);
  },
);

test("of an order's trades only the one that a correction is about is kept", () => {
  expect(trade.order.executions).toHaveLength(3);
  const [first, second, third] = trade.order.executions as [Execution, Execution, Execution];
  const corrected = { ...second, amendedBy: 'o1-1' };
  const order = { ...trade.order, executions: [first, corrected, third] };
  const lean = (execType: ExecutionReport['execType']) => {
    const report = { ...trade, order, execType, execId: 'o1-1', execRefId: second.execId };
    const facts = leanCopy({ kind: 'report', report, from });
    return facts.kind === 'report' ? facts.report.order.executions : undefined;
  };
  expect(lean('trade')).toEqual([]);
  expect(lean('trade_cancel')).toEqual([]);
  expect(lean('trade_correct')).toEqual([corrected]);
  expect(order.executions).toHaveLength(3);
});
