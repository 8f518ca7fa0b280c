/**
 * One trading account of the configuration: its restored engine, its connection to the venue, and its execution stream.
 * It notifies the gateway of changes at the venue that concern all accounts.
 */
import type { Denial } from '../domain/denial.ts';
import type { StreamEvent } from '../domain/event.ts';
import type { GroupAnswer } from '../domain/quote-group.ts';
import type { Report } from '../domain/report.ts';
import type { Account, OrderId } from '../domain/units.ts';
import type { Request } from '../engine/engine.ts';
import type { Placements } from '../engine/orders.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AlarmFacts, LineEvent, RaiseAlarm, WriteNotice } from '../runtime/operator-line.ts';
import type { Blake3 } from '../signer/blake3.ts';
import type { Signer } from '../signer/signer.ts';
import type { Store } from '../store/store.ts';
import type { Transactions } from '../store/transactions.ts';
import type { Dispatcher } from '../venue/dispatcher.ts';
import type { Gate } from '../venue/gate.ts';
import type { Profile } from '../venue/profile.ts';
import { reconcile } from '../venue/reconcile.ts';
import { isRefusalNumber, refusalOfNumber } from '../venue/refusals.ts';
import { rebuildFromReceipts } from '../venue/stream-rebuild.ts';
import { AccountRunner } from './account-runner.ts';
import { limitsOf } from './client-register.ts';
import type { AccountConfig } from './config.ts';
import { ConfigError, type LoadedConfig } from './config-file.ts';
import { settingsBook } from './engine-settings.ts';
import type { Hops } from './hops.ts';
import type { Observer } from './observer.ts';
import { openEngine } from './open-engine.ts';
import type { Outside } from './outside.ts';
import type { BoundAccount } from './principal.ts';
import type { ReadAhead } from './read-ahead.ts';
import { RiskGuard } from './risk.ts';
import { type ActParts, carryOut, marketOf } from './venue-acts.ts';
import { VenueLink } from './venue-link.ts';

/** The parts that all accounts of a gateway share, and the callbacks into the gateway. */
export interface AccountWorld {
  /** The current configuration. */
  readonly loaded: () => LoadedConfig;
  readonly profile: Profile;
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly outside: Outside;
  readonly ahead: Pick<ReadAhead, 'engineOf'> | undefined;
  readonly store: Store;
  readonly transactions: Transactions;
  readonly signer: Signer;
  readonly gate: Gate;
  readonly blake3: Blake3;
  readonly hops: Hops;
  readonly observer: Observer;
  readonly acting: () => ActParts;
  readonly alarm: RaiseAlarm;
  readonly notice: WriteNotice;
  /** Called inside a transaction. */
  readonly report: (session: string, report: Report) => void;
  /** Called inside a transaction. */
  readonly answer: (session: string, answer: GroupAnswer) => void;
  /** Returns why an order that waited may no longer be placed; takes the account's alias. */
  readonly authorize: (account: string, release: Placements) => Denial | undefined;
  /** Returns the bridge's account that has an order with this id. */
  readonly ownerOf: (orderId: OrderId) => Account | undefined;
  readonly foreign: (account: string, event: StreamEvent) => Request | undefined;
  /** Called for a halt and for its end. */
  readonly trading: (event: StreamEvent) => void;
  /** Events are applied once this promise resolves; undefined if they need not wait. */
  readonly whenListed: (events: readonly StreamEvent[]) => Promise<void> | undefined;
  /** A part of the account's stream is permanently lost. */
  readonly lost: (account: TradingAccount, lines: readonly string[]) => void;
}

const signedScheme = 'ecdsa';

export class TradingAccount {
  readonly config: AccountConfig;
  readonly link: VenueLink;
  readonly dispatcher: Dispatcher;
  readonly bound: BoundAccount;
  readonly #world: AccountWorld;
  #isStreamLive = false;

