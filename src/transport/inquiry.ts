/**
 * Something that a verdict depends on and that is being found out elsewhere. Whoever gets it in the place of a verdict asks
 * the same again when it is over.
 */
export class Inquiry {
  /** Resolves when it is over: whether it speaks for the connection. */
  readonly over: Promise<boolean>;
  /** Nobody waits for it any more. */
  readonly giveUp: () => void;

  constructor(over: Promise<boolean>, giveUp: () => void) {
    this.over = over;
    this.giveUp = giveUp;
  }
}
