/**
 * Converts the bytes that a FIXP reader received, one connection after the other, to equivalent FIX fields
 * (docs/DROPCOPY.md, "Over FIXP"), so that one verifier works for both protocols.
 */
import { formatAtoms } from '../domain/units.ts';
import { copyTags, copyTypes } from '../dropcopy/copy-tags.ts';
import type { LoggedMessage } from '../dropcopy/fix-log.ts';
import { statedTotals, totalsHeadline } from '../dropcopy/totals-news.ts';
import { utcTimestampText } from '../fix/timestamp.ts';
import { Deframer, orderOf } from '../fixp/framing.ts';
import { readSessionMessage, type SessionMessage, schemaIdOf } from '../fixp/session-messages.ts';
import { OrdStatus, Side } from '../mapping/sbe/generated/codes.ts';
import { decodeMessage } from '../sbe/generic-decoder.ts';
import type { Json, JsonObject } from '../sbe/json.ts';
import type { Schema } from '../sbe/model.ts';

type Field = readonly [tag: number, value: string];

const symbolTag = 55;
const maxMessageBytes = 1024 * 1024;
/** Kinds of ExecutionReport, with the ExecType(150) of those without such a field. */
const reportKinds: Readonly<Record<string, string | null>> = {
  ExecutionReportNew: '0',
  ExecutionReportReplaced: '5',
  ExecutionReportCanceled: '4',
  ExecutionReportTrade: 'F',
  ExecutionReportRejected: '8',
  ExecutionReportExpired: 'C',
  ExecutionReportRestated: 'D',
  ExecutionReportStatus: 'I',
  ExecutionReportPending: null,
  ExecutionReportTradeCorrection: null,
};
const execTypes: Readonly<Record<string, string>> = {
  PendingNew: 'A',
  PendingCancel: '6',
  PendingReplace: 'E',
  TradeCancel: 'H',
  TradeCorrect: 'G',
};

/** The messages of a flow have sequence numbers, which the session layer announces and which are counted from there. */
interface Flow {
  sessionId: string;
  next: number;
  /** Retransmitted messages are interleaved with others, and may have an earlier session id. */
  readonly again: { sessionId: string; next: number; left: number };
}

export class FixpLog {
  readonly #schema: Schema;
  /** Symbol(55) of a market's instrument. */
  readonly #symbolOf: (marketId: string, book: string | null) => string;
  readonly #flow: Flow = { sessionId: '', next: 1, again: { sessionId: '', next: 1, left: 0 } };
  /** The fields of totals whose last News has not arrived. */
  readonly #stated: Field[] = [];
  #deframer: Deframer | undefined;

  /** `schema` is the schema of orders.xml. */
  constructor(schema: Schema, symbolOf: (marketId: string, book: string | null) => string) {
    this.#schema = schema;
    this.#symbolOf = symbolOf;
  }

  /** A new connection starts; the previous one may have ended within a message. */
  connected(): void {
    this.#deframer = undefined;
  }

  /** Takes the next piece and returns the messages that it completes. Throws if it is not FIXP framing. */
  push(piece: Uint8Array): readonly LoggedMessage[] {
    this.#deframer ??= new Deframer(orderOf(piece) ?? 'big', maxMessageBytes);
    const deframer = this.#deframer;
    const found: LoggedMessage[] = [];
    deframer.push(piece);
    for (let step = deframer.next(); step !== 'more'; step = deframer.next()) {
      if (step === 'bad')
        throw new Error(`this is not the traffic of a FIXP session: ${deframer.reason}`);
      const message = this.#take(deframer.message);
      if (message !== undefined) found.push(message);
    }
    return found;
  }

  #take(bytes: Uint8Array): LoggedMessage | undefined {
    if (schemaIdOf(bytes) === this.#schema.id) return this.#numbered(this.#read(bytes));
    const message = readSessionMessage(bytes);
    if (message.name === 'Applied' || message.name === 'NotApplied') return this.#numbered([]);
    if (message.name !== 'fault') this.#follow(message);
    return undefined;
  }

