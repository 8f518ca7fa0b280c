/**
 * Writes answers and notices that do not concern a single order as messages of orders.xml (contract C.3, C.4, C.7,
 * C.8).
 */
import type { Answer, Level, QuoteEntryAnswer } from '../../domain/answer.ts';
import type { Denial } from '../../domain/denial.ts';
import {
  description,
  quoteStatuses,
  quoteText,
  sessionStatuses,
  tradingStatuses,
} from '../fix/answer-message.ts';
import { type DenialSettings, reasonOf } from '../fix/denial-fields.ts';
import { books, marketKinds, sides } from './codes.ts';
import { MdEntryType, ReportFlags, Scope, UserStatus } from './generated/codes.ts';
import * as orders from './generated/messages.ts';
import { named, type RefusalFields, writeRefusalFields } from './refusal-fields.ts';
import { currencyCode, writeInstrument } from './state-fields.ts';

const massCancelReport = new orders.MassCancelReport();
const securityList = new orders.SecurityList();
const tradingStatus = new orders.TradingStatus();
const sessionStatus = new orders.TradingSessionStatus();
const snapshot = new orders.MarketDataSnapshot();
const userStatus = new orders.UserStatusReport();
const news = new orders.News();
const quoteAck = new orders.QuoteAck();
const quoteStatus = new orders.QuoteStatusReport();

/** With this many levels per side a snapshot stays well below the message size limit. */
const maxLevels = 1_500;

/** Each function writes the message into `out` and returns it, valid until `out` is reused. */
const writers: {
  readonly [Kind in Answer['kind']]: (
    out: Uint8Array,
    answer: Extract<Answer, { readonly kind: Kind }>,
    settings: DenialSettings,
  ) => Uint8Array;
} = {
  mass_cancel(out, answer) {
    const { instrument, side } = answer;
    const scope = instrument === null ? Scope.All : Scope.Instrument;
    massCancelReport
      .encode(out)
      .setScope(scope)
      .setResponse(scope)
      .setTotalAffectedOrders(answer.affected)
      .setSide(side === null ? undefined : sides.code[side])
      .setTransactTime(answer.nowMs);
    if (instrument !== null) writeInstrument(massCancelReport, instrument);
    return massCancelReport.setClOrdId(answer.clOrdId).bytes;
  },
  security_list(out, answer) {
    securityList
      .encode(out)
      .setSecurityRequestResult(answer.total === 0 ? 2 : 0)
      .setTotNoRelatedSym(answer.total)
      .setFlags(answer.isLast ? ReportFlags.LastFragment : 0);
    const group = securityList.writeInstruments();
    for (const instrument of answer.instruments) {
      const { market } = instrument;
      group
        .add()
        .setMarketKind(marketKinds.code[market.kind])
        .setPriceExponent(-market.priceScale)
        .setQtyExponent(-market.qtyScale)
        .setTickBig(market.tick)
        .setLotBig(market.lot)
        .setMinNotionalBig(market.minNotional)
        .setMaxQtyBig(market.maxQty)
        .setMaturity(market.expiryMs ?? undefined)
        .setCurrency(currencyCode(market.quote));
      writeInstrument(group, instrument);
      group.setSymbol(named(instrument.symbol)).setSecurityDesc(named(description(instrument)));
    }
    return securityList.setSecurityReqId(named(answer.reqId)).bytes;
  },
  security_status(out, answer) {
    tradingStatus
      .encode(out)
      .setSecurityTradingStatus(tradingStatuses[answer.status])
      .setFlags(answer.isUnsolicited ? ReportFlags.Unsolicited : 0)
      .setTransactTime(answer.nowMs);
    writeInstrument(tradingStatus, answer.instrument);
    return tradingStatus
      .setSecurityStatusReqId(named(answer.reqId ?? ''))
      .setText(answer.text ?? '').bytes;
  },
  session_status(out, answer) {
    return sessionStatus
      .encode(out)
      .setTradSesStatus(sessionStatuses[answer.state])
      .setFlags(answer.isUnsolicited ? ReportFlags.Unsolicited : 0)
      .setTradSesReqId(named(answer.reqId ?? ''))
      .setText(answer.text ?? '').bytes;
  },
  depth(out, answer) {
    const { instrument, bids, asks, seq } = answer;
    snapshot
      .encode(out)
      .setPriceExponent(-instrument.market.priceScale)
      .setQtyExponent(-instrument.market.qtyScale)
      .setVenueSeq(seq ?? undefined);
    writeInstrument(snapshot, instrument);
    const group = snapshot.writeEntries();
    writeLevels(group, MdEntryType.Bid, bids);
    writeLevels(group, MdEntryType.Offer, asks);
    return snapshot.setMdReqId(named(answer.reqId)).bytes;
  },
  user_status(out, answer) {
    return userStatus
      .encode(out)
      .setUserStatus(answer.isLoggedIn ? UserStatus.LoggedIn : UserStatus.NotLoggedIn)
      .setUserRequestId(named(answer.reqId))
      .setUsername(named(answer.username)).bytes;
  },
  news(out, { headline, lines }) {
    const group = news.encode(out).writeLines();
    for (const line of lines.length === 0 ? [headline] : lines) group.add().setText(line);
    return news.setHeadline(headline).bytes;
  },
  /** Only rejected entries have their own reason. */
  quote(out, answer, settings) {
    quoteAck.encode(out).setQuoteStatus(quoteStatuses[answer.status]);
    writeQuoteReason(quoteAck, answer.denial, settings);
    const group = quoteAck.writeQuoteSets();
    for (const { setId, entries } of answer.sets) {
      const inner = group.add().writeQuoteEntries();
      for (const entry of entries) writeEntry(inner.add(), entry, settings);
      group.setQuoteSetId(named(setId));
    }
    return quoteAck
      .setQuoteId(named(answer.quoteId))
      .setAccount(answer.accountName)
      .setVenueCode(named(answer.denial?.refusal.code ?? ''))
      .setText(quoteText(answer)).bytes;
  },
  quote_status(out, answer, settings) {
    quoteStatus.encode(out).setQuoteStatus(quoteStatuses[answer.status]);
    writeInstrument(quoteStatus, answer.instrument);
    writeQuoteReason(quoteStatus, answer.denial, settings);
    return quoteStatus
      .setQuoteId(named(answer.quoteId))
      .setAccount(answer.accountName)
      .setVenueCode(named(answer.denial?.refusal.code ?? ''))
      .setText(quoteText(answer)).bytes;
  },
};

