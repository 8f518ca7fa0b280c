/**
 * Random legal streams of commands on both lanes against the whole bridge, with anything that may go wrong going wrong
 * around it; and the checker's judgement whenever all has come to rest. One seed is one run.
 */
import { createHash } from 'node:crypto';
import type { KillScope } from '../../src/gateway/gate/kill-switch.ts';
import { aliases, Cast, type Habit, type SessionPlan } from './cast.ts';
import { Checker } from './checker.ts';
import { textOf } from './client-log.ts';
import { Connecting } from './connecting.ts';
import { Dice } from './dice.ts';
import { disorder } from './disorder.ts';
import { editFile } from './file-edits.ts';
import { fixNameOf, type Said } from './fix-trader.ts';
import { Judgement } from './judgement.ts';
import { LimitsInForce } from './limits-in-force.ts';
import { LostMessages } from './lost-messages.ts';
import { OperatorActs } from './operator-acts.ts';
import { allGates, fewGates, OtherHands } from './other-hands.ts';
import { instruments } from './random-commands.ts';
import { ReaderRequests } from './reader-requests.ts';
import { reduction } from './reductions.ts';
import { RelayDesk } from './relay-desk.ts';
import { RequestCopies } from './request-copies.ts';
import { Restarts } from './restarts.ts';
import { renumber, setHours } from './session-hours.ts';
import { settle } from './settlement.ts';
import { SimulatedDisk } from './simulated-disk.ts';
import { SimulatedVenue } from './simulated-venue.ts';
import { type Client, newClient } from './stream-client.ts';
import { countLine, noCounts } from './stream-counts.ts';
import { changeKeys, registerOlder } from './venue-keys.ts';
import { type Origin, VenueLedger } from './venue-ledger.ts';
import { VirtualTime } from './virtual-time.ts';
import { WholeBridge } from './whole-bridge.ts';

const ofMarkets = new Set(['W', 'X', 'Y', 'f', 'h', 'y']);
const maxRestMs = 900_000;
/** The bridge asks about an outcome that stays open every minute. */
const quietMs = 70_000;
/** Of a round, where nobody can log on. */
const maxSteps = 500;

export class LegalStream {
  readonly counts = noCounts();
  readonly habits: ReadonlySet<Habit>;
  readonly #seed: number;
  readonly #time = new VirtualTime();
  readonly #dice: Dice;
  readonly #cast: Cast;
  readonly #venue: SimulatedVenue;
  readonly #bridge: WholeBridge;
  readonly #power: SimulatedDisk | undefined;
  readonly #clients: Client[] = [];
  readonly #copies: Client[] = [];
  readonly #ledger: VenueLedger;
  readonly #checker: Checker;
  readonly #judgement: Judgement<Client>;
  readonly #others: OtherHands;
  readonly #restarts: Restarts<Client>;
  readonly #acts: OperatorActs;
  readonly #connecting: Connecting<Client>;
  readonly #requests: ReaderRequests;
  readonly #relay: RelayDesk | undefined;
  readonly #inbound = new RequestCopies();
  readonly #lost = new LostMessages();
  readonly #origins = new Map<string, Origin>();
  readonly #accounts = new Map<string, string>();
  readonly #names: string[] = [];
  readonly #trace = createHash('sha256');
  /** A line of all that the clients said and did. */
  readonly script: string[] = [];
  /** What gives accounts their keys back. */
  readonly #takeBacks = new Set<() => void>();
  #serial = 0;
  #lastReceivedMs = 0;

  /** `without` leaves out more than the seed does. */
  static async open(seed: number, without: readonly string[] = []): Promise<LegalStream> {
    const stream = new LegalStream(seed, without);
    await stream.#open();
    return stream;
  }

