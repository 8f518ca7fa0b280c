/**
 * What is wrong with a request. The first fault is kept and a stand-in takes the place of the value, so that a reader is one
 * expression. Whoever reads looks at `fault` once, before the command goes anywhere.
 */
import { type Denial, deny } from '../domain/denial.ts';

export class RequestFault {
  #fault: Denial | undefined;

  /** What was wrong first. */
  get fault(): Denial | undefined {
    return this.#fault;
  }

  refuse(name: string, text: string): void {
    this.#fault ??= deny(name, text);
  }

  /** A refusal that has a reason of its own in the answer to this kind of request. */
  deny(denial: Denial): void {
    this.#fault ??= denial;
  }
}
