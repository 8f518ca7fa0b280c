// Generated from standard-examples.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
export const BusinessRejectReasonEnum = {
  Other: 0,
  UnknownID: 1,
  UnknownSecurity: 2,
  ApplicationNotAvailable: 4,
  NotAuthorized: 6,
} as const;

export const ExecTypeEnum = {
  New: 48,
  DoneForDay: 51,
  Canceled: 52,
  Replaced: 53,
  PendingCancel: 54,
  Rejected: 56,
  PendingNew: 65,
  Trade: 70,
} as const;

export const OrdStatusEnum = {
  New: 48,
  PartialFilled: 49,
  Filled: 50,
  DoneForDay: 51,
  Canceled: 52,
  PendingCancel: 54,
  Rejected: 56,
  PendingNew: 65,
  PendingReplace: 69,
} as const;

export const OrdTypeEnum = {
  Market: 49,
  Limit: 50,
  Stop: 51,
  StopLimit: 52,
} as const;

export const SideEnum = {
  Buy: 49,
  Sell: 50,
} as const;
