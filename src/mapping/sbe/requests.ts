/**
 * The requests of orders.xml: how each is read, and in which form each is refused. A request keeps its message between
 * the two, lent until the next one of its kind is taken.
 */
import type { Command } from '../../domain/command.ts';
import { type Denial, deny } from '../../domain/denial.ts';
import { isBusiness } from '../fix/refusal-message.ts';
import { BusinessReject } from './generated/business-reject.ts';
import { MarketDataRequest } from './generated/market-data-request.ts';
import { MassCancel } from './generated/mass-cancel.ts';
import { MassQuote } from './generated/mass-quote.ts';
import { MessageHeader } from './generated/message-header.ts';
import { NewOrderSingle } from './generated/new-order-single.ts';
import { OrderCancelReplaceRequest } from './generated/order-cancel-replace-request.ts';
import { OrderCancelRequest } from './generated/order-cancel-request.ts';
import { OrderMassStatusRequest } from './generated/order-mass-status-request.ts';
import { OrderStatusRequest } from './generated/order-status-request.ts';
import { Quote } from './generated/quote.ts';
import { QuoteCancel } from './generated/quote-cancel.ts';
import { SecurityListRequest } from './generated/security-list-request.ts';
import { SecurityStatusRequest } from './generated/security-status-request.ts';
import { TradingSessionStatusRequest } from './generated/trading-session-status-request.ts';
import { UserStatusRequest } from './generated/user-status-request.ts';
import * as reading from './read-command.ts';
import * as refusing from './refusal-message.ts';
import { RequestValues } from './request-values.ts';

/** A kind of request, and the one of that kind that was taken last. */
export interface Request {
  readonly templateId: number;
  /** MsgType(35) of the same request on the FIX lane, which the tables of refusals go by. */
  readonly msgType: string;
  /** Takes a message; answers what is wrong with its bytes. */
  wrap(bytes: Uint8Array): string | undefined;
  read(frame: reading.RequestFrame): Command | Denial;
  /** Writes the refusal into `out` and answers it, lent until `out` is used again. */
  refuse(out: Uint8Array, refused: refusing.Refused): Uint8Array;
}

interface MessageClass<M> {
  readonly templateId: number;
  new (): M;
}

function request<M extends Pick<Request, 'wrap'>>(
  msgType: string,
  Message: MessageClass<M>,
  read: reading.Reader<M>,
  refuse: refusing.Refuse<M>,
  id: (message: M) => string,
): Request {
  const { templateId } = Message;
  const message = new Message();
  return {
    templateId,
    msgType,
    wrap: (bytes) => message.wrap(bytes),
    read(frame) {
      const values = new RequestValues();
      const command = read(message, frame, values);
      return values.fault ?? command;
    },
    refuse: (out, refused) =>
      isBusiness(msgType, refused.denial)
        ? refusing.writeBusinessReject(out, { templateId, id: id(message) }, refused)
        : refuse(message, out, refused),
  };
}

const clOrdId = (message: { readonly clOrdId: string }) => message.clOrdId;
const quoteId = (message: { readonly quoteId: string }) => message.quoteId;

/** In the order of the schema. */
const requests: readonly Request[] = [
  request('D', NewOrderSingle, reading.readNewOrder, refusing.refuseOrder, clOrdId),
  request('G', OrderCancelReplaceRequest, reading.readReplace, refusing.refuseChange, clOrdId),
  request('F', OrderCancelRequest, reading.readCancel, refusing.refuseChange, clOrdId),
  request('q', MassCancel, reading.readMassCancel, refusing.refuseMassCancel, clOrdId),
  request('H', OrderStatusRequest, reading.readOrderStatus, refusing.refuseStatus, clOrdId),
  request(
    'AF',
    OrderMassStatusRequest,
    reading.readMassStatus,
    refusing.refuseStatus,
    (m) => m.massStatusReqId,
  ),
  request('i', MassQuote, reading.readMassQuote, refusing.refuseQuotes, quoteId),
  request('S', Quote, reading.readQuote, refusing.refuseQuote, quoteId),
  request('Z', QuoteCancel, reading.readQuoteCancel, refusing.refuseQuotes, quoteId),
  request(
    'x',
    SecurityListRequest,
    reading.readSecurityList,
    refusing.refuseSecurityList,
    (m) => m.securityReqId,
  ),
  request(
    'e',
    SecurityStatusRequest,
    reading.readSecurityStatus,
    refusing.refuseSecurityStatus,
    (m) => m.securityStatusReqId,
  ),
  request(
    'g',
    TradingSessionStatusRequest,
    reading.readSessionStatus,
    refusing.refuseSessionStatus,
    (m) => m.tradSesReqId,
  ),
  request(
    'V',
    MarketDataRequest,
    reading.readMarketData,
    refusing.refuseMarketData,
    (m) => m.mdReqId,
  ),
  request(
    'BE',
    UserStatusRequest,
    reading.readUserStatus,
    refusing.refuseUserStatus,
    (m) => m.userRequestId,
  ),
];

const byTemplate = new Map(requests.map((one) => [one.templateId, one]));
const header = new MessageHeader();

const rejected = new BusinessReject();

/**
 * What a BusinessReject of the client says, undefined for another message. It is the end of a conversation: nothing
 * rejects it in turn.
 */
export function readReject(bytes: Uint8Array): { ours: string; text: string } | undefined {
  if (!header.wrap(bytes) || header.templateId !== BusinessReject.templateId) return undefined;
  const fault = rejected.wrap(bytes);
  if (fault !== undefined) return { ours: 'message', text: fault };
  const { refSeqNumBig, refTemplateId, text } = rejected;
  return { ours: `message ${refSeqNumBig ?? '?'} (template ${refTemplateId ?? '?'})`, text };
}

/** The request that these bytes are; a string says what is wrong with them. */
export function takeRequest(bytes: Uint8Array): Request | string {
  if (!header.wrap(bytes)) return 'no message header';
  const found = byTemplate.get(header.templateId) ?? notOffered(header.templateId);
  const { version } = header;
  return (
    found.wrap(bytes) ?? (version > NewOrderSingle.schemaVersion ? tooNew(found, version) : found)
  );
}

/** What a later version appended to a request may change what it means, so it is not taken for the part that we know. */
function tooNew(request: Request, version: number): Request {
  const text = `version ${version} of schema ${NewOrderSingle.schemaId}; 0 to ${NewOrderSingle.schemaVersion} are spoken`;
  return { ...request, read: () => deny('bridge.unsupported', text) };
}

/** A message that is an answer, or of a version to come. */
function notOffered(templateId: number): Request {
  return {
    templateId,
    msgType: '',
    wrap: () => undefined,
    read: () => deny('message_not_offered', 'Unsupported Message Type'),
    refuse: (out, refused) => refusing.writeBusinessReject(out, { templateId, id: '' }, refused),
  };
}