  private constructor(seed: number, without: readonly string[]) {
    this.#seed = seed;
    this.#dice = new Dice(seed);
    const cast = new Cast(this.#dice, without);
    this.#cast = cast;
    this.habits = cast.habits;
    if (this.habits.has('days')) this.#time.endDayIn(1_000 + 1_000 * (seed % 30));
    this.#venue = new SimulatedVenue(this.#time, this.#dice);
    this.#power = this.habits.has('power') ? new SimulatedDisk(seed) : undefined;
    this.#bridge = new WholeBridge(this.#time, this.#dice, this.#venue, cast, this.#power);
    if (this.habits.has('sessions'))
      this.#bridge.store.committed = (writes) => this.#lost.read(writes);
    this.#ledger = new VenueLedger(this.#venue, this.#accounts, this.#origins);
    const { profileFile, wall } = this.#bridge;
    this.#relay =
      cast.relay &&
      new RelayDesk({
        ...{ time: this.#time, dice: cast.relay, venue: this.#venue, ledger: this.#ledger },
        ...{ profileFile, wall, note: (text: string) => this.#note(text) },
        wrong: (text, trace) => this.#checker.wrong(text, trace),
      });
    this.#requests = new ReaderRequests({
      ...{ dice: new Dice(seed), ledger: this.#ledger, time: this.#time },
      say: (line) => this.#ask(line),
      wrong: (text, trace) => this.#checker.wrong(text, trace),
    });
    for (const [index, plan] of cast.sessions.entries()) this.#enters(plan, index, cast.options);
    const limits = new LimitsInForce(cast.limits);
    this.#acts = new OperatorActs({
      ...{ time: this.#time, dice: cast.console, bridge: this.#bridge, ledger: this.#ledger },
      ...{ plans: cast.sessions, configured: cast.limits, limits },
      note: (text) => this.#note(text),
      wrong: (text) => this.#checker.wrong(text),
    });
    this.#checker = new Checker({
      ledger: this.#ledger,
      logs: new Map(this.#clients.map(({ log }) => [log.session, log])),
      copies: this.#copies.map(({ log }) => log),
      instruments,
      limits,
      hasSwapped: () => this.#venue.counts.swapped > 0,
      hasForgotten: (alias) => this.#hasForgotten(alias),
    });
    this.#connecting = new Connecting({
      ...{ time: this.#time, dice: this.#dice, bridge: this.#bridge, clients: () => this.#all },
      wrong: (text) => this.#checker.wrong(text),
    });
    this.#judgement = new Judgement({
      ...{ time: this.#time, dice: this.#dice, habits: this.habits, bridge: this.#bridge },
      ...{ ledger: this.#ledger, checker: this.#checker, clients: this.#clients },
      ...{ partings: cast.partings, note: (text: string) => this.#note(text) },
      say: (client, line) => this.#say(client, line),
      kill: (scope) => this.#kill(scope),
      release: (scope) => this.#bridge.gateway.operator.release(operator, scope),
      nameOf: (client) => this.#nameOf(client),
    });
    this.#others = new OtherHands({
      ...{ time: this.#time, dice: this.#dice, venue: this.#venue, ledger: this.#ledger },
      ...{ accounts: this.#accounts, origins: this.#origins, serial: () => this.#serial++ },
      ...{ say: (text) => this.script.push(text), chances: cast },
    });
    this.#restarts = new Restarts({
      ...{ time: this.#time, dice: this.#dice, habits: this.habits, bridge: this.#bridge },
      ...{ power: this.#power, clients: this.#clients, all: () => this.#all },
      ...{ burst: (client) => this.#burst(client), command: (client) => this.#command(client) },
      note: (text) => this.#note(text),
      wrong: (text) => this.#checker.wrong(text),
    });
    this.#venue.changed = () => this.#checker.watch();
  }

  #note(text: string): void {
    this.script.push(`${this.#time.monoMs} ${text}`);
  }

  get #all(): readonly Client[] {
    return [...this.#clients, ...this.#copies.filter(({ log }) => !log.isAway)];
  }

