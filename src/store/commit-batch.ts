/**
 * The commits that wait to be written together, for every store. The first commit of a round of the event loop is
 * written at once, because usually it is the only one; later commits of the same round are written together at its end.
 * If the previous round had several, all wait for the end: one record costs less than two.
 */
import { sizeOf } from './session-row.ts';
import { type CommitOptions, StoreFailed, type Write } from './store.ts';

/** How long a commit that nobody waits for may wait for another one. */
const patienceMs = 5;

export interface Commit {
  readonly writes: readonly Write[];
  readonly bytes: number;
  /** Returns writes to repeat; called when the batch is written. */
  readonly carry: (() => readonly Write[]) | undefined;
  readonly onWritten: (() => void) | undefined;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export interface CommitBatchOptions {
  /** The limit for commits that are not confirmed. Beyond it the owner exits, rather than fill the memory. */
  readonly maxWaitingBytes: number;
  /** What does not keep up when the limit is exceeded. */
  readonly medium: string;
  /** Whether another batch can be written now. If not, the owner calls `writeNext` later. */
  canWrite(): boolean;
  /** Takes commits and writes them. */
  write(): void;
  fail(error: Error): void;
}

export class CommitBatch {
  readonly #options: CommitBatchOptions;
  #commits: Commit[] = [];
  #waitingBytes = 0;
  #failure: Error | undefined;
  #patience: NodeJS.Timeout | undefined;
  #isRoundOpen = false;
  #isDueAtEnd = false;
  #hadSeveral = false;
  #inRound = 0;

  constructor(options: CommitBatchOptions) {
    this.#options = options;
  }

  /** The size of all commits that are not confirmed. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Why nothing is written any more. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  add(
    writes: readonly Write[],
    { onWritten, mayWait = false }: CommitOptions = {},
    carry?: () => readonly Write[],
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      let bytes = 0;
      for (const write of writes) bytes += sizeOf(write);
      this.#commits.push({ writes, bytes, carry, onWritten, resolve, reject });
      this.#waitingBytes += bytes;
      const { canWrite, fail, maxWaitingBytes, medium } = this.#options;
      if (this.#waitingBytes > maxWaitingBytes) {
        fail(new StoreFailed(`${medium} does not keep up: ${this.#waitingBytes} bytes wait`));
      } else if (!canWrite()) return;
      else if (mayWait) this.#patience ??= setTimeout(() => this.#soon(), patienceMs);
      // A commit without writes only waits for earlier ones.
      else if (writes.length === 0) this.#atEnd();
      else this.#soon();
    });
  }

  /** Returns the oldest commits, at least this many bytes if there are. */
  take(bytes = Number.POSITIVE_INFINITY): readonly Commit[] {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    let count = 0;
    for (let size = 0; count < this.#commits.length && size < bytes; count += 1) {
      size += this.#commits[count]?.bytes ?? 0;
    }
    return this.#commits.splice(0, count);
  }

  /** Confirms commits that were taken: each succeeded, or has the conflict at its place in `conflicts`. */
  settle(commits: readonly Commit[], conflicts: readonly (Error | undefined)[]): void {
    for (const [at, { bytes, reject, resolve }] of commits.entries()) {
      this.#waitingBytes -= bytes;
      const conflict = conflicts[at];
      if (conflict === undefined) resolve();
      else reject(conflict);
    }
    this.writeNext();
  }

  /** Writes what has arrived in the meantime, if anything. */
  writeNext(): void {
    if (this.#commits.length > 0 && this.#options.canWrite()) this.#soon();
  }

  /** Rejects these commits, those that wait and all later ones. */
  fail(error: Error, taken: readonly Commit[] = []): void {
    this.#failure ??= error;
    clearTimeout(this.#patience);
    for (const { reject } of [...taken, ...this.#commits]) reject(this.#failure);
    this.#commits = [];
  }

  #soon(): void {
    this.#inRound += 1;
    if (this.#inRound > 1 || this.#hadSeveral) this.#isDueAtEnd = true;
    else queueMicrotask(() => this.#options.write());
    this.#openRound();
  }

  #atEnd(): void {
    this.#isDueAtEnd = true;
    this.#openRound();
  }

  #openRound(): void {
    if (this.#isRoundOpen) return;
    this.#isRoundOpen = true;
    setImmediate(() => this.#closeRound());
  }

  #closeRound(): void {
    this.#isRoundOpen = false;
    this.#hadSeveral = this.#inRound > 1;
    this.#inRound = 0;
    if (!this.#isDueAtEnd) return;
    this.#isDueAtEnd = false;
    this.#options.write();
  }
}
