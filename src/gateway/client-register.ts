/** The sessions of a gateway as clients that may trade, by their configuration (contract C.2). */
import type { OrderRules } from '../domain/order.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Turns } from '../store/turns.ts';
import { isFeatureUsable, type Profile } from '../venue/profile.ts';
import { Absences } from './absences.ts';
import type { ClientLane } from './client-lane.ts';
import { nameOf, profileOf } from './client-names.ts';
import { ClientSession, type ClientVoice } from './client-session.ts';
import { type Config, defaultProfile, type RiskLimits, type SessionConfig } from './config.ts';
import type { LoadedConfig } from './config-file.ts';
import type { MarketQueries } from './market-queries.ts';
import type { Floor } from './order-entry.ts';
import type { BoundAccount, Principal } from './principal.ts';
import { RiskGuard } from './risk.ts';
import { SessionRegister } from './session-register.ts';

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

/** How long the event that ended an order may come after the refusal that says so (contract D.4). */
const terminalWaitMs = 1_000;

export class ClientRegister {
  readonly #parts: RegisterParts;
  readonly #sessions: SessionRegister<ClientSession>;
  readonly #absences: Absences;

  constructor(parts: RegisterParts) {
    this.#parts = parts;
    this.#absences = new Absences(parts.turns, parts.clock);
    this.#sessions = new SessionRegister({
      lanes: parts.lanes,
      make: (session, config, voice) => this.#client(session, config, voice),
      change: (client, session, config) => client.change(this.#principal(session, config)),
    });
  }

  get(name: string): ClientSession | undefined {
    return this.#sessions.get(name);
  }

  [Symbol.iterator](): IterableIterator<ClientSession> {
    return this.#sessions[Symbol.iterator]();
  }

  /** Makes the sessions those of this configuration. */
  async apply(loaded: LoadedConfig): Promise<void> {
    await this.#sessions.apply(loaded);
  }

  /** At a start, once orders can be canceled and before anybody can log on. */
  async resume(): Promise<void> {
    for (const client of this.#sessions) await client.resume();
  }

  #client(session: SessionConfig, config: Config, voice: ClientVoice): ClientSession {
    const { floor, markets, turns, clock, isStreamBehind } = this.#parts;
    const principal = this.#principal(session, config);
    const shared = { floor, markets, turns, clock, isStreamBehind, absences: this.#absences };
    return new ClientSession({ principal, ...shared }, voice);
  }

  #principal(session: SessionConfig, config: Config): Principal {
    const name = nameOf(session);
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
    // A wrong reading doubles what is open, so an unconfirmed one is none (G58).
    amendQty: isFeatureUsable(profile, config.environment, 'amend')
      ? profile.amend.newQty
      : 'unknown',
    strictPriority: false,
    pendingStates: pending === 'full',
    iocRemainder,
    terminalWaitMs,
  };
}

/** The rules as they are configured now. Every step of every order asks for them, so they are worked out once. */
export function orderRulesBook(
  config: () => Config,
  profile: Profile,
): (session: string) => OrderRules {
  let known = new Map<string, OrderRules>();
  let knownOf: Config | undefined;
  return (session) => {
    const current = config();
    if (current !== knownOf) known = new Map();
    knownOf = current;
    const rules = known.get(session) ?? orderRulesOf(session, current, profile);
    known.set(session, rules);
    return rules;
  };
}

export function limitsOf(config: Config, own: RiskLimits): RiskLimits {
  return { ...config.limits, ...own };
}