  #hasForgotten(alias: string): boolean {
    return this.#venue.forgetful.has(this.#accounts.get(alias) ?? '');
  }

  get faults(): readonly string[] {
    return this.#checker.faults;
  }

  get store(): WholeBridge['store'] {
    return this.#bridge.store;
  }

  get trace(): string {
    return this.#trace.copy().digest('hex').slice(0, 16);
  }

  /** Until so many commands were given, or something is wrong. */
  async run(actions: number): Promise<void> {
    try {
      while (this.counts.actions < actions && this.faults.length === 0) await this.#round(actions);
    } finally {
      this.counts.fills = this.#ledger.fills.length;
      this.counts.orders = this.#ledger.orders.size;
      this.#relay?.end();
      this.#bridge.dispose();
    }
  }

  async #open(): Promise<void> {
    await this.#venue.open(this.#seed, this.#bridge.profileFile);
    for (const [index, alias] of aliases.entries()) {
      this.#accounts.set(alias, this.#venue.venue.accounts[index]?.account ?? '');
    }
    if (this.habits.has('risk')) this.#others.makeMarkets();
    if (this.habits.has('keys'))
      for (const account of this.#venue.venue.accounts) registerOlder(this.#venue.venue, account);
    const dialect = this.habits.has('dialect') ? this.#cast.atStream : undefined;
    this.script.push(...this.#venue.follow(this.#cast.rules, dialect));
    await this.#bridge.start();
    await this.#relay?.start();
    await this.#connecting.all();
  }

  // Who takes part.

  #enters(plan: SessionPlan, index: number, options: Dice | undefined): void {
    const client = newClient(plan, index, {
      ...{ time: this.#time, wall: this.#bridge.wall, dice: this.#dice, ledger: this.#ledger },
      ...{ habits: this.habits, origins: this.#origins, names: this.#names },
      ...{ calendar: this.#cast.calendar, lost: this.#lost, wants: this.#cast.wants },
      ...{ options, inbound: this.#inbound, door: (protocol) => this.#bridge.door(protocol) },
      ...{ partings: this.#cast.partings, requests: this.#requests, serial: () => this.#serial++ },
      hasSwapped: () => this.#venue.counts.swapped > 0,
      wrong: (text, trace) => this.#checker.wrong(text, trace),
      heard: (said) => this.#heard(plan, said),
      changed: (isUp) => {
        if (isUp && !this.habits.has('slow')) this.#acts.came(plan.compId);
        this.#note(`${plan.compId} is ${isUp ? 'up' : 'down'}`);
      },
    });
    (plan.role === 'drop-copy' ? this.#copies : this.#clients).push(client);
  }

  #heard({ compId }: SessionPlan, said: Said): void {
    this.counts.reports += 1;
    const type = textOf(said, '35') ?? '';
    // Books go on.
    if (!ofMarkets.has(type)) this.#lastReceivedMs = this.#time.monoMs;
    const what = `${type} ${textOf(said, '17')}`;
    this.#trace.update(`${compId} ${this.#time.monoMs} ${what}\n`);
    // The file may have had other limits for a while.
    if (!this.habits.has('reloads')) this.#acts.hear(compId, said);
  }

  // A round: disorder, then rest and judgement.

  async #round(actions: number): Promise<void> {
    disorder({
      ...{ venue: this.#venue, dice: this.#dice, habits: this.habits, disk: this.#bridge.disk },
      atVenue: this.#cast.atVenue,
    });
    if (this.habits.has('reloads')) for (let i = this.#dice.below(3); i > 0; i -= 1) this.#edit();
    this.#acts.rest();
    if (this.habits.has('sessions'))
      await setHours(this.#all, this.#bridge, this.#time, (text) => this.#note(text));
    const until = Math.min(actions, this.counts.actions + 40 + this.#dice.below(160));
    for (
      let i = 0;
      i < maxSteps && this.counts.actions < until && this.faults.length === 0;
      i += 1
    ) {
      await this.#step();
      await this.#time.pass(this.#pause());
    }
    const judgement = this.#judgement;
    if (this.habits.has('scopes') && this.#dice.hits(300)) judgement.killThroughRest();
    else this.#releaseAll();
    await this.#rest();
    judgement.atRest();
    this.#releaseAll();
    await judgement.judge();
    await settle(
      {
        ...{ clients: this.#clients, copies: this.#copies, requests: this.#requests },
        hasForgotten: (alias) => this.#hasForgotten(alias),
      },
      this.habits,
    );
    await this.#relay?.judge();
    await judgement.bringDown();
    await judgement.judge();
    await judgement.part();
    if (this.habits.has('weekends')) await this.#restarts.weekend(this.#cast.weekends);
  }

  #releaseAll(): void {
    const { operator: acts } = this.#bridge.gateway;
    for (const { scope } of acts.kills) acts.release(operator, scope);
  }

  #pause(): number {
    const dice = this.#dice.below(100);
    if (dice < 30) return 0;
    return this.#dice.below(dice < 97 ? 120 : 6_000);
  }

  async #step(): Promise<void> {
    const dice = this.#dice.below(1_000);
    const has = (habit: Habit) => this.habits.has(habit);
    if (dice < 700) this.#command(this.#dice.pick(this.#clients));
    else if (dice < 850) this.#others.trade();
    else if (dice < 858 && has('floods')) await this.#flood(this.#dice.pick(this.#clients));
    else if (dice < 890) this.#burst(this.#dice.pick(this.#clients));
    else if (dice < 925 && has('links')) this.#breakLink(this.#dice.pick(this.#all));
    else if (dice < 935 && has('streams')) this.#venue.dropStreams();
    else if (dice < 940 && has('gates'))
      this.#others.closeGate(has('answers') ? allGates : fewGates);
    else if (dice < 946 && has('kills')) this.#operate();
    else if (dice < 949 && has('crashes')) await this.#restart();
    else if (dice < 954 && has('jumps')) this.#jump();
    else if (dice < 985 && has('writers')) this.#others.change();
    else if (dice < 990 && has('markets')) this.#others.haltMarket();
    else if (dice >= 997 && has('rights')) this.#others.takeRights();
    else if (dice >= 994 && has('reloads')) this.#edit();
    else if (dice >= 990 && has('requests')) this.#requests.ask();
    if (has('forgets') && this.#cast.atVenue.hits(20))
      this.#venue.forget(this.#accounts.values(), this.#cast.atVenue.below(8_000));
    if (has('keys') && this.#cast.atVenue.hits(40)) this.#changeKeys();
    if (has('operator')) this.#acts.step();
    this.#others.listings.step();
    await this.#relay?.step();
    if ((has('takeovers') || has('space')) && this.#cast.owners.hits(15)) await this.#restart();
    const less = reduction(this.#clients, this.#cast.crossings, () => this.#serial++);
    if (less !== undefined) this.#say(less.client, less.line);
    if (has('sessions') && this.#cast.calendar.hits(40))
      renumber(this.#cast.calendar.pick(this.#all), (text) => this.#note(text));
    if (has('slow') && this.#cast.client.hits(40)) this.#stall(this.#cast.client.pick(this.#all));
    this.#connecting.comeBack();
  }

  #command(client: Client): void {
    this.#say(client, client.commands.next());
  }

  #say({ plan, quotes, trader, wants }: Client, asked: string): boolean {
    const line = wants?.command(asked) ?? asked;
    if (!trader.say(line)) return false;
    quotes.said(line);
    this.#others.cross(line);
    countLine(this.counts, line);
    this.#note(`${plan.compId} ${line}`);
    return true;
  }

  #ask(line: string): boolean {
    const reader = this.#copies.find(({ plan }) => plan.protocol === 'fix');
    return reader !== undefined && this.#say(reader, line);
  }

  /** Many at once. */
  #burst(client: Client): void {
    const count = 2 + this.#dice.below(12);
    for (let i = 0; i < count; i += 1) this.#command(client);
  }

  /** So many that the rest waits for nonces, and then changes of those. */
  async #flood(client: Client): Promise<void> {
    const count = 240 + this.#dice.below(80);
    for (let i = 0; i < count; i += 1) this.#say(client, client.commands.order());
    for (let i = 0; i < 8; i += 1) this.#command(client);
    if (this.habits.has('changes')) {
      for (let i = 0; i < 12; i += 1) this.#say(client, client.commands.replace(350));
      if (this.#dice.hits(300)) this.#kill({ kind: 'session', name: this.#nameOf(client) });
    }
    if (this.habits.has('mass-cancels') && this.#dice.hits(500)) await this.#endMany(client);
  }

  /**
   * A mass cancel that takes several transactions: in the middle of it others command, and the bridge may die on a slow
   * disk.
   */
  async #endMany(client: Client): Promise<void> {
    const { disk } = this.#bridge;
    const { syncMs } = disk;
    const dies = this.habits.has('crashes') && this.#dice.hits(500);
    await this.#time.pass(this.#dice.below(3_000));
    if (dies) disk.syncMs = () => this.#dice.below(20);
    this.#say(client, client.commands.massCancel());
    for (let i = 0; i < 6; i += 1) this.#command(client);
    if (!dies) return;
    await this.#time.pass(this.#dice.below(200));
    await this.#restart();
    disk.syncMs = syncMs;
  }

  #breakLink(client: Client): void {
    const { compId } = client.plan;
    const dice = this.#dice.below(3);
    if (!client.trader.isUp) return;
    this.#note(`${compId} ${['logs out', 'is cut off', 'is sent away'][dice]}`);
    if (dice === 0) client.trader.logout();
    else if (dice === 1) {
      client.trader.cut(this.#dice.below(3_000));
      const { graceMs, when } = client.plan.cancelOnDisconnect;
      if (when === 'abrupt' && graceMs === 0) client.log.leave();
    } else if (this.#bridge.isUp && client.trader.isReading) {
      const by = { who: 'operator', why: 'sent away' };
      this.#bridge.gateway.operator.session(by, this.#nameOf(client), { kind: 'logout' });
    }
  }

  /** For up to a minute or so; the operator may have the bridge read its file again before it ends, or after. */
  #changeKeys(): void {
    const { venue } = this.#venue;
    const account = this.#cast.atVenue.pick(venue.accounts.slice(0, aliases.length));
    const { takeBack, text } = changeKeys(venue, account, this.#cast.atVenue);
    const [forMs, reloadMs] = [
      this.#cast.atVenue.pick([50, 3_000, 80_000]),
      this.#cast.atVenue.below(4_000),
    ];
    this.#note(text);
    this.#takeBacks.add(takeBack);
    this.#time.after(forMs, takeBack);
    if (this.#cast.atVenue.hits(500))
      this.#time.after(reloadMs, () => this.#bridge.isUp && void this.#bridge.reload());
  }

  /** For less than a heartbeat, or so long that the bridge ends the connection. */
  #stall({ plan, trader }: Client): void {
    const forMs = this.#cast.client.below(this.#cast.client.hits(700) ? 5_000 : 100_000);
    this.#note(`${plan.compId} reads nothing for ${forMs} ms`);
    trader.stall(forMs);
  }

  #operate(): void {
    if (!this.#bridge.isUp) return;
    const scope = this.#scope();
    this.#kill(scope);
    this.#time.after(this.#dice.below(1_500), () => {
      if (!this.#bridge.isUp || this.#judgement.isKilling) return;
      this.#bridge.gateway.operator.release(operator, scope);
    });
  }

  #kill(scope: KillScope): number {
    if (!this.#bridge.isUp) return 0;
    const count = this.#bridge.gateway.operator.kill(operator, scope);
    this.#note(`kill switch ${JSON.stringify(scope)}: ${count}`);
    return count;
  }

  #scope(): KillScope {
    const dice = this.#dice.below(5);
    if (dice === 0) return { kind: 'all' };
    if (dice < 3) return { kind: 'account', name: this.#dice.pick(aliases) };
    return { kind: 'session', name: this.#nameOf(this.#dice.pick(this.#clients)) };
  }

  /** By its name in the bridge. */
  #nameOf({ plan }: Client): string {
    return plan.protocol === 'fixp' ? `FIXP:${plan.compId}` : fixNameOf(plan.compId);
  }

  async #restart(): Promise<void> {
    if (!(await this.#restarts.restart())) return;
    this.counts.crashes += 1;
    this.#acts.restarted();
  }

  /** The operator changes a session in the file, or leaves a reader out; the bridge may be told of it only later. */
  #edit(): void {
    const plans = this.#all.map(({ plan }) => plan);
    this.#note(editFile(this.#dice, this.#bridge.edits, plans));
    if (this.#bridge.isUp && this.#dice.hits(800)) void this.#bridge.reload();
  }

  #jump(): void {
    const wall = this.#dice.hits(500) ? this.#bridge.wall : this.#venue.wall;
    wall.offMs = this.#dice.below(60_000) - 30_000;
  }

  // Rest.

  /** Faults are over; all that is under way comes to its end. */
  async #rest(): Promise<void> {
    this.#venue.calm();
    this.#acts.calm();
    for (const takeBack of this.#takeBacks) takeBack();
    for (const { trader } of this.#all) trader.readAgain();
    this.#bridge.edits.clear();
    if (this.habits.has('reloads')) await this.#time.until(this.#bridge.reload());
    this.#bridge.wall.offMs = 0;
    this.#bridge.disk.syncMs = undefined;
    const endMs = this.#time.monoMs + maxRestMs;
    let writes = -1;
    for (let quietFromMs = this.#time.monoMs; this.#time.monoMs - quietFromMs < quietMs; ) {
      if (this.#time.monoMs > endMs) {
        const open = this.#clients.flatMap(({ log }) =>
          log.waiting.map(({ root }) => `${log.session} ${root}`),
        );
        this.#checker.wrong(
          `it did not come to rest within ${maxRestMs} ms, open: ${open.join(', ')}`,
        );
        return;
      }
      await this.#connecting.all();
      if (this.habits.has('rights') || this.habits.has('keys')) this.#bridge.reopen();
      await this.#time.pass(2_000);
      // Where two answers crossed, another action may have an inner nonce that was given back, which no receipt shows.
      const mayFence = this.#venue.counts.swapped > 0;
      const isBusy =
        this.#venue.underWay > 0 ||
        (this.#venue.counts.writes !== writes && !mayFence) ||
        this.#lastReceivedMs > quietFromMs ||
        this.#clients.some(({ log }) => log.waiting.length > 0) ||
        this.#judgement.isEnding;
      writes = this.#venue.counts.writes;
      if (isBusy) quietFromMs = this.#time.monoMs;
    }
  }
}

const operator = { who: 'operator', why: 'by chance' };
