// Generated from fixp.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
export const FlowType = {
  Recoverable: 0,
  Idempotent: 1,
  Unsequenced: 2,
  None: 3,
} as const;

export const NegotiationRejectCode = {
  Credentials: 0,
  FlowTypeNotSupported: 1,
  DuplicateId: 2,
  Unspecified: 3,
} as const;

export const EstablishmentRejectCode = {
  Unnegotiated: 0,
  AlreadyEstablished: 1,
  SessionBlocked: 2,
  KeepaliveInterval: 3,
  Credentials: 4,
  Unspecified: 5,
} as const;

export const RetransmitRejectCode = {
  OutOfRange: 0,
  InvalidSession: 1,
  RequestLimitExceeded: 2,
} as const;

export const TerminationCode = {
  Finished: 0,
  UnspecifiedError: 1,
  ReRequestOutOfBounds: 2,
  ReRequestInProgress: 3,
} as const;

export const CancelOnDisconnectType = {
  Never: 0,
  OnDisconnect: 1,
  OnTerminate: 2,
  OnDisconnectOrTerminate: 3,
} as const;
