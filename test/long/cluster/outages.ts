/**
 * How long clients could not trade around each fault, as each client saw it: from the last bytes before a connection was lost until an
 * order is accepted that was sent afterwards, or from sending an order until it, or after a refusal a later one, is accepted.
 */
export interface FaultTime {
  readonly kind: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A new order: when it was sent, and when it was reported as accepted. */
export interface Attempt {
  readonly sentMs: number;
  acceptedMs: number | undefined;
}

/** A connection: when the last bytes came, and when the client found that it was lost. */
export interface Loss {
  readonly heardMs: number;
  readonly atMs: number;
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Client {
  readonly session: string;
  readonly shard: string;
  readonly spans: readonly Span[];
}

export interface Outages {
  readonly kind: string;
  readonly faults: number;
  /** Of the sessions that noticed the fault, sorted. */
  readonly lengthsMs: readonly number[];
  /** The longest of each shard and fault, sorted. */
  readonly byShardMs: readonly number[];
}

/** Shorter ones are the time that an order takes on a busy machine, not an outage. */
export const noticedMs = 100;

/** The times in which a client could not trade; those that overlap are one. Attempts are in the order in which they were sent. */
export function spansWithoutTrading(
  attempts: readonly Attempt[],
  losses: readonly Loss[],
): readonly Span[] {
  const acceptedAfter = (ms: number) =>
    Math.min(
      ...attempts.flatMap(({ acceptedMs, sentMs }) =>
        sentMs >= ms && acceptedMs !== undefined ? [acceptedMs] : [],
      ),
    );
  const spans = [
    ...attempts.map(({ acceptedMs, sentMs }) => ({
      fromMs: sentMs,
      toMs: acceptedMs ?? acceptedAfter(sentMs),
    })),
    ...losses.map(({ atMs, heardMs }) => ({ fromMs: heardMs, toMs: acceptedAfter(atMs) })),
  ].sort((a, b) => a.fromMs - b.fromMs);
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last === undefined || span.fromMs > last.toMs) merged.push(span);
    else merged[merged.length - 1] = { ...last, toMs: Math.max(last.toMs, span.toMs) };
  }
  return merged;
}

export function outages(
  faults: readonly FaultTime[],
  clients: readonly Client[],
): readonly Outages[] {
  const kinds = [...new Set(faults.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const lengthsMs: number[] = [];
    const byShardMs: number[] = [];
    const ofKind = faults.filter((fault) => fault.kind === kind);
    for (const fault of ofKind) {
      const byShard = new Map<string, number>();
      for (const { shard, spans } of clients) {
        const length = Math.max(0, ...lengthsIn(spans, fault).map(({ lengthMs }) => lengthMs));
        if (length < noticedMs) continue;
        lengthsMs.push(length);
        byShard.set(shard, Math.max(length, byShard.get(shard) ?? 0));
      }
      byShardMs.push(...byShard.values());
    }
    const sorted = (values: number[]) => values.sort((a, b) => a - b);
    return {
      ...{ kind, faults: ofKind.length },
      lengthsMs: sorted(lengthsMs),
      byShardMs: sorted(byShardMs),
    };
  });
}

/** Lists what each session noticed of each fault, so that a slow takeover can be found. */
export function details(faults: readonly FaultTime[], clients: readonly Client[]): string[] {
  return faults.flatMap((fault) => [
    `${fault.kind} at ${new Date(fault.fromMs).toISOString()}, ${fault.toMs - fault.fromMs} ms in all`,
    ...clients.flatMap(({ session, shard, spans }) => {
      const noticed = lengthsIn(spans, fault).filter(({ lengthMs }) => lengthMs >= noticedMs);
      if (noticed.length === 0) return [];
      const texts = noticed.map(({ afterMs, lengthMs }) => `${lengthMs} ms from ${afterMs}`);
      return `  ${session} of ${shard}: ${texts.join(', ')}`;
    }),
  ]);
}

/** A span counts from the fault on. One that has not ended counts to the end of the fault, where every client traded again. */
function lengthsIn(spans: readonly Span[], fault: FaultTime) {
  return spans
    .filter(({ fromMs, toMs }) => toMs > fault.fromMs && fromMs < fault.toMs)
    .map(({ fromMs, toMs }) => {
      const start = Math.max(fromMs, fault.fromMs);
      const end = Number.isFinite(toMs) ? toMs : fault.toMs;
      return { afterMs: start - fault.fromMs, lengthMs: end - start };
    });
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
