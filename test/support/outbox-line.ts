/**
 * An account's outbox and dispatcher with a signer, and nothing above them: no journal, no orders, no gate. What is wanted is
 * an intent, and each has one outcome.
 */

import type { Intent } from '../../src/domain/intent.ts';
import type { Outcome } from '../../src/domain/transition.ts';
import type { Account, OrderId } from '../../src/domain/units.ts';
import { isVenueUpdate, type Moment, type VenueUpdate } from '../../src/engine/venue-port.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import { openEcdsa } from '../../src/signer/ecdsa.ts';
import { localKey } from '../../src/signer/key-holder.ts';
import { MadeAction } from '../../src/signer/made-action.ts';
import { nonceRulesOf } from '../../src/signer/nonce-types.ts';
import { SignerCore } from '../../src/signer/signer-core.ts';
import { Dispatcher, type DispatcherParts } from '../../src/venue/dispatcher.ts';
import { Outbox } from '../../src/venue/outbox/outbox.ts';
import type { OutboxEffect, OutboxInput } from '../../src/venue/outbox/outbox-types.ts';
import type { Found } from '../../src/venue/outbox/submission-life.ts';
import { Pacer } from '../../src/venue/pacer.ts';
import type { Profile } from '../../src/venue/profile.ts';
import { reconcile } from '../../src/venue/reconcile.ts';
import type { Act } from '../../src/venue/refusals.ts';
import type { VenueEvent } from '../../src/venue/venue-event.ts';
import type { VenueReads } from '../../src/venue/venue-reads.ts';
import { MemoryLedger } from '../signer/memory-ledger.ts';

const { blake3 } = await fastestBlake3();
const ecdsa = await openEcdsa();
/** Over all lines, so that each order has a name of its own. */
let count = 0;

export interface OutboxLineParts {
  readonly account: Account;
  readonly ownerKey: Uint8Array;
  readonly profile: Profile;
  readonly http: DispatcherParts['http'];
  readonly reads: Pick<VenueReads, 'currentNonce' | 'receipts'>;
  readonly clock: Clock;
  readonly patienceMs?: number;
}

export interface Settled {
  readonly outcome: Exclude<Outcome, { kind: 'unknown' }>;
  /** Of the order that it was to place, as it was derived here. */
  readonly orderId: OrderId | null;
  readonly actionHash: string;
  /** Whether it was unknown meanwhile what became of it. */
  readonly wasUnknown: boolean;
}

interface Waiting {
  orderId: OrderId | null;
  actionHash: string;
  wasUnknown: boolean;
  readonly settle: (settled: Settled) => void;
}

type Submit = Extract<OutboxEffect, { kind: 'submit' }>;
type Discover = Extract<OutboxEffect, { kind: 'discover' }>;

export class OutboxLine {
  readonly dispatcher: Dispatcher;
  readonly acts: Act[] = [];
  readonly alarms: string[] = [];
  readonly #parts: OutboxLineParts;
  readonly #outbox: Outbox;
  readonly #signer: SignerCore;
  readonly #waiting = new Map<string, Waiting>();
  #discovered: () => void = () => {};
  #isStopped = false;

  /** Once it knows where the nonces begin. */
  static async open(parts: OutboxLineParts): Promise<OutboxLine> {
    const line = new OutboxLine(parts);
    await new Promise<void>((resolve) => {
      line.#discovered = resolve;
      line.#input({ kind: 'discover' });
    });
    return line;
  }

