/** The pages' client of the console's server. */
import { useEffect, useState } from 'htm/preact';
import type { OperatorRole } from '../../gateway/config/console-config.ts';
import type { Login } from '../logins.ts';
import type { Answers, Topic } from '../routes.ts';

export type Me = Login;

/** Hides what the server would refuse; the decision is the server's. */
export function mayDo({ roles }: Me, role: OperatorRole): boolean {
  return roles.includes(role);
}

let csrf = '';

/** Null if not logged in. */
export async function me(): Promise<Me | null> {
  const found = await ask<Me | null>('/api/me');
  csrf = found?.csrf ?? '';
  return found;
}

export function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json', 'x-causeway-csrf': csrf };
  return ask<T>(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

export async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, init).catch(() => {
    throw new Error('the bridge does not answer');
  });
  const value = (await response.json().catch(() => ({}))) as T & { readonly error?: string };
  if (response.ok) return value;
  if (response.status === 401 && path !== '/api/login') onLoggedOut();
  throw new Error(value.error ?? `HTTP ${response.status}`);
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

let onLoggedOut = () => {};

/** Called when the session has ended at the server. */
export function whenLoggedOut(call: () => void): void {
  onLoggedOut = call;
}

type Marks = Partial<Record<Topic, unknown>>;

const listeners = new Set<() => void>();
let marks: Marks = {};
let isLive = false;

const againMs = 5_000;

/** Subscribes to changes until the returned function is called. */
export function follow(): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout>;
  const open = () => {
    source = new EventSource('/api/live');
    source.onmessage = ({ data }) => changed(JSON.parse(String(data)) as Marks, true);
    source.onerror = () => {
      changed(marks, false);
      // A browser reconnects on its own after a lost connection, but not after a refusal.
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, againMs);
    };
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}

function changed(now: Marks, live: boolean): void {
  marks = now;
  isLive = live;
  for (const listener of listeners) listener();
}

/** A value derived from `marks` or `isLive`, updated whenever they change. */
function useLatest<T>(read: () => T, key = ''): T {
  const [value, setValue] = useState(read());
  useEffect(() => {
    const listener = () => setValue(read());
    listeners.add(listener);
    listener();
    return () => listeners.delete(listener);
  }, [key]);
  return value;
}

export function useLive(): boolean {
  return useLatest(() => isLive);
}

/** The response of a route, loaded again whenever one of the topics changes, and at this interval. */
export function useLoaded<Path extends keyof Answers>(
  path: Path,
  query: Query = {},
  topics: readonly Topic[] = [],
  everyMs?: number,
) {
  type Answer = Answers[Path];
  const url = `${path}${queryOf(query)}`;
  const marksText = () => topics.map((topic) => String(marks[topic])).join('|');
  const mark = useLatest(marksText, topics.join());
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<{ readonly value?: Answer; readonly error: string }>({
    error: '',
  });
  useEffect(() => {
    let isWanted = true;
    ask<Answer>(url).then(
      (value) => isWanted && setState({ value, error: '' }),
      (error: Error) =>
        isWanted && setState(({ value }) => ({ ...(value && { value }), error: error.message })),
    );
    return () => {
      isWanted = false;
    };
  }, [url, mark, turn]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => setTurn((count: number) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return { value: state.value, error: state.error, again: () => setTurn(turn + 1) };
}

type Query = Readonly<Record<string, string>>;

/** Formats `{a: 'x', b: ''}` as a query; empty fields are omitted. */
export function queryOf(fields: Query): string {
  const given = Object.entries(fields).filter(([, value]) => value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
