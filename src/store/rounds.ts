/**
 * Decides when work that is requested in a round of the event loop is done. The first request is served at once,
 * because usually it is the only one; other requests of the same round are served together at its end. If recent rounds
 * had several, all wait for the end: one record costs less than two.
 */
export class Rounds {
  readonly #work: () => void;
  #isOpen = false;
  #isDue = false;
  #isCrowded = false;
  #asked = 0;

  constructor(work: () => void) {
    this.#work = work;
  }

  soon(): void {
    this.#asked += 1;
    if (this.#asked > 1 || this.#isCrowded) this.#isDue = true;
    else queueMicrotask(this.#work);
    this.#open();
  }

  atEnd(): void {
    this.#isDue = true;
    this.#open();
  }

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    setImmediate(() => this.#end());
  }

  #end(): void {
    this.#isOpen = false;
    this.#isCrowded = this.#asked > 1;
    this.#asked = 0;
    if (!this.#isDue) return;
    this.#isDue = false;
    this.#work();
  }
}
