/**
 * One HTTP exchange with the venue over persistent connections, with a hard deadline and a limit on the body size. A
 * request that may change something is sent once; only reads are retried. Pipelining stays off, because undici resends
 * the requests behind a failed one. Every outcome becomes an `Exchange`; nothing is thrown.
 */
import type { Dispatcher } from 'undici';
import type { Clock } from '../runtime/clock.ts';
import { type Deadline, Deadlines } from '../runtime/deadlines.ts';
import type { Credentials } from './credentials.ts';
import { realNetwork, type VenueNetwork } from './network.ts';
import type { Profile } from './profile.ts';
import type { RequestAuth } from './request-auth.ts';
import type { Exchange } from './verdict.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  readonly body?: string;
  /** Alternating names and values. */
  readonly headers?: readonly string[];
  readonly timeoutMs?: number;
  /** A POST that changes nothing at the venue. */
  readonly isRead?: boolean;
  /** Sent without a credential. */
  readonly isPublic?: boolean;
}

/** A request with its authentication. */
interface Authorized {
  /** All headers. */
  readonly headers: string[];
  /** Undefined for public reads. */
  readonly by: RequestAuth | undefined;
  readonly wallMs: number;
  readonly correctionMs: number;
}

/** How long prepared authentication counts as fresh. */
const freshMs = 1000;

export interface HttpClientParts {
  readonly baseUrl: string;
  readonly rules: Profile['http'];
  readonly clock: Clock;
  readonly network?: VenueNetwork;
  /** Absent only for public reads. */
  readonly auth?: Pick<Credentials, 'accept' | 'correctClock' | 'current' | 'isToRepeat'>;
  /** The tolerated error of our clock; beyond it, a 401 makes signing follow the venue's clock. */
  readonly maxSkewMs?: number;
}

export class HttpClient {
  /** For requests that change something, and for polls, which keep a connection open for the next order. */
  readonly #sends: ReturnType<VenueNetwork['pool']>;
  /** For all other reads, so that no order or cancel waits behind one. */
  readonly #reads: ReturnType<VenueNetwork['pool']>;
  readonly #prefix: string;
  readonly #parts: HttpClientParts;
  readonly #deadlines: Deadlines;
  /** Separate from the requests, because it contains secrets. */
  readonly #prepared = new WeakMap<HttpRequest, Authorized>();
  #clockOffsetMs = 0;
  /** The offset that signing currently adds to our wall clock. */
  #correctionMs = 0;
  #lastDate = '';

  constructor(parts: HttpClientParts) {
    const { origin, pathname } = new URL(parts.baseUrl);
    this.#parts = parts;
    this.#deadlines = new Deadlines(parts.clock);
    this.#prefix = pathname.replace(/\/$/, '');
    const { connections, timeoutMs } = parts.rules;
    const connect = { timeout: timeoutMs };
    const options = { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0, connect };
    const network = parts.network ?? realNetwork;
    this.#sends = network.pool(origin, options);
    this.#reads = network.pool(origin, options);
  }

  /** The venue's time minus ours, from the last Date header, to the second. */
  get clockOffsetMs(): number {
    return this.#clockOffsetMs;
  }

  exchange(request: HttpRequest): Promise<Exchange> {
    return isRead(request) ? this.#read(request) : this.#once(request);
  }

  /** Prepares a request before it may be sent, so that sending it takes no further work. */
  prepare(request: HttpRequest): void {
    this.#prepared.set(request, this.#authorize(request));
  }

