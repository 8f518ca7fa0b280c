/**
 * Connects to the relay ports of other nodes, by TLS 1.3 in both directions. The certificate of a node has the node's name; who
 * merely answers at its address is not believed.
 */
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { hostAndPortOf } from '../store/postgres/place-config.ts';
import type { NodeView } from './owners.ts';

/** A node's own certificate and the cluster's authority, in PEM. */
export interface NodeTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer;
}

export type DialedNode = Pick<NodeView, 'node' | 'relay'>;

/** How long a connection and its handshake may take. */
export const connectMs = 1_000;
const keepAliveMs = 1_000;

export class Dialer {
  readonly #context: SecureContext;
  /** By node: the newest ticket, with which a handshake needs no certificates. */
  readonly #tickets = new Map<string, Buffer>();

  constructor(tls: NodeTls) {
    this.#context = createSecureContext({ ...tls, minVersion: 'TLSv1.3' });
  }

  /** Undefined if the node takes no connections of others. */
  dial({ node, relay }: DialedNode): TLSSocket | undefined {
    const place = hostAndPortOf(relay);
    if (place === undefined) return undefined;
    const session = this.#tickets.get(node);
    const socket = connect({
      ...place,
      servername: node,
      secureContext: this.#context,
      ...(session !== undefined && { session }),
    });
    socket.on('session', (ticket) => this.#tickets.set(node, ticket));
    socket.on('error', () => {});
    // What the other node still says after this one has ended its side is for the client.
    socket.allowHalfOpen = true;
    // A machine that is gone sends no end.
    return socket.setNoDelay(true).setKeepAlive(true, keepAliveMs);
  }
}
