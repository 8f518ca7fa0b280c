/** Everything that the venue knows, in one place: the routes read and change it, snapshots keep it. */
import type { Profile } from '../venue/profile.ts';
import { ActionReader } from './action-input.ts';
import type { Caps, Fees } from './engine/config.ts';
import type { ExecutionEvent } from './engine/event.ts';
import type { Exchange } from './engine/exchange.ts';
import { EventFeed, type FeedSnapshot } from './event-feed.ts';
import { Faults } from './faults.ts';
import { Gates, type GatesSnapshot } from './gates.ts';
import { IdempotencyKeys, type IdempotencySnapshot } from './idempotency.ts';
import { Identities, type IdentitySnapshot } from './identity.ts';
import type { Ids } from './ids.ts';
import { type NonceSnapshot, NonceWindow } from './nonce-window.ts';
import { RateLimiter } from './rate-limit.ts';
import { Tokens } from './tokens.ts';

/** Limits that an operator may change while the venue runs; the profile gives the first values. */
export interface LiveLimits {
  jsonEnabled: boolean;
  actionsPerSecond: number;
  burst: number;
  edgeRequestsPerSecond: number;
  /** How many delegated agents an account may have. */
  delegations: number;
}

import type { VenueClock } from './venue-clock.ts';

export interface LaneAddress {
  readonly host: string;
  readonly port: number;
  readonly tlsSni: string | null;
}

export interface Lanes {
  bsl: LaneAddress | null;
  fix: LaneAddress | null;
  fixp: LaneAddress | null;
  fixpSchemaUrl: string | null;
}

export type LiveCaps = { -readonly [name in keyof Caps]: Caps[name] };

/** An open private socket, as the session records show it. */
export interface OpenSession {
  readonly sessionId: string;
  readonly connectedAtMs: number;
  readonly account: string | null;
}

export interface StateParts {
  /** Told of what should never happen: an exception that no route expects. */
  readonly reportFault: (error: unknown) => void;
  readonly profile: Profile;
  readonly seed: number;
  readonly clock: VenueClock;
  readonly exchange: Exchange;
  /** The very caps that the exchange reads, so that an operator can change them. */
  readonly caps: LiveCaps;
  readonly ids: Ids;
}

export interface StateSnapshot {
  readonly identities: IdentitySnapshot;
  readonly gates: GatesSnapshot;
  readonly limits: LiveLimits;
  readonly caps: Caps;
  readonly nonces: readonly (readonly [string, NonceSnapshot])[];
  readonly nestedNonces: readonly (readonly [string, number])[];
  readonly feed: FeedSnapshot;
  readonly idempotency: IdempotencySnapshot;
  readonly reservations: readonly string[];
  readonly hidesBuild: boolean;
}

export class State {
  readonly profile: Profile;
  readonly seed: number;
  readonly clock: VenueClock;
  readonly exchange: Exchange;
  readonly ids: Ids;
  readonly reportFault: (error: unknown) => void;
  readonly reader: ActionReader;
  readonly feed: EventFeed;
  readonly identities = new Identities();
  readonly gates = new Gates();
  readonly faults: Faults;
  readonly tokens: Tokens;
  readonly idempotency: IdempotencyKeys;
  readonly limits: LiveLimits;
  readonly caps: LiveCaps;
  readonly accountLimiter: RateLimiter;
  readonly agentLimiter = new RateLimiter({ perSecond: 0, burst: 0 });
  readonly edgeLimiter: RateLimiter;
  readonly sessions = new Set<OpenSession>();
  /** Conditional order → nonce of its nested order, while that one holds the floor (contract G20). */
  readonly nestedNonces = new Map<string, number>();
  /** The ports through which an account can be reached, as far as they are open. */
  readonly lanes: Lanes = { bsl: null, fix: null, fixp: null, fixpSchemaUrl: null };
  /** The version route answers without build metadata. */
  hidesBuild = false;
  /** Tests of the deprecated feature put the reservation ids here that count as valid (contract G17). */
  readonly reservations = new Set<string>();
  readonly #nonces = new Map<string, NonceWindow>();
  #requests = 0;

  constructor({ profile, seed, clock, caps, exchange, ids, reportFault }: StateParts) {
    const { rate } = profile.limits;
    this.profile = profile;
    this.seed = seed;
    this.clock = clock;
    this.exchange = exchange;
    this.ids = ids;
    this.reportFault = reportFault;
    this.reader = new ActionReader(profile);
    this.feed = new EventFeed(exchange, profile);
    this.faults = new Faults(seed);
    this.tokens = new Tokens(seed);
    this.idempotency = new IdempotencyKeys({
      lifetimeMs: profile.idempotency.lifetimeMs,
      maxKeys: 100_000,
    });
    this.caps = caps;
    this.limits = profileLimits(profile);
    this.accountLimiter = new RateLimiter({ perSecond: rate.actionsPerSecond, burst: rate.burst });
    this.edgeLimiter = new RateLimiter(edgeBudget(rate.edgeRequestsPerSecond));
  }

