/**
 * The admin routes of the sandbox (contract R133): every switch, fault, limit, market and account, and the ledger for
 * checkers. They listen on loopback only and need no credential, because they are not part of the venue's contract.
 */
import * as z from 'zod';
import { type Clock, ManualClock } from '../runtime/clock.ts';
import { registerKeys } from './development-accounts.ts';
import type { EmbeddedVenue } from './embedded-venue.ts';
import { creditOff } from './engine/config.ts';
import { faultRuleSchema } from './faults.ts';
import { type GateSwitches, gatesView, openSwitches } from './gates.ts';
import { json, type VenueRequest, type VenueResponse } from './http-message.ts';
import { accountForm, agentPolicy, words } from './identity.ts';
import { profileCaps, profileFees, profileLimits } from './state.ts';

export interface AdminParts {
  readonly venue: EmbeddedVenue;
  /** The clock of the process. */
  readonly clock: Clock;
  /** Sends a numeric reason to an account's sockets and returns their number. */
  failSockets(account: string, number: number, message: string): number;
  /** Applies all held requests, and sends all waiting answers and frames. */
  release(): void;
  /** Delivers new events to the sockets at once. */
  pump(): void;
}

/** The admin request cannot be carried out; the message contains the reason. */
class AdminError extends Error {}

/** The parameters in the path. */
type Params = Partial<Record<'account' | 'agent' | 'id' | 'key' | 'market', string>>;

const boolean = z.boolean();
const atoms = z.int().min(0);
const maxOffsetMs = 31_536_000_000;

const gateNames = Object.keys(openSwitches) as (keyof GateSwitches)[];
const gatesSchema = z.partialRecord(z.enum(gateNames), boolean);
const killSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('account'), account: accountForm, on: boolean }),
  z.strictObject({ kind: z.literal('market'), market: z.int(), on: boolean }),
]);
const marketSchema = z.strictObject({
  status: z.enum(['halt', 'resume', 'close', 'settle']).exactOptional(),
  outcome: z.enum(['YES', 'NO']).exactOptional(),
  busy: boolean.exactOptional(),
});
const limitsSchema = z.strictObject({
  jsonEnabled: boolean.exactOptional(),
  actionsPerSecond: z.int().min(0).max(1_000_000).exactOptional(),
  burst: z.int().min(1).max(1_000_000).exactOptional(),
  edgeRequestsPerSecond: z.int().min(0).max(1_000_000).exactOptional(),
  delegations: z.int().min(0).max(1000).exactOptional(),
});
const cap = z.int().min(0).max(1_000_000).exactOptional();
const capsSchema = z.strictObject({
  openOrders: cap,
  openOrdersPerMarket: cap,
  ordersPerLevel: cap,
  levelsPerSide: cap,
  parents: cap,
});
const creditSchema = z.strictObject({
  mode: z.enum(['off', 'on', 'killed', 'rejecting']),
  accountCapMicro: atoms.default(0),
  marketCapMicro: atoms.default(0),
});
const feesSchema = z.strictObject({
  takerBps: z.int().min(0).max(1_000_000),
  makerBps: z.int().min(-10_000).max(10_000),
});
const agentSchema = z.strictObject({
  revoked: boolean.exactOptional(),
  expiresAtMs: z.int().nullable().exactOptional(),
  scopes: words.exactOptional(),
  policy: agentPolicy.exactOptional(),
});
const credentialSchema = z.strictObject({
  scopes: words.exactOptional(),
  laneKey: boolean.exactOptional(),
  agentType: z.string().max(64).exactOptional(),
  revokedFromMs: z.int().nullable().exactOptional(),
});
const word = z.string().min(1).max(128);
const newCredentialSchema = z.strictObject({ apiKey: word, secret: word, passphrase: word });
const accountSchema = z.strictObject({
  state: z.enum(['active', 'closing', 'archived']).exactOptional(),
  resetNonces: boolean.default(false),
});
const depositSchema = z.strictObject({
  account: accountForm,
  asset: z.string().max(64),
  amount: z.int(),
});
const streamSchema = z.strictObject({
  number: z.int().exactOptional(),
  message: z.string().max(100).default('on command'),
  resetSeq: boolean.default(false),
  forget: boolean.default(false),
});
const clockSchema = z.strictObject({
  advanceMs: z.int().min(0).max(31_536_000_000).default(0),
  stepWallMs: z.int().default(0),
  offsetMs: z.int().min(-maxOffsetMs).max(maxOffsetMs).exactOptional(),
  driftPpm: z.int().min(-500_000).max(500_000).exactOptional(),
});

/** A handler returns the members in addition to `ok`, or nothing. */
function route<Input>(
  method: string,
  path: string,
  schema: z.ZodType<Input>,
  handler: (parts: AdminParts, input: Input, params: Params) => unknown,
) {
  return {
    method,
    form: new RegExp(`^/admin${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]{1,128})')}$`),
    run(parts: AdminParts, body: unknown, params: Params) {
      const answer = handler(parts, schema.parse(body), params);
      return { ok: true, ...(answer as object | undefined) };
    },
  };
}

