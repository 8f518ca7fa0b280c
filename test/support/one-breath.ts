/**
 * What a client says in one breath goes out as one write: on a busy machine the second of two packets may come so much
 * later than the first that the venue has answered in between.
 */
import type { Socket } from 'node:net';

export function breathe(socket: Socket, bytes: Uint8Array): void {
  if (socket.writableCorked === 0) {
    socket.cork();
    setImmediate(() => socket.uncork());
  }
  socket.write(bytes);
}

/** Messages goes out before the end. */
export function hangUp(socket: Socket): void {
  if (socket.writableCorked > 0) socket.uncork();
  socket.destroy();
}
