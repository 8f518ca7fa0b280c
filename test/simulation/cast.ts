/** Who takes part in a run, under which limits, and what may happen to them: all of it from the seed. */

import type { Dice } from './dice.ts';
import type { Limits } from './limits-in-force.ts';
import { chooseFigures, chooseRules, type VenueRules } from './venue-rules.ts';

/**
 * What a run may have in it. Each seed leaves some of it out, because what is common hides what is rare, and a run with
 * less in it is read more easily.
 */
const allHabits = [
  ...['changes', 'quotes', 'floods', 'mass-cancels', 'names', 'limits'],
  ...['copies', 'links', 'crashes', 'kills', 'gates', 'jumps', 'streams', 'road', 'late'],
] as const;
/** Added later: they are chosen by chance of their own, so that without them a seed is what it was before. */
const laterHabits = ['algos', 'conditionals', 'terms', 'risk', 'scopes', 'disk'] as const;
/** `power`: the store is the log, on a disk that loses what was not synced, and fails. */
const latestHabits = ['power'] as const;
/**
 * `refs`: requests that name an order in all the ways there are, and come again. `shapes`: replaces of more than price
 * and quantity. `profiles`: sessions that want other reports. `writers`: another channel of the venue changes the
 * orders of the account. `markets`: single markets halt.
 */
const newestHabits = ['refs', 'shapes', 'profiles', 'writers', 'markets'] as const;
/**
 * `requests`: a reader asks for past copies, trades and totals, and makers ask again, and for parts of what they have.
 * `batches`: actions that wait go to the venue together. `signer`: it is slow or away, or refuses. `days`: orders of the
 * day, which ends early in the run.
 */
const lastHabits = ['requests', 'batches', 'signer', 'days'] as const;
/**
 * `reloads`: the operator changes sessions and readers in the file, which the bridge reads while it runs and at a start.
 * `rights`: the venue takes a credential or most rights from an account for a while.
 */
const fileHabits = ['reloads', 'rights'] as const;
/**
 * `slow`: clients that do not read for a while, while the bridge leaves less unread than usual. `options`: what
 * readers and sessions may want otherwise in their configuration.
 */
const clientHabits = ['slow', 'options'] as const;
/**
 * `keys`: accounts have two keys and two credentials, which the venue refuses for a while. `answers`: the venue fails
 * before or after it applies an action, or is busy, or applies it later. `pace`: it takes few actions a second.
 */
const venueHabits = ['keys', 'answers', 'pace'] as const;
/** `variants`: requests say the same in other ways, or little, and ask about markets. */
const wordHabits = ['variants'] as const;
/** `forgets`: the venue no longer keeps the events of an outage, so orders are rebuilt from receipts. */
const retentionHabits = ['forgets'] as const;
/** `dialect`: the events of the venue leave out what they may, and more of them tell the same. */
const eventHabits = ['dialect'] as const;
/** What only members of events show that it leaves out. */
const notWithDialect: readonly Habit[] = ['requests', 'writers', 'relay'];
/** What receipts say nothing about (contract R75), or what asks for the events of an account by their numbers. */
const notWithForgets: readonly Habit[] = [
  ...(['algos', 'conditionals', 'requests', 'writers', 'relay'] as const),
];
/** `sessions`: hours of FIX sessions, whose numbers begin anew; clients that begin them anew themselves. */
const calendarHabits = ['sessions'] as const;
/** `operator`: one who changes limits, stops sessions and cancels orders while others are under way. */
const consoleHabits = ['operator'] as const;
/** `wants`: what sessions and readers may want otherwise than `options` and `profiles` do. */
const wantHabits = ['wants'] as const;
/** `crossings`: a stranger trades with orders while their replaces and cancels are on their way. */
const crossingHabits = ['crossings'] as const;
/**
 * `takeovers`: another process takes over while the one before it goes on, with a signer in a process of its own. `space`:
 * the disk is all but full for a while.
 */
