/**
 * Detects in a worker that its node process no longer runs, so that clients cannot reach the worker. It counts its own
 * checks instead of measuring time: a worker that was suspended together with its node would otherwise blame the node
 * when both resume.
 */
import type { Clock } from '../runtime/clock.ts';
import { leaseMs } from '../store/postgres/lease.ts';

const looks = 6;
const lookMs = leaseMs / looks;

export class NodeWatch {
  readonly #clock: Clock;
  readonly #silent: () => void;
  #missed = 0;
  #cancel = () => {};

  /** Calls back once when the node has been silent for a lease. */
  constructor(clock: Clock, silent: () => void) {
    this.#clock = clock;
    this.#silent = silent;
    this.#wait();
  }

  nodeAlive(): void {
    this.#missed = 0;
  }

  stop(): void {
    this.#cancel();
  }

  #wait(): void {
    this.#cancel = this.#clock.at(this.#clock.now().monoMs + lookMs, () => {
      this.#missed += 1;
      if (this.#missed > looks) this.#silent();
      else this.#wait();
    });
  }
}
