/** The read routes of the order-entry lane (contract A.13, A.15, G49, G73): limits, sessions, receipts, recovery. */
import {
  type AuthorizedCall,
  authorized,
  bodyObject,
  marketOf,
  member,
  queryInteger,
  type Route,
  requireOwnAccount,
  violation,
} from './call.ts';
import { coarseLabels } from './engine/refusal.ts';
import { EnvelopeError, json, type VenueResponse, withoutEffect } from './http-message.ts';
import { compactAgentType } from './identity.ts';
import { hex } from './ids.ts';
import { placed } from './placed.ts';
import type { State } from './state.ts';

const maxTtlMs = 3_600_000;

export function recordRoutes({ routes }: State['profile']): readonly Route[] {
  return [
    authorized('GET', routes.limits, limits),
    authorized('GET', routes.sessions, sessions),
    authorized('GET', routes.quoteObligations, quoteObligations),
    authorized('GET', routes.receipts, receipts),
    authorized('GET', routes.connectivity, connectivity),
    authorized('GET', routes.selfVerify, selfVerify),
    authorized('GET', routes.executionContract, executionContract),
    authorized('GET', routes.gapFill, gapFill),
    authorized('GET', routes.dropCopy, dropCopy),
    authorized('POST', routes.wsToken, wsToken),
  ];
}

function limits({ state }: AuthorizedCall): VenueResponse {
  const { profile } = state;
  const { batch, caps, durableAckMs } = profile.limits;
  const { actionsPerSecond, burst, jsonEnabled } = state.limits;
  const values = {
    jsonEnabled,
    maxActions: batch.actions,
    maxLegs: batch.legs,
    maxInFlight: batch.inFlight,
    actionsPerSecond,
    burst,
    nonceWindow: profile.nonce.window,
  };
  const record = {
    credit: { mode: 'off' },
    action: { maxClockSkewMs: profile.action.maxClockSkewMs, durableAckMs },
    backlog: { full: state.gates.switches.backlogFull },
    orderBook: caps,
    errorGuidance: { coarseLabels: [...new Set(Object.values(coarseLabels))] },
    quoteReplaceRecovery: { atomic: true, onRefusal: 'rolled_back' },
  };
  const { contract, contractValue } = profile.headers;
  const body = placed(profile.records.limits, values, structuredClone(record));
  return json(200, body, { [contract.toLowerCase()]: contractValue });
}

function sessions({ credential, state }: AuthorizedCall): VenueResponse {
  const open = [...state.sessions].filter(({ account }) => account === credential.account);
  const records = open.map(({ account, connectedAtMs, sessionId }) =>
    placed(state.profile.records.session, {
      sessionId,
      account,
      lane: 'websocket',
      connectedAtMs,
      cancelOnDisconnect: false,
      state: 'open',
    }),
  );
  return json(200, { ok: true, sessions: records });
}

function quoteObligations(call: AuthorizedCall): VenueResponse {
  const { credential, state } = call;
  const { lot, marketId } = marketOf(call);
  const open = state.exchange.openOrders(credential.account, { market: marketId });
  const has = (side: string) => open.some((order) => order.side === side);
  return json(
    200,
    placed(state.profile.records.obligation, {
      marketId,
      twoSidedPct: 80,
      maxSpreadBps: 200,
      minDepthQty: lot * 10,
      uptimePct: 90,
      current: { twoSided: has('Bid') && has('Ask'), openOrders: open.length },
    }),
  );
}

function receipts(call: AuthorizedCall): VenueResponse {
  const { credential, query, state } = call;
  const { receipts: names } = state.profile.records;
  requireOwnAccount(call, query.get(names.accountParam));
  const orderId = query.get(names.orderIdParam);
  const actionHash = query.get(names.actionHashParam);
  const found = state.exchange.receipts(credential.account, {
    limit: queryInteger(call, 'limit', 1, 1000) ?? names.limit,
    ...(orderId === null ? {} : { orderId }),
    ...(actionHash === null ? {} : { actionHash }),
  });
  const records = found.map((receipt) => state.feed.receipt(credential.account, receipt));
  return json(200, { ok: true, ...placed({ list: names.list }, { list: records }) });
}