const ownerHabits = ['takeovers', 'space'] as const;
/** `memory`: few ended orders are remembered, and the state of an account is written in many pieces of small parts. */
const memoryHabits = ['memory'] as const;
/** `rates`: sessions may send few orders and cancels a second. */
const rateHabits = ['rates'] as const;
/** `relay`: a process that only relays follows the accounts, too. */
const relayHabits = ['relay'] as const;
/** `partings`: at rest a client leaves, and FIXP clients choose what that means for their orders. */
const partingHabits = ['partings'] as const;
/** `weekends`: the bridge is down for a night, or at rest for more than a day, so that records and copies become too old. */
const weekendHabits = ['weekends'] as const;
/** `rules`: the venue does otherwise what the contract leaves open: nonces, ids, seqs, pages. */
const ruleHabits = ['rules'] as const;
/** `figures`: fees, caps, deadlines and the like of the venue's profile are others. */
const figureHabits = ['figures'] as const;
/** `listings`: the list of markets is another one for a while. */
const listingHabits = ['listings'] as const;
/** Past copies are gone then; a relay would go on all the time. */
const notWithWeekends: readonly Habit[] = ['requests', 'relay', 'sessions'];
/** A relay does not follow the orders of a market that it does not find in the list (decision 0140). */
const notWithListings: readonly Habit[] = ['relay'];
/** A clock that jumps stops the calendar until an operator confirms it; a power loss leaves open what was recorded. */
const notWithSessions: readonly Habit[] = ['jumps', 'power', 'takeovers', 'space'];
const habits = [
  ...[...allHabits, ...laterHabits, ...latestHabits, ...newestHabits, ...lastHabits],
  ...[...fileHabits, ...clientHabits, ...venueHabits, ...wordHabits, ...retentionHabits],
  ...[...eventHabits, ...calendarHabits, ...consoleHabits, ...wantHabits, ...crossingHabits],
  ...[...ownerHabits, ...memoryHabits, ...rateHabits, ...relayHabits, ...partingHabits],
  ...[...weekendHabits, ...ruleHabits, ...figureHabits, ...listingHabits],
] as const;
export type Habit = (typeof habits)[number];

/** Of a FIX session: keys of its profile (docs/CONFIGURATION.md). */
export interface SessionWant {
  readonly quoteResponse?: 'refusals' | 'all';
  readonly clientFields?: 'refuse';
  readonly maxOrderAgeMs?: number;
  readonly restateOrders?: true;
  readonly reportOtherChannels?: true;
}

export interface SessionPlan {
  readonly compId: string;
  readonly protocol: 'fix' | 'fixp';
  readonly role: 'order-entry' | 'drop-copy';
  readonly accounts: readonly string[];
  readonly limits: object;
  readonly cancelOnDisconnect: { readonly when?: string; readonly graceMs?: number };
  /** What it wants otherwise than the others. */
  readonly profile: {
    readonly pending?: 'reduced';
    readonly iocRemainder?: 'expired';
    readonly massCancelScope?: 'account';
  };
  readonly want?: SessionWant;
  readonly copy?: CopyWish;
}

/** What a reader wants otherwise than to have the copies of all. */
export interface CopyWish {
  /** Copies of these sessions only, which the file names by CompID or by user. */
  readonly of: readonly string[] | undefined;
  readonly by: 'sessions' | 'users';
  /** False: no copies of reports, only what it asks for. */
  readonly reports?: false;
  readonly requests: boolean;
  /** It logs on for the first time once there are some. */
  readonly openOrders: boolean;
  readonly acknowledge: 'session' | 'reader';
}

export const aliases = ['desk-a', 'desk-b'] as const;
/** In whole units of any instrument. */
export const maxOrderQty = 250;
/** In the quoted currency; what is dearer than this is beyond the limit of everybody who has one. */
export const maxNotional = 20_000;
/** Most habits are in most runs, later ones in few, so that they hide little. */
const [most, few] = [650, 250];

/** The habits that these dice keep, so many of a thousand. */
function chosen<H extends Habit>(own: Dice, habits: readonly H[], perMille: number): readonly H[] {
  return habits.filter(() => own.hits(perMille));
}

export class Cast {
  readonly habits: ReadonlySet<Habit>;
  readonly sessions: readonly SessionPlan[];
  /** As the configuration has them, by the alias of the account. */
  readonly accountLimits: Readonly<Record<string, object>>;
  /** What the venue means by `new_qty`, or that nobody knows it. */
  readonly amendQty: 'total' | 'remaining' | 'unknown';
  /** By CompID, and by the alias of the account. */
  readonly limits = new Map<string, Limits>();
  /** For the habits of clients. */
  readonly client: Dice;
  /** For what is wanted otherwise, where the habit is there. */
  readonly options: Dice | undefined;
  /** For the habits of the venue. */
  readonly atVenue: Dice;
  /** For its events. */
  readonly atStream: Dice;
  /** For hours and numbers of sessions. */
  readonly calendar: Dice;
  /** For what sessions want otherwise. */
  readonly wants: Dice;
  /** For trades that cross with changes, where the habit is there. */
  readonly crossings: Dice | undefined;
  /** For the relay, where the habit is there. */
  readonly relay: Dice | undefined;
  /** What the venue does otherwise, where the habit is there. */
  readonly rules: VenueRules | undefined;
  /** Keys of the venue's profile, where the habit is there. */
  readonly figures: Readonly<Record<string, unknown>> | undefined;
  /** For the list of markets, where the habit is there. */
  readonly listings: Dice | undefined;
  /** For clients that leave, where the habit is there. */
  readonly partings: Dice | undefined;
  /** For processes that take over, and a disk that is full. */
  readonly owners: Dice;
  /** For days on which nothing runs. */
  readonly weekends: Dice;
  /** For the acts of an operator. */
  readonly console: Dice;
  readonly #dice: Dice;
  readonly #newest: Dice;
  readonly #risk: RiskChoice | undefined;