  #follow(message: SessionMessage): void {
    const flow = this.#flow;
    switch (message.name) {
      case 'EstablishmentAck':
        flow.sessionId = message.sessionId;
        flow.next = message.nextSeqNo ?? flow.next;
        flow.again.left = 0;
        return;
      case 'Sequence':
        flow.next = message.nextSeqNo;
        return;
      case 'Retransmission':
        Object.assign(flow.again, { sessionId: message.sessionId, next: message.nextSeqNo });
        flow.again.left = message.count;
        return;
      default:
    }
  }

  /** Counts a message of the server's flow; the session id serves as the CompIDs of FIX. */
  #numbered(fields: readonly Field[]): LoggedMessage {
    const { again } = this.#flow;
    const isAgain = again.left > 0;
    if (isAgain) again.left -= 1;
    const from = isAgain ? again : this.#flow;
    const seq = from.next;
    from.next += 1;
    const all: readonly Field[] = [
      ...fields,
      [34, String(seq)],
      [49, from.sessionId],
      [56, 'reader'],
      ...(isAgain ? [[43, 'Y'] as const] : []),
    ];
    const first = new Map([...all].reverse());
    return { fields: all, field: (tag) => first.get(tag) };
  }

  /** Returns nothing for messages that the totals do not count. */
  #read(bytes: Uint8Array): readonly Field[] {
    const decoded = decodeMessage(this.#schema, bytes);
    if (typeof decoded === 'string') throw new Error(decoded);
    const { fields, message } = decoded;
    if (Object.hasOwn(reportKinds, message)) return this.#report(message, fields);
    const { Headline, Lines } = fields;
    if (message !== 'News' || Headline !== totalsHeadline) return [];
    return this.#totals((Lines as readonly JsonObject[]).map(({ Text }) => String(Text)));
  }

  /** Many volumes fill several News, the last of which completes the totals. */
  #totals(lines: readonly string[]): readonly Field[] {
    this.#stated.push(...statedTotals(lines));
    const wanted = this.#stated.find(([tag]) => tag === copyTags.volumes)?.[1];
    const here = this.#stated.filter(([tag]) => tag === symbolTag).length;
    if (here < Number(wanted)) return [];
    return [[35, copyTypes.totals], ...this.#stated.splice(0)];
  }

  #report(message: string, fields: JsonObject): readonly Field[] {
    const { Account, ClOrdID, ExecID, ExecType, LastPx, LastQty, State } = fields;
    const { AvgPx, AvgPxExponent, CumQty, CumQtyExponent, LeavesQty, ...state } = object(State);
    const { Flags, Instrument, OrderID, OrdStatus: status, Terms, TransactTime } = state;
    const { OrderQty, PriceExponent, QtyExponent, Side: side } = object(Terms);
    const { Book, MarketId } = object(Instrument);
    const orderId = Buffer.from(OrderID as number[]).toString('hex');
    const flag = (name: string, tag: number): readonly Field[] =>
      (Flags as readonly Json[]).includes(name) ? [[tag, 'Y']] : [];
    return [
      [35, '8'],
      [37, /^0*$/.test(orderId) ? 'NONE' : `0x${orderId}`],
      ...(ClOrdID === '' ? [] : [[11, String(ClOrdID)] as const]),
      [17, String(ExecID)],
      [150, reportKinds[message] ?? execTypes[String(ExecType)] ?? ''],
      [39, letter(OrdStatus, status)],
      [1, String(Account)],
      [symbolTag, this.#symbolOf(String(MarketId), Book === 'Unset' ? null : String(Book))],
      [54, letter(Side, side)],
      ...amount(38, OrderQty, QtyExponent),
      ...amount(32, LastQty, QtyExponent),
      ...amount(31, LastPx, PriceExponent),
      ...amount(151, LeavesQty, CumQtyExponent),
      ...amount(14, CumQty, CumQtyExponent),
      ...amount(6, AvgPx, AvgPxExponent),
      [60, utcTimestampText(Number(TransactTime))],
      ...flag('Copy', 797),
      ...flag('PossResend', 97),
      ...flag('Requested', copyTags.reqId),
    ];
  }
}

/** The schema guarantees that the field is a composite. */
function object(json: Json | undefined): JsonObject {
  return json as JsonObject;
}

function amount(tag: number, json: Json | undefined, exponent: Json | undefined): readonly Field[] {
  if (json === undefined || json === null) return [];
  return [[tag, formatAtoms(BigInt(String(json)), -Number(exponent))]];
}

function letter(codes: Readonly<Record<string, number>>, json: Json | undefined): string {
  return String.fromCharCode(typeof json === 'number' ? json : (codes[String(json)] ?? 0));
}
