/** The user-defined message types and tags of drop copies (docs/DROPCOPY.md, "Messages"). */

/** MsgType(35). */
export const copyTypes = {
  request: 'UR',
  requestAck: 'UA',
  acknowledge: 'UK',
  totals: 'UT',
  inbound: 'UO',
} as const;

export const copyTags = {
  reqId: 9120,
  reqType: 9121,
  fromExecId: 9122,
  toExecId: 9123,
  fromTime: 9124,
  toTime: 9125,
  fromVenueSeq: 9126,
  toVenueSeq: 9127,
  status: 9128,
  reason: 9129,
  count: 9130,
  hash: 9131,
  trades: 9132,
  volumes: 9133,
  bought: 9134,
  sold: 9135,
  boughtValue: 9136,
  soldValue: 9137,
  day: 9138,
  lost: 9139,
  busts: 9140,
  corrections: 9141,
  inboundType: 9142,
  final: 9143,
} as const;

/** CopyReqType(9121). */
export const reqTypes = {
  execIds: 1,
  times: 2,
  venueSeqs: 3,
  unacknowledged: 4,
  openOrders: 5,
  totals: 6,
} as const;

/** CopyReqStatus(9128). */
export const reqStatuses = { accepted: 0, completed: 1, refused: 2 } as const;

/** TradeRequestStatus(750). */
export const tradeStatuses = { accepted: 0, completed: 1, rejected: 2 } as const;

/** CopyReqReason(9129). */
export const reqReasons = {
  unsupported: 1,
  notAuthorized: 2,
  unknownExecId: 3,
  beyondRetention: 4,
  tooMany: 5,
  badRange: 6,
  busy: 7,
} as const;
export type ReqReason = keyof typeof reqReasons;
