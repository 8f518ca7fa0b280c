/**
 * One trading account of the configuration: its restored engine, its connection to the venue, and its execution stream.
 * It notifies the gateway of changes at the venue that concern all accounts.
 */
import type { Denial } from '../domain/denial.ts';
import type { StreamEvent } from '../domain/event.ts';
import type { Account, OrderId } from '../domain/units.ts';
import type { Request } from '../engine/engine.ts';
import type { Placements } from '../engine/orders.ts';
import { FoldedAlarms } from '../runtime/folded-alarm.ts';
import type { OperatorLines } from '../runtime/operator-line.ts';
import type { Blake3 } from '../signer/blake3.ts';
import type { Dispatcher } from '../venue/dispatcher.ts';
import type { Gate } from '../venue/gate.ts';
import { alarmText, floodOf } from '../venue/outbox/alarm.ts';
import type { Pacer } from '../venue/pacer.ts';
import type { Profile } from '../venue/profile.ts';
import { reconcile } from '../venue/reconcile.ts';
import type { LimitsRecord } from '../venue/records.ts';
import { AccountRunner, type RunnerParts } from './account/account-runner.ts';
import { openEngine } from './account/open-engine.ts';
import type { ReadAhead } from './account/read-ahead.ts';
import {
  type ActParts,
  actsOfEvent,
  actsOfNumber,
  carryOut,
  marketOf,
} from './account/venue-acts.ts';
import { accountAlarm, type StreamNews, streamNews, VenueLink } from './account/venue-link.ts';
import type { AccountConfig } from './config/config.ts';
import { ConfigError, type LoadedConfig } from './config/config-file.ts';
import { settingsBook } from './config/engine-settings.ts';
import type { BoundAccount } from './gate/principal.ts';
import { limitsOf, RiskGuard } from './gate/risk.ts';
import type { Outside } from './outside.ts';

/** The parts that all accounts of a gateway share, and the callbacks into the gateway. */
export interface AccountWorld
  extends OperatorLines,
    Pick<
      RunnerParts,
      'answer' | 'clock' | 'hops' | 'observer' | 'report' | 'signer' | 'trading' | 'transactions'
    > {
  /** The current configuration. */
  readonly loaded: () => LoadedConfig;
  readonly profile: Profile;
  readonly baseUrl: string;
  readonly outside: Outside;
  readonly ahead: Pick<ReadAhead, 'engineOf'> | undefined;
  readonly gate: Gate;
  readonly blake3: Blake3;
  readonly pacer: Pacer;
  readonly acting: ActParts;
  /** Returns why an order that waited may no longer be placed; takes the account's alias. */
  readonly authorize: (account: string, release: Placements) => Denial | undefined;
  /** Returns the bridge's account that has an order with this id. */
  readonly ownerOf: (orderId: OrderId) => Account | undefined;
  readonly foreign: (account: string, event: StreamEvent) => Request | undefined;
  /** Events are applied once this promise resolves; undefined if they need not wait. */
  readonly whenListed: (events: readonly StreamEvent[]) => Promise<void> | undefined;
  /** A part of the account's stream is permanently lost. */
  readonly lost: (account: TradingAccount, lines: readonly string[]) => void;
}

const signedScheme = 'ecdsa';

/** The limits that the venue last stated for the account's credential, and the window that the engine was given. */
interface LiveLimits {
  stated: LimitsRecord | undefined;
  window: number | null;
}

export class TradingAccount {
  readonly config: AccountConfig;
  readonly link: VenueLink;
  readonly dispatcher: Dispatcher;
  readonly live: LiveLimits;
  readonly bound: BoundAccount;
  readonly #world: AccountWorld;
  #hasStarted = false;
  #isStreamLive = false;

