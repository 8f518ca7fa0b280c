/**
 * Raises an alarm a week, a day and an hour before something expires, and when it has expired, each only once. The
 * expiry is read again every minute, because it may have been renewed.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Clock, every } from './clock.ts';

export interface Expiring {
  /** The text for the operator, such as `the certificate tls/signer.pem`. */
  readonly name: string;
  /** Unix time; undefined if it never expires or cannot be read. */
  endsAtMs(): number | undefined;
}

const lookEveryMs = 60_000;
const hourMs = 3_600_000;
const stages = [
  { withinMs: 0, code: 'expired', words: 'has expired' },
  { withinMs: hourMs, code: 'within_hour', words: 'expires within an hour' },
  { withinMs: 24 * hourMs, code: 'within_day', words: 'expires within a day' },
  { withinMs: 7 * 24 * hourMs, code: 'within_week', words: 'expires within a week' },
] as const;

export type ExpiryCode = (typeof stages)[number]['code'];

/** Returns a function that stops the watch. */
export function watchExpiry(
  all: readonly Expiring[],
  clock: Clock,
  alarm: (text: string, code: ExpiryCode) => void,
): () => void {
  const alarmed = new Map<Expiring, number>();
  const look = () => {
    const { wallMs } = clock.now();
    for (const expiring of all) {
      const endsAtMs = expiring.endsAtMs();
      const leftMs = (endsAtMs ?? Number.POSITIVE_INFINITY) - wallMs;
      const found = stages.findIndex(({ withinMs }) => leftMs <= withinMs);
      const stage = found === -1 ? stages.length : found;
      const reached = stages[stage];
      const isNearer = stage < (alarmed.get(expiring) ?? stages.length);
      alarmed.set(expiring, stage);
      if (!isNearer || reached === undefined || endsAtMs === undefined) continue;
      const at = new Date(endsAtMs).toISOString();
      alarm(`${expiring.name} ${reached.words}: ${at}`, reached.code);
    }
  };
  look();
  return every(clock, lookEveryMs, look);
}

export function endings(all: readonly Expiring[], wallMs: number): string[] {
  return all.flatMap(({ endsAtMs, name }) => {
    const at = endsAtMs();
    if (at === undefined) return [];
    return [`${name} ${at < wallMs ? 'ended' : 'ends'} on ${new Date(at).toISOString()}`];
  });
}

/** Null means never. */
export function endMsOf(at: string | null): number | null {
  return at === null ? null : Date.parse(at);
}

export function endOf(name: string, atMs: number | null): Expiring {
  return { name, endsAtMs: () => atMs ?? undefined };
}

export function certificateIn(file: string): Expiring {
  return {
    name: `the certificate ${file}`,
    endsAtMs() {
      try {
        return Date.parse(new X509Certificate(readFileSync(file)).validTo);
      } catch {
        // The file is just being replaced, or its fault was reported when the configuration was checked.
        return undefined;
      }
    },
  };
}
