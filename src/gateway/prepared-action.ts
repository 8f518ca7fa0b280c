import type { OrderId } from '../domain/units.ts';

/** J1: an action as it was recorded before it was signed. */
export interface PreparedAction {
  readonly key: string;
  readonly requestId: string;
  readonly nonce: bigint;
  readonly actionHash: string;
  readonly orderId: OrderId | null;
  /** The canonical bytes as text. */
  readonly canonical: string;
}
