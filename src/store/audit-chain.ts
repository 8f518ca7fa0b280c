/**
 * The audit chain: who did what to the bridge, when and why, and the values before and after. Each record contains the
 * hash of the previous one, so changing, removing or inserting a record breaks the chain. A copy of the latest hash
 * elsewhere also shows whether the end was cut off (docs/decisions/0125-audit-chain.md).
 */
import { hash as hashOf } from 'node:crypto';
import { z } from 'zod';
import { parsedJson } from '../runtime/parsed-json.ts';
import { recordsAfter } from './record-stream.ts';
import type { JournalRecord, Store } from './store.ts';
import type { Transactions } from './transactions.ts';

export interface AuditEntry {
  readonly atMs: number;
  readonly who: string;
  /** The act, such as `kill`. */
  readonly what: string;
  /** What the act applied to: a session, an account, or the bridge. */
  readonly subject: string;
  readonly why: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface AuditRecord extends AuditEntry {
  readonly position: number;
  readonly previous: string;
  readonly hash: string;
}

/** The number of records and the hash of the last one. */
export interface AuditHead {
  readonly position: number;
  readonly hash: string;
}

export const auditStream = 'audit';
/** Used as the previous hash in the first record. */
export const auditGenesis = '0'.repeat(64);

export class AuditChain {
  readonly #transactions: Transactions;
  readonly #published: (head: AuditHead) => void;
  #head: string = auditGenesis;
  #end = 0;

  /** Throws if the chain is broken, because further records would hide that. `published` gets each new durable head. */
  static async open(
    store: Store,
    transactions: Transactions,
    published: (head: AuditHead) => void = () => {},
  ): Promise<AuditChain> {
    const own = new AuditChain(transactions, published);
    for await (const record of recordsAfter(store, auditStream, 0)) {
      const { hash, position } = checked(record, own.#head);
      own.#head = hash;
      own.#end = position;
    }
    return own;
  }

  private constructor(transactions: Transactions, published: (head: AuditHead) => void) {
    this.#transactions = transactions;
    this.#published = published;
  }

  get head(): string {
    return this.#head;
  }

  get length(): number {
    return this.#end;
  }

  /** Called within the transaction of the act, so that the act and its record become durable together. */
  add(entry: AuditEntry): void {
    const { hash, text } = linked(entry, this.#end + 1, this.#head);
    const payload = new TextEncoder().encode(text);
    this.#transactions.write({ kind: 'append', stream: auditStream, expected: this.#end, payload });
    this.#head = hash;
    this.#end += 1;
    const head = { position: this.#end, hash };
    this.#transactions.after(() => this.#published(head));
  }

  /** Whether the chain contains this record; if a published head is missing, the end was cut off. */
  async has({ position, hash }: AuditHead): Promise<boolean> {
    if (position === 0) return hash === auditGenesis;
    const [record] = await this.latest(position, 1);
    return record?.position === position && record.hash === hash;
  }

  /** Returns at most `limit` records up to this position, newest first. */
  async latest(upTo: number, limit: number): Promise<readonly AuditRecord[]> {
    const from = Math.max(0, Math.min(upTo, this.#end) - limit);
    const records = await this.#transactions.store.read(auditStream, from, limit);
    return records.map(({ payload, position }) => parsed(payload, position)).reverse();
  }
}

export class AuditBroken extends Error {}

/** Returns the record after checking that it follows `previous`. */
export function checked({ payload, position }: JournalRecord, previous: string): AuditRecord {
  const record = parsed(payload, position);
  const fault =
    record.position !== position
      ? `is numbered ${record.position}`
      : record.previous !== previous
        ? 'does not follow the record before it'
        : record.hash !== linked(record, position, previous).hash
          ? 'is not what was written'
          : undefined;
  if (fault !== undefined) throw new AuditBroken(`audit record ${position} ${fault}`);
  return record;
}

/** Returns the record of an act at its position, as the text to store: its hash covers everything before it. */
export function linked(
  entry: AuditEntry,
  position: number,
  previous: string,
): { readonly text: string; readonly hash: string } {
  const { atMs, who, what, subject, why, before, after } = entry;
  const record = { position, previous, atMs, who, what, subject, why, before, after };
  const text = JSON.stringify(record);
  const hash = hashOf('sha256', text, 'hex');
  return { text: `${text.slice(0, -1)},"hash":"${hash}"}`, hash };
}

export const auditHash = z.string().regex(/^[0-9a-f]{64}$/);
const recordShape = z.strictObject({
  position: z.int().min(1),
  previous: auditHash,
  // The last millisecond that a date can be.
  atMs: z.int().max(8.64e15),
  who: z.string(),
  what: z.string(),
  subject: z.string(),
  why: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  hash: auditHash,
});

function parsed(payload: Uint8Array, position: number): AuditRecord {
  const value = parsedJson(Buffer.from(payload).toString());
  if (value === undefined) throw new AuditBroken(`audit record ${position} is not JSON`);
  const read = recordShape.safeParse(value);
  if (read.success) return { ...read.data, before: read.data.before, after: read.data.after };
  throw new AuditBroken(`audit record ${position} is not an audit record`);
}