  /** `without` leaves out more than the seed does. */
  constructor(dice: Dice, without: readonly string[]) {
    this.#dice = dice;
    const other = dice.branch();
    const latest = other.branch();
    const newest = latest.branch();
    const kept: Habit[] = [
      ...chosen(newest, newestHabits, most),
      ...chosen(latest, latestHabits, most),
      ...chosen(other, laterHabits, most),
      ...chosen(dice, allHabits, most),
    ];
    // The dice of each group come from those of another one, and must not be asked earlier or later than before.
    const draw = (from: Dice, habits: readonly Habit[], perMille: number): Dice => {
      const own = from.branch();
      kept.push(...chosen(own, habits, perMille));
      return own;
    };
    const file = draw(draw(newest, lastHabits, most), fileHabits, most);
    this.client = draw(file, clientHabits, most);
    this.atVenue = draw(this.client, venueHabits, most);
    const retention = draw(draw(this.atVenue, wordHabits, most), retentionHabits, few);
    this.calendar = draw(retention, calendarHabits, few);
    this.atStream = draw(this.calendar, eventHabits, few);
    this.console = draw(this.calendar, consoleHabits, few);
    this.wants = draw(this.console, wantHabits, few);
    const crossings = draw(this.wants, crossingHabits, few);
    const isReal = kept.includes('power') && kept.includes('crashes');
    this.owners = draw(crossings, isReal ? ownerHabits : [], 400);
    const partings = draw(this.owners, partingHabits, 300);
    const rates = draw(draw(partings, memoryHabits, 300), rateHabits, 200);
    const relay = draw(rates, relayHabits, 200);
    this.weekends = draw(rates, weekendHabits, 150);
    const rules = draw(relay, ruleHabits, few);
    const figures = draw(rules, figureHabits, 200);
    const listings = draw(rates.branch(), listingHabits, 200);
    const wanted = new Set(kept.filter((habit) => !without.includes(habit)));
    const lacking = [
      ...(kept.includes('forgets') ? notWithForgets : []),
      ...(wanted.has('sessions') ? notWithSessions : []),
      ...(wanted.has('dialect') ? notWithDialect : []),
      ...(wanted.has('weekends') ? notWithWeekends : []),
      ...(wanted.has('listings') ? notWithListings : []),
    ];
    this.habits = new Set([...wanted].filter((habit) => !lacking.includes(habit)));
    this.options = this.habits.has('options') ? this.client.branch().branch() : undefined;
    this.relay = this.habits.has('relay') ? relay : undefined;
    this.rules = this.habits.has('rules') ? chooseRules(rules, this.habits) : undefined;
    this.figures = this.habits.has('figures') ? chooseFigures(figures) : undefined;
    this.listings = this.habits.has('listings') ? listings : undefined;
    this.partings = this.habits.has('partings') ? partings : undefined;
    this.crossings = this.habits.has('crossings') ? crossings : undefined;
    this.#risk = this.habits.has('risk') ? new RiskChoice(other) : undefined;
    this.#newest = newest;
    const meanings = ['total', 'remaining', 'unknown'] as const;
    this.amendQty = this.habits.has('profiles') ? newest.pick(meanings) : 'total';
    if (this.crossings?.hits(500)) this.amendQty = 'remaining';
    this.sessions = this.habits.has('wants')
      ? this.#plan().map((plan) => this.#wanting(plan))
      : this.#plan();
    this.accountLimits = Object.fromEntries(
      aliases.map((alias) => [
        alias,
        { ...this.#limit(alias, 'account', [10, 25, 60, 800]), ...this.#rate() },
      ]),
    );
  }

  #plan(): readonly SessionPlan[] {
    const dice = this.#dice;
    const abrupt = { when: 'abrupt', graceMs: dice.pick([0, 0, 3_000]) };
    const always = { when: 'always' };
    const entry = { role: 'order-entry', cancelOnDisconnect: {} } as const;
    const copy = {
      role: 'drop-copy',
      limits: {},
      profile: {},
      cancelOnDisconnect: {},
      accounts: aliases,
    } as const;
    const [a, b] = aliases;
    // CompIDs and ClOrdIDs that could be told apart wrongly where they are joined.
    const plans = [
      { ...entry, compId: 'ALPHA', protocol: 'fix', accounts: [a] },
      { ...entry, compId: 'ALPHA:1', protocol: 'fix', accounts: [a], cancelOnDisconnect: abrupt },
      { ...entry, compId: 'BRAVO', protocol: 'fix', accounts: [b, a] },
      { ...entry, compId: 'DELTA', protocol: 'fixp', accounts: [a], cancelOnDisconnect: always },
      { ...entry, compId: 'ECHO', protocol: 'fixp', accounts: [b] },
    ] as const;
    const readers = [
      { ...copy, compId: 'DROP', protocol: 'fix' },
      { ...copy, compId: 'COPY', protocol: 'fixp' },
    ] as const;
    return [
      ...plans.map((plan) => ({
        ...plan,
        limits: this.#limit(plan.compId, 'session', [6, 15, 30, 500]),
        profile: this.#profile(),
      })),
      ...(this.habits.has('copies') ? readers : []),
      ...(this.habits.has('copies') && this.options !== undefined
        ? [
            { ...copy, compId: 'WATCH', protocol: 'fix', copy: this.#wish(plans) } as const,
            { ...copy, compId: 'GUARD', protocol: 'fixp', copy: this.#wish(plans) } as const,
          ]
        : []),
    ];
  }

  #wanting(plan: SessionPlan): SessionPlan {
    const hits = (perMille: number) => this.wants.hits(perMille);
    if (plan.copy !== undefined) {
      const nothing = { reports: false, requests: false, openOrders: false } as const;
      return hits(400) ? { ...plan, copy: { ...plan.copy, ...nothing } } : plan;
    }
    if (plan.protocol === 'fixp' || plan.role === 'drop-copy') return plan;
    const want: SessionWant = {
      ...(hits(500) && { quoteResponse: this.wants.pick(['refusals', 'all'] as const) }),
      ...(hits(300) && { clientFields: 'refuse' }),
      ...(hits(500) && { maxOrderAgeMs: 10_000 }),
      ...(hits(500) && { restateOrders: true }),
      ...(hits(500) && { reportOtherChannels: true }),
    };
    return { ...plan, want };
  }

  #wish(plans: readonly { readonly compId: string }[]): CopyWish {
    const hits = (perMille: number) => this.options?.hits(perMille) === true;
    const of = plans.map(({ compId }) => compId).filter(() => hits(500));
    return {
      of: hits(600) && of.length > 0 ? of : undefined,
      by: hits(500) ? 'sessions' : 'users',
      requests: hits(500),
      openOrders: hits(500),
      acknowledge: hits(500) ? 'reader' : 'session',
    };
  }

