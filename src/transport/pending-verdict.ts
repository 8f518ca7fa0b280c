/** `dropped`: nobody waits for the answer any more, or too much else waited to find it out. */
export type Finding = 'right' | 'wrong' | 'dropped';

/**
 * Something that a verdict depends on and that is being found out elsewhere. Whoever gets it in place of a verdict asks
 * the same again when it is over.
 */
export class PendingVerdict {
  /** Resolves when it is over: whether it speaks for the connection. */
  readonly over: Promise<Finding>;
  /** Nobody waits for it any more. */
  readonly giveUp: () => void;

  constructor(over: Promise<Finding>, giveUp: () => void) {
    this.over = over;
    this.giveUp = giveUp;
  }
}