const nothing = z.unknown();

const routes = [
  route('GET', '/state', nothing, showState),
  route('POST', '/reset', nothing, reset),
  route('POST', '/gates', gatesSchema, ({ venue: { state } }, change) => {
    applyGates(state, change);
    return gatesView(state.gates);
  }),
  route('POST', '/kill', killSchema, ({ venue: { state } }, { on, ...scope }) => {
    state.exchange.setKillSwitch(scope, on);
  }),
  route('POST', '/markets/{market}', marketSchema, setMarket),
  route('POST', '/limits', limitsSchema, ({ venue: { state } }, limits) => {
    state.setLimits(limits);
    return { limits: state.limits };
  }),
  route('POST', '/caps', capsSchema, ({ venue: { state } }, caps) => {
    return { caps: Object.assign(state.kept.caps, caps) };
  }),
  route('POST', '/credit', creditSchema, ({ venue: { state } }, credit) => {
    state.exchange.setCredit(credit);
  }),
  route('POST', '/fees', feesSchema, ({ venue: { state } }, fees) => {
    state.exchange.setFees({ ...fees, tiers: [] });
  }),
  route('GET', '/faults', nothing, ({ venue }) => ({ faults: venue.state.faults.list() })),
  route('POST', '/faults', faultRuleSchema, ({ venue: { state } }, rule) => {
    const id = state.faults.arm(rule);
    if (id === undefined) throw new AdminError('too many faults are armed');
    return { id };
  }),
  route('DELETE', '/faults', nothing, ({ venue }) => venue.state.faults.clear()),
  route('POST', '/faults/release', nothing, ({ release }) => release()),
  route('POST', '/agents/{agent}', agentSchema, ({ venue: { state } }, change, params) => {
    const agent = state.identities.agents.get(params.agent ?? '');
    if (agent === undefined) throw new AdminError('there is no such agent');
    return { agent: Object.assign(agent, change) };
  }),
  route('POST', '/credentials/{key}', credentialSchema, ({ venue: { state } }, change, params) => {
    const credential = state.identities.credentials.get(params.key ?? '');
    if (credential === undefined) throw new AdminError('there is no such credential');
    Object.assign(credential, change);
  }),
  route(
    'POST',
    '/accounts/{account}/credentials',
    newCredentialSchema,
    ({ venue }, given, params) => {
      const { account } = knownAccount(venue, params);
      const { credentials } = venue.state.identities;
      const like = [...credentials.values()].find((one) => one.account === account);
      if (like === undefined) throw new AdminError('the account has no credential to be like');
      credentials.set(given.apiKey, {
        ...like,
        ...given,
        ed25519PublicKey: null,
        revokedFromMs: null,
      });
    },
  ),
  route('POST', '/accounts/{account}', accountSchema, ({ venue }, change, params) => {
    const found = knownAccount(venue, params);
    if (change.state !== undefined) found.state = change.state;
    if (change.resetNonces) venue.state.resetNonces(found.account);
  }),
  route('GET', '/accounts/{account}', nothing, showAccount),
  route('POST', '/deposits', depositSchema, ({ venue }, { account, amount, asset }) => {
    const { exchange } = venue.state;
    knownAccount(venue, { account });
    exchange.deposit(account, asset, amount);
    return { balances: exchange.balances(account) };
  }),
  route('POST', '/streams/{account}', streamSchema, setStream),
  route('POST', '/reservations/{id}', nothing, ({ venue }, _, { id = '' }) => {
    venue.state.kept.reservations.add(id);
  }),
  route('POST', '/build', z.strictObject({ hidden: boolean }), ({ venue }, { hidden }) => {
    venue.state.kept.hidesBuild = hidden;
  }),
  route('POST', '/clock', clockSchema, moveClock),
  route(
    'POST',
    '/makers',
    z.strictObject({ on: boolean }),
    ({ venue: { makers, state } }, input) => {
      makers.record.on = input.on;
      if (!input.on) makers.withdraw(state.clock.now().wallMs);
      return { makers: input.on };
    },
  ),
  route('GET', '/ledger', nothing, ({ venue }) => venue.state.exchange.ledger()),
  route('GET', '/ledger/hash', nothing, ({ venue }) => ({ hash: venue.state.exchange.hash() })),
];

/** The host names by which programs on this machine reach a loopback listener. */
const ownHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/** Web pages in a browser on this machine must not use the switches: their requests have an Origin, or another host. */
function isOfPage({ headers: { host, origin } }: VenueRequest): boolean {
  return origin !== undefined || (host !== undefined && !ownHost.test(host));
}

export function handleAdmin(parts: AdminParts, request: VenueRequest): VenueResponse {
  if (isOfPage(request)) return json(403, { ok: false, error: 'not for pages of the web' });
  const path = request.target.split('?', 1)[0] ?? '';
  for (const { form, method, run } of routes) {
    const match = method === request.method ? form.exec(path) : null;
    if (match === null) continue;
    try {
      const body =
        request.body.length === 0 ? {} : JSON.parse(Buffer.from(request.body).toString());
      const answer = run(parts, body, { ...match.groups });
      parts.pump();
      return json(200, answer);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const message = error instanceof z.ZodError ? z.prettifyError(error) : error.message;
      return json(400, { ok: false, error: message });
    }
  }
  return json(404, { ok: false, error: 'no such admin route' });
}

