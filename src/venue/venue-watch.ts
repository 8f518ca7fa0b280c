/**
 * Polls the venue's operational routes (contract A.2, R77-R84): readiness and status for the gate; limits, signing
 * domain and markets, because live values override the profile; the build, because a missing one raises a warning.
 */
import type { Market } from '../domain/instrument.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Gate, GateChange } from './gate.ts';
import type { Profile } from './profile.ts';
import type { LimitsRecord } from './records.ts';
import { UsableMarkets } from './usable-markets.ts';
import { VenueReadError, type VenueReads } from './venue-reads.ts';

/** `integrity` raises an alarm: an operator must check it. */
export type WatchFinding =
  | { readonly kind: 'integrity'; readonly text: string }
  | { readonly kind: 'build_unknown'; readonly fields: readonly string[] }
  | { readonly kind: 'problem'; readonly text: string };

export interface WatchConsumer {
  changed(changes: readonly GateChange[]): void;
  markets(markets: readonly Market[]): void;
  found(finding: WatchFinding): void;
}

/** What is asked with a credential. Limits are those of a credential (contract A.19), and each account has its own. */
interface WatchedAccount {
  readonly name: string;
  readonly reads: Pick<VenueReads, 'limits' | 'signingDomain'>;
  limited(limits: LimitsRecord): void;
}

export interface VenueWatchParts {
  readonly profile: Profile;
  /** Without a credential, so that the venue's state never depends on that of an account. */
  readonly reads: VenueReads;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly consumer: WatchConsumer;
}

export class VenueWatch {
  readonly #parts: VenueWatchParts;
  readonly #timers = new Map<string, () => void>();
  readonly #reported = new Map<string, string>();
  readonly #usable = new UsableMarkets();
  #unknownBuild: readonly string[] = [];
  #accounts: readonly WatchedAccount[] = [];
  #isStopped = false;
  #reads: VenueReads;
  #gateWatched: Promise<void> | undefined;
  #reading: Promise<void> = Promise.resolve();
  /** The read that follows the one under way, for everybody who asks meanwhile. */
  #next: Promise<void> | undefined;

  constructor(parts: VenueWatchParts) {
    this.#parts = parts;
    this.#reads = parts.reads;
  }

  /** The facts about its build that the venue does not report (R81). */
  get unknownBuild(): readonly string[] {
    return this.#unknownBuild;
  }

  /**
   * Polls readiness from now on; resolves after the first poll. The gate opens after several good polls, which takes a
   * second, so a process begins with this before it reads its data.
   */
  watchGate(): Promise<void> {
    const { pollMs } = this.#parts.profile.gate;
    this.#gateWatched ??= this.#every('poll', pollMs, () => this.#poll());
    return this.#gateWatched;
  }

  /**
   * Resolves after the first poll of everything, so that a start knows markets and limits. `reads` use the connections
   * of an account, still without its credential: from now on, polls keep a connection open for its orders. `traded` are
   * the markets of open orders.
   */
  async start(
    reads: VenueReads,
    accounts: readonly WatchedAccount[],
    traded: Iterable<Market>,
  ): Promise<void> {
    const { gate } = this.#parts.profile;
    this.#usable.learn(traded);
    this.#reads = reads;
    this.#accounts = accounts;
    await Promise.all([
      this.watchGate(),
      this.#every('limits', gate.limitsMs, () => this.reload()),
      this.#every('version', gate.versionMs, () => this.#version()),
    ]);
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#timers.values()) cancel();
  }

  /**
   * Acts GM, MD and SF: reads limits, signing domain and markets again (R83). A read under way may not show the latest
   * change, so one more follows it, and only one: a mass cancel in a halted market asks for every order.
   */
  reload(): Promise<void> {
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined;
      this.#reading = this.#readAll();
      return this.#reading;
    });
    return this.#next;
  }

  async #readAll(): Promise<void> {
    if (this.#isStopped) return;
    await Promise.all([
      ...this.#accounts.map((one) => this.#ask(`limits of ${one.name}`, () => this.#limits(one))),
      this.#ask('signing domain', () => this.#signingDomain()),
      this.#ask('markets', () => this.#markets()),
    ]);
  }

  async #poll(): Promise<void> {
    const { clock, consumer, gate } = this.#parts;
    const poll = await this.#reads.poll();
    if (this.#isStopped) return;
    const changes = gate.polled(poll, clock.now().monoMs);
    if (changes.length > 0) consumer.changed(changes);
  }

  async #limits(account: WatchedAccount): Promise<void> {
    const { contract, limits } = await account.reads.limits();
    const { contract: header, contractValue } = this.#parts.profile.headers;
    const isOurs = contract === contractValue;
    this.#alarm('contract', isOurs ? '' : `${header} is ${contract}, not ${contractValue}`);
    account.limited(limits);
  }

  /** With another domain our signatures are invalid at this venue, or valid at another one (G01). */
  async #signingDomain(): Promise<void> {
    const { consumer, gate, profile } = this.#parts;
    const domain = await this.#readDomain();
    const own = profile.signing.domains.action;
    const isOurs = domain === null || domain === own;
    const text = isOurs ? '' : `the venue signs under ${domain}, the profile under ${own}`;
    this.#alarm('domain', text);
    const changes = gate.distrust(text);
    if (changes.length > 0) consumer.changed(changes);
  }

  /** The venue may refuse the credential of an account, so the next one asks. */
  async #readDomain(): Promise<string | null> {
    let refusal: unknown = new Error('no account is open yet');
    for (const { reads } of this.#accounts) {
      try {
        return await reads.signingDomain();
      } catch (error) {
        refusal = error;
        const isRefused = error instanceof VenueReadError && error.status !== null;
        if (!isRefused) break;
      }
    }
    throw refusal;
  }

  async #markets(): Promise<void> {
    const { consumer, gate } = this.#parts;
    const { fault, markets } = await this.#usable.read(this.#reads);
    this.#alarm('markets', fault);
    const changes = markets.flatMap(({ marketId, status }) => {
      if (status === 'open') return gate.resumeMarket(marketId);
      return gate.haltMarket(marketId, status === 'halted' ? status : 'closed');
    });
    consumer.markets(markets);
    if (changes.length > 0) consumer.changed(changes);
  }

  async #version(): Promise<void> {
    await this.#ask('version', async () => {
      const fields = await this.#reads.unknownBuild();
      const isNew = fields.join() !== this.#unknownBuild.join();
      this.#unknownBuild = fields;
      if (isNew && fields.length > 0) this.#parts.consumer.found({ kind: 'build_unknown', fields });
    });
  }

  async #ask(what: string, ask: () => Promise<void>): Promise<void> {
    try {
      await ask();
    } catch (error) {
      if (this.#isStopped) return;
      this.#parts.consumer.found({ kind: 'problem', text: `${what}: ${(error as Error).message}` });
    }
  }

  /** Raises an alarm once per new reason. */
  #alarm(about: string, text: string): void {
    const isNew = (this.#reported.get(about) ?? '') !== text;
    this.#reported.set(about, text);
    if (isNew && text !== '') this.#parts.consumer.found({ kind: 'integrity', text });
  }

  /** The next poll starts when the previous one has completed, so that a slow venue gets only one at a time. */
  async #every(name: string, everyMs: number, look: () => Promise<void>): Promise<void> {
    await look();
    if (this.#isStopped) return;
    const { clock } = this.#parts;
    this.#timers.set(
      name,
      clock.at(clock.now().monoMs + everyMs, () => void this.#every(name, everyMs, look)),
    );
  }
}
