/**
 * Packets as tools print them in hex: `tcpdump -x`, `-xx`, `-X`, `tshark -x`, `xxd`, and bare payloads such as
 * `tshark -T fields -e tcp.payload` gives, one a line.
 *
 *   0x0000:  4500 0034 1c46 4000 …  E..4.F@.        0000  45 00 00 34 …   E..4        383d4649582e342e34…
 */

/** An offset, then groups of hex digits, then at least two blanks before the text column. */
const dumpLine =
  /^\s*(?:0x)?([0-9a-f]{4,8}):?\s{1,2}((?:[0-9a-f]{2}){1,2}(?: {1,2}(?:[0-9a-f]{2}){1,2})*)(?:\s{2,}.*|\s*)$/i;
const bareLine = /^\s*(?:[0-9a-f]{2}:?){8,}\s*$/i;
/** What tshark prints once more behind the packet that made it whole. */
const repeated = /^Reassembled /;
const mostBytes = 256 * 1024;

export class HexDump {
  #bytes: Buffer[] = [];
  #length = 0;
  #isRepeat = false;

  /**
   * Takes one line. Answers the bytes that are whole now: a dump ends where the next begins or where other text
   * stands, a bare payload with its line. `isHex` says whether the line was a dump's at all.
   */
  line(text: string): { readonly isHex: boolean; readonly whole: readonly Buffer[] } {
    if (bareLine.test(text)) {
      const payload = Buffer.from(text.replace(/[\s:]/g, ''), 'hex');
      return { isHex: true, whole: [...this.end(), payload] };
    }
    const match = dumpLine.exec(text);
    if (match === null) {
      const whole = this.end();
      this.#isRepeat = repeated.test(text);
      return { isHex: this.#isRepeat, whole };
    }
    const whole = Number.parseInt(match[1] ?? '', 16) === 0 ? this.end() : [];
    const bytes = Buffer.from((match[2] ?? '').replace(/\s/g, ''), 'hex');
    if (!this.#isRepeat && this.#length + bytes.length <= mostBytes) {
      this.#bytes.push(bytes);
      this.#length += bytes.length;
    }
    return { isHex: true, whole };
  }

  end(): Buffer[] {
    const whole = this.#bytes;
    this.#bytes = [];
    this.#length = 0;
    return whole.length === 0 ? [] : [Buffer.concat(whole)];
  }
}
