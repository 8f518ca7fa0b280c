/**
 * Drop copies as FIX 4.4 messages (docs/DROPCOPY.md, "Messages"). Many readers get the same bodies, so the body of a
 * copy is written only once.
 */
import type { ReportFrame } from '../domain/report.ts';
import { FieldWriter } from '../fix/field-writer.ts';
import { dateText, writeAnswer } from '../mapping/fix/answer-message.ts';
import { sides } from '../mapping/fix/codes.ts';
import { writeInstrument } from '../mapping/fix/instrument-fields.ts';
import { type ReportSettings, writeParties, writeReport } from '../mapping/fix/report-message.ts';
import type { Copy, ReportCopy, RequestCopy } from './copy.ts';
import type { CopyMessage, MessageOf, RequestAnswer, TradeAnswer } from './copy-output.ts';
import { copyTags, copyTypes, reqReasons, reqStatuses, tradeStatuses } from './copy-tags.ts';
import { hashedTags, type Totals } from './copy-totals.ts';
import { lossNews } from './loss-news.ts';
import { tradeFacts } from './trade-report.ts';

const soh = 1;
const equals = 61;
/** Symbol(55) of a message that requires one but has none. */
const noSymbol = '[N/A]';

interface Written {
  readonly body: Uint8Array;
  readonly facts: Uint8Array;
}

export class CopyText {
  readonly #settings: ReportSettings;
  readonly #out = new FieldWriter(2048);
  readonly #written = new WeakMap<Copy<ReportCopy>, Written>();

  constructor(settings: ReportSettings) {
    this.#settings = settings;
  }

  /** The text of a copy that the chained hash covers. */
  facts(copy: Copy<ReportCopy>): Uint8Array {
    return this.#report(copy).facts;
  }

