/**
 * The parts of the venue that do not belong to an account: whether it accepts orders, which instruments it lists, their
 * books, and who is notified of changes.
 */

import type { StreamEvent } from '../domain/event.ts';
import { type Instrument, InstrumentList, type Market, marketsOf } from '../domain/instrument.ts';
import type { Clock } from '../runtime/clock.ts';
import { FoldedAlarms } from '../runtime/folded-alarm.ts';
import type { OperatorLines } from '../runtime/operator-line.ts';
import type { Transactions } from '../store/transactions.ts';
import { Gate, type GateChange } from '../venue/gate.ts';
import { HttpClient } from '../venue/http-client.ts';
import type { VenueNetwork } from '../venue/network.ts';
import { isFeatureUsable, type Profile, profileMarkets } from '../venue/profile.ts';
import type { LimitsRecord } from '../venue/records.ts';
import { VenueReads } from '../venue/venue-reads.ts';
import { VenueWatch, type WatchFinding } from '../venue/venue-watch.ts';
import { unlistedMarketBarrier } from './account/unlisted-market-barrier.ts';
import type { ActParts } from './account/venue-acts.ts';
import { type Asker, MarketQueries } from './clients/market-queries.ts';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/config-file.ts';
import { BookWatch, type PriceNeed } from './gate/book-watch.ts';
import { gateLog } from './gate/gate-log.ts';
import type { TradingAccount } from './trading-account.ts';

export interface VenueSideParts extends OperatorLines {
  readonly profile: Profile;
  readonly baseUrl: string;
  readonly config: Pick<Config, 'environment' | 'placeWithoutStream'>;
  readonly clock: Clock;
  readonly network: VenueNetwork;
  readonly transactions: Transactions;
  readonly accounts: () => readonly TradingAccount[];
  /** The clients that are notified of halts and resumes. */
  readonly clients: () => Iterable<Asker>;
}

/** How long a start waits for the venue. */
const firstLookMs = 10_000;
/** A book that was not read for this long counts as unknown. */
const staleBookMs = 15_000;

export class VenueSide {
  readonly gate: Gate;
  readonly queries: MarketQueries;
  /** Carries out what follows from a refusal. */
  readonly acting: ActParts;
  readonly #log: ReturnType<typeof gateLog>;
  readonly #parts: VenueSideParts;
  readonly #watch: VenueWatch;
  #books: BookWatch | undefined;
  readonly #https: HttpClient[] = [];
  /** Events of a market that is not listed here yet wait for the market list. */
  readonly whenListed: ReturnType<typeof unlistedMarketBarrier>;
  #instruments: InstrumentList | undefined;
  #onOpen = () => {};

