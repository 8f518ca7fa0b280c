/**
 * The operator's side of the sandbox (contract R133): every switch, fault, limit, market and account, and the ledger
 * for checkers. It listens on loopback only and asks for no credential, for it is no part of the venue's contract.
 */
import * as z from 'zod';
import { type Clock, ManualClock } from '../runtime/clock.ts';
import { registerKeys } from './development-accounts.ts';
import type { EmbeddedVenue } from './embedded-venue.ts';
import { creditOff } from './engine/config.ts';
import { faultRuleSchema } from './faults.ts';
import { openSwitches } from './gates.ts';
import { json, type VenueRequest, type VenueResponse } from './http-message.ts';
import { profileCaps, profileFees, profileLimits } from './state.ts';

export interface AdminParts {
  readonly venue: EmbeddedVenue;
  /** That of the process. */
  readonly clock: Clock;
  /** Sends a numeric reason to the sockets of an account and says to how many. */
  failSockets(account: string, number: number, message: string): number;
  /** Lets the sockets see new events at once. */
  pump(): void;
}

/** What the operator asked for cannot be done; the message says why. */
class AdminError extends Error {}

type Handler = (parts: AdminParts, body: unknown, params: Params) => unknown;

/** What stands in the path. */
interface Params {
  readonly account?: string;
  readonly agent?: string;
  readonly id?: string;
  readonly key?: string;
  readonly market?: string;
}

const done = { ok: true };
const boolean = z.boolean();
const atoms = z.int().min(0);
const words = z.array(z.string().max(64)).max(64);
const account = z.string().regex(/^0x[0-9a-f]{40}$/);

const gatesSchema = z.strictObject({
  tradingHalted: boolean.optional(),
  placementOff: boolean.optional(),
  ledgerDegraded: boolean.optional(),
  recovering: boolean.optional(),
  backlogFull: boolean.optional(),
  venueKilled: boolean.optional(),
});
const killSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('account'), account, on: boolean }),
  z.strictObject({ kind: z.literal('market'), market: z.int(), on: boolean }),
]);
const marketSchema = z.strictObject({
  status: z.enum(['halt', 'resume', 'close', 'settle']).optional(),
  outcome: z.enum(['YES', 'NO']).optional(),
  busy: boolean.optional(),
});
const limitsSchema = z.strictObject({
  jsonEnabled: boolean.optional(),
  actionsPerSecond: z.int().min(0).max(1_000_000).optional(),
  burst: z.int().min(1).max(1_000_000).optional(),
  edgeRequestsPerSecond: z.int().min(0).max(1_000_000).optional(),
  delegations: z.int().min(0).max(1000).optional(),
});
const cap = z.int().min(0).max(1_000_000).optional();
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
  revoked: boolean.optional(),
  expiresAtMs: z.int().nullable().optional(),
  scopes: words.optional(),
  policy: z
    .strictObject({
      accounts: z.array(account).nullable().default(null),
      markets: z.array(z.int()).nullable().default(null),
      addresses: words.nullable().default(null),
      maxNotional: atoms.nullable().default(null),
      budget: z
        .strictObject({ perSecond: z.int().min(1), burst: z.int().min(1) })
        .nullable()
        .default(null),
    })
    .optional(),
});
const credentialSchema = z.strictObject({
  scopes: words.optional(),
  laneKey: boolean.optional(),
  agentType: z.string().max(64).optional(),
  revokedFromMs: z.int().nullable().optional(),
});
const accountSchema = z.strictObject({
  state: z.enum(['active', 'closing', 'archived']).optional(),
  resetNonces: boolean.default(false),
});
const depositSchema = z.strictObject({ account, asset: z.string().max(64), amount: z.int() });
const streamSchema = z.strictObject({
  number: z.int().optional(),
  message: z.string().max(100).default('on command'),
  resetSeq: boolean.default(false),
  forget: boolean.default(false),
});
const clockSchema = z.strictObject({
  advanceMs: z.int().min(0).max(31_536_000_000).default(0),
  stepWallMs: z.int().default(0),
});

const routes: readonly (readonly [method: string, path: string, handler: Handler])[] = [
  ['GET', '/state', showState],
  ['POST', '/reset', reset],
  ['POST', '/gates', setGates],
  ['POST', '/kill', setKill],
  ['POST', '/markets/{market}', setMarket],
  ['POST', '/limits', setLimits],
  ['POST', '/caps', setCaps],
  ['POST', '/credit', setCredit],
  ['POST', '/fees', setFees],
  ['GET', '/faults', ({ venue }) => ({ ok: true, faults: venue.state.faults.list() })],
  ['POST', '/faults', armFault],
  ['DELETE', '/faults', clearFaults],
  ['POST', '/agents/{agent}', setAgent],
  ['POST', '/credentials/{key}', setCredential],
  ['POST', '/accounts/{account}', setAccount],
  ['GET', '/accounts/{account}', showAccount],
  ['POST', '/deposits', deposit],
  ['POST', '/streams/{account}', setStream],
  ['POST', '/reservations/{id}', allowReservation],
  ['POST', '/build', hideBuild],
  ['POST', '/clock', moveClock],
  ['POST', '/makers', switchMakers],
  ['GET', '/ledger', ({ venue }) => venue.state.exchange.ledger()],
  ['GET', '/ledger/hash', ({ venue }) => ({ ok: true, hash: venue.state.exchange.hash() })],
];