type Writer = (out: Uint8Array, answer: Answer, settings: DenialSettings) => Uint8Array;

export function writeAnswer(out: Uint8Array, answer: Answer, settings: DenialSettings): Uint8Array {
  return (writers[answer.kind] as Writer)(out, answer, settings);
}

function writeLevels(
  out: orders.MarketDataSnapshotEntries,
  entryType: number,
  levels: readonly Level[],
): void {
  for (const [price, qty] of levels.slice(0, maxLevels)) {
    out.add().setMdEntryType(entryType).setMdEntryPxBig(price).setMdEntrySizeBig(qty);
  }
}

function writeEntry(
  out: orders.QuoteAckQuoteSetsQuoteEntries,
  { entryId, instrument, denial }: QuoteEntryAnswer,
  settings: DenialSettings,
): void {
  const { book, securityId, symbol } = instrument;
  if (securityId !== null) out.setInstrumentMarketIdBig(BigInt(securityId));
  if (book !== null) out.setInstrumentBook(books.code[book]);
  writeQuoteReason(out, denial, settings);
  out
    .setQuoteEntryId(named(entryId))
    .setSymbol(named(symbol ?? ''))
    .setVenueCode(named(denial?.refusal.code ?? ''));
}

function writeQuoteReason(
  out: RefusalFields,
  denial: Denial | null,
  settings: DenialSettings,
): void {
  if (denial === null) return;
  writeRefusalFields(out, denial, reasonOf(denial, settings, 'quote'), settings);
}
