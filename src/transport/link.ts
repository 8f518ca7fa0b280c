/**
 * A connection as its host uses it: bytes in both directions, a bounded outbound buffer, and an end that always comes.
 */
import type { Socket } from 'node:net';
import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Peer } from './session.ts';

export interface LinkListener {
  data(bytes: Uint8Array): void;
  drained(): void;
  /** Called once, whichever side closed the connection. */
  closed(): void;
}

export interface Link {
  readonly peer: Peer;
  /** Bytes that the network has not taken yet. */
  readonly bufferedBytes: number;
  listen(listener: LinkListener): void;
  write(bytes: Uint8Array): void;
  pause(): void;
  resume(): void;
  /** Sends the buffered bytes, then closes; a peer that does not read is disconnected after a while. */
  end(): void;
  destroy(): void;
}

const endWithinMs = 2_000;
/** A larger piece shows that more is there. It fits into a record of TLS. */
const fullBytes = 16 * 1024;

export class SocketLink implements Link {
  readonly peer: Peer;
  /** For a node's front door, which hands the connection over and no longer reads from it. */
  readonly socket: Socket;
  readonly #clock: Clock;
  #listener: LinkListener | undefined;
  #isGone = false;
  #isPaused = false;
  #isItsTurn = true;

  /** The clock measures the end of the connection, so it must not end with the bridge. */
  constructor(socket: Socket, peer: Peer, clock: Clock = systemClock) {
    this.peer = peer;
    this.socket = socket;
    this.#clock = clock;
    socket.setNoDelay(true);
    // The close event that follows each error reports it.
    socket.on('error', () => {});
    // A peer that ends its side has disconnected: its next connection may arrive before this one is closed. If it does
    // not read what it was sent, the socket would never close by itself, and keep its buffer.
    socket.on('end', () => {
      this.#gone();
      if (!socket.allowHalfOpen) this.end();
    });
    socket.on('close', () => this.#gone());
  }

  get bufferedBytes(): number {
    return this.socket.writableLength;
  }

  listen(listener: LinkListener): void {
    this.#listener = listener;
    this.socket.on('data', (bytes: Buffer) => {
      listener.data(bytes);
      if (bytes.length >= fullBytes && this.#isItsTurn) this.#waitItsTurn();
    });
    this.socket.on('drain', () => listener.drained());
    if (this.socket.destroyed || this.#isGone) queueMicrotask(() => listener.closed());
  }

  write(bytes: Uint8Array): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  pause(): void {
    this.#isPaused = true;
    this.socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#isItsTurn) this.socket.resume();
  }

  end(): void {
    this.socket.end();
    const cancel = this.#clock.at(this.#clock.now().monoMs + endWithinMs, () => this.destroy());
    this.socket.once('close', cancel);
    // Remaining bytes from the peer are read and dropped, so that its side of the connection can end too.
    this.resume();
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Otherwise up to 2 MB of a peer that floods would be read before anything of another one. */
  #waitItsTurn(): void {
    this.#isItsTurn = false;
    this.socket.pause();
    setImmediate(() => {
      this.#isItsTurn = true;
      if (!this.#isPaused) this.socket.resume();
    });
  }

  #gone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#listener?.closed();
  }
}
