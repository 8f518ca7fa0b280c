/** What a client of the FIX lane may ask about markets, users and the session, at random. */
import type { Dice } from './dice.ts';

const last = 12;

export class MarketQuestions {
  readonly #dice: Dice;
  readonly #symbols: readonly string[];
  #count = 0;

  constructor(dice: Dice, symbols: readonly string[]) {
    this.#dice = dice;
    this.#symbols = symbols;
  }

  /** A subscription may be asked for again, and ended whether or not there is one. */
  next(): string {
    const dice = this.#dice;
    const symbol = dice.pick(this.#symbols);
    const id = `k${dice.hits(600) ? ++this.#count : Math.max(1, this.#count - dice.below(last))}`;
    const how = `263=${dice.pick([0, 1, 1, 2])}`;
    const entries = dice.pick(['267=2|269=0|269=1', '267=1|269=0']);
    return dice.pick([
      `x|320=${id}|559=4`,
      `x|320=${id}|559=0|55=${symbol}`,
      `e|324=${id}|55=${symbol}|${how}`,
      `g|335=${id}|${how}`,
      `V|262=${id}|${how}|264=${dice.below(3)}|${entries}|146=1|55=${symbol}`,
      `V|262=${id}|${how}|264=0|${entries}|146=2|55=${symbol}|55=${dice.pick(this.#symbols)}`,
      `BE|923=${id}|924=4|553=user-${dice.below(6)}`,
    ]);
  }
}
