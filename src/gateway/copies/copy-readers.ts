/**
 * The configured drop copies of a gateway: which accounts are copied, which sessions read them, what each may see, and
 * when a day ends (docs/DROPCOPY.md).
 */
import type { OrderRef } from '../../domain/command.ts';
import { isDenial } from '../../domain/denial.ts';
import type { StreamEvent } from '../../domain/event.ts';
import type { Instrument, InstrumentList, InstrumentRef } from '../../domain/instrument.ts';
import { otherChannel } from '../../domain/order.ts';
import type { Originator, Report } from '../../domain/report.ts';
import { statusReport } from '../../domain/status.ts';
import type { CopyFacts, ReportCopy } from '../../dropcopy/copy.ts';
import type { CopyFilter } from '../../dropcopy/copy-filter.ts';
import { CopyText } from '../../dropcopy/copy-text.ts';
import { Relay } from '../../dropcopy/relay.ts';
import type { Orders } from '../../engine/orders.ts';
import { dateText } from '../../mapping/fix/answer-message.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type RaiseAlarm, type WriteNotice, withFacts } from '../../runtime/operator-line.ts';
import type { Transactions } from '../../store/transactions.ts';
import type { Feature, Profile } from '../../venue/profile.ts';
import { nameOf } from '../config/client-names.ts';
import type { Config, SessionConfig } from '../config/config.ts';
import { orderRulesOf, reportSettings } from '../config/engine-settings.ts';

import { type CheckedAccount, checkVenueCopies } from './venue-copy-check.ts';

/** The parts of an account that drop copies need. */
export interface CopiedAccount extends CheckedAccount {
  readonly orders: Orders;
}

export interface CopyReadersParts {
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly config: Config;
  readonly accounts: () => readonly CopiedAccount[];
  readonly instruments: () => InstrumentList;
  readonly alarm: RaiseAlarm;
}

/** A request of a client that is copied for readers. */
export interface Inbound {
  /** MsgType(35), also for a message that is not FIX. */
  readonly msgType: string;
  /** The account in the request, or null. */
  readonly account: string | null;
  readonly instrument: InstrumentRef | null;
  /** The order of a cancel or replace, or null. */
  readonly target: OrderRef | null;
  /** The whole message; valid only during the call. */
  readonly bytes: Uint8Array;
}

export interface InboundWatch {
  /** Whether a reader currently wants requests of this type. */
  sees(msgType: string): boolean;
  /** Called inside a transaction, before the request is handled. */
  copy(inbound: Inbound): void;
}

const dayMs = 86_400_000;
/** The MsgType(35) of requests copied for surveillance: new orders, cancels, replaces. */
const watchedTypes: ReadonlySet<string> = new Set(['D', 'F', 'G']);
const lastDayCursor = 'copies/day';
const sendersStream = 'copies/senders';

type Sender = Pick<SessionConfig, 'accounts' | 'role' | 'senderCompId' | 'users'>;
type Senders = ReadonlyMap<string, Sender>;

export class CopyReaders {
  readonly relay: Relay;
  readonly #parts: CopyReadersParts;
  readonly #text: CopyText;
  #config: Config;
  /** By name: the configured sessions, and those that no longer are, because their orders are still copied. */
  #senders: Senders = new Map();
  /** By account and market: readers know that orders of other channels are missing. */
  readonly #unlisted = new Set<string>();
  #cancelDay = () => {};
  /** The start of the current day as it is stored. */
  #dayMs = 0;
  #endCheck = () => {};

  constructor(parts: CopyReadersParts) {
    const { clock, config, profile, transactions, alarm } = parts;
    this.#parts = parts;
    this.#config = config;
    this.#text = new CopyText(reportSettings(profile));
    this.relay = new Relay({
      transactions,
      text: this.#text,
      clock,
      alarm: (text, about = text) => alarm(text, { event: 'drop_copy', about }),
      openOrders: (account) => this.#openOrders(account),
      retention: {
        copies: config.dropCopy.retainCopies,
        ms: config.dropCopy.retainDays * dayMs,
      },
      maxCopies: config.dropCopy.maxReplay,
    });
  }

