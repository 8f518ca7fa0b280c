/** The orders that the bridge's reports of an attempt speak of, with the numbers of the stream behind them. */

import { isFramed } from '../fixp/framing.ts';
import type { BridgeStand } from './bridge-stand.ts';
import { decodeFrame } from './fixp-message.ts';
import { fieldOf, type Heard } from './heard.ts';
import type { Rung, VenueTrace } from './record.ts';

type Reported = readonly [orderId: string, clOrdId: string, seq: number | undefined];

function* reportsOf(rungs: readonly Rung[]): IterableIterator<Reported> {
  for (const { from, raw, label } of rungs) {
    if (from !== 'bridge' || raw === undefined) continue;
    if (!/^(8 |ExecutionReport)/.test(label)) continue;
    const bytes = Buffer.from(raw, 'base64');
    const fields = isFramed(bytes) ? ofFrame(bytes) : ofFix(bytes);
    yield [fields.orderId ?? 'NONE', fields.clOrdId ?? '', numberOf(fields.seq)];
  }
}

interface Fields {
  readonly orderId: string | undefined;
  readonly clOrdId: string | undefined;
  readonly seq: string | undefined;
}

function ofFix(bytes: Buffer): Fields {
  const parts = bytes.toString().split('\x01');
  const of = (tag: number) =>
    parts.find((part) => part.startsWith(`${tag}=`))?.slice(`${tag}=`.length);
  return { orderId: of(37), clOrdId: of(11), seq: of(9110) };
}

function ofFrame(bytes: Buffer): Fields {
  const decoded = decodeFrame(bytes);
  if (typeof decoded === 'string')
    return { orderId: undefined, clOrdId: undefined, seq: undefined };
  const of = (key: string) => fieldOf(decoded as Heard, key);
  return { orderId: of('OrderID'), clOrdId: of('ClOrdID'), seq: of('VenueSeq') };
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** Reports that name orders at the sandbox, joined with what the venue knows of them. */
export function tracesOf(
  rungs: readonly Rung[],
  bridge: Pick<BridgeStand, 'trace'>,
): readonly VenueTrace[] {
  const seen = new Map<string, { clOrdId: string; seqs: Set<number> }>();
  for (const [orderId, clOrdId, seq] of reportsOf(rungs)) {
    const known = seen.get(orderId) ?? { clOrdId, seqs: new Set<number>() };
    if (seq !== undefined) known.seqs.add(seq);
    seen.set(orderId, known);
  }
  return bridge.trace([...seen.keys()]).map((trace) => {
    const { clOrdId = '', seqs = new Set<number>() } = seen.get(trace.orderId) ?? {};
    return { ...trace, clOrdId, seqs: [...seqs].sort((a, b) => a - b) };
  });
}
