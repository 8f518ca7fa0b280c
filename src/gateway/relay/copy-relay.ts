/**
 * A process that only relays drop copies: it follows the streams of its accounts, serves readers, and has no key
 * (docs/DROPCOPY.md, "A relay process"). Clients connect to it as to a bridge; only the accounts differ.
 */
import { InstrumentList, marketsOf } from '../../domain/instrument.ts';
import { systemClock } from '../../runtime/clock.ts';
import { FoldedAlarms } from '../../runtime/folded-alarm.ts';
import { OwnedClock } from '../../runtime/owned-clock.ts';
import type { Transactions } from '../../store/transactions.ts';
import {
  loadProfile,
  type Profile,
  profileMarkets,
  requireConfirmed,
} from '../../venue/profile.ts';
import { UsableMarkets } from '../../venue/usable-markets.ts';
import { keepAccountNames } from '../account/account-names.ts';
import { unlistedMarketBarrier } from '../account/unlisted-market-barrier.ts';
import { ClientSide, openTransactions, type ProcessOptions } from '../client-side.ts';
import { SessionRegister } from '../clients/session-register.ts';
import { ConfigError, type LoadedConfig } from '../config/config-file.ts';
import { orderRulesOf } from '../config/engine-settings.ts';
import { venueUrl } from '../config/venue-url.ts';
import { type CopyReaders, copyFeatures } from '../copies/copy-readers.ts';
import { realOutside } from '../outside.ts';
import { RelayAccount, type RelayWorld } from './relay-account.ts';
import { RelayClient } from './relay-client.ts';

export class CopyRelay {
  readonly copies: CopyReaders;
  readonly #options: ProcessOptions;
  readonly #clock: OwnedClock;
  readonly #profile: Profile;
  readonly #transactions: Transactions;
  readonly #side: ClientSide<SessionRegister<RelayClient>>;
  readonly #accounts: RelayAccount[] = [];
  readonly #usable = new UsableMarkets();
  readonly #alarms = new FoldedAlarms<string>();
  #instruments: InstrumentList;

  static async open(options: ProcessOptions): Promise<CopyRelay> {
    const { config, path } = options.loaded;
    const profile = loadProfile(path(config.venue.profile));
    requireConfirmed(profile, config.environment, ['stream', ...copyFeatures(profile)]);
    const relay = new CopyRelay(options, profile, await openTransactions(options));
    try {
      await relay.#open();
      return relay;
    } catch (error) {
      await relay.stop();
      throw error;
    }
  }

  private constructor(options: ProcessOptions, profile: Profile, transactions: Transactions) {
    const clock = new OwnedClock(options.clock ?? systemClock);
    this.#options = options;
    this.#clock = clock;
    this.#profile = profile;
    this.#transactions = transactions;
    this.#instruments = new InstrumentList(profileMarkets(profile));
    this.#side = new ClientSide({
      options,
      clock,
      profile,
      transactions,
      accounts: () =>
        this.#accounts.map(({ account, link, name, orders }) => ({
          ...{ account, name, orders },
          reads: link.reads,
        })),
      instruments: () => this.#instruments,
      sessions: (lanes) =>
        new SessionRegister({
          lanes,
          make: (session) => new RelayClient(session),
          change: () => {},
        }),
    });
    this.copies = this.#side.copies;
  }

  async #open(): Promise<void> {
    await this.#openAccounts();
    const { accounts } = this.#options.loaded.config;
    await keepAccountNames(this.#transactions.store, accounts);
    await this.#side.openSessions();
    for (const { orders } of this.#accounts) this.#usable.learn(marketsOf(orders.openOnVenue()));
    await this.#relist();
    for (const account of this.#accounts) account.follow();
    await this.#side.openPorts();
  }

  get port(): number {
    return this.#side.ports.fix;
  }

  /** 0 without a port for FIXP. */
  get fixpPort(): number {
    return this.#side.ports.fixp;
  }

  /** Applies the sessions, users and filters of another configuration; unchanged sessions continue. */
  reload(loaded: LoadedConfig): Promise<void> {
    return this.#side.reload(loaded, async () => () => {
      for (const { link, name } of this.#accounts) {
        const credential = loaded.credentials.get(name);
        if (credential !== undefined) link.credentials.change(credential);
      }
    });
  }

  async stop(): Promise<void> {
    this.#side.stopConnecting();
    await this.#side.closePorts('The relay goes down');
    this.#side.closeSessions();
    for (const account of this.#accounts) await account.stop();
    this.#clock.close();
    this.#transactions.close();
    await this.#transactions.store.close();
  }

  async #openAccounts(): Promise<void> {
    const { alarm, loaded, notice, outside = realOutside } = this.#options;
    const { config, credentials } = loaded;
    const world: RelayWorld = {
      profile: this.#profile,
      baseUrl: venueUrl(config, this.#profile),
      clock: this.#clock,
      outside,
      transactions: this.#transactions,
      keptDays: () => this.#side.loaded.config.journalDays,
      rules: orderRulesOf('', config, this.#profile),
      whenListed: unlistedMarketBarrier({
        clock: this.#clock,
        instruments: () => this.#instruments,
        relist: () => this.#relist(),
      }),
      copies: this.copies,
      alarm,
      notice,
    };
    for (const account of config.accounts) {
      const credential = credentials.get(account.name);
      if (credential === undefined) throw new ConfigError(`no credential for ${account.name}`);
      this.#accounts.push(await RelayAccount.open(account, credential, world));
    }
  }

  /** Reads the venue's market list; keeps the known list if the venue cannot be reached. */
  async #relist(): Promise<void> {
    const [first] = this.#accounts;
    if (first === undefined) return;
    try {
      const { fault, markets } = await this.#usable.read(first.link.publicReads);
      this.#instruments = new InstrumentList(markets);
      if (fault !== '') this.#alarm(fault, 'integrity');
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const text = `the venue's markets cannot be read, so the known ones stay in use: ${why}`;
      this.#alarm(text, 'markets_unreadable');
    }
  }

  #alarm(text: string, code: 'integrity' | 'markets_unreadable'): void {
    const alarm = this.#alarms.add(code, text, this.#clock.now().monoMs);
    if (alarm !== undefined) this.#options.alarm(alarm, { event: 'venue', code });
  }
}
