/**
 * The composition root: journal, then venue, then the port, in that order (docs/ARCHITECTURE.md, "Durability"). What
 * belongs to one account stands in `account-line.ts`, what belongs to one client in `client-session.ts`.
 */
import { join } from 'node:path';
import { type Denial, deny } from '../domain/denial.ts';
import type { StreamEvent } from '../domain/event.ts';
import type { Report } from '../domain/report.ts';
import { causeway44 } from '../fix/dictionaries.ts';
import { SessionDirectory } from '../fix/session-directory.ts';
import { FixpDirectory } from '../fixp/fixp-directory.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { makePrivateDirectory } from '../runtime/directory.ts';
import { OwnedClock } from '../runtime/owned-clock.ts';
import { fastestBlake3 } from '../signer/blake3.ts';
import type { Signer } from '../signer/signer.ts';
import { openSqliteStore } from '../store/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { Turns } from '../store/turns.ts';
import type { HostNotice } from '../transport/host.ts';
import type { Gate } from '../venue/gate.ts';
import { loadProfile, type Profile, requireConfirmed } from '../venue/profile.ts';
import { admissionRules } from './admission-rules.ts';
import { AuditChain } from './audit-chain.ts';
import { ClientPorts } from './client-port.ts';
import { ClientRegister, limitsOf } from './client-register.ts';
import { startOnlyChanges } from './config.ts';
import { ConfigError, type LoadedConfig } from './config-file.ts';
import { ConsoleView } from './console-view.ts';
import { CopyDesk } from './copy-desk.ts';
import type { DeskInput } from './desk.ts';
import { enabledFeatures, requireSpoken } from './features.ts';
import { Hops } from './hops.ts';
import { KillSwitch } from './kill-switch.ts';
import { type Lanes, openLanes } from './lanes.ts';
import { MakerVolume } from './maker-volume.ts';
import { tell } from './notice-text.ts';
import { nobody, type Observer } from './observer.ts';
import { Operator } from './operator.ts';
import type { Floor } from './order-entry.ts';
import { ReportRouting } from './report-routing.ts';
import { openGatewaySigner } from './signing.ts';
import { Tally } from './tally.ts';
import { type AccountWorld, TradingAccount } from './trading-account.ts';
import { VenueSide } from './venue-side.ts';

export interface GatewayOptions {
  readonly loaded: LoadedConfig;
  readonly clock?: Clock;
  readonly alarm: (text: string) => void;
  readonly notice: (text: string) => void;
  /** The store has failed: memory is ahead of the disk, so the process must end. */
  readonly fatal: (error: unknown) => void;
  readonly observer?: Observer;
}

/** Between two looks whether the bridge may end. */
const drainLookMs = 20;

export class Gateway {
  readonly directory: SessionDirectory;
  readonly fixpDirectory: FixpDirectory;
  readonly profile: Profile;
  readonly hops = new Hops();
  readonly rejects = new Tally();
  readonly operator: Operator;
  readonly copies: CopyDesk;
  readonly view: ConsoleView;
  readonly #options: GatewayOptions;
  readonly #accounts: TradingAccount[] = [];
  readonly #clock: OwnedClock;
  readonly #store: Store;
  readonly #turns: Turns;
  readonly #signer: Signer;
  readonly #venue: VenueSide;
  readonly #clients: ClientRegister;
  readonly #routing: ReportRouting;
  readonly #lanes: Lanes;
  readonly #kills: KillSwitch;
  readonly #makers: MakerVolume;
  readonly #ports = new ClientPorts();
  #loaded: LoadedConfig;
  #isDraining = false;
  #stopped: Promise<void> | undefined;

  static async open(options: GatewayOptions): Promise<Gateway> {
    const { loaded, alarm, fatal } = options;
    const { config, path } = loaded;
    const clock = new OwnedClock(options.clock ?? systemClock);
    const profile = loadProfile(path(config.venue.profile));
    requireSpoken(profile);
    requireConfirmed(profile, config.environment, enabledFeatures(config, profile));
    makePrivateDirectory(path(config.dataDir));
    const store = await openSqliteStore({
      path: join(path(config.dataDir), 'gateway.db'),
      durability: config.durability,
      maxBytes: config.maxDataBytes,
    });
    const turns = new Turns(store, fatal);
    const shared = { clock, profile, store, turns };
    let gateway: Gateway | undefined;
    try {
      const kills = await KillSwitch.open(store, turns);
      const audit = await AuditChain.open(store, turns);
      const makers = await MakerVolume.open(turns, config.accounts, clock.now().wallMs);
      const signer = await openGatewaySigner(loaded, profile, alarm);
      gateway = new Gateway(options, { ...shared, signer, kills, audit, makers });
      await gateway.#open();
      return gateway;
    } catch (error) {
      if (gateway === undefined) await store.close();
      else await gateway.stop();
      throw error;
    }
  }

