/**
 * The venue's entry point without a socket: every request gets a response (contract A.14, A.15). This is the only place
 * that turns exceptions of routes into the contract's error shapes.
 */
import { ActionRefusal } from './action-input.ts';
import { agentRoutes } from './agent-routes.ts';
import type { Route } from './call.ts';
import type { FaultRule } from './faults.ts';
import { Held } from './held.ts';
import {
  AgentError,
  EnvelopeError,
  type EnvelopeStatus,
  envelope,
  flat,
  json,
  text,
  type VenueRequest,
  type VenueResponse,
  withoutEffect,
} from './http-message.ts';
import { publicRoutes } from './public-routes.ts';
import { recordRoutes } from './record-routes.ts';
import { authenticate } from './request-auth.ts';
import type { State } from './state.ts';
import { JsonSyntaxError, parseJsonBytes } from './strict-json.ts';
import { refusedAnswer } from './submit-response.ts';
import { submitRoutes } from './submit-routes.ts';

const maxTargetLength = 4096;
const maxHeld = 10_000;

export class Ingress {
  readonly #state: State;
  readonly #fixed = new Map<string, Route>();
  readonly #patterns: { readonly form: RegExp; readonly route: Route }[] = [];
  readonly #held = new Held(maxHeld);
  /** Runs everything that is due, before a request is processed. */
  runDue: (wallMs: number) => void = () => {};
  /** Called for each request that reached its route despite the faults, before its answer is sent. */
  onDone: (request: VenueRequest, answer: VenueResponse, wallMs: number) => void = () => {};

  constructor(state: State) {
    this.#state = state;
    const { profile } = state;
    const routes = [
      ...publicRoutes(profile),
      ...recordRoutes(profile),
      ...submitRoutes(profile),
      ...agentRoutes(profile),
    ];
    for (const route of routes.flatMap(withAliases)) this.#add(route);
  }

  handle(request: VenueRequest): VenueResponse {
    const fault = this.#state.faults.request(pathOf(request), this.#claimedAccount(request));
    const early = fault === undefined ? undefined : this.#before(fault, request);
    if (early !== undefined) return early;
    const answer = this.#process(request);
    return fault === undefined ? answer : this.#after(fault, answer);
  }

  /** Applies the held requests that are due. */
  advance(): void {
    this.#held.applyDue(this.#state.clock.now().monoMs);
  }

  /** Applies all held requests now. */
  releaseHeld(): void {
    this.#held.applyAll();
  }

  /** Repeats an earlier input, regardless of the faults that are active now. */
  again(request: VenueRequest): void {
    this.#answer(request);
  }

