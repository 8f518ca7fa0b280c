/** Answers and notices, whole messages compared (contract C.3, C.4, C.7, C.8). */
import { expect, test } from 'vitest';
import type { Answer } from '../../../src/domain/answer.ts';
import type { Price, Qty } from '../../../src/domain/units.ts';
import { FieldWriter } from '../../../src/fix/field-writer.ts';
import { Framer } from '../../../src/fix/framer.ts';
import { writeAnswer } from '../../../src/mapping/fix/answer-message.ts';
import { denied } from '../../support/venue-denial.ts';
import { noBook, nowMs, said, settings, spotInstrument } from './wire.ts';

const line = (answer: Answer) => said((out) => writeAnswer(out, answer, settings));

test('R106: the report of a mass cancel gives the request type and the number of orders', () => {
  const base = { kind: 'mass_cancel', clOrdId: 'M-1', nowMs } as const;
  expect(line({ ...base, instrument: null, side: null, affected: 3 })).toBe(
    '35=r|11=M-1|37=NONE|530=7|531=7|533=3|60=20260105-12:00:00.000',
  );
  expect(line({ ...base, instrument: noBook, side: 'Ask', affected: 0 })).toBe(
    '35=r|11=M-1|37=NONE|530=1|531=1|533=0|55=RAIN-2026:NO|48=7:NO|22=8|54=2|60=20260105-12:00:00.000|9103=NO',
  );
});

test('R112: the security list gives steps and scales, and the book of an outcome', () => {
  const instruments = [spotInstrument, noBook];
  expect(line({ kind: 'security_list', reqId: 'L1', instruments, total: 2, isLast: true })).toBe(
    '35=y|320=L1|322=L1|560=0|393=2|893=Y|146=2' +
      '|55=BTC-USDC|48=1|22=8|460=4|167=FOR|107=BTC in USDC|15=USDC|561=0.00001' +
      '|58=tick=0.01;lot=0.00001;minNotional=1;maxQty=1000;priceScale=6;qtyScale=8' +
      '|55=RAIN-2026:NO|48=7:NO|22=8|460=12|167=OPT|541=20261231|107=RAIN-2026, NO|15=USDC|561=1' +
      '|58=tick=0.001;lot=1;minNotional=1;maxQty=100000;priceScale=6;qtyScale=6|9103=NO',
  );
});

test('R112: a snapshot of the book, best first', () => {
  const bids = [[49_990_000_000n as Price, 100_000_000n as Qty]] as const;
  const asks = [[50_010_000_000n as Price, 250_000n as Qty]] as const;
  expect(
    line({ kind: 'depth', reqId: 'V1', instrument: spotInstrument, seq: 12, bids, asks }),
  ).toBe(
    '35=W|262=V1|55=BTC-USDC|48=1|22=8|268=2|269=0|270=49990|271=1|290=1|269=1|270=50010|271=0.0025|290=1|9110=12',
  );
});

test('a snapshot of the deepest book fits into a message', () => {
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  const levels = Array.from({ length: 10_000 }, () => [most as Price, most as Qty] as const);
  const market = { ...spotInstrument.market, priceScale: 18, qtyScale: 18 };
  const instrument = { ...spotInstrument, market };
  const out = new FieldWriter();
  const answer = { kind: 'depth', reqId: 'V'.repeat(64), instrument, seq: null } as const;
  writeAnswer(out, { ...answer, bids: levels, asks: levels }, settings);
  const framer = new Framer({ senderCompId: 'C', targetCompId: 'B' });
  const frame = framer.frame('W', 1, nowMs, out.bytes);
  const text = Buffer.from(frame).toString().replaceAll('\x01', '|');
  expect(text).toContain('|268=15000|');
  expect(text.match(/\|290=7500\|/g)).toHaveLength(2);
});

test('R80: status of a market and of the venue, unasked', () => {
  const security = { kind: 'security_status', reqId: null, isUnsolicited: true } as const;
  const halted = { instrument: spotInstrument, status: 'halted', text: 'halt', nowMs } as const;
  expect(line({ ...security, ...halted })).toBe(
    '35=f|55=BTC-USDC|48=1|22=8|325=Y|326=2|60=20260105-12:00:00.000|58=halt',
  );
  const session = { kind: 'session_status', reqId: null, isUnsolicited: true } as const;
  expect(line({ ...session, state: 'halted', text: 'ledger degraded' })).toBe(
    '35=h|336=VENUE|325=Y|340=1|58=ledger degraded',
  );
});

test('status of a user, and news', () => {
  expect(line({ kind: 'user_status', reqId: 'U1', username: 'ann', isLoggedIn: true })).toBe(
    '35=BF|923=U1|553=ann|926=1',
  );
  expect(line({ kind: 'news', headline: 'Resend', lines: ['a', 'b'] })).toBe(
    '35=B|148=Resend|33=2|58=a|58=b',
  );
});

test('R103: a refused quote set: each entry with its reason, the old quotes alive', () => {
  const instrument = { symbol: 'RAIN-2026', securityId: null, book: 'NO' } as const;
  const denial = denied('post_only_would_cross');
  const answer: Answer = {
    kind: 'quote',
    quoteId: 'Q1',
    status: 'rejected',
    accountName: 'desk',
    denial,
    oldQuotesStand: true,
    sets: [{ setId: 's1', entries: [{ entryId: 'e1', instrument, denial }] }],
  };
  expect(line(answer)).toBe(
    '35=b|117=Q1|297=5|300=8|1=desk|58=post_only_would_cross:; the old quotes are live|9102=post_only_would_cross|296=1|302=s1|304=1|295=1|299=e1|55=RAIN-2026|368=8|9102=post_only_would_cross|9103=NO',
  );
  expect(
    line({ ...answer, status: 'accepted', denial: null, oldQuotesStand: null, sets: [] }),
  ).toBe('35=b|117=Q1|297=0|1=desk');
});

test('a single quote is answered by its own report', () => {
  const answer = { kind: 'quote_status', quoteId: 'Q2', status: 'accepted' } as const;
  const rest = { accountName: 'desk', instrument: spotInstrument, denial: null } as const;
  expect(line({ ...answer, ...rest, oldQuotesStand: null })).toBe(
    '35=AI|117=Q2|55=BTC-USDC|48=1|22=8|1=desk|297=0',
  );
});
