/** Lines out of pieces of text. A line without an end is cut, so that nobody fills the memory with one. */
const longestLine = 256 * 1024;

export class LineSplitter {
  readonly #tell: (line: string) => void;
  #rest = '';

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  push(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = (lines.pop() ?? '').slice(0, longestLine);
    for (const line of lines) this.#tell(line);
  }
}
