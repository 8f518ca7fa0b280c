/**
 * The composition root. It opens the journal, then the venue, then the ports (docs/ARCHITECTURE.md, "Durability").
 * `account-runner.ts` is one account, and `client-session.ts` one client.
 */
import { type Denial, deny } from '../domain/denial.ts';
import type { StreamEvent } from '../domain/event.ts';
import type { Report } from '../domain/report.ts';
import type { Request } from '../engine/engine.ts';
import type { SessionDirectory } from '../fix/session-directory.ts';
import type { FixpDirectory } from '../fixp/fixp-directory.ts';
import { pause, systemClock } from '../runtime/clock.ts';
import { FoldedAlarms } from '../runtime/folded-alarm.ts';
import { withFacts } from '../runtime/operator-line.ts';
import { OwnedClock } from '../runtime/owned-clock.ts';
import { fastestBlake3 } from '../signer/blake3.ts';
import { venueClientOrderId } from '../signer/client-order-id.ts';
import type { Signer } from '../signer/signer.ts';
import type { AuditChain } from '../store/audit-chain.ts';
import type { AuditHeadFile } from '../store/audit-head-file.ts';
import type { Transactions } from '../store/transactions.ts';
import type { Gate, GateChange } from '../venue/gate.ts';
import { Pacer } from '../venue/pacer.ts';
import { loadProfile, type Profile, requireConfirmed } from '../venue/profile.ts';
import { keepAccountNames } from './account/account-names.ts';
import { Hops } from './account/hops.ts';
import { reportLeftAccounts, reportLeftSessions } from './account/left-orders.ts';
import { nobody } from './account/observer.ts';
import { ClientSide, openTransactions, type ProcessOptions } from './client-side.ts';
import { ClientRegister } from './clients/client-register.ts';
import { ReportRouting } from './clients/report-routing.ts';
import { nameOf } from './config/client-names.ts';
import type { Config, RiskLimits } from './config/config.ts';
import type { LoadedConfig } from './config/config-file.ts';
import { venueUrl } from './config/venue-url.ts';
import { ConsoleView } from './console-view.ts';
import type { CopyReaders } from './copies/copy-readers.ts';
import { openAudit } from './data/open-audit.ts';
import { admissionRules, enabledFeatures, requireSpoken } from './features.ts';
import type { TradingContext } from './gate/gate-view.ts';
import { KillSwitch } from './gate/kill-switch.ts';
import { LimitChanges, type LimitTarget } from './gate/limit-changes.ts';
import { limitsOf } from './gate/risk.ts';
import { Operator } from './operator/operator.ts';
import { watchRoom } from './operator/room-watch.ts';
import { SharedActs } from './operator/shared-acts.ts';
import { realOutside } from './outside.ts';
import { type AccountWorld, TradingAccount } from './trading-account.ts';
import { VenueSide } from './venue-side.ts';
import { MakerVolume } from './view/maker-volume.ts';
import { Refusals } from './view/refusals.ts';

/** The interval at which a stopping bridge checks whether it may exit. */
const drainLookMs = 20;
/** The maximum time that a stopping bridge waits for what the stream has delivered to be recorded. */
const deliveryMs = 2_000;

/** What is opened before the gateway. */
interface GatewayParts {
  readonly baseUrl: string;
  readonly clock: OwnedClock;
  readonly profile: Profile;
  readonly transactions: Transactions;
  readonly signer: Signer;
  readonly kills: KillSwitch;
  readonly changes: LimitChanges;
  readonly audit: AuditChain;
  readonly headFile: AuditHeadFile | undefined;
  readonly makers: MakerVolume;
  readonly sharedActs: SharedActs;
}

export class Gateway {
  readonly directory: SessionDirectory;
  readonly fixpDirectory: FixpDirectory;
  readonly profile: Profile;
  readonly hops = new Hops();
  readonly rejects = new Refusals();
  readonly operator: Operator;
  readonly sharedActs: SharedActs;
  readonly copies: CopyReaders;
  readonly view: ConsoleView;
  readonly #options: ProcessOptions;
  readonly #accounts: TradingAccount[] = [];
  readonly #parts: GatewayParts;
  readonly #venue: VenueSide;
  readonly #side: ClientSide<ClientRegister>;
  readonly #routing: ReportRouting;
  /** By the account's alias. Another channel may trade thousands of orders a minute, so its alarms are combined. */
  readonly #foreignEvents = new FoldedAlarms<string>();
  #isDraining = false;
  #stopped: Promise<void> | undefined;

