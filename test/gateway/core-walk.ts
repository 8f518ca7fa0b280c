/**
 * The core of one account without I/O, against a venue in memory: thousands of random steps a second through order entry, quotes,
 * orders, nonces and submissions. A request may be lost on either way, arrive long after the bridge gave up, or be refused for a
 * moment; events come late, and the process ends at any time. In the end the bridge, its client and the venue must agree.
 */
import { exactJson, parseExactJson } from '../../src/domain/exact-json.ts';
import type { Intent } from '../../src/domain/intent.ts';
import { hasEnded, submissionId } from '../../src/domain/order.ts';
import type { Report } from '../../src/domain/report.ts';
import type { OrderId } from '../../src/domain/units.ts';
import { canceledUnsent, type EngineEffect, type EngineInput } from '../../src/engine/engine.ts';
import { MassCancels } from '../../src/engine/mass-cancels.ts';
import type { Asked } from '../../src/engine/venue-port.ts';
import { AccountReplay } from '../../src/gateway/account-replay.ts';
import { AccountWaits } from '../../src/gateway/account-waits.ts';
import { venueSettings } from '../../src/gateway/engine-settings.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import type { OutboxEffect, OutboxInput } from '../../src/venue/outbox/outbox-types.ts';
import type { VenueEvent } from '../../src/venue/venue-event.ts';
import type { Verdict } from '../../src/venue/verdict.ts';
import { account, fullRules } from '../domain/ladder.ts';
import type { Dice } from '../simulation/dice.ts';
import { defaultNonceRules } from '../support/nonce-rules.ts';
import { sandboxProfile } from '../support/quick-files.ts';
import { lost, unsent } from '../venue/outbox/life-run.ts';
import { refusedBy, signature } from '../venue/outbox/outbox-bench.ts';
import { killed, WalkClient } from './walk-client.ts';
import { type Copy, WalkVenue } from './walk-venue.ts';

const { blake3 } = await fastestBlake3();
const window = 12;
const settings = {
  ...venueSettings(sandboxProfile, 5_000),
  sessionRules: {},
  otherRules: fullRules,
  nonces: {
    rules: { ...defaultNonceRules, window, cancelReserve: 2, fillAbove: 8 },
    nestedTrigger: 'consumed_on_store',
  },
} as const;

type Input = EngineInput<OutboxInput, VenueEvent>;
type Effect = EngineEffect<OutboxEffect>;

/** A request that is about to leave. */
interface Wanted extends Asked, Pick<Copy, 'hash' | 'id' | 'intent' | 'nested' | 'nonce'> {}

/** What the client knows of an order, by the ClOrdID of its first request. */
interface Told {
  status: string;
  cumQty: bigint;
}

export class CoreWalk {
  readonly venue: WalkVenue;
  readonly faults: string[] = [];
  /** The inputs, for whoever looks for the cause of a fault. */
  readonly log: string[] = [];
  readonly #dice: Dice;
  /** How the nonce floor becomes known (G19). */
  readonly #discovery: 'first_reject' | 'hash_route';
  #replay: AccountReplay;
  #clock = new ManualClock();
  /** Requests on their way to the venue. */
  #copies: Copy[] = [];
  /** Results on their way back; a process that ends loses them. */
  #results: (() => OutboxInput | undefined)[] = [];
  #waits: AccountWaits;
  #delivered = 0;
  #isKilled = false;
  #client: WalkClient;
  #isCanceling = false;
  readonly #told = new Map<string, Told>();
  /** The nonces that have left the bridge, each with its submission; one that the venue did not consume is free again. */
  readonly #hashes = new Set<string>();
  readonly #left = new Map<number, { readonly id: number; readonly outer: number }>();

  constructor(dice: Dice) {
    this.#dice = dice;
    this.#discovery = dice.hits(300) ? 'first_reject' : 'hash_route';
    this.#replay = this.#newReplay();
    this.#waits = this.#newWaits();
    this.venue = new WalkVenue(dice, window);
    this.#client = this.#newClient();
    this.#start();
  }

  get orders() {
    return this.#replay.orders;
  }

  walk(steps: number): void {
    for (let step = 0; step < steps && this.faults.length === 0; step += 1) this.#stepOnce();
    this.#rest();
    this.#judge();
  }

