/** The orders in the bridge's reports of an attempt, with the stream's sequence numbers of these reports. */

import { entryOf } from '../runtime/entry-of.ts';
import type { BridgeSetup } from './bridge-setup.ts';
import { fieldOf, type ReceivedMessage } from './received-message.ts';
import type { VenueTrace } from './record.ts';

/** Combines reports of orders at the sandbox with the venue's own data. */
export function tracesOf(
  reports: readonly ReceivedMessage[],
  bridge: Pick<BridgeSetup, 'trace'>,
): readonly VenueTrace[] {
  const seen = new Map<string, { clOrdId: string; seqs: Set<number> }>();
  for (const report of reports) {
    const given = (tag: number, name: string) => fieldOf(report, tag) ?? fieldOf(report, name);
    const orderId = given(37, 'OrderID') ?? 'NONE';
    const make = () => ({ clOrdId: given(11, 'ClOrdID') ?? '', seqs: new Set<number>() });
    const known = entryOf(seen, orderId, make);
    const seq = given(9110, 'VenueSeq');
    if (seq !== undefined) known.seqs.add(Number(seq));
  }
  return bridge.trace([...seen.keys()]).map((trace) => {
    const { clOrdId = '', seqs = new Set<number>() } = seen.get(trace.orderId) ?? {};
    return { ...trace, clOrdId, seqs: [...seqs].sort((a, b) => a - b) };
  });
}
