/** The complete state of the venue: routes read and change it, and snapshots store it. */
import { entryOf } from '../runtime/entry-of.ts';
import type { Profile } from '../venue/profile.ts';
import { ActionReader } from './action-input.ts';
import type { Caps, Fees } from './engine/config.ts';
import type { ExecutionEvent } from './engine/event.ts';
import type { Exchange } from './engine/exchange.ts';
import { eventFeed, newFeed } from './event-feed.ts';
import { Faults } from './faults.ts';
import { openGates } from './gates.ts';
import { IdempotencyKeys, type Kept as KeptAnswer } from './idempotency.ts';
import { identitiesOf, noIdentities } from './identity.ts';
import type { Ids } from './ids.ts';
import { type NonceRecord, NonceWindow } from './nonce-window.ts';
import type { PrivateSession } from './private-session.ts';
import { RateLimiter } from './rate-limit.ts';
import { Tokens } from './tokens.ts';
import type { VenueClock } from './venue-clock.ts';

export type LiveLimits = ReturnType<typeof profileLimits>;

export interface LaneAddress {
  readonly host: string;
  readonly port: number;
  readonly tlsSni: string | null;
}

export interface Lanes extends Record<'bsl' | 'fix' | 'fixp', LaneAddress | null> {
  fixpSchemaUrl: string | null;
}

type LiveCaps = { -readonly [name in keyof Caps]: Caps[name] };

export type KeptState = ReturnType<typeof newState>;

/** State that must survive a restart, in addition to the exchange. */
export function newState(profile: Profile) {
  return {
    identities: noIdentities(),
    gates: openGates(),
    limits: profileLimits(profile),
    /** The exchange uses this same object, so that an operator can change the caps. */
    caps: profileCaps(profile),
    nonces: new Map<string, NonceRecord>(),
    /** By conditional order: the nonce of its nested order, while it holds the floor (contract G20). */
    nestedNonces: new Map<string, number>(),
    feed: newFeed(),
    idempotency: new Map<string, KeptAnswer>(),
    /** Reservation ids that tests of the deprecated feature declare valid (contract G17). */
    reservations: new Set<string>(),
    /** Whether the version route omits build metadata. */
    hidesBuild: false,
  };
}

interface StateParts {
  readonly profile: Profile;
  readonly seed: number;
  readonly clock: VenueClock;
  readonly exchange: Exchange;
  readonly ids: Ids;
  readonly kept: KeptState;
  /** Called for exceptions that no route expects. */
  readonly reportFault: (error: unknown) => void;
}

export type State = Readonly<ReturnType<typeof stateOf>>;

export function stateOf(parts: StateParts) {
  const { exchange, kept, profile, seed } = parts;
  const { lifetimeMs } = profile.idempotency;
  const { gates, limits, nestedNonces } = kept;
  const noLimit = { perSecond: 0, burst: 0 };
  const accountLimiter = new RateLimiter(noLimit);
  const agentLimiter = new RateLimiter(noLimit);
  const edgeLimiter = new RateLimiter(noLimit);
  const windows = new Map<string, NonceWindow>();
  let requests = 0;
  const setLimits = (change: Partial<LiveLimits>) => {
    Object.assign(limits, change);
    const { actionsPerSecond, burst, edgeRequestsPerSecond } = limits;
    accountLimiter.budget = { perSecond: actionsPerSecond, burst };
    edgeLimiter.budget = { perSecond: edgeRequestsPerSecond, burst: edgeRequestsPerSecond };
  };
  const nonces = (account: string) =>
    entryOf(windows, account, () => {
      const window = new NonceWindow(profile.nonce.window, kept.nonces.get(account));
      kept.nonces.set(account, window.record);
      return window;
    });
  const identities = identitiesOf(kept.identities);
  /** Frees the nonces that stored conditionals held, once those have ended (contract G20). */
  exchange.onEvents = (events) => {
    if (nestedNonces.size === 0) return;
    for (const event of events) {
      const id = endedConditional(event);
      const nonce = id === null ? undefined : nestedNonces.get(id);
      if (id === null || nonce === undefined) continue;
      nestedNonces.delete(id);
      nonces(event.account).consume(nonce);
    }
  };
  setLimits({});
  return {
    ...parts,
    gates,
    limits,
    reader: new ActionReader(profile),
    feed: eventFeed(exchange, profile, kept.feed),
    identities,
    faults: new Faults(seed),
    tokens: new Tokens(seed),
    idempotency: new IdempotencyKeys({ lifetimeMs, maxKeys: 100_000 }, kept.idempotency),
    accountLimiter,
    agentLimiter,
    edgeLimiter,
    /** The open private sockets. */
    sessions: new Set<PrivateSession>(),
    /** The open ports through which an account can be reached. */
    lanes: { bsl: null, fix: null, fixp: null, fixpSchemaUrl: null } as Lanes,
    setLimits,
    nonces,
    /** An input that was accepted once has no rate limit when it is applied again. */
    setRebuilding(on: boolean): void {
      for (const limiter of [accountLimiter, agentLimiter, edgeLimiter]) limiter.isOff = on;
    },
    openAccount(account: string, keepsHistory = true): void {
      identities.accounts.set(account, { account, state: 'active' });
      exchange.openAccount(account, keepsHistory);
    },
    /** Frees every nonce, as after a venue that lost its state. */
    resetNonces(account: string): void {
      kept.nonces.delete(account);
      windows.delete(account);
    },
    /** Counted instead of random, so that a run with a manual clock gives the same ids again. */
    requestId(): string {
      requests += 1;
      return `req-${requests}`;
    },
  };
}

/**
 * The conditional that the event ends. A triggered conditional is in `parentOrderId`. For a refused cancel or amend
 * that member contains the named order, which continues.
 */
function endedConditional({ kind, orderId, parentOrderId }: ExecutionEvent): string | null {
  if (kind === 'triggered') return parentOrderId;
  return kind === 'canceled' || kind === 'expired' ? orderId : null;
}

/** Limits that an operator may change while the venue runs; the initial values come from the profile. */
export function profileLimits({ limits }: Profile) {
  const { batch, rate } = limits;
  return {
    jsonEnabled: batch.jsonEnabled,
    actionsPerSecond: rate.actionsPerSecond,
    burst: rate.burst,
    edgeRequestsPerSecond: rate.edgeRequestsPerSecond,
    /** The maximum number of delegated agents of an account. */
    delegations: 32,
  };
}

export function profileCaps({ conditional, limits }: Profile): LiveCaps {
  return { ...limits.caps, parents: conditional.maxPerAccount * 2, accounts: 10_000 };
}

export function profileFees({ fees }: Profile): Fees {
  const tiers = fees.tiers.map(({ fromUsd, rebateBps }) => ({
    minVolumeMicro: fromUsd * 1_000_000,
    rebateBps,
  }));
  return { takerBps: fees.takerBps, makerBps: fees.makerBps, tiers };
}
