/** What a reader over FIXP asks and is answered, as messages of orders.xml (docs/DROPCOPY.md, "Over FIXP"). */
import { CopyAcknowledge } from '../mapping/sbe/generated/copy-acknowledge.ts';
import { CopyRequest as CopyRequestMessage } from '../mapping/sbe/generated/copy-request.ts';
import { CopyRequestAck } from '../mapping/sbe/generated/copy-request-ack.ts';
import { MessageHeader } from '../mapping/sbe/generated/message-header.ts';
import type { CopyRequest } from './copy-request.ts';
import { reqReasons, reqStatuses } from './copy-tags.ts';
import type { RequestAnswer } from './said.ts';

export type ReaderMessage =
  | { readonly kind: 'request'; readonly request: CopyRequest }
  | { readonly kind: 'acknowledge'; readonly account: string | null; readonly execId: string };

const header = new MessageHeader();
const request = new CopyRequestMessage();
const acknowledge = new CopyAcknowledge();
const ack = new CopyRequestAck();

/** Undefined for a message of another kind; a string says what is wrong with the bytes. */
export function readReaderMessage(bytes: Uint8Array): ReaderMessage | string | undefined {
  if (!header.wrap(bytes)) return 'no message header';
  switch (header.templateId) {
    case CopyRequestMessage.templateId:
      return request.wrap(bytes) ?? { kind: 'request', request: readRequest() };
    case CopyAcknowledge.templateId:
      return acknowledge.wrap(bytes) ?? { kind: 'acknowledge', ...readAcknowledge() };
    default:
      return undefined;
  }
}

/** Writes the message into `out` and answers it, lent until `out` is used again. */
export function writeRequestAck(out: Uint8Array, answer: RequestAnswer): Uint8Array {
  const { count, reason, reqId, reqType, status, text } = answer;
  return ack
    .encode(out)
    .setCopyReqType(reqType)
    .setCopyReqStatus(reqStatuses[status])
    .setCopyReqReason(reason === null ? undefined : reqReasons[reason])
    .setCopyCount(count ?? undefined)
    .setCopyReqId(reqId)
    .setText(text ?? '').bytes;
}

function readRequest(): CopyRequest {
  return {
    reqId: request.copyReqId,
    reqType: request.copyReqType,
    account: said(request.account),
    fromExecId: said(request.fromExecId),
    toExecId: said(request.toExecId),
    fromMs: bounded(request.fromTimeBig),
    toMs: bounded(request.toTimeBig),
    fromSeq: bounded(request.fromVenueSeqBig),
    toSeq: bounded(request.toVenueSeqBig),
  };
}

function readAcknowledge(): { account: string | null; execId: string } {
  return { account: said(acknowledge.account), execId: acknowledge.execId };
}

/** Empty: not said. */
function said(name: string): string | null {
  return name === '' ? null : name;
}

/** No time and no seq is as great as what a number cannot hold. */
function bounded(value: bigint | undefined): number | null {
  return value === undefined ? null : Math.min(Number(value), Number.MAX_SAFE_INTEGER);
}
