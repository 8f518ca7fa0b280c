/**
 * The least of a venue that can judge exactly-once: it applies each nonce once, replays the first answer to a known
 * Idempotency-Key, and keeps receipts. It is written from the contract's text (A.11, A.12, G29) and shares no code
 * with the bridge or the sandbox.
 */
import type { ScriptedAnswer, ScriptedRequest } from './scripted-venue.ts';

interface Envelope {
  readonly account: string;
  readonly nonce: number;
  readonly client_order_id?: string;
}

export class LedgerVenue {
  /** client_order_id → how many orders exist for it. */
  readonly orders = new Map<string, number>();
  readonly #spent = new Set<number>();
  readonly #answers = new Map<string, object>();
  readonly #receipts: { actionHash: string; seq: number; status: string }[] = [];
  #seq = 0;
  readonly #hashOf: (envelope: Envelope) => string;

  /** `hashOf` names the action of an envelope, as the receipts do. */
  constructor(hashOf: (envelope: Envelope) => string) {
    this.#hashOf = hashOf;
  }

  handle(request: ScriptedRequest): ScriptedAnswer {
    const url = new URL(request.target, 'http://venue');
    if (url.pathname.endsWith('/receipts')) {
      const hash = url.searchParams.get('actionHash');
      return { body: { receipts: this.#receipts.filter((one) => one.actionHash === hash) } };
    }
    if (url.pathname.endsWith('/order-entry/orders')) return this.#batch(request);
    const key = String(request.headers['idempotency-key']);
    const known = this.#answers.get(key);
    const body = known ?? this.apply(JSON.parse(request.body).payload);
    this.#answers.set(key, body);
    return { status: (body as { accepted: boolean }).accepted ? 200 : 400, body };
  }

  apply(envelope: Envelope): object {
    const facts = { nextUsableNonce: null, nonceFloor: null, nonceWindow: null, nonceHoles: null };
    const base = { seq: null, derivedOrderId: null, error: null, code: null, nonceConsumed: null };
    if (this.#spent.has(envelope.nonce)) {
      const nonceFloor = Math.max(...this.#spent) + 1;
      return {
        ...base,
        ...facts,
        accepted: false,
        ok: false,
        code: 'nonce_replayed',
        error: 'used',
        nonceFloor,
        nextUsableNonce: nonceFloor,
        nonceWindow: 256,
      };
    }
    this.#spent.add(envelope.nonce);
    this.#seq += 1;
    const name = envelope.client_order_id ?? String(envelope.nonce);
    this.orders.set(name, (this.orders.get(name) ?? 0) + 1);
    this.#receipts.push({ actionHash: this.#hashOf(envelope), seq: this.#seq, status: 'resting' });
    return { ...base, ...facts, accepted: true, ok: true, seq: this.#seq };
  }

  #batch(request: ScriptedRequest): ScriptedAnswer {
    const { actions } = JSON.parse(request.body) as { actions: { payload: Envelope }[] };
    const actionResults = actions.map(({ payload }) => {
      const { accepted, code } = this.apply(payload) as { accepted: boolean; code: string | null };
      return accepted
        ? { seq: this.#seq, status: 'resting', nonceConsumed: true }
        : { seq: null, status: 'rejected', rejectCode: 'NONCE_REJECTED', rejectReason: code };
    });
    return { body: { ok: true, responseMode: 'detailed', actionResults } };
  }
}