  /** Reads the journal, without querying the venue. */
  static async open(config: AccountConfig, world: AccountWorld): Promise<TradingAccount> {
    const { profile, transactions } = world;
    const { store } = transactions;
    const { config: whole, credentials } = world.loaded();
    const account = config.account as Account;
    const credential = credentials.get(config.name);
    if (credential === undefined) throw new ConfigError(`no credential for ${config.name}`);
    if (!world.signer.keys.has(account)) {
      throw new ConfigError(`the signer has no key for account ${config.name}, ${account}`);
    }
    const { patienceMs, unknownAfterMs } = whole;
    const link = new VenueLink({
      ...world,
      account,
      credential,
      alarm: (text) =>
        accountAlarm(world, config.name, text, { event: 'account', code: 'credential_refused' }),
    });
    const floods = new FoldedAlarms<string>();
    const live: LiveLimits = { stated: undefined, window: null };
    const confirmed = () => store.confirmed();
    const dispatcher = link.openSubmission({ ...world, patienceMs, confirmed });
    const journal = {
      ...world,
      store,
      account,
      keptDays: () => world.loaded().config.journalDays,
      contract: profile,
      configured: settingsBook(() => world.loaded().config, profile),
    };
    const core = await openEngine(journal, world.ahead?.engineOf(account));
    const { nonces } = core.outbox;
    world.signer.recall(account, nonces.floor ?? 0, nonces.digests());
    const runner: AccountRunner = new AccountRunner({
      ...world,
      ...core,
      account,
      scheme: signedScheme,
      dispatcher,
      patienceMs,
      unknownAfterMs,
      authorize: (release) => world.authorize(config.name, release),
      foreign: (event) => world.foreign(config.name, event),
      trading: (event) => {
        if (event.kind !== 'rejected') world.trading(event);
        // A refusal of another program's action may be about what only that program may not do.
        else if ([event.orderId, event.venueRef].some((id) => id && runner.orders.byVenueId(id))) {
          const subject = { account, name: config.name, market: event.market };
          const steps = actsOfEvent(event, world.clock.now().wallMs);
          for (const step of steps) carryOut(step, subject, world.acting);
        }
      },
      act: (step) => {
        const { bytes } = step;
        const subject = { account, name: config.name, market: marketOf(bytes.text), bytes };
        carryOut(step, subject, world.acting);
      },
      alarm: ({ code, orderId, text }) => {
        const flood = floodOf(code, text);
        const { monoMs } = world.clock.now();
        const told = alarmText(code, text);
        const raised = flood === undefined ? told : floods.add(flood, told, monoMs);
        if (raised === undefined) return;
        accountAlarm(world, config.name, raised, { event: 'account', code, orderId });
      },
      probe: () => link.probe(),
      isOfOtherAccount: (id) => (world.ownerOf(id) ?? account) !== account,
      lookUp: ({ nonce, ...action }) =>
        // Another agent may have an action of its own under the same nonce (G21).
        reconcile(link.reads, { ...action, nonce: profile.nonce.scope === 'agent' ? null : nonce }),
      currentNonce: async (envelope) => {
        const floor = await link.reads.currentNonce(envelope);
        const { nonceWindow = null } = live.stated ?? {};
        const window = nonceWindow === live.window ? null : nonceWindow;
        live.window = nonceWindow;
        return { floor, window };
      },
    });
    return new TradingAccount(config, { link, dispatcher, live }, runner, world);
  }

  private constructor(
    config: AccountConfig,
    { dispatcher, link, live }: Pick<TradingAccount, 'dispatcher' | 'link' | 'live'>,
    runner: AccountRunner,
    world: AccountWorld,
  ) {
    const limits = limitsOf(world.loaded().config, config.limits);
    this.config = config;
    this.link = link;
    this.dispatcher = dispatcher;
    this.live = live;
    this.bound = {
      name: config.name,
      runner,
      guard: new RiskGuard(`account ${config.name}`, limits),
    };
    this.#world = world;
  }

  /** Live limits override the profile (R83). A start takes the window with the first floor. */
  limited(limits: LimitsRecord): void {
    this.dispatcher.limit(limits);
    const isNewWindow = limits.nonceWindow !== this.live.stated?.nonceWindow;
    this.live.stated = limits;
    if (isNewWindow && this.#hasStarted) void this.bound.runner.discover();
  }

  /** The configuration was reloaded, or an operator opened the account: refused keys may be tried again. */
  renewed(): void {
    const { config, link } = this;
    const credential = this.#world.loaded().credentials.get(config.name);
    if (credential !== undefined) link.credentials.change(credential);
    this.bound.runner.keys.clear();
  }

  get isStreamLive(): boolean {
    return this.#isStreamLive;
  }

  /** Receives the events that were missed, within a time limit, and then resumes where the previous process stopped. */
  async follow(waitMs: number, beforeSending: () => Promise<void>): Promise<void> {
    const { acting, gate, lost, whenListed } = this.#world;
    const { runner, name } = this.bound;
    gate.streamDown(runner.account, 'the execution stream is not connected');
    runner.started();
    this.#hasStarted = true;
    await runner.discover();
    const news = streamNews(this.#world, name, runner, this.link.reads, (lines) => {
      lost(this, lines);
      return runner.discover();
    });
    const consumer: StreamNews = {
      ...news,
      whenListed,
      state: (state, reason) => {
        this.#isStreamLive = state === 'live';
        if (state === 'live') gate.streamUp(runner.account);
        else gate.streamDown(runner.account, `the execution stream is ${state}: ${reason}`);
        news.state(state, reason);
      },
      numbered(number, text) {
        news.numbered(number, text);
        const subject = { account: runner.account, name, market: null };
        for (const step of actsOfNumber(number, text)) carryOut(step, subject, acting);
      },
    };
    await this.link.follow(runner, consumer, waitMs);
    await beforeSending();
    runner.resume();
  }
}
