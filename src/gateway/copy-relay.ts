/**
 * A process that only relays drop copies: it follows the streams of its accounts and serves readers, and holds no key
 * (docs/DROPCOPY.md, "A process that only relays"). The order is that of the gateway: journal, venue, port.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { InstrumentList } from '../domain/instrument.ts';
import type { Application } from '../fix/application.ts';
import { causeway44 } from '../fix/dictionaries.ts';
import { SessionDirectory } from '../fix/session-directory.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { openSqliteStore } from '../store/sqlite-store.ts';
import { Turns } from '../store/turns.ts';
import type { Acceptor } from '../transport/acceptor.ts';
import { loadProfile, type Profile, requireConfirmed } from '../venue/profile.ts';
import { ClientAdmission } from './client-admission.ts';
import { nameOf } from './client-names.ts';
import { clientPort } from './client-port.ts';
import { orderRulesOf } from './client-register.ts';
import { type FixSessionConfig, startOnlyChanges } from './config.ts';
import { ConfigError, type LoadedConfig } from './config-file.ts';
import { CopyDesk, copyFeatures } from './copy-desk.ts';
import { fixEngine } from './fix-lane.ts';
import { Outbound, ownCredentials } from './outbound.ts';
import { profileMarkets } from './profile-markets.ts';
import { RelayAccount } from './relay-account.ts';
import { userAuthenticator } from './user-logon.ts';

export interface RelayOptions {
  readonly loaded: LoadedConfig;
  readonly clock?: Clock;
  readonly alarm: (text: string) => void;
  readonly notice: (text: string) => void;
  /** The store has failed: memory is ahead of the disk, so the process must end. */
  readonly fatal: (error: unknown) => void;
}

interface Entry {
  readonly settings: unknown;
  readonly admission: ClientAdmission<Parameters<ReturnType<typeof userAuthenticator>>[0]>;
}

/** Whoever sends anything but questions to a process that only relays. */
const refusing: Application = {
  onMessage: (message, session, now) =>
    session.businessReject(message, { reason: 6, text: 'this process only relays copies' }, now),
};

export class CopyRelay {
  readonly directory: SessionDirectory;
  readonly copies: CopyDesk;
  readonly #options: RelayOptions;
  readonly #clock: Clock;
  readonly #profile: Profile;
  readonly #turns: Turns;
  readonly #outbound: Outbound;
  readonly #accounts: RelayAccount[] = [];
  readonly #entries = new Map<string, Entry>();
  #loaded: LoadedConfig;
  #instruments: InstrumentList;
  #acceptor: Acceptor | undefined;
  #port = 0;

  static async open(options: RelayOptions): Promise<CopyRelay> {
    const { fatal, loaded } = options;
    const { config, path } = loaded;
    const profile = loadProfile(path(config.venue.profile));
    requireConfirmed(profile, config.environment, ['stream', ...copyFeatures(profile)]);
    mkdirSync(path(config.dataDir), { recursive: true, mode: 0o700 });
    const store = await openSqliteStore({
      path: join(path(config.dataDir), 'relay.db'),
      durability: config.durability,
      maxBytes: config.maxDataBytes,
    });
    const relay = new CopyRelay(options, profile, new Turns(store, fatal));
    await relay.#openAccounts();
    await relay.copies.apply(config);
    await relay.copies.keepDays();
    await relay.#apply(loaded);
    await relay.#openVenue();
    relay.copies.check(options.notice);
    await relay.#openPort();
    return relay;
  }

  private constructor(options: RelayOptions, profile: Profile, turns: Turns) {
    const clock = options.clock ?? systemClock;
    this.#options = options;
    this.#loaded = options.loaded;
    this.#clock = clock;
    this.#profile = profile;
    this.#turns = turns;
    this.#instruments = new InstrumentList(profileMarkets(profile));
    const { alarm, notice } = options;
    this.directory = new SessionDirectory({
      dictionary: causeway44(),
      turns,
      clock,
      notice: (event) => notice(JSON.stringify(event)),
    });
    this.#outbound = new Outbound({ directory: this.directory, clock, notice });
    this.copies = new CopyDesk({
      turns,
      clock,
      profile,
      config: options.loaded.config,
      accounts: () => this.#accounts,
      alarm,
    });
  }

