/**
 * Collects the first fault of a request and substitutes a placeholder for the value, so that each reader is a single
 * expression. The caller checks `fault` once, before it uses the command.
 */
import { type Denial, deny } from '../domain/denial.ts';

export class RequestFault {
  #fault: Denial | undefined;

  /** The first fault. */
  get fault(): Denial | undefined {
    return this.#fault;
  }

  refuse(name: string, text: string): void {
    this.#fault ??= deny(name, text);
  }

  /** A refusal with its own reason in the response to this kind of request. */
  deny(denial: Denial): void {
    this.#fault ??= denial;
  }
}