  private constructor(
    options: GatewayOptions,
    parts: {
      readonly clock: OwnedClock;
      readonly profile: Profile;
      readonly store: Store;
      readonly turns: Turns;
      readonly signer: Signer;
      readonly kills: KillSwitch;
      readonly audit: AuditChain;
      readonly makers: MakerVolume;
    },
  ) {
    const { audit, makers, clock, profile, store, turns, signer, kills } = parts;
    this.#options = options;
    this.#loaded = options.loaded;
    this.#clock = clock;
    this.profile = profile;
    this.#store = store;
    this.#turns = turns;
    this.#signer = signer;
    this.#kills = kills;
    this.#venue = new VenueSide({
      profile,
      config: options.loaded.config,
      clock,
      turns,
      clients: () => this.#clients,
      alarm: options.alarm,
      notice: options.notice,
    });
    const hosting = {
      turns,
      clock,
      notice: (notice: HostNotice) => tell(notice, options),
      ...(options.observer && { tap: options.observer.bytes }),
    };
    this.directory = new SessionDirectory({ dictionary: causeway44(), ...hosting });
    this.fixpDirectory = new FixpDirectory(hosting);
    const rosters = [this.directory.roster, this.fixpDirectory.roster];
    const watched = { audit, rosters, gate: this.gate, turns, clock };
    this.operator = new Operator({
      ...watched,
      kills,
      accounts: () => this.accounts.map(({ bound }) => bound),
      alarm: options.alarm,
      notice: options.notice,
      changed: (changes) => this.#venue.changed(changes),
    });
    this.#makers = makers;
    this.copies = new CopyDesk({
      turns,
      clock,
      profile,
      config: options.loaded.config,
      accounts: () => this.accounts.map(({ bound, link }) => ({ ...bound, reads: link.reads })),
      instruments: () => this.#venue.instruments,
      alarm: options.alarm,
    });
    this.view = new ConsoleView({
      ...watched,
      accounts: () => this.accounts,
      instruments: () => this.#venue.instruments,
      loaded: () => this.#loaded,
      profile,
      hops: this.hops,
      rejects: this.rejects,
      operator: this.operator,
      makers,
      copies: this.copies.relay,
      isDraining: () => this.#isDraining,
    });
    const shared = { clock, profile, copies: this.copies, notice: options.notice };
    this.#lanes = openLanes(this, shared);
    this.#clients = new ClientRegister({
      lanes: this.#lanes,
      ...shared,
      turns,
      floor: this.#floor(),
      markets: this.#venue.queries,
      account: (alias) => this.accounts.find(({ config }) => config.name === alias)?.bound,
      isStreamBehind: (bound) =>
        !this.accounts.some((one) => one.bound === bound && one.isStreamLive),
    });
    this.#routing = new ReportRouting({
      clients: this.#clients,
      client: (session) => this.#clients.get(session),
      copies: this.copies,
    });
  }

  /** Journal, venue, port. */
  async #open(): Promise<void> {
    const { loaded, notice } = this.#options;
    await this.#openAccounts();
    // Before the venue speaks, because what it says is reported to sessions that are still away.
    await this.copies.apply(loaded.config);
    await this.copies.keepDays();
    await this.#clients.apply(loaded);
    await this.#openVenue();
    await this.#clients.resume();
    this.copies.check(notice);
    const { directory, fixpDirectory } = this;
    await this.#ports.open(loaded, { directory, fixpDirectory, clock: this.#clock, notice });
  }

  /** Every instrument that the venue lists, by its Symbol(55). */
  get symbols(): readonly string[] {
    return [...this.#venue.instruments].map(({ symbol }) => symbol);
  }

  get gate(): Gate {
    return this.#venue.gate;
  }

  get accounts(): readonly TradingAccount[] {
    return this.#accounts;
  }

  get port(): number {
    return this.#ports.fix;
  }

  /** 0 without a port for FIXP. */
  get fixpPort(): number {
    return this.#ports.fixp;
  }

  /**
   * Sessions, users, profiles and limits of another configuration; the other sessions go on. What only a start can
   * change is refused, and then nothing is changed.
   */
  async reload(loaded: LoadedConfig): Promise<void> {
    const faults = startOnlyChanges(this.#loaded.config, loaded.config);
    if (faults.length > 0) throw new ConfigError(`only a restart can change ${faults.join(', ')}`);
    this.operator.reloaded(this.#loaded.config, loaded.config);
    this.#loaded = loaded;
    for (const { config, bound } of this.accounts) {
      const own = loaded.config.accounts.find(({ name }) => name === config.name);
      bound.guard.limit(limitsOf(loaded.config, own?.limits ?? {}));
    }
    await this.copies.apply(loaded.config);
    await this.#clients.apply(loaded);
  }

  /** No new orders; cancels and reports go on until nothing is under way, or the grace is over. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#isDraining = true;
    this.#turns.run(() => {
      for (const { bound } of this.accounts) bound.line.withdraw(() => true, goingDown());
    });
    for (const lane of Object.values(this.#lanes)) lane.stop();
    const endMs = this.#clock.now().monoMs + this.#loaded.config.shutdownGraceMs;
    await this.#drained(endMs);
    for (const { roster } of [this.directory, this.fixpDirectory]) {
      for (const { name } of roster.list()) roster.stop(name, 'The bridge goes down');
    }
    await this.#ports.close();
    // Whoever cancels on every disconnect has just canceled.
    await this.#drained(endMs);
    this.#venue.stop();
    this.copies.stop();
    this.directory.close();
    this.fixpDirectory.close();
    for (const { link } of this.accounts) await link.stop();
    await this.#signer.close();
    this.#clock.close();
    this.#turns.close();
    await this.#store.close();
  }

  /** Until no order waits for the venue's word. */
  async #drained(endMs: number): Promise<void> {
    const isBusy = () => this.accounts.some(({ bound }) => bound.line.isBusy);
    for (;;) {
      const { monoMs } = this.#clock.now();
      if (monoMs >= endMs || !isBusy()) return;
      await new Promise<void>((resolve) => {
        this.#clock.at(Math.min(endMs, monoMs + drainLookMs), resolve);
      });
    }
  }

  async #openAccounts(): Promise<void> {
    const { loaded, alarm, notice } = this.#options;
    const world: AccountWorld = {
      loaded: () => this.#loaded,
      profile: this.profile,
      baseUrl: this.#baseUrl(),
      clock: this.#clock,
      store: this.#store,
      turns: this.#turns,
      signer: this.#signer,
      gate: this.gate,
      hops: this.hops,
      observer: this.#options.observer ?? nobody,
      ...(await fastestBlake3()),
      acting: () => this.#venue.acting,
      alarm,
      notice,
      report: (session, report) => this.#report(session, report),
      answer: (session, answer) => this.#clients.get(session)?.answer(answer),
      foreign: (account, event) => this.#foreign(account, event),
      trading: (event) => this.#venue.traded(event),
      listing: (events) => this.#venue.listing.before(events),
      lost: ({ bound }, lines) => this.#turns.run(() => this.#routing.lost(bound, lines)),
    };
    for (const config of loaded.config.accounts) {
      this.#accounts.push(await TradingAccount.open(config, world));
    }
  }

  async #openVenue(): Promise<void> {
    const first = this.accounts[0];
    if (first === undefined) throw new ConfigError('there is no account');
    await this.#venue.open(this.accounts, first.link.reads);
  }

  #floor(): Floor {
    const { profile } = this;
    return {
      instruments: () => this.#venue.instruments,
      gate: this.gate,
      top: (instrument) => this.#venue.top(instrument),
      closed: () => this.#closed(),
      killed: (account, session) => this.#kills.denial(account, session),
      maxLegs: profile.limits.batch.legs,
      hops: this.hops,
      rejects: this.rejects,
      admission: admissionRules(profile, this.#loaded.config.environment),
    };
  }

  #closed(): Denial | undefined {
    if (this.#isDraining) return goingDown();
    if (this.#store.room() === 'plenty') return undefined;
    return deny('bridge.backpressure', 'the disk of the bridge is all but full');
  }

  /** Inside a turn. */
  #report(session: string, report: Report): void {
    this.#makers.count(report, this.#clock.now().wallMs);
    if (report.denial !== null) this.rejects.count(report.denial.refusal.name);
    this.#routing.report(session, report);
  }

  /** An order that no session sent is followed from its first event on, for the drop copies (R72). */
  #foreign(accountName: string, event: StreamEvent): DeskInput | undefined {
    const { market, book, seq, kind } = event;
    this.#options.notice(`${accountName}: event ${seq} (${kind}) is of another channel`);
    if (market === null) return undefined;
    const instrument = this.#venue.instruments.of(market, book);
    if (instrument === undefined) {
      this.#options.alarm(
        `${accountName}: event ${seq} is of market ${market}, which is not listed`,
      );
    }
    return instrument && { kind: 'adopt', event, instrument, accountName };
  }

  #baseUrl(): string {
    const { config } = this.#options.loaded;
    const url = config.venue.baseUrl ?? this.profile.environments[config.environment].baseUrl;
    if (url !== null) return url;
    throw new ConfigError(`venue.baseUrl: the profile has none for ${config.environment}`);
  }
}

function goingDown(): Denial {
  return deny('bridge.draining', 'the bridge is going down');
}
