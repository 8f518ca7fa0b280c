/**
 * Finds FIX messages in text: logs with a prefix, copies with | or ^A for SOH, and raw bytes. A piece ends with a line
 * or with CheckSum(10), so that a stream without line ends works too.
 */

/** The separators that people and tools use instead of SOH. */
const separator = '\\x01|\\||\\^A|<SOH>|\\\\x01|\\\\u0001|\\\\001|;| ';
const beginning = new RegExp(`8=FIXT?\\.\\d\\.\\d(${separator})9=\\d+\\1`);
// biome-ignore lint/suspicious/noControlCharactersInRegex: SOH is what ends a field
const pieceEnd = /\n|(?<=\x0110=\d{3}\x01)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: SOH is what ends a field
const messageEnd = /\x0110=\d{3}\x01$/;
const endLength = 8;
const longestPiece = 1024 * 1024;

/** Splits text that arrives in arbitrary chunks; characters are bytes (latin1). */
export class Pieces {
  #rest = '';
  /** The number of bytes that were dropped because no piece ended within the limit. */
  dropped = 0;

  /** Returns the complete pieces; the last piece continues in the next chunk. */
  push(chunk: string): string[] {
    // What is left over has been searched, except for an end that continues in this chunk.
    const pieces = (this.#rest.slice(-endLength) + chunk).split(pieceEnd);
    const last = pieces.at(-1) ?? '';
    pieces[0] = this.#rest.slice(0, -endLength) + pieces[0];
    // After a message at the end of the chunk nothing is left over, although the message is complete.
    this.#rest = messageEnd.test(last) ? '' : (pieces.pop() ?? '');
    if (this.#rest.length > longestPiece) {
      this.dropped += this.#rest.length;
      this.#rest = '';
    }
    return pieces;
  }

  end(): string[] {
    const last = this.#rest;
    this.#rest = '';
    return last === '' ? [] : [last];
  }
}

/** One message as bytes with SOH; the preceding text of its line is kept, because it often contains the time. */
export function findMessage(piece: string) {
  const match = beginning.exec(piece);
  if (match === null) return undefined;
  const text = piece.slice(match.index).replace(/\r$/, '');
  const mark = match[1] ?? '';
  const fields = mark === '\x01' ? text : text.replaceAll(mark, '\x01');
  // Text after CheckSum(10) on a line of a log does not belong to the message.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: SOH is what ends a field
  const whole = /^.*?\x0110=\d{3}(?=\x01|\s|$|["'\]])/s.exec(fields)?.[0] ?? fields;
  const ended = whole.endsWith('\x01') ? whole : `${whole}\x01`;
  return { before: piece.slice(0, match.index).trim(), bytes: Buffer.from(ended, 'latin1') };
}
