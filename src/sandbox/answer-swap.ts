/** Swaps two answers, like an intermediary that confuses its responses. */
import type { VenueResponse } from './http-message.ts';

interface Waiting {
  readonly answer: VenueResponse;
  send(answer: VenueResponse): void;
}

export class AnswerSwap {
  #first: Waiting | undefined;

  /** The first answer waits for a second one without a time limit. */
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

  /** Sends an answer without a second one to its own request. */
  release(): void {
    const first = this.#first;
    this.#first = undefined;
    first?.send(first.answer);
  }
}