  #profile(): SessionPlan['profile'] {
    const wants = () => this.habits.has('profiles') && this.#newest.hits(400);
    return {
      ...(wants() && { pending: 'reduced' }),
      ...(wants() && { iocRemainder: 'expired' }),
      ...(wants() && { massCancelScope: 'account' }),
    };
  }

  #limit(name: string, of: 'account' | 'session', choice: readonly number[]): object {
    const maxOpenOrders = this.#dice.pick(this.habits.has('limits') ? choice : [4_000]);
    const { collarBps, maxNotional } = this.#risk?.of(of) ?? {};
    this.limits.set(name, { maxOpenOrders, maxOrderQty, maxNotional, collarBps });
    return {
      ...{ maxOpenOrders, maxOrderQty: String(maxOrderQty) },
      ...(maxNotional !== undefined && { maxNotional: String(maxNotional) }),
      ...(collarBps !== undefined && { priceCollarBps: collarBps }),
    };
  }

  #rate(): object {
    return this.habits.has('limits') && this.#dice.hits(200) ? { ordersPerSecond: 50 } : {};
  }
}

/** Whose collar and whose notional there is: all sessions have it, or all accounts, or both, each its own. */
class RiskChoice {
  readonly #dice: Dice;
  readonly #collared: readonly string[];
  readonly #notional: readonly string[];

  constructor(dice: Dice) {
    const choice = [['account'], ['session'], ['account', 'session']];
    this.#dice = dice;
    this.#collared = dice.pick(choice);
    this.#notional = dice.pick(choice);
  }

  of(kind: 'account' | 'session'): Pick<Limits, 'collarBps' | 'maxNotional'> {
    const collarBps = this.#dice.pick([100, 200, 300]);
    const notional = this.#dice.pick([maxNotional, maxNotional / 2]);
    return {
      collarBps: this.#collared.includes(kind) ? collarBps : undefined,
      maxNotional: this.#notional.includes(kind) ? notional : undefined,
    };
  }
}