  static async open(options: ProcessOptions): Promise<Gateway> {
    const { ahead, loaded, alarm, outside = realOutside } = options;
    const { config, path } = loaded;
    const clock = new OwnedClock(options.clock ?? systemClock);
    const profile = ahead?.profile ?? loadProfile(path(config.venue.profile));
    requireSpoken(profile);
    requireConfirmed(profile, config.environment, enabledFeatures(config, profile));
    const baseUrl = venueUrl(config, profile);
    let signing: Promise<Signer> | undefined;
    const withinMs = options.isStandby === true ? Number.POSITIVE_INFINITY : undefined;
    const openSigner = () => {
      signing ??= outside.openSigner(loaded, profile, alarm, withinMs);
      return signing;
    };
    // A process without its signer leaves the shard to others. A signer inside takes its ledger, so it is opened last.
    const beforeTaking = config.signer?.mode === 'inline' ? undefined : openSigner;
    let transactions: Transactions | undefined;
    let gateway: Gateway | undefined;
    try {
      transactions = await openTransactions({ ...options, beforeTaking });
      const kills = await KillSwitch.open(transactions);
      const changes = await LimitChanges.open(transactions);
      const sharedActs = await SharedActs.open(transactions);
      const audited = await openAudit(options, transactions);
      const statisticsAlarm = withFacts(alarm, { event: 'statistics' });
      const makers = await MakerVolume.open(
        transactions,
        config.accounts,
        clock.now().wallMs,
        statisticsAlarm,
      );
      const signer = await openSigner();
      const kept = { kills, changes, makers, sharedActs, ...audited };
      gateway = new Gateway(options, { baseUrl, clock, profile, transactions, signer, ...kept });
      await gateway.#open();
      return gateway;
    } catch (error) {
      await (gateway === undefined ? transactions?.store.close() : gateway.stop());
      if (gateway === undefined) await signing?.then((signer) => signer.close()).catch(() => {});
      throw error;
    }
  }

