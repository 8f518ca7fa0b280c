/**
 * Detects that the database has lost commits: a backup was restored, or a standby without the last commits was
 * promoted. The owner of a shard detects this as well, and exits. Its successor has nothing to compare with, so it must
 * not start on such a database until an operator has decided.
 */
interface Reached {
  readonly epoch: number;
  readonly position: number;
}

export class Progress {
  readonly #reached = new Map<string, Reached>();
  readonly #forgotten = new Set<string>();

  /** Returns false if the shard was further ahead at an earlier read, and from then on until `forget`. */
  holds(shard: string, { epoch, position }: Reached): boolean {
    if (this.#forgotten.has(shard)) return false;
    const before = this.#reached.get(shard);
    if (before !== undefined && (epoch < before.epoch || position < before.position)) return false;
    this.#reached.set(shard, { epoch, position });
    return true;
  }

  /** The shard's owner, which knows commits that no other process has read, has detected the loss. */
  forgotten(shard: string): void {
    this.#forgotten.add(shard);
  }

  /** An operator has accepted the current state of the database. */
  forget(): void {
    this.#reached.clear();
    this.#forgotten.clear();
  }
}

/**
 * What a node announces among the shards that it serves, although it is none: its worker knows of commits that the
 * database has lost. No other node could notice the loss of commits that it has not read yet.
 */
export function lostMark(shard: string): string {
  return `lost commits of ${shard}`;
}