  private constructor(parts: OutboxLineParts) {
    const { account, clock, http, profile, patienceMs = 15_000 } = parts;
    this.#parts = parts;
    this.dispatcher = new Dispatcher({
      profile,
      http,
      clock,
      pacer: new Pacer(),
      maxQueued: 10_000,
      patienceMs,
    });
    this.#signer = signerOf(parts, (text) => this.alarms.push(text));
    this.#outbox = new Outbox({
      account,
      maker: MadeAction.maker(profile, blake3),
      rules: { backoff: profile.backoff, patienceMs, staleAfterMs: 60_000 },
      nonces: {
        rules: nonceRulesOf(profile.nonce),
        nestedTrigger: profile.nonce.nestedTrigger,
        discovery: 'hash_route',
      },
      mayFill: profile.nonce.filler !== 'none',
      orders: {
        isOfAnother: () => false,
        awaits: ({ key }) => this.#waiting.has(key),
        intentNow: () => undefined,
        endedOrderId: null,
      },
    });
  }

  get floor(): number {
    return this.#outbox.nonces.floor ?? 0;
  }

  submit(intent: Intent): Promise<Settled> {
    count += 1;
    const key = `o${count}`;
    const asked = { key, requestId: 'new' };
    return new Promise((settle) => {
      this.#waiting.set(key, { orderId: null, actionHash: '', wasUnknown: false, settle });
      this.#step((now) => this.#outbox.want({ asked, intent, clientOrderId: key }, true, now));
    });
  }

  onEvents(events: readonly VenueEvent[]): void {
    for (const event of events) {
      this.#step((now) => {
        this.#outbox.beforeEvent(event);
        this.#refusedBy(event);
        this.#outbox.afterEvent(event, now);
      });
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.dispatcher.stop();
  }

  /** As the orders do: an action that the stream rejects is refused, whatever its answer says later. */
  #refusedBy({ denial, kind, venueRef }: VenueEvent): void {
    if (kind !== 'rejected' || denial === null || denial.decidesNothing) return;
    for (const [key, own] of this.#waiting) {
      if (own.actionHash !== venueRef) continue;
      this.#settle(key, own, { kind: 'refused', denial });
    }
  }

  #settle(key: string, own: Waiting, outcome: Settled['outcome']): void {
    const { actionHash, orderId, settle, wasUnknown } = own;
    this.#waiting.delete(key);
    settle({ outcome, orderId, actionHash, wasUnknown });
  }

  #input(input: OutboxInput): void {
    this.#step((now) => this.#outbox.step(input, now));
  }

  #step(act: (now: Moment) => void): void {
    if (this.#isStopped) return;
    const now = this.#parts.clock.now();
    act(now);
    this.#outbox.settle(now);
    for (let said = this.#outbox.takeEffects(); said.length > 0; ) {
      for (const effect of said) {
        if (isVenueUpdate(effect)) this.#onUpdate(effect);
        else this.#perform(effect, now);
      }
      said = this.#outbox.takeEffects();
    }
  }

  #perform(effect: OutboxEffect, now: Moment): void {
    const { account, clock, reads } = this.#parts;
    switch (effect.kind) {
      case 'judge':
        this.#outbox.judged(effect.id, null, now);
        break;
      case 'submit':
        void this.#submit(effect);
        break;
      case 'withdraw':
        queueMicrotask(() => this.dispatcher.withdraw(effect.id));
        break;
      case 'look': {
        const { hash, id } = effect;
        void reconcile(reads, { account, hash, nonce: null })
          .catch((error: Error): Found => ({ kind: 'unreadable', problem: error.message }))
          .then((found) => this.#input({ kind: 'found', id, found }));
        break;
      }
      case 'wake': {
        const { atMs, id } = effect;
        clock.at(atMs, () => this.#input({ kind: 'time', id }));
        break;
      }
      case 'discover':
        void this.#discover(effect);
        break;
      case 'act':
        this.acts.push(effect.act);
        break;
      case 'alarm':
        this.alarms.push(effect.text);
        break;
      case 'probe':
        break;
      case 'sign':
        throw new Error('this line knows no conditional orders');
    }
  }

  #onUpdate(word: VenueUpdate): void {
    const { key } = word.asked;
    const own = this.#waiting.get(key);
    if (own === undefined || word.kind === 'waits' || word.kind === 'outdated') return;
    if (word.kind === 'sent') {
      own.orderId = word.orderId;
      own.actionHash = word.venueRef;
    } else if (word.outcome.kind === 'unknown') own.wasUnknown = true;
    else this.#settle(key, own, word.outcome);
  }

  async #submit({ bytes, id, nonce, priority }: Submit): Promise<void> {
    const { made, text } = bytes;
    const canonical = made?.canonical ?? Buffer.from(text);
    const scheme = 'ecdsa';
    const signed = await this.#signer.sign({
      canonical,
      ...(made && { made }),
      scheme,
    });
    if (this.#isStopped || this.#outbox.get(id)?.bytes?.hash !== bytes.hash) return;
    if (signed.kind === 'refused') {
      const { code, text: why } = signed;
      this.#input({ kind: 'unsigned', id, code, text: why });
      return;
    }
    const { account } = this.#parts;
    const { signature } = signed;
    const send = { account, nonce: BigInt(nonce), canonical: text, hash: bytes.hash, signature };
    this.dispatcher.submit({
      id,
      send: this.dispatcher.prepared(send),
      priority,
      sent: () => {},
      answered: (verdict) => this.#input({ kind: 'answered', id, verdict }),
    });
  }

  async #discover({ asked, askedFrom, envelope }: Discover): Promise<void> {
    const { clock, reads } = this.#parts;
    const floor = await reads.currentNonce(envelope).catch(() => null);
    if (floor === null) {
      const pauseMs = 50;
      await new Promise<void>((resolve) => clock.at(clock.now().monoMs + pauseMs, resolve));
    }
    this.#input({ kind: 'floor', floor, asked, askedFrom });
    if (floor !== null) this.#discovered();
  }
}

function signerOf(parts: OutboxLineParts, alarm: (text: string) => void): SignerCore {
  const { account, clock, ownerKey, profile } = parts;
  const policy = {
    accounts: new Set([account]),
    actions: new Set(['SpotPlaceOrder', 'Cancel'] as const),
    markets: null,
    placementsPerSecond: 1_000_000,
    burst: 1_000_000,
    maxNonceJump: 1_000_000,
    knownNonce: null,
    expiresAtMs: null,
  };
  return new SignerCore({
    contract: profile,
    blake3,
    ledger: new DigestLedger(new MemoryLedger()),
    clock,
    keys: [{ holder: localKey(ecdsa, ownerKey), policy }],
    paused: () => null,
    alarm,
    fatal: (error) => {
      throw error;
    },
  });
}
