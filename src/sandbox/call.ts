/** The input of a route, and functions that read it or refuse with the venue's errors. */
import type { MarketView } from './engine/queries.ts';
import {
  AgentError,
  EnvelopeError,
  type VenueRequest,
  type VenueResponse,
} from './http-message.ts';
import type { Credential } from './identity.ts';
import type { State } from './state.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  parseJsonBytes,
} from './strict-json.ts';

export interface Call {
  readonly state: State;
  readonly request: VenueRequest;
  readonly query: URLSearchParams;
  readonly params: { readonly marketId?: string; readonly agentId?: string };
}

/** A call whose request was authorized. */
export interface AuthorizedCall extends Call {
  readonly credential: Credential;
}

export interface Route {
  readonly method: string;
  readonly path: string;
  /** `authenticate` returns the credential of the request, or refuses it. */
  handle(call: Call, authenticate: () => Credential): VenueResponse;
}

/** A route that needs a credential. */
export function authorized(
  method: 'GET' | 'POST',
  path: string,
  handle: (call: AuthorizedCall) => VenueResponse,
): Route {
  return {
    method,
    path,
    handle: (call, authenticate) => handle({ ...call, credential: authenticate() }),
  };
}

export function requireScope(scopes: readonly string[], scope: string, holder: string): void {
  if (scopes.includes(scope)) return;
  throw new AgentError('INVALID_SCOPE', `${holder} lacks the scope ${scope}`);
}

/** Requires that an account in the request is that of its credential. */
export function requireOwnAccount({ credential }: AuthorizedCall, account: string | null): void {
  if (account === null || account === credential.account) return;
  throw new AgentError('ACCOUNT_MISMATCH', 'the credential belongs to another account');
}

export function bodyJson({ request }: Call): Json {
  try {
    return parseJsonBytes(request.body);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new EnvelopeError(400, `the body is not JSON: ${error.message}`, 'malformed_json');
  }
}

/** Requires an object with only these members; an empty body counts as an empty object if that is allowed. */
export function bodyObject(call: Call, names: readonly string[], mayBeEmpty = false): JsonObject {
  if (mayBeEmpty && call.request.body.length === 0) return {};
  return strictObject(bodyJson(call), names, 'the body');
}

export function strictObject(value: Json, names: readonly string[], what: string): JsonObject {
  if (!isJsonObject(value)) throw violation(`${what} must be an object`);
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown === undefined) return value;
  const shown = JSON.stringify(unknown.slice(0, 64));
  throw new EnvelopeError(422, `${what} has no field ${shown}`, 'unknown_field');
}

export function member(body: JsonObject, name: string): Json {
  const value = body[name];
  if (value !== undefined) return value;
  throw new EnvelopeError(422, `the field ${name} is missing`, 'missing_field');
}

export function violation(message: string): EnvelopeError {
  return new EnvelopeError(422, message, 'schema_violation');
}

export function queryInteger(call: Call, name: string, least: number, most: number): number | null {
  const text = call.query.get(name);
  if (text === null) return null;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw badParameter(name, `from ${least} to ${most}`);
}

export function queryWord<Word extends string>(
  call: Call,
  name: string,
  among: readonly Word[],
): Word | null {
  const text = call.query.get(name);
  if (text === null) return null;
  const word = among.find((one) => one === text);
  if (word !== undefined) return word;
  throw badParameter(name, `one of ${among.join(', ')}`);
}

function badParameter(name: string, rule: string): EnvelopeError {
  return new EnvelopeError(400, `the parameter ${name} must be ${rule}`, 'bad_enum');
}

/** The market in the path. */
export function marketOf({ params, state }: Call): MarketView {
  const marketId = Number(params.marketId);
  const market = state.exchange.markets().find((one) => one.marketId === marketId);
  if (market !== undefined) return market;
  throw new EnvelopeError(404, 'no such market', 'market_not_found');
}