  /**
   * Applies the readers of this configuration; readers that remain keep their positions. In another role the numbers of
   * a session can restart without its reader being told, so what is not acknowledged is sent again.
   */
  async apply(config: Config): Promise<void> {
    const { accounts, transactions } = this.#parts;
    this.#config = config;
    const kept = Buffer.from((await transactions.store.snapshot(sendersStream))?.payload ?? '[]');
    const before: Senders = new Map(JSON.parse(kept.toString()));
    const senders = new Map([...before, ...config.sessions.map(senderOf)]);
    this.#senders = senders;
    const readers = config.sessions.filter(({ role }) => role === 'drop-copy');
    const wanted = new Map(readers.map((session) => [nameOf(session), session]));
    for (const { name } of this.relay.readers) if (!wanted.has(name)) this.relay.close(name);
    // A reader that is left out comes back to the copies made in between.
    const known = [...senders.values()].filter(({ role }) => role === 'drop-copy');
    for (const { account, name } of accounts()) {
      const isRead = known.some((reader) => reader.accounts.includes(name));
      await this.relay.follow(name, account, isRead);
    }
    for (const [name, session] of wanted) {
      const filter = filterOf(session);
      const open = this.relay.reader(name);
      open?.refilter(filter, session.copy);
      const reader = open ?? (await this.relay.open(name, filter, session.copy));
      // Earlier versions did not store the role.
      const { role = session.role } = before.get(name) ?? {};
      if (role !== session.role) transactions.run(() => reader.begunAnew());
    }
    const payload = Buffer.from(JSON.stringify([...senders]));
    if (payload.equals(kept)) return;
    const snapshot = { kind: 'snapshot', stream: sendersStream, position: 1, payload } as const;
    transactions.run(() => transactions.write(snapshot));
  }

