/**
 * The schema of the venue profile: each key, its type and its bounds (docs/venue/contract.md, part B). It is strict
 * throughout, so a misspelt key is an error instead of a silent default.
 */
import { z } from 'zod';
import { eventKinds } from '../domain/event.ts';
import { maxSafeAtoms, type Price, type Qty } from '../domain/units.ts';
import { signingShape } from '../signer/signing-contract.ts';
import { refusalNumbers } from './refusals.ts';

const text = z.string().min(1).max(256);
const pointer = z
  .string()
  .max(256)
  .regex(/^(\/([^~/]|~0|~1)*)*$/, 'not a JSON pointer: "" or /member/member');
const route = z
  .string()
  .max(256)
  .regex(/^\/[!-~]*$/, 'not a path: it begins with / and has no spaces');
const headerName = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9{][A-Za-z0-9{}-]*$/, 'not a header name');
const count = z.int().min(1).max(1_000_000);
const milliseconds = z.int().min(1).max(86_400_000);
const tag = z.int().min(5000).max(39_999);
const basisPoints = z.int().min(-10_000).max(10_000);
const atoms = z.int().min(0).transform(BigInt);
const priceAtoms = atoms.transform((value) => value as Price);
const qtyAtoms = atoms.transform((value) => value as Qty);
const frame = z.record(text, z.union([z.string(), z.number(), z.boolean()]));

const market = z.strictObject({
  marketId: z.int().min(0).max(Number(maxSafeAtoms)),
  kind: z.enum(['spot', 'binary', 'prediction']),
  symbol: z
    .string()
    .max(64)
    .regex(/^[A-Z0-9._-]+$/, 'not a symbol: A-Z, 0-9, dot, dash and underscore'),
  base: text,
  quote: text,
  status: z.enum(['open', 'halted', 'closed', 'settled']),
  priceScale: z.int().min(0).max(18),
  qtyScale: z.int().min(0).max(18),
  tick: priceAtoms.refine((value) => value > 0n, 'a tick is positive'),
  lot: qtyAtoms.refine((value) => value > 0n, 'a lot is positive'),
  minNotional: priceAtoms,
  maxQty: qtyAtoms,
  expiryMs: z.int().positive().nullable(),
  seedPrice: priceAtoms,
});

const auth = z.strictObject({
  http: z.strictObject({
    headers: z.strictObject({
      key: headerName,
      passphrase: headerName,
      timestamp: headerName,
      signature: headerName,
      signatureType: headerName,
    }),
    template: text.refine(
      (value) => value.includes('{timestamp}') && value.includes('{body}'),
      'lacks {timestamp} or {body}: the signature would not cover them',
    ),
    digest: z.enum(['hmac-sha256', 'ed25519']),
    encoding: z.enum(['base64', 'base64url', 'hex']),
    timestampUnit: z.enum(['ms', 's']),
    maxSkewMs: milliseconds,
  }),
  scopes: z.strictObject({ orders: text, cancels: text, quotes: text, mintRedeem: text }),
  agentTypes: z.array(text).min(1),
});

const ws = z.strictObject({
  token: z.strictObject({
    accountField: text,
    ttlField: text,
    ttlMs: milliseconds,
    tokenPointers: z.array(pointer).min(1),
    expiresAtPointer: pointer,
  }),
  private: z.strictObject({
    auth: frame,
    subscribe: frame,
    ping: frame,
    pingMs: milliseconds,
    silenceMs: milliseconds,
    maxFrameBytes: z.int().min(1024).max(67_108_864),
    incoming: z.strictObject({
      kind: pointer,
      authenticated: text,
      subscribed: text,
      event: text,
      pong: text,
      error: text,
      eventPointer: pointer,
      errorCode: pointer,
      errorMessage: pointer,
    }),
  }),
});

