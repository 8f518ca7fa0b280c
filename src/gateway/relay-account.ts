/**
 * An account whose executions are relayed and that nothing is sent to: its stream, and the desk on which every order is
 * of another channel. Nothing here can sign or submit (docs/DROPCOPY.md, "A process that only relays").
 */
import type { StreamEvent } from '../domain/event.ts';
import type { InstrumentList } from '../domain/instrument.ts';
import type { OrderRules } from '../domain/order.ts';
import type { Report } from '../domain/report.ts';
import type { Statement } from '../domain/stated.ts';
import type { Account } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Turns } from '../store/turns.ts';
import { ExecutionStream } from '../venue/execution-stream.ts';
import { HttpClient } from '../venue/http-client.ts';
import type { Profile } from '../venue/profile.ts';
import { type Credential, RequestAuth } from '../venue/request-auth.ts';
import { VenueReads } from '../venue/venue-reads.ts';
import type { AccountConfig } from './config.ts';
import type { Desk, DeskEffect, DeskInput } from './desk.ts';
import { DeskJournal, type RestoredDesk, restoreDesk } from './desk-journal.ts';
import { encodeRecord } from './desk-record.ts';
import type { Listing } from './listing.ts';
import { rebuildFromReceipts } from './stream-rebuild.ts';
import { socketUrl } from './venue-link.ts';

export interface RelayWorld {
  readonly profile: Profile;
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly turns: Turns;
  /** For how many days the desks' journals are kept. */
  readonly keptDays: () => number;
  readonly rules: OrderRules;
  readonly instruments: () => InstrumentList;
  readonly listing: Listing;
  /** Inside a turn. */
  readonly report: (report: Report) => void;
  /** Inside a turn: executions of this account are lost at the venue itself. */
  readonly lost: (accountName: string, lines: readonly string[]) => void;
  readonly alarm: (text: string) => void;
  readonly notice: (text: string) => void;
}

export class RelayAccount {
  readonly name: string;
  readonly account: Account;
  readonly desk: Desk;
  readonly reads: VenueReads;
  readonly #world: RelayWorld;
  readonly #http: HttpClient;
  readonly #journal: DeskJournal;
  #inputs: DeskInput[] = [];
  #stream: ExecutionStream | undefined;

  static async open(
    config: AccountConfig,
    credential: Credential,
    world: RelayWorld,
  ): Promise<RelayAccount> {
    const account = config.account as Account;
    const restored = await restoreDesk(world.turns.store, account, () => world.rules);
    return new RelayAccount(config.name, account, restored, credential, world);
  }

  private constructor(
    name: string,
    account: Account,
    { desk, journal }: RestoredDesk,
    credential: Credential,
    world: RelayWorld,
  ) {
    const { baseUrl, clock, profile } = world;
    this.name = name;
    this.account = account;
    this.desk = desk;
    this.#journal = new DeskJournal(journal, world);
    this.#world = world;
    const auth = new RequestAuth(profile.auth.http, credential);
    const { maxSkewMs } = profile.auth.http;
    this.#http = new HttpClient({ baseUrl, rules: profile.http, clock, auth, maxSkewMs });
    this.reads = new VenueReads(this.#http, profile);
  }

  /** As the drop copies see an account. */
  get line(): Pick<RelayAccount, 'account' | 'desk'> {
    return this;
  }

  follow(): void {
    const { alarm, baseUrl, clock, notice, profile } = this.#world;
    const told = (text: string) => notice(`${this.name}: ${text}`);
    this.#stream = new ExecutionStream({
      account: this.account,
      lastSeq: this.desk.lastSeq,
      url: socketUrl(baseUrl, profile),
      profile,
      reads: this.reads,
      clock,
      random: Math.random,
      consumer: {
        deliver: (events) => this.#hear(events),
        state: (state, reason) => {
          told(`stream ${state}: ${reason}`);
          if (state === 'latched') alarm(`${this.name}: stream latched: ${reason}`);
        },
        numbered: (number, text) => told(`number ${number}: ${text}`),
        problem: told,
        rebuild: (afterSeq, toSeq) => this.#rebuild({ fromSeq: afterSeq + 1, toSeq }),
      },
    });
    this.#stream.start();
  }

  async stop(): Promise<void> {
    await this.#stream?.stop();
    await this.#http.close();
  }

  /** Where an order stands after events that are lost. */
  state(key: string, statement: Statement): void {
    const { clock, turns } = this.#world;
    const nowMs = clock.now().wallMs;
    turns.run(() => {
      this.#apply({ kind: 'order', key, input: { kind: 'stated', statement, nowMs } });
      this.#record();
    });
  }

  async #rebuild(gap: Parameters<typeof rebuildFromReceipts>[2]): Promise<void> {
    const { alarm, lost, turns } = this.#world;
    const told = (text: string) => alarm(`${this.name}: ${text}`);
    const lines = await rebuildFromReceipts(this, this.reads, gap, told);
    turns.run(() => lost(this.name, lines));
  }

  /** Events of the stream, in order; resolves when they and what they caused are durable. */
  async #hear(events: readonly StreamEvent[]): Promise<void> {
    const { listing, turns } = this.#world;
    await listing.before(events);
    return new Promise((resolve) => {
      turns.run(() => {
        for (const event of events) this.#apply({ kind: 'event', event });
        this.#record();
        turns.after(resolve);
      });
    });
  }

  #apply(input: DeskInput): void {
    this.#inputs.push(input);
    for (const effect of this.desk.apply(input)) this.#do(effect);
  }

  /** The orders are others': whatever else the desk wants done to them is theirs to do. */
  #do(effect: DeskEffect): void {
    if (effect.kind === 'report') this.#world.report(effect.report);
    if (effect.kind === 'alarm') this.#world.alarm(`${this.name}: ${effect.text}`);
    if (effect.kind !== 'foreign') return;
    const { event } = effect;
    const instrument =
      event.market === null ? undefined : this.#world.instruments().of(event.market, event.book);
    if (instrument !== undefined) {
      this.#apply({ kind: 'adopt', event, instrument, accountName: this.name });
    } else if (event.orderId !== null) {
      this.#world.alarm(`${this.name}: event ${event.seq} is of a market that is not listed`);
    }
  }

  #record(): void {
    const payload = encodeRecord({ inputs: this.#inputs, actions: [] });
    this.#inputs = [];
    this.#journal.append(payload, () => this.desk.state());
  }
}
