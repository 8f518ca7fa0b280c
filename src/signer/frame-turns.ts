/**
 * The connections of the signer in turns: one frame of each, then whatever has arrived meanwhile is read. A connection
 * that floods only gets the time that no other connection needs (docs/decisions/0042-the-signer.md).
 */
export interface FrameLine {
  /** Takes up one frame; returns whether another one may be taken up in the next round. */
  next(): boolean;
}

export class FrameTurns {
  readonly #ready = new Set<FrameLine>();
  #isBetweenRounds = false;

  /** The line has a frame that may be taken up: at once if no other one waits. */
  add(line: FrameLine): void {
    this.#ready.add(line);
    if (!this.#isBetweenRounds) this.#round();
  }

  #round(): void {
    this.#isBetweenRounds = true;
    for (const line of [...this.#ready]) if (!line.next()) this.#ready.delete(line);
    setImmediate(() => {
      this.#isBetweenRounds = false;
      if (this.#ready.size > 0) this.#round();
    });
  }
}
