/** Requests of the bridge and their answers, as its HTTP client has them. */
import type { Dispatcher } from 'undici';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function respondWith(
  handler: Dispatcher.DispatchHandler,
  controller: Dispatcher.DispatchController,
  said: Answer,
): void {
  handler.onResponseStart?.(controller, said.status, { ...said.headers }, '');
  handler.onResponseData?.(controller, Buffer.from(said.body));
  handler.onResponseEnd?.(controller, {});
}

export function bodyOf({ body }: Dispatcher.DispatchOptions): string {
  return typeof body === 'string' ? body : '';
}

/** Names and values in turns, as the client gives them. */
export function pairs(list: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < list.length; i += 2) {
    headers[(list[i] ?? '').toLowerCase()] = list[i + 1] ?? '';
  }
  return headers;
}
