/**
 * Connects to the relay ports of other nodes over mutual TLS 1.3. The certificate must contain the name of the node, so
 * another process at the same address is not trusted.
 */
import { connect, type SecureContext, type TLSSocket } from 'node:tls';
import { usableContext } from '../runtime/tls-files.ts';
import { hostAndPortOf } from '../store/postgres/place-config.ts';
import type { NodeView } from './owners.ts';

/** A node's own certificate and key, and the cluster's CA, in PEM. */
export interface NodeTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer;
}

export type DialedNode = Pick<NodeView, 'node' | 'relay'>;

/** The maximum time for connecting and the TLS handshake. */
export const connectMs = 1_000;
const keepAliveMs = 1_000;

export class Dialer {
  #context: SecureContext;
  /** The newest session ticket of each node: a resumed handshake needs no certificates. */
  readonly #tickets = new Map<string, Buffer>();

  constructor(tls: NodeTls) {
    this.#context = contextOf(tls);
  }

  /** Calling the returned function applies the new certificate to later connections. */
  renewal(tls: NodeTls): () => void {
    const context = contextOf(tls);
    return () => {
      this.#context = context;
      this.#tickets.clear();
    };
  }

  /** Returns undefined if the node has no relay port. */
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
    // Bytes that the other node sends after this side has ended are still delivered to the client.
    socket.allowHalfOpen = true;
    // A machine that lost power sends no FIN.
    return socket.setNoDelay(true).setKeepAlive(true, keepAliveMs);
  }
}

function contextOf(tls: NodeTls): SecureContext {
  return usableContext({ ...tls, minVersion: 'TLSv1.3' });
}
