/** The metrics of a signer that has signed nothing yet. */
import { Latency } from '../../src/runtime/latency.ts';
import { signerMetrics } from '../../src/signer/signer-status.ts';

export function idleSignerMetrics() {
  return signerMetrics({
    core: { anchor: { id: '', count: 0, chain: '' }, isLedgerReady: true, notReady: [] },
    audit: { head: { position: 0, hash: '' } },
    ended: () => 0,
    connections: () => 0,
    answers: new Map([['signed', 0]]),
    latency: new Latency(),
  });
}
