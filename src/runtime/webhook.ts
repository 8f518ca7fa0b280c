/**
 * Delivers messages to one URL, in order, without ever delaying the caller: `send` only queues. The queue is bounded,
 * one request is made at a time, each has a time limit, and the next message contains the number of dropped ones.
 */
import { backoffMs } from './backoff.ts';
import type { Clock } from './clock.ts';
import { redact } from './redact.ts';

export const defaultWebhookLimits = {
  queued: 100,
  attempts: 10,
  timeoutMs: 10_000,
  firstRetryMs: 1_000,
  maxRetryMs: 60_000,
  bodyBytes: 16_384,
};
export type WebhookLimits = Readonly<typeof defaultWebhookLimits>;

export interface WebhookTarget {
  readonly url: URL;
  readonly token: string | null;
}

export interface WebhookOptions {
  readonly target: WebhookTarget;
  readonly clock: Clock;
  readonly limits?: WebhookLimits;
  /** Reports a message that is not delivered. It must not cause another message. */
  readonly problem: (text: string) => void;
}

export class Webhook {
  readonly #options: WebhookOptions;
  readonly #limits: WebhookLimits;
  readonly #queue: object[] = [];
  #dropped = 0;
  #failures = 0;
  #isBusy = false;
  #isStopped = false;
  #cancel = () => {};
  #request: AbortController | undefined;

  constructor(options: WebhookOptions) {
    this.#options = options;
    this.#limits = options.limits ?? defaultWebhookLimits;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** If the queue is full, the oldest message is dropped, because newer ones are more useful. */
  send(message: object): void {
    if (this.#isStopped) return;
    this.#queue.push(message);
    if (this.#queue.length > this.#limits.queued) {
      // The first message may be in flight.
      this.#queue.splice(this.#isBusy ? 1 : 0, 1);
      this.#dropped += 1;
    }
    if (!this.#isBusy) this.#later(0);
  }

  /** Queued messages are not delivered. */
  stop(): void {
    this.#isStopped = true;
    this.#queue.length = 0;
    this.#cancel();
    this.#request?.abort();
  }

  /** Always runs in a separate round of the event loop, so the caller never waits. */
  #later(delayMs: number): void {
    const { clock } = this.#options;
    this.#isBusy = true;
    this.#cancel = clock.at(clock.now().monoMs + delayMs, () => void this.#deliver());
  }

  async #deliver(): Promise<void> {
    const [message] = this.#queue;
    if (message === undefined) {
      this.#isBusy = false;
      return;
    }
    const dropped = this.#dropped;
    const outcome = await this.#post({ ...message, ...(dropped > 0 && { dropped }) });
    if (this.#isStopped) return;
    const { attempts, firstRetryMs, maxRetryMs } = this.#limits;
    if (outcome === 'delivered') {
      this.#dropped -= dropped;
    } else {
      this.#failures += 1;
      if (outcome.mayRetry && this.#failures < attempts) {
        const rules = { firstMs: firstRetryMs, maxMs: maxRetryMs };
        this.#later(backoffMs(rules, this.#failures));
        return;
      }
      this.#dropped += 1;
      this.#options.problem(`an alarm could not be sent to the webhook: ${outcome.why}`);
    }
    this.#failures = 0;
    this.#queue.shift();
    this.#later(0);
  }

  async #post(
    message: object,
  ): Promise<'delivered' | { readonly mayRetry: boolean; readonly why: string }> {
    const { target, clock } = this.#options;
    const { bodyBytes, timeoutMs } = this.#limits;
    const body = JSON.stringify(redact(message));
    if (Buffer.byteLength(body) > bodyBytes) return { mayRetry: false, why: 'it is too long' };
    const request = new AbortController();
    this.#request = request;
    const cancel = clock.at(clock.now().monoMs + timeoutMs, () => request.abort());
    try {
      const response = await fetch(target.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(target.token !== null && { authorization: `Bearer ${target.token}` }),
        },
        body,
        // A redirect could lead the token elsewhere.
        redirect: 'error',
        signal: request.signal,
      });
      // Only the status matters; the body, which may be endless, is not read.
      await response.body?.cancel();
      if (response.ok) return 'delivered';
      const { status } = response;
      return { mayRetry: status >= 500 || status === 408 || status === 429, why: `HTTP ${status}` };
    } catch (error) {
      return { mayRetry: true, why: reasonOf(error, request.signal.aborted, timeoutMs) };
    } finally {
      cancel();
    }
  }
}

/** The text contains no URL, because the URL may be secret. */
function reasonOf(error: unknown, isAborted: boolean, timeoutMs: number): string {
  if (isAborted) return `no answer within ${timeoutMs} ms`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return 'the request failed';
}
