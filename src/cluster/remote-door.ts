/**
 * Connects a client to its shard, on this node or another one. If another node has the shard, the connection is relayed
 * there behind a PROXY header. It counts as accepted when the other node confirms it; until then the client is not read
 * any further, and another node may be tried, because no worker has the message yet.
 */
import type { TLSSocket } from 'node:tls';
import type { SocketLink } from '../transport/link.ts';
import { writeProxyHeader } from '../transport/proxy-header.ts';
import { connectMs } from './dialer.ts';
import type { Destination, Entrance, Waiting } from './front-door.ts';
import { joined } from './joined.ts';
import type { LaneName } from './lanes.ts';
import type { NodeQuestionsOptions } from './node-questions.ts';
import type { Ownership } from './owners.ts';
import type { WorkerDoor } from './worker-door.ts';

export interface RemoteDoorOptions extends NodeQuestionsOptions {
  readonly shard: string;
  /** The door of the local worker. */
  readonly local: WorkerDoor;
}

/** A node that failed is tried again after this time, if it still owns the shard. */
const againMs = 250;

export class RemoteDoor implements Destination {
  readonly #options: RemoteDoorOptions;
  /** Connections that another node has accepted, with its ownership of the shard at that time. */
  readonly #relays = new Map<SocketLink, Ownership>();

  constructor(options: RemoteDoorOptions) {
    this.#options = options;
    options.owners.whenChanged(() => this.#endOvertaken());
  }

  get isOpen(): boolean {
    return this.#options.local.isOpen;
  }

  take(lane: LaneName, link: SocketLink, first: Buffer): void {
    this.#options.local.take(lane, link, first);
  }

  /** This node stops: clients whose shards are on other nodes have to connect elsewhere. */
  close(): void {
    for (const link of this.#relays.keys()) link.end();
  }

  servedAt(lane: LaneName): string | undefined {
    return this.#owner?.node[lane] || undefined;
  }

  /** Tries the shard's owner, and again at each change of owner, until the connection is accepted. */
  whenOpen(waiting: Waiting, callback: (entrance: Entrance) => void): () => void {
    const { clock, local, owners } = this.#options;
    let tried: Ownership | undefined;
    let cancelTry = () => {};
    const cancel = () => {
      cancelTry();
      cancelLocal();
      cancelOwners();
    };
    const found = (entrance: Entrance) => {
      cancel();
      callback(entrance);
    };
    const failed = () => {
      cancelTry = clock.at(clock.now().monoMs + againMs, () => {
        tried = undefined;
        look();
      });
    };
    const look = () => {
      const owner = this.#owner;
      if (owner !== undefined && tried !== undefined && isSame(owner, tried)) return;
      cancelTry();
      cancelTry = () => {};
      tried = owner;
      if (owner !== undefined) cancelTry = this.#try(owner, waiting, found, failed);
    };
    const cancelLocal = local.whenOpen(waiting, found);
    const cancelOwners = owners.whenChanged(look);
    look();
    return cancel;
  }

  /** The owner of the shard, if it is another node. */
  get #owner(): Ownership | undefined {
    const { node, owners, shard } = this.#options;
    const owner = owners.ownerOf(shard);
    return owner === undefined || owner.node.node === node ? undefined : owner;
  }

  #try(
    owner: Ownership,
    { first, lane, peer }: Waiting,
    found: (entrance: Entrance) => void,
    failed: () => void,
  ): () => void {
    const { clock, dialer } = this.#options;
    const socket = dialer.dial(owner.node);
    if (socket === undefined) return () => {};
    const cancelAlarm = clock.at(clock.now().monoMs + connectMs, () => socket.destroy());
    let isTaken = false;
    const onReadable = () => {
      // The first byte confirms the connection; what follows is the worker's response to the client.
      if (socket.read(1) === null) return;
      isTaken = true;
      stop();
      found({ take: (_lane, link) => this.#relay(owner, link, socket) });
    };
    const onGone = () => {
      stop();
      socket.destroy();
      failed();
    };
    const stop = () => {
      cancelAlarm();
      socket.off('readable', onReadable).off('end', onGone).off('close', onGone);
    };
    socket.once('secureConnect', cancelAlarm);
    socket.on('readable', onReadable).once('end', onGone).once('close', onGone);
    socket.write(Buffer.concat([writeProxyHeader(peer, lane), first]));
    return () => {
      stop();
      if (!isTaken) socket.destroy();
    };
  }

  #relay(owner: Ownership, link: SocketLink, socket: TLSSocket): void {
    this.#relays.set(link, owner);
    link.socket.once('close', () => this.#relays.delete(link));
    if (socket.destroyed) link.destroy();
    else joined(link, socket, this.#options.clock);
  }

  /** Ends relays to a previous owner. Anything that it still sends after its replacement is void. */
  #endOvertaken(): void {
    const { local, owners, shard } = this.#options;
    if (this.#owner !== undefined) local.letGo();
    const now = owners.ownerOf(shard);
    if (now === undefined) return;
    for (const [link, { epoch }] of this.#relays) if (epoch < now.epoch) link.end();
  }
}

function isSame(one: Ownership, other: Ownership): boolean {
  return (
    one.epoch === other.epoch &&
    one.node.node === other.node.node &&
    one.node.relay === other.node.relay
  );
}