const eventPointers = z.strictObject({
  seq: pointer,
  prevSeq: pointer,
  kind: pointer,
  account: pointer,
  market: pointer,
  book: pointer,
  orderId: pointer,
  parentOrderId: pointer,
  legIndex: pointer,
  clientOrderId: pointer,
  nonce: pointer,
  actionHash: pointer,
  side: pointer,
  price: pointer,
  qty: pointer,
  filledQty: pointer,
  leavesQty: pointer,
  status: pointer,
  reasonCode: pointer,
  reasonNumber: pointer,
  reasonText: pointer,
  fill: pointer,
  nonceConsumed: pointer,
  engineTsMs: pointer,
  serverTsMs: pointer,
});

const stream = z.strictObject({
  seqModel: z.enum(['contiguous', 'global']),
  periodicFillMs: milliseconds,
  reorderEvents: count,
  reorderWaitMs: milliseconds,
  kinds: z.record(z.enum(eventKinds), text),
  event: eventPointers,
  fill: z.strictObject({
    fillId: pointer,
    price: pointer,
    qty: pointer,
    feeMicro: pointer,
    liquidity: pointer,
    tsMs: pointer,
  }),
});

const gapFill = z.strictObject({
  accountParam: text,
  fromSeqParam: text,
  cursorParam: text,
  use: z.enum(['fromSeq', 'cursor']),
  limitParam: text,
  limit: z.int().min(1).max(1000),
  eventsPointer: pointer,
  nextCursorPointer: pointer,
  lastSeqPointer: pointer,
  completePointer: pointer,
  tooOldCause: text,
  retentionMs: z.int().min(1).max(31_536_000_000),
});

const records = z.strictObject({
  receipts: z.strictObject({
    list: pointer,
    accountParam: text,
    orderIdParam: text,
    actionHashParam: text,
    limit: z.int().min(1).max(1000),
  }),
  receipt: z.strictObject({
    seq: pointer,
    actionHash: pointer,
    orderId: pointer,
    clientOrderId: pointer,
    nonce: pointer,
    status: pointer,
    rejectCode: pointer,
    rejectReason: pointer,
    filledQty: pointer,
    leavesQty: pointer,
    feeMicro: pointer,
    fills: pointer,
    engineTsMs: pointer,
  }),
  session: z.strictObject({
    sessionId: pointer,
    account: pointer,
    lane: pointer,
    connectedAtMs: pointer,
    cancelOnDisconnect: pointer,
    state: pointer,
  }),
  obligation: z.strictObject({
    marketId: pointer,
    twoSidedPct: pointer,
    maxSpreadBps: pointer,
    minDepthQty: pointer,
    uptimePct: pointer,
    current: pointer,
  }),
  dropCopy: z.strictObject({
    transport: pointer,
    account: pointer,
    lastSeq: pointer,
    fix: pointer,
  }),
  markets: z.strictObject({ list: pointer }),
  market: z.strictObject({
    marketId: pointer,
    kind: pointer,
    symbol: pointer,
    base: pointer,
    quote: pointer,
    status: pointer,
    priceScale: pointer,
    qtyScale: pointer,
    tick: pointer,
    lot: pointer,
    minNotional: pointer,
    maxQty: pointer,
    expiryMs: pointer,
  }),
  orderbook: z.strictObject({
    marketId: pointer,
    book: pointer,
    seq: pointer,
    bids: pointer,
    asks: pointer,
  }),
  limits: z.strictObject({
    jsonEnabled: pointer,
    maxActions: pointer,
    maxLegs: pointer,
    maxInFlight: pointer,
    actionsPerSecond: pointer,
    burst: pointer,
    nonceWindow: pointer,
  }),
  connectivity: z.strictObject({ actionDomain: pointer, agentType: pointer }),
  readiness: z.strictObject({ ready: pointer, reason: pointer }),
  status: z.strictObject({
    placementReady: pointer,
    placementReason: pointer,
    sequencerCoreReachable: pointer,
    tradingHalted: pointer,
  }),
  version: z.strictObject({ fields: z.array(pointer).min(1), unknown: z.array(z.string()) }),
});

