/**
 * Who is connected to the console. A connection on which nobody has proved to be an operator lives for a while at most,
 * and when there are many, one of the address with the most makes room for the next: a health check or an operator comes
 * in whatever strangers hold open. Operators' connections have a reserve that strangers cannot take.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../runtime/clock.ts';
import { plainAddress, sourceOf } from '../transport/address.ts';
import { type Guest, WaitingRoom } from '../transport/waiting-room.ts';

/** As long as two scrapes are apart, or somebody needs to log in. */
const strangerMs = 60_000;
/** Of all connections, in eighths: what strangers may have. */
const strangersEighths = 6;

export class Connections {
  readonly #strangers: WaitingRoom;
  /** By their remote end: with TLS a request comes on another socket than the one that was accepted. */
  readonly #guests = new Map<string, Guest>();

  constructor(server: Server, most: number, clock: Clock) {
    const waiting = Math.floor((most * strangersEighths) / 8);
    this.#strangers = new WaitingRoom(clock, { waiting, waitingMs: strangerMs });
    server.maxConnections = most;
    server.on('connection', (socket) => this.#arrived(socket));
  }

  /** The sender of this request is a proven operator. */
  trust({ socket }: IncomingMessage): void {
    const guest = this.#guests.get(endpointOf(socket));
    if (guest !== undefined) this.#strangers.leave(guest);
  }

  close(): void {
    this.#strangers.close();
  }

  #arrived(socket: Socket): void {
    const endpoint = endpointOf(socket);
    const network = sourceOf(plainAddress(socket.remoteAddress ?? ''));
    const guest = { network, turnOut: () => void socket.destroy() };
    this.#guests.set(endpoint, guest);
    socket.once('close', () => {
      this.#guests.delete(endpoint);
      this.#strangers.leave(guest);
    });
    this.#strangers.enter(guest);
  }
}

function endpointOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
