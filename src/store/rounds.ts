/**
 * When the work that was asked for in a round of the event loop is done. The first to ask has it done at once, because
 * mostly it is the only one; what others ask for in the same round is done at its end, together. Where rounds have
 * several, all wait for the end: one record costs less than two.
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