function connectivity({ state }: AuthorizedCall): VenueResponse {
  const { profile } = state;
  const { records, signing } = profile;
  const { fixpSchemaUrl, ...hosts } = state.lanes;
  const fixed = {
    ok: true,
    hosts,
    fix: { compIds: profile.fix.venueCompIds },
    fixpSchemaUrl,
    directTcp: { enabled: false },
  };
  const values = { actionDomain: signing.domains.action, agentType: compactAgentType };
  return json(200, placed(records.connectivity, values, structuredClone(fixed)));
}

function selfVerify({ credential, state }: AuthorizedCall): VenueResponse {
  const accounts = [...state.identities.accounts.keys()];
  return json(200, {
    ok: true,
    accountHash: hex(state.ids.hashOf('ACCOUNT', credential.account)),
    compactAccountIdx: accounts.indexOf(credential.account),
    mapping: { primary: 0, shard: 0, stale: false },
    identityAuthority: 'signed_action',
  });
}

function executionContract({ state }: AuthorizedCall): VenueResponse {
  const { gapFill: rules, routes, stream } = state.profile;
  return json(200, {
    ok: true,
    channel: 'executions',
    socket: routes.wsPrivate,
    gapFill: routes.gapFill,
    cursor: 'exclusive',
    fromSeq: 'inclusive',
    seqModel: stream.seqModel,
    kinds: Object.values(stream.kinds),
    maxLimit: rules.limit,
    retentionMs: rules.retentionMs,
  });
}

function gapFill(call: AuthorizedCall): VenueResponse {
  const { credential, query, state } = call;
  const { gapFill: rules } = state.profile;
  requireOwnAccount(call, query.get(rules.accountParam));
  const from = queryInteger(call, rules.fromSeqParam, 1, Number.MAX_SAFE_INTEGER);
  const cursor = queryInteger(call, rules.cursorParam, 0, Number.MAX_SAFE_INTEGER - 1);
  if (from !== null && cursor !== null) {
    const names = `${rules.fromSeqParam} and ${rules.cursorParam}`;
    throw new EnvelopeError(400, `${names} exclude each other`, 'bad_cursor');
  }
  const fromSeq = from ?? (cursor ?? 0) + 1;
  const limit = queryInteger(call, rules.limitParam, 1, rules.limit) ?? rules.limit;
  const page = state.feed.read(credential.account, fromSeq, limit);
  if (page === undefined) {
    throw new EnvelopeError(404, `events from ${fromSeq} on are not all kept`, rules.tooOldCause);
  }
  const pointers = {
    events: rules.eventsPointer,
    nextCursor: rules.nextCursorPointer,
    lastSeq: rules.lastSeqPointer,
    complete: rules.completePointer,
  };
  const { complete, events, lastSeq, nextSeq } = page;
  return json(200, placed(pointers, { events, nextCursor: nextSeq - 1, lastSeq, complete }));
}

function dropCopy({ credential, state }: AuthorizedCall): VenueResponse {
  const { account } = credential;
  const lastSeq = state.feed.lastSeq(account);
  const values = { transport: state.profile.dropCopy.source, account, lastSeq, fix: null };
  return json(200, placed(state.profile.records.dropCopy, values));
}

function wsToken(call: AuthorizedCall): VenueResponse {
  const { credential, state } = call;
  const { accountField, expiresAtPointer, tokenPointers, ttlField, ttlMs } = state.profile.ws.token;
  const body = bodyObject(call, [accountField, ttlField]);
  const account = member(body, accountField);
  if (typeof account !== 'string') throw violation(`${accountField} must be a string`);
  requireOwnAccount(call, account);
  const ttl = body[ttlField] ?? ttlMs;
  if (typeof ttl !== 'number' || ttl < 1 || ttl > maxTtlMs) {
    throw violation(`${ttlField} must be from 1 to ${maxTtlMs}`);
  }
  const { expiresAtMs, token } = state.tokens.issue(
    credential.account,
    ttl,
    state.clock.now().wallMs,
  );
  const pointers = { token: tokenPointers[0] ?? '/data/token', expiresAtMs: expiresAtPointer };
  return withoutEffect(json(200, { ok: true, ...placed(pointers, { token, expiresAtMs }) }));
}
