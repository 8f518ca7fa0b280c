/**
 * Keys of orders and quote groups: `<account alias>#<number>`, counted per account. Clients cannot influence the keys,
 * so no choice of ClOrdID(11), QuoteID(117) or entry ids can make two orders collide
 * (docs/decisions/0250-the-account-names-its-orders.md).
 */

/** Journals of earlier versions contain keys of the form `COMPID:ClOrdID`; an alias has no colon. */
const numbered = /^[^:#]*#(\d{1,15})$/;

/** Earlier versions could give such a key to two orders; reading their journal, the second replaces the first. */
export function isOfEarlierVersion(key: string): boolean {
  return key.indexOf(':') > 0;
}

export class OrderKeys {
  #last = 0;

  /** The highest number in use. */
  get last(): number {
    return this.#last;
  }

  /** Returns the account's next keys. They are not used up until the input that carries them is applied. */
  next(alias: string, count: number): readonly string[] {
    return Array.from({ length: count }, (_, index) => `${alias}#${this.#last + index + 1}`);
  }

  /** Marks the key of an input as used, also when a start replays the journal. */
  take(key: string): void {
    const number = numbered.exec(key)?.[1];
    if (number !== undefined) this.#last = Math.max(this.#last, Number(number));
  }

  restore(last: number): void {
    this.#last = last;
  }
}
