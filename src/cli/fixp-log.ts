/**
 * Converts the bytes that a FIXP reader received, one connection after the other, to equivalent FIX fields
 * (docs/DROPCOPY.md, "Over FIXP"), so that one verifier works for both protocols.
 */
import { copyTags, copyTypes } from '../dropcopy/copy-tags.ts';
import type { LoggedMessage } from '../dropcopy/fix-log.ts';
import { statedTotals, totalsHeadline } from '../dropcopy/totals-news.ts';
import { utcTimestampText } from '../fix/timestamp.ts';
import { Deframer, orderOf } from '../fixp/framing.ts';
import { readSessionMessage, type SessionMessage, schemaIdOf } from '../fixp/session-messages.ts';
import { inDecimals } from '../mapping/sbe/amounts.ts';
import { ExecType, OrdStatus, Side } from '../mapping/sbe/generated/codes.ts';
import { decodeMessage } from '../sbe/generic-decoder.ts';
import type { Json, JsonObject } from '../sbe/json.ts';
import type { Schema } from '../sbe/model.ts';

type Field = readonly [tag: number, value: string];

const symbolTag = 55;
const maxMessageBytes = 1024 * 1024;
/** The kind of a report is its ExecType(150), if it has no such field. */
const reportForm = /^ExecutionReport(\w+)$/;

export class FixpLog {
  readonly #schema: Schema;
  /** Symbol(55) of a market's instrument. */
  readonly #symbolOf: (marketId: string, book: string | null) => string;
  /**
   * The messages of a flow have sequence numbers, which the session layer announces and which are counted from there.
   * Retransmitted messages are interleaved with others, and may have an earlier session id.
   */
  readonly #flow = { sessionId: '', next: 1, again: { sessionId: '', next: 1, left: 0 } };
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
    const taken = deframer.messages(piece).map((bytes) => this.#take(bytes));
    const found = taken.filter((message) => message !== undefined).toArray();
    const { reason } = deframer;
    if (reason !== '') throw new Error(`this is not the traffic of a FIXP session: ${reason}`);
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
    const kind = reportForm.exec(message)?.[1];
    if (kind !== undefined) return this.#report(kind, inDecimals(fields));
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

  #report(kind: string, report: JsonObject): readonly Field[] {
    const { Account, ClOrdID, ExecID, ExecType: execType, LastPx, LastQty, State } = report;
    const { AvgPx, CumQty, Flags, Instrument, LeavesQty, OrderID, Terms, ...state } = object(State);
    const { OrderQty, Side: side } = object(Terms);
    const { Book, MarketId } = object(Instrument);
    const orderId = Buffer.from(OrderID as number[]).toString('hex');
    const flag = (name: string, tag: number): readonly Field[] =>
      (Flags as readonly Json[]).includes(name) ? [[tag, 'Y']] : [];
    return [
      [35, '8'],
      [37, /^0*$/.test(orderId) ? 'NONE' : `0x${orderId}`],
      ...(ClOrdID === '' ? [] : [[11, String(ClOrdID)] as const]),
      [17, String(ExecID)],
      [150, letter(ExecType, execType ?? (kind === 'Status' ? 'OrderStatus' : kind))],
      [39, letter(OrdStatus, state['OrdStatus'])],
      [1, String(Account)],
      [symbolTag, this.#symbolOf(String(MarketId), Book === 'Unset' ? null : String(Book))],
      [54, letter(Side, side)],
      ...amount(38, OrderQty),
      ...amount(32, LastQty),
      ...amount(31, LastPx),
      ...amount(151, LeavesQty),
      ...amount(14, CumQty),
      ...amount(6, AvgPx),
      [60, utcTimestampText(Number(state['TransactTime']))],
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

function amount(tag: number, json: Json | undefined): readonly Field[] {
  return json === undefined || json === null ? [] : [[tag, String(json)]];
}

function letter(codes: Readonly<Record<string, number>>, json: Json | undefined): string {
  return String.fromCharCode(typeof json === 'number' ? json : (codes[String(json)] ?? 0));
}
