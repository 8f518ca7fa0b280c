/** Swaps two answers, as an intermediary does that has mixed up its responses. */
import type { VenueResponse } from './http-message.ts';

interface Waiting {
  readonly answer: VenueResponse;
  send(answer: VenueResponse): void;
}

export class AnswerSwap {
  #first: Waiting | undefined;

  /** The first waits for a second, however long that takes. */
  meet(answer: VenueResponse, send: (answer: VenueResponse) => void): void {
    const first = this.#first;
    if (first === undefined) {
      this.#first = { answer, send };
      return;
    }
    this.#first = undefined;
    first.send(answer);
    send(first.answer);
  }

  /** An answer without a second one goes to its own request. */
  release(): void {
    const first = this.#first;
    this.#first = undefined;
    first?.send(first.answer);
  }
}
