/**
 * One trading account of the configuration: what is restored of it, its way to the venue, its line of orders, and how
 * its execution stream is followed. What a change of the venue means for everybody else is told to the gateway.
 */
import type { StreamEvent } from '../domain/event.ts';
import type { GroupAnswer } from '../domain/quote-group.ts';
import { isRefusalNumber, refusalOfNumber } from '../domain/refusal.ts';
import type { Report } from '../domain/report.ts';
import type { Account } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Blake3 } from '../signer/blake3.ts';
import { venueClientOrderId } from '../signer/client-order-id.ts';
import { MadeAction } from '../signer/made-action.ts';
import { journaledDigests, NonceAllocator } from '../signer/nonce-allocator.ts';
import { defaultNonceRules } from '../signer/nonce-window.ts';
import type { Signer } from '../signer/signer.ts';
import type { Store } from '../store/store.ts';
import type { Turns } from '../store/turns.ts';
import type { Gate } from '../venue/gate.ts';
import type { Profile } from '../venue/profile.ts';
import { AccountLine } from './account-line.ts';
import { limitsOf, orderRulesBook } from './client-register.ts';
import type { AccountConfig } from './config.ts';
import { ConfigError, type LoadedConfig } from './config-file.ts';
import type { DeskInput } from './desk.ts';
import { restoreDesk } from './desk-journal.ts';
import type { Hops } from './hops.ts';
import type { Observer } from './observer.ts';
import type { BoundAccount } from './principal.ts';
import { RiskGuard } from './risk.ts';
import { rebuildFromReceipts } from './stream-rebuild.ts';
import { type ActParts, carryOut, marketOf } from './venue-acts.ts';
import { VenueLink } from './venue-link.ts';

/** What all accounts of a gateway share, and whom they tell. */
export interface AccountWorld {
  /** As it is configured now. */
  readonly loaded: () => LoadedConfig;
  readonly profile: Profile;
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly store: Store;
  readonly turns: Turns;
  readonly signer: Signer;
  readonly gate: Gate;
  readonly blake3: Blake3;
  readonly hops: Hops;
  readonly observer: Observer;
  readonly acting: () => ActParts;
  readonly alarm: (text: string) => void;
  readonly notice: (text: string) => void;
  /** Inside a turn. */
  readonly report: (session: string, report: Report) => void;
  /** Inside a turn. */
  readonly answer: (session: string, answer: GroupAnswer) => void;
  readonly foreign: (account: string, event: StreamEvent) => DeskInput | undefined;
  /** A halt or its end. */
  readonly trading: (event: StreamEvent) => void;
  /** What events wait for before they are heard, undefined for nothing. */
  readonly listing: (events: readonly StreamEvent[]) => Promise<void> | undefined;
  /** A part of the account's stream will never be heard. */
  readonly lost: (account: TradingAccount, lines: readonly string[]) => void;
}

const signedScheme = 'ecdsa';

export class TradingAccount {
  readonly config: AccountConfig;
  readonly link: VenueLink;
  readonly bound: BoundAccount;
  readonly #world: AccountWorld;
  #isStreamLive = false;

