/** What names a request: Negotiate or Establish, of a session id, at a time. */
export interface NamedRequest {
  readonly request: 'Negotiate' | 'Establish';
  /** 32 hex digits. */
  readonly sessionId: string;
  /** Nanoseconds since 1970. Answers repeat it, so it is also the request's id. */
  readonly timestampNs: bigint;
}

const nsPerMs = 1_000_000n;

/** Why a request of this time is not taken, or undefined. `afterNs`: the last one that was. */
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

/** A time for a request of ours, after the last one. */
export function requestTime(wallMs: number, afterNs: bigint): bigint {
  const nowNs = BigInt(wallMs) * nsPerMs;
  return nowNs > afterNs ? nowNs : afterNs + 1n;
}
