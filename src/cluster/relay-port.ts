/**
 * Accepts connections from other nodes: clients of this node's shards, each behind a PROXY header, and queries.
 * Everything received here is trusted, so it requires a certificate from the cluster's CA with the name of a registered
 * node. A client is handed to a worker of this node and never relayed to a third node
 * (docs/decisions/0288-connections-between-nodes.md).
 */
import type { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import { noticeOf } from '../gateway/clients/client-port.ts';
import type { Clock, Instant } from '../runtime/clock.ts';
import type { WriteNotice } from '../runtime/operator-line.ts';
import { Acceptor, defaultAcceptorLimits, type ServerTls } from '../transport/acceptor.ts';
import { plainAddress } from '../transport/address.ts';
import { SocketLink } from '../transport/link.ts';
import { readProxyHeader } from '../transport/proxy-header.ts';
import type { Admission, Peer } from '../transport/session.ts';
import type { NodeTls } from './dialer.ts';
import { FrontDoor, type FrontDoorOptions } from './front-door.ts';
import type { LaneName } from './lanes.ts';
import type { NodeView, Owners } from './owners.ts';

export interface RelayPortOptions extends Pick<FrontDoorOptions, 'holdMs'> {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly tls: NodeTls;
  readonly clock: Clock;
  readonly notice: WriteNotice;
  readonly maxConnections: number;
  /** The shards of this node, by the names of their clients. */
  readonly local: Pick<FrontDoorOptions, 'find' | 'all'>;
  readonly owners: Pick<Owners, 'isNode' | 'nodes' | 'whenChanged'>;
  /** Whether a node answers that has not announced itself in the database for a while. */
  readonly responds: (node: NodeView) => Promise<boolean>;
  /** Takes a connection that carries queries of another node instead of a client. */
  readonly answer: (link: SocketLink, first: Buffer) => void;
}

/** Sent as soon as a worker has the client. Before that the other node may try elsewhere; afterwards it must not. */
export const accepted = Buffer.from([0x06]);

/** The first byte of a PROXY header. */
const proxySignature = 0x0d;
/** The maximum size of a PROXY header, in addition to the client's first message. */
const headerBytes = 1_024;

type Take = (link: SocketLink, first: Buffer) => void;

export class RelayPort {
  readonly #options: RelayPortOptions;
  readonly #acceptor: Acceptor<Take>;
  readonly #doors: Readonly<Record<LaneName, FrontDoor>>;
  /** The client behind each connection of another node. */
  readonly #clients = new WeakMap<Peer, Peer>();
  /** Connections from other nodes, each with its certificate. */
  readonly #taken = new Map<SocketLink, X509Certificate>();
  readonly #cancelLook: () => void;
  /** The nodes that were alive at the last change. */
  #alive: readonly NodeView[] = [];

  constructor(options: RelayPortOptions) {
    const { clock, host, holdMs, local, maxConnections, notice, owners, port, tls } = options;
    const isOfNode = (certificate: X509Certificate) =>
      namesOf(certificate).some((name) => owners.isNode(name));
    const door = (lane: LaneName) => new FrontDoor({ ...local, lane, clock, holdMs });
    this.#options = options;
    this.#doors = { fix: door('fix'), fixp: door('fixp') };
    this.#acceptor = new Acceptor<Take>({
      ...{ host, port, clock },
      reception: {
        admit: (bytes, peer, now) => this.#admit(Buffer.from(bytes), peer, now),
        nameIn: () => '',
      },
      attach: (take, link, first) => {
        this.#keep(link);
        take(link, first);
        return true;
      },
      limits: {
        ...defaultAcceptorLimits,
        connections: maxConnections,
        // All clients of another node share its address, and a stranger must not use up its quota.
        connectionsPerAddress: Number.POSITIVE_INFINITY,
        firstMessageBytes: defaultAcceptorLimits.firstMessageBytes + headerBytes,
      },
      tls: { ...serverTlsOf(tls), isPeer: isOfNode },
      notice: noticeOf(notice, true),
    });
    // A node that has been removed may still have connections.
    this.#cancelLook = owners.whenChanged(() => {
      for (const [link, certificate] of this.#taken) if (!isOfNode(certificate)) link.destroy();
      this.#lookForSilent();
    });
  }

  get connections(): number {
    return this.#acceptor.connections;
  }

  renewal(tls: NodeTls): () => void {
    return this.#acceptor.renewal(serverTlsOf(tls));
  }

  /** Resolves with the port. */
  listen(): Promise<number> {
    return this.#acceptor.listen();
  }

  close(): Promise<void> {
    this.#cancelLook();
    return this.#acceptor.close();
  }

  /**
   * A node that hangs or is cut off closes nothing, and as long as its clients seem to be connected here, they cannot
   * log on through another node. One that has only lost the database still answers, and keeps them.
   */
  #lookForSilent(): void {
    const { owners, responds } = this.#options;
    const isAlive = ({ node }: NodeView) => owners.nodes.some((one) => one.node === node);
    const silent = this.#alive.filter((node) => !isAlive(node));
    this.#alive = [...owners.nodes];
    for (const node of silent) {
      void responds(node).then((does) => {
        if (!does && !isAlive(node)) this.#endClientsOf(node.node);
      });
    }
  }

  #endClientsOf(node: string): void {
    const { owners } = this.#options;
    for (const [link, certificate] of this.#taken) {
      // A certificate that several nodes share does not tell whose connection it is.
      const names = namesOf(certificate).filter((name) => owners.isNode(name));
      if (names.length === 1 && names[0] === node) link.destroy();
    }
  }

  #keep(link: SocketLink): void {
    const { socket } = link;
    const certificate = socket instanceof TLSSocket && socket.getPeerX509Certificate();
    if (!certificate) return;
    this.#taken.set(link, certificate);
    socket.once('close', () => this.#taken.delete(link));
  }

  #admit(bytes: Buffer, node: Peer, now: Instant): Admission<Take> {
    if (bytes[0] !== proxySignature) return { kind: 'admit', session: this.#options.answer };
    const header = readProxyHeader(bytes);
    if (header.kind === 'more') return header;
    if (header.kind === 'bad') return refused(header.reason);
    const { address, protocol, size, tls } = header;
    if (address === undefined || (protocol !== 'fix' && protocol !== 'fixp')) {
      return refused('the PROXY header has neither the client of the connection nor its protocol');
    }
    const client = this.#clients.get(node) ?? { address: plainAddress(address), ...tls };
    this.#clients.set(node, client);
    const admission = this.#doors[protocol].admit(bytes.subarray(size), client, now);
    switch (admission.kind) {
      case 'admit':
        return {
          kind: 'admit',
          session: (link, first) => {
            link.write(accepted);
            const own = new SocketLink(link.socket, client, this.#options.clock);
            admission.session.take(protocol, own, first.subarray(size));
          },
        };
      // The node that accepted the client's connection rejects it.
      case 'refuse':
        return refused(admission.reason);
      default:
        return admission;
    }
  }
}

function refused(reason: string): Admission<Take> {
  return { kind: 'refuse', reason, isOffence: false };
}

/** Returns the DNS names of a certificate, without wildcards. */
function namesOf({ subjectAltName = '' }: X509Certificate): readonly string[] {
  return subjectAltName.split(', ').flatMap((name) => /^DNS:([^"*]+)$/.exec(name)?.[1] ?? []);
}

function serverTlsOf({ ca, cert, key }: NodeTls): ServerTls {
  return { cert, key, clientCa: ca, minVersion: 'TLSv1.3' };
}
