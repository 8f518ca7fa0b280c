/**
 * The client sessions of a gateway, as its configuration has them: made at the start, and added, changed and taken
 * away while the others run. A session is logged out only where something changes that its FIX engine is made with.
 */
import { isDeepStrictEqual } from 'node:util';
import type { OrderRules } from '../domain/order.ts';
import type { Authenticator } from '../fix/logon-auth.ts';
import type { SessionDirectory } from '../fix/session-directory.ts';
import { type SessionSettings, sessionName, sessionSettings } from '../fix/session-settings.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Turns } from '../store/turns.ts';
import { AddressList } from '../transport/address.ts';
import type { Profile } from '../venue/profile.ts';
import { ClientSession } from './client-session.ts';
import {
  type ClientProfile,
  type Config,
  defaultProfile,
  type RiskLimits,
  type SessionConfig,
} from './config.ts';
import type { LoadedConfig, UserSecrets } from './config-file.ts';
import type { MarketQueries } from './market-queries.ts';
import type { Floor } from './order-entry.ts';
import type { BoundAccount, Principal } from './principal.ts';
import { RiskGuard } from './risk.ts';
import { userAuthenticator } from './user-logon.ts';

export interface RegisterParts {
  readonly directory: SessionDirectory;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly floor: Floor;
  readonly markets: MarketQueries;
  readonly account: (alias: string) => BoundAccount | undefined;
  readonly isStreamBehind: (bound: BoundAccount) => boolean;
}

interface Entry {
  readonly client: ClientSession;
  readonly settings: SessionSettings;
  admission: Admission;
}

/** Who may log on, and from where. */
interface Admission {
  readonly users: readonly UserSecrets[];
  readonly allowFrom: readonly string[] | undefined;
  readonly authenticate: Authenticator;
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
    return this.#entries.get(name)?.client;
  }

  *[Symbol.iterator](): IterableIterator<ClientSession> {
    for (const { client } of this.#entries.values()) yield client;
  }

  /** Makes the sessions those of this configuration. */
  async apply(loaded: LoadedConfig): Promise<void> {
    const wanted = new Map(loaded.config.sessions.map((session) => [nameOf(session), session]));
    for (const name of [...this.#entries.keys()]) if (!wanted.has(name)) this.#remove(name);
    for (const [name, session] of wanted) {
      const entry = this.#entries.get(name);
      if (entry === undefined) await this.#add(name, session, loaded);
      else if (isDeepStrictEqual(entry.settings, this.#settings(session, loaded.config))) {
        entry.admission = admissionOf(session, loaded, entry.admission);
        entry.client.change(this.#principal(name, session, loaded.config));
      } else {
        this.#remove(name);
        await this.#add(name, session, loaded);
      }
    }
  }

  async #add(name: string, session: SessionConfig, loaded: LoadedConfig): Promise<void> {
    const { clock, directory, floor, isStreamBehind, markets, profile, turns } = this.#parts;
    const client = new ClientSession({
      principal: this.#principal(name, session, loaded.config),
      floor,
      markets,
      turns,
      clock,
      messages: {
        tags: profile.fix.customTags,
        numberMap: profile.reject.numberMap,
        putOrCallAsBook: profile.fix.putOrCallAsBook,
        feeCurrency: profile.fees.currency,
      },
      isStreamBehind,
    });
    const settings = this.#settings(session, loaded.config);
    const entry: Entry = { client, settings, admission: admissionOf(session, loaded) };
    const authenticate: Authenticator = (attempt) => entry.admission.authenticate(attempt);
    client.bind(await directory.add({ settings, application: client, authenticate }));
    this.#entries.set(name, entry);
  }

  #remove(name: string): void {
    this.#parts.directory.remove(name);
    this.#entries.delete(name);
  }

  #settings(session: SessionConfig, config: Config): SessionSettings {
    return sessionSettings({
      identity: identityOf(session),
      role: 'acceptor',
      allowsReset: session.allowReset,
      strictUserTags: profileOf(session, config).strictTags,
      numberTag: this.#parts.profile.fix.customTags.venueRejectNumber,
      ...(session.certificateSha256 !== undefined && {
        certificates: new Set([session.certificateSha256]),
      }),
    });
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

function profileOf({ profile }: SessionConfig, { profiles }: Config): ClientProfile {
  return (profile === undefined ? undefined : profiles[profile]) ?? defaultProfile;
}

function identityOf({ senderCompId, targetCompId }: SessionConfig) {
  return { senderCompId: targetCompId, targetCompId: senderCompId };
}

function nameOf(session: SessionConfig): string {
  return sessionName(identityOf(session));
}

/** What stays as it was keeps its memory of signatures that were used. */
function admissionOf(session: SessionConfig, loaded: LoadedConfig, before?: Admission): Admission {
  const { allowFrom } = session;
  const users = session.users.flatMap((user) => loaded.users.get(user) ?? []);
  const isSame = isDeepStrictEqual([before?.users, before?.allowFrom], [users, allowFrom]);
  if (before !== undefined && isSame) return before;
  const byUser = userAuthenticator(users);
  const allowed = allowFrom && new AddressList(allowFrom);
  const authenticate: Authenticator = (attempt) => {
    if (allowed?.has(attempt.peer.address) === false) return 'Logon refused: not from this address';
    return byUser(attempt);
  };
  return { users, allowFrom, authenticate };
}
