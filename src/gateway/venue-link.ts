/** One account's way to the venue: its credential, its requests, its stream; and the line that they serve. */
import type { StreamEvent } from '../domain/event.ts';
import type { Clock } from '../runtime/clock.ts';
import { nowUs } from '../runtime/latency.ts';
import { ExecutionStream, type StreamState } from '../venue/execution-stream.ts';
import { HttpClient, type HttpRequest } from '../venue/http-client.ts';
import { Pacer } from '../venue/pacer.ts';
import type { Profile } from '../venue/profile.ts';
import { reconcile } from '../venue/reconcile.ts';
import { type Credential, RequestAuth } from '../venue/request-auth.ts';
import type { SubmissionRules } from '../venue/submission.ts';
import { type SubmitPorts, Submitter } from '../venue/submitter.ts';
import { VenueReads } from '../venue/venue-reads.ts';
import type { Exchange } from '../venue/verdict.ts';
import type { AccountLine } from './account-line.ts';
import type { Hops } from './hops.ts';
import type { Observer } from './observer.ts';

export interface LinkParts {
  readonly profile: Profile;
  readonly baseUrl: string;
  readonly credential: Credential;
  readonly clock: Clock;
  readonly act: SubmitPorts['act'];
  readonly hops: Hops;
  readonly observer: Observer;
  /** How long an order may wait for room at the venue. */
  readonly patienceMs: number;
}

const maxQueued = 10_000;

/** The requests of one account. The line is known only after it was made with the submitter. */
export class VenueLink {
  readonly reads: VenueReads;
  readonly submitter: Submitter;
  readonly #parts: LinkParts;
  readonly #http: HttpClient;
  #line: AccountLine | undefined;
  #stream: ExecutionStream | undefined;

  constructor(parts: LinkParts) {
    const { profile, baseUrl, credential, clock, act, patienceMs } = parts;
    this.#parts = parts;
    const auth = new RequestAuth(profile.auth.http, credential);
    const { maxSkewMs } = profile.auth.http;
    this.#http = new HttpClient({ baseUrl, rules: profile.http, clock, auth, maxSkewMs });
    this.reads = new VenueReads(this.#http, profile);
    this.submitter = new Submitter({
      profile,
      http: {
        exchange: (request) => this.#submit(request),
        prepare: (request) => this.#http.prepare(request),
      },
      clock,
      pacer: new Pacer(),
      random: Math.random,
      rules: submissionRules(profile, patienceMs),
      maxQueued,
      ports: {
        resign: (send, after) => this.#ready().resign(send, after),
        reconcile: (send) => reconcile(this.reads, send),
        fence: (send) => this.#ready().fence(send),
        act,
      },
    });
  }

  get streamCounts(): ExecutionStream['counts'] | undefined {
    return this.#stream?.counts;
  }

  /** The venue's time minus ours. */
  get clockOffsetMs(): number {
    return this.#http.clockOffsetMs;
  }

  /** Follows the account's stream from what its desk has heard; resolves when nothing is missing any more. */
  async follow(
    line: AccountLine,
    told: {
      readonly state: (state: StreamState, reason: string) => void;
      readonly numbered: (number: number, text: string) => void;
      readonly problem: (text: string) => void;
      /** What events wait for before the line hears them, undefined for nothing. */
      readonly listing: (events: readonly StreamEvent[]) => Promise<void> | undefined;
      readonly rebuild: (afterSeq: number, toSeq: number) => Promise<void>;
    },
    waitMs: number,
  ): Promise<void> {
    const { profile, baseUrl, clock } = this.#parts;
    this.#line = line;
    await new Promise<void>((resolve) => {
      const cancel = clock.at(clock.now().monoMs + waitMs, resolve);
      const stream = new ExecutionStream({
        account: line.account,
        lastSeq: line.desk.lastSeq,
        url: socketUrl(baseUrl, profile),
        profile,
        reads: this.reads,
        clock,
        random: Math.random,
        consumer: {
          deliver: (events: readonly StreamEvent[]) =>
            told.listing(events)?.then(() => line.hear(events)) ?? line.hear(events),
          state(state, reason) {
            told.state(state, reason);
            if (state !== 'live') return;
            cancel();
            resolve();
          },
          numbered: told.numbered,
          rebuild: told.rebuild,
          problem: told.problem,
        },
      });
      this.#stream = stream;
      stream.start();
    });
  }

  /** Something that was accepted is not heard of on the stream. */
  probe(): void {
    this.#stream?.probe();
  }

  bind(line: AccountLine): void {
    this.#line = line;
  }

  async stop(): Promise<void> {
    await this.#stream?.stop();
    this.submitter.stop();
    await this.#http.close();
  }

  async #submit(request: HttpRequest): Promise<Exchange> {
    const { hops, observer } = this.#parts;
    const { account } = this.#ready();
    const sentUs = nowUs();
    observer.requested(account, request);
    const exchange = await this.#http.exchange(request);
    hops.answer.observe(nowUs() - sentUs);
    observer.answered(account, request, exchange);
    return exchange;
  }

  #ready(): AccountLine {
    if (this.#line === undefined) throw new Error('the account has no line yet');
    return this.#line;
  }
}

function submissionRules(profile: Profile, patienceMs: number): SubmissionRules {
  return {
    backoff: profile.backoff,
    maxAgeMs: patienceMs,
    floorWaitMs: patienceMs,
    deadAfterMs: profile.action.maxClockSkewMs + 10_000,
  };
}

/** Where the private stream is. */
export function socketUrl(baseUrl: string, profile: Profile): string {
  const url = new URL(baseUrl);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return `${url.origin}${url.pathname.replace(/\/$/, '')}${profile.routes.wsPrivate}`;
}
