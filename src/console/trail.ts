/**
 * The trail of what the bridge received, did and sent, for an order's story and the message search. It observes the hot
 * path: an entry is copied into a batch, and batches go to a thread. When that thread does not keep up, entries are
 * dropped and counted (docs/decisions/0126-the-console.md). The journal is authoritative, the trail is not.
 */
import type { Worker } from 'node:worker_threads';
import type { Observer, PreparedAction } from '../gateway/account/observer.ts';
import type { Clock } from '../runtime/clock.ts';
import { FoldedAlarm } from '../runtime/folded-alarm.ts';
import { nowUs } from '../runtime/latency.ts';
import { startThread } from '../runtime/shipped.ts';
import type { HttpRequest } from '../venue/http-client.ts';
import type { Exchange } from '../venue/verdict.ts';
import { entryBytes, TrailBatch, type TrailKind } from './trail-batch.ts';
import type { RingOptions, TrailRing } from './trail-ring.ts';
import type { TrailRow, TrailSearch } from './trail-segment.ts';

/** A call of a method of the ring. */
export interface TrailAsk {
  readonly method: keyof TrailRing;
  readonly args: readonly unknown[];
}

/** The thread answers in the order of the requests. */
export type TrailAnswer = { readonly result: unknown } | { readonly fault: string };

export interface TrailOptions extends RingOptions {
  readonly clock: Clock;
  /** The maximum number of bytes queued for the thread; entries beyond that are dropped. */
  readonly maxWaitingBytes?: number;
  readonly alarm: (text: string) => void;
}

/** The Unix time at which the clock of `nowUs` started; querying it each time costs as much as the copy. */
const originUs = performance.timeOrigin * 1_000;
const batchBytes = 64 * 1024;
const flushMs = 50;
const defaultMaxWaiting = 32 * 1024 * 1024;
/** The rest of a longer body is dropped. */
const longestBody = 64 * 1024;

export class Trail implements Observer {
  readonly #options: TrailOptions;
  readonly #worker: Worker;
  /** The calls without an answer, in order. */
  readonly #waiting: Omit<PromiseWithResolvers<never>, 'promise'>[] = [];
  #batch = new TrailBatch(batchBytes);
  #isFlushSet = false;
  #waitingBytes = 0;
  #dropped = 0;
  #count = 0;
  #failure: Error | undefined;
  readonly #lost = new FoldedAlarm();

  constructor(options: TrailOptions) {
    this.#options = options;
    const { directory, maxRecords } = options;
    this.#worker = startThread('console/trail-worker', { directory, maxRecords });
    this.#worker.on('message', (answer: TrailAnswer) => this.#answered(answer));
    this.#worker.on('error', (error: Error) => {
      this.#options.alarm(`the console keeps no more messages: ${error.message}`);
      this.#fail(error);
    });
    this.#worker.on('exit', () => this.#fail(new Error('the trail is closed')));
    // Counts the records of earlier starts; if the thread exits, its own events report that.
    this.#ask('count').then(
      (count) => {
        this.#count = count;
      },
      () => {},
    );
  }

  /** The number of entries that were dropped for lack of room. */
  get dropped(): number {
    return this.#dropped;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** The number of records that are kept. */
  get count(): number {
    return this.#count;
  }

  readonly bytes: Observer['bytes'] = (session, direction, bytes) => {
    this.#add(direction, session, bytes);
  };

  recorded(account: string, payload: Uint8Array, actions: readonly PreparedAction[]): void {
    if (actions.length === 0) {
      this.#add('journal', account, payload);
      return;
    }
    const record = Buffer.from(payload).toString();
    this.#add('journal', account, `${record.slice(0, -1)},"actions":${actionsText(actions)}}`);
  }

  requested(account: string, { body = '', headers = [], target }: HttpRequest): void {
    this.#add('request', account, JSON.stringify({ target, key: headers[1] ?? '' }) + body);
  }

  answered(account: string, { headers = [] }: HttpRequest, exchange: Exchange): void {
    const shown =
      exchange.kind === 'response'
        ? { ...exchange, headers: undefined, body: exchange.body.slice(0, longestBody) }
        : exchange;
    this.#add('answer', account, JSON.stringify({ key: headers[1] ?? '', ...shown }));
  }

  search(search: TrailSearch): Promise<readonly TrailRow[]> {
    return this.#ask('search', search);
  }

  get(record: number): Promise<TrailRow | undefined> {
    return this.#ask('get', record);
  }

  linked(links: readonly string[]): Promise<readonly TrailRow[]> {
    return this.#ask('linked', links);
  }

  /** Once it resolves, everything recorded before the call can be queried. */
  async flush(): Promise<void> {
    this.#send();
    await this.#ask('count');
  }

  async close(): Promise<void> {
    if (this.#failure !== undefined) return;
    this.#send();
    await this.#ask('close').catch(() => {});
    await this.#worker.terminate();
  }

  #add(kind: TrailKind, name: string, content: Uint8Array | string): void {
    const { maxWaitingBytes = defaultMaxWaiting } = this.#options;
    if (this.#failure !== undefined || this.#waitingBytes > maxWaitingBytes) {
      this.#dropped += 1;
      return;
    }
    const atUs = originUs + nowUs();
    if (!this.#batch.add(kind, atUs, name, content)) {
      this.#send();
      const size = entryBytes(name, content);
      if (size > batchBytes) this.#batch = new TrailBatch(size);
      this.#batch.add(kind, atUs, name, content);
    }
    if (this.#isFlushSet) return;
    this.#isFlushSet = true;
    const { clock } = this.#options;
    clock.at(clock.now().monoMs + flushMs, () => {
      this.#isFlushSet = false;
      this.#send();
    });
  }

  #send(): void {
    const { buffer, length } = this.#batch;
    if (length === 0 || this.#failure !== undefined) return;
    this.#batch = new TrailBatch(batchBytes);
    this.#waitingBytes += length;
    this.#ask('take', buffer, length).then(
      (count) => {
        this.#waitingBytes -= length;
        this.#count = count;
      },
      (error: Error) => {
        this.#waitingBytes -= length;
        const text = `messages are missing from the console's search: ${error.message}`;
        const alarm = this.#lost.add(text, this.#options.clock.now().monoMs);
        if (alarm !== undefined) this.#options.alarm(alarm);
      },
    );
  }

  #ask<Method extends keyof TrailRing>(
    method: Method,
    ...args: Parameters<TrailRing[Method]>
  ): Promise<ReturnType<TrailRing[Method]>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const { promise, resolve, reject } = Promise.withResolvers<ReturnType<TrailRing[Method]>>();
    this.#waiting.push({ resolve, reject });
    // Buffers are transferred instead of copied.
    const buffers = args.filter((arg) => arg instanceof ArrayBuffer);
    this.#worker.postMessage({ method, args } satisfies TrailAsk, buffers);
    return promise;
  }

  #answered(answer: TrailAnswer): void {
    const waiting = this.#waiting.shift();
    if ('fault' in answer) waiting?.reject(new Error(answer.fault));
    else waiting?.resolve(answer.result as never);
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

function actionsText(actions: readonly PreparedAction[]): string {
  return JSON.stringify(
    actions.map(({ asked, bytes, nonce }) => ({
      ...asked,
      nonce,
      actionHash: `0x${bytes.hash}`,
      placed: bytes.placed,
      canonical: bytes.text,
    })),
  );
}
