/** What may leave the bridge in a random walk (`core-walk.ts`): as its gate says, and as the checker knows by itself. */
import type { Denial } from '../../src/domain/denial.ts';
import type { Intent } from '../../src/domain/intent.ts';
import { submissionId } from '../../src/domain/order.ts';
import { canceledUnsent } from '../../src/engine/engine.ts';
import type { Orders } from '../../src/engine/orders.ts';
import type { RequestRef } from '../../src/engine/venue-port.ts';
import type { Outbox } from '../../src/venue/outbox/outbox.ts';
import type { WalkClient } from './walk-client.ts';
import type { WalkOperator } from './walk-operator.ts';
import type { Copy } from './walk-venue.ts';

/** The present process. */
interface Attended {
  readonly orders: Orders;
  readonly outbox: Outbox;
  readonly clients: readonly WalkClient[];
}

export class WalkExit {
  readonly #operator: WalkOperator;
  readonly #fault: (text: string) => void;
  #attended: Attended | undefined;

  constructor(operator: WalkOperator, fault: (text: string) => void) {
    this.#operator = operator;
    this.#fault = fault;
  }

  attend(attended: Attended): void {
    this.#attended = attended;
  }

  /** As the runner asks its gate. */
  denial({ key, requestId }: RequestRef, isWaiting: boolean): Denial | null {
    const { clients, orders } = this.#present;
    const release = orders.placements(key, requestId);
    if (release.places.length === 0) return null;
    if (isWaiting && orders.isMeantToEnd(key)) return canceledUnsent;
    const client = clients.find(({ session }) => session === release.session);
    return client?.denial(release) ?? null;
  }

  /** What leaves the queue is judged once more, unless the venue may have a copy (R77). */
  denialOf({ asked, id, intent, isAbandoned }: Copy): Denial | null {
    const { orders, outbox } = this.#present;
    const own = outbox.get(id);
    if (isAbandoned || asked === null || own === undefined || own.isUnknown) return null;
    const denial = this.denial(asked, false);
    // The replace of an order that has ended places nothing.
    if (!orders.awaits(asked.key, asked.requestId)) return denial;
    const session = orders.clientOf(asked.key, asked.requestId)?.session ?? '';
    const sizes = sizesOf(intent);
    const objection = sizes.length > 0 && this.#operator.objection(session, sizes);
    if (denial === null && objection) this.#fault(`${asked.key} leaves ${objection}`);
    return denial;
  }

  /** Called when a request gets its bytes. */
  check({ key, requestId }: RequestRef, intent: Intent): void {
    const { orders } = this.#present;
    const { owner, pending, phase = 'created' } = orders.get(key) ?? {};
    if (intent.kind === 'cancel' && pending?.kind === 'own_cancel') {
      if (owner && !this.#operator.mayCancel(owner, pending.text)) {
        this.#fault(`${key} of ${owner.session} is canceled: ${pending.text}`);
      }
    }
    if (intent.kind === 'cancel' || intent.kind === 'amend') return;
    if (orders.clientOf(key, requestId) === undefined) this.#fault(`nobody wants ${key}`);
    if (requestId !== submissionId) return;
    if (phase !== 'created' && phase !== 'pending_new')
      this.#fault(`${key} is ${phase} and placed`);
  }

  get #present(): Attended {
    if (this.#attended === undefined) throw new Error('no process attends the exit');
    return this.#attended;
  }
}

/** The quantities that an action places; a leg of a replace has only what is left of its order. */
function sizesOf(intent: Intent): readonly bigint[] {
  switch (intent.kind) {
    case 'place':
      return [intent.qty];
    case 'algo':
      return [intent.totalQty];
    case 'conditional':
      return [intent.nested.qty];
    case 'group':
      return intent.legs.map(({ qty }) => qty).filter((qty) => qty > 0n);
    default:
      return [];
  }
}
