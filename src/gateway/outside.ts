/**
 * Everything outside the gateway's own thread: disk, signer, client ports, connections to the venue, random numbers. A
 * simulation replaces them, so that the same gateway runs in virtual time and a seed reproduces a run (decision 0240).
 */

import type { Random } from '../runtime/backoff.ts';
import { openLogStore } from '../store/log/log-store.ts';
import { realNetwork, type VenueNetwork } from '../venue/network.ts';
import { ClientPorts } from './clients/client-port.ts';
import { openGatewaySigner } from './signing.ts';

export interface Outside {
  readonly openStore: typeof openLogStore;
  readonly openSigner: typeof openGatewaySigner;
  readonly openPorts: () => Pick<ClientPorts, 'open' | 'close' | 'fix' | 'fixp' | 'renewal'>;
  readonly network: VenueNetwork;
  readonly random: Random;
}

export const realOutside: Outside = {
  openStore: openLogStore,
  openSigner: openGatewaySigner,
  openPorts: () => new ClientPorts(),
  network: realNetwork,
  random: Math.random,
};