  #process(request: VenueRequest): VenueResponse {
    const { clock } = this.#state;
    const { wallMs } = clock.now();
    const answer = clock.during(wallMs, () => {
      this.runDue(wallMs);
      return this.#answer(request);
    });
    this.onDone(request, answer, wallMs);
    return answer;
  }

  #answer(request: VenueRequest): VenueResponse {
    const edge = this.#state.edgeLimiter.take(
      request.remoteAddress,
      1,
      this.#state.clock.now().monoMs,
    );
    if (!edge.allowed) return this.#edgeLimited(Math.max(1, Math.ceil(edge.resetMs / 1000)));
    try {
      return this.#route(request);
    } catch (error) {
      return this.#refusal(error, request);
    }
  }

  #route(request: VenueRequest): VenueResponse {
    const path = pathOf(request);
    if (request.target.length > maxTargetLength)
      throw new EnvelopeError(400, 'the path is too long');
    if (request.bodyTooLong === true) {
      throw new EnvelopeError(400, 'the body is too long', 'body_too_long');
    }
    const { params, route } = this.#find(request.method, path);
    const { accept = '*/*' } = request.headers;
    if (!/\*\/\*|application\/(json|\*)/.test(accept)) {
      throw new EnvelopeError(406, 'answers are application/json');
    }
    const query = new URLSearchParams(request.target.slice(path.length + 1));
    const call = { state: this.#state, request, query, params };
    const { clock, identities, profile } = this.#state;
    return route.handle(call, () => {
      const arrivedMs = request.receivedMs ?? clock.now().wallMs;
      return authenticate(request, profile.auth.http, identities, arrivedMs);
    });
  }

  #find(method: string, path: string): { route: Route; params: Record<string, string> } {
    const fixed = this.#fixed.get(`${method} ${path}`);
    if (fixed !== undefined) return { route: fixed, params: {} };
    for (const { form, route } of this.#patterns) {
      const match = route.method === method ? form.exec(path) : null;
      if (match !== null) return { route, params: { ...match.groups } };
    }
    throw new EnvelopeError(404, 'no such route');
  }

  #add(route: Route): void {
    if (!route.path.includes('{')) {
      this.#fixed.set(`${route.method} ${route.path}`, route);
      return;
    }
    const form = route.path.replace(/\{(\w+)\}/g, '(?<$1>[A-Za-z0-9._-]{1,64})');
    this.#patterns.push({ form: new RegExp(`^${form}$`), route });
  }

  #refusal(error: unknown, request: VenueRequest): VenueResponse {
    if (error instanceof AgentError) return withoutEffect(flat(error));
    if (error instanceof EnvelopeError) {
      return withoutEffect(envelope(error, this.#state.requestId()));
    }
    if (error instanceof ActionRefusal) return this.#refused(request, error.code, error.message);
    // This is our own bug: the client only learns that the request failed; the operator reads the log.
    this.#state.reportFault(error);
    return envelope(new EnvelopeError(500, 'internal error'), this.#state.requestId());
  }

  #edgeLimited(afterSeconds: number): VenueResponse {
    const { edgeAfterHeader, edgeAfterUnit } = this.#state.profile.rateLimit;
    const after = edgeAfterUnit === 's' ? afterSeconds : afterSeconds * 1000;
    return withoutEffect(text(429, 'Too Many Requests\n', { [edgeAfterHeader]: String(after) }));
  }

  #before(fault: FaultRule, request: VenueRequest): VenueResponse | undefined {
    switch (fault.kind) {
      case 'fail_before':
        return this.#failure(fault.status);
      case 'drop':
        return this.#failure(409, 'dropped_action');
      case 'edge_limit':
        return this.#edgeLimited(1);
      case 'refuse':
        return this.#refused(request, fault.code, `refused on command: ${fault.code}`);
      case 'cut_before':
        return { ...this.#failure(503), wire: { cutAtByte: 0 } };
      case 'hold':
      case 'hold_fail':
      case 'hold_cut':
        return this.#hold(fault, request);
      default:
        return undefined;
    }
  }

  #hold(fault: FaultRule, request: VenueRequest): VenueResponse {
    const { claimsNonce, delayMs, kind, status } = fault;
    const { monoMs, wallMs } = this.#state.clock.now();
    const dueMonoMs = delayMs === null ? null : monoMs + delayMs;
    const unclaim = claimsNonce ? this.#claimNonce(request) : () => {};
    const apply = () => {
      unclaim();
      this.#process({ ...request, receivedMs: wallMs });
    };
    if (!this.#held.hold(apply, dueMonoMs)) {
      const error = new EnvelopeError(503, 'too many requests are held');
      return envelope(error, this.#state.requestId());
    }
    const answer = this.#failure(status);
    if (kind === 'hold_fail') return answer;
    return { ...answer, wire: kind === 'hold_cut' ? { cutAtByte: 0 } : { delayMs: null } };
  }

  #after(fault: FaultRule, answer: VenueResponse): VenueResponse {
    switch (fault.kind) {
      case 'fail_after':
        return this.#failure(fault.status);
      case 'durable_timeout':
        return answer.status === 200 ? this.#durableTimeout(answer) : answer;
      case 'slow':
        return { ...answer, wire: { delayMs: fault.delayMs } };
      case 'swap':
        return { ...answer, wire: { isSwapped: true } };
      case 'cut_after':
        return { ...answer, wire: { cutAtByte: fault.atByte } };
      default:
        return answer;
    }
  }

  /** Returns a function that frees the nonce again. */
  #claimNonce({ body }: VenueRequest): () => void {
    try {
      const { account, nonce } = this.#state.reader.signedAction(parseJsonBytes(body)).payload;
      const window = this.#state.nonces(account);
      // A nonce that is already taken remains so: this request will be refused when it is applied.
      if (window.check(nonce) !== undefined) return () => {};
      window.claim(nonce);
      return () => window.unclaim(nonce);
    } catch (error) {
      // Anything except a signed action has no nonce.
      if (error instanceof ActionRefusal || error instanceof JsonSyntaxError) return () => {};
      throw error;
    }
  }

  /** Applying did not finish in time: only the results of the first half of the actions are present (contract A.13). */
  #durableTimeout(answer: VenueResponse): VenueResponse {
    const body = JSON.parse(answer.body) as { actionResults?: unknown[] | null };
    const { actionResults } = body;
    // The answer to a single action would say that it was accepted.
    if (actionResults === undefined) return this.#failure(503, 'durable_timeout');
    const partial = actionResults?.slice(0, Math.floor(actionResults.length / 2)) ?? null;
    const headers = { ...answer.headers, 'retry-after': '1' };
    return json(503, { ...body, ok: false, actionResults: partial }, headers);
  }

  /** The refusal of an action that was not submitted. */
  #refused(request: VenueRequest, code: string, text: string): VenueResponse {
    const state = this.#state;
    const account = this.#claimedAccount(request) ?? '';
    const allowance = state.accountLimiter.take(account, 0, state.clock.now().monoMs);
    return refusedAnswer({ state, allowance }, code, text);
  }

  #failure(status: number, cause?: string): VenueResponse {
    // A proxy in front of the venue sends these two, so they do not have a format of the contract.
    if (status === 502 || status === 504) return text(status, 'upstream failed\n');
    const error = new EnvelopeError(status as EnvelopeStatus, 'failed on command', cause);
    return envelope(error, this.#state.requestId());
  }

  /** A request with a key need not come from its owner. */
  #claimedAccount(request: VenueRequest): string | null {
    const { key } = this.#state.profile.auth.http.headers;
    const apiKey = request.headers[key.toLowerCase()];
    return (apiKey && this.#state.identities.credentials.get(apiKey)?.account) || null;
  }
}

function pathOf({ target }: VenueRequest): string {
  return target.split('?', 1)[0] ?? '';
}

const canonicalPrefix = '/api/v1/order-entry/';
const olderPrefixes = ['/api/v1/bsl/', '/api/v1/mm/'];

/** The lane's older names behave like the canonical ones (contract A.15, G34, R54). */
function withAliases(route: Route): readonly Route[] {
  if (!route.path.startsWith(canonicalPrefix)) return [route];
  const rest = route.path.slice(canonicalPrefix.length);
  return [route, ...olderPrefixes.map((prefix) => ({ ...route, path: prefix + rest }))];
}
