/** The trading sessions of a gateway, created from their configuration (contract C.2). */
import { type Denial, deny, isDenial } from '../../domain/denial.ts';
import { isLeaving } from '../../domain/order.ts';
import type { Placements } from '../../engine/orders.ts';
import type { Profile } from '../../venue/profile.ts';
import { nameOf } from '../config/client-names.ts';
import { type Config, profileOf, type RiskLimits, type SessionConfig } from '../config/config.ts';
import { orderRulesOf } from '../config/engine-settings.ts';
import { authorize } from '../gate/authorize.ts';
import { gateView } from '../gate/gate-view.ts';
import { cancelOwn, type Principal, reachOf } from '../gate/principal.ts';
import { RiskGuard } from '../gate/risk.ts';
import { CancelOnDisconnect, type StartState } from './cancel-on-disconnect.ts';
import type { ClientLane } from './client-lane.ts';
import { type ClientOutput, type ClientParts, ClientSession } from './client-session.ts';
import { SessionRegister } from './session-register.ts';

export interface RegisterParts extends Omit<ClientParts, 'principal' | 'cancelOnDisconnect'> {
  readonly lanes: Readonly<Record<SessionConfig['protocol'], ClientLane>>;
  readonly profile: Profile;
  /** The limits in force for a session. */
  readonly limits: (config: Config, session: SessionConfig) => RiskLimits;
}

export class ClientRegister extends SessionRegister<ClientSession> {
  readonly #parts: RegisterParts;
  readonly #cancelOnDisconnect: CancelOnDisconnect;

  constructor(parts: RegisterParts) {
    super({
      lanes: parts.lanes,
      make: (session, config, output) => this.#client(session, config, output),
      change: (client, session, config) => {
        const { guard } = client.principal;
        guard.limit(parts.limits(config, session));
        client.change(this.#principal(session, config, guard));
      },
    });
    this.#parts = parts;
    this.#cancelOnDisconnect = new CancelOnDisconnect(parts.transactions, parts.clock);
  }

  /** Returns why an order that has waited may no longer be placed; it may not if its session no longer trades. */
  authorize(account: string, { places, session }: Placements): Denial | undefined {
    const { clock, context } = this.#parts;
    const principal = this.#trader(session);
    const bound = principal?.accounts.find(({ name }) => name === account);
    if (principal === undefined || bound === undefined) {
      return deny('bridge.not_authorized', `${session} may not trade on ${account} any more`);
    }
    const view = gateView(principal, bound, context);
    const verdict = authorize({ kind: 'release', places }, view, clock.now());
    return isDenial(verdict) ? verdict : undefined;
  }

  /** Called twice at a start: before anything is sent, and before clients can log on. */
  async resume(state: StartState): Promise<void> {
    const sessions = new Set([...this].map(({ principal }) => principal.session));
    // The configuration may no longer have a session whose orders are to be canceled.
    for (const { runner } of this.#parts.accounts())
      for (const { owner } of runner.orders.open()) sessions.add(owner.session);
    for (const session of sessions) {
      await this.#cancelOnDisconnect.resume(session, state, () =>
        cancelOwn(session, this.#parts, 'cancel on disconnect: the bridge went down'),
      );
    }
  }

  /** By session that is not configured for order entry: how many open orders it has that nothing cancels yet. */
  left(): ReadonlyMap<string, number> {
    const left = new Map<string, number>();
    for (const { runner } of this.#parts.accounts())
      for (const order of runner.orders.open()) {
        const { session } = order.owner;
        const isOver = isLeaving(order) || this.#cancelOnDisconnect.isDue(session);
        if (!isOver && !this.#trader(session)) left.set(session, 1 + (left.get(session) ?? 0));
      }
    return left;
  }

  #trader(session: string): Principal | undefined {
    const principal = this.get(session)?.principal;
    return principal?.role === 'order-entry' ? principal : undefined;
  }

  #client(session: SessionConfig, config: Config, output: ClientOutput): ClientSession {
    const limits = this.#parts.limits(config, session);
    const guard = new RiskGuard(`session ${session.senderCompId}`, limits);
    const principal = this.#principal(session, config, guard);
    const cancelOnDisconnect = this.#cancelOnDisconnect;
    return new ClientSession({ ...this.#parts, principal, cancelOnDisconnect }, output);
  }

  #principal(session: SessionConfig, config: Config, guard: RiskGuard): Principal {
    const name = nameOf(session);
    const all = this.#parts.accounts();
    const accounts = session.accounts.flatMap(
      (alias) => all.find((one) => one.name === alias) ?? [],
    );
    return {
      session: name,
      role: session.role,
      compId: session.senderCompId,
      users: session.users,
      accounts,
      reach: reachOf(name, accounts, all),
      known: all,
      profile: profileOf(session, config),
      rules: orderRulesOf(name, config, this.#parts.profile),
      guard,
      markets: session.markets === undefined ? null : new Set(session.markets),
      actions: new Set(session.actions),
      cancelOnDisconnect: session.cancelOnDisconnect,
    };
  }
}
