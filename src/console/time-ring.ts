/** Numbers by steps of wall time, with a row for each step, in a ring of constant size. */

/** Doubles count exactly; floats take half of the memory, and are exact up to 16 million. */
export type Cells = Float64Array | Float32Array;

export class TimeRing {
  readonly stepMs: number;
  readonly #steps: number;
  readonly #width: number;
  readonly #cells: Cells;
  #last = -1;

  /** `cells` has `width` numbers for each step. */
  constructor(stepMs: number, width: number, cells: Cells) {
    this.stepMs = stepMs;
    this.#width = width;
    this.#cells = cells;
    this.#steps = cells.length / width;
  }

  /** The current row. If the clock was set back, it is the latest row; if by more than the ring, the ring restarts. */
  at(wallMs: number): Cells {
    const steps = this.#steps;
    const now = Math.floor(wallMs / this.stepMs);
    if (now <= this.#last - steps) this.#last = now - steps;
    const step = Math.max(this.#last, now);
    const first = Math.max(this.#last + 1, step - steps + 1);
    for (let each = first; each <= step; each += 1) this.#row(each).fill(0);
    this.#last = step;
    return this.#row(step);
  }

  /** The rows of the last steps, oldest first. */
  rows(wallMs: number, steps = this.#steps): readonly Cells[] {
    this.at(wallMs);
    return Array.from({ length: steps }, (_, index) => this.#row(this.#last - steps + 1 + index));
  }

  get endMs(): number {
    return (this.#last + 1) * this.stepMs;
  }

  #row(step: number): Cells {
    const start = (((step % this.#steps) + this.#steps) % this.#steps) * this.#width;
    return this.#cells.subarray(start, start + this.#width);
  }
}

export function cellOf(row: Cells, at: number): number {
  return row[at] as number;
}

export function addTo(row: Cells, at: number, value: number): void {
  row[at] = (row[at] as number) + value;
}