  setLimits(change: Partial<LiveLimits>): void {
    Object.assign(this.limits, change);
    const { actionsPerSecond, burst, edgeRequestsPerSecond } = this.limits;
    this.accountLimiter.budget = { perSecond: actionsPerSecond, burst };
    this.edgeLimiter.budget = edgeBudget(edgeRequestsPerSecond);
  }

  /** What was let in once is under no limit of its rate when it is applied again. */
  set isRebuilding(on: boolean) {
    for (const limiter of [this.accountLimiter, this.agentLimiter, this.edgeLimiter]) {
      limiter.isOff = on;
    }
  }

  openAccount(account: string, keepsHistory = true): void {
    this.identities.addAccount(account);
    this.exchange.openAccount(account, keepsHistory);
    this.#nonces.set(account, new NonceWindow(this.profile.nonce.window));
  }

  /** As after a venue that lost its state: every nonce is free again. */
  resetNonces(account: string): void {
    this.#nonces.set(account, new NonceWindow(this.profile.nonce.window));
  }

  nonces(account: string): NonceWindow {
    let window = this.#nonces.get(account);
    if (window === undefined) {
      window = new NonceWindow(this.profile.nonce.window);
      this.#nonces.set(account, window);
    }
    return window;
  }

  /** All that must survive a restart beside the exchange, as plain JSON. */
  snapshot(): StateSnapshot {
    return {
      identities: this.identities.snapshot(),
      gates: this.gates.snapshot(),
      limits: { ...this.limits },
      caps: { ...this.caps },
      nonces: [...this.#nonces].map(([account, window]) => [account, window.snapshot()]),
      nestedNonces: [...this.nestedNonces],
      feed: this.feed.snapshot(),
      idempotency: this.idempotency.snapshot(),
      reservations: [...this.reservations],
      hidesBuild: this.hidesBuild,
    };
  }

  restore(snapshot: StateSnapshot): void {
    this.identities.restore(snapshot.identities);
    this.gates.restore(snapshot.gates);
    this.setLimits(snapshot.limits);
    Object.assign(this.caps, snapshot.caps);
    for (const [account, window] of snapshot.nonces) {
      this.#nonces.set(account, new NonceWindow(this.profile.nonce.window, window));
    }
    for (const [orderId, nonce] of snapshot.nestedNonces) this.nestedNonces.set(orderId, nonce);
    this.feed.restore(snapshot.feed);
    this.idempotency.restore(snapshot.idempotency);
    for (const id of snapshot.reservations) this.reservations.add(id);
    this.hidesBuild = snapshot.hidesBuild;
  }

  /** Frees the nonces that stored conditionals held, once those have ended (contract G20). */
  settleNested(events: readonly ExecutionEvent[]): void {
    if (this.nestedNonces.size === 0) return;
    for (const event of events) {
      const id = endedConditional(event);
      const nonce = id === null ? undefined : this.nestedNonces.get(id);
      if (id === null || nonce === undefined) continue;
      this.nestedNonces.delete(id);
      this.nonces(event.account).consume(nonce);
    }
  }

  /** Counted, not drawn, so that a run with a manual clock gives the same ids again. */
  requestId(): string {
    this.#requests += 1;
    return `req-${this.#requests}`;
  }
}

/**
 * The conditional that the event ends. One that fires stands in `parentOrderId`, where a refused cancel or amend puts
 * the order that it named: that one goes on.
 */
function endedConditional({ kind, orderId, parentOrderId }: ExecutionEvent): string | null {
  if (kind === 'triggered') return parentOrderId;
  return kind === 'canceled' || kind === 'expired' ? orderId : null;
}

function edgeBudget(perSecond: number): { perSecond: number; burst: number } {
  return { perSecond, burst: perSecond };
}

export function profileLimits({ limits }: Profile): LiveLimits {
  const { batch, rate } = limits;
  return {
    jsonEnabled: batch.jsonEnabled,
    actionsPerSecond: rate.actionsPerSecond,
    burst: rate.burst,
    edgeRequestsPerSecond: rate.edgeRequestsPerSecond,
    delegations: 32,
  };
}

export function profileCaps({ conditional, limits }: Profile): Caps {
  return { ...limits.caps, parents: conditional.maxPerAccount * 2, accounts: 10_000 };
}

export function profileFees({ fees }: Profile): Fees {
  const tiers = fees.tiers.map(({ fromUsd, rebateBps }) => ({
    minVolumeMicro: fromUsd * 1_000_000,
    rebateBps,
  }));
  return { takerBps: fees.takerBps, makerBps: fees.makerBps, tiers };
}
