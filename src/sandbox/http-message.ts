/**
 * Requests and answers without a socket: the ingress takes one and gives the other, so the simulator and the
 * certification run it as it is. The four shapes of an answer are those of contract A.14.
 */
export interface VenueRequest {
  readonly method: string;
  /** Path and query as they were in the request line. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  readonly remoteAddress: string;
  /** The body was longer than the limit; `body` is then empty. */
  readonly bodyTooLong?: boolean;
  /** When the venue received it, where it is processed later: what is fresh on arrival stays fresh. */
  readonly receivedMs?: number;
}

export interface VenueResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Nothing of the venue's state was changed by the request. */
  readonly isWithoutEffect?: boolean;
  /** What a fault switch does to the bytes of the answer; only visible on a socket. */
  readonly wire?: WireFault;
}

export interface WireFault {
  /** Null until the operator releases the answer. */
  readonly delayMs?: number | null;
  /** The answer goes to the request whose answer is the next to be swapped, and that one to this request. */
  readonly isSwapped?: boolean;
  /** The connection ends after this many bytes of the answer, head and body counted together. */
  readonly cutAtByte?: number;
}

const jsonType = { 'content-type': 'application/json' };

export function json(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): VenueResponse {
  return { status, headers: { ...jsonType, ...headers }, body: JSON.stringify(body) };
}

/** The plain-text answers: the edge limiter's, and nothing else. */
export function text(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): VenueResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body };
}

/** HTTP status → code of the wrapped envelope (contract A.18.1). */
export const envelopeCodes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  406: 'NOT_ACCEPTABLE',
  409: 'CONFLICT',
  422: 'BAD_REQUEST',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} as const;
export type EnvelopeStatus = keyof typeof envelopeCodes;

const retriableStatuses: readonly number[] = [409, 429, 500, 503];

/** Thrown by a route, caught once by the ingress: the refusal of a whole request. */
export class EnvelopeError extends Error {
  readonly status: EnvelopeStatus;
  /** The machine reason, `details.cause`. */
  readonly reason: string | undefined;

  constructor(status: EnvelopeStatus, message: string, reason?: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

export function envelope(error: EnvelopeError, requestId: string): VenueResponse {
  const { status, message, reason } = error;
  const code = envelopeCodes[status];
  const retriable = retriableStatuses.includes(status);
  const details = reason === undefined ? {} : { details: { cause: reason } };
  return json(
    status,
    { ok: false, error: { code, message, retriable, requestId, ...details } },
    status === 429 || status === 503 ? { 'retry-after': '1' } : {},
  );
}

/** Code → HTTP status of the flat shape (contract A.18.2). */
export const agentCodes = {
  AGENT_NOT_FOUND: 404,
  AGENT_REVOKED: 403,
  AGENT_EXPIRED: 403,
  INVALID_SCOPE: 403,
  AGENT_POLICY_REJECTED: 403,
  AGENT_POLICY_RATE_LIMITED: 429,
  API_CREDENTIAL_REQUIRED: 401,
  API_CREDENTIAL_INVALID: 401,
  API_CREDENTIAL_REVOKED: 403,
  ACCOUNT_MISMATCH: 403,
  INVALID_SIGNATURE: 400,
  DUPLICATE_NONCE: 409,
  NONCE_EXHAUSTED: 429,
  TRADING_ACCOUNT_CLOSING: 403,
} as const;
export type AgentCode = keyof typeof agentCodes;

/** Thrown if a delegated agent or a credential is refused. */
export class AgentError extends Error {
  readonly code: AgentCode;

  constructor(code: AgentCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function flat(error: AgentError): VenueResponse {
  const status = agentCodes[error.code];
  return json(
    status,
    { ok: false, code: error.code, error: error.message },
    status === 429 ? { 'retry-after': '1' } : {},
  );
}
