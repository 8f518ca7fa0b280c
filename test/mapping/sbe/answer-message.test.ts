/** Answers and notices over SBE, read back by the schema alone (contract C.3, C.4, C.7, C.8). */
import { describe, expect, test } from 'vitest';
import type { Answer, QuoteAnswer } from '../../../src/domain/answer.ts';
import type { Price, Qty } from '../../../src/domain/units.ts';
import { writeAnswer } from '../../../src/mapping/sbe/answer-message.ts';
import { decodeMessage } from '../../../src/sbe/generic-decoder.ts';
import { orders } from '../../acceptance/parity/fixp-words.ts';
import { denied } from '../../support/venue-denial.ts';
import { noBook, nowMs, rain, settings, spotInstrument } from '../fix/wire.ts';

const out = Buffer.alloc(64 * 1024);

function said(answer: Answer, from = settings) {
  const told = decodeMessage(orders, writeAnswer(out, answer, from));
  if (typeof told === 'string') throw new Error(told);
  expect(told.outOfRange).toEqual([]);
  return { message: told.message, ...told.fields };
}

const noRefusal = { Reason: null, VenueRejectNumber: null, NonceConsumed: 'Unset' };
const spot = { MarketId: 1, Book: 'Unset' };
const no = { MarketId: 7, Book: 'NO' };

test('R106: the report of a mass cancel gives the scope and the number of orders', () => {
  const base = { kind: 'mass_cancel', clOrdId: 'M-1', nowMs } as const;
  expect(said({ ...base, instrument: null, side: null, affected: 3 })).toEqual({
    message: 'MassCancelReport',
    Scope: 'All',
    Response: 'All',
    TotalAffectedOrders: 3,
    Side: null,
    TransactTime: nowMs,
    Instrument: { MarketId: null, Book: 'Unset' },
    Refusal: noRefusal,
    ClOrdID: 'M-1',
    Symbol: '',
    VenueCode: '',
    Text: '',
  });
  expect(said({ ...base, instrument: noBook, side: 'Ask', affected: 0 })).toMatchObject({
    Scope: 'Instrument',
    Response: 'Instrument',
    TotalAffectedOrders: 0,
    Side: 'Sell',
    Instrument: no,
  });
});

describe('the security list', () => {
  const list = { kind: 'security_list', reqId: 'L1', total: 2, isLast: true } as const;

  test('R112: gives steps, scales and the book of each instrument', () => {
    expect(said({ ...list, instruments: [spotInstrument, noBook] })).toEqual({
      message: 'SecurityList',
      SecurityRequestResult: 0,
      TotNoRelatedSym: 2,
      Flags: ['LastFragment'],
      Instruments: [
        {
          Instrument: spot,
          MarketKind: 'Spot',
          PriceExponent: -6,
          QtyExponent: -8,
          Tick: 10_000,
          Lot: 1000,
          MinNotional: 1_000_000,
          MaxQty: 100_000_000_000,
          Maturity: null,
          Currency: 'USDC',
          Symbol: 'BTC-USDC',
          SecurityDesc: 'BTC in USDC',
        },
        {
          Instrument: no,
          MarketKind: 'Prediction',
          PriceExponent: -6,
          QtyExponent: -6,
          Tick: 1000,
          Lot: 1_000_000,
          MinNotional: 1_000_000,
          MaxQty: 100_000_000_000,
          Maturity: rain.expiryMs,
          Currency: 'USDC',
          Symbol: 'RAIN-2026:NO',
          SecurityDesc: 'RAIN-2026, NO',
        },
      ],
      SecurityReqID: 'L1',
      VenueCode: '',
    });
  });

  test('says that nothing was found, and that a page is not the last', () => {
    expect(said({ ...list, total: 0, instruments: [] })).toMatchObject({
      SecurityRequestResult: 2,
      TotNoRelatedSym: 0,
      Flags: ['LastFragment'],
      Instruments: [],
    });
    expect(said({ ...list, isLast: false, instruments: [] })).toMatchObject({ Flags: [] });
  });
});

