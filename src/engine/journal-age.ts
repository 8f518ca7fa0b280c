/** Tracks the age of a journal's records by the position that the journal had on each noted day, in UTC. */
import { z } from 'zod';

const dayMs = 86_400_000;
const form = z.array(z.strictObject({ day: z.int(), position: z.int() }));

type Mark = z.output<typeof form>[number];

export class JournalAge {
  /** Both days and positions increase. */
  readonly #marks: Mark[];

  /** `payload` is the result of `encode`. */
  constructor(payload?: Uint8Array) {
    this.#marks =
      payload === undefined ? [] : form.parse(JSON.parse(Buffer.from(payload).toString()));
  }

  /** Notes that the records up to `position` were written by this day. Only the first note of a day counts. */
  note(position: number, nowMs: number): void {
    const day = dayOf(nowMs);
    const last = this.#marks.at(-1);
    if (last === undefined || day > last.day) this.#marks.push({ day, position });
  }

  /** Returns the position up to which all records are more than `days` days old. */
  expired(nowMs: number, days: number): number {
    const isOver = ({ day }: Mark) => day + days < dayOf(nowMs);
    const over = this.#marks.findLastIndex(isOver);
    if (over > 0) this.#marks.splice(0, over);
    return over < 0 ? 0 : (this.#marks[0]?.position ?? 0);
  }

  encode(): Uint8Array {
    return Buffer.from(JSON.stringify(this.#marks));
  }
}

function dayOf(wallMs: number): number {
  return Math.floor(wallMs / dayMs);
}