  private constructor(options: ProcessOptions, parts: GatewayParts) {
    const { audit, makers, clock, profile, transactions, kills, changes } = parts;
    const log = { alarm: options.alarm, notice: options.notice };
    this.#options = options;
    this.#parts = parts;
    this.profile = profile;
    this.#venue = new VenueSide({
      ...{ profile, clock, transactions, ...log, baseUrl: parts.baseUrl },
      config: options.loaded.config,
      network: (options.outside ?? realOutside).network,
      accounts: () => this.accounts,
      clients: () => this.#clients,
    });
    this.#side = new ClientSide({
      options,
      clock,
      profile,
      transactions,
      accounts: () =>
        this.accounts.map(({ bound: { name, runner }, link }) => {
          const { account, orders } = runner;
          return { account, name, orders, reads: link.reads };
        }),
      instruments: () => this.#venue.instruments,
      sessions: (lanes) =>
        new ClientRegister({
          lanes,
          transactions,
          clock,
          profile,
          context: this.#context(),
          markets: this.#venue.queries,
          accounts: () => this.accounts.map(({ bound }) => bound),
          limits: (config, session) =>
            this.#limitsOf(config, { kind: 'session', name: nameOf(session) }, session.limits),
          isStreamBehind: (bound) =>
            !this.accounts.some((one) => one.bound === bound && one.isStreamLive),
        }),
    });
    const { copies, directory, fixpDirectory, rosters } = this.#side;
    this.directory = directory;
    this.fixpDirectory = fixpDirectory;
    this.copies = copies;
    const watched = { audit, rosters, gate: this.gate, transactions, clock };
    this.operator = new Operator({
      ...watched,
      kills,
      limits: changes,
      limited: (target) => this.#limit(target),
      accounts: () => this.accounts.map(({ bound }) => bound),
      ...log,
      changed: (changes) => this.#opened(changes),
    });
    this.sharedActs = parts.sharedActs;
    this.view = new ConsoleView({
      ...watched,
      accounts: () => this.accounts,
      venue: this.#venue,
      loaded: () => this.#side.loaded,
      profile,
      hops: this.hops,
      rejects: this.rejects,
      operator: this.operator,
      limits: changes,
      guardOf: (session) => this.#clients.get(session)?.principal.guard,
      makers,
      copies: copies.relay,
      isDraining: () => this.#isDraining,
      signerAway: () => this.signerAway,
    });
    this.#routing = new ReportRouting({ clients: this.#clients, copies });
  }

  /** Opens the journal, the venue and the ports, in this order. */
  async #open(): Promise<void> {
    this.#venue.watchGate();
    await this.#openAccounts();
    const { store } = this.#parts.transactions;
    await keepAccountNames(store, this.#options.loaded.config.accounts);
    await this.#side.openSessions();
    await this.#options.beforeTrading?.(this);
    // Orders that cancel-on-disconnect must cancel are not sent first.
    await this.#venue.open(() => this.#clients.resume('started'));
    await this.#clients.resume('open');
    const { alarm, notice } = this.#options;
    watchRoom({ store, clock: this.#parts.clock, alarm, notice });
    await this.#side.openPorts();
    reportLeftSessions(this.#clients.left(), alarm);
    const { config } = this.#side.loaded;
    await reportLeftAccounts({ store, config, profile: this.profile, alarm });
  }

  get #clients(): ClientRegister {
    return this.#side.sessions;
  }

  /** Every instrument that the venue lists, by its Symbol(55). */
  get symbols(): readonly string[] {
    return [...this.#venue.instruments].map(({ symbol }) => symbol);
  }

  /** Why the signer does not answer; undefined if it does. */
  get signerAway(): string | undefined {
    return this.#parts.signer.away;
  }

  get gate(): Gate {
    return this.#venue.gate;
  }

  get accounts(): readonly TradingAccount[] {
    return this.#accounts;
  }

  get port(): number {
    return this.#side.ports.fix;
  }

  /** 0 without a port for FIXP. */
  get fixpPort(): number {
    return this.#side.ports.fixp;
  }

  /**
   * Applies the sessions, users, profiles and limits of another configuration; unchanged sessions continue. A change
   * that needs a restart is refused, and nothing changes.
   */
  async reload(loaded: LoadedConfig): Promise<void> {
    await this.#side.reload(loaded, async () => {
      const before = this.#side.loaded.config;
      await this.#parts.signer.reload?.();
      return () => {
        this.operator.reloaded(before, loaded.config);
        for (const account of this.accounts) {
          account.renewed();
          this.#limit({ kind: 'account', name: account.config.name });
        }
      };
    });
    reportLeftSessions(this.#clients.left(), this.#options.alarm);
  }

  /** An operator has opened an account. */
  #opened(changes: readonly GateChange[]): void {
    for (const change of changes) {
      if (change.kind !== 'account') continue;
      this.accounts.find(({ bound }) => bound.runner.account === change.account)?.renewed();
    }
    this.#venue.changed(changes);
  }

  #limitsOf(config: Config, target: LimitTarget, own: RiskLimits): RiskLimits {
    return this.#parts.changes.of(target)?.limits ?? limitsOf(config, own);
  }

  /** Applies the limits in force to an account or session; returns false if there is none of this name. */
  #limit(target: LimitTarget): boolean {
    const { config } = this.#side.loaded;
    const { kind, name } = target;
    const guard =
      kind === 'account'
        ? this.accounts.find(({ bound }) => bound.name === name)?.bound.guard
        : this.#clients.get(name)?.principal.guard;
    const own =
      kind === 'account'
        ? config.accounts.find((one) => one.name === name)
        : config.sessions.find((one) => nameOf(one) === name);
    if (guard === undefined || own === undefined) return false;
    guard.limit(this.#limitsOf(config, target, own.limits));
    return true;
  }

  /** Accepts no new orders; cancels and reports continue until nothing is in flight or the grace period ends. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#isDraining = true;
    this.#parts.transactions.run(() => {
      for (const { bound } of this.accounts) bound.runner.withdraw(null, goingDown());
    });
    this.#side.stopConnecting();
    const endMs = this.#parts.clock.now().monoMs + this.#side.loaded.config.shutdownGraceMs;
    await this.#drained(endMs);
    await this.#side.closePorts('The bridge goes down');
    // Sessions that cancel on every disconnect have just canceled their orders.
    await this.#drained(endMs);
    const venueStopped = this.#venue.stop();
    this.#side.closeSessions();
    for (const { bound } of this.accounts) bound.runner.stop();
    const stopped = Promise.all(this.accounts.map(({ link }) => link.stop()));
    // What the stream has delivered may wait for a database that is away.
    await Promise.race([stopped, pause(this.#parts.clock, deliveryMs)]);
    this.#parts.clock.close();
    this.#parts.transactions.close();
    // The next owner waits only for the store.
    await Promise.all([
      this.#parts.transactions.store.close(),
      this.#parts.signer.close(),
      venueStopped,
    ]);
    await this.#parts.headFile?.close();
  }

  /** Waits until no order waits for the venue's answer. */
  async #drained(endMs: number): Promise<void> {
    const isBusy = () => this.accounts.some(({ bound }) => bound.runner.isBusy);
    for (;;) {
      const { monoMs } = this.#parts.clock.now();
      if (monoMs >= endMs || !isBusy()) return;
      await pause(this.#parts.clock, Math.min(endMs - monoMs, drainLookMs));
    }
  }

  async #openAccounts(): Promise<void> {
    const { ahead, loaded, alarm, notice } = this.#options;
    const world: AccountWorld = {
      ...this.#parts,
      loaded: () => this.#side.loaded,
      outside: this.#options.outside ?? realOutside,
      ahead,
      gate: this.gate,
      pacer: new Pacer(),
      hops: this.hops,
      observer: this.#options.observer ?? nobody,
      ...(await fastestBlake3()),
      acting: this.#venue.acting,
      alarm,
      notice,
      report: (session, report) => this.#report(session, report),
      answer: (session, answer) => this.#clients.get(session)?.answer(answer),
      authorize: (account, release) => this.#clients.authorize(account, release),
      ownerOf: (id) =>
        this.accounts.find(({ bound }) => bound.runner.orders.byVenueId(id) !== undefined)?.bound
          .runner.account,
      foreign: (account, event) => this.#foreign(account, event),
      trading: (event) => this.#venue.traded(event),
      whenListed: this.#venue.whenListed,
      lost: ({ bound }, lines) =>
        this.#parts.transactions.run(() => this.#routing.lost(bound, lines)),
    };
    for (const config of loaded.config.accounts) {
      this.#accounts.push(await TradingAccount.open(config, world));
      this.#limit({ kind: 'account', name: config.name });
    }
  }

  #context(): TradingContext {
    const { profile } = this;
    return {
      instruments: () => this.#venue.instruments,
      gate: this.gate,
      top: (instrument) => this.#venue.top(instrument),
      priced: (needs) => this.#venue.priced(needs),
      closed: () => this.#closed(),
      killed: (account, session) => this.#parts.kills.denial(account, session),
      venueNameOf: (session, clOrdId) =>
        venueClientOrderId(profile.clientOrderId, session, clOrdId),
      maxLegs: (account) => {
        const own = this.accounts.find(({ config }) => config.name === account);
        return own?.live.stated?.maxLegs ?? profile.limits.batch.legs;
      },
      maxStored: profile.conditional.maxPerAccount,
      skipUnchanged: profile.quotes.skipUnchanged,
      hops: this.hops,
      rejects: this.rejects,
      admission: admissionRules(profile, this.#options.loaded.config.environment),
    };
  }

  #closed(): Denial | undefined {
    if (this.#isDraining) return goingDown();
    if (this.#parts.transactions.store.room() === 'plenty') return undefined;
    return deny(
      'bridge.backpressure',
      'the store of the bridge is all but full, or does not keep up',
    );
  }

  /** Called within a transaction. */
  #report(session: string, report: Report): void {
    const { wallMs: atMs } = this.#parts.clock.now();
    this.#parts.makers.count(report, atMs);
    const { clOrdId, denial, order } = report;
    if (denial !== null && isRefusal(report)) {
      this.rejects.add({ denial, session, clOrdId, key: order.owner.key, atMs });
    }
    this.#routing.report(session, report);
  }

  /** Tracks an order from another channel from its first event, for the drop copies (R72). */
  #foreign(accountName: string, event: StreamEvent): Request | undefined {
    const { kind, orderId, seq } = event;
    const facts = { account: accountName, orderId: orderId ?? undefined };
    const text = `${accountName}: event ${seq} (${kind}) belongs to no order of this bridge`;
    const notice = this.#foreignEvents.add(accountName, text, this.#parts.clock.now().monoMs);
    if (notice !== undefined) this.#options.notice(notice, { event: 'other_channel', ...facts });
    const instrument = this.copies.instrumentOf(accountName, event);
    return instrument && { kind: 'adopt', event, instrument, accountName };
  }
}

function goingDown(): Denial {
  return deny('bridge.draining', 'the bridge is going down');
}

/** Reports of an unknown outcome, and of an order that turned out to be live, also have a code but are not refusals. */
function isRefusal(report: Report): boolean {
  if (report.kind !== 'execution') return true;
  return report.execType !== 'order_status' && report.execType !== 'restated';
}
