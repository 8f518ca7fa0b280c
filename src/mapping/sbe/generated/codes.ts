// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
export const YesNo = {
  Unset: 0,
  Yes: 1,
  No: 2,
} as const;

export const Side = {
  Buy: 49,
  Sell: 50,
} as const;

export const OrdType = {
  Market: 49,
  Limit: 50,
  Stop: 51,
  StopLimit: 52,
  MarketIfTouched: 74,
} as const;

export const TimeInForce = {
  Day: 48,
  GoodTillCancel: 49,
  ImmediateOrCancel: 51,
  FillOrKill: 52,
  GoodTillDate: 54,
} as const;

export const ExecType = {
  New: 48,
  Canceled: 52,
  Replaced: 53,
  PendingCancel: 54,
  Rejected: 56,
  PendingNew: 65,
  Expired: 67,
  Restated: 68,
  PendingReplace: 69,
  Trade: 70,
  TradeCorrect: 71,
  TradeCancel: 72,
  OrderStatus: 73,
} as const;

export const OrdStatus = {
  New: 48,
  PartiallyFilled: 49,
  Filled: 50,
  Canceled: 52,
  PendingCancel: 54,
  Rejected: 56,
  PendingNew: 65,
  Expired: 67,
  PendingReplace: 69,
} as const;

export const Book = {
  Unset: 0,
  YES: 1,
  NO: 2,
} as const;

export const StpMode = {
  Unset: 0,
  CancelMaker: 1,
  CancelTaker: 2,
  Reject: 3,
  SkipSelf: 4,
  None: 5,
} as const;

export const TriggerDirection = {
  Unset: 0,
  AtOrAbove: 1,
  AtOrBelow: 2,
} as const;

export const ConditionalKind = {
  Unset: 0,
  TakeProfit: 1,
  StopLoss: 2,
} as const;

export const AlgoKind = {
  Unset: 0,
  Iceberg: 1,
  Twap: 2,
  Vwap: 3,
} as const;

export const Scope = {
  Instrument: 49,
  All: 55,
} as const;

export const QuoteCancelType = {
  Instruments: 49,
  All: 52,
} as const;

export const QuoteResponseLevel = {
  None: 48,
  Refusals: 49,
  All: 50,
} as const;

export const QuoteStatus = {
  Accepted: 0,
  CanceledForInstruments: 1,
  CanceledAll: 4,
  Rejected: 5,
  NotFound: 9,
} as const;

export const SubscriptionRequestType = {
  Snapshot: 48,
  Subscribe: 49,
  Unsubscribe: 50,
} as const;

export const SecurityListRequestType = {
  Symbol: 0,
  AllSecurities: 4,
} as const;

export const SecurityTradingStatus = {
  Halted: 2,
  Resumed: 3,
  Open: 17,
  Closed: 18,
  Unknown: 20,
} as const;

export const TradSesStatus = {
  Unreachable: 0,
  Halted: 1,
  Ready: 2,
  RequestRejected: 6,
} as const;

export const MarketKind = {
  Spot: 1,
  Binary: 2,
  Prediction: 3,
} as const;

export const MdEntryType = {
  Bid: 48,
  Offer: 49,
} as const;

export const CxlRejResponseTo = {
  Cancel: 49,
  Replace: 50,
} as const;

export const UserStatus = {
  LoggedIn: 1,
  NotLoggedIn: 2,
  Other: 6,
} as const;

export const LiquidityInd = {
  Added: 1,
  Removed: 2,
} as const;

export const CopyReqType = {
  Unset: 0,
  ExecIDs: 1,
  Times: 2,
  VenueSeqs: 3,
  Unacknowledged: 4,
  OpenOrders: 5,
  Totals: 6,
} as const;

export const CopyReqStatus = {
  Accepted: 0,
  Completed: 1,
  Refused: 2,
} as const;

export const TradeReportTransType = {
  New: 0,
  Cancel: 1,
  Replace: 2,
} as const;

export const TradeRequestStatus = {
  Accepted: 0,
  Completed: 1,
  Rejected: 2,
} as const;

export const TrdRptStatus = {
  Accepted: 0,
  Rejected: 1,
} as const;

/** The bits of RequestFlags. */
export const RequestFlags = {
  PossResend: 1,
} as const;

/** The bits of OrderFlags. */
export const OrderFlags = {
  PostOnly: 1,
  ReduceOnly: 2,
} as const;

/** The bits of ReportFlags. */
export const ReportFlags = {
  Copy: 1,
  Unsolicited: 2,
  LastFragment: 4,
  PossResend: 8,
  Requested: 16,
} as const;