export const routeNames = [
  'health',
  'readiness',
  'status',
  'version',
  'changelog',
  'actions',
  'hash',
  'tradingBatch',
  'wsToken',
  'wsPrivate',
  'limits',
  'sessions',
  'cancelOnDisconnect',
  'quoteObligations',
  'orders',
  'compact',
  'replace',
  'cancelReplace',
  'cancelAll',
  'receipts',
  'connectivity',
  'selfVerify',
  'executionContract',
  'gapFill',
  'dropCopy',
  'agents',
  'agent',
  'agentRevoke',
  'markets',
  'orderbook',
] as const;
export type RouteName = (typeof routeNames)[number];

const submission = {
  lanes: z.strictObject({
    order: z.array(z.enum(['actions', 'jsonBatch'])).min(1),
    jsonBatch: z.enum(['by_limits', 'never']),
    tradingBatch: z.strictObject({ enabled: z.boolean(), items: text, types: z.array(text) }),
    directTcp: z.boolean(),
  }),
  compact: z.strictObject({ codec: z.literal('sandbox-compact-1').nullable(), contentType: text }),
  http: z.strictObject({
    timeoutMs: milliseconds,
    connections: z.int().min(1).max(256),
    maxBodyBytes: z.int().min(1024).max(67_108_864),
  }),
  headers: z.strictObject({
    resultMode: headerName,
    responseMode: headerName,
    contract: headerName,
    contractValue: text,
  }),
  resultMode: z.strictObject({
    mode: z.enum(['ack', 'durable', 'full']),
    response: text,
  }),
  batch: z.strictObject({ derivedOrderIds: z.enum(['per_action_nested', 'flat']) }),
  idempotency: z.strictObject({
    header: headerName,
    replayHeader: headerName,
    keyHexChars: z.int().min(16).max(64),
    lifetimeMs: milliseconds,
  }),
  submit: z.strictObject({
    defaultStatus: z.int().min(400).max(599),
    httpStatus: z.record(text, z.int().min(400).max(599)),
  }),
  rateLimit: z.strictObject({
    edgeAfterHeader: headerName,
    edgeAfterUnit: z.enum(['s', 'ms']),
    edgeMinMs: milliseconds,
    edgeMaxMs: milliseconds,
    edgeUnreadableMs: milliseconds,
  }),
  backoff: z.strictObject({ firstMs: milliseconds, maxMs: milliseconds }),
  hashRoute: z.strictObject({
    enabled: z.boolean(),
    fields: z.array(text).min(1),
    noncePointer: pointer,
  }),
  cancelAll: z.strictObject({
    mode: z.enum(['fanout', 'route']),
    body: z.string().max(1024),
    fanoutAfterMs: milliseconds,
  }),
};

