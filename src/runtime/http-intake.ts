/** What the HTTP servers for operators take from a client that may be a stranger. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Ends the connection of a client that does not wait for the response before its next request, and returns true. One
 * piece from the network can contain a thousand requests, and each would cost time and memory. No browser does this.
 */
export function endIfHasty({ socket }: IncomingMessage, response: ServerResponse): boolean {
  // Node.js gives the socket to a response when the one before it is complete.
  const isHasty = response.socket === null;
  if (isHasty) socket.destroy();
  return isHasty;
}

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