  /** Sends the totals at the end of each day, including a day that ended while the bridge was down. */
  async keepDays(): Promise<void> {
    const { clock, transactions } = this.#parts;
    const last = await transactions.store.cursor(lastDayCursor);
    const begunMs = this.#dayBegan(clock.now().wallMs);
    this.#dayMs = last ?? begunMs;
    if (last === undefined) transactions.run(() => this.#noteDay(begunMs));
    // Nothing was copied after the day in which the bridge went down, however many days ago that was.
    else if (last < begunMs) this.#endDay(begunMs);
    this.#dayLater();
  }

  /** Called once the streams are followed: compares them with the venue's own drop copy, if the profile enables it. */
  check(notice: WriteNotice): void {
    const { accounts, alarm, clock, profile } = this.#parts;
    if (profile.dropCopy.source !== 'venue') return;
    this.#endCheck = checkVenueCopies({
      accounts: accounts(),
      clock,
      alarm: withFacts(alarm, { event: 'venue_copy' }),
      notice: withFacts(notice, { event: 'venue_problem' }),
    });
  }

  stop(): void {
    this.#cancelDay();
    this.#endCheck();
    this.relay.stop();
  }

  /** The reader of a session with drop copies, in either protocol; undefined for other sessions. */
  readerParts(name: string, { role }: SessionConfig, unreadBytes: () => number) {
    if (role !== 'drop-copy') return undefined;
    const reader = this.relay.reader(name);
    if (reader === undefined) throw new Error(`${name} reads no drop copies`);
    const { clock, profile } = this.#parts;
    return {
      relay: this.relay,
      reader,
      clock,
      unreadBytes,
      text: this.#text,
      settings: reportSettings(profile),
    };
  }

  /** Copies the requests of this session for readers that subscribed to requests. */
  inbound(name: string): InboundWatch {
    return {
      sees: (msgType) => watchedTypes.has(msgType) && this.relay.isWatched,
      copy: (inbound) => this.#copyInbound(name, inbound),
    };
  }

  /** Called inside a transaction: copies the report if the account has readers. */
  report(report: Report): void {
    if (report.kind !== 'execution') return;
    const { accountName, session } = report.order.owner;
    if (!this.relay.follows(accountName)) return;
    this.#copy(accountName, { kind: 'report', report, from: this.#from(session) });
  }

  /**
   * Called within a transaction. A cancel or replace is copied under the account of its order, any other request under
   * the account that it names, or under the session's default account if it names none of the session's.
   */
  #copyInbound(session: string, { account, bytes, instrument, msgType, target }: Inbound): void {
    const own = this.#senders.get(session)?.accounts ?? [];
    const order = target === null ? undefined : this.#ordered(session, own, target);
    const bound = this.#parts
      .accounts()
      .find((one) => own.includes(one.name) && [one.name, one.account].includes(account ?? ''));
    const resolved = instrument && this.#parts.instruments().resolve(instrument);
    const listed = resolved !== null && !isDenial(resolved) ? resolved : null;
    const known = order?.instrument ?? listed;
    const symbol = known?.symbol ?? instrument?.symbol ?? null;
    const market = known?.market.symbol ?? null;
    const message = Buffer.from(bytes).toString('base64');
    const from = this.#originator(session);
    const request = { kind: 'request', from, msgType, symbol, market, message } as const;
    this.#copy(order?.owner.accountName ?? bound?.name ?? own[0] ?? '', request);
  }

  #ordered(session: string, own: readonly string[], { origClOrdId, orderId }: OrderRef) {
    const named = this.#parts
      .accounts()
      .flatMap(
        ({ orders }) =>
          orders.byClOrdId(session, origClOrdId ?? '') ?? orders.byVenueId(orderId ?? '') ?? [],
      );
    return named.find(({ owner }) => owner.session === session || own.includes(owner.accountName));
  }

  /** Null for an order from another channel of the venue. */
  #from(session: string): Originator | null {
    return session === otherChannel ? null : this.#originator(session);
  }

  #originator(session: string): Originator {
    const { senderCompId = session, users = [] } = this.#senders.get(session) ?? {};
    return { session, compId: senderCompId, users };
  }

  /** Called inside a transaction: the venue itself lost executions of this account. */
  lost(accountName: string, lines: readonly string[]): void {
    this.#copy(accountName, { kind: 'gap', lines });
  }

  /**
   * Called inside a transaction for an event of an order of another channel. If its market is not listed, the order is
   * not copied; one alarm and one notice among the copies cover all such orders until the market is listed.
   */
  instrumentOf(
    account: string,
    { book, market, orderId, seq }: StreamEvent,
  ): Instrument | undefined {
    if (market === null) return undefined;
    const instrument = this.#parts.instruments().of(market, book);
    const key = `${account}/${market}`;
    if (instrument !== undefined) this.#unlisted.delete(key);
    else if (orderId !== null && !this.#unlisted.has(key)) {
      this.#unlisted.add(key);
      const text = `the venue's list has no market ${market}: from event ${seq} on, orders that start there are not copied until it does`;
      const facts = { event: 'unlisted_market', account, orderId } as const;
      this.#parts.alarm(`${account}: ${text}; ask the venue to list it`, facts);
      this.lost(account, [text]);
    }
    return instrument;
  }

  #copy(accountName: string, facts: CopyFacts): void {
    this.relay.copy(accountName, facts, this.#account(accountName)?.orders.lastSeq ?? 0);
  }

  *#openOrders(account: string): Iterable<ReportCopy> {
    const { clock, profile } = this.#parts;
    const bound = this.#account(account);
    if (bound === undefined) return;
    const { wallMs } = clock.now();
    for (const order of bound.orders.openOnVenue()) {
      const rules = orderRulesOf(order.owner.session, this.#config, profile);
      yield {
        kind: 'report',
        report: statusReport(order, rules, wallMs),
        from: this.#from(order.owner.session),
      };
    }
  }

  #account(alias: string): CopiedAccount | undefined {
    return this.#parts.accounts().find(({ name }) => name === alias);
  }

  #dayBegan(wallMs: number): number {
    const [hours = 0, minutes = 0] = this.#config.dropCopy.endOfDay.split(':').map(Number);
    const offsetMs = (hours * 60 + minutes) * 60_000;
    return Math.floor((wallMs - offsetMs) / dayMs) * dayMs + offsetMs;
  }

  #dayLater(): void {
    const { clock } = this.#parts;
    const { monoMs, wallMs } = clock.now();
    const nextMs = this.#dayBegan(wallMs) + dayMs;
    this.#cancelDay = clock.at(monoMs + nextMs - wallMs, () => {
      const begunMs = this.#dayBegan(clock.now().wallMs);
      // The wall clock may have been set back in the meantime.
      if (begunMs >= nextMs) this.#endDay(begunMs);
      this.#dayLater();
    });
  }

  /**
   * A day is named by its start, and no two have one name, because a reader takes the second for the first. So a day
   * goes on if a clock that was ahead has ended the one before, or if the next one would begin on the same date.
   */
  #endDay(nextMs: number): void {
    const day = dateText(this.#dayMs);
    this.#parts.transactions.run(() => {
      if (dateText(nextMs) > day) this.relay.endDay(day);
      this.#noteDay(nextMs);
    });
  }

  #noteDay(value: number): void {
    this.#dayMs = value;
    this.#parts.transactions.write({ kind: 'cursor', name: lastDayCursor, value });
  }
}

/** The features of the profile that must be confirmed before copies are compared with the venue's. */
export function copyFeatures({ dropCopy }: Profile): readonly Feature[] {
  return dropCopy.source === 'venue' ? ['venueDropCopy'] : [];
}

function senderOf(session: SessionConfig): [name: string, Sender] {
  const { accounts, role, senderCompId, users } = session;
  return [nameOf(session), { accounts, role, senderCompId, users }];
}

function filterOf({ accounts, copy, markets }: SessionConfig): CopyFilter {
  return {
    accounts,
    symbols: markets === undefined ? null : new Set(markets),
    users: copy.users === undefined ? null : new Set(copy.users),
    sessions: copy.sessions === undefined ? null : new Set(copy.sessions),
    requests: copy.requests,
  };
}
