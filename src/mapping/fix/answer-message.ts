/** Writes answers and notices that do not concern a single order as FIX 4.4 messages (contract C.3, C.4, C.7, C.8). */
import type {
  Answer,
  Level,
  QuoteAnswer,
  QuoteEntryAnswer,
  TradingStatus,
} from '../../domain/answer.ts';
import type { Instrument, InstrumentRef } from '../../domain/instrument.ts';
import { refusalText } from '../../domain/refusal.ts';
import { formatAtoms, latestMs } from '../../domain/units.ts';
import type { FieldWriter } from '../../fix/field-writer.ts';
import { sides } from './codes.ts';
import { type DenialSettings, reasonOf, writeVenueCode } from './denial-fields.ts';
import { writeBook, writeInstrument } from './instrument-fields.ts';
import { noOrderId } from './report-message.ts';

/** The venue has one trading session. */
export const tradingSessionId = 'VENUE';

/** SecurityTradingStatus(326). */
export const tradingStatuses: Readonly<Record<TradingStatus, number>> = {
  open: 17,
  halted: 2,
  resumed: 3,
  closed: 18,
  unknown: 20,
};

/** TradSesStatus(340). */
export const sessionStatuses = {
  ready: 2,
  halted: 1,
  unreachable: 0,
  request_rejected: 6,
} as const;

/** QuoteStatus(297). */
export const quoteStatuses = {
  accepted: 0,
  canceled: 1,
  canceled_all: 4,
  rejected: 5,
  not_found: 9,
} as const;

/** With this many levels per side, of at most 65 bytes each, a snapshot fits into the six digits of BodyLength(9). */
const maxLevels = 7_500;

/** Each function writes the body and returns its MsgType(35). */
const writers: {
  readonly [Kind in Answer['kind']]: (
    out: FieldWriter,
    answer: Extract<Answer, { readonly kind: Kind }>,
    settings: DenialSettings,
  ) => string;
} = {
  mass_cancel(out, answer, settings) {
    const { instrument, side } = answer;
    const type = instrument === null ? '7' : '1';
    out.text(11, answer.clOrdId).text(37, noOrderId).char(530, type).char(531, type);
    out.int(533, answer.affected);
    if (instrument !== null) writeInstrument(out, instrument);
    if (side !== null) out.char(54, sides.code[side]);
    out.utc(60, answer.nowMs);
    if (instrument !== null) writeBook(out, instrument, settings.tags);
    return 'r';
  },
  security_list(out, { reqId, instruments, total, isLast }, settings) {
    out
      .text(320, reqId)
      .text(322, reqId)
      .int(560, total === 0 ? 2 : 0);
    out.int(393, total).bool(893, isLast);
    if (instruments.length > 0) out.int(146, instruments.length);
    for (const instrument of instruments) {
      const { market } = instrument;
      const isSpot = market.kind === 'spot';
      writeInstrument(out, instrument);
      out.int(460, isSpot ? 4 : 12).text(167, isSpot ? 'FOR' : 'OPT');
      // A later date has no form; a venue may mean that the market has no end.
      if (market.expiryMs !== null && market.expiryMs <= latestMs)
        out.text(541, dateText(market.expiryMs));
      out.text(107, description(instrument)).text(15, market.quote);
      out.decimal(561, market.lot, market.qtyScale).text(58, steps(instrument));
      writeBook(out, instrument, settings.tags);
    }
    return 'y';
  },
  security_status(out, answer, settings) {
    if (answer.reqId !== null) out.text(324, answer.reqId);
    writeInstrument(out, answer.instrument);
    if (answer.isUnsolicited) out.bool(325, true);
    out.int(326, tradingStatuses[answer.status]).utc(60, answer.nowMs);
    if (answer.text !== null) out.text(58, answer.text);
    writeBook(out, answer.instrument, settings.tags);
    return 'f';
  },
  session_status(out, answer) {
    if (answer.reqId !== null) out.text(335, answer.reqId);
    out.text(336, tradingSessionId);
    if (answer.isUnsolicited) out.bool(325, true);
    out.int(340, sessionStatuses[answer.state]);
    if (answer.text !== null) out.text(58, answer.text);
    return 'h';
  },
  depth(out, answer, settings) {
    const { instrument, seq } = answer;
    const [bids, asks] = [answer.bids.slice(0, maxLevels), answer.asks.slice(0, maxLevels)];
    out.text(262, answer.reqId);
    writeInstrument(out, instrument);
    out.int(268, bids.length + asks.length);
    writeLevels(out, '0', bids, instrument);
    writeLevels(out, '1', asks, instrument);
    writeBook(out, instrument, settings.tags);
    if (seq !== null) out.int(settings.tags.venueSeq, seq);
    return 'W';
  },
  user_status(out, answer) {
    out
      .text(923, answer.reqId)
      .text(553, answer.username)
      .int(926, answer.isLoggedIn ? 1 : 2);
    return 'BF';
  },
  news(out, { headline, lines }) {
    out.text(148, headline).int(33, Math.max(lines.length, 1));
    for (const line of lines.length === 0 ? [headline] : lines) out.text(58, line);
    return 'B';
  },
  /** MassQuoteAcknowledgement(b): only rejected entries have their own reason. */
  quote(out, answer, settings) {
    const { denial, sets } = answer;
    out.text(117, answer.quoteId).int(297, quoteStatuses[answer.status]);
    if (denial !== null) out.int(300, reasonOf(denial, settings, 'quote'));
    out.text(1, answer.accountName).text(58, quoteText(answer));
    // This must precede the groups, whose entries have fields with the same tags.
    if (denial !== null) writeVenueCode(out, denial, settings);
    if (sets.length > 0) out.int(296, sets.length);
    for (const { setId, entries } of sets) {
      out.text(302, setId).int(304, entries.length);
      if (entries.length > 0) out.int(295, entries.length);
      for (const entry of entries) writeEntry(out, entry, settings);
    }
    return 'b';
  },
  quote_status(out, answer, settings) {
    out.text(117, answer.quoteId);
    writeInstrument(out, answer.instrument);
    out.text(1, answer.accountName).int(297, quoteStatuses[answer.status]);
    out.text(58, quoteText(answer));
    if (answer.denial !== null) writeVenueCode(out, answer.denial, settings);
    writeBook(out, answer.instrument, settings.tags);
    return 'AI';
  },
};

