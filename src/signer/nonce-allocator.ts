/**
 * Gives out the nonces of one account and keeps their journal (docs/ARCHITECTURE.md, "Nonces"). What was decided is
 * handed to the owner as writes for its own commit, so that a nonce is durable together with the record of the
 * action that uses it, before the action is sent (J1). A start replays the journal.
 */
import { z } from 'zod';
import type { Store, Write } from '../store/store.ts';
import {
  defaultNonceRules,
  type NonceDemand,
  type NonceEvent,
  type NoncePurpose,
  type NonceRules,
  type NonceSnapshot,
  type NonceState,
  NonceWindow,
  type Proof,
} from './nonce-window.ts';

/** What an answer says of nonces; null where it said nothing. */
export interface NonceWord {
  readonly nonceConsumed: boolean | null;
  readonly nextUsableNonce: number | null;
  readonly nonceFloor: number | null;
  readonly nonceWindow: number | null;
}

export interface NonceAnswer extends NonceWord {
  readonly outcome: 'accepted' | 'refused' | 'unknown';
  /** The venue's code of a refusal. */
  readonly code: string | null;
  /** Whether these bytes had been sent before: then a refusal does not tell about the earlier send (R28). */
  readonly isResend: boolean;
}

/** A nonce to sign with; where it was signed for another action before, the signer must hear why that one is dead. */
export interface Reservation {
  readonly nonce: number;
  readonly supersedes: { readonly digest: string; readonly proof: Proof } | null;
}

export interface AllocatorOptions {
  readonly rules?: NonceRules;
  /** What the profile says of a nested trigger order; `holds_floor` refuses conditionals (G20). */
  readonly nestedTrigger?: 'consumed_on_store' | 'holds_floor';
  /** `first_reject` starts without asking the venue and learns from its first refusal (G19). */
  readonly discovery?: 'hash_route' | 'first_reject';
}

const snapshotEvery = 4096;
const readAtOnce = 1024;
/** Old records go a few at a time, because no order should wait for thousands to be deleted. */
const dropEvery = 32;
const dropAtOnce = 128;

/** By nonce the last digest that the journal of an account holds, as far as its records and its snapshot reach back. */
export async function journaledDigests(
  store: Pick<Store, 'read' | 'snapshot'>,
  account: string,
): Promise<ReadonlyMap<number, string>> {
  const stream = streamOf(account);
  const digests = new Map<number, string>();
  const kept = await store.snapshot(stream);
  const { slots } = kept === undefined ? { slots: [] } : readSnapshot(stream, kept.payload);
  for (const [nonce, { digest }] of slots) if (digest !== null) digests.set(nonce, digest);
  for await (const { events } of recordsOf(store, stream, 0)) {
    for (const event of events) {
      if (event.kind === 'signed') digests.set(event.nonce, event.digest);
    }
  }
  return digests;
}

export class NonceAllocator {
  readonly #store: Store;
  readonly #stream: string;
  readonly #window: NonceWindow;
  readonly #nestedTrigger: 'consumed_on_store' | 'holds_floor';
  #pending: NonceEvent[] = [];
  #end: number;
  #sinceSnapshot = 0;
  /** Records up to here are dropped, and may be up to there. */
  readonly #dropped: { to: number; most: number };
  #snapshotAt: number;

  static async open(
    store: Store,
    account: string,
    options: AllocatorOptions = {},
  ): Promise<NonceAllocator> {
    const stream = streamOf(account);
    const kept = await store.snapshot(stream);
    const snapshot = kept === undefined ? undefined : readSnapshot(stream, kept.payload);
    const window = new NonceWindow(options.rules ?? defaultNonceRules, snapshot);
    let end = kept?.position ?? 0;
    let isFirst = kept === undefined;
    for await (const { position, events } of recordsOf(store, stream, end)) {
      for (const event of events) window.apply(event);
      end = position;
      isFirst = false;
    }
    window.demands();
    const [oldest] = await store.read(stream, 0, 1);
    const position = { end, snapshotAt: kept?.position ?? 0, oldest: oldest?.position ?? 1 };
    const allocator = new NonceAllocator(store, stream, window, position, options);
    if (isFirst) allocator.#startUnasked(options.discovery ?? 'hash_route');
    else allocator.#record({ kind: 'restarted' });
    return allocator;
  }