const tradingRules = {
  action: z.strictObject({ maxClockSkewMs: milliseconds }),
  nonce: z.strictObject({
    window: z.int().min(1).max(65_536),
    discovery: z.enum(['hash_route', 'first_reject']),
    scope: z.enum(['account', 'agent']),
    stride: z
      .strictObject({ offset: z.int().min(0).max(255), step: z.int().min(1).max(256) })
      .refine(({ offset, step }) => offset < step, 'offset must be below step'),
    nestedTrigger: z.enum(['consumed_on_store', 'holds_floor']),
    filler: z.enum(['cancel_terminal', 'none']),
    consumedByEngineReject: z.boolean(),
  }),
  input: z.strictObject({ names: z.enum(['documented', 'canonical']) }),
  amend: z.strictObject({
    newQty: z.enum(['total', 'remaining', 'unknown']),
    strictPriority: z.boolean().default(false),
  }),
  quotes: z.strictObject({ skipUnchanged: z.boolean().default(true) }).prefault({}),
  localChecks: z.boolean().default(false),
  marketOrder: z.strictObject({
    price: z.enum(['collar', 'extreme', 'zero']),
    collarBps: z.int().min(1).max(10_000),
    tif: z.enum(['ioc', 'fok']),
    acceptPrice: z.boolean(),
  }),
  stp: z.strictObject({ default: z.enum(['cancel_maker', 'cancel_taker', 'reject', 'skip_self']) }),
  reduceOnly: z.strictObject({ spot: z.enum(['ask_only', 'refuse']) }),
  families: z.strictObject({
    spot: z.enum(['SpotPlaceOrder', 'PlaceOrder']),
    binary: z.enum(['SpotPlaceOrder', 'PlaceOrder']),
    prediction: z.enum(['SpotPlaceOrder', 'PlaceOrder']),
  }),
  outcome: z.strictObject({ payout: priceAtoms }),
  engine: z.strictObject({ complement: z.literal(false) }),
  conditional: z.strictObject({
    reference: z.enum(['last_trade']),
    maxPerAccount: z.int().min(0).max(256),
  }),
  fees: z.strictObject({
    currency: text,
    takerBps: basisPoints,
    makerBps: basisPoints,
    tiers: z.array(
      z.strictObject({ fromUsd: z.int().min(0), rebateBps: z.int().min(0).max(10_000) }),
    ),
  }),
  limits: z.strictObject({
    rate: z.strictObject({ actionsPerSecond: count, burst: count, edgeRequestsPerSecond: count }),
    batch: z.strictObject({
      jsonEnabled: z.boolean(),
      actions: z.int().min(1).max(1024),
      legs: z.int().min(1).max(1024),
      inFlight: z.int().min(1).max(1024),
    }),
    caps: z.strictObject({
      openOrders: count,
      openOrdersPerMarket: count,
      ordersPerLevel: count,
      levelsPerSide: count,
    }),
    durableAckMs: milliseconds,
  }),
  markets: z
    .array(market)
    .max(10_000)
    .refine(
      (list) => new Set(list.map(({ marketId }) => marketId)).size === list.length,
      'two markets share a marketId',
    )
    .refine(
      (list) => new Set(list.map(({ symbol }) => symbol)).size === list.length,
      'two markets share a symbol',
    ),
};

export const profileSchema = z.strictObject({
  profile: text,
  confirmed: z.union([z.boolean(), z.array(text)]),
  environments: z.strictObject({
    local: z.strictObject({ baseUrl: z.url().nullable() }),
    mainnet: z.strictObject({ baseUrl: z.url({ protocol: /^https$/ }).nullable() }),
  }),
  ...signingShape,
  ...tradingRules,
  ...submission,
  auth,
  routes: z.record(z.enum(routeNames), route),
  ws,
  stream,
  gapFill,
  records,
  gate: z.strictObject({
    pollMs: milliseconds,
    goodPolls: z.int().min(1).max(100),
    goodPollApartMs: milliseconds,
    limitsMs: milliseconds,
    versionMs: milliseconds,
    ledgerReasons: z.array(text),
  }),
  marketData: z.strictObject({ pollMs: milliseconds, depth: z.int().min(1).max(1000) }),
  dropCopy: z.strictObject({ source: z.enum(['stream', 'venue']) }),
  reject: z.strictObject({
    numberMap: z.record(text, z.literal(refusalNumbers).nullable()),
  }),
  fix: z.strictObject({
    venueCompIds: z.record(text, text),
    putOrCallAsBook: z.boolean(),
    customTags: z.strictObject({
      venueRejectNumber: tag,
      venueCode: tag,
      book: tag,
      stpMode: tag,
      triggerDirection: tag,
      conditionalKind: tag,
      algoKind: tag,
      sliceQty: tag,
      sliceIntervalMs: tag,
      venueSeq: tag,
      nonceConsumed: tag,
      parentOrderId: tag,
      legIndex: tag,
      reduceOnly: tag,
    }),
  }),
});
