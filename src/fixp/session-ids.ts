/**
 * The session ids of one principal, and what must be known of them after a crash. Numbers of the store go on from one
 * id to the next; a flow is a range of them, in which the number on the wire is the store's less the flow's base
 * (docs/decisions/0105-fixp-sessions-and-flows.md). So messages of an earlier id can still be asked for, and
 * those that were never sent under it begin the flow of the next.
 */

/** One negotiated id. Bases are numbers of the store. */
export interface Flow {
  /** 32 hex digits. */
  readonly sessionId: string;
  readonly inBase: number;
  readonly outBase: number;
  /** The store's numbers of our first message under this id, and of the last; null while the id lives. */
  readonly outFrom: number;
  readonly outEnd: number | null;
  readonly clientFlow: number;
}

/** Numbers of the client on the wire, both ends included. */
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

/** Ids are remembered so that none is used twice; beyond this the oldest is forgotten. */
export const maxRememberedIds = 1_000;

export class SessionIds {
  #flows: Flow[] = [];
  /** The Timestamp of the last request that was taken. */
  lastRequestNs = 0n;
  /** The store's number up to which a client was handed our messages; null when all are, as while one is connected. */
  handedTo: number | null = 0;
  /** What the current flow was told NotApplied of, in order. */
  #gaps: SeqRange[] = [];

  /** From the record of an earlier run, or with no id yet. */
  constructor(record?: Uint8Array) {
    if (record === undefined) return;
    const { flows, lastRequestNs, handedTo, gaps } = readRecord(record);
    this.#flows = [...flows];
    this.lastRequestNs = BigInt(lastRequestNs);
    this.handedTo = handedTo;
    this.#gaps = [...gaps];
  }

  /** The id that may be established; undefined before the first and when the last was finalized. */
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

  /** A new id takes the place of the current one; its flows begin behind these numbers of the store. */
  begin(sessionId: string, clientFlow: number, at: { nextIn: number; nextOut: number }): Flow {
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

  /** An operator set the numbers: what a client was handed under the old ones cannot be asked for any more. */
  rebase(bases: Pick<Flow, 'inBase' | 'outBase' | 'outFrom'>): void {
    const { current } = this;
    if (current !== undefined) this.#flows[this.#flows.length - 1] = { ...current, ...bases };
    this.#gaps = [];
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

/** The store vouches for the bytes; this process wrote them. */
function readRecord(record: Uint8Array): IdsRecord {
  return JSON.parse(Buffer.from(record).toString()) as IdsRecord;
}

/** What became of the numbers of `range`: runs that were applied, and the gaps between them. */
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
