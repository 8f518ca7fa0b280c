/**
 * A client of the cluster: it has a list of addresses, tries them in turn, and sends orders, replaces and cancels at a steady rate. It
 * keeps its own log of all that it sent and heard.
 */
import type { ClientHistory, Heard, Report, Sent } from './history.ts';
import { isSoon, type Lane, type LaneEvents } from './lane.ts';
import type { Attempt, Loss } from './outages.ts';

export interface TraderOptions {
  readonly session: string;
  readonly account: string;
  readonly shard: string;
  /** Of the nodes, in the order in which they are tried. */
  readonly ports: readonly number[];
  readonly ordersPerSecond: number;
  readonly random: () => number;
  readonly lane: (events: LaneEvents, isDone: (id: string) => boolean) => Lane;
  /** Quantities of the orders: no other client of the account uses these. */
  readonly firstQty: number;
  readonly qtyStep: number;
}

interface Order {
  readonly root: string;
  readonly side: 'buy' | 'sell';
  readonly qty: number;
  readonly attempt: Attempt;
  /** The name that the next request refers to. */
  id: string;
  state: 'sent' | 'resting' | 'ended';
  /** A replace or a cancel is on its way. */
  isAsked: boolean;
}

const mid = 50_000_000_000;
const tick = 10_000;
/** Without an answer for so long the connection counts as lost, as does a logon. */
const deadMs = 1_000;
const logonMs = 1_500;
const pingAfterMs = 500;
const maxResting = 12;

export class Trader {
  readonly options: TraderOptions;
  readonly #lane: Lane;
  readonly #entries: (Sent | Heard)[] = [];
  readonly #orders = new Map<string, Order>();
  readonly #rootOf = new Map<string, string>();
  readonly #done = new Set<string>();
  #count = 0;
  #at = 0;
  #openSinceMs = 0;
  #pingedMs = 0;
  #isTrading = false;
  #isRunning = true;
  readonly #loop: Promise<void>;
  /** All new orders, in order. */
  readonly attempts: Attempt[] = [];
  /** Orders that were refused, by their texts. */
  readonly refusals = new Map<string, number>();
  readonly losses: Loss[] = [];
  readonly endings = new Map<string, number>();

  constructor(options: TraderOptions) {
    this.options = options;
    const events: LaneEvents = {
      sent: ({ id, kind, origId, qty, side }) => {
        const request = { way: 'sent', atMs: Date.now(), kind, id, side, qty } as const;
        this.#entries.push({ ...request, ...(origId !== undefined && { origId }) });
      },
      heard: (message) => {
        this.#entries.push({ way: 'heard', atMs: Date.now(), ...message });
      },
      report: (report) => this.#hear(report),
    };
    this.#lane = options.lane(events, (id) => this.#done.has(id));
    this.#loop = this.#run();
  }

  get fault(): Error | undefined {
    return this.#lane.fault;
  }

  get isOpen(): boolean {
    return this.#lane.isOpen;
  }

