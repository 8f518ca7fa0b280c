/**
 * The response to a request that is rejected before it changes anything, in the form for its kind (contract D.0, D.6).
 * It repeats the client's own values, so it is built from the message and not from the parsed command.
 */
import { type Denial, isDenial } from '../../domain/denial.ts';
import { hasEnded, type Order, type OrdStatus } from '../../domain/order.ts';
import type { FieldWriter } from '../../fix/field-writer.ts';
import type { Message } from '../../fix/message.ts';
import {
  quoteStatuses,
  sessionStatuses,
  tradingSessionId,
  tradingStatuses,
} from './answer-message.ts';
import { readClientFields, writeFields } from './client-fields.ts';
import { ordStatuses } from './codes.ts';
import { type DenialSettings, reasonOf, writeText, writeVenueCode } from './denial-fields.ts';
import { echo, echoInstrument } from './instrument-fields.ts';
import { noOrderId, writeParties, writeSums } from './report-message.ts';

export interface RefusalFacts {
  /** ExecID(17), if the response is an ExecutionReport. */
  readonly execId: string;
  readonly nowMs: number;
  /** The order that the request concerns, or whose ClOrdID it repeats, with its current OrdStatus(39). */
  readonly about?: { readonly order: Order; readonly ordStatus: OrdStatus } | undefined;
}

interface Refused extends RefusalFacts {
  readonly message: Message;
  readonly denial: Denial;
  readonly settings: DenialSettings;
}

type Writer = (out: FieldWriter, refused: Refused) => string;

/** Refusals that never concern an order, whatever the request is. */
const businessOnly: ReadonlySet<string> = new Set([
  'message_not_offered',
  'field_missing',
  'bridge.not_authorized',
]);
/** Requests that are refused in their own form even if the bridge or the venue is unavailable. */
const orderRequests: ReadonlySet<string> = new Set(['D', 'F', 'G']);
const refusedByAgent: ReadonlySet<string> = new Set(['x', 'e', 'g', 'V', 'H', 'AF']);

/** Writes the body and returns its MsgType(35). */
export function writeRefusal(
  out: FieldWriter,
  message: Message,
  denial: Denial,
  settings: DenialSettings,
  facts: RefusalFacts,
): string {
  const refused = { ...facts, message, denial, settings };
  const write = isBusiness(message.msgType, denial) ? undefined : writers[message.msgType];
  return (write ?? writeBusinessReject)(out, refused);
}

/** Whether a request with this MsgType(35) is refused by a business reject instead of its own form. */
export function isBusiness(msgType: string, { refusal }: Denial): boolean {
  if (businessOnly.has(refusal.name)) return true;
  if (refusal.business === null) return false;
  return refusal.source === 'bridge' ? !orderRequests.has(msgType) : refusedByAgent.has(msgType);
}

const writers: Readonly<Record<string, Writer>> = {
  D: refuseOrder,
  F: refuseChange,
  G: refuseChange,
  i: refuseMassQuote,
  S: refuseQuote,
  Z: refuseMassQuote,
  q: refuseMassCancel,
  H: refuseStatus,
  AF: refuseStatus,
  V(out, { message, denial }) {
    echo(out, message, 262);
    if (denial.refusal.marketData !== null) out.text(281, denial.refusal.marketData);
    writeText(out, denial);
    return 'Y';
  },
  x(out, { message, denial, settings }) {
    echo(out, message, 320);
    out.value(322, message.bytes(320) ?? new Uint8Array());
    out.int(560, denial.refusal.securityList ?? 4);
    if (denial.refusal.code !== null) out.text(settings.tags.venueCode, denial.refusal.code);
    return 'y';
  },
  e(out, { message, denial, settings }) {
    echo(out, message, 324);
    echoInstrument(out, message);
    out.int(326, tradingStatuses.unknown);
    writeText(out, denial);
    if (denial.refusal.code !== null) out.text(settings.tags.venueCode, denial.refusal.code);
    return 'f';
  },
  g(out, { message, denial, settings }) {
    echo(out, message, 335);
    const session = message.text(336) ?? tradingSessionId;
    out
      .text(336, session)
      .int(340, sessionStatuses.request_rejected)
      .int(567, session === tradingSessionId ? 99 : 1);
    writeText(out, denial);
    writeVenueCode(out, denial, settings);
    return 'h';
  },
  BE(out, { message, denial, settings }) {
    echo(out, message, 923);
    echo(out, message, 553);
    out.int(926, 6).text(927, denial.text ?? 'refused');
    writeVenueCode(out, denial, settings);
    return 'BF';
  },
};