  /** The journal is read; the venue is not asked yet. */
  static async open(config: AccountConfig, world: AccountWorld): Promise<TradingAccount> {
    const { profile, store } = world;
    const { config: whole, credentials } = world.loaded();
    const account = config.account as Account;
    const credential = credentials.get(config.name);
    if (credential === undefined) throw new ConfigError(`no credential for ${config.name}`);
    if (!world.signer.keys.has(account)) {
      throw new ConfigError(`the signer has no key for account ${config.name}, ${account}`);
    }
    const link = new VenueLink({
      profile,
      baseUrl: world.baseUrl,
      credential,
      clock: world.clock,
      act: (act, refusal, text, send) => {
        const subject = { account, name: config.name, market: marketOf(send.canonical) };
        carryOut(act, refusal, text, subject, world.acting());
      },
      patienceMs: whole.patienceMs,
      hops: world.hops,
      observer: world.observer,
    });
    const rulesOf = orderRulesBook(() => world.loaded().config, profile);
    const restored = await restoreDesk(store, account, rulesOf);
    const nonces = await NonceAllocator.open(store, account, {
      rules: { ...defaultNonceRules, ...profile.nonce },
      nestedTrigger: profile.nonce.nestedTrigger,
      discovery: profile.nonce.discovery,
    });
    world.signer.recall?.(account, await journaledDigests(store, account));
    nonces.restored(new Set(restored.unresolved.map(({ nonce }) => Number(nonce))));
    const line = new AccountLine({
      account,
      ...restored,
      turns: world.turns,
      clock: world.clock,
      keptDays: () => world.loaded().config.journalDays,
      nonces,
      signer: world.signer,
      scheme: signedScheme,
      maker: MadeAction.maker(profile, world.blake3),
      submitter: link.submitter,
      clientOrderId: (session, clOrdId) =>
        venueClientOrderId(profile.clientOrderId, session, clOrdId),
      report: world.report,
      answer: world.answer,
      foreign: (event) => world.foreign(config.name, event),
      alarm: (text) => world.alarm(`${config.name}: ${text}`),
      trading: world.trading,
      unknownAfterMs: whole.unknownAfterMs,
      patienceMs: whole.patienceMs,
      currentNonce: (envelope) => link.reads.currentNonce(envelope),
      probe: () => link.probe(),
      mayFill: profile.nonce.filler !== 'none',
      hops: world.hops,
      observer: world.observer,
    });
    link.bind(line);
    return new TradingAccount(config, link, line, world);
  }

  private constructor(
    config: AccountConfig,
    link: VenueLink,
    line: AccountLine,
    world: AccountWorld,
  ) {
    const limits = limitsOf(world.loaded().config, config.limits);
    this.config = config;
    this.link = link;
    this.bound = {
      name: config.name,
      line,
      guard: new RiskGuard(`account ${config.name}`, limits),
    };
    this.#world = world;
  }

  get isStreamLive(): boolean {
    return this.#isStreamLive;
  }

  /** Hears what was missed, then goes on where the process before this one stopped; waits so long at most. */
  async follow(waitMs: number): Promise<void> {
    const { gate, notice, alarm, acting } = this.#world;
    const { line, name } = this.bound;
    gate.streamDown(line.account, 'the execution stream is not connected');
    await line.discover();
    await this.link.follow(
      line,
      {
        state: (state, reason) => {
          this.#isStreamLive = state === 'live';
          if (state === 'live') gate.streamUp(line.account);
          else gate.streamDown(line.account, `the execution stream is ${state}: ${reason}`);
          notice(`${name}: stream ${state}: ${reason}`);
          if (state === 'latched') alarm(`${name}: stream latched: ${reason}`);
        },
        numbered: (number, text) => {
          const subject = { account: line.account, name, market: null };
          notice(`${name}: number ${number}: ${text}`);
          if (!isRefusalNumber(number)) return;
          const refusal = refusalOfNumber(number);
          for (const act of refusal.acts) carryOut(act, refusal, text, subject, acting());
        },
        problem: (text) => notice(`${name}: ${text}`),
        listing: this.#world.listing,
        rebuild: (afterSeq, toSeq) => this.#rebuild(afterSeq, toSeq),
      },
      waitMs,
    );
    line.resume();
  }

  async #rebuild(afterSeq: number, toSeq: number): Promise<void> {
    const { alarm, lost } = this.#world;
    const { line, name } = this.bound;
    const told = (text: string) => alarm(`${name}: ${text}`);
    const gap = { fromSeq: afterSeq + 1, toSeq };
    lost(this, await rebuildFromReceipts(line, this.link.reads, gap, told));
    await line.discover();
  }
}
