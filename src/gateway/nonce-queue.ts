/**
 * What waits for a nonce (contract R29, D.6): cancels go before placements, for a part of the window is kept for them;
 * among each, what came first goes first.
 */
import type { Intent } from '../domain/intent.ts';
import type { Errand } from './errand.ts';

/** Wanted, but no nonce is free. */
export interface WaitingErrand extends Pick<Errand, 'requestId' | 'clientOrderId'> {
  readonly key: string;
  readonly intent: Intent;
  readonly untilMs: number;
}

export class NonceQueue {
  readonly #queues: Readonly<Record<Errand['priority'], WaitingErrand[]>> = {
    cancel: [],
    place: [],
  };

  get length(): number {
    return this.#queues.cancel.length + this.#queues.place.length;
  }

  has(priority: Errand['priority']): boolean {
    return this.#queues[priority].length > 0;
  }

  add(priority: Errand['priority'], errand: WaitingErrand): void {
    this.#queues[priority].push(errand);
  }

  /** Takes out what is meant and would place something; cancels stay. */
  withdraw(isMeant: (errand: WaitingErrand) => boolean): readonly WaitingErrand[] {
    const waiting = this.#queues.place.splice(0);
    const [withdrawn, kept]: [WaitingErrand[], WaitingErrand[]] = [[], []];
    for (const one of waiting) (places(one) && isMeant(one) ? withdrawn : kept).push(one);
    this.#queues.place.push(...kept);
    return withdrawn;
  }

  /** `start` says whether there was a nonce; what has waited too long is given up. */
  retry(
    nowMs: number,
    {
      start,
      giveUp,
    }: Record<'start', (errand: WaitingErrand) => boolean> &
      Record<'giveUp', (errand: WaitingErrand) => void>,
  ): void {
    for (const queue of [this.#queues.cancel, this.#queues.place]) {
      for (let first = queue.shift(); first !== undefined; first = queue.shift()) {
        if (first.untilMs <= nowMs) giveUp(first);
        else if (!start(first)) {
          queue.unshift(first);
          break;
        }
      }
    }
  }
}

/** A group of legs may cancel alone. */
function places({ intent }: WaitingErrand): boolean {
  return intent.kind !== 'group' || intent.legs.some(({ qty }) => qty > 0n);
}
