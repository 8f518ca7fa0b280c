/** `dropped`: the connection has closed, or the queue was full. */
export type Finding = 'right' | 'wrong' | 'dropped';

/** A check that is still running elsewhere and determines a verdict. The caller repeats its call after it. */
export class PendingVerdict {
  /** Resolves with the result of the check. */
  readonly over: Promise<Finding>;
  /** Called when the verdict is no longer needed. */
  readonly giveUp: () => void;

  constructor(over: Promise<Finding>, giveUp: () => void) {
    this.over = over;
    this.giveUp = giveUp;
  }
}
