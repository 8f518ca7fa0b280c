/**
 * The client sessions of a gateway, as its configuration has them: made at the start, and added, changed and taken
 * away while the others run. A session is logged out only where something changes that its engine is made with.
 */
import { isDeepStrictEqual } from 'node:util';
import type { OrderRules } from '../domain/order.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Turns } from '../store/turns.ts';
import type { Profile } from '../venue/profile.ts';
import type { ClientLane, OpenClient } from './client-lane.ts';
import { nameOf, profileOf } from './client-names.ts';
import { ClientSession, type ClientVoice } from './client-session.ts';
import { type Config, defaultProfile, type RiskLimits, type SessionConfig } from './config.ts';
import type { LoadedConfig } from './config-file.ts';
import type { MarketQueries } from './market-queries.ts';
import type { Floor } from './order-entry.ts';
import type { BoundAccount, Principal } from './principal.ts';
import { RiskGuard } from './risk.ts';

export interface RegisterParts {
  readonly lanes: Readonly<Record<SessionConfig['protocol'], ClientLane>>;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly floor: Floor;
  readonly markets: MarketQueries;
  readonly account: (alias: string) => BoundAccount | undefined;
  readonly isStreamBehind: (bound: BoundAccount) => boolean;
}

interface Entry {
  readonly open: OpenClient;
  readonly lane: ClientLane;
  readonly settings: unknown;
}

/** How long the event that ended an order may come after the refusal that says so (contract D.4). */
const terminalWaitMs = 1_000;

export class ClientRegister {
  readonly #parts: RegisterParts;
  readonly #entries = new Map<string, Entry>();

  constructor(parts: RegisterParts) {
    this.#parts = parts;
  }

  get(name: string): ClientSession | undefined {
    return this.#entries.get(name)?.open.client;
  }

  *[Symbol.iterator](): IterableIterator<ClientSession> {
    for (const { open } of this.#entries.values()) yield open.client;
  }

  /** Makes the sessions those of this configuration. */
  async apply(loaded: LoadedConfig): Promise<void> {
    const wanted = new Map(loaded.config.sessions.map((session) => [nameOf(session), session]));
    for (const name of [...this.#entries.keys()]) if (!wanted.has(name)) this.#remove(name);
    for (const [name, session] of wanted) {
      const entry = this.#entries.get(name);
      if (entry === undefined) await this.#add(name, session, loaded);
      else if (isDeepStrictEqual(entry.settings, entry.lane.settings(session, loaded.config))) {
        entry.open.admission.change(session, loaded);
        entry.open.client.change(this.#principal(name, session, loaded.config));
      } else {
        this.#remove(name);
        await this.#add(name, session, loaded);
      }
    }
  }

  async #add(name: string, session: SessionConfig, loaded: LoadedConfig): Promise<void> {
    const { floor, markets, turns, clock, isStreamBehind } = this.#parts;
    const principal = this.#principal(name, session, loaded.config);
    const lane = this.#parts.lanes[session.protocol];
    const makeClient = (voice: ClientVoice) =>
      new ClientSession({ principal, floor, markets, turns, clock, isStreamBehind }, voice);
    const open = await lane.open({ name, session, loaded, makeClient });
    this.#entries.set(name, { open, lane, settings: lane.settings(session, loaded.config) });
  }

  #remove(name: string): void {
    this.#entries.get(name)?.lane.close(name);
    this.#entries.delete(name);
  }

  #principal(name: string, session: SessionConfig, config: Config): Principal {
    const limits = limitsOf(config, session.limits);
    return {
      session: name,
      role: session.role,
      compId: session.senderCompId,
      users: session.users,
      accounts: session.accounts.flatMap((alias) => this.#parts.account(alias) ?? []),
      profile: profileOf(session, config),
      rules: orderRulesOf(name, config, this.#parts.profile),
      guard: new RiskGuard(`session ${session.senderCompId}`, limits),
      markets: session.markets === undefined ? null : new Set(session.markets),
      actions: new Set(session.actions),
      cancelOnDisconnect: session.cancelOnDisconnect,
    };
  }
}

/** An order of a session that is no longer configured lives on under the default rules. */
export function orderRulesOf(name: string, config: Config, profile: Profile): OrderRules {
  const session = config.sessions.find((one) => nameOf(one) === name);
  const { iocRemainder, pending } = session ? profileOf(session, config) : defaultProfile;
  return {
    amendQty: profile.amend.newQty,
    strictPriority: false,
    pendingStates: pending === 'full',
    iocRemainder,
    terminalWaitMs,
  };
}

export function limitsOf(config: Config, own: RiskLimits): RiskLimits {
  return { ...config.limits, ...own };
}
