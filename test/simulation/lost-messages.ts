/**
 * Messages of the bridge that their client can not read any more, because its sequence numbers began anew before it had
 * them: FIX forgets them. They are read from what the store was given, so that all others must be told.
 */
import type { Write } from '../../src/store/store.ts';
import { pairsOf, type Said } from './fix-trader.ts';

/** Messages by their number. */
type Numbered = Map<number, Said>;

export class LostMessages {
  /** By the name of the session; the last are of the present numbers. */
  readonly #kept = new Map<string, Numbered[]>();

  read(writes: readonly Write[]): void {
    for (const write of writes) {
      if (write.kind === 'messages') this.#keep(write);
      if (write.kind === 'reset') this.#of(write.session).push(new Map());
    }
  }

  /** What had earlier numbers: from this one on of the first, and all of those that began since. */
  take(session: string, from: number): readonly Said[] {
    const all = this.#of(session);
    const [first = new Map(), ...others] = all.splice(0, all.length - 1);
    const lost = [...first].filter(([seq]) => seq >= from).map(([, said]) => said);
    return [...lost, ...others.flatMap((numbered) => [...numbered.values()])];
  }

  #keep({ bytes, ends, firstSeq, session }: Extract<Write, { kind: 'messages' }>): void {
    for (const [index, end] of ends.entries()) {
      const text = Buffer.from(bytes.subarray(ends[index - 1] ?? 0, end)).toString('latin1');
      if (text.startsWith('8=FIX'))
        this.#of(session)
          .at(-1)
          ?.set(firstSeq + index, pairsOf(text));
    }
  }

  #of(session: string): Numbered[] {
    const known = this.#kept.get(session) ?? [new Map()];
    this.#kept.set(session, known);
    return known;
  }
}