  #stepOnce(): void {
    const dice = this.#dice;
    const choice = dice.below(100);
    if (choice < 28) this.#transaction(() => this.#client.act());
    else if (choice < 48) this.#deliver();
    else if (choice < 64) this.#hear();
    else if (choice < 80) this.#resultArrives();
    else if (choice < 92) this.#pass(dice.pick([1, 20, 300, 1_000]));
    else if (choice < 94) this.venue.trade();
    else if (choice < 95) this.venue.fire();
    else if (choice < 97) this.#pass(6_000);
    else if (choice < 98) this.#isKilled = dice.hits(200);
    else if (choice < 99) this.#restart();
    else if (dice.hits(700)) this.venue.drop();
    else this.venue.intrude();
  }

  /** A request is applied, lost before or behind the venue, or stays on its way although nobody waits for it. */
  #deliver(): void {
    const dice = this.#dice;
    if (this.#copies.length === 0) return;
    const [copy] = this.#copies.splice(dice.below(this.#copies.length), 1) as [Copy];
    const answer = (verdict: Verdict) => {
      this.#results.push(() => ({ kind: 'answered', id: copy.id, verdict }));
    };
    const denial = this.#denialAtExit(copy);
    if (denial !== null) {
      answer({ kind: 'unsent', refusal: denial.refusal, text: denial.text ?? '' });
      return;
    }
    const choice = copy.isAbandoned ? 0 : dice.below(100);
    if (choice < 80 || (choice >= 86 && choice < 94)) {
      const { id, nested, nonce: outer } = copy;
      this.#left.set(outer, { id, outer });
      if (nested !== null) this.#left.set(nested.nonce, { id, outer });
    }
    if (choice < 60) {
      const verdict = this.venue.take(copy);
      const isFree = verdict.kind === 'refused' && verdict.nonce.nonceConsumed === false;
      for (const nonce of isFree ? [copy.nonce, copy.nested?.nonce ?? -1] : []) {
        this.#left.delete(nonce);
      }
      if (copy.isAbandoned) return;
      answer(dice.hits(850) ? verdict : lost);
    } else if (choice < 72) {
      this.#copies.push({ ...copy, isAbandoned: true });
      answer(lost);
    } else if (choice < 80) answer(lost);
    else if (choice < 86) answer(unsent);
    else if (choice < 94) answer(refusedBy(dice.pick(['rate_limited', 'backpressure'])));
    else {
      this.#results.push(() => ({ kind: 'unsigned', id: copy.id, code: 'unavailable', text: '' }));
    }
  }

  /** What leaves the queue is judged once more, unless the venue may have a copy (R77). */
  #denialAtExit({ asked, id, isAbandoned }: Copy) {
    const own = this.#replay.core.outbox.get(id);
    if (isAbandoned || asked === null || own === undefined || own.isUnknown) return null;
    const isPlacing = this.orders.placements(asked.key, asked.requestId).places.length > 0;
    return isPlacing && this.#isKilled ? killed : null;
  }

  #hear(): void {
    const event = this.venue.events[this.#delivered];
    if (event === undefined) return;
    this.#delivered += 1;
    this.#transaction(() => this.#apply({ kind: 'event', event }));
  }

  #resultArrives(): void {
    if (this.#results.length === 0) return;
    const [result] = this.#results.splice(this.#dice.below(this.#results.length), 1);
    const input = result?.();
    if (input !== undefined) this.#transaction(() => this.#apply({ kind: 'venue', input }));
  }

  #pass(ms: number): void {
    this.#clock.advance(ms);
  }

  #newWaits(): AccountWaits {
    return new AccountWaits({
      clock: this.#clock,
      orders: this.orders,
      unknownAfterMs: 3_000,
      isDue: (id) => this.#replay.core.outbox.isDue(id, this.#now),
      isOver: (inputs) => {
        this.#transaction(() => {
          for (const input of inputs) this.#apply(input);
        });
      },
    });
  }

  get #now() {
    return this.#clock.now();
  }

  /** The process ends and another continues from its journal. */
  #restart(): void {
    const state = { ...this.orders.state(), ...this.#replay.rest() };
    this.log.push('--- restart');
    this.#replay = this.#newReplay();
    for (const _ of this.#replay.restore(parseExactJson(exactJson(state)) as never));
    this.#results = [];
    // The timers of the process are gone.
    this.#clock = new ManualClock(this.#now.wallMs + this.#dice.pick([0, 100, 20_000]));
    this.#waits = this.#newWaits();
    this.#isCanceling = false;
    const sent = this.#copies.filter(({ isAbandoned }) => isAbandoned || this.#dice.hits(700));
    this.#copies = sent.map((copy) => ({ ...copy, isAbandoned: true }));
    this.#client = this.#newClient();
    this.#start();
  }

  #start(): void {
    this.#transaction(() => this.#apply({ kind: 'started' }));
    this.#transaction(() => this.#apply({ kind: 'venue', input: { kind: 'discover' } }));
    while (this.#delivered < this.venue.events.length && this.#dice.hits(900)) this.#hear();
    this.#transaction(() => this.#apply({ kind: 'resume' }));
    this.#transaction(() => this.#apply({ kind: 'open' }));
    if (this.orders.isMassCanceling) this.#continueMassCancel();
  }

  #newReplay(): AccountReplay {
    const nonces = { ...settings.nonces, discovery: this.#discovery };
    return new AccountReplay({ account, blake3, nonces: undefined }, { ...settings, nonces });
  }

  #transaction(act: () => void): void {
    this.#isCanceling = false;
    act();
    if (this.#isCanceling) this.#apply({ kind: 'withdraw_canceled' });
    if (this.orders.isMassCanceling) this.#continueMassCancel();
  }

  #continueMassCancel(): void {
    const { atOnce } = MassCancels;
    const nowMs = this.#now.wallMs;
    this.#apply({ kind: 'mass_cancel_next', atOnce, nowMs });
    this.#apply({ kind: 'withdraw_canceled' });
  }

  #apply(input: Input): void {
    const isCancel = input.kind === 'order' && /cancel$/.test(input.input.kind);
    this.#isCanceling ||= isCancel || input.kind === 'mass_cancel';
    this.log.push(`> ${exactJson(input)}`);
    const effects = this.#replay.core.engine.step(input, this.#now);
    for (const effect of effects) this.#perform(effect);
    for (const effect of effects) {
      if (effect.kind !== 'judge') continue;
      const denial = effect.asked && this.#denial(effect.asked);
      this.#apply({ kind: 'judged', id: effect.id, denial });
    }
  }

  /** As the runner asks its gate. */
  #denial({ key, requestId }: { readonly key: string; readonly requestId: string }) {
    if (this.orders.placements(key, requestId).places.length === 0) return null;
    if (this.orders.isMeantToEnd(key)) return canceledUnsent;
    return this.#isKilled ? killed : null;
  }

  #perform(effect: Effect): void {
    const { outbox } = this.#replay.core;
    switch (effect.kind) {
      case 'report':
        this.#tell(effect.report);
        break;
      case 'submit': {
        const { asked, bytes, id, nonce } = effect;
        if (asked !== null) this.#waits.answer(asked);
        const { hash, placed } = bytes;
        const intent = outbox.get(id)?.intent as Intent;
        this.log.push(`  submit ${id} nonce ${nonce} ${hash.slice(0, 8)} ${exactJson(intent)}`);
        const inner = outbox.get(id)?.nested;
        const nested = inner ? { nonce: inner.nonce, hash: inner.bytes.hash } : null;
        if (asked !== null) this.#maySubmit({ ...asked, hash, id, intent, nested, nonce });
        this.#copies.push({ id, asked, hash, nonce, placed, intent, nested, isAbandoned: false });
        break;
      }
      case 'withdraw': {
        const hash = outbox.get(effect.id)?.bytes?.hash;
        const at = this.#copies.findIndex((copy) => copy.hash === hash && !copy.isAbandoned);
        if (at < 0 || this.#dice.hits(300)) break;
        this.#copies.splice(at, 1);
        this.#results.push(() => ({ kind: 'answered', id: effect.id, verdict: unsent }));
        break;
      }
      case 'sign': {
        const { id } = effect;
        const text = 'ECONNREFUSED';
        const result = this.#dice.hits(900)
          ? ({ kind: 'signed', id, signature } as const)
          : ({ kind: 'unsigned', id, code: 'unavailable', text } as const);
        this.#results.push(() => result);
        break;
      }
      case 'look': {
        const { hash, id } = effect;
        const { nonce } = outbox.get(id) ?? {};
        const found = () => this.venue.receipt(hash, nonce ?? null);
        const early = found();
        const isStale = this.#dice.hits(300);
        this.#results.push(() => ({ kind: 'found', id, found: isStale ? early : found() }));
        break;
      }
      case 'wake':
        this.#waits.submission(effect);
        break;
      case 'wait':
        this.#waits.request(effect);
        break;
      case 'discover': {
        const { asked, askedFrom } = effect;
        const early = this.venue.floor;
        const isStale = this.#dice.hits(300);
        const fails = this.#dice.hits(100);
        this.#results.push(() => {
          const floor = fails ? null : isStale ? early : this.venue.floor;
          return { kind: 'floor', floor, asked, askedFrom };
        });
        break;
      }
      case 'foreign':
        // A fence or filler is refused without an order.
        if (effect.event.kind === 'rejected') break;
        this.#fault(`event ${effect.event.seq}, ${effect.event.kind}, is called foreign`);
        break;
      case 'alarm':
        this.log.push(`  alarm ${effect.text}`);
        if (effect.code === 'unknown_order' || effect.code === 'foreign_answer') {
          this.#fault(effect.text);
        }
        break;
      default:
    }
  }

  /** The same bytes may be sent again at any time. */
  #maySubmit({ hash, id, intent, key, nested, nonce, requestId }: Wanted): void {
    if (this.#hashes.has(hash)) return;
    this.#hashes.add(hash);
    for (const one of [nonce, nested?.nonce ?? nonce]) this.#mayTake(one, id, key);
    if (intent.kind === 'cancel' || intent.kind === 'amend') return;
    if (this.orders.clientOf(key, requestId) === undefined) this.#fault(`nobody wants ${key}`);
    if (requestId !== submissionId) return;
    const phase = this.orders.get(key)?.phase ?? 'created';
    if (phase !== 'created' && phase !== 'pending_new')
      this.#fault(`${key} is ${phase} and placed`);
  }

  #mayTake(nonce: number, id: number, key: string): void {
    const left = this.#left.get(nonce);
    if (left === undefined || left.id === id) return;
    // A conditional order whose own nonce is used otherwise, or that is refused, uses none for the order inside it.
    if (left.outer !== nonce && this.venue.isUsed(left.outer)) return;
    this.#fault(`${key} has nonce ${nonce} of another`);
  }

  #tell(report: Report): void {
    if (report.kind !== 'execution') return;
    const { order, ordStatus } = report;
    const { key } = order.owner;
    const before = this.#told.get(key);
    this.log.push(`  ${key} ${report.execType} ${ordStatus} ${order.clOrdId}`);
    if (before !== undefined && order.cumQty < before.cumQty) {
      this.#fault(`${key}: CumQty went from ${before.cumQty} to ${order.cumQty}`);
    }
    this.#told.set(key, { status: ordStatus, cumQty: order.cumQty });
  }

  #fault(text: string): void {
    this.faults.push(text);
    this.log.push(`FAULT ${text}`);
  }

  #newClient(): WalkClient {
    return new WalkClient(this.#dice, this.#clock, {
      orders: this.orders,
      apply: (input) => this.#apply(input),
      denial: () => (this.#isKilled ? killed : undefined),
    });
  }

  /** Everything that is on its way arrives, and nothing else is lost. */
  #rest(): void {
    this.#isKilled = false;
    this.venue.isCalm = true;
    for (let round = 0; round < 300 && this.faults.length === 0; round += 1) {
      for (const copy of this.#copies.splice(0)) {
        const verdict = this.venue.take(copy);
        if (copy.isAbandoned) continue;
        this.#results.push(() => ({ kind: 'answered', id: copy.id, verdict }));
      }
      while (this.#results.length > 0) this.#resultArrives();
      while (this.#delivered < this.venue.events.length) this.#hear();
      this.#pass(2_000);
    }
  }

  #judge(): void {
    if (this.faults.length > 0) return;
    const open = new Map([...this.orders.open()].map((order) => [order.orderId ?? '', order]));
    const atVenue = new Map<string, { readonly leaves: bigint }>([
      ...this.venue.live,
      ...this.venue.stored,
    ]);
    for (const [id, { leaves }] of atVenue) {
      const order = open.get(id as OrderId);
      if (order === undefined) this.#fault(`${id.slice(0, 8)} is open at the venue alone`);
      else if (order.leavesQty !== leaves) {
        this.#fault(`${order.clOrdId} has ${order.leavesQty} left, at the venue ${leaves}`);
      }
    }
    for (const order of open.values()) {
      const { clOrdId, orderId, owner, pending, phase } = order;
      if (!atVenue.has(orderId ?? '')) this.#fault(`${clOrdId} is ${phase} here alone`);
      if (pending !== null) this.#fault(`${clOrdId} still waits for ${pending.kind}`);
      if (this.#told.get(owner.key)?.status === 'rejected') this.#fault(`${clOrdId} was rejected`);
    }
    for (const [key, count] of this.venue.placed) {
      if (count > 1) this.#fault(`${key} was placed ${count} times`);
    }
    let filled = 0n;
    for (const order of this.orders.all()) {
      const { cumQty, owner, terms } = order;
      filled += cumQty;
      if (cumQty > terms.qty) this.#fault(`${owner.key} filled ${cumQty} of ${terms.qty}`);
      const told = this.#told.get(owner.key);
      if (hasEnded(order) && told?.cumQty !== cumQty) this.#fault(`${owner.key} ended untold`);
    }
    if (filled !== this.venue.filled) {
      this.#fault(`${filled} filled, at the venue ${this.venue.filled}`);
    }
  }
}