const compiled = routes.map(([method, path, handler]) => ({
  method,
  form: new RegExp(`^/admin${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]{1,128})')}$`),
  handler,
}));

/** How this machine names itself to a listener on loopback. */
const ownHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/** No page of the web, which a browser of this machine shows, may work the switches: by its Origin, or by a name of its own. */
function isOfPage({ headers: { host, origin } }: VenueRequest): boolean {
  return origin !== undefined || (host !== undefined && !ownHost.test(host));
}

export function handleAdmin(parts: AdminParts, request: VenueRequest): VenueResponse {
  if (isOfPage(request)) return json(403, { ok: false, error: 'not for pages of the web' });
  const path = request.target.split('?', 1)[0] ?? '';
  for (const { form, handler, method } of compiled) {
    const match = method === request.method ? form.exec(path) : null;
    if (match === null) continue;
    try {
      const body =
        request.body.length === 0 ? {} : JSON.parse(Buffer.from(request.body).toString());
      const answer = handler(parts, body, { ...match.groups });
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

function showState({ venue: { makers, state } }: AdminParts): unknown {
  return {
    ok: true,
    now: state.clock.now(),
    gates: state.gates.snapshot(),
    limits: state.limits,
    markets: state.exchange.markets(),
    faults: state.faults.list(),
    makers: makers.on,
  };
}

/** Switches, faults, limits, caps, fees and keys as at the start; orders, balances and numbers stay. */
function reset({ venue }: AdminParts): unknown {
  const { state } = venue;
  applyGates(state, openSwitches);
  state.gates.busyMarkets.clear();
  state.faults.clear();
  state.setLimits(profileLimits(state.profile));
  Object.assign(state.caps, profileCaps(state.profile));
  state.exchange.setCredit(creditOff);
  state.exchange.setFees(profileFees(state.profile));
  for (const { marketId, status } of state.exchange.markets()) {
    state.exchange.setKillSwitch({ kind: 'market', market: marketId }, false);
    if (status === 'halted') state.exchange.resumeMarket(marketId, state.clock.now().wallMs);
  }
  for (const account of venue.accounts) {
    registerKeys(state, account);
    state.exchange.setKillSwitch({ kind: 'account', account: account.account }, false);
    const found = state.identities.account(account.account);
    if (found !== undefined) found.state = 'active';
  }
  return done;
}

function setGates({ venue: { state } }: AdminParts, body: unknown): unknown {
  applyGates(state, gatesSchema.parse(body));
  return { ok: true, ...state.gates.snapshot() };
}

function applyGates(state: EmbeddedVenue['state'], change: z.infer<typeof gatesSchema>): void {
  const { exchange, gates } = state;
  const before = { ...gates.switches };
  for (const [name, on] of Object.entries(change)) {
    if (on !== undefined) gates.switches[name as keyof typeof before] = on;
  }
  const { tradingHalted, venueKilled } = gates.switches;
  if (tradingHalted !== before.tradingHalted) {
    exchange.haltTrading(tradingHalted, state.clock.now().wallMs);
  }
  if (venueKilled !== before.venueKilled) exchange.setKillSwitch({ kind: 'venue' }, venueKilled);
}

function setKill({ venue: { state } }: AdminParts, body: unknown): unknown {
  const { on, ...scope } = killSchema.parse(body);
  state.exchange.setKillSwitch(scope, on);
  return done;
}

function setMarket({ venue }: AdminParts, body: unknown, params: Params): unknown {
  const { busy, outcome, status } = marketSchema.parse(body);
  const { exchange, gates, clock } = venue.state;
  const market = Number(params.market);
  const found = exchange.markets().find(({ marketId }) => marketId === market);
  if (found === undefined) throw new AdminError(`there is no market ${params.market}`);
  const { wallMs } = clock.now();
  if (busy === true) gates.busyMarkets.add(market);
  if (busy === false) gates.busyMarkets.delete(market);
  if (status === 'halt') exchange.haltMarket(market, wallMs);
  if (status === 'resume') exchange.resumeMarket(market, wallMs);
  if (status === 'close') exchange.closeMarket(market, wallMs);
  if (status === 'settle') {
    if (outcome === undefined || found.kind === 'spot') {
      throw new AdminError('settle needs an outcome, on an outcome market');
    }
    exchange.settleMarket(market, outcome, wallMs);
  }
  return done;
}

function setLimits({ venue: { state } }: AdminParts, body: unknown): unknown {
  state.setLimits(withoutUndefined(limitsSchema.parse(body)));
  return { ok: true, limits: state.limits };
}

function setCaps({ venue: { state } }: AdminParts, body: unknown): unknown {
  Object.assign(state.caps, withoutUndefined(capsSchema.parse(body)));
  return { ok: true, caps: state.caps };
}

function setCredit({ venue: { state } }: AdminParts, body: unknown): unknown {
  state.exchange.setCredit(creditSchema.parse(body));
  return done;
}

function setFees({ venue: { state } }: AdminParts, body: unknown): unknown {
  state.exchange.setFees({ ...feesSchema.parse(body), tiers: [] });
  return done;
}

function armFault({ venue: { state } }: AdminParts, body: unknown): unknown {
  const id = state.faults.arm(faultRuleSchema.parse(body));
  if (id === undefined) throw new AdminError('too many faults are armed');
  return { ok: true, id };
}

function clearFaults({ venue: { state } }: AdminParts): unknown {
  state.faults.clear();
  return done;
}

function setAgent({ venue }: AdminParts, body: unknown, params: Params): unknown {
  const agent = venue.state.identities.agent(params.agent ?? '');
  if (agent === undefined) throw new AdminError('there is no such agent');
  Object.assign(agent, withoutUndefined(agentSchema.parse(body)));
  return { ok: true, agent };
}

function setCredential({ venue }: AdminParts, body: unknown, params: Params): unknown {
  const credential = venue.state.identities.credential(params.key ?? '');
  if (credential === undefined) throw new AdminError('there is no such credential');
  Object.assign(credential, withoutUndefined(credentialSchema.parse(body)));
  return done;
}

function setAccount({ venue }: AdminParts, body: unknown, params: Params): unknown {
  const found = knownAccount(venue, params);
  const { resetNonces, state } = accountSchema.parse(body);
  if (state !== undefined) found.state = state;
  if (resetNonces) venue.state.resetNonces(found.account);
  return done;
}

function showAccount({ venue }: AdminParts, _body: unknown, params: Params) {
  const found = knownAccount(venue, params);
  const { exchange, feed } = venue.state;
  return {
    ok: true,
    ...found,
    nonces: venue.state.nonces(found.account).snapshot(),
    lastSeq: feed.lastSeq(found.account),
    balances: exchange.balances(found.account),
    openOrders: exchange.openOrders(found.account),
  };
}

function deposit({ venue: { state } }: AdminParts, body: unknown): unknown {
  const { account, amount, asset } = depositSchema.parse(body);
  knownAccount({ state }, { account });
  state.exchange.deposit(account, asset, amount);
  return { ok: true, balances: state.exchange.balances(account) };
}

function setStream(parts: AdminParts, body: unknown, params: Params): unknown {
  const { forget, message, number, resetSeq } = streamSchema.parse(body);
  const { account } = knownAccount(parts.venue, params);
  if (resetSeq) parts.venue.state.feed.resetSeq(account);
  if (forget) parts.venue.state.feed.forget(account);
  const reached = number === undefined ? 0 : parts.failSockets(account, number, message);
  return { ok: true, reached };
}

function allowReservation({ venue }: AdminParts, _body: unknown, params: Params): unknown {
  venue.state.reservations.add(params.id ?? '');
  return done;
}

function hideBuild({ venue: { state } }: AdminParts, body: unknown): unknown {
  state.hidesBuild = z.strictObject({ hidden: boolean }).parse(body).hidden;
  return done;
}

function moveClock({ clock }: AdminParts, body: unknown): unknown {
  const { advanceMs, stepWallMs } = clockSchema.parse(body);
  if (!(clock instanceof ManualClock)) throw new AdminError('the clock is not manual');
  if (stepWallMs !== 0) clock.stepWall(stepWallMs);
  clock.advance(advanceMs);
  return { ok: true, now: clock.now() };
}

function switchMakers({ venue: { makers, state } }: AdminParts, body: unknown): unknown {
  makers.on = z.strictObject({ on: boolean }).parse(body).on;
  if (!makers.on) makers.withdraw(state.clock.now().wallMs);
  return { ok: true, makers: makers.on };
}

function knownAccount({ state }: Pick<EmbeddedVenue, 'state'>, params: Params) {
  const found = state.identities.account(params.account ?? '');
  if (found === undefined) throw new AdminError('there is no such account');
  return found;
}

/** Members that were not given must not overwrite what is there. */
function withoutUndefined<T extends object>(
  change: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]: Exclude<T[K], undefined> };
}