  get port(): number {
    return this.#port;
  }

  /** Sessions, users and filters of another configuration; the other sessions go on. */
  async reload(loaded: LoadedConfig): Promise<void> {
    const faults = startOnlyChanges(this.#loaded.config, loaded.config);
    if (faults.length > 0) throw new ConfigError(`only a restart can change ${faults.join(', ')}`);
    this.#loaded = loaded;
    await this.copies.apply(loaded.config);
    await this.#apply(loaded);
  }

  async stop(): Promise<void> {
    this.#outbound.stop();
    for (const { name } of this.directory.list()) this.directory.stop(name, 'The relay goes down');
    await this.#acceptor?.close();
    this.copies.stop();
    this.directory.close();
    for (const account of this.#accounts) await account.stop();
    await this.#turns.store.close();
  }

  async #openAccounts(): Promise<void> {
    const { alarm, loaded, notice } = this.#options;
    const { config, credentials } = loaded;
    const baseUrl = config.venue.baseUrl ?? this.#profile.environments[config.environment].baseUrl;
    if (baseUrl === null) throw new ConfigError('venue.baseUrl: the profile has none');
    const world = {
      profile: this.#profile,
      baseUrl,
      clock: this.#clock,
      turns: this.#turns,
      rules: orderRulesOf('', config, this.#profile),
      instruments: () => this.#instruments,
      report: (report: Parameters<CopyDesk['report']>[0]) => this.copies.report(report),
      alarm,
      notice,
    };
    for (const account of config.accounts) {
      const credential = credentials.get(account.name);
      if (credential === undefined) throw new ConfigError(`no credential for ${account.name}`);
      this.#accounts.push(await RelayAccount.open(account, credential, world));
    }
  }

  /** The markets as the venue lists them now, or as the profile does while it cannot be asked. */
  async #openVenue(): Promise<void> {
    const [first] = this.#accounts;
    try {
      const markets = await first?.reads.markets();
      if (markets !== undefined) this.#instruments = new InstrumentList(markets);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#options.alarm(`the venue's markets are not known, those of the profile serve: ${why}`);
    }
    for (const account of this.#accounts) account.follow();
  }

  async #openPort(): Promise<void> {
    const { loaded, notice } = this.#options;
    const { fix } = loaded.config;
    this.#acceptor = clientPort(fix, loaded, this.directory, this.#clock, notice);
    this.#port = await this.#acceptor.listen();
  }

  async #apply(loaded: LoadedConfig): Promise<void> {
    const { config } = loaded;
    const sessions = config.sessions.filter((session) => session.protocol === 'fix');
    const wanted = new Map(sessions.map((session) => [nameOf(session), session]));
    for (const [name, { settings }] of this.#entries) {
      const session = wanted.get(name);
      const next = session && [fixEngine(session, config, this.#profile), session.connect];
      if (!isDeepStrictEqual(settings, next)) this.#close(name);
    }
    for (const [name, session] of wanted) {
      const entry = this.#entries.get(name);
      if (entry === undefined) await this.#open(name, session, loaded);
      else entry.admission.change(session, loaded);
    }
  }

  async #open(name: string, session: FixSessionConfig, loaded: LoadedConfig): Promise<void> {
    const engine = fixEngine(session, loaded.config, this.#profile);
    const admission = new ClientAdmission(userAuthenticator);
    admission.change(session, loaded);
    const unread = () => this.directory.roster.unreadBytes(name);
    const reader = this.copies.fixReader(name, session, refusing, unread);
    const made = await this.directory.add({
      settings: { ...engine, ...ownCredentials(session, loaded) },
      application: reader,
      authenticate: admission.authenticate,
    });
    reader.bind(made);
    this.#entries.set(name, { settings: [engine, session.connect], admission });
    if (session.connect !== undefined) this.#outbound.connect(made, session.connect, loaded);
  }

  #close(name: string): void {
    this.#outbound.close(name);
    this.directory.remove(name);
    this.#entries.delete(name);
  }
}