function isRefusal(error: unknown): error is Error {
  return (
    error instanceof AdminError ||
    error instanceof z.ZodError ||
    error instanceof SyntaxError ||
    error instanceof RangeError
  );
}

function showState({ venue: { makers, state } }: AdminParts): object {
  return {
    now: state.clock.now(),
    clockError: state.clock.error,
    gates: gatesView(state.gates),
    limits: state.limits,
    markets: state.exchange.markets(),
    faults: state.faults.list(),
    makers: makers.record.on,
  };
}

/** Resets switches, faults, limits, caps, fees and keys; orders, balances and numbers remain. */
function reset({ release, venue }: AdminParts): void {
  const { state } = venue;
  // This comes first, so that held requests are applied with the switches of the time when they were held.
  release();
  applyGates(state, openSwitches);
  state.gates.busyMarkets.clear();
  state.faults.clear();
  state.clock.setError({ offsetMs: 0, driftPpm: 0 });
  state.setLimits(profileLimits(state.profile));
  Object.assign(state.kept.caps, profileCaps(state.profile));
  state.exchange.setCredit(creditOff);
  state.exchange.setFees(profileFees(state.profile));
  for (const { marketId, status } of state.exchange.markets()) {
    state.exchange.setKillSwitch({ kind: 'market', market: marketId }, false);
    if (status === 'halted')
      state.exchange.changeMarket(marketId, 'resume', state.clock.now().wallMs);
  }
  for (const account of venue.accounts) {
    registerKeys(state, account);
    state.exchange.setKillSwitch({ kind: 'account', account: account.account }, false);
    const found = state.identities.accounts.get(account.account);
    if (found !== undefined) found.state = 'active';
  }
}

function applyGates(state: EmbeddedVenue['state'], change: z.infer<typeof gatesSchema>): void {
  const { exchange, gates } = state;
  const before = { ...gates.switches };
  Object.assign(gates.switches, change);
  const { tradingHalted, venueKilled } = gates.switches;
  if (tradingHalted !== before.tradingHalted) {
    exchange.haltTrading(tradingHalted, state.clock.now().wallMs);
  }
  if (venueKilled !== before.venueKilled) exchange.setKillSwitch({ kind: 'venue' }, venueKilled);
}

function setMarket(
  { venue }: AdminParts,
  { busy, outcome, status }: z.infer<typeof marketSchema>,
  params: Params,
): void {
  const { exchange, gates, clock } = venue.state;
  const market = Number(params.market);
  const found = exchange.markets().find(({ marketId }) => marketId === market);
  if (found === undefined) throw new AdminError(`there is no market ${params.market}`);
  const { wallMs } = clock.now();
  if (status === 'settle') {
    if (outcome === undefined || found.kind === 'spot') {
      throw new AdminError('settle needs an outcome, on an outcome market');
    }
    exchange.settleMarket(market, outcome, wallMs);
  } else if (status !== undefined) exchange.changeMarket(market, status, wallMs);
  if (busy !== undefined) gates.busyMarkets[busy ? 'add' : 'delete'](market);
}

function showAccount({ venue }: AdminParts, _: unknown, params: Params) {
  const found = knownAccount(venue, params);
  const { exchange, feed } = venue.state;
  const { floor, held, used } = venue.state.nonces(found.account).record;
  return {
    ...found,
    nonces: { floor, used: [...used], held: [...held] },
    lastSeq: feed.lastSeq(found.account),
    balances: exchange.balances(found.account),
    openOrders: exchange.openOrders(found.account),
  };
}

function setStream(
  parts: AdminParts,
  { forget, message, number, resetSeq }: z.infer<typeof streamSchema>,
  params: Params,
) {
  const { account } = knownAccount(parts.venue, params);
  if (resetSeq) parts.venue.state.feed.resetSeq(account);
  if (forget) parts.venue.state.feed.forget(account);
  const reached = number === undefined ? 0 : parts.failSockets(account, number, message);
  return { reached };
}

function moveClock(
  { clock, venue: { state } }: AdminParts,
  { advanceMs, stepWallMs, ...error }: z.infer<typeof clockSchema>,
) {
  const isMoved = advanceMs !== 0 || stepWallMs !== 0;
  if (isMoved && !(clock instanceof ManualClock)) throw new AdminError('the clock is not manual');
  state.clock.setError(error);
  if (isMoved && clock instanceof ManualClock) {
    clock.stepWall(stepWallMs);
    clock.advance(advanceMs);
  }
  return { now: state.clock.now() };
}

function knownAccount({ state }: Pick<EmbeddedVenue, 'state'>, params: Params) {
  const found = state.identities.accounts.get(params.account ?? '');
  if (found === undefined) throw new AdminError('there is no such account');
  return found;
}
