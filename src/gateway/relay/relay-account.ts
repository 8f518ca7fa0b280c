/**
 * An account of a process that only relays: its stream, and its orders, all of which come from other channels. Nothing
 * here can sign or submit (docs/DROPCOPY.md, "A relay process").
 */
import type { StreamEvent } from '../../domain/event.ts';
import { json } from '../../domain/form.ts';
import type { OrderRules } from '../../domain/order.ts';
import type { Statement } from '../../domain/stated.ts';
import type { Account } from '../../domain/units.ts';
import { Journal } from '../../engine/journal.ts';
import { Orders } from '../../engine/orders.ts';
import type { OrdersEffect, OrdersInput } from '../../engine/orders-input.ts';
import type { AccountState, EarlierRecord, InputRecord } from '../../engine/record.ts';
import type { AlarmFacts, OperatorLines } from '../../runtime/operator-line.ts';
import { inTodaysWords } from '../../venue/outbox/earlier-words.ts';
import type { Credential } from '../../venue/request-auth.ts';
import { accountAlarm, streamNews, VenueLink } from '../account/venue-link.ts';
import type { AccountConfig } from '../config/config.ts';
import type { CopyReaders } from '../copies/copy-readers.ts';
import type { AccountWorld } from '../trading-account.ts';

export interface RelayWorld
  extends OperatorLines,
    Pick<
      AccountWorld,
      'baseUrl' | 'clock' | 'outside' | 'profile' | 'transactions' | 'whenListed'
    > {
  /** The number of days for which the accounts' journals are kept. */
  readonly keptDays: () => number;
  readonly rules: OrderRules;
  readonly copies: Pick<CopyReaders, 'instrumentOf' | 'lost' | 'report'>;
}

export class RelayAccount {
  readonly name: string;
  readonly account: Account;
  readonly orders: Orders;
  readonly link: VenueLink;
  readonly #world: RelayWorld;
  readonly #journal: Journal;
  #inputs: OrdersInput[] = [];

  static async open(
    config: AccountConfig,
    credential: Credential,
    world: RelayWorld,
  ): Promise<RelayAccount> {
    const account = config.account as Account;
    const orders = new Orders(() => world.rules);
    const journal = await Journal.open<never, never>(world.transactions.store, account, world, {
      form: json(),
      translated: inTodaysWords,
      memory: orders.memory,
      restore: (state: AccountState<never>) => orders.restoring(state),
      apply({ inputs }: InputRecord<never> | EarlierRecord) {
        for (const input of inputs) orders.apply(input as OrdersInput);
      },
    });
    return new RelayAccount(config.name, account, { orders, journal }, credential, world);
  }

  private constructor(
    name: string,
    account: Account,
    { orders, journal }: Pick<RelayAccount, 'orders'> & { readonly journal: Journal },
    credential: Credential,
    world: RelayWorld,
  ) {
    this.name = name;
    this.account = account;
    this.orders = orders;
    this.#journal = journal;
    this.#world = world;
    const alarm = (text: string) =>
      this.#alarm(text, { event: 'account', code: 'credential_refused' });
    this.link = new VenueLink({ ...world, account, alarm, credential });
  }

  follow(): void {
    const { copies, transactions, whenListed } = this.#world;
    const news = streamNews(this.#world, this.name, this, this.link.reads, (lines) => {
      transactions.run(() => copies.lost(this.name, lines));
    });
    void this.link.follow(this, { ...news, whenListed }, 0);
  }

  #alarm(text: string, facts: AlarmFacts): void {
    accountAlarm(this.#world, this.name, text, facts);
  }

  stop(): Promise<void> {
    return this.link.stop();
  }

  /** Applies the venue's record of an order after events were lost. */
  state(key: string, statement: Statement): void {
    const { clock, transactions } = this.#world;
    const nowMs = clock.now().wallMs;
    transactions.run(() => {
      this.#apply({ kind: 'order', key, input: { kind: 'stated', statement, nowMs } });
      this.#record();
    });
  }

  /** Applies events of the stream in order; resolves when they and their effects are durable. */
  onEvents(events: readonly StreamEvent[]): Promise<void> {
    const { transactions } = this.#world;
    return new Promise((resolve) => {
      transactions.run(() => {
        for (const event of events) this.#apply({ kind: 'event', event });
        this.#record();
        transactions.after(resolve);
      });
    });
  }

  #apply(input: OrdersInput): void {
    this.#inputs.push(input);
    for (const effect of this.orders.apply(input)) this.#do(effect);
  }

  /** The orders do not belong to this process, so only reports and alarms are carried out. */
  #do(effect: OrdersEffect): void {
    const { copies } = this.#world;
    if (effect.kind === 'report') copies.report(effect.report);
    if (effect.kind === 'alarm') {
      const { code, orderId, text } = effect;
      this.#alarm(text, { event: 'account', orderId, code });
    }
    if (effect.kind !== 'foreign') return;
    const { event } = effect;
    const instrument = copies.instrumentOf(this.name, event);
    if (instrument !== undefined)
      this.#apply({ kind: 'adopt', event, instrument, accountName: this.name });
  }

  #record(): void {
    const inputs = this.#inputs;
    this.#inputs = [];
    const at = this.#world.clock.now();
    this.#journal.append({ at, inputs }, this.orders);
  }
}
