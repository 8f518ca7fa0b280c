/** One connection as a host sees it: bytes both ways, a bounded buffer outward, an end that is always reached. */
import type { Socket } from 'node:net';
import type { Clock } from '../runtime/clock.ts';
import type { Peer } from './session.ts';

export interface LinkListener {
  data(bytes: Uint8Array): void;
  drained(): void;
  /** Once, whoever ended it. */
  closed(): void;
}

export interface Link {
  readonly peer: Peer;
  /** Bytes handed over that the network has not taken yet. */
  readonly bufferedBytes: number;
  listen(listener: LinkListener): void;
  write(bytes: Uint8Array): void;
  pause(): void;
  resume(): void;
  /** Sends what is buffered, then closes; a peer that does not read is cut off after a while. */
  end(): void;
  destroy(): void;
}

const endWithinMs = 2_000;

export class SocketLink implements Link {
  readonly peer: Peer;
  /** For the front door of a node, which hands it on and never listens. */
  readonly socket: Socket;
  readonly #clock: Clock;
  #listener: LinkListener | undefined;
  #isGone = false;

  constructor(socket: Socket, peer: Peer, clock: Clock) {
    this.peer = peer;
    this.socket = socket;
    this.#clock = clock;
    socket.setNoDelay(true);
    // What went wrong is told by the close that follows each error.
    socket.on('error', () => {});
    // A peer that ends its side is gone: its next connection may come before this one is wound up.
    socket.on('end', () => this.#gone());
    socket.on('close', () => this.#gone());
  }

  get bufferedBytes(): number {
    return this.socket.writableLength;
  }

  listen(listener: LinkListener): void {
    this.#listener = listener;
    this.socket.on('data', (bytes: Buffer) => listener.data(bytes));
    this.socket.on('drain', () => listener.drained());
    if (this.socket.destroyed || this.#isGone) queueMicrotask(() => listener.closed());
  }

  write(bytes: Uint8Array): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  end(): void {
    this.socket.end();
    const cancel = this.#clock.at(this.#clock.now().monoMs + endWithinMs, () => this.destroy());
    this.socket.once('close', cancel);
    // What the peer still sends is read and dropped, so that its side of the connection can end too.
    this.socket.resume();
  }

  destroy(): void {
    this.socket.destroy();
  }

  #gone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#listener?.closed();
  }
}
