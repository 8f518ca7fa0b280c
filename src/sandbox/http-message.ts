/**
 * Requests and responses without a socket, so that the simulator and the certification can use the ingress unchanged.
 * The four formats of a response are those of contract A.14.
 */
export interface VenueRequest {
  readonly method: string;
  /** Path and query from the request line. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  readonly remoteAddress: string;
  /** The body exceeded the limit; `body` is empty in that case. */
  readonly bodyTooLong?: boolean;
  /** The time of arrival, if it is processed later: a request that was fresh on arrival remains fresh. */
  readonly receivedMs?: number;
}

export interface VenueResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The request did not change the venue's state. */
  readonly isWithoutEffect?: boolean;
  /** The effect of a fault switch on the response's bytes; only visible on a socket. */
  readonly wire?: WireFault;
}

export interface WireFault {
  /** Null until the operator releases the answer. */
  readonly delayMs?: number | null;
  /** The answers of this request and of the next swapped one are exchanged. */
  readonly isSwapped?: boolean;
  /** The connection closes after this many bytes of the answer, including the head. */
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

export function withoutEffect(response: VenueResponse): VenueResponse {
  return { ...response, isWithoutEffect: true };
}

/** The plain-text answers, which only the edge limiter uses. */
export function text(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): VenueResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body };
}

/** Maps an HTTP status to the code of the wrapped envelope (contract A.18.1). */
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

/** Thrown by a route and caught by the ingress: the refusal of a whole request. */
export class EnvelopeError extends Error {
  readonly status: EnvelopeStatus;
  /** The machine-readable reason, `details.cause`. */
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

/** Maps a code to the HTTP status of the flat format (contract A.18.2). */
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
