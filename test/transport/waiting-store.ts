import type { Write } from '../../src/store/store.ts';
import { MemoryStore } from '../support/memory-store.ts';

/** What waits here goes on when it is opened. */
class Gate {
  passed: Promise<void> | undefined;
  #go = () => {};
  #fail = (_error: Error) => {};

  close(): void {
    this.passed = new Promise((resolve, reject) => {
      this.#go = resolve;
      this.#fail = reject;
    });
  }

  open(): void {
    this.passed = undefined;
    this.#go();
  }

  /** Opens, and what waits fails. */
  fail(error: Error): void {
    this.passed = undefined;
    this.#fail(error);
  }
}

/** A memory store whose disk can be made to wait. A read brings what was there when it began. */
export class WaitingStore extends MemoryStore {
  readonly commits: (readonly Write[])[] = [];
  readonly reads: string[] = [];
  readonly writing = new Gate();
  readonly reading = new Gate();

  override async commit(writes: readonly Write[]): Promise<void> {
    this.commits.push(writes);
    await this.writing.passed;
    return super.commit(writes);
  }

  override async messages(
    ...asked: Parameters<MemoryStore['messages']>
  ): ReturnType<MemoryStore['messages']> {
    this.reads.push(`${asked[1]}-${asked[2]}`);
    const found = super.messages(...asked);
    await this.reading.passed;
    return found;
  }

  override async held(...asked: Parameters<MemoryStore['held']>): ReturnType<MemoryStore['held']> {
    this.reads.push(`held after ${asked[1]}`);
    return super.held(...asked);
  }
}
