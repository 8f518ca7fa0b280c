/** The identity of a request: Negotiate or Establish, session id and time. */
export interface NamedRequest {
  readonly request: 'Negotiate' | 'Establish';
  /** 32 hex digits. */
  readonly sessionId: string;
  /** Nanoseconds since 1970. Responses repeat it, so it also identifies the request. */
  readonly timestampNs: bigint;
}

const nsPerMs = 1_000_000n;

/** Why a request with this time is not accepted, or undefined. `afterNs` is the time of the last accepted one. */
export function objectionToTime(
  timestampNs: bigint,
  wallMs: number,
  toleranceMs: number,
  afterNs: bigint,
): string | undefined {
  const offMs = timestampNs / nsPerMs - BigInt(wallMs);
  const tolerance = BigInt(toleranceMs);
  if (offMs > tolerance || offMs < -tolerance)
    return `Timestamp is not within ${toleranceMs} ms of our time; nanoseconds are wanted`;
  return timestampNs > afterNs ? undefined : 'Timestamp is not after that of the last request';
}

/** The time of a request of ours, which is after the last one. */
export function requestTime(wallMs: number, afterNs: bigint): bigint {
  const nowNs = BigInt(wallMs) * nsPerMs;
  return nowNs > afterNs ? nowNs : afterNs + 1n;
}
