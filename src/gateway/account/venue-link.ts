/** One account's connection to the venue: credential, requests and execution stream. */

import type { Account } from '../../domain/units.ts';
import type { Random } from '../../runtime/backoff.ts';
import type { Clock } from '../../runtime/clock.ts';
import { nowUs } from '../../runtime/latency.ts';
import type { AlarmFacts, LineEvent, OperatorLines } from '../../runtime/operator-line.ts';
import { Credentials } from '../../venue/credentials.ts';
import { Dispatcher } from '../../venue/dispatcher.ts';
import { ExecutionStream, type StreamConsumer } from '../../venue/execution-stream.ts';
import { HttpClient, type HttpRequest } from '../../venue/http-client.ts';
import type { VenueNetwork } from '../../venue/network.ts';
import type { Pacer } from '../../venue/pacer.ts';
import type { Profile } from '../../venue/profile.ts';
import type { Credential } from '../../venue/request-auth.ts';
import { type RebuiltAccount, rebuildFromReceipts } from '../../venue/stream-rebuild.ts';
import type { VenueEvent } from '../../venue/venue-event.ts';
import { VenueReads } from '../../venue/venue-reads.ts';
import type { Exchange } from '../../venue/verdict.ts';
import type { Hops } from './hops.ts';
import type { Observer } from './observer.ts';

export interface LinkParts {
  readonly profile: Profile;
  readonly baseUrl: string;
  readonly account: Account;
  readonly credential: Credential;
  /** The venue refused one of two credentials. */
  readonly alarm: (text: string) => void;
  readonly clock: Clock;
  readonly outside: { readonly network: VenueNetwork; readonly random: Random };
}

export interface SubmissionParts {
  readonly hops: Hops;
  readonly observer: Observer;
  /** Of all accounts, because the venue also limits our address. */
  readonly pacer: Pacer;
  /** The maximum time that an order waits for room at the venue. */
  readonly patienceMs: number;
  /** Confirms with the store that this process still owns the account. */
  readonly confirmed: () => Promise<void> | undefined;
}

/** The receiver of the stream's events. */
export interface StreamFollower {
  readonly account: Account;
  readonly orders: { readonly lastSeq: number };
  onEvents(events: readonly VenueEvent[]): Promise<void>;
}

export interface StreamNews extends Omit<StreamConsumer, 'deliver'> {
  /** Returns a promise that the events wait for, or undefined if they need not wait. */
  whenListed(events: readonly VenueEvent[]): Promise<void> | undefined;
}

export function accountAlarm(
  { alarm }: Pick<OperatorLines, 'alarm'>,
  account: string,
  text: string,
  facts: AlarmFacts,
): void {
  alarm(`${account}: ${text}`, { ...facts, account });
}

/** Writes the news of an account's stream to the log. `lost` gets a text about events that the venue keeps no more. */
export function streamNews(
  log: OperatorLines,
  name: string,
  runner: RebuiltAccount,
  reads: VenueReads,
  lost: (lines: readonly string[]) => void | Promise<void>,
): Omit<StreamNews, 'whenListed'> {
  const note = (text: string, event: LineEvent, code?: string) =>
    log.notice(`${name}: ${text}`, { event, account: name, code });
  const alarm = (text: string, facts: AlarmFacts) => accountAlarm(log, name, text, facts);
  return {
    state(state, reason) {
      const text = `stream ${state}: ${reason}`;
      if (state === 'latched') alarm(text, { event: 'stream_latched' });
      else if (state === 'live') note(text, 'stream_live');
      else note(text, 'stream_down', state);
    },
    numbered: (number, text) => note(`number ${number}: ${text}`, 'venue_number', String(number)),
    problem: (text) => note(text, 'stream_problem'),
    unanswered: (text) => alarm(`the execution stream: ${text}`, { event: 'stream_failed' }),
    async rebuild(afterSeq, toSeq) {
      const gap = { fromSeq: afterSeq + 1, toSeq };
      const missing = (text: string, orderId?: string) =>
        alarm(text, { event: 'events_lost', orderId });
      await lost(await rebuildFromReceipts(runner, reads, gap, missing));
    },
  };
}