  get open(): readonly string[] {
    return [...this.#orders.values()]
      .filter(({ state }) => state !== 'ended')
      .map(({ root, state }) => `${this.options.session} ${root} (${state})`);
  }

  history(): ClientHistory {
    const { account, session } = this.options;
    return { session, account, nextIn: this.#lane.nextIn, entries: [...this.#entries] };
  }

  trade(): void {
    this.#isTrading = true;
  }

  /** Cancels all that is open; false if some order does not end in time. */
  async finish(withinMs: number): Promise<boolean> {
    this.#isTrading = false;
    let askedMs = 0;
    return isSoon(() => {
      if (performance.now() - askedMs > 2_000 && this.#lane.isOpen) {
        askedMs = performance.now();
        for (const order of this.#orders.values()) {
          if (order.state === 'resting') this.#ask('cancel', order);
        }
      }
      return this.open.length === 0;
    }, withinMs);
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#loop;
    await this.#lane.close();
  }

  async #run(): Promise<void> {
    const everyMs = 1_000 / this.options.ordersPerSecond;
    while (this.#isRunning) {
      if (this.#isLost()) {
        const heardMs = Date.now() - Math.round(this.#lane.silentMs);
        if (this.#openSinceMs > 0) this.losses.push({ heardMs, atMs: Date.now() });
        this.#openSinceMs = 0;
        await this.#reopen();
        // The first order shows at once whether the shard trades again.
        if (this.#isTrading && this.#lane.isOpen) this.#order();
        continue;
      }
      if (this.#isTrading) this.#act();
      await isSoon(() => !this.#lane.isOpen, everyMs * (0.5 + this.options.random()));
    }
  }

  #isLost(): boolean {
    if (!this.#lane.isOpen) return true;
    const nowMs = performance.now();
    const quietMs = Math.min(this.#lane.silentMs, nowMs - this.#openSinceMs);
    if (quietMs > deadMs) return true;
    if (quietMs > pingAfterMs && nowMs - this.#pingedMs > pingAfterMs) {
      this.#pingedMs = nowMs;
      this.#lane.ping();
    }
    return false;
  }

  async #reopen(): Promise<void> {
    const { ports } = this.options;
    const { ending } = this.#lane;
    if (ending !== undefined) this.endings.set(ending, (this.endings.get(ending) ?? 0) + 1);
    this.#at = (this.#at + 1) % ports.length;
    if (await this.#lane.open(ports[this.#at] ?? 0, logonMs)) this.#openSinceMs = performance.now();
    else await new Promise((resolve) => setTimeout(resolve, 50));
  }

  #act(): void {
    const resting = [...this.#orders.values()].filter((one) => one.state === 'resting');
    const [oldest] = resting.filter(({ isAsked }) => !isAsked);
    const dice = this.options.random();
    if (oldest !== undefined && (resting.length > maxResting || dice < 0.15)) {
      this.#ask('cancel', oldest);
    } else if (oldest !== undefined && dice < 0.3) this.#ask('replace', oldest);
    else this.#order();
  }

  #order(): void {
    const { firstQty, qtyStep, random, session } = this.options;
    this.#count += 1;
    const id = `${session}-${this.#count}`;
    const side = random() < 0.5 ? 'buy' : 'sell';
    const qty = firstQty + qtyStep * this.#count;
    const attempt = { sentMs: Date.now(), acceptedMs: undefined };
    this.attempts.push(attempt);
    this.#orders.set(id, { root: id, id, side, qty, attempt, state: 'sent', isAsked: false });
    this.#rootOf.set(id, id);
    this.#lane.send({ kind: 'new', id, side, qty, price: this.#price(side) });
  }

  #ask(kind: 'cancel' | 'replace', order: Order): void {
    this.#count += 1;
    const id = `${this.options.session}-${this.#count}`;
    const { id: origId, qty, root, side } = order;
    order.isAsked = true;
    this.#rootOf.set(id, root);
    this.#lane.send({ kind, id, origId, side, qty, price: this.#price(side) });
  }

  /** Around the middle, so that some orders meet and others rest. */
  #price(side: 'buy' | 'sell'): number {
    const away = Math.floor(this.options.random() * 40) - 8;
    return mid + (side === 'buy' ? -away : away) * 100 * tick;
  }

  #hear({ id, origId, status, text, type }: Report): void {
    const root = this.#rootOf.get(id) ?? this.#rootOf.get(origId) ?? '';
    const order = this.#orders.get(root);
    this.#done.add(id);
    if (order === undefined) return;
    if (type === '0') {
      order.attempt.acceptedMs ??= Date.now();
      if (order.state === 'sent') order.state = 'resting';
    }
    if (type === '5') order.id = id;
    if ('594j'.includes(type)) order.isAsked = false;
    const isRefused = id === root && (type === '8' || type === 'j');
    if (isRefused) this.refusals.set(text, (this.refusals.get(text) ?? 0) + 1);
    if (isRefused || ('0459CF'.includes(type) && '248C'.includes(status))) {
      order.state = 'ended';
      this.#orders.delete(root);
    }
  }
}
