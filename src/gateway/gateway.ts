/**
 * The composition root: journal, then venue, then the port, in that order (docs/ARCHITECTURE.md, "Durability"). What
 * belongs to one account stands in `account-line.ts`, what belongs to one client in `client-session.ts`.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StreamEvent } from '../domain/event.ts';
import { InstrumentList, type Market } from '../domain/instrument.ts';
import type { OrderRules } from '../domain/order.ts';
import { isToldOfQuote } from '../domain/quote-group.ts';
import type { Report } from '../domain/report.ts';
import { type MarketId, maxSafeAtoms } from '../domain/units.ts';
import { causeway44 } from '../fix/dictionaries.ts';
import { SessionDirectory } from '../fix/session-directory.ts';
import { sessionName, sessionSettings } from '../fix/session-settings.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { fastestBlake3 } from '../signer/blake3.ts';
import { CanonicalEncoder } from '../signer/canonical.ts';
import { venueClientOrderId } from '../signer/client-order-id.ts';
import { Derivation } from '../signer/digest.ts';
import { NonceAllocator } from '../signer/nonce-allocator.ts';
import { defaultNonceRules } from '../signer/nonce-window.ts';
import type { Signer } from '../signer/signer.ts';
import { openSqliteStore } from '../store/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { Turns } from '../store/turns.ts';
import type { Acceptor } from '../transport/acceptor.ts';
import { Gate, type GateChange } from '../venue/gate.ts';
import { isUsable, loadProfile, type Profile, requireConfirmed } from '../venue/profile.ts';
import { VenueWatch } from '../venue/venue-watch.ts';
import { AccountLine } from './account-line.ts';
import { BookWatch } from './book-watch.ts';
import { ClientSession } from './client-session.ts';
import {
  type AccountConfig,
  type ClientProfile,
  defaultProfile,
  type RiskLimits,
  type SessionConfig,
} from './config.ts';
import { ConfigError, type LoadedConfig } from './config-file.ts';
import { restoreDesk } from './desk-journal.ts';
import { fixAcceptor } from './fix-port.ts';
import { MarketQueries } from './market-queries.ts';
import type { Floor } from './order-entry.ts';
import type { BoundAccount, Principal } from './principal.ts';
import { RiskGuard } from './risk.ts';
import { openGatewaySigner } from './signing.ts';
import { userAuthenticator } from './user-logon.ts';
import { VenueLink } from './venue-link.ts';

export interface GatewayOptions {
  readonly loaded: LoadedConfig;
  readonly clock?: Clock;
  readonly alarm: (text: string) => void;
  readonly notice: (text: string) => void;
  /** The store has failed: memory is ahead of the disk, so the process must end. */
  readonly fatal: (error: unknown) => void;
}

const firstLookMs = 10_000;
/** Books that nobody follows are looked at so often; older ones have no price. */
const idleBookMs = 5_000;
const staleBookMs = 15_000;
/** How long the event that ended an order may come after the refusal that says so (contract D.4). */
const terminalWaitMs = 1_000;
const algoKinds = ['iceberg', 'twap', 'vwap'] as const;
const signedScheme = 'ecdsa';

interface Account {
  readonly config: AccountConfig;
  readonly link: VenueLink;
  readonly bound: BoundAccount;
  isStreamLive: boolean;
}

export class Gateway {
  readonly directory: SessionDirectory;
  readonly gate: Gate;
  readonly profile: Profile;
  readonly accounts: readonly Account[];
  readonly #options: GatewayOptions;
  readonly #clock: Clock;
  readonly #store: Store;
  readonly #turns: Turns;
  readonly #signer: Signer;
  readonly #queries: MarketQueries;
  readonly #clients = new Map<string, ClientSession>();
  #watch: VenueWatch | undefined;
  #books: BookWatch | undefined;
  #acceptor: Acceptor | undefined;
  #instruments: InstrumentList | undefined;
  #onOpen = () => {};
  #isDraining = false;
  #port = 0;

  static async open(options: GatewayOptions): Promise<Gateway> {
    const { loaded, alarm, fatal } = options;
    const { config, path } = loaded;
    const clock = options.clock ?? systemClock;
    const profile = loadProfile(path(config.venue.profile));
    requireConfirmed(profile, config.environment, ['orders', 'stream']);
    mkdirSync(path(config.dataDir), { recursive: true, mode: 0o700 });
    const store = await openSqliteStore({
      path: join(path(config.dataDir), 'gateway.db'),
      durability: config.durability,
    });
    const turns = new Turns(store, fatal);
    const signer = await openGatewaySigner(loaded, profile, alarm);
    const gateway = new Gateway(options, { clock, profile, store, turns, signer });
    await gateway.#openAccounts();
    // Before the venue speaks, because what it says is reported to sessions that are still away.
    await gateway.#openSessions();
    await gateway.#openVenue();
    await gateway.#openPort();
    return gateway;
  }

