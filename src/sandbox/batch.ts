/** Builds the answer to a batch with its results (contract A.13, G27, G28, R49-R51). */
import type { AuthorizedCall } from './call.ts';
import { coarseLabel } from './engine/refusal.ts';
import { EnvelopeError, json, type VenueResponse } from './http-message.ts';
import type { Allowance } from './rate-limit.ts';
import type { State } from './state.ts';
import type { Outcome } from './submission.ts';
import { rateHeaders } from './submit-response.ts';

const resultModes = ['ack', 'durable', 'full'] as const;
type ResultMode = (typeof resultModes)[number];

export function resultMode({ request, state }: AuthorizedCall): ResultMode {
  const { resultMode: header } = state.profile.headers;
  const given = request.headers[header.toLowerCase()] ?? 'ack';
  const mode = resultModes.find((one) => one === given);
  if (mode !== undefined) return mode;
  throw new EnvelopeError(400, `${header} must be one of ${resultModes.join(', ')}`, 'bad_enum');
}

export function batchAnswer(
  call: AuthorizedCall,
  mode: ResultMode,
  allowance: Allowance,
  items: readonly Outcome[],
): VenueResponse {
  const { state } = call;
  const { headers, routes } = state.profile;
  const responseMode = call.request.headers[headers.responseMode.toLowerCase()] ?? 'compact';
  const showsResults = mode !== 'ack' || responseMode === 'detailed';
  const { wallMs } = state.clock.now();
  const body = {
    ok: true,
    responseMode,
    requestedResultMode: mode,
    resolvedResultMode: mode,
    streamTruth: 'execution_stream',
    replay: { gapFill: routes.gapFill, receipts: routes.receipts },
    rejectCode: null,
    timings: { receivedMs: wallMs, appliedMs: wallMs },
    actionResults: showsResults ? items.map((item) => actionResult(state, item, wallMs)) : null,
    derivedOrderIds: derivedOrderIds(state, items),
  };
  return json(200, body, { ...rateHeaders(allowance, 200), 'x-bsl-applied-ms': String(wallMs) });
}

function actionResult(state: State, item: Outcome, wallMs: number): object {
  const result = item.kind === 'applied' ? item.result : null;
  const code = codeOf(item);
  return {
    seq: item.kind === 'applied' ? state.feed.wireSeq(item.account, item.result.seq) : null,
    clientOrderId: item.clientOrderId,
    filledQty: result?.filledQty ?? 0,
    leavesQty: result?.leavesQty ?? 0,
    feeMicro: result?.feeMicro ?? 0,
    fills: state.feed.fills(result?.fills ?? []),
    engineTsMs: result?.engineTsMs ?? wallMs,
    serverTsMs: wallMs,
    status: result?.status ?? 'rejected',
    nonceConsumed: item.kind === 'applied' && item.isNonceConsumed,
    ...(code !== null && { rejectCode: coarseLabel(code), rejectReason: code }),
  };
}

function codeOf(item: Outcome): string | null {
  if (item.kind === 'applied') return item.result.refusal?.code ?? null;
  return item.kind === 'refused' ? item.code : item.error.code;
}

/** One entry for each action; a quote replace has one for each leg, nested or not, depending on the profile. */
function derivedOrderIds(state: State, items: readonly Outcome[]): readonly unknown[] {
  const ids = items.map((item) => {
    if (item.kind !== 'applied' || item.result.refusal !== null) return null;
    return item.legIds.length > 0 ? item.legIds : item.orderId;
  });
  return state.profile.batch.derivedOrderIds === 'flat' ? ids.flat() : ids;
}
