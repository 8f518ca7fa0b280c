/**
 * The venue's read routes (contract A.15, B.4). Each method sends one request, with the client's deadline, and either
 * returns a checked record or throws a `VenueReadError` that contains the request and the answer.
 */

import type { Market } from '../domain/instrument.ts';
import type { Account, Book, MarketId, OrderId } from '../domain/units.ts';
import { parsedJson } from '../runtime/parsed-json.ts';
import { readAnswer } from './answer.ts';
import { EventReader } from './event-reader.ts';
import type { VenuePoll } from './gate.ts';
import type { HttpClient } from './http-client.ts';
import { compilePointer } from './json-pointer.ts';
import { type Profile, routePath } from './profile.ts';
import {
  type LimitsRecord,
  type OrderBook,
  type Receipt,
  readLimits,
  readMarkets,
  readOrderBook,
  readReceipts,
  readStatus,
  receiptsTarget,
  unknownBuild,
} from './records.ts';
import type { Exchange } from './verdict.ts';
import { flag, list, natural, optional, text, WireError } from './wire-value.ts';

/** Clients get the reason in a message. */
const longestReason = 256;

/** The venue did not return the record; `cause` is its machine-readable reason, if any. */
export class VenueReadError extends Error {
  readonly status: number | null;
  readonly reason: string | null;

  constructor(message: string, status: number | null = null, reason: string | null = null) {
    super(message);
    this.status = status;
    this.reason = reason;
  }

  /** The venue refuses the credential, not the request. */
  get isOfCredential(): boolean {
    return this.status === 401 || this.status === 403;
  }
}

export interface Token {
  readonly token: string;
  /** Unix milliseconds; null if the venue did not state it. */
  readonly expiresAtMs: number | null;
}

type Ok = Extract<Exchange, { kind: 'response' }>;

export class VenueReads {
  readonly #http: Pick<HttpClient, 'exchange'>;
  readonly #profile: Profile;
  readonly #events: EventReader;

  constructor(http: Pick<HttpClient, 'exchange'>, profile: Profile) {
    this.#http = http;
    this.#profile = profile;
    this.#events = new EventReader(profile.stream);
  }

  /** The readiness status decides, and the overview explains it; neither throws. */
  async poll(): Promise<VenuePoll> {
    const { records, routes } = this.#profile;
    const [readiness, status] = await Promise.all([
      this.#http.exchange({ method: 'GET', target: routes.readiness }),
      this.#read(routes.status, (value) => readStatus(records.status, value)).catch(() => null),
    ]);
    if (readiness.kind !== 'response') {
      return { readiness: 'unreachable', reason: readiness.problem, status };
    }
    const answer = readAnswer(readiness.body);
    const reason =
      answer.kind === 'record' ? compilePointer(records.readiness.reason)(answer.value) : null;
    return {
      readiness: readiness.status === 200 ? 'ready' : 'not_ready',
      reason:
        typeof reason === 'string'
          ? reason.slice(0, longestReason)
          : `the readiness route answered HTTP ${readiness.status}`,
      status,
    };
  }

