/**
 * R10: an order id of the venue that differs from ours means that one of the two derives ids wrongly. The venue's id
 * is kept, and no more orders of that kind are placed until a person has looked and started the bridge anew.
 */
import { type Denial, deny } from '../domain/denial.ts';
import type { ActionKind } from '../signer/action.ts';
import type { NewOrders } from '../signer/digest.ts';
import type { ChildIds } from '../venue/answer.ts';
import { idMismatches } from '../venue/order-ids.ts';

export class IdWatch {
  readonly #stopped = new Set<ActionKind>();
  readonly #alarm: (text: string) => void;

  constructor(alarm: (text: string) => void) {
    this.#alarm = alarm;
  }

  /** What an accepted action of this kind was named by us and by the venue. */
  compare(kind: ActionKind, ours: NewOrders, theirs: ChildIds): void {
    const [mismatch] = idMismatches(ours, theirs);
    if (mismatch === undefined) return;
    this.#stopped.add(kind);
    const { ours: own, theirs: told } = mismatch;
    this.#alarm(
      `integrity: the venue names ${told} what is ${own} by our derivation; no more ${kind}`,
    );
  }

  /** Undefined while ids of this kind agree. */
  denial(kind: ActionKind): Denial | undefined {
    if (!this.#stopped.has(kind)) return undefined;
    return deny('bridge.gate_closed', `order ids of ${kind} differ from the venue's`);
  }
}
