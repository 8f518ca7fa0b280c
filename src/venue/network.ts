/** Connections to the venue, for requests and for the private stream. A simulation provides its own (decision 0240). */
import { type Dispatcher, Pool } from 'undici';
import { type ClientOptions, WebSocket } from 'ws';

export interface VenueNetwork {
  readonly pool: (
    origin: string,
    options: Pool.Options,
  ) => Pick<Dispatcher, 'dispatch' | 'destroy'>;
  readonly webSocket: (url: string, options: ClientOptions) => WebSocket;
}

export const realNetwork: VenueNetwork = {
  pool: (origin, options) => new Pool(origin, options),
  webSocket: (url, options) => new WebSocket(url, options),
};
