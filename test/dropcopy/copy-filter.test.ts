/** Which copies a reader may see. */
import { expect, test } from 'vitest';
import type { ExecutionReport } from '../../src/domain/report.ts';
import type { CopyFacts } from '../../src/dropcopy/copy.ts';
import { type CopyFilter, passes } from '../../src/dropcopy/copy-filter.ts';
import { noBook } from '../mapping/fix/wire.ts';
import { everything, from, reports } from './copies.ts';

const [fresh] = reports(1) as [ExecutionReport];
const report: CopyFacts = { kind: 'report', report: fresh, from };
const ofBook: CopyFacts = {
  kind: 'report',
  report: { ...fresh, order: { ...fresh.order, instrument: noBook } },
  from,
};
const foreign: CopyFacts = { kind: 'report', report: fresh, from: null };
const request: CopyFacts = {
  kind: 'request',
  from,
  msgType: 'D',
  symbol: 'RAIN-2026:YES',
  market: 'RAIN-2026',
  message: '',
};
const sees = (facts: CopyFacts, filter: Partial<CopyFilter> = {}) =>
  passes({ ...everything, ...filter }, facts);

test('without limits every report is seen, and requests only by those who watch them', () => {
  expect([sees(report), sees(foreign), sees(request)]).toEqual([true, true, false]);
  expect(sees(request, { requests: true })).toBe(true);
});

test('a gap or the end of a day is for everybody', () => {
  const nobody = {
    sessions: new Set<string>(),
    users: new Set<string>(),
    symbols: new Set<string>(),
  };
  expect(sees({ kind: 'gap', lines: [] }, nobody)).toBe(true);
  expect(sees({ kind: 'day', day: '20260105' }, nobody)).toBe(true);
});

test('a filter of sessions is by CompID, and leaves out orders of other channels', () => {
  expect(sees(report, { sessions: new Set(['ALPHA']) })).toBe(true);
  expect(sees(report, { sessions: new Set(['S']) })).toBe(false);
  expect(sees(foreign, { sessions: new Set(['ALPHA']) })).toBe(false);
});

test('a filter of users needs one of those who may log on there', () => {
  expect(sees(report, { users: new Set(['other', 'trader']) })).toBe(true);
  expect(sees(report, { users: new Set(['other']) })).toBe(false);
  expect(sees(foreign, { users: new Set(['trader']) })).toBe(false);
});

test('a filter of symbols names a market with all its books, or one book', () => {
  const by = (facts: CopyFacts, symbol: string) =>
    sees(facts, { symbols: new Set([symbol]), requests: true });
  expect(by(report, fresh.order.instrument.symbol)).toBe(true);
  expect(by(ofBook, noBook.market.symbol)).toBe(true);
  expect(by(ofBook, noBook.symbol)).toBe(true);
  expect(by(ofBook, 'RAIN-2026:YES')).toBe(false);
  expect([by(request, 'RAIN-2026'), by(request, 'RAIN-2026:YES')]).toEqual([true, true]);
  expect(by({ ...request, symbol: null, market: null } as CopyFacts, 'RAIN-2026')).toBe(false);
});

test('every limit must hold', () => {
  const limits = { sessions: new Set(['ALPHA']), users: new Set(['trader']) };
  expect(sees(report, { ...limits, symbols: new Set(['ETH-USDC']) })).toBe(false);
  expect(sees(report, { ...limits, users: new Set(['other']) })).toBe(false);
});
