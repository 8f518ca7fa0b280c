/** What the HTTP servers for operators take from a client that may be a stranger. */
import type { IncomingMessage } from 'node:http';

/** Returns the text of a request's body; undefined if it has more than `most` bytes. */
export async function bodyOf(request: IncomingMessage, most: number): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > most) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
