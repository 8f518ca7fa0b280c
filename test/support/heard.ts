import { within } from './waits.ts';

/** A busy machine takes its time. */
const patienceMs = 20_000;

/** The messages that a client has received on one connection and that no test has asked for yet. */
export class Heard {
  readonly #messages: string[] = [];
  #isClosed = false;
  #wake = () => {};

  get isClosed(): boolean {
    return this.#isClosed;
  }

  push(message: string): void {
    this.#messages.push(message);
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** The first that is wanted; those before it are dropped. */
  async next(isWanted: (message: string) => boolean): Promise<string> {
    const endMs = Date.now() + patienceMs;
    for (;;) {
      const index = this.#messages.findIndex(isWanted);
      const [message] = index < 0 ? [] : this.#messages.splice(0, index + 1).slice(-1);
      if (message !== undefined) return message;
      if (this.#isClosed) throw new Error('the bridge closed the connection');
      const another = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await within(`the bridge says ${isWanted}`, another, endMs - Date.now());
    }
  }

  /** All of them. */
  take(): string[] {
    return this.#messages.splice(0);
  }
}
