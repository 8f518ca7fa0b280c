/** Formats times, lengths and names for people. All times are UTC, as in the messages. */
export function clockTime(atMs: number, digits: 0 | 3 | 6 = 3): string {
  if (atMs === 0) return '—';
  const whole = new Date(atMs).toISOString().slice(11, 19);
  if (digits === 0) return whole;
  const us = Math.floor((atMs % 1000) * 1000);
  return `${whole}.${String(us).padStart(6, '0').slice(0, digits)}`;
}

const dayMs = 86_400_000;
const momentForm = /^(?:(\d{4}-\d\d-\d\d)(?:[ T]|$))?(\d\d:\d\d(?::\d\d)?)?$/;

/** Parses `16:42` or `16:42:05` of today, or `2026-11-21`, optionally with a time after it; otherwise undefined. */
export function momentOf(text: string, nowMs: number): number | undefined {
  const typed = text.trim();
  const [, day, time = '00:00'] = momentForm.exec(typed) ?? [];
  if (typed === '' || !momentForm.test(typed)) return undefined;
  const today = new Date(nowMs - (nowMs % dayMs)).toISOString().slice(0, 10);
  const atMs = Date.parse(`${day ?? today}T${time}Z`);
  return Number.isNaN(atMs) ? undefined : atMs;
}

export function dateTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 10)} ${clockTime(atMs, 0)}`;
}

/** Omits today's date. */
export function momentText(atMs: number): string {
  const isToday = Math.floor(atMs / dayMs) === Math.floor(Date.now() / dayMs);
  return isToday ? clockTime(atMs, 0) : dateTime(atMs);
}

/** `840 µs`, `1.3 ms`, `2.1 s`. */
export function duration(us: number): string {
  if (!Number.isFinite(us)) return '> 10 s';
  if (us < 1_000) return `${Math.round(us)} µs`;
  if (us < 1_000_000) return `${(us / 1_000).toFixed(us < 10_000 ? 1 : 0)} ms`;
  return `${(us / 1_000_000).toFixed(1)} s`;
}

/** A rate per minute: `0.4`, `12`, `3 400`. */
export function rate(value: number): string {
  return value !== 0 && value < 10 ? String(Number(value.toFixed(1))) : grouped(value.toFixed(0));
}

export function ago(atMs: number): string {
  if (atMs === 0) return 'never';
  const seconds = Math.max(0, Math.round((Date.now() - atMs) / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${Math.floor(seconds / 86_400)} days ago`;
}

/** `0x1234…cdef`; the title contains all of it. */
export function short(id: string | null): string {
  if (id === null) return '—';
  return id.length <= 18 ? id : `${id.slice(0, 8)}…${id.slice(-6)}`;
}

/** Displays `FIX.4.4:CAUSEWAY/->ALPHA/` as ALPHA. */
export function peerOf(session: string): string {
  return /->([^/]+)\//.exec(session)?.[1] ?? session.replace(/^[A-Z.0-9]+:/, '');
}

export function grouped(decimal: string): string {
  const [whole = '', digits] = decimal.split('.');
  const spaced = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ' ');
  return digits === undefined ? spaced : `${spaced}.${digits}`;
}

/** `101–200 of 12 345`: the rows that a page displays. */
export function shownOf(shown: number, before: number, count: number): string {
  const place = (number: number) => grouped(String(number));
  if (shown === 0 || shown === count) return `${place(shown)} of ${place(count)}`;
  return `${place(before + 1)}–${place(before + shown)} of ${place(count)}`;
}

/** A part of an address; one that does not decode stays as it is and names nothing. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** What a kill switch, a mass cancel or a limit applies to. */
export function scopeName(scope: { readonly kind: string; readonly name?: string }): string {
  return scope.kind === 'all' ? 'everything' : `${scope.kind} ${peerOf(scope.name ?? '')}`;
}

/** The details of an act, which are JSON, as a person would say them. */
export function detailsText(details: string): string {
  const { scope, target, ...more } = JSON.parse(details);
  const of = scope ?? target;
  return [...(of ? [scopeName(of)] : []), ...pairsIn(more)].join(', ');
}

function pairsIn(value: object): string[] {
  if (Array.isArray(value)) return value.map(String);
  return Object.entries(value).flatMap(([key, held]) =>
    typeof held === 'object' && held !== null ? pairsIn(held) : [`${key} ${held}`],
  );
}
