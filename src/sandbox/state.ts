/** The complete state of the venue: routes read and change it, and snapshots store it. */
import type { Profile } from '../venue/profile.ts';
import { ActionReader } from './action-input.ts';
import type { Caps, Fees } from './engine/config.ts';
import type { ExecutionEvent } from './engine/event.ts';
import type { Exchange } from './engine/exchange.ts';
import { type EventFeed, eventFeed, newFeed } from './event-feed.ts';
import { Faults } from './faults.ts';
import { type GateRecords, openGates } from './gates.ts';
import { IdempotencyKeys, type Kept as KeptAnswer } from './idempotency.ts';
import { type Identities, identitiesOf, noIdentities } from './identity.ts';
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

type StatePart = 'profile' | 'seed' | 'clock' | 'exchange' | 'ids' | 'kept' | 'reportFault';

export class State {
  readonly profile: Profile;
  readonly seed: number;
  readonly clock: VenueClock;
  readonly exchange: Exchange;
  readonly ids: Ids;
  /** Called for exceptions that no route expects. */
  readonly reportFault: (error: unknown) => void;
  readonly kept: KeptState;
  readonly reader: ActionReader;
  readonly feed: EventFeed;
  readonly identities: Identities;
  readonly faults: Faults;
  readonly tokens: Tokens;
  readonly idempotency: IdempotencyKeys;
  readonly accountLimiter = new RateLimiter({ perSecond: 0, burst: 0 });
  readonly agentLimiter = new RateLimiter({ perSecond: 0, burst: 0 });
  readonly edgeLimiter = new RateLimiter({ perSecond: 0, burst: 0 });
  /** The open private sockets. */
  readonly sessions = new Set<PrivateSession>();
  /** The open ports through which an account can be reached. */
  readonly lanes: Lanes = { bsl: null, fix: null, fixp: null, fixpSchemaUrl: null };
  readonly #nonces = new Map<string, NonceWindow>();
  #requests = 0;

  constructor(parts: Pick<State, StatePart>) {
    const { profile, seed, clock, exchange, ids, kept, reportFault } = parts;
    const { lifetimeMs } = profile.idempotency;
    this.profile = profile;
    this.seed = seed;
    this.clock = clock;
    this.exchange = exchange;
    this.ids = ids;
    this.reportFault = reportFault;
    this.kept = kept;
    this.reader = new ActionReader(profile);
    this.feed = eventFeed(exchange, profile, kept.feed);
    this.identities = identitiesOf(kept.identities);
    this.faults = new Faults(seed);
    this.tokens = new Tokens(seed);
    this.idempotency = new IdempotencyKeys({ lifetimeMs, maxKeys: 100_000 }, kept.idempotency);
    exchange.onEvents = (events) => this.#settleNested(events);
    this.setLimits({});
  }

  get limits(): LiveLimits {
    return this.kept.limits;
  }

  get gates(): GateRecords {
    return this.kept.gates;
  }

  setLimits(change: Partial<LiveLimits>): void {
    Object.assign(this.limits, change);
    const { actionsPerSecond, burst, edgeRequestsPerSecond } = this.limits;
    this.accountLimiter.budget = { perSecond: actionsPerSecond, burst };
    this.edgeLimiter.budget = { perSecond: edgeRequestsPerSecond, burst: edgeRequestsPerSecond };
  }

  /** An input that was accepted once has no rate limit when it is applied again. */
  set isRebuilding(on: boolean) {
    for (const limiter of [this.accountLimiter, this.agentLimiter, this.edgeLimiter]) {
      limiter.isOff = on;
    }
  }

  openAccount(account: string, keepsHistory = true): void {
    this.identities.accounts.set(account, { account, state: 'active' });
    this.exchange.openAccount(account, keepsHistory);
  }

  /** Frees every nonce, as after a venue that lost its state. */
  resetNonces(account: string): void {
    this.kept.nonces.delete(account);
    this.#nonces.delete(account);
  }

  nonces(account: string): NonceWindow {
    const known = this.#nonces.get(account);
    if (known !== undefined) return known;
    const window = new NonceWindow(this.profile.nonce.window, this.kept.nonces.get(account));
    this.kept.nonces.set(account, window.record);
    this.#nonces.set(account, window);
    return window;
  }

  /** Frees the nonces that stored conditionals held, once those have ended (contract G20). */
  #settleNested(events: readonly ExecutionEvent[]): void {
    const { nestedNonces } = this.kept;
    if (nestedNonces.size === 0) return;
    for (const event of events) {
      const id = endedConditional(event);
      const nonce = id === null ? undefined : nestedNonces.get(id);
      if (id === null || nonce === undefined) continue;
      nestedNonces.delete(id);
      this.nonces(event.account).consume(nonce);
    }
  }

  /** Counted instead of random, so that a run with a manual clock gives the same ids again. */
  requestId(): string {
    this.#requests += 1;
    return `req-${this.#requests}`;
  }
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