type Writer = (out: FieldWriter, answer: Answer, settings: DenialSettings) => string;

export function writeAnswer(out: FieldWriter, answer: Answer, settings: DenialSettings): string {
  return (writers[answer.kind] as Writer)(out, answer, settings);
}

export function description({ market, book }: Instrument): string {
  return book === null ? `${market.base} in ${market.quote}` : `${market.symbol}, ${book}`;
}

/** FIX 4.4 has no fields for these values, so they are in Text(58) in a fixed format. */
function steps({ market }: Instrument): string {
  const { tick, lot, minNotional, maxQty, priceScale, qtyScale } = market;
  return [
    `tick=${formatAtoms(tick, priceScale)}`,
    `lot=${formatAtoms(lot, qtyScale)}`,
    `minNotional=${formatAtoms(minNotional, priceScale)}`,
    `maxQty=${formatAtoms(maxQty, qtyScale)}`,
    `priceScale=${priceScale}`,
    `qtyScale=${qtyScale}`,
  ].join(';');
}

/** UTCDateOnly. */
export function dateText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');
}

function writeLevels(
  out: FieldWriter,
  entryType: '0' | '1',
  levels: readonly Level[],
  { market }: Instrument,
): void {
  for (const [index, [price, qty]] of levels.entries()) {
    out.char(269, entryType).decimal(270, price, market.priceScale);
    out.decimal(271, qty, market.qtyScale).int(290, index + 1);
  }
}

export function quoteText({
  denial,
  oldQuotesStand,
}: Pick<QuoteAnswer, 'denial' | 'oldQuotesStand'>): string {
  const why = denial === null ? '' : refusalText(denial.refusal, denial.text);
  const then = { true: 'the old quotes are live', false: 'no quotes are live', null: '' };
  return [why, then[`${oldQuotesStand}`]].filter((part) => part !== '').join('; ');
}

function writeEntry(
  out: FieldWriter,
  { entryId, instrument, denial }: QuoteEntryAnswer,
  settings: DenialSettings,
): void {
  out.text(299, entryId);
  writeRef(out, instrument);
  if (denial !== null) {
    out.int(368, reasonOf(denial, settings, 'quote'));
    writeVenueCode(out, denial, settings);
  }
  if (instrument.book !== null) out.text(settings.tags.book, instrument.book);
}

function writeRef(out: FieldWriter, { symbol, securityId }: InstrumentRef): void {
  if (symbol !== null) out.text(55, symbol);
  if (securityId !== null) out.text(48, securityId).char(22, '8');
}
