/**
 * Passes connections from the front door to the worker of one shard: cleartext ones as sockets, the others as bytes
 * behind a PROXY header on the worker's private socket. A worker that hangs or has died delays only its own clients,
 * and not for long.
 */
import { connect, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Clock } from '../runtime/clock.ts';
import { networkOf } from '../transport/address.ts';
import type { SocketLink } from '../transport/link.ts';
import { writeProxyHeader } from '../transport/proxy-header.ts';
import { type Guest, WaitingRoom } from '../transport/waiting-room.ts';
import type { Destination, Entrance } from './front-door.ts';
import { joined } from './joined.ts';
import type { LaneName } from './lanes.ts';
import type { Doors, ToWorker } from './worker-messages.ts';

/** A worker that serves its shard. */
export interface ServingWorker {
  readonly doors: Doors;
  /** The worker gets a descriptor of the socket; this process keeps its own. */
  send(message: ToWorker, socket?: Socket): void;
}

interface Handover extends Guest {
  readonly lane: LaneName;
  readonly link: SocketLink;
  readonly first: Buffer;
}

/** Limits the connections that the worker has not taken or answered, so that a shard cannot use up the node's. */
const maxUnanswered = 256;
/** Longer than a worker lets a connection wait for its logon. */
const unansweredMs = 12_000;

export class WorkerDoor implements Destination {
  readonly #clock: Clock;
  readonly #unanswered: WaitingRoom;
  readonly #queue = new Set<Handover>();
  readonly #openers = new Set<() => void>();
  #worker: ServingWorker | undefined;
  #sent: Handover | undefined;
  handed = 0;
  relayed = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#unanswered = new WaitingRoom(clock, { waiting: maxUnanswered, waitingMs: unansweredMs });
  }

  get isOpen(): boolean {
    return this.#worker !== undefined;
  }

  /** Connections that the worker has not taken or answered yet. */
  get unanswered(): number {
    return this.#unanswered.size;
  }

  whenOpen(_connection: unknown, callback: (entrance: Entrance) => void): () => void {
    const opener = () => callback(this);
    this.#openers.add(opener);
    return () => this.#openers.delete(opener);
  }

  /** This door has no other address for clients. */
  servedAt(): undefined {}

  open(worker: ServingWorker): void {
    this.#worker = worker;
    for (const callback of [...this.#openers]) callback();
    this.#hand();
  }

  /** The worker is stopping or has exited: new connections wait for the next worker. */
  close(): void {
    this.#worker = undefined;
  }

  /** Another node has the shard: clients that no worker here has taken have to connect again. */
  letGo(): void {
    for (const { link } of this.#queue) link.destroy();
  }

  /** The process has exited, and the sockets that it was sent are lost with it. */
  gone(): void {
    this.close();
    this.taken();
  }

  take(lane: LaneName, link: SocketLink, first: Buffer): void {
    const { peer, socket } = link;
    const guest = { network: networkOf(peer.address), evict: () => link.destroy() };
    // This is the client's own TLS, or that of the node that relays a client.
    if (socket instanceof TLSSocket) {
      this.#relay(lane, link, first, guest);
      return;
    }
    // The worker now owns the socket, including its close.
    socket.pause();
    socket.allowHalfOpen = true;
    const handover = { ...guest, lane, link, first };
    socket.once('close', () => {
      this.#unanswered.leave(handover);
      this.#queue.delete(handover);
    });
    this.#unanswered.enter(handover);
    this.#queue.add(handover);
    this.#hand();
  }

  /** The worker has the socket that was sent last, or has exited with it. */
  taken(): void {
    const sent = this.#sent;
    this.#sent = undefined;
    // Closes this process's descriptor; the connection ends with the last one.
    sent?.link.destroy();
    this.#hand();
  }

  /** Sends one connection at a time: waiting ones can still be closed, and go to the next worker if this one dies. */
  #hand(): void {
    const [next] = this.#queue;
    if (this.#sent !== undefined || this.#worker === undefined || next === undefined) return;
    const { first, lane, link } = next;
    const { socket, peer } = link;
    const { address } = peer;
    this.#queue.delete(next);
    this.#sent = next;
    this.handed += 1;
    const bytes = Buffer.concat([first, unread(socket)]);
    this.#worker.send({ kind: 'connection', lane, address, first: bytes }, socket);
  }

  #relay(lane: LaneName, link: SocketLink, first: Buffer, guest: Guest): void {
    const { peer, socket: client } = link;
    const path = this.#worker?.doors[lane];
    if (path === undefined) {
      link.destroy();
      return;
    }
    this.relayed += 1;
    const inner = connect(path);
    inner.write(Buffer.concat([writeProxyHeader(peer), first]));
    this.#unanswered.enter(guest);
    const answered = () => this.#unanswered.leave(guest);
    inner.once('data', answered);
    client.once('close', answered);
    joined(link, inner, this.#clock);
  }
}

/**
 * Stops reading and returns the unused bytes. A paused Node socket keeps reading until its buffer is full; those bytes
 * would be lost to the worker, and there is no public call that stops it.
 */
function unread(socket: Socket): Buffer {
  const pieces: Buffer[] = [];
  for (let piece = socket.read(); piece !== null; piece = socket.read()) pieces.push(piece);
  const inside = socket as unknown as {
    readonly _handle: { readStop(): void; reading: boolean } | null;
    server: unknown;
  };
  if (inside._handle !== null) {
    inside._handle.reading = false;
    inside._handle.readStop();
  }
  // Otherwise the server would query the worker for its connections before it closes.
  inside.server = null;
  return Buffer.concat(pieces);
}