test('R80: status of a market and of the venue, unasked and asked', () => {
  const security = {
    kind: 'security_status',
    instrument: spotInstrument,
    status: 'halted',
    nowMs,
  } as const;
  expect(said({ ...security, reqId: null, isUnsolicited: true, text: 'halt' })).toEqual({
    message: 'TradingStatus',
    SecurityTradingStatus: 'Halted',
    Flags: ['Unsolicited'],
    TransactTime: nowMs,
    Instrument: spot,
    SecurityStatusReqID: '',
    Symbol: '',
    VenueCode: '',
    Text: 'halt',
  });
  expect(said({ ...security, reqId: 'E1', isUnsolicited: false, text: null })).toMatchObject({
    Flags: [],
    SecurityStatusReqID: 'E1',
    Text: '',
  });
  const session = { kind: 'session_status', state: 'halted' } as const;
  expect(said({ ...session, reqId: null, isUnsolicited: true, text: 'ledger' })).toEqual({
    message: 'TradingSessionStatus',
    TradSesStatus: 'Halted',
    Flags: ['Unsolicited'],
    Refusal: noRefusal,
    TradSesReqID: '',
    VenueCode: '',
    Text: 'ledger',
  });
  expect(said({ ...session, reqId: 'G1', isUnsolicited: false, text: null })).toMatchObject({
    Flags: [],
    TradSesReqID: 'G1',
    Text: '',
  });
});

describe('a snapshot of the book', () => {
  const depth = { kind: 'depth', reqId: 'V1', instrument: spotInstrument, seq: 12 } as const;
  const level = (price: bigint, qty: bigint) => [price as Price, qty as Qty] as const;

  test('R112: has bids and offers, best first, at the scales of the market', () => {
    const bids = [level(49_990_000_000n, 100_000_000n), level(1n, 2n)];
    const asks = [level(50_010_000_000n, 250_000n)];
    expect(said({ ...depth, bids, asks })).toEqual({
      message: 'MarketDataSnapshot',
      Instrument: spot,
      PriceExponent: -6,
      QtyExponent: -8,
      VenueSeq: 12,
      Entries: [
        { MDEntryType: 'Bid', MDEntryPx: 49_990_000_000, MDEntrySize: 100_000_000 },
        { MDEntryType: 'Bid', MDEntryPx: 1, MDEntrySize: 2 },
        { MDEntryType: 'Offer', MDEntryPx: 50_010_000_000, MDEntrySize: 250_000 },
      ],
      MDReqID: 'V1',
    });
    expect(said({ ...depth, seq: null, bids: [], asks: [] })).toMatchObject({
      VenueSeq: null,
      Entries: [],
    });
  });

  test('has the best 1,500 levels of each side', () => {
    const deep = Array.from({ length: 1501 }, (_, index) => level(BigInt(index), 1n));
    const { Entries } = said({ ...depth, bids: deep, asks: deep }) as never as {
      Entries: { MDEntryType: string; MDEntryPx: number }[];
    };
    const prices = (side: string) =>
      Entries.filter(({ MDEntryType }) => MDEntryType === side).map(({ MDEntryPx }) => MDEntryPx);
    for (const side of ['Bid', 'Offer']) {
      expect(prices(side)).toHaveLength(1500);
      expect([prices(side)[0], prices(side).at(-1)]).toEqual([0, 1499]);
    }
  });
});