const maxQueued = 10_000;
/** Limits how long a stream that advances but never catches up can delay cancels. */
const maxWaits = 6;

export class VenueLink {
  readonly reads: VenueReads;
  /** Over the same connections, without the credential. */
  readonly publicReads: VenueReads;
  readonly credentials: Credentials;
  readonly #parts: LinkParts;
  readonly #http: HttpClient;
  #dispatcher: Dispatcher | undefined;
  #stream: ExecutionStream | undefined;

  constructor(parts: LinkParts) {
    const { alarm, profile, baseUrl, credential, clock, outside } = parts;
    this.#parts = parts;
    const auth = new Credentials(profile.auth.http, credential, alarm);
    this.credentials = auth;
    const { maxSkewMs } = profile.auth.http;
    this.#http = new HttpClient({
      baseUrl,
      rules: profile.http,
      clock,
      auth,
      maxSkewMs,
      network: outside.network,
    });
    this.reads = new VenueReads(this.#http, profile);
    const publicly = (request: HttpRequest) => this.#http.exchange({ ...request, isPublic: true });
    this.publicReads = new VenueReads({ exchange: publicly }, profile);
  }

  /** Enables sending signed actions. A process that only relays never calls it. */
  openSubmission(submission: SubmissionParts): Dispatcher {
    const { clock, profile } = this.#parts;
    this.#dispatcher = new Dispatcher({
      ...submission,
      profile,
      http: {
        exchange: (request) => this.#submit(request, submission),
        prepare: (request) => this.#http.prepare(request),
      },
      clock,
      maxQueued,
    });
    return this.#dispatcher;
  }

  get streamCounts(): ExecutionStream['counts'] | undefined {
    return this.#stream?.counts;
  }

  /** The venue's time minus ours. */
  get clockOffsetMs(): number {
    return this.#http.clockOffsetMs;
  }

  /**
   * Follows the account's stream from the last event that its orders know. Resolves once the stream has caught up, or
   * has not advanced within the wait, or cannot because the venue refuses the credential: other programs may have
   * traded heavily on the account, and orders are refused until all events are read.
   */
  async follow(follower: StreamFollower, news: StreamNews, waitMs: number): Promise<void> {
    const { profile, baseUrl, clock, outside } = this.#parts;
    await new Promise<void>((resolve) => {
      let cancel = () => {};
      const over = () => {
        cancel();
        resolve();
      };
      const waitFrom = (seq: number, waits: number) => {
        cancel = clock.at(clock.now().monoMs + waitMs, () => {
          const { lastSeq } = stream;
          if (lastSeq > seq && waits < maxWaits) waitFrom(lastSeq, waits + 1);
          else resolve();
        });
      };
      const stream = new ExecutionStream({
        account: follower.account,
        lastSeq: follower.orders.lastSeq,
        url: socketUrl(baseUrl, profile),
        profile,
        reads: this.reads,
        clock,
        ...outside,
        consumer: {
          ...news,
          deliver: (events: readonly VenueEvent[]) =>
            news.whenListed(events)?.then(() => follower.onEvents(events)) ??
            follower.onEvents(events),
          state(state, reason) {
            news.state(state, reason);
            if (state === 'live') over();
          },
          refused: over,
        },
      });
      this.#stream = stream;
      waitFrom(stream.lastSeq, 1);
      stream.start();
    });
  }

  /** Checks the stream for gaps, because an accepted action has no event yet. */
  probe(): void {
    this.#stream?.probe();
  }

  async stop(): Promise<void> {
    this.#dispatcher?.stop();
    await this.#stream?.stop();
    await this.#http.close();
  }

  async #submit(request: HttpRequest, { hops, observer }: SubmissionParts): Promise<Exchange> {
    const { account } = this.#parts;
    const sentUs = nowUs();
    observer.requested(account, request);
    const exchange = await this.#http.exchange(request);
    hops.answer.observe(nowUs() - sentUs);
    observer.answered(account, request, exchange);
    return exchange;
  }
}

export function socketUrl(baseUrl: string, profile: Profile): string {
  const url = new URL(baseUrl);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return `${url.origin}${url.pathname.replace(/\/$/, '')}${profile.routes.wsPrivate}`;
}
