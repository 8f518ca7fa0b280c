/**
 * A process that only relays drop copies: it follows the streams of its accounts and serves readers, and holds no key
 * (docs/DROPCOPY.md, "A process that only relays"). The order is that of the gateway: journal, venue, port.
 */
import { join } from 'node:path';
import { InstrumentList } from '../domain/instrument.ts';
import { causeway44 } from '../fix/dictionaries.ts';
import { SessionDirectory } from '../fix/session-directory.ts';
import { FixpDirectory } from '../fixp/fixp-directory.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { makePrivateDirectory } from '../runtime/directory.ts';
import { openSqliteStore } from '../store/sqlite-store.ts';
import { Turns } from '../store/turns.ts';
import type { HostNotice } from '../transport/host.ts';
import { loadProfile, type Profile, requireConfirmed } from '../venue/profile.ts';
import { ClientPorts } from './client-port.ts';
import { orderRulesOf } from './client-register.ts';
import { startOnlyChanges } from './config.ts';
import { ConfigError, type LoadedConfig } from './config-file.ts';
import { CopyDesk, copyFeatures } from './copy-desk.ts';
import { type Lanes, openLanes } from './lanes.ts';
import { Listing } from './listing.ts';
import { tell } from './notice-text.ts';
import { profileMarkets } from './profile-markets.ts';
import { RelayAccount } from './relay-account.ts';
import { RelayClient } from './relay-client.ts';
import { SessionRegister } from './session-register.ts';

export interface RelayOptions {
  readonly loaded: LoadedConfig;
  readonly clock?: Clock;
  readonly alarm: (text: string) => void;
  readonly notice: (text: string) => void;
  /** The store has failed: memory is ahead of the disk, so the process must end. */
  readonly fatal: (error: unknown) => void;
}

export class CopyRelay {
  readonly directory: SessionDirectory;
  readonly fixpDirectory: FixpDirectory;
  readonly copies: CopyDesk;
  readonly #options: RelayOptions;
  readonly #clock: Clock;
  readonly #profile: Profile;
  readonly #turns: Turns;
  readonly #lanes: Lanes;
  readonly #sessions: SessionRegister<RelayClient>;
  readonly #ports = new ClientPorts();
  readonly #accounts: RelayAccount[] = [];
  #loaded: LoadedConfig;
  #instruments: InstrumentList;

  static async open(options: RelayOptions): Promise<CopyRelay> {
    const { fatal, loaded } = options;
    const { config, path } = loaded;
    const profile = loadProfile(path(config.venue.profile));
    requireConfirmed(profile, config.environment, ['stream', ...copyFeatures(profile)]);
    makePrivateDirectory(path(config.dataDir));
    const store = await openSqliteStore({
      path: join(path(config.dataDir), 'relay.db'),
      durability: config.durability,
      maxBytes: config.maxDataBytes,
    });
    const relay = new CopyRelay(options, profile, new Turns(store, fatal));
    await relay.#openAccounts();
    await relay.copies.apply(config);
    await relay.copies.keepDays();
    await relay.#sessions.apply(loaded);
    await relay.#openVenue();
    relay.copies.check(options.notice);
    await relay.#openPorts();
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
    const hosting = {
      turns,
      clock,
      notice: (event: HostNotice) => tell(event, options),
    };
    this.directory = new SessionDirectory({ dictionary: causeway44(), ...hosting });
    this.fixpDirectory = new FixpDirectory(hosting);
    this.copies = new CopyDesk({
      turns,
      clock,
      profile,
      config: options.loaded.config,
      accounts: () => this.#accounts,
      instruments: () => this.#instruments,
      alarm,
    });
    const shared = { clock, profile, copies: this.copies, notice };
    this.#lanes = openLanes(this, shared);
    this.#sessions = new SessionRegister({
      lanes: this.#lanes,
      make: (session) => new RelayClient(session),
      change: () => {},
    });
  }

  get port(): number {
    return this.#ports.fix;
  }

  /** 0 without a port for FIXP. */
  get fixpPort(): number {
    return this.#ports.fixp;
  }

  /** Sessions, users and filters of another configuration; the other sessions go on. */
  async reload(loaded: LoadedConfig): Promise<void> {
    const faults = startOnlyChanges(this.#loaded.config, loaded.config);
    if (faults.length > 0) throw new ConfigError(`only a restart can change ${faults.join(', ')}`);
    this.#loaded = loaded;
    await this.copies.apply(loaded.config);
    await this.#sessions.apply(loaded);
  }

  async stop(): Promise<void> {
    for (const lane of Object.values(this.#lanes)) lane.stop();
    for (const { roster } of [this.directory, this.fixpDirectory]) {
      for (const { name } of roster.list()) roster.stop(name, 'The relay goes down');
    }
    await this.#ports.close();
    this.copies.stop();
    this.directory.close();
    this.fixpDirectory.close();
    for (const account of this.#accounts) await account.stop();
    this.#turns.close();
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
      keptDays: () => this.#loaded.config.journalDays,
      rules: orderRulesOf('', config, this.#profile),
      instruments: () => this.#instruments,
      listing: new Listing({
        clock: this.#clock,
        instruments: () => this.#instruments,
        relist: () => this.#relist(),
      }),
      report: (report: Parameters<CopyDesk['report']>[0]) => this.copies.report(report),
      lost: (...loss: Parameters<CopyDesk['lost']>) => this.copies.lost(...loss),
      alarm,
      notice,
    };
    for (const account of config.accounts) {
      const credential = credentials.get(account.name);
      if (credential === undefined) throw new ConfigError(`no credential for ${account.name}`);
      this.#accounts.push(await RelayAccount.open(account, credential, world));
    }
  }

  #openPorts(): Promise<void> {
    const { loaded, notice } = this.#options;
    const { directory, fixpDirectory } = this;
    return this.#ports.open(loaded, { directory, fixpDirectory, clock: this.#clock, notice });
  }

  async #openVenue(): Promise<void> {
    await this.#relist();
    for (const account of this.#accounts) account.follow();
  }

  /** The markets as the venue lists them now, or those that are known while it cannot be asked. */
  async #relist(): Promise<void> {
    const [first] = this.#accounts;
    try {
      const markets = await first?.reads.markets();
      if (markets !== undefined) this.#instruments = new InstrumentList(markets);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#options.alarm(`the venue's markets cannot be read, those that are known serve: ${why}`);
    }
  }
}