test('status of a user, and news, which has a line in any case', () => {
  const user = { kind: 'user_status', reqId: 'U1', username: 'ann' } as const;
  expect(said({ ...user, isLoggedIn: true })).toMatchObject({
    UserStatus: 'LoggedIn',
    UserRequestID: 'U1',
    Username: 'ann',
  });
  expect(said({ ...user, isLoggedIn: false })).toMatchObject({ UserStatus: 'NotLoggedIn' });
  const lines = (...list: string[]) => said({ kind: 'news', headline: 'Resend', lines: list });
  expect(lines('a', 'b')).toEqual({
    message: 'News',
    Lines: [{ Text: 'a' }, { Text: 'b' }],
    Headline: 'Resend',
  });
  expect(lines()).toMatchObject({ Lines: [{ Text: 'Resend' }], Headline: 'Resend' });
});

describe('quotes', () => {
  const denial = denied('post_only_would_cross');
  const refusal = { Reason: 8, VenueRejectNumber: null, NonceConsumed: 'Unset' };
  const answer = {
    quoteId: 'Q1',
    status: 'rejected',
    accountName: 'desk',
    denial,
    oldQuotesStand: true,
  } as const;
  const quote = (changes: Partial<QuoteAnswer>) =>
    said({ kind: 'quote', ...answer, sets: [], ...changes });

  test('R103: a refused set has the reason of each entry, and says that the old quotes are alive', () => {
    const byId = { symbol: null, securityId: '7', book: 'NO' } as const;
    const bySymbol = { symbol: 'BTC-USDC', securityId: null, book: null } as const;
    const entries = [
      { entryId: 'e1', instrument: byId, denial },
      { entryId: 'e2', instrument: bySymbol, denial: null },
    ];
    expect(quote({ sets: [{ setId: 's1', entries }] })).toEqual({
      message: 'QuoteAck',
      QuoteStatus: 'Rejected',
      QuoteResponseLevel: null,
      Refusal: refusal,
      QuoteSets: [
        {
          QuoteEntries: [
            {
              Instrument: no,
              Refusal: refusal,
              QuoteEntryID: 'e1',
              Symbol: '',
              VenueCode: 'post_only_would_cross',
            },
            {
              Instrument: { MarketId: null, Book: 'Unset' },
              Refusal: noRefusal,
              QuoteEntryID: 'e2',
              Symbol: 'BTC-USDC',
              VenueCode: '',
            },
          ],
          QuoteSetID: 's1',
        },
      ],
      QuoteID: 'Q1',
      Account: 'desk',
      VenueCode: 'post_only_would_cross',
      Text: 'post_only_would_cross:; the old quotes are live',
    });
  });

  test.each([
    ['accepted', 'Accepted'],
    ['canceled', 'CanceledForInstruments'],
    ['canceled_all', 'CanceledAll'],
  ] as const)('an answer of status %s has no reason', (status, QuoteStatus) => {
    expect(quote({ status, denial: null, oldQuotesStand: null })).toMatchObject({
      QuoteStatus,
      Refusal: noRefusal,
      QuoteSets: [],
      VenueCode: '',
      Text: '',
    });
  });

  test('a single quote is answered by its own report', () => {
    const single = { kind: 'quote_status', ...answer, instrument: noBook } as const;
    expect(said(single)).toEqual({
      message: 'QuoteStatusReport',
      QuoteStatus: 'Rejected',
      Instrument: no,
      Refusal: refusal,
      QuoteID: 'Q1',
      Account: 'desk',
      Symbol: '',
      VenueCode: 'post_only_would_cross',
      Text: 'post_only_would_cross:; the old quotes are live',
    });
    expect(
      said({ ...single, status: 'accepted', denial: null, oldQuotesStand: null }),
    ).toMatchObject({ QuoteStatus: 'Accepted', Refusal: noRefusal, VenueCode: '', Text: '' });
  });

  test('the number of the profile replaces the reason', () => {
    const numberMap = { KILL_SWITCH: 103 };
    const denial = denied('KILL_SWITCH');
    const single = { kind: 'quote_status', ...answer, denial, instrument: noBook } as const;
    expect(said(single, { ...settings, numberMap })).toMatchObject({
      Refusal: { Reason: 99, VenueRejectNumber: 103 },
    });
  });
});