  /** Reads the journal, without querying the venue. */
  static async open(config: AccountConfig, world: AccountWorld): Promise<TradingAccount> {
    const { profile, store } = world;
    const { config: whole, credentials } = world.loaded();
    const account = config.account as Account;
    const credential = credentials.get(config.name);
    if (credential === undefined) throw new ConfigError(`no credential for ${config.name}`);
    if (!world.signer.keys.has(account)) {
      throw new ConfigError(`the signer has no key for account ${config.name}, ${account}`);
    }
    const { patienceMs } = whole;
    const link = new VenueLink({
      account,
      profile,
      baseUrl: world.baseUrl,
      credential,
      clock: world.clock,
      outside: world.outside,
      alarm: (text) =>
        accountAlarm(world, config.name, text, { event: 'account', code: 'credential_refused' }),
    });
    const { hops, observer } = world;
    const confirmed = () => store.confirmed();
    const dispatcher = link.openSubmission({ hops, observer, patienceMs, confirmed });
    const journal = {
      account,
      store,
      transactions: world.transactions,
      clock: world.clock,
      keptDays: () => world.loaded().config.journalDays,
      blake3: world.blake3,
      contract: profile,
      configured: settingsBook(() => world.loaded().config, profile),
    };
    const core = await openEngine(journal, world.ahead?.engineOf(account));
    const { nonces } = core.outbox;
    world.signer.recall(account, nonces.floor ?? 0, nonces.digests());
    const line = new AccountRunner({
      account,
      ...core,
      transactions: world.transactions,
      clock: world.clock,
      signer: world.signer,
      scheme: signedScheme,
      dispatcher,
      hops,
      observer,
      unknownAfterMs: whole.unknownAfterMs,
      report: world.report,
      answer: world.answer,
      authorize: (release) => world.authorize(config.name, release),
      foreign: (event) => world.foreign(config.name, event),
      trading: world.trading,
      act: (act, refusal, text, canonical) => {
        const subject = { account, name: config.name, market: marketOf(canonical) };
        carryOut(act, refusal, text, subject, world.acting());
      },
      alarm: ({ code, orderId, text }) =>
        accountAlarm(world, config.name, text, { event: 'account', code, orderId }),
      probe: () => link.probe(),
      isOfOtherAccount: (id) => (world.ownerOf(id) ?? account) !== account,
      lookUp: (action) => reconcile(link.reads, action),
      currentNonce: (envelope) => link.reads.currentNonce(envelope),
    });
    return new TradingAccount(config, { link, dispatcher }, line, world);
  }

  private constructor(
    config: AccountConfig,
    { dispatcher, link }: Pick<TradingAccount, 'dispatcher' | 'link'>,
    line: AccountRunner,
    world: AccountWorld,
  ) {
    const limits = limitsOf(world.loaded().config, config.limits);
    this.config = config;
    this.link = link;
    this.dispatcher = dispatcher;
    this.bound = {
      name: config.name,
      line,
      guard: new RiskGuard(`account ${config.name}`, limits),
    };
    this.#world = world;
  }

  /** The configuration was reloaded, or an operator opened the account: refused keys may be tried again. */
  renewed(): void {
    const { config, link } = this;
    const credential = this.#world.loaded().credentials.get(config.name);
    if (credential !== undefined) link.credentials.change(credential);
    this.bound.line.keys.clear();
  }

  get isStreamLive(): boolean {
    return this.#isStreamLive;
  }

  /** Receives the events that were missed, within a time limit, and then resumes where the previous process stopped. */
  async follow(waitMs: number, beforeSending: () => Promise<void>): Promise<void> {
    const { gate, notice, acting } = this.#world;
    const { line, name } = this.bound;
    const notify = (text: string, event: LineEvent, code?: string) =>
      notice(`${name}: ${text}`, { event, account: name, code });
    gate.streamDown(line.account, 'the execution stream is not connected');
    line.started();
    await line.discover();
    await this.link.follow(
      line,
      {
        state: (state, reason) => {
          this.#isStreamLive = state === 'live';
          if (state === 'live') gate.streamUp(line.account);
          else gate.streamDown(line.account, `the execution stream is ${state}: ${reason}`);
          const text = `stream ${state}: ${reason}`;
          if (state === 'latched') this.#alarm(text, { event: 'stream_latched' });
          else if (state === 'live') notify(text, 'stream_live');
          else notify(text, 'stream_down', state);
        },
        numbered: (number, text) => {
          const subject = { account: line.account, name, market: null };
          notify(`number ${number}: ${text}`, 'venue_number', String(number));
          if (!isRefusalNumber(number)) return;
          const refusal = refusalOfNumber(number);
          for (const act of refusal.acts) carryOut(act, refusal, text, subject, acting());
        },
        problem: (text) => notify(text, 'stream_problem'),
        unanswered: (text) =>
          this.#alarm(`the execution stream: ${text}`, { event: 'stream_failed' }),
        whenListed: this.#world.whenListed,
        rebuild: (afterSeq, toSeq) => this.#rebuild(afterSeq, toSeq),
      },
      waitMs,
    );
    await beforeSending();
    line.resume();
  }

  #alarm(text: string, facts: AlarmFacts): void {
    accountAlarm(this.#world, this.bound.name, text, facts);
  }

  async #rebuild(afterSeq: number, toSeq: number): Promise<void> {
    const { lost } = this.#world;
    const { line } = this.bound;
    const alarm = (text: string, orderId?: string) =>
      this.#alarm(text, { event: 'events_lost', orderId });
    const gap = { fromSeq: afterSeq + 1, toSeq };
    lost(this, await rebuildFromReceipts(line, this.link.reads, gap, alarm));
    await line.discover();
  }
}

function accountAlarm(
  { alarm }: Pick<AccountWorld, 'alarm'>,
  account: string,
  text: string,
  facts: AlarmFacts,
): void {
  alarm(`${account}: ${text}`, { ...facts, account });
}
