/** An event of the execution stream, with the members that only this venue's outbox reads. */
import type { StreamEvent } from '../domain/event.ts';

export interface VenueEvent extends StreamEvent {
  /** The nonce of the action that caused it. */
  readonly nonce: bigint | null;
}
