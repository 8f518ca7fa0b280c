/** Splits text into lines. An overlong line is truncated, so that it cannot exhaust the memory. */
const longestLine = 256 * 1024;

export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #rest = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = (lines.pop() ?? '').slice(0, longestLine);
    for (const line of lines) this.#onLine(line);
  }
}
