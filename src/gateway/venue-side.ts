/**
 * The venue as a whole, beside its accounts: whether it takes orders, which instruments it lists, where their books stand,
 * and who is told when that changes.
 */
import type { StreamEvent } from '../domain/event.ts';
import { type Instrument, InstrumentList, type Market } from '../domain/instrument.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Turns } from '../store/turns.ts';
import { Gate, type GateChange } from '../venue/gate.ts';
import { isFeatureUsable, type Profile } from '../venue/profile.ts';
import type { VenueReads } from '../venue/venue-reads.ts';
import { VenueWatch, type WatchFinding } from '../venue/venue-watch.ts';
import { BookWatch } from './book-watch.ts';
import type { Config } from './config.ts';
import { Listing } from './listing.ts';
import { type Asker, MarketQueries } from './market-queries.ts';
import { profileMarkets } from './profile-markets.ts';
import type { TradingAccount } from './trading-account.ts';
import type { ActParts } from './venue-acts.ts';

export interface VenueSideParts {
  readonly profile: Profile;
  readonly config: Pick<Config, 'environment' | 'placeWithoutStream'>;
  readonly clock: Clock;
  readonly turns: Turns;
  /** Who is told of halts and resumes. */
  readonly clients: () => Iterable<Asker>;
  readonly alarm: (text: string) => void;
  readonly notice: (text: string) => void;
}

/** So long a start waits for the venue. */
const firstLookMs = 10_000;
/** Books that nobody follows are looked at so often; older ones have no price. */
const idleBookMs = 5_000;
const staleBookMs = 15_000;

export class VenueSide {
  readonly gate: Gate;
  readonly queries: MarketQueries;
  readonly #parts: VenueSideParts;
  #watch: VenueWatch | undefined;
  #books: BookWatch | undefined;
  readonly listing: Listing;
  #instruments: InstrumentList | undefined;
  #onOpen = () => {};

  constructor(parts: VenueSideParts) {
    const { config, profile } = parts;
    this.#parts = parts;
    this.gate = new Gate({ ...profile.gate, placeWithoutStream: config.placeWithoutStream });
    this.listing = new Listing({
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

  /** The best prices of its public book. */
  top(instrument: Instrument): ReturnType<BookWatch['top']> {
    return this.#books?.top(instrument) ?? { bid: null, ask: null };
  }

  /** What the submission of an action may ask for on behalf of the whole venue. */
  get acting(): ActParts {
    return {
      gate: this.gate,
      alarm: this.#parts.alarm,
      changed: (changes) => this.changed(changes),
      reload: () => void this.reload(),
    };
  }

  /** Resolves when all is known of the venue and of each account's stream, or the time for that is over. */
  async open(accounts: readonly TradingAccount[], reads: VenueReads): Promise<void> {
    const { clock, profile } = this.#parts;
    this.#watch = new VenueWatch({
      profile,
      reads,
      gate: this.gate,
      clock,
      consumer: {
        changed: (changes) => this.changed(changes),
        limits: (limits) => {
          for (const { link } of accounts) link.submitter.limit(limits);
        },
        markets: (markets) => this.#found(markets),
        found: (finding) => this.#tell(finding),
      },
    });
    await this.#watch.start();
    this.#instruments ??= new InstrumentList(profileMarkets(profile));
    this.#books = this.#bookWatch(reads);
    await this.#books.start();
    await Promise.all(accounts.map((account) => account.follow(firstLookMs)));
    await this.#opened();
  }

  stop(): void {
    this.#watch?.stop();
    this.#books?.stop();
  }

  /** Reads the venue's markets and limits again. */
  async reload(): Promise<void> {
    await this.#watch?.reload();
  }

  /** A halt or resume on the stream; without a market it is of the whole venue, whose polls tell when it is over. */
  traded({ kind, market, reason }: StreamEvent): void {
    const { gate } = this;
    if (market === null) {
      if (kind === 'halt') this.changed(gate.halted(reason?.text ?? 'halted by the stream'));
    } else if (kind === 'halt') this.changed(gate.haltMarket(market));
    else this.changed(gate.resumeMarket(market));
  }

  changed(changes: readonly GateChange[]): void {
    const { clients, clock, turns } = this.#parts;
    if (this.gate.state === 'open') this.#onOpen();
    turns.run(() => {
      for (const change of changes) this.queries.gateChanged(change, clients(), clock.now());
    });
  }

  #found(markets: readonly Market[]): void {
    const { config, profile } = this.#parts;
    // A scale that is read wrong is a wrong price: those of the profile were confirmed.
    if (!isFeatureUsable(profile, config.environment, 'marketList')) return;
    this.#instruments = new InstrumentList(markets);
  }

  #tell(finding: WatchFinding): void {
    const { alarm, notice } = this.#parts;
    const text = JSON.stringify(finding);
    if (finding.kind === 'integrity') alarm(text);
    else notice(text);
  }

  #bookWatch(reads: VenueReads): BookWatch {
    const { clock, profile, turns } = this.#parts;
    const { queries } = this;
    return new BookWatch({
      reads,
      clock,
      followedMs: profile.marketData.pollMs,
      idleMs: idleBookMs,
      staleMs: staleBookMs,
      instruments: () => this.instruments,
      followed: () => queries.followed(),
      read: (instrument) => turns.run(() => queries.bookRead(instrument)),
      failed: (instrument) => turns.run(() => queries.bookFailed(instrument)),
    });
  }

  /** The first clients find a venue that takes orders, unless it is down for longer. */
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
