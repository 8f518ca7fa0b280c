/** An outbox with a clock, a gate and a log of its effects; the venue's answers are handed in. */

import { exactJson, parseExactJson } from '../../../src/domain/exact-json.ts';
import type { ConditionalIntent, Intent } from '../../../src/domain/intent.ts';
import type { Account, OrderId } from '../../../src/domain/units.ts';
import type { Moment, VenueUpdate, Withdrawal } from '../../../src/engine/venue-port.ts';
import { fastestBlake3 } from '../../../src/signer/blake3.ts';
import { MadeAction } from '../../../src/signer/made-action.ts';
import { Outbox, type OutboxParts } from '../../../src/venue/outbox/outbox.ts';
import type {
  OutboxEffect,
  OutboxInput,
  OutboxState,
} from '../../../src/venue/outbox/outbox-types.ts';
import type { Submission } from '../../../src/venue/outbox/submission.ts';
import type { Found } from '../../../src/venue/outbox/submission-life.ts';
import { denialOf, venueRefusal } from '../../../src/venue/refusals.ts';
import { nothingOfNonces, type Verdict } from '../../../src/venue/verdict.ts';
import { silentEvent } from '../../domain/ladder.ts';
import { sandboxSigningContract } from '../../signer/sandbox-contract.ts';
import { defaultNonceRules } from '../../support/nonce-rules.ts';
import { accepted, place, rules, withdrawal } from './life-run.ts';

export type Effect = VenueUpdate | OutboxEffect;
export type Kind = Effect['kind'];
type Of<K extends Kind> = Extract<Effect, { kind: K }>;

const { blake3 } = await fastestBlake3();
export const account = `0x${'11'.repeat(20)}` as Account;
export const maker = MadeAction.maker(sandboxSigningContract, blake3);
export const endedOrderId = `0x${'ed'.repeat(32)}` as OrderId;
export const conditional: ConditionalIntent = {
  kind: 'conditional',
  triggerPrice: place.price,
  triggerDirection: 'at_or_above',
  conditionalKind: 'stop_loss',
  nested: place,
};
export const signature = { scheme: 'EcdsaSecp256k1', hex: '07'.repeat(65) };
export const hashOfAnother = '5'.repeat(64);

export function refusedBy(name: string, facts: Partial<typeof nothingOfNonces> = {}): Verdict {
  const refusal = venueRefusal(name);
  const nonce = { ...nothingOfNonces, ...facts };
  const kind = refusal.decisive ? 'refused' : 'unknown';
  return { kind, refusal, text: name, nonce, retryAfterMs: null };
}

export class Bench {
  readonly outbox: Outbox;
  readonly log: Effect[] = [];
  readonly orders = {
    ofOthers: new Set<OrderId>(),
    /** Keys of orders that nobody waits for any more. */
    over: new Set<string>(),
    endedOrderId: endedOrderId as OrderId | null,
  };
  /** What the gate says of an order that has waited. */
  denial: Withdrawal | null = null;
  now: Moment;
  readonly #wakes: { id: number; atMs: number }[] = [];
  readonly #parts: Partial<OutboxParts>;

  constructor(parts: Partial<OutboxParts> = {}, state?: OutboxState, now?: Moment) {
    this.now = now ?? { wallMs: 1_700_000_000_000, monoMs: 1_000 };
    this.#parts = parts;
    const { orders } = this;
    const view = {
      isOfAnother: (_: string, orderId: OrderId) => orders.ofOthers.has(orderId),
      awaits: ({ key }: { key: string }) => !orders.over.has(key),
      intentNow: () => undefined,
      get endedOrderId() {
        return orders.endedOrderId;
      },
    };
    const nonces = {
      rules: defaultNonceRules,
      nestedTrigger: 'consumed_on_store',
      discovery: 'hash_route',
    } as const;
    const all = { account, maker, rules, nonces, mayFill: true, orders: view, ...parts };
    this.outbox = new Outbox(all, state);
  }

  /** Nonces begin at 0, unless it is said otherwise. */
  static open(parts: Partial<OutboxParts> = {}, floor = 0): Bench {
    const bench = new Bench(parts);
    bench.step({ kind: 'floor', floor, asked: null });
    return bench;
  }

  /** The kinds of what comes of one input; questions to the gate are answered as its runner does. */
  do(input: (outbox: Outbox, now: Moment) => void): Kind[] {
    input(this.outbox, this.now);
    this.outbox.settle(this.now);
    const effects = this.outbox.takeEffects();
    this.log.push(...effects);
    const kinds = effects.map(({ kind }) => kind);
    for (const effect of effects) {
      if (effect.kind === 'wake') this.#wakes.push(effect);
      if (effect.kind !== 'judge') continue;
      kinds.push(...this.do((outbox, now) => outbox.judged(effect.id, this.denial, now)));
    }
    return kinds;
  }

  step(input: OutboxInput): Kind[] {
    return this.do((outbox, now) => outbox.step(input, now));
  }

  /** The gate has let it through just now, as it does with a client's request. */
  want(key: string, intent: Intent = place, isJudged = true): number {
    const asked = { key, requestId: 'new' };
    this.do((outbox, now) => outbox.want({ asked, intent, clientOrderId: key }, isJudged, now));
    return this.outbox.state().lastId;
  }

