/**
 * The session ids of one principal, with the state that must survive a crash. Sequence numbers of the store continue
 * from one id to the next. A flow is a range of them, in which the number on the wire is the store's number minus the
 * flow's base (docs/decisions/0105-fixp-sessions-and-flows.md). So messages of an earlier id can still be requested,
 * and those that were never sent under it are the first of the next id's flow.
 */
import type { NextNumbers } from '../transport/session-outbox.ts';

/** One negotiated id. Bases are numbers of the store. */
export interface Flow {
  /** 32 hex digits. */
  readonly sessionId: string;
  readonly inBase: number;
  readonly outBase: number;
  /** The store's numbers of our first and last message with this id; the last is null while the id is active. */
  readonly outFrom: number;
  readonly outEnd: number | null;
  readonly clientFlow: number;
}

/** The client's wire sequence numbers, both ends included. */
export interface SeqRange {
  readonly fromSeq: number;
  readonly toSeq: number;
}

interface IdsRecord {
  readonly flows: readonly Flow[];
  readonly lastRequestNs: string;
  readonly handedTo: number | null;
  readonly gaps: readonly SeqRange[];
}

/** Ids are remembered so that none is reused; beyond this number the oldest are forgotten. */
export const maxRememberedIds = 1_000;

export class SessionIds {
  #flows: Flow[] = [];
  /** The Timestamp of the last accepted request. */
  lastRequestNs = 0n;
  /** The store's number up to which our messages were sent to a client; null if all were, as while one is connected. */
  handedTo: number | null = 0;
  /** The numbers of the current flow that were reported as NotApplied, in order. */
  #gaps: SeqRange[] = [];

  /** `record` is from an earlier run; without it there is no id. */
  constructor(record?: Uint8Array) {
    if (record === undefined) return;
    const { flows, lastRequestNs, handedTo, gaps } = readRecord(record);
    this.#flows = [...flows];
    this.lastRequestNs = BigInt(lastRequestNs);
    this.handedTo = handedTo;
    this.#gaps = [...gaps];
  }

  /** The id that may be established; undefined before the first id, and after the last was finalized. */
  get current(): Flow | undefined {
    const last = this.#flows.at(-1);
    return last?.outEnd === null ? last : undefined;
  }

  get gaps(): readonly SeqRange[] {
    return this.#gaps;
  }

  find(sessionId: string): Flow | undefined {
    return this.#flows.find((flow) => flow.sessionId === sessionId);
  }

  /** Replaces the current id with a new one, whose flows start after these numbers of the store. */
  begin(sessionId: string, clientFlow: number, at: NextNumbers): Flow {
    this.end(at.nextOut - 1);
    const outBase = this.handedTo ?? at.nextOut - 1;
    const inBase = at.nextIn - 1;
    const outFrom = outBase + 1;
    const flow = { sessionId, clientFlow, inBase, outBase, outFrom, outEnd: null };
    this.#flows.push(flow);
    if (this.#flows.length > maxRememberedIds) this.#flows.shift();
    this.#gaps = [];
    return flow;
  }

  /** The current id is never established again; `outEnd` is the store's number of its last message. */
  end(outEnd: number): void {
    const { current } = this;
    if (current !== undefined) this.#flows[this.#flows.length - 1] = { ...current, outEnd };
  }

  /**
   * An operator set the sequence numbers: messages sent under the old ones can no longer be requested. The client uses
   * numbers from `nextIn` on again, so only the gaps before it remain.
   */
  rebase(bases: Pick<Flow, 'inBase' | 'outBase' | 'outFrom'>, nextIn: number): void {
    const { current } = this;
    if (current !== undefined) this.#flows[this.#flows.length - 1] = { ...current, ...bases };
    this.#gaps = this.#gaps
      .filter(({ fromSeq }) => fromSeq < nextIn)
      .map(({ fromSeq, toSeq }) => ({ fromSeq, toSeq: Math.min(toSeq, nextIn - 1) }));
  }

  missed(range: SeqRange): void {
    this.#gaps.push(range);
  }

  record(): Uint8Array {
    const record: IdsRecord = {
      flows: this.#flows,
      lastRequestNs: String(this.lastRequestNs),
      handedTo: this.handedTo,
      gaps: this.#gaps,
    };
    return Buffer.from(JSON.stringify(record));
  }
}

/** The store has verified the bytes, and this program wrote them. */
function readRecord(record: Uint8Array): IdsRecord {
  return JSON.parse(Buffer.from(record).toString()) as IdsRecord;
}

/** The outcome of the numbers in `range`: runs that were applied, and the gaps between them. */
export function fates(
  range: SeqRange,
  gaps: readonly SeqRange[],
): { readonly isApplied: boolean; readonly fromSeq: number; readonly toSeq: number }[] {
  const runs = [];
  let next = range.fromSeq;
  for (const gap of gaps) {
    const fromSeq = Math.max(gap.fromSeq, next);
    const toSeq = Math.min(gap.toSeq, range.toSeq);
    if (fromSeq > toSeq) continue;
    if (fromSeq > next) runs.push({ isApplied: true, fromSeq: next, toSeq: fromSeq - 1 });
    runs.push({ isApplied: false, fromSeq, toSeq });
    next = toSeq + 1;
  }
  if (next <= range.toSeq) runs.push({ isApplied: true, fromSeq: next, toSeq: range.toSeq });
  return runs;
}
