/** A client of a run: how it connects, what it was told, and what it commands. */
import { type Habit, maxNotional, maxOrderQty, type SessionPlan } from './cast.ts';
import { ClientLog } from './client-log.ts';
import type { Dice } from './dice.ts';
import { FixTrader, fixNameOf, type Said, type Trader, type TraderParts } from './fix-trader.ts';
import { FixpTrader } from './fixp-trader.ts';
import type { LostMessages } from './lost-messages.ts';
import type { Door } from './memory-link.ts';
import { ruleOf } from './parting-rule.ts';
import { QuoteAnswers } from './quote-answers.ts';
import { instruments, RandomCommands } from './random-commands.ts';
import type { ReaderRequests } from './reader-requests.ts';
import { ReaderWishes } from './reader-wishes.ts';
import type { RequestCopies } from './request-copies.ts';
import { SessionHours } from './session-hours.ts';
import { SessionWants } from './session-wants.ts';
import type { Origin, VenueLedger } from './venue-ledger.ts';
import type { VirtualTime, Wall } from './virtual-time.ts';
import { secretOf, userOf } from './whole-bridge.ts';

export interface Client {
  readonly plan: SessionPlan;
  readonly trader: Trader;
  readonly log: ClientLog;
  readonly commands: RandomCommands;
  readonly quotes: QuoteAnswers;
  readonly wishes: ReaderWishes | undefined;
  readonly hours: SessionHours | undefined;
  readonly wants: SessionWants | undefined;
  isComing: boolean;
}

export interface ClientParts {
  readonly time: VirtualTime;
  readonly wall: Wall;
  readonly dice: Dice;
  readonly options: Dice | undefined;
  readonly calendar: Dice;
  readonly wants: Dice;
  readonly partings: Dice | undefined;
  readonly lost: LostMessages;
  readonly habits: ReadonlySet<Habit>;
  readonly ledger: VenueLedger;
  readonly origins: Map<string, Origin>;
  readonly names: string[];
  readonly requests: ReaderRequests;
  readonly inbound: RequestCopies;
  readonly door: (protocol: 'fix' | 'fixp') => Door | undefined;
  readonly serial: () => number;
  readonly hasSwapped: () => boolean;
  readonly wrong: (text: string, trace?: readonly string[]) => void;
  readonly heard: (said: Said) => void;
  readonly changed: (isUp: boolean) => void;
}

export function newClient(plan: SessionPlan, index: number, parts: ClientParts): Client {
  const { accounts, compId, profile, protocol, role } = plan;
  const { dice, habits, ledger, names, origins, requests, serial, time, wall, wrong } = parts;
  const wishes =
    plan.copy &&
    parts.options &&
    new ReaderWishes({
      ...{ wish: plan.copy, dice: parts.options, ledger, time, requests: parts.inbound },
      door: () => parts.door(protocol),
      wrong: (text, trace) => wrong(`${compId}: ${text}`, trace),
    });
  const kind = {
    ...(wishes && { sees: (session: string | undefined) => wishes.sees(session) }),
    isCopy: role === 'drop-copy',
    isQuoting: habits.has('quotes'),
    isForAll: profile.massCancelScope === 'account' || profile.pending === 'reduced',
    hasSwapped: parts.hasSwapped,
  };
  const asks = habits.has('requests') && compId === 'DROP';
  const quotes = new QuoteAnswers(compId, accounts[0] ?? '', ledger, wrong);
  const log = new ClientLog(compId, kind, (text, chain) =>
    wrong(`${compId}: ${text}`, chain?.told),
  );
  const wants =
    plan.want &&
    new SessionWants({
      ...{ compId, accounts, want: plan.want, dice: parts.wants, ledger, log },
      isSteady: !habits.has('jumps'),
      wrong: (text, trace) => wrong(`${compId}: ${text}`, trace),
    });
  const bridgeClock = time.clock(wall);
  const hours =
    habits.has('sessions') && protocol === 'fix'
      ? new SessionHours({
          ...{ dice: parts.calendar, time },
          wallMs: () => bridgeClock.now().wallMs,
          lost: (from) => (role === 'drop-copy' ? [] : parts.lost.take(fixNameOf(compId), from)),
          begun: () => wants?.begunAnew(),
          isUp: () => trader.isUp && trader.isReading,
          wrong: (text) => wrong(`${compId}: ${text}`),
        })
      : undefined;
  const traderParts: TraderParts = {
    ...{ compId, dice, time, username: userOf(index), secret: secretOf(index) },
    // Whoever is far from the bridge's time may not log on.
    clock: bridgeClock,
    ...(hours && { anew: hours }),
    heard: (said) => {
      parts.heard(said);
      wishes?.hear(said);
      if (wants?.hear(said) !== true) log.hear(said);
      if (role === 'order-entry') parts.inbound.heard(compId, said);
      if (asks) requests.hear(said);
      quotes.hear(said);
    },
    changed: (isUp) => {
      parts.changed(isUp);
      const { graceMs, when } = ruleOf(plan, trader.choice);
      if (!isUp && when === 'always' && graceMs === 0) log.leave();
      if (!isUp && asks) requests.leave();
    },
    resets: () => wishes?.resets() ?? ((asks && requests.resets()) || hours?.resets() === true),
    chooses: parts.partings,
    renews: () => wishes?.resets() ?? parts.options?.hits(600) === true,
    wrote: (line, hex) => parts.inbound.wrote(compId, line, hex),
  };
  const listed = instruments.map(({ book, market, symbol }) => ({
    book,
    marketId: market,
    symbol,
  }));
  const trader: Trader =
    protocol === 'fix' ? new FixTrader(traderParts) : new FixpTrader({ ...traderParts, listed });
  const actor = { compId, protocol, accounts, habits, maxNotional, maxOrderQty };
  const shared = {
    ...{ origins, names, serial },
    orderIdOf: (clOrdId: string) => log.orderIdOf(clOrdId),
    quotes: () => log.quotes,
    partly: () => log.partly,
  };
  const commands = new RandomCommands(dice, actor, shared);
  wishes?.bind(trader, log);
  return { plan, trader, log, commands, quotes, wishes, hours, wants, isComing: false };
}