  answer(id: number, verdict: Verdict = accepted): Kind[] {
    return this.step({ kind: 'answered', id, verdict });
  }

  found(id: number, found: Found | 'applied' | 'nothing'): Kind[] {
    if (typeof found === 'object') return this.step({ kind: 'found', id, found });
    return this.step({ kind: 'found', id, found: { kind: found, seq: 3 } });
  }

  event(nonce: number, hash: string, kind: 'resting' | 'rejected' = 'resting', code?: string) {
    const denial = code === undefined ? null : denialOf({ code, number: null, text: '' });
    const event = { ...silentEvent, kind, nonce: BigInt(nonce), venueRef: `0x${hash}`, denial };
    return this.do((outbox, now) => {
      outbox.beforeEvent(event);
      outbox.afterEvent(event, now);
    });
  }

  withdraw(isMeant: (key: string) => boolean = () => true): Kind[] {
    return this.do((outbox, now) => outbox.withdraw(({ key }) => isMeant(key), withdrawal, now));
  }

  withdrawWaiting(isMeant: (key: string) => boolean = () => true): Kind[] {
    return this.do((outbox, now) =>
      outbox.withdrawWaiting(({ key }) => isMeant(key), withdrawal, now),
    );
  }

  /** Time goes on; what it is to be woken for is told, and nothing else happens. */
  pass(ms: number): Kind[] {
    const untilMs = this.now.monoMs + ms;
    const said: Kind[] = [];
    for (;;) {
      this.#wakes.sort((one, other) => one.atMs - other.atMs);
      const next = this.#wakes[0];
      if (next === undefined || next.atMs > untilMs) break;
      this.#wakes.shift();
      this.#to(Math.max(next.atMs, this.now.monoMs));
      if (this.outbox.isDue(next.id, this.now)) {
        said.push(...this.step({ kind: 'time', id: next.id }));
      }
    }
    this.#to(untilMs);
    return said;
  }

  #to(monoMs: number): void {
    const passedMs = monoMs - this.now.monoMs;
    this.now = { wallMs: this.now.wallMs + passedMs, monoMs };
  }

  /** Another process takes up what this one kept, through the bytes of a journal. */
  next(monoMs = this.now.monoMs): Bench {
    const now = { ...this.now, monoMs };
    const bench = new Bench(this.#parts, kept(this.outbox), now);
    Object.assign(bench.orders, this.orders);
    return bench;
  }

  /** The same input comes to both from now on, as from a journal. */
  twin(): Bench {
    const bench = this.next();
    bench.#wakes.push(...this.#wakes);
    bench.denial = this.denial;
    this.log.length = 0;
    return bench;
  }

  /** The same, after a crash that lasted this long by the wall clock. */
  later(passedMs: number): Bench {
    return this.restarted(0, passedMs);
  }

  /** The same, as after a crash: the stream has told nothing new, and the venue takes orders. */
  restarted(monoMs?: number, passedMs = 0): Bench {
    const bench = this.next(monoMs);
    bench.now = { ...bench.now, wallMs: bench.now.wallMs + passedMs };
    bench.do((outbox) => outbox.started());
    bench.do((outbox, now) => outbox.resume(now));
    bench.do((outbox, now) => outbox.open(now));
    return bench;
  }

  of<K extends Kind>(kind: K): Of<K>[] {
    return this.log.filter((effect): effect is Of<K> => effect.kind === kind);
  }

  own(id: number): Submission {
    const own = this.outbox.get(id);
    if (own === undefined) throw new Error(`submission ${id} has ended`);
    return own;
  }

  /** Of each submit, in order, the order that it is for and the nonce. */
  get submits(): string[] {
    return this.of('submit').map(({ asked, nonce }) => `${asked?.key ?? 'own'} ${nonce}`);
  }

  /** Of each outcome, in order, the order and what it was. */
  get outcomes(): string[] {
    return this.of('outcome').map(({ asked, outcome }) => {
      const why = outcome.kind === 'refused' ? ` ${outcome.denial.refusal.name}` : '';
      return `${asked.key} ${outcome.kind}${why}`;
    });
  }

  get waiting(): number {
    const { cancel, place } = this.outbox.waiting;
    return cancel + place;
  }

  get alarms(): string[] {
    return this.of('alarm').map(({ text }) => text);
  }

  last<K extends Kind>(kind: K): Of<K> {
    const last = this.of(kind).at(-1);
    if (last === undefined) throw new Error(`no ${kind}`);
    return last;
  }
}

export function kept(outbox: Outbox): OutboxState {
  return parseExactJson(exactJson(outbox.state())) as OutboxState;
}

/** A window of four nonces, of which one is kept for cancels. */
export const small = {
  nonces: {
    rules: { ...defaultNonceRules, window: 4, cancelReserve: 1 },
    nestedTrigger: 'consumed_on_store',
    discovery: 'hash_route',
  },
} as const;

/** All others of its nonces are out. */
export function full(): Bench {
  const bench = Bench.open(small);
  for (const key of ['a', 'b', 'c']) bench.want(key);
  return bench;
}
