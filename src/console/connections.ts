/**
 * Limits the console's connections. A connection without an operator's cookie has a limited lifetime, and when there
 * are many, the address with the most loses one to the next: health checks and operators get in, however many
 * connections strangers hold open. Operators' connections have a reserve that strangers cannot use.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../runtime/clock.ts';
import { endpointsOf, plainAddress, sourceOf } from '../transport/address.ts';
import { type Guest, WaitingRoom } from '../transport/waiting-room.ts';

/** As long as the interval between scrapes, and long enough for a login. */
const strangerMs = 60_000;
/** The share of all connections that strangers may have, in eighths. */
const strangersEighths = 6;

export class Connections {
  readonly #strangers: WaitingRoom;
  /** Keyed by both endpoints: with TLS a request arrives on another socket object than the accepted one. */
  readonly #guests = new Map<string, Guest>();

  constructor(server: Server, most: number, clock: Clock) {
    const waiting = Math.floor((most * strangersEighths) / 8);
    this.#strangers = new WaitingRoom(clock, { waiting, waitingMs: strangerMs });
    server.maxConnections = most;
    server.on('connection', (socket) => this.#arrived(socket));
  }

  /** The sender of this request is an authenticated operator. */
  trust({ socket }: IncomingMessage): void {
    const guest = this.#guests.get(endpointsOf(socket));
    if (guest !== undefined) this.#strangers.leave(guest);
  }

  close(): void {
    this.#strangers.close();
  }

  #arrived(socket: Socket): void {
    const endpoints = endpointsOf(socket);
    const network = sourceOf(plainAddress(socket.remoteAddress ?? ''));
    const guest = { network, evict: () => void socket.destroy() };
    this.#guests.set(endpoints, guest);
    socket.once('close', () => {
      this.#guests.delete(endpoints);
      this.#strangers.leave(guest);
    });
    this.#strangers.enter(guest);
  }
}
