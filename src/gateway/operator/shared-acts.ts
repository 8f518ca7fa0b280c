/**
 * Acts of an operator that all shards of a cluster carry out: the kill switch and limits
 * (docs/decisions/0289-kill-switch-and-limits-of-a-cluster.md). They are numbered, and every shard carries them out in
 * this order. Each shard records an act in its own journal, so an owner that was replaced cannot confirm anything, and
 * the next owner continues after it.
 */
import { z } from 'zod';
import { RecordStream } from '../../store/record-stream.ts';
import type { Transactions } from '../../store/transactions.ts';
import { limits } from '../config/config-keys.ts';
import { scopeText } from '../gate/limit-changes.ts';
import { type Actor, ActRefused, type Operator } from './operator.ts';

export const maxReason = 200;
const text = z.string().min(1).max(200);
/** PostgreSQL refuses NUL and half a surrogate pair; other control characters are commands to a terminal. */
export const plain = z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters');
export const plainText = text.check(plain);

const actWith = (name: z.ZodString) => {
  const one = z.strictObject({ kind: z.enum(['account', 'session']), name });
  const scope = z.union([z.strictObject({ kind: z.literal('all') }), one]);
  return z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('kill'), scope }),
    z.strictObject({ kind: z.literal('release'), scope }),
    /** Null restores the limits of the configuration. */
    z.strictObject({ kind: z.literal('set_limits'), target: one, limits: limits.nullable() }),
  ]);
};
const sharedAct = actWith(text);
export type SharedAct = z.output<typeof sharedAct>;

/** What a node accepts. Stored acts have wider limits, because each one must stay readable. */
export const acceptedShape = z.strictObject({
  by: z.strictObject({ who: plainText, why: plainText.max(maxReason) }),
  act: actWith(plainText),
});

export const askedActShape = z.strictObject({
  /** Stays the same when the act is sent again. */
  uid: z.string().min(1).max(100),
  /** The operator's node. */
  node: z.string().max(100),
  by: z.strictObject({ who: text, why: z.string().min(1).max(500) }),
  act: sharedAct,
});
/** An act before it has a number. */
export type AskedForAll = z.output<typeof askedActShape>;

const numberedShape = askedActShape.extend({ id: z.int().min(1), atMs: z.int() });
export type NumberedAct = z.output<typeof numberedShape>;

const doneShape = z.strictObject({
  numbered: numberedShape,
  /** The worker's node. */
  node: z.string(),
  atMs: z.int(),
  /** False if the account or session belongs to another shard. */
  isHere: z.boolean(),
  text: z.string(),
});
/** The record of an act that a shard has carried out. */
export type DoneAct = z.output<typeof doneShape>;

/** The operator's acts that all shards can carry out. */
export type ActingOperator = Pick<Operator, 'kill' | 'kills' | 'release' | 'setLimits'>;

/** The part of a bridge that carries out such acts. */
export interface ActingBridge {
  readonly operator: ActingOperator;
  readonly sharedActs: SharedActs;
}

export const sharedActStream = 'shared-acts';
/** Enough for a console page, and for a node that reads them from its shards when it starts. */
const maxKept = 100;

export function readDone(payload: Uint8Array): DoneAct {
  return doneShape.parse(JSON.parse(Buffer.from(payload).toString()));
}

export class SharedActs {
  readonly #transactions: Transactions;
  readonly #records: RecordStream<unknown>;
  #done: DoneAct[] = [];
  #last = 0;

  static async open(transactions: Transactions): Promise<SharedActs> {
    const own = new SharedActs(transactions);
    await own.#records.read();
    return own;
  }

  private constructor(transactions: Transactions) {
    this.#transactions = transactions;
    const take = (json: unknown) => this.#take(doneShape.parse(json));
    this.#records = new RecordStream(transactions, sharedActStream, take);
  }

  /** The latest acts, in order. */
  get done(): readonly DoneAct[] {
    return this.#done;
  }

  /** The number of the last act. */
  get last(): number {
    return this.#last;
  }

  /** The act takes effect at once. Resolves when it is durable, or with undefined if it had been carried out before. */
  async apply(
    operator: ActingOperator,
    numbered: NumberedAct,
    { atMs, node }: { readonly atMs: number; readonly node: string },
  ): Promise<DoneAct | undefined> {
    if (numbered.id <= this.#last) return undefined;
    // These are two commits. After a crash between them the next start repeats the act, which changes nothing.
    const done = { numbered, node, atMs, ...resultHere(operator, numbered) };
    return new Promise((resolve) => {
      this.#transactions.run(() => {
        this.#records.append(done);
        this.#transactions.after(() => resolve(done));
      });
    });
  }

  #take(done: DoneAct): void {
    this.#last = done.numbered.id;
    this.#done.push(done);
    if (this.#done.length > 2 * maxKept) this.#done = this.#done.slice(-maxKept);
  }
}

/** Like `carryOutHere`, for an account or session that may belong to another shard. */
export function resultHere(
  operator: ActingOperator,
  { act, by }: { readonly act: SharedAct; readonly by: Actor },
): Pick<DoneAct, 'isHere' | 'text'> {
  try {
    return { isHere: true, text: carryOutHere(operator, by, act) };
  } catch (error) {
    if (!(error instanceof ActRefused)) throw error;
    return { isHere: false, text: error.message };
  }
}

/** Carries out an act on one bridge or shard; returns the result as text. */
export function carryOutHere(operator: ActingOperator, by: Actor, act: SharedAct): string {
  switch (act.kind) {
    case 'kill':
      return `The kill switch is on; ${ordersText(operator.kill(by, act.scope))} being canceled.`;
    case 'release':
      return releasedText(operator.release(by, act.scope), operator);
    case 'set_limits':
      operator.setLimits(by, act.target, act.limits);
      return act.limits === null
        ? `The limits of ${act.target.name} are those of the configuration.`
        : `The limits of ${act.target.name} are changed, until they are changed again.`;
  }
}

/** Orders of a scope are accepted again only if no other kill switch applies to them. */
function releasedText(wasOn: boolean, { kills }: ActingOperator): string {
  const text = wasOn ? 'The kill switch is off.' : 'It was not on for this scope.';
  if (kills.length === 0) return text;
  const named = kills.slice(0, maxNamed).map(({ scope }) => scopeText(scope));
  const more = kills.length > maxNamed ? ` and ${kills.length - maxNamed} more` : '';
  return `${text} Still on: ${named.join(', ')}${more}.`;
}

const maxNamed = 3;

export function ordersText(count: number): string {
  return count === 1 ? '1 order is' : `${count} orders are`;
}
