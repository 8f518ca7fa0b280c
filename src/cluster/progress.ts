/**
 * Detects that the database has lost commits: a backup was restored, or a standby without the last commits was
 * promoted. The owner of a shard detects this as well, and exits. Its successor has nothing to compare with, so it must
 * not start on such a database until an operator has decided. A file keeps what was detected for the next process of
 * this node.
 */
import { readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { isThere } from '../runtime/directory.ts';
import { parsedAs } from '../runtime/parsed-json.ts';
import { replaceFileSync } from '../runtime/replace-file.ts';
import { hasGoneBack } from '../store/postgres/lease.ts';

const reachedShape = z.object({ epoch: z.int(), position: z.int() });
type Reached = z.output<typeof reachedShape>;

/** By shard: how far it had come; null if only its owner knows that. */
const lostShape = z.array(z.tuple([z.string(), reachedShape.nullable()]));

export class Progress {
  readonly #file: string;
  readonly #reached = new Map<string, Reached>();
  readonly #lost = new Map<string, Reached | null>();

  constructor(file: string) {
    this.#file = file;
    if (!isThere(file)) return;
    const lost = parsedAs(lostShape, readFileSync(file, 'utf8'));
    if (lost === undefined)
      throw new Error(`${file} is damaged; delete it to accept the database as it is`);
    for (const [shard, reached] of lost) {
      this.#lost.set(shard, reached);
      if (reached !== null) this.#reached.set(shard, reached);
    }
  }

  /** Returns false if the shard was further ahead at an earlier read. */
  holds(shard: string, { epoch, position }: Reached): boolean {
    if (this.#lost.get(shard) === null) return false;
    const before = this.#reached.get(shard);
    if (before !== undefined && hasGoneBack(before, { epoch, position })) {
      this.#lose(shard, before);
      return false;
    }
    this.#reached.set(shard, { epoch, position });
    if (this.#lost.delete(shard)) this.#keep();
    return true;
  }

  /** The shard's owner, which knows commits that no other process has read, has detected the loss. */
  forgotten(shard: string): void {
    this.#lose(shard, null);
  }

  /** An operator has accepted the current state of the shard. */
  forget(shard: string): void {
    this.#reached.delete(shard);
    if (this.#lost.delete(shard)) this.#keep();
  }

  #lose(shard: string, reached: Reached | null): void {
    if (this.#lost.has(shard) && this.#lost.get(shard) === reached) return;
    this.#lost.set(shard, reached);
    this.#keep();
  }

  #keep(): void {
    try {
      if (this.#lost.size === 0) rmSync(this.#file, { force: true });
      else replaceFileSync(this.#file, JSON.stringify([...this.#lost]));
    } catch {
      // On a full disk only this process knows it, and goes on to leave the shard alone.
    }
  }
}

/**
 * What a node announces among the shards that it serves, although it is none: its worker knows of commits that the
 * database has lost. No other node could notice the loss of commits that it has not read yet.
 */
export function lostMark(shard: string): string {
  return `lost commits of ${shard}`;
}
