/**
 * Notices that the database has forgotten something: a backup was restored, or a standby without the last commits was promoted. The
 * owner of a shard notices it, too, and ends; but the next one, which remembers nothing, must not be started on such a database
 * before a person has decided so.
 */
interface Reached {
  readonly epoch: number;
  readonly position: number;
}

export class Progress {
  readonly #reached = new Map<string, Reached>();
  readonly #forgotten = new Set<string>();

  /** False if the shard was further when it was read before; then it stays false until `forget`. */
  holds(shard: string, { epoch, position }: Reached): boolean {
    if (this.#forgotten.has(shard)) return false;
    const before = this.#reached.get(shard);
    if (before !== undefined && (epoch < before.epoch || position < before.position)) return false;
    this.#reached.set(shard, { epoch, position });
    return true;
  }

  /** Its owner has found it out, which knows of commits that nobody else has read. */
  forgotten(shard: string): void {
    this.#forgotten.add(shard);
  }

  /** An operator says that the database as it is now is the right one. */
  forget(): void {
    this.#reached.clear();
    this.#forgotten.clear();
  }
}
