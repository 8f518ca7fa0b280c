/**
 * The hops of each action as an OpenTelemetry trace, where somebody wants them: OTLP over HTTP as JSON, in batches, off
 * unless a URL is configured. A collector that is slow or away costs spans, never an order.
 */
import { randomBytes } from 'node:crypto';
import type { Passage } from '../gateway/hops.ts';
import type { Clock } from '../runtime/clock.ts';
import { nowUs } from '../runtime/latency.ts';

export interface TracesOptions {
  /** Such as `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string;
  readonly clock: Clock;
  readonly problem: (text: string) => void;
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly Attribute[];
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string };
}

const mostWaiting = 10_000;
const batchSpans = 1_000;
const everyMs = 2_000;
const patienceMs = 5_000;
/** SPAN_KIND_INTERNAL and SPAN_KIND_CLIENT. */
const internal = 1;
const client = 3;

export class Traces {
  readonly #options: TracesOptions;
  readonly #sending = new AbortController();
  #waiting: Span[] = [];
  #dropped = 0;
  #isFailing = false;
  #isStopped = false;
  #cancel = () => {};

  constructor(options: TracesOptions) {
    this.#options = options;
  }

  /** Spans that found no room or no collector. */
  get dropped(): number {
    return this.#dropped;
  }

  start(): void {
    if (this.#isStopped) return;
    const { clock } = this.#options;
    this.#cancel = clock.at(clock.now().monoMs + everyMs, () => {
      void this.send().finally(() => this.start());
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.send();
    this.#sending.abort();
  }

  settled(key: string, outcome: string, passage: Passage): void {
    const spans = spansOf(key, outcome, passage, nowUs());
    if (this.#waiting.length + spans.length > mostWaiting) this.#dropped += spans.length;
    else this.#waiting.push(...spans);
  }

  /** One batch; what the collector does not take is gone. */
  async send(): Promise<void> {
    const spans = this.#waiting.splice(0, batchSpans);
    if (spans.length === 0) return;
    const resource = { attributes: [attribute('service.name', 'causeway')] };
    const scopeSpans = [{ scope: { name: 'causeway' }, spans }];
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] });
    const fault = await this.#post(body);
    if (fault === undefined) {
      this.#isFailing = false;
      return;
    }
    this.#dropped += spans.length;
    if (!this.#isFailing) this.#options.problem(`traces are not taken: ${fault}`);
    this.#isFailing = true;
  }

  async #post(body: string): Promise<string | undefined> {
    const signal = AbortSignal.any([this.#sending.signal, AbortSignal.timeout(patienceMs)]);
    const headers = { 'content-type': 'application/json' };
    try {
      const answer = await fetch(this.#options.url, { method: 'POST', headers, body, signal });
      await answer.body?.cancel();
      return answer.ok ? undefined : `HTTP ${answer.status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

/** The whole way as one span, and a span for each hop in it. */
function spansOf(key: string, outcome: string, passage: Passage, endUs: number): Span[] {
  const { recordedUs, sentUs, signedUs, startedUs } = passage;
  const traceId = randomBytes(16).toString('hex');
  const root = newSpanId();
  const hop = (name: string, kind: number, fromUs: number, toUs: number): Span => ({
    traceId,
    spanId: newSpanId(),
    parentSpanId: root,
    name,
    kind,
    ...between(fromUs, toUs),
  });
  const attributes = [attribute('causeway.order', key), attribute('causeway.outcome', outcome)];
  const whole = { traceId, spanId: root, name: 'action', kind: internal, attributes };
  const spans: Span[] = [{ ...whole, ...between(startedUs, endUs) }];
  if (recordedUs > 0) spans.push(hop('record', internal, startedUs, recordedUs));
  if (signedUs > 0) spans.push(hop('sign', internal, recordedUs, signedUs));
  if (sentUs > 0) {
    spans.push(hop('send', internal, signedUs, sentUs), hop('answer', client, sentUs, endUs));
  }
  return spans;
}

function between(fromUs: number, toUs: number) {
  return { startTimeUnixNano: unixNano(fromUs), endTimeUnixNano: unixNano(toUs) };
}

/** From the clock of the hops, which starts with the process. */
function unixNano(us: number): string {
  return String(BigInt(Math.round(performance.timeOrigin * 1_000 + us)) * 1_000n);
}

function newSpanId(): string {
  return randomBytes(8).toString('hex');
}

function attribute(key: string, text: string): Attribute {
  return { key, value: { stringValue: text } };
}