  /** Returns the body, valid until the next call, and its MsgType(35). */
  write(message: CopyMessage): { readonly msgType: string; readonly body: Uint8Array } {
    if (message.kind === 'report' && message.reqId === null) {
      return { msgType: '8', body: this.#report(message.copy).body };
    }
    const out = this.#out;
    const body = message.kind === 'report' ? this.#report(message.copy).body : undefined;
    out.clear();
    if (body !== undefined) out.raw(body);
    const msgType = this.#write(out, message);
    return { msgType, body: out.bytes };
  }

  #write(out: FieldWriter, message: CopyMessage): string {
    switch (message.kind) {
      case 'report':
        if (message.reqId !== null) out.text(copyTags.reqId, message.reqId);
        return '8';
      case 'state':
        writeReport(out, message.order.report, this.#settings, frameOf(message.order));
        if (message.reqId !== null) out.text(copyTags.reqId, message.reqId);
        return '8';
      case 'request':
        return writeInbound(out, message.copy, message.account, message.reqId);
      case 'trade':
        return this.#trade(out, message);
      case 'totals':
        return writeTotals(out, message);
      case 'gap':
      case 'lost':
        return writeAnswer(out, lossNews(message), this.#settings);
      case 'answer':
        return writeRequestAck(out, message.answer);
      case 'trade_answer':
        return writeTradeAnswer(out, message.answer);
    }
  }

  #report(copy: Copy<ReportCopy>): Written {
    const known = this.#written.get(copy);
    if (known !== undefined) return known;
    writeReport(this.#out.clear(), copy.report, this.#settings, frameOf(copy));
    const body = Uint8Array.from(this.#out.bytes);
    const written = { body, facts: factsOf(body) };
    this.#written.set(copy, written);
    return written;
  }

  /** TradeCaptureReport(AE): a new, busted or corrected trade. */
  #trade(out: FieldWriter, { copy, isLast, tradeRequestId }: MessageOf<'trade'>) {
    const { report } = copy;
    const { order, execRefId } = report;
    const { priceScale, qtyScale } = order.instrument.market;
    const { price, qty, transType } = tradeFacts(report);
    out.text(571, report.execId).int(487, transType);
    out.text(568, tradeRequestId);
    if (isLast !== null) out.bool(912, isLast);
    else out.bool(325, true);
    if (execRefId !== null) out.text(572, execRefId);
    out.text(17, report.execId).bool(570, false);
    writeInstrument(out, order.instrument);
    out.decimal(32, qty, qtyScale).decimal(31, price, priceScale);
    out.text(75, dateText(report.transactTimeMs)).utc(60, report.transactTimeMs);
    out.int(552, 1).char(54, sides.code[order.terms.side]);
    out.text(37, order.orderId ?? 'NONE').text(11, report.clOrdId);
    if (copy.from !== null) writeParties(out, copy.from);
    out.text(1, order.owner.accountName).text(15, order.instrument.market.quote);
    out.bool(797, true);
    return 'AE';
  }
}

/** The fields that distinguish a copy from the client's report, and the sender of the order. */
export function frameOf({ from }: ReportCopy): ReportFrame {
  return { copy: true, ...(from !== null && { originator: from }) };
}

const hashed = new Map<number, number>(hashedTags.map((tag, place) => [tag, place]));

/** The hashed fields of a body in order. The first field of a tag is used, because groups come later. */
export function factsOf(body: Uint8Array): Uint8Array {
  const found: (Uint8Array | undefined)[] = hashedTags.map(() => undefined);
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf(soh, at) + 1 || body.length;
    const tag = Number(Buffer.from(body.subarray(at, body.indexOf(equals, at))).toString('latin1'));
    const place = hashed.get(tag);
    if (place !== undefined) found[place] ??= body.subarray(at, end);
    at = end;
  }
  return Buffer.concat(found.filter((field) => field !== undefined));
}

function writeInbound(
  out: FieldWriter,
  copy: Copy<RequestCopy>,
  account: string,
  reqId: string | null,
): string {
  const message = Buffer.from(copy.message, 'base64');
  out.text(1, account);
  if (copy.symbol !== null) out.text(55, copy.symbol);
  out.utc(60, copy.atMs).data(95, 96, message).bool(797, true);
  writeParties(out, copy.from);
  if (reqId !== null) out.text(copyTags.reqId, reqId);
  out.text(copyTags.inboundType, copy.msgType);
  return copyTypes.inbound;
}

function writeTotals(
  out: FieldWriter,
  { account, totals, day, reqId }: MessageOf<'totals'>,
): string {
  out.text(1, account);
  if (totals.lastExecId !== '') out.text(17, totals.lastExecId);
  if (reqId !== null) out.text(copyTags.reqId, reqId);
  out.int(copyTags.count, totals.count).text(copyTags.hash, totals.hash);
  out.int(copyTags.trades, totals.trades);
  writeVolumes(out, totals.volumes);
  if (day !== null) out.text(copyTags.day, day);
  out.int(copyTags.lost, totals.lost).int(copyTags.busts, totals.busts);
  out.int(copyTags.corrections, totals.corrections).bool(copyTags.final, day !== null);
  return copyTypes.totals;
}

/** Volumes of so many instruments that no message holds them are left out; the hash covers the same trades. */
const maxVolumeBytes = 900_000;

function writeVolumes(out: FieldWriter, volumes: Totals['volumes']): void {
  const start = out.length;
  const entries = Object.entries(volumes);
  if (entries.length > 0) out.int(copyTags.volumes, entries.length);
  for (const [symbol, { bought, sold, boughtValue, soldValue, qtyScale, valueScale }] of entries) {
    out.text(55, symbol).decimal(copyTags.bought, bought, qtyScale);
    out.decimal(copyTags.sold, sold, qtyScale);
    out.decimal(copyTags.boughtValue, boughtValue, valueScale);
    out.decimal(copyTags.soldValue, soldValue, valueScale);
  }
  if (out.length - start > maxVolumeBytes) out.clear(start);
}

function writeRequestAck(out: FieldWriter, answer: RequestAnswer): string {
  const { reqId, reqType, status, reason, count, text } = answer;
  if (text !== null) out.text(58, text);
  out.text(copyTags.reqId, reqId).int(copyTags.reqType, reqType);
  out.int(copyTags.status, reqStatuses[status]);
  if (reason !== null) out.int(copyTags.reason, reqReasons[reason]);
  if (count !== null) out.int(copyTags.count, count);
  return copyTypes.requestAck;
}

function writeTradeAnswer(out: FieldWriter, answer: TradeAnswer): string {
  const { tradeRequestId, requestType, total, result, status, symbol, text } = answer;
  out.text(568, tradeRequestId).int(569, requestType);
  if (total !== null) out.int(748, total);
  out
    .int(749, result)
    .int(750, tradeStatuses[status])
    .text(55, symbol ?? noSymbol);
  if (text !== null) out.text(58, text);
  return 'AQ';
}