  async close(): Promise<void> {
    this.#deadlines.close();
    await Promise.all([this.#sends.destroy(), this.#reads.destroy()]);
  }

  /** Retries a read whose connection the venue has just closed: that is normal, and repeating a read is harmless. */
  async #read(request: HttpRequest): Promise<Exchange> {
    const { clock, rules } = this.#parts;
    const endMs = clock.now().monoMs + (request.timeoutMs ?? rules.timeoutMs);
    const exchange = await this.#once(request);
    const leftMs = endMs - clock.now().monoMs;
    if (exchange.kind !== 'broken' || leftMs <= 0) return exchange;
    return this.#once({ ...request, timeoutMs: leftMs });
  }

  #authorize(request: HttpRequest): Authorized {
    const { auth, clock } = this.#parts;
    const { method, body = '' } = request;
    const { wallMs } = clock.now();
    const by = request.isPublic ? undefined : auth?.current(wallMs);
    const headers = by?.headers(method, this.#prefix + request.target, body, wallMs) ?? [];
    if (request.headers !== undefined) headers.push(...request.headers);
    if (method === 'POST') headers.push('content-type', 'application/json');
    return { headers, by, wallMs, correctionMs: this.#correctionMs };
  }

  /** Prepared authentication is used only once, so a repeated request has a new timestamp. */
  #authorized(request: HttpRequest, nowMs: number): Authorized {
    const prepared = this.#prepared.get(request);
    if (prepared === undefined) return this.#authorize(request);
    this.#prepared.delete(request);
    const isOld = Math.abs(nowMs - prepared.wallMs) > freshMs;
    const isOff = prepared.correctionMs !== this.#correctionMs;
    const isOther = prepared.by !== this.#parts.auth?.current(nowMs);
    return isOld || isOff || isOther ? this.#authorize(request) : prepared;
  }

  #once(request: HttpRequest): Promise<Exchange> {
    const { auth, clock, rules } = this.#parts;
    const { method, body = '' } = request;
    const path = this.#prefix + request.target;
    const now = clock.now();
    const { by, headers, correctionMs: signedWithMs } = this.#authorized(request, now.wallMs);
    return new Promise((resolve) => {
      const timeoutMs = request.timeoutMs ?? rules.timeoutMs;
      const { maxBodyBytes: maxBytes } = rules;
      const bounds = { timeoutMs, dueMs: now.monoMs + timeoutMs, maxBytes };
      const reading = new Reading(bounds, (exchange) => {
        const isAlone = this.#deadlines.open <= 1;
        this.#deadlines.delete(number);
        if (exchange.kind !== 'response') return resolve(exchange);
        this.#watchClock(exchange);
        if (by && method === 'POST' && exchange.status < 400) auth?.accept(by);
        const isStale = signedWithMs !== this.#correctionMs;
        const isCorrected = exchange.status === 401 && isStale;
        if (!isCorrected && by && auth?.isToRepeat(by, exchange, clock.now().wallMs)) {
          return resolve(this.#once(request));
        }
        const answer: Exchange = isCorrected ? { ...exchange, isClockCorrected: true } : exchange;
        // The answer usually confirms an event that arrived with it, and a client is waiting for the event (decision
        // 0032).
        if (isAlone) setImmediate(resolve, answer);
        else resolve(answer);
      });
      const number = this.#deadlines.add(reading);
      const options = { method, path, headers, body: method === 'POST' ? body : null };
      try {
        const pool = isRead(request) && request.isPublic !== true ? this.#reads : this.#sends;
        pool.dispatch(options, reading);
      } catch (error) {
        reading.onResponseError(null, error as Error);
      }
    });
  }

  #watchClock({ headers, status }: Extract<Exchange, { kind: 'response' }>): void {
    const { date } = headers;
    if (date === undefined || (date === this.#lastDate && status !== 401)) return;
    this.#lastDate = date;
    const venueMs = Date.parse(date);
    if (Number.isNaN(venueMs)) return;
    const { auth, clock, maxSkewMs = 0 } = this.#parts;
    this.#clockOffsetMs = venueMs - clock.now().wallMs;
    const missedMs = Math.abs(this.#clockOffsetMs - this.#correctionMs);
    if (status !== 401 || maxSkewMs === 0 || missedMs <= maxSkewMs / 2) return;
    this.#correctionMs = this.#clockOffsetMs;
    auth?.correctClock(this.#correctionMs);
  }
}

function isRead({ isRead, method }: HttpRequest): boolean {
  return method === 'GET' || isRead === true;
}

interface Bounds extends Pick<Deadline, 'dueMs'> {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Collects one answer. Anything that arrives after the outcome has been reported is dropped. */
class Reading implements Dispatcher.DispatchHandler, Deadline {
  readonly dueMs: number;
  readonly #bounds: Bounds;
  readonly #resolve: (exchange: Exchange) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  #status = 0;
  #headers: Record<string, string> = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(bounds: Bounds, resolve: (exchange: Exchange) => void) {
    this.dueMs = bounds.dueMs;
    this.#bounds = bounds;
    this.#resolve = resolve;
  }

  /** From this call on, bytes may have been sent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error('given up before it was sent'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    for (const name in headers) {
      const value = headers[name];
      if (value !== undefined) this.#headers[name] = Array.isArray(value) ? value.join() : value;
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    const { maxBytes } = this.#bounds;
    if (this.#bytes > maxBytes) this.#abort(`the body is over ${maxBytes} bytes`);
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
    this.#end({
      kind: 'response',
      status: this.#status,
      headers: this.#headers,
      body: body.toString('utf8'),
    });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#end({ kind: this.#controller === null ? 'unsent' : 'broken', problem: problemOf(error) });
  }

  giveUp(): void {
    this.#abort(`no answer within ${this.#bounds.timeoutMs} ms`);
  }

  #abort(problem: string): void {
    this.#end({ kind: this.#controller === null ? 'unsent' : 'broken', problem });
    this.#controller?.abort(new Error(problem));
  }

  #end(exchange: Exchange): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#chunks = [];
    this.#resolve(exchange);
  }
}

/** The error of a host name with several addresses has no reason of its own, but its parts do. */
function problemOf(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  const { code } = error as { code?: string };
  const message = first instanceof Error ? first.message : error.message;
  return code === undefined || message.includes(code) ? message : `${code}: ${message}`;
}