  constructor(parts: VenueSideParts) {
    const { config, profile } = parts;
    this.#parts = parts;
    this.#log = gateLog(parts);
    this.gate = new Gate({ ...profile.gate, placeWithoutStream: config.placeWithoutStream });
    this.acting = {
      ...{ gate: this.gate, alarm: parts.alarm, clock: parts.clock },
      refusals: new FoldedAlarms(),
      changed: (changes) => this.changed(changes),
      reload: () => void this.reload(),
    };
    this.#watch = new VenueWatch({
      ...{ profile, gate: this.gate, clock: parts.clock, reads: this.#publicReads() },
      consumer: {
        changed: (changes) => this.changed(changes),
        markets: (markets) => this.#found(markets),
        found: (finding) => this.#reportFinding(finding),
      },
    });
    this.whenListed = unlistedMarketBarrier({
      clock: parts.clock,
      instruments: () => this.instruments,
      relist: () => this.reload(),
    });
    this.queries = new MarketQueries(
      () => this.instruments,
      this.gate,
      () => this.#books,
    );
  }

  get instruments(): InstrumentList {
    if (this.#instruments === undefined) throw new Error('the market list is not read yet');
    return this.#instruments;
  }

  get unknownBuild(): readonly string[] {
    return this.#watch.unknownBuild;
  }

  /** The best prices of the public book. */
  top(instrument: Instrument): ReturnType<BookWatch['top']> {
    return this.#books?.top(instrument) ?? { bid: null, ask: null };
  }

  /** Undefined if the books have the prices that orders need; otherwise resolves when they were read. */
  priced(needs: readonly PriceNeed[]): Promise<void> | undefined {
    return needs.length === 0 ? undefined : this.#books?.priced(needs);
  }

  /** Whether the venue accepts orders is asked from now on. */
  watchGate(): void {
    void this.#watch.watchGate();
  }

  /**
   * Resolves when the venue and each account's stream are up to date, or after a time limit. `beforeSending` is called
   * once, before anything is sent.
   */
  async open(beforeSending: () => Promise<void>): Promise<void> {
    const { profile } = this.#parts;
    const accounts = this.#parts.accounts();
    const [first] = accounts;
    if (first === undefined) throw new ConfigError('there is no account');
    const watched = accounts.map((account) => ({
      name: account.config.name,
      reads: account.link.reads,
      limited: (limits: LimitsRecord) => account.limited(limits),
    }));
    const traded = accounts.map(({ bound }) => marketsOf(bound.runner.orders.openOnVenue()));
    await this.#watch.start(first.link.publicReads, watched, traded.flat());
    this.#instruments ??= new InstrumentList(profileMarkets(profile));
    this.#books = this.#bookWatch();
    this.#books.start();
    let called: Promise<void> | undefined;
    const onlyOnce = () => (called ??= beforeSending());
    await Promise.all(accounts.map((account) => account.follow(firstLookMs, onlyOnce)));
    await this.#opened();
    for (const { bound } of accounts) bound.runner.open();
  }

  async stop(): Promise<void> {
    this.#watch.stop();
    this.#books?.stop();
    await Promise.all(this.#https.map((http) => http.close()));
  }

  /** Reads the venue's markets and limits again. */
  async reload(): Promise<void> {
    await this.#watch.reload();
  }

  /** Handles a halt or resume from the stream. Without a market it is the whole venue, and polling detects its end. */
  traded({ denial, kind, market }: StreamEvent): void {
    const { gate } = this;
    if (market === null) {
      if (kind === 'halt') this.changed(gate.halted(denial?.text ?? 'halted by the stream'));
    } else if (kind === 'halt') this.changed(gate.haltMarket(market));
    else this.changed(gate.resumeMarket(market));
  }

  changed(changes: readonly GateChange[]): void {
    const { clients, clock, transactions } = this.#parts;
    for (const change of changes) this.#log(change);
    if (this.gate.state === 'open') this.#onOpen();
    transactions.run(() => {
      for (const change of changes) this.queries.gateChanged(change, clients(), clock.now());
    });
  }

  #found(markets: readonly Market[]): void {
    const { config, profile } = this.#parts;
    // A wrong scale would mean a wrong price, so only confirmed values count.
    if (!isFeatureUsable(profile, config.environment, 'marketList')) return;
    this.#instruments = new InstrumentList(markets);
  }

  #reportFinding(finding: WatchFinding): void {
    const { alarm, notice } = this.#parts;
    const code = finding.kind;
    if (finding.kind === 'integrity') alarm(finding.text, { event: 'venue', code });
    else if (finding.kind === 'problem') notice(finding.text, { event: 'venue_problem', code });
    else {
      const fields = finding.fields.join(', ');
      notice(`the venue does not report its build: ${fields}`, { event: 'venue_build', code });
    }
  }

  #bookWatch(): BookWatch {
    const { clock, profile, transactions } = this.#parts;
    return new BookWatch({
      reads: this.#publicReads(),
      orderReads: this.#publicReads(),
      clock,
      followedMs: profile.marketData.pollMs,
      staleMs: staleBookMs,
      followed: () => this.queries.followed(),
      read: (instrument) => transactions.run(() => this.queries.bookRead(instrument)),
      failed: (instrument) => transactions.run(() => this.queries.bookFailed(instrument)),
    });
  }

  /** On connections of its own, so that a request with orders never waits behind it. */
  #publicReads(): VenueReads {
    const { baseUrl, clock, network, profile } = this.#parts;
    const http = new HttpClient({ baseUrl, rules: profile.http, clock, network });
    this.#https.push(http);
    return new VenueReads(http, profile);
  }

  /** Waits for a bounded time until the venue accepts orders, so that the first clients find it open. */
  async #opened(): Promise<void> {
    if (this.gate.state === 'open') return;
    const { clock } = this.#parts;
    await new Promise<void>((resolve) => {
      const cancel = clock.at(clock.now().monoMs + firstLookMs, resolve);
      this.#onOpen = () => {
        cancel();
        resolve();
      };
    });
    this.#onOpen = () => {};
  }
}