  private constructor(
    options: GatewayOptions,
    parts: {
      readonly clock: Clock;
      readonly profile: Profile;
      readonly store: Store;
      readonly turns: Turns;
      readonly signer: Signer;
    },
  ) {
    const { clock, profile, store, turns, signer } = parts;
    this.#options = options;
    this.#clock = clock;
    this.profile = profile;
    this.#store = store;
    this.#turns = turns;
    this.#signer = signer;
    this.accounts = [];
    this.gate = new Gate({
      ...profile.gate,
      placeWithoutStream: options.loaded.config.placeWithoutStream,
    });
    this.#queries = new MarketQueries(
      () => this.#listOf(),
      this.gate,
      (instrument) => this.#books?.book(instrument),
    );
    this.directory = new SessionDirectory({
      dictionary: causeway44(),
      turns,
      clock,
      notice: (notice) => options.notice(JSON.stringify(notice)),
    });
  }

  /** Every instrument that the venue lists, by its Symbol(55). */
  get symbols(): readonly string[] {
    return [...this.#listOf()].map(({ symbol }) => symbol);
  }

  get port(): number {
    return this.#port;
  }

  /** No new orders; cancels and reports go on until nothing is under way, or the grace is over. */
  async stop(): Promise<void> {
    this.#isDraining = true;
    this.#watch?.stop();
    this.#books?.stop();
    for (const { name } of this.directory.list()) this.directory.stop(name, 'The bridge goes down');
    await this.#acceptor?.close();
    this.directory.close();
    for (const { link } of this.accounts) await link.stop();
    await this.#signer.close();
    await this.#store.close();
  }

  async #openAccounts(): Promise<void> {
    const { blake3 } = await fastestBlake3();
    for (const config of this.#options.loaded.config.accounts) {
      (this.accounts as Account[]).push(await this.#openAccount(config, blake3));
    }
  }

  async #openAccount(
    config: AccountConfig,
    blake3: Awaited<ReturnType<typeof fastestBlake3>>['blake3'],
  ): Promise<Account> {
    const { loaded, alarm } = this.#options;
    const { profile } = this;
    const account = config.account as BoundAccount['line']['account'];
    const credential = loaded.credentials.get(config.name);
    if (credential === undefined) throw new ConfigError(`no credential for ${config.name}`);
    if (!this.#signer.keys.has(account)) {
      throw new ConfigError(`the signer has no key for account ${config.name}, ${account}`);
    }
    const link = new VenueLink({
      profile,
      baseUrl: this.#baseUrl(),
      credential,
      clock: this.#clock,
      act: (act, refusal, text) => {
        if (act === 'GG') this.#changed(this.gate.refused(refusal, text));
        else if (act === 'IN' || act === 'CR') alarm(`${config.name}: ${refusal.name} ${text}`);
        else if (act === 'GR') this.#changed(this.gate.setAccount(account, 'reducing', text));
        else void this.#watch?.reload();
      },
    });
    const restored = await restoreDesk(this.#store, account, (name) => this.#rulesOf(name));
    const nonces = await NonceAllocator.open(this.#store, account, {
      rules: { ...defaultNonceRules, ...profile.nonce },
      nestedTrigger: profile.nonce.nestedTrigger,
      discovery: profile.nonce.discovery,
    });
    nonces.restored(new Set(restored.unresolved.map(({ nonce }) => Number(nonce))));
    const line = new AccountLine({
      account,
      desk: restored.desk,
      journalEnd: restored.journalEnd,
      turns: this.#turns,
      clock: this.#clock,
      nonces,
      signer: this.#signer,
      scheme: signedScheme,
      encoder: new CanonicalEncoder(profile),
      derivation: new Derivation(profile, blake3),
      submitter: link.submitter,
      clientOrderId: (session, clOrdId) =>
        venueClientOrderId(profile.clientOrderId, session, clOrdId),
      report: (session, report) => this.#report(session, report),
      answer: (session, answer) => this.#clients.get(session)?.answer(answer),
      foreign: (event) => this.#foreign(config.name, event),
      alarm: (text) => alarm(`${config.name}: ${text}`),
      unknownAfterMs: loaded.config.unknownAfterMs,
      unresolved: restored.unresolved,
      currentNonce: (envelope) => link.reads.currentNonce(envelope),
      probe: () => link.probe(),
    });
    link.bind(line);
    const guard = new RiskGuard(`account ${config.name}`, this.#limits(config.limits));
    return { config, link, bound: { name: config.name, line, guard }, isStreamLive: false };
  }

  async #openVenue(): Promise<void> {
    const { profile, gate } = this;
    const { alarm, notice } = this.#options;
    const first = this.accounts[0];
    if (first === undefined) throw new ConfigError('there is no account');
    this.#watch = new VenueWatch({
      profile,
      reads: first.link.reads,
      gate,
      clock: this.#clock,
      consumer: {
        changed: (changes) => this.#changed(changes),
        limits: (limits) => {
          for (const { link } of this.accounts) link.submitter.limit(limits);
        },
        markets: (markets) => this.#listed(markets),
        found: (finding) => {
          const text = JSON.stringify(finding);
          if (finding.kind === 'integrity') alarm(text);
          else notice(text);
        },
      },
    });
    await this.#watch.start();
    if (this.#instruments === undefined) this.#listed(profile.markets.map(toMarket));
    this.#openBooks(first.link);
    await this.#books?.start();
    await Promise.all(this.accounts.map((account) => this.#follow(account)));
    await this.#opened();
  }

  /** The first clients find a venue that takes orders, unless it is down for longer. */
  async #opened(): Promise<void> {
    if (this.gate.state === 'open') return;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.at(this.#clock.now().monoMs + firstLookMs, resolve);
      this.#onOpen = () => {
        cancel();
        resolve();
      };
    });
    this.#onOpen = () => {};
  }

  async #follow(account: Account): Promise<void> {
    const { link, bound, config } = account;
    const { line } = bound;
    this.gate.streamDown(line.account, 'the execution stream is not connected');
    await line.discover();
    await link.follow(
      line,
      {
        state: (state, reason) => {
          account.isStreamLive = state === 'live';
          if (state === 'live') this.gate.streamUp(line.account);
          else this.gate.streamDown(line.account, `the execution stream is ${state}: ${reason}`);
          this.#options.notice(`${config.name}: stream ${state}: ${reason}`);
          if (state === 'latched') this.#options.alarm(`${config.name}: stream latched: ${reason}`);
        },
        problem: (text) => this.#options.notice(`${config.name}: ${text}`),
      },
      firstLookMs,
    );
    line.resume();
  }

  #openBooks(link: VenueLink): void {
    const { marketData } = this.profile;
    this.#books = new BookWatch({
      reads: link.reads,
      clock: this.#clock,
      followedMs: marketData.pollMs,
      idleMs: idleBookMs,
      staleMs: staleBookMs,
      instruments: () => this.#listOf(),
      followed: () => this.#queries.followed(),
      read: (instrument) => this.#turns.run(() => this.#queries.bookRead(instrument)),
    });
  }

  async #openSessions(): Promise<void> {
    const floor = this.#floor();
    for (const session of this.#options.loaded.config.sessions) {
      await this.#addSession(session, floor);
    }
  }

  async #openPort(): Promise<void> {
    const { loaded, notice } = this.#options;
    this.#acceptor = fixAcceptor(loaded, this.directory, this.#clock, notice);
    this.#port = await this.#acceptor.listen();
  }

  async #addSession(session: SessionConfig, floor: Floor): Promise<void> {
    const { loaded } = this.#options;
    const identity = { senderCompId: session.targetCompId, targetCompId: session.senderCompId };
    const settings = sessionSettings({
      identity,
      role: 'acceptor',
      allowsReset: session.allowReset,
      strictUserTags: this.#profileOf(session).strictTags,
      numberTag: this.profile.fix.customTags.venueRejectNumber,
      ...(session.certificateSha256 !== undefined && {
        certificates: new Set([session.certificateSha256]),
      }),
    });
    const name = sessionName(identity);
    const { currency } = this.profile.fees;
    const client = new ClientSession({
      principal: this.#principal(name, session),
      floor,
      markets: this.#queries,
      turns: this.#turns,
      clock: this.#clock,
      messages: {
        tags: this.profile.fix.customTags,
        numberMap: this.profile.reject.numberMap,
        putOrCallAsBook: this.profile.fix.putOrCallAsBook,
        feeCurrency: currency,
      },
      isStreamBehind: (bound) =>
        !this.accounts.some((one) => one.bound === bound && one.isStreamLive),
    });
    const users = session.users.flatMap((user) => loaded.users.get(user) ?? []);
    const authenticate = userAuthenticator(users);
    client.bind(await this.directory.add({ settings, application: client, authenticate }));
    this.#clients.set(name, client);
  }

  #principal(name: string, session: SessionConfig): Principal {
    const accounts = session.accounts.flatMap((alias) =>
      this.accounts.filter(({ config }) => config.name === alias).map(({ bound }) => bound),
    );
    return {
      session: name,
      role: session.role,
      compId: session.senderCompId,
      users: session.users,
      accounts,
      profile: this.#profileOf(session),
      rules: this.#rulesOf(name),
      guard: new RiskGuard(`session ${session.senderCompId}`, this.#limits(session.limits)),
      markets: session.markets === undefined ? null : new Set(session.markets),
      actions: new Set(session.actions),
      cancelOnDisconnect: session.cancelOnDisconnect,
    };
  }

  #profileOf({ profile }: SessionConfig): ClientProfile {
    const { profiles } = this.#options.loaded.config;
    return (profile === undefined ? undefined : profiles[profile]) ?? defaultProfile;
  }

  /** An order of a session that is no longer configured lives on under the default rules. */
  #rulesOf(name: string): OrderRules {
    const { config } = this.#options.loaded;
    const session = config.sessions.find(
      ({ senderCompId, targetCompId }) =>
        sessionName({ senderCompId: targetCompId, targetCompId: senderCompId }) === name,
    );
    const { iocRemainder, pending } = session ? this.#profileOf(session) : defaultProfile;
    return {
      amendQty: this.profile.amend.newQty,
      strictPriority: false,
      pendingStates: pending === 'full',
      iocRemainder,
      terminalWaitMs,
    };
  }

  #limits(own: RiskLimits): RiskLimits {
    return { ...this.#options.loaded.config.limits, ...own };
  }

  #floor(): Floor {
    const { profile } = this;
    const { environment } = this.#options.loaded.config;
    const usable = (key: string) => isUsable(profile, environment, key);
    const { triggerDirection, conditionalKind } = profile.enums;
    return {
      instruments: () => this.#listOf(),
      gate: this.gate,
      top: (instrument) => this.#books?.top(instrument) ?? { bid: null, ask: null },
      isDraining: () => this.#isDraining,
      maxLegs: profile.limits.batch.legs,
      admission: {
        acceptMarketPrice: profile.marketOrder.acceptPrice,
        collarBps: profile.marketOrder.collarBps,
        conditionals: new Set(
          triggerDirection
            .filter((word) => usable(`enums.triggerDirection.${word}`))
            .flatMap((direction) =>
              conditionalKind
                .filter((word) => usable(`enums.conditionalKind.${word}`))
                .map((kind) => `${direction}/${kind}`),
            ),
        ),
        algos: new Set(algoKinds.filter((kind) => usable(`strategies.${kind}`))),
        localChecks: false,
        maxAtoms: maxSafeAtoms,
      },
    };
  }

  #listOf(): InstrumentList {
    if (this.#instruments === undefined) throw new Error('the market list is not read yet');
    return this.#instruments;
  }

  #listed(markets: readonly Market[]): void {
    this.#instruments = new InstrumentList(markets);
  }

  /** Inside a turn: to the session whose order it is, and as a copy to those that watch the account. */
  #report(session: string, report: Report): void {
    const client = this.#clients.get(session);
    const { reportQuoteOrders } = client?.principal.profile ?? defaultProfile;
    if (isToldOfQuote(report, reportQuoteOrders)) client?.report(report);
    const { account } = report.order.owner;
    for (const client of this.#clients.values()) {
      const { role, accounts } = client.principal;
      if (role !== 'drop-copy' || report.kind !== 'execution') continue;
      if (accounts.some(({ line }) => line.account === account))
        client.report(report, { copy: true });
    }
  }

  #foreign(account: string, event: StreamEvent): void {
    this.#options.notice(`${account}: event ${event.seq} (${event.kind}) is of another channel`);
  }

  #changed(changes: readonly GateChange[]): void {
    if (this.gate.state === 'open') this.#onOpen();
    this.#turns.run(() => {
      for (const change of changes) {
        this.#queries.gateChanged(change, this.#clients.values(), this.#clock.now());
      }
    });
  }

  #baseUrl(): string {
    const { config } = this.#options.loaded;
    const url = config.venue.baseUrl ?? this.profile.environments[config.environment].baseUrl;
    if (url !== null) return url;
    throw new ConfigError(`venue.baseUrl: the profile has none for ${config.environment}`);
  }
}

/** A market of the profile, for a start at which the venue cannot be asked. */
function toMarket({ seedPrice: _, marketId, ...market }: Profile['markets'][number]): Market {
  return { ...market, marketId: marketId as MarketId };
}
