/** An account at the plain venue: what tests do with it, and what it says, a line for each effect. */
import type { Fill, StreamEvent } from '../../src/domain/event.ts';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import type { FeeMicro, Price, Qty } from '../../src/domain/units.ts';
import { AccountEngine, type EngineEffect, type EngineInput } from '../../src/engine/engine.ts';
import { Orders } from '../../src/engine/orders.ts';
import { account, fullRules, lineOf, silentEvent, spot, terms } from '../domain/ladder.ts';
import { denied } from '../support/venue-denial.ts';
import { orderIdOf, type PlainEffect, type PlainInput, PlainVenue } from './plain-venue.ts';

export const instrument = instrumentsOf(spot)[0]!;
const now = { wallMs: 1_000, monoMs: 1_000 };

type Input = EngineInput<PlainInput>;

export class Account {
  readonly orders = new Orders(() => fullRules);
  readonly venue = new PlainVenue();
  readonly engine = new AccountEngine<PlainInput, PlainEffect>({
    orders: this.orders,
    venue: this.venue,
    clientOrderId: (session, clOrdId) => `${session}-${clOrdId}`,
  });
  readonly effects: EngineEffect<PlainEffect>[] = [];
  #seq = 0;

  step(input: Input): string[] {
    const effects = this.engine.step(input, now);
    this.effects.push(...effects);
    return effects.map(lineOfEffect);
  }

  enter(clOrdId: string, session = 'S', qty = 10): string[] {
    const key = this.orders.newKeys('T', 1)[0] ?? '';
    const owner = { session, account, accountName: 'desk', tag: 'T', key, quoteId: null };
    const wanted = terms({ qty: BigInt(qty) as Qty });
    return this.step({ kind: 'entry', owner, clOrdId, instrument, terms: wanted, nowMs: 1_000 });
  }

  cancel(key: string, clOrdId: string): string[] {
    const input = { kind: 'cancel', clOrdId, origModTimeMs: null, nowMs: 1_000 } as const;
    return this.step({ kind: 'order', key, input });
  }

  replace(key: string, clOrdId: string, qty: number): string[] {
    const wanted = terms({ qty: BigInt(qty) as Qty, price: 11n as Price });
    const times = { origModTimeMs: null, nowMs: 1_000 };
    return this.step({
      kind: 'order',
      key,
      input: { kind: 'replace', clOrdId, terms: wanted, ...times },
    });
  }

  /** A group of one quote that waits until the orders with these keys have ended. */
  quote(quoteId: string, awaits: readonly string[], session = 'S'): string[] {
    const [key = '', member = ''] = this.orders.newKeys('T', 2);
    const owner = {
      session,
      account,
      accountName: 'desk',
      tag: 'T',
      key: member,
      quoteId,
      slot: 'B',
    };
    const wanted = terms({ qty: 5n as Qty });
    const leg = {
      cancelOrderId: null,
      book: null,
      side: wanted.side,
      price: wanted.limitPrice,
      qty: wanted.qty,
      stp: null,
      timeInForce: wanted.timeInForce,
      isMarket: false,
      reduceOnly: false,
      expiresAtMs: null,
    } as const;
    return this.step({
      kind: 'quotes',
      key,
      session,
      flight: {
        key,
        quoteId,
        accountName: 'desk',
        response: 'all',
        single: null,
        setId: '1',
        entries: [],
        places: [member],
        cancels: [],
      },
      orders: [{ owner, clOrdId: `${quoteId}.B`, instrument, terms: wanted, legIndex: 0 }],
      intent: { kind: 'group', market: spot.marketId, legs: [leg] },
      awaits,
      nowMs: 1_000,
    });
  }

  accept(ref: string): string[] {
    const outcome = { kind: 'accepted', orderId: null } as const;
    return this.step({ kind: 'venue', input: { kind: 'reply', ref, outcome } });
  }

  refuse(ref: string, name: string): string[] {
    const outcome = { kind: 'refused', denial: denied(name) } as const;
    return this.step({ kind: 'venue', input: { kind: 'reply', ref, outcome } });
  }

  event(kind: StreamEvent['kind'], ref: string, qty = 0, more: object = {}): string[] {
    this.#seq += 1;
    const fill: Fill = {
      fillId: `f${this.#seq}`,
      price: 10n as Price,
      qty: BigInt(qty) as Qty,
      feeMicro: 0n as FeeMicro,
      liquidity: 'taker',
      tsMs: 1_000,
    };
    const facts = { seq: this.#seq, kind, orderId: orderIdOf(ref), market: spot.marketId };
    const event = { ...silentEvent, ...facts, fill: kind === 'fill' ? fill : null, ...more };
    return this.step({ kind: 'event', event });
  }
}

function lineOfEffect(effect: EngineEffect<PlainEffect>): string {
  switch (effect.kind) {
    case 'report':
      return lineOf(effect.report);
    case 'request':
      return `${effect.ref}: ${effect.intent.kind}${effect.isJudged ? '' : ' (waited)'}`;
    case 'alarm':
      return `alarm: ${effect.text}`;
    case 'wait':
      return `wait ${effect.ms}`;
    default:
      return effect.kind;
  }
}
