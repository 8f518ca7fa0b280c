/**
 * R10: if the venue's order id differs from ours, one of the two derives ids incorrectly. The bridge uses the venue's
 * id, and places no more orders of that kind until an operator has checked the difference and restarted the bridge.
 */
import type { Intent } from '../../domain/intent.ts';
import type { OrderId } from '../../domain/units.ts';
import type { OrdersView } from '../../engine/venue-port.ts';
import type { ChildIds } from '../answer.ts';
import type { Alarm } from './alarm.ts';
import { placedIds, type Submission } from './submission.ts';

type Kind = Intent['kind'];

export class OrderIdCheck {
  readonly #stopped: Set<Kind>;
  readonly #alarm: Alarm;

  constructor(alarm: Alarm, stopped: readonly Kind[] = []) {
    this.#alarm = alarm;
    this.#stopped = new Set(stopped);
  }

  get stoppedKinds(): readonly Kind[] {
    return [...this.#stopped];
  }

  reset(): void {
    this.#stopped.clear();
  }

  /**
   * Compares the first id in the answer to an accepted action with ours (G28): a single submit of a quote names only
   * the first placing leg, and a batch each leg. The stream shows the other ids.
   */
  compare(own: Submission, answered: ChildIds): void {
    const placed = placedIds(own);
    const at = answered.findIndex((id) => id !== null);
    const [ours, theirs] = [
      answered.length === placed.length ? placed[at] : placed.find((id) => id !== null),
      answered[at],
    ];
    if (ours && theirs && ours !== theirs) this.differ(own.intent.kind, ours, theirs);
  }

  differ(kind: Kind, ours: OrderId, theirs: OrderId): void {
    if (this.#stopped.has(kind)) return;
    this.#stopped.add(kind);
    this.#alarm(
      'order_id_mismatch',
      `the venue names ${theirs} what is ${ours} by our derivation; no more orders of kind ${kind}`,
      theirs,
    );
  }

  /** The reason why this kind is not sent; undefined while the ids agree. */
  stopped({ kind }: Intent): string | undefined {
    return this.#stopped.has(kind)
      ? `order ids of kind ${kind} differ from the venue's`
      : undefined;
  }

  /**
   * Whether an acceptance belongs to another action: it names the order of the other action, or it names an order
   * although this action places none. Such an answer proves nothing about this action.
   */
  isOfAnother(own: Submission, theirs: ChildIds, orders: Pick<OrdersView, 'isOfAnother'>): boolean {
    const id = theirs.find((each) => each !== null);
    if (id == null) return false;
    // A quote may withdraw the side of its first leg and place the other side.
    const placesNone = placedIds(own).every((each) => each === null);
    if (!placesNone && (own.asked === null || !orders.isOfAnother(own.asked.key, id))) return false;
    const name = own.asked?.requestId ?? `nonce ${own.nonce}`;
    this.#alarm(
      'foreign_answer',
      `the answer to ${name} names ${id}, the order of another action; it is not believed`,
      id,
    );
    return true;
  }
}
