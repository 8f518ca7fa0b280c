/** How old the records of a journal are: where it stood on the days that it was noted, in UTC. */
import { z } from 'zod';

const dayMs = 86_400_000;
const form = z.array(z.strictObject({ day: z.int(), position: z.int() }));

type Mark = z.output<typeof form>[number];

export class JournalAge {
  /** Days rise, and so do positions. */
  readonly #marks: Mark[];

  /** As `encode` left it. */
  constructor(payload?: Uint8Array) {
    this.#marks =
      payload === undefined ? [] : form.parse(JSON.parse(Buffer.from(payload).toString()));
  }

  /** The record at `position` and those before it are of this day or older; the first of a day counts. */
  note(position: number, nowMs: number): void {
    const day = dayOf(nowMs);
    const last = this.#marks.at(-1);
    if (last === undefined || day > last.day) this.#marks.push({ day, position });
  }

  /** Up to here the records are of days that lie more than so many days back. */
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
