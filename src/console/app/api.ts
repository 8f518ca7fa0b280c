/** The console's own server, as its pages ask it. */
import { useEffect, useState } from 'htm/preact';

export interface Me {
  readonly who: string;
  readonly mayAct: boolean;
  readonly csrf: string;
}

/** What the server said no with, in its words. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.status = status;
  }
}

let csrf = '';

/** Null while nobody is logged in. */
export async function me(): Promise<Me | null> {
  const found = await get<Me | null>('/api/me');
  csrf = found?.csrf ?? '';
  return found;
}

export function get<T>(path: string): Promise<T> {
  return ask<T>(path, {});
}

export function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json', 'x-causeway-csrf': csrf };
  return ask<T>(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(path, init).catch(() => {
    throw new Refused(0, 'the bridge does not answer');
  });
  const value = (await response.json().catch(() => ({}))) as T & { readonly error?: string };
  if (response.ok) return value;
  if (response.status === 401 && path !== '/api/login') onLoggedOut();
  throw new Refused(response.status, value.error ?? `HTTP ${response.status}`);
}

let onLoggedOut = () => {};

/** Called when the server does not know us any more. */
export function whenLoggedOut(call: () => void): void {
  onLoggedOut = call;
}

export type Topic =
  | 'orders'
  | 'sessions'
  | 'venue'
  | 'messages'
  | 'alarms'
  | 'audit'
  | 'certification';
type Marks = Partial<Record<Topic, unknown>>;

const listeners = new Set<(marks: Marks, isLive: boolean) => void>();
let marks: Marks = {};
let isLive = false;

const againMs = 5_000;

/** Follows the bridge until the returned function is called. */
export function follow(): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout>;
  const open = () => {
    source = new EventSource('/api/live');
    source.onmessage = ({ data }) => tell(JSON.parse(String(data)) as Marks, true);
    source.onerror = () => {
      tell(marks, false);
      // A browser comes back by itself after a lost connection, but not after an answer that says no.
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, againMs);
    };
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}

function tell(now: Marks, live: boolean): void {
  marks = now;
  isLive = live;
  for (const listener of listeners) listener(marks, isLive);
}

/** Something else than before each time that one of the topics has changed. */
function useMarks(topics: readonly Topic[]): string {
  const read = () => topics.map((topic) => String(marks[topic])).join('|');
  const [mark, setMark] = useState(read());
  useEffect(() => {
    const listener = () => setMark(read());
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, [topics.join()]);
  return mark;
}

export function useLive(): boolean {
  const [live, setLive] = useState(isLive);
  useEffect(() => {
    const listener = (_: Marks, now: boolean) => setLive(now);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return live;
}

export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: string;
  again(): void;
}

/** What is behind a path, asked again whenever one of the topics changes, and every so often where told. */
export function useLoaded<T>(
  path: string,
  topics: readonly Topic[] = [],
  everyMs?: number,
): Loaded<T> {
  const mark = useMarks(topics);
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<{ readonly value?: T; readonly error: string }>({ error: '' });
  useEffect(() => {
    let isWanted = true;
    get<T>(path).then(
      (value) => isWanted && setState({ value, error: '' }),
      (error: Error) =>
        isWanted && setState(({ value }) => ({ ...(value && { value }), error: error.message })),
    );
    return () => {
      isWanted = false;
    };
  }, [path, mark, turn]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => setTurn((count: number) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return { value: state.value, error: state.error, again: () => setTurn(turn + 1) };
}

/** `{a: 'x', b: ''}` as a query; what is empty is left out. */
export function queryOf(fields: Readonly<Record<string, string>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