  private constructor(
    store: Store,
    stream: string,
    window: NonceWindow,
    { end, snapshotAt, oldest }: Record<'end' | 'snapshotAt' | 'oldest', number>,
    { nestedTrigger = 'consumed_on_store' }: AllocatorOptions,
  ) {
    this.#store = store;
    this.#stream = stream;
    this.#window = window;
    this.#end = end;
    this.#snapshotAt = snapshotAt;
    this.#dropped = { to: oldest - 1, most: 0 };
    this.#nestedTrigger = nestedTrigger;
  }

  /** Undefined means that the action waits: for the floor to move, to be known, or for a person (R29). */
  reserve(purpose: NoncePurpose): Reservation | undefined {
    const nonce = this.#window.choose(purpose);
    return nonce === undefined ? undefined : this.#take(nonce, purpose);
  }

  /** For a filler: the nonce that a demand named. */
  reserveHole(nonce: number): Reservation {
    return this.#take(nonce, 'fill');
  }

  /** `refused` where the profile makes a stored conditional hold the floor. */
  reservePair():
    | { readonly nested: Reservation; readonly outer: Reservation }
    | 'refused'
    | undefined {
    if (this.#nestedTrigger === 'holds_floor') return 'refused';
    const pair = this.#window.choosePair();
    if (pair === undefined) return undefined;
    const nested = this.#take(pair.nested, 'place');
    const outer = this.#take(pair.outer, 'place', pair.nested);
    return { nested, outer };
  }

  /** Digests are told in hex, as the journal has them. */
  signed(nonce: number, digest: string): void {
    this.#record({ kind: 'signed', nonce, digest });
  }

  /**
   * The signer has signed another action with this nonce, of which our journal knows nothing: it was lost, or
   * another bridge uses the same signer. Only a filler may take the nonce now; the action takes a fresh one.
   */
  signedForAnother(nonce: number, digest: string): void {
    this.#record({ kind: 'signed', nonce, digest });
    this.#record({ kind: 'dead', nonce });
  }

  /** The action is about to be handed to HTTP; its reservation is durable. */
  sent(nonce: number): void {
    this.#record({ kind: 'sent', nonce });
  }

  /** Not one byte left the process. */
  neverSent(nonce: number): void {
    this.#record({ kind: 'released', nonce, proof: 'never_sent' });
  }

  /** The last word on a send: no more is asked with these bytes (R26, R31, R33). */
  answered(nonce: number, answer: NonceAnswer): void {
    this.#settle(nonce, answer);
    const { nonceFloor: floor, nonceWindow: window, code } = answer;
    if (floor === null) return;
    const from = code === 'nonce_outside_window' ? 'outside_window' : 'answer';
    this.#record({ kind: 'floor', floor, window, from });
  }

  /** The stream, a receipt or a result shows that the engine refused the action. */
  consumed(nonce: number): void {
    if (!this.#window.isSettled(nonce)) this.#record({ kind: 'consumed', nonce });
  }

  /** The same for an action that the engine applied; a trigger order inside is stored now (G20). */
  applied(nonce: number): void {
    if (!this.#window.isSettled(nonce)) this.#record({ kind: 'applied', nonce });
  }

  /**
   * After a start, when the owner has read its own journal: of what is open, only `underWay` will be heard of again.
   * The rest was reserved for an action that never came to be sent, or for a filler.
   */
  restored(underWay: ReadonlySet<number>): void {
    const kept = new Set(underWay);
    for (const outer of underWay) {
      const nested = this.#window.nestedOf(outer);
      if (nested !== null) kept.add(nested);
    }
    for (const nonce of this.#window.open()) if (!kept.has(nonce)) this.dead(nonce);
    // Given back in one turn, and the process ended before the turn that tells the action so.
    for (const nonce of kept)
      if (this.state(nonce) === 'free') this.#record({ kind: 'unknown', nonce });
  }

  /** Reconciliation has proved that the action was not and will never be applied. */
  dead(nonce: number): void {
    this.#record({ kind: 'dead', nonce });
  }

  /** The floor as the hash route gives it; `asked` is `statedFloor` as it was when the question went out. */
  discovered(floor: number, window: number | null = null, asked = this.statedFloor): void {
    this.#record({ kind: 'floor', floor, window, from: 'discovery', asked });
  }

  /** A person has judged the floor that went backward. */
  unlatch(): void {
    this.#record({ kind: 'unlatched' });
  }

  demands(): readonly NonceDemand[] {
    return this.#window.demands();
  }

  state(nonce: number): NonceState {
    return this.#window.state(nonce);
  }

  /** Whether this action is the last that was signed with the nonce, as far as the journal reaches. */
  isOf(nonce: number, digest: string): boolean {
    return this.#window.superseded(nonce)?.digest === digest;
  }

  /** Only a filler may still take it. */
  isDead(nonce: number): boolean {
    return this.#window.isDead(nonce);
  }

  get floor(): number | null {
    return this.#window.floor;
  }

  get statedFloor(): number | null {
    return this.#window.statedFloor;
  }

  get isLatched(): boolean {
    return this.#window.isLatched;
  }

  /** All that is not yet handed out for a commit; to be committed in the order of the calls. */
  writes(): Write[] {
    if (this.#pending.length === 0) return [];
    const payload = Buffer.from(`[${this.#pending.map(eventJson).join()}]`);
    const writes: Write[] = [
      { kind: 'append', stream: this.#stream, expected: this.#end, payload },
    ];
    this.#end += 1;
    this.#sinceSnapshot += this.#pending.length;
    this.#pending = [];
    if (this.#sinceSnapshot >= snapshotEvery) {
      this.#sinceSnapshot = 0;
      const state = Buffer.from(JSON.stringify(this.#window.snapshot()));
      writes.push({ kind: 'snapshot', stream: this.#stream, position: this.#end, payload: state });
      // What lies before the last snapshot but one is of no use to a start; the rest a person may want to read.
      this.#dropped.most = this.#snapshotAt;
      this.#snapshotAt = this.#end;
    }
    if (this.#end % dropEvery === 0 && this.#dropped.to < this.#dropped.most) {
      this.#dropped.to = Math.min(this.#dropped.most, this.#dropped.to + dropAtOnce);
      writes.push({ kind: 'forget', stream: this.#stream, position: this.#dropped.to });
    }
    return writes;
  }

  async flush(): Promise<void> {
    const writes = this.writes();
    if (writes.length > 0) await this.#store.commit(writes);
  }

  /** Nonce 0 is never guessed, so an unasked start begins at 1 and the hole at 0 shows by itself (R25). */
  #startUnasked(discovery: 'hash_route' | 'first_reject'): void {
    if (discovery === 'first_reject') this.#record({ kind: 'assumed', floor: 1 });
  }

  #take(nonce: number, purpose: NoncePurpose, nested?: number): Reservation {
    const supersedes = this.#window.superseded(nonce) ?? null;
    this.#record({ kind: 'reserved', nonce, purpose, nested });
    return { nonce, supersedes };
  }

  #settle(nonce: number, { outcome, code, nonceConsumed, isResend }: NonceAnswer): void {
    // Most answers come after the event that has told the same.
    if (outcome === 'accepted' && this.#window.isSettled(nonce)) return;
    if (outcome === 'accepted') this.#record({ kind: nonceConsumed ? 'applied' : 'sent', nonce });
    else if (nonceConsumed === true) this.#record({ kind: 'consumed', nonce });
    else if (outcome === 'unknown' || isResend) this.#record({ kind: 'unknown', nonce });
    else if (code === 'nonce_replayed') this.#record({ kind: 'foreign', nonce });
    else if (nonceConsumed === false) {
      this.#record({ kind: 'released', nonce, proof: 'not_consumed' });
    } else this.#record({ kind: 'dead', nonce });
  }

  #record(event: NonceEvent): void {
    this.#window.apply(event);
    this.#pending.push(event);
  }
}

/** As JSON.stringify writes it, which takes three times as long over the few that an order causes. */
function eventJson(event: NonceEvent): string {
  switch (event.kind) {
    case 'sent':
    case 'applied':
      return `{"kind":"${event.kind}","nonce":${event.nonce}}`;
    case 'signed':
      return `{"kind":"signed","nonce":${event.nonce},"digest":"${event.digest}"}`;
    case 'reserved': {
      const { nonce, purpose, nested } = event;
      const inside = nested === undefined ? '' : `,"nested":${nested}`;
      return `{"kind":"reserved","nonce":${nonce},"purpose":"${purpose}"${inside}}`;
    }
    default:
      return JSON.stringify(event);
  }
}

const purposes = z.enum(['place', 'cancel', 'fill']);
const proofs = z.enum(['never_sent', 'not_consumed', 'refused']);
const nonceNumber = z.int().min(0);
const digestHex = z.string().regex(/^[0-9a-f]{64}$/);
const events: z.ZodType<NonceEvent[]> = z.array(
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('reserved'),
      nonce: nonceNumber,
      purpose: purposes,
      nested: nonceNumber.optional(),
    }),
    z.strictObject({ kind: z.literal('signed'), nonce: nonceNumber, digest: digestHex }),
    z.strictObject({ kind: z.literal('released'), nonce: nonceNumber, proof: proofs }),
    z.strictObject({
      kind: z.enum(['sent', 'unknown', 'dead', 'consumed', 'applied', 'foreign']),
      nonce: nonceNumber,
    }),
    z.strictObject({
      kind: z.literal('floor'),
      floor: nonceNumber,
      window: nonceNumber.nullable(),
      from: z.enum(['answer', 'discovery', 'outside_window']),
      asked: nonceNumber.nullable().optional(),
    }),
    z.strictObject({ kind: z.literal('assumed'), floor: nonceNumber }),
    z.strictObject({ kind: z.enum(['restarted', 'unlatched']) }),
  ]),
) as z.ZodType<NonceEvent[]>;
const snapshots: z.ZodType<NonceSnapshot> = z.strictObject({
  floor: nonceNumber.nullable(),
  stated: nonceNumber.nullable(),
  window: nonceNumber,
  next: nonceNumber,
  ceiling: nonceNumber.nullable(),
  latched: z.boolean(),
  slots: z.array(
    z.tuple([
      nonceNumber,
      z.strictObject({
        state: z.enum(['free', 'reserved', 'sent', 'unknown', 'used', 'expired']),
        purpose: purposes,
        digest: digestHex.nullable(),
        proof: proofs,
        isDead: z.boolean(),
        nested: nonceNumber.nullable(),
      }),
    ]),
  ),
});

function streamOf(account: string): string {
  return `nonces/${account}`;
}

async function* recordsOf(
  store: Pick<Store, 'read'>,
  stream: string,
  after: number,
): AsyncGenerator<{ readonly position: number; readonly events: readonly NonceEvent[] }> {
  for (let end = after; ; ) {
    const records = await store.read(stream, end, readAtOnce);
    for (const { position, payload } of records) {
      yield { position, events: readEvents(stream, position, payload) };
      end = position;
    }
    if (records.length < readAtOnce) return;
  }
}

/** A journal that cannot be read refuses to start: a guessed nonce could double an order. */
function readEvents(stream: string, position: number, payload: Uint8Array): NonceEvent[] {
  return parsed(events, payload, `${stream}, record ${position}`);
}

function readSnapshot(stream: string, payload: Uint8Array): NonceSnapshot {
  return parsed(snapshots, payload, `${stream}, snapshot`);
}

function parsed<T>(schema: z.ZodType<T>, payload: Uint8Array, where: string): T {
  try {
    return schema.parse(JSON.parse(Buffer.from(payload).toString()));
  } catch (cause) {
    throw new Error(`${where} is no record of nonces`, { cause });
  }
}
