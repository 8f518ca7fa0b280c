/**
 * Conditional orders (contract G20): two actions, of which the outer holds the signature of the nested one. So the nested
 * one is recorded and signed first, and only then can the outer be prepared as any other.
 */
import { type Denial, deny } from '../domain/denial.ts';
import type { ConditionalIntent } from '../domain/intent.ts';
import type { SignedAction } from '../signer/action.ts';
import type { MadeAction } from '../signer/made-action.ts';
import type { Reservation } from '../signer/nonce-allocator.ts';
import { actionOf, placeAction } from './action-of.ts';
import {
  type Asked,
  canceledUnsent,
  type Errand,
  type ErrandOwner,
  type ErrandParts,
  envelopeOf,
  type Named,
} from './errand.ts';

/** Inside a turn, both. */
interface Ports {
  prepare(errand: Errand, reservation: Reservation): void;
  refuse(asked: Asked, denial: Denial): void;
}

interface Nested {
  readonly made: MadeAction;
  readonly nested: Reservation;
  readonly outer: Reservation;
}

export class Conditionals {
  readonly #parts: ErrandParts;
  readonly #owner: ErrandOwner;
  readonly #ports: Ports;
  /** Those whose nested order is being signed, and why they are not wanted any more. */
  readonly #underWay = new Map<Named, Denial | undefined>();

  constructor(parts: ErrandParts, owner: ErrandOwner, ports: Ports) {
    this.#parts = parts;
    this.#owner = owner;
    this.#ports = ports;
  }

  /** Inside a turn; false while no two nonces are free. */
  start(named: Named, intent: ConditionalIntent): boolean {
    const { maker, nonces, turns } = this.#parts;
    const pair = nonces.reservePair();
    if (pair === undefined) return false;
    if (pair === 'refused') {
      const text = 'a stored order would hold the nonces';
      this.#ports.refuse(named, deny('bridge.conditional_unconfirmed', text));
      return true;
    }
    const action = placeAction(intent.nested);
    const payload = envelopeOf(this.#parts, action, pair.nested.nonce, undefined);
    const made = maker.make(payload);
    nonces.signed(pair.nested.nonce, made.hash);
    this.#owner.join();
    this.#underWay.set(named, undefined);
    turns.after(() => void this.#finish(named, intent, { made, ...pair }));
    return true;
  }

  withdraw(isMeant: (asked: Asked) => boolean, denial: Denial): void {
    for (const named of this.#underWay.keys())
      if (isMeant(named)) this.#underWay.set(named, denial);
  }

  async #finish(named: Named, intent: ConditionalIntent, parts: Nested): Promise<void> {
    const { scheme, signer, turns } = this.#parts;
    const { made, outer } = parts;
    const { canonical, envelope: payload } = made;
    const { supersedes } = parts.nested;
    const signed = await signer.sign({ canonical, made, scheme, supersedes });
    turns.run(() => {
      this.#owner.join();
      const withdrawn = this.#underWay.get(named);
      this.#underWay.delete(named);
      const isGivenUp = this.#owner.isGivenUp(named.key);
      if (signed.kind === 'refused') {
        this.#end(named, outer, deny('bridge.venue_unreachable', `signer: ${signed.code}`));
      } else if (withdrawn !== undefined || isGivenUp) {
        this.#end(named, outer, withdrawn ?? canceledUnsent);
      } else {
        const nested: SignedAction = { payload, signature: signed.signature };
        const { key, requestId, clientOrderId } = named;
        const action = actionOf(intent, nested);
        this.#ports.prepare({ key, requestId, clientOrderId, action, priority: 'place' }, outer);
      }
    });
  }

  /** Of both nothing has left the bridge. */
  #end(named: Named, outer: Reservation, denial: Denial): void {
    this.#parts.nonces.neverSent(outer.nonce);
    this.#ports.refuse(named, denial);
  }
}