  /** Returns the limits, and whether the contract header names the version that we support (R84). */
  async limits(): Promise<{ readonly limits: LimitsRecord; readonly contract: string | null }> {
    const { headers, records, routes } = this.#profile;
    const response = await this.#get(routes.limits);
    const limits = this.#record(routes.limits, response, (value) =>
      readLimits(records.limits, value),
    );
    return { limits, contract: response.headers[headers.contract.toLowerCase()] ?? null };
  }

  /** Returns the signing domain that the venue names; null if it names none (G01). */
  async signingDomain(): Promise<string | null> {
    const { records, routes } = this.#profile;
    const domain = compilePointer(records.connectivity.actionDomain);
    return this.#read(routes.connectivity, (value) =>
      optional(text)(domain(value), 'signingDomain'),
    );
  }

  async unknownBuild(): Promise<readonly string[]> {
    const { records, routes } = this.#profile;
    return this.#read(routes.version, (value) => unknownBuild(records.version, value));
  }

  async markets(skip?: (fault: WireError) => void): Promise<readonly Market[]> {
    const { records, routes } = this.#profile;
    return this.#read(routes.markets, (value) => readMarkets(records, value, skip));
  }

  async orderBook(marketId: MarketId, book: Book | null): Promise<OrderBook> {
    const { marketData, records } = this.#profile;
    const query = book === null ? '' : `book=${book}&`;
    const path = routePath(this.#profile, 'orderbook', { marketId });
    const target = `${path}?${query}depth=${marketData.depth}`;
    return this.#read(target, (value) => {
      const found = readOrderBook(records.orderbook, value);
      if (found.marketId === marketId && (found.book ?? book) === book) return found;
      throw new WireError('orderbook', 'is of another market or outcome');
    });
  }

  async receipts(
    account: Account,
    by: { readonly actionHash?: string; readonly orderId?: OrderId } = {},
  ): Promise<readonly Receipt[]> {
    const target = receiptsTarget(this.#profile, account, by);
    return this.#read(target, (value) => readReceipts(this.#profile.records, this.#events, value));
  }

  /** Returns the venue's own count of the account's events, from its drop-copy record (G49, G72). */
  async lastSeq(account: Account): Promise<number> {
    const { records, routes } = this.#profile;
    const query = new URLSearchParams({ [records.receipts.accountParam]: account });
    return this.#read(`${routes.dropCopy}?${query}`, (value) =>
      natural(compilePointer(records.dropCopy.lastSeq)(value), 'lastSeq'),
    );
  }

  /** Returns one page of events from `fromSeq` (inclusive), with the account name that the profile selects (R67). */
  async gapFill(account: Account, fromSeq: number) {
    const { gapFill, routes } = this.#profile;
    const query = new URLSearchParams({
      [gapFill.accountParam]: account,
      ...(gapFill.use === 'fromSeq'
        ? { [gapFill.fromSeqParam]: String(fromSeq) }
        : { [gapFill.cursorParam]: String(fromSeq - 1) }),
      [gapFill.limitParam]: String(gapFill.limit),
    });
    return this.#read(`${routes.gapFill}?${query}`, (value) => {
      const at = (pointer: string) => compilePointer(pointer)(value);
      const events = list(at(gapFill.eventsPointer), 'events', gapFill.limit);
      return {
        events: events.map((event) => this.#events.read(event)),
        lastSeq: optional(natural)(at(gapFill.lastSeqPointer), 'lastSeq'),
        complete: flag(at(gapFill.completePointer), 'complete'),
      };
    });
  }

  async wsToken(account: Account): Promise<Token> {
    const { routes, ws } = this.#profile;
    const { accountField, expiresAtPointer, tokenPointers, ttlField, ttlMs } = ws.token;
    const response = await this.#http.exchange({
      method: 'POST',
      target: routes.wsToken,
      body: JSON.stringify({ [accountField]: account, [ttlField]: ttlMs }),
    });
    return this.#record(routes.wsToken, asked(routes.wsToken, response), (value) => {
      const found = tokenPointers
        .map((pointer) => compilePointer(pointer)(value))
        .find((candidate) => typeof candidate === 'string');
      return {
        token: text(found, 'token'),
        expiresAtMs: optional(natural)(compilePointer(expiresAtPointer)(value), 'expiresAtMs'),
      };
    });
  }

  /** Returns the account's current nonce from the hash route, which changes nothing (G19). */
  async currentNonce(unsignedEnvelope: string): Promise<number> {
    const { hashRoute, routes } = this.#profile;
    const response = await this.#http.exchange({
      method: 'POST',
      target: routes.hash,
      body: unsignedEnvelope,
      isRead: true,
    });
    return this.#record(routes.hash, asked(routes.hash, response), (value) =>
      nonceAt(hashRoute.noncePointer, value),
    );
  }

  async #read<T>(target: string, parse: (value: unknown) => T): Promise<T> {
    return this.#record(target, await this.#get(target), parse);
  }

  async #get(target: string): Promise<Ok> {
    return asked(target, await this.#http.exchange({ method: 'GET', target }));
  }

  #record<T>(target: string, response: Ok, parse: (value: unknown) => T): T {
    const answer = readAnswer(response.body);
    const { status } = response;
    const where = target.split('?', 1)[0];
    if (answer.kind === 'envelope') {
      const { cause, code, message } = answer;
      throw new VenueReadError(`${where}: ${code}: ${cause ?? ''} ${message}`, status, cause);
    }
    if (answer.kind === 'flat') {
      throw new VenueReadError(`${where}: ${answer.code}: ${answer.error}`, status, answer.code);
    }
    if (answer.kind !== 'record' || status !== 200) {
      const problem =
        answer.kind === 'unreadable' ? answer.problem : `a body of kind ${answer.kind}`;
      throw new VenueReadError(`${where}: HTTP ${status} with ${problem}`, status);
    }
    try {
      return parse(answer.value);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      throw new VenueReadError(`${where}: ${error.message}`, status);
    }
  }
}

function asked(target: string, exchange: Exchange): Ok {
  if (exchange.kind === 'response') return exchange;
  throw new VenueReadError(`${target.split('?', 1)[0]}: ${exchange.problem}`);
}

/** The text for an operator when a query for the nonce floor has failed. */
export function discoveryProblem(error: unknown, isFloorKnown: boolean): string {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof VenueReadError && error.isOfCredential) {
    return `the venue refuses the credential of this account, so nothing can be sent: ${text}`;
  }
  const what = isFloorKnown ? 'were not compared with the venue' : 'are not known';
  return `nonces ${what}: ${text}`;
}

/** The contract leaves open (G23) whether the payload is an object or JSON text, and its nonce a number or text. */
function nonceAt(pointer: string, value: unknown): number {
  const cut = pointer.lastIndexOf('/');
  const payload = compilePointer(pointer.slice(0, cut))(value);
  const found = compilePointer(pointer.slice(cut))(
    typeof payload === 'string' ? parsedJson(payload) : payload,
  );
  const isText = typeof found === 'string' && /^\d{1,16}$/.test(found);
  return natural(isText ? Number(found) : found, 'canonicalPayload.nonce');
}
