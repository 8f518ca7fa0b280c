/**
 * The inputs that changed the venue, in order. The same inputs at the same times give the same state, so a venue that
 * was killed is rebuilt from a saved state and the inputs after it.
 */
import { handleAdmin } from './admin-routes.ts';
import {
  buildVenue,
  type EmbeddedVenue,
  type SavedVenue,
  type StartSettings,
  type VenueOptions,
} from './embedded-venue.ts';
import type { VenueRequest } from './http-message.ts';

export type VenueInput = {
  readonly wallMs: number;
  /** The engine's time before this input, if the clock has jumped back to before it. */
  readonly engineMs?: number;
} & (
  | { readonly kind: 'due' }
  | { readonly kind: 'request' | 'admin'; readonly request: VenueRequest }
  | { readonly kind: 'start'; readonly settings: StartSettings }
);

export async function rebuildVenue(
  options: VenueOptions,
  saved: SavedVenue,
  inputs: Iterable<VenueInput>,
): Promise<EmbeddedVenue> {
  const venue = await buildVenue(options, saved);
  const { state } = venue;
  state.setRebuilding(true);
  for (const input of inputs) {
    // Anything that was due is a separate input: here only the time advances.
    if ('request' in input) state.exchange.advance(input.engineMs ?? input.wallMs);
    state.clock.during(input.wallMs, () => applyAgain(venue, input));
  }
  state.setRebuilding(false);
  return venue;
}

function applyAgain(venue: EmbeddedVenue, input: VenueInput): void {
  switch (input.kind) {
    case 'due':
      venue.ingress.runDue(input.wallMs);
      break;
    case 'request':
      venue.ingress.again(input.request);
      break;
    case 'admin':
      // The connection state is lost.
      handleAdmin(
        {
          venue,
          clock: venue.state.clock,
          failSockets: () => 0,
          release: () => {},
          pump: () => {},
        },
        input.request,
      );
      break;
    case 'start':
      venue.start(input.settings);
      break;
  }
}

/** Whether an admin call changes the saved state: faults and clocks belong to the process. */
export function isKept({ method, target }: VenueRequest): boolean {
  return method !== 'GET' && !/^\/admin\/(clock|faults)\b/.test(target);
}