/** For a duplicate ClOrdID, status and sums are those of the existing order (appendix D, F.1.b). */
function refuseOrder(out: FieldWriter, refused: Refused): '8' {
  const { message, denial, settings, about, execId, nowMs } = refused;
  out.text(37, about?.order.orderId ?? noOrderId);
  echo(out, message, 11);
  out.text(17, execId).char(150, '8');
  out.char(39, ordStatuses.code[about?.ordStatus ?? 'rejected']);
  out.int(103, reasonOf(denial, settings, 'order'));
  echo(out, message, 1);
  echoInstrument(out, message);
  for (const tag of [54, 38, 40, 44, 99, 15, 59, 126, 18]) echo(out, message, tag);
  writeAnySums(out, about?.order);
  out.utc(60, nowMs);
  writeText(out, denial);
  const client = readClientFields(message, settings.tags, 'echo');
  if (client !== undefined && !isDenial(client)) {
    writeParties(out, undefined, client);
    writeFields(out, client.fields);
  }
  writeVenueCode(out, denial, settings);
  echo(out, message, settings.tags.book);
  return '8';
}

function refuseChange(out: FieldWriter, refused: Refused): '9' {
  const { message, denial, settings, about, nowMs } = refused;
  const request = message.msgType === 'F' ? 'cancel' : 'replace';
  out.text(37, about?.order.orderId ?? noOrderId);
  echo(out, message, 11);
  if (about === undefined) echo(out, message, 41);
  else out.text(41, about.order.clOrdId);
  out.char(39, ordStatuses.code[about?.ordStatus ?? 'rejected']);
  echo(out, message, 1);
  out.utc(60, nowMs).char(434, request === 'cancel' ? '1' : '2');
  out.int(102, reasonOf(denial, settings, request));
  writeText(out, denial);
  writeVenueCode(out, denial, settings);
  return '9';
}

/** An order status or mass status that is not available: there is no order, so OrderID and quantities are empty. */
function refuseStatus(out: FieldWriter, refused: Refused): '8' {
  const { message, denial, settings, nowMs } = refused;
  out.text(37, message.text(37) ?? noOrderId);
  echo(out, message, 11);
  echo(out, message, 790);
  if (message.has(584)) {
    echo(out, message, 584);
    out.int(911, 0).bool(912, true);
  }
  out.text(17, '0').char(150, 'I').char(39, '8');
  out.int(
    103,
    denial.refusal.name === 'bridge.unknown_order' ? 5 : reasonOf(denial, settings, 'order'),
  );
  echo(out, message, 1);
  if (message.has(55) || message.has(48)) echoInstrument(out, message);
  else out.text(55, '[N/A]');
  out.value(54, message.bytes(54) ?? undisclosed);
  writeAnySums(out, undefined);
  out.utc(60, nowMs);
  writeText(out, denial);
  writeVenueCode(out, denial, settings);
  return '8';
}

/** Side(54) of a report that does not concern an order. */
const undisclosed = Buffer.from('7');

function writeAnySums(out: FieldWriter, order: Order | undefined): void {
  if (order === undefined) out.int(151, 0).int(14, 0).int(6, 0);
  else writeSums(out, order, hasEnded(order) ? 0n : order.leavesQty);
}

function refuseMassQuote(out: FieldWriter, { message, denial, settings }: Refused): 'b' {
  const isUnknown = denial.refusal.name === 'bridge.unknown_order';
  echo(out, message, 117);
  out.int(297, isUnknown ? quoteStatuses.not_found : quoteStatuses.rejected);
  if (!isUnknown) out.int(300, reasonOf(denial, settings, 'quote'));
  echo(out, message, 301);
  echo(out, message, 1);
  writeText(out, denial);
  writeVenueCode(out, denial, settings);
  return 'b';
}

function refuseQuote(out: FieldWriter, { message, denial, settings }: Refused): 'AI' {
  echo(out, message, 117);
  echoInstrument(out, message);
  echo(out, message, 1);
  out.int(297, quoteStatuses.rejected);
  writeText(out, denial);
  writeVenueCode(out, denial, settings);
  echo(out, message, settings.tags.book);
  return 'AI';
}

function refuseMassCancel(out: FieldWriter, { message, denial, settings, nowMs }: Refused): 'r' {
  echo(out, message, 11);
  out.text(37, noOrderId);
  echo(out, message, 530);
  out.char(531, '0').int(532, reasonOf(denial, settings, 'massCancel'));
  echoInstrument(out, message);
  echo(out, message, 54);
  out.utc(60, nowMs);
  writeText(out, denial);
  writeVenueCode(out, denial, settings);
  echo(out, message, settings.tags.book);
  return 'r';
}

/** The client's id of the request, for BusinessRejectRefID(379). */
const requestIds = [11, 117, 262, 320, 324, 335, 584, 923] as const;

function writeBusinessReject(out: FieldWriter, { message, denial, settings }: Refused): 'j' {
  if (message.msgSeqNum !== undefined) out.int(45, message.msgSeqNum);
  out.text(372, message.msgType);
  const named = requestIds.find((tag) => message.has(tag));
  if (named !== undefined) out.value(379, message.bytes(named) ?? new Uint8Array());
  out.int(380, denial.refusal.business ?? 0);
  writeText(out, denial);
  writeVenueCode(out, denial, settings);
  return 'j';
}
