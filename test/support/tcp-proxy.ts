/** A line between a client and a server that can be held, cut and counted in either direction. */

import { once } from 'node:events';
import { createServer, type Server, Socket } from 'node:net';
import { freePort } from '../../src/runtime/free-port.ts';

const host = '127.0.0.1';

/** `hold` keeps bytes until `pass`; `drop` loses them. */
export type Manner = 'pass' | 'hold' | 'drop';

interface Target {
  readonly host: string;
  readonly port: number;
}

class Direction {
  readonly #to: Socket;
  readonly #proxy: TcpProxy;
  readonly #name: 'requests' | 'replies';
  #held: Buffer[] = [];

  constructor(proxy: TcpProxy, name: 'requests' | 'replies', from: Socket, to: Socket) {
    this.#proxy = proxy;
    this.#name = name;
    this.#to = to;
    from.on('data', (bytes) => this.#take(bytes));
  }

  release(): void {
    for (const bytes of this.#held.splice(0)) this.#to.write(bytes);
  }

  #take(bytes: Buffer): void {
    const manner = this.#proxy.manner(this.#name);
    if (manner === 'drop') return;
    if (manner === 'hold') this.#held.push(bytes);
    else if (this.#name === 'requests') this.#to.write(bytes);
    else this.#proxy.reply(bytes, this.#to);
  }
}

export class TcpProxy {
  readonly port: number;
  readonly #server: Server;
  #target: Target;
  readonly #sockets = new Set<Socket>();
  readonly #directions = new Set<Direction>();
  readonly #dialect = { requests: 'pass' as Manner, replies: 'pass' as Manner };
  /** So many bytes of replies still pass; then the connections are reset, once. */
  #cutAfter: number | undefined;
  /** Gets all that clients send, before it is passed, held or dropped; each connection has a number. */
  onRequests: (bytes: Buffer, connection: number) => void = () => {};
  #accepted = 0;

  private constructor(port: number, target: Target) {
    this.port = port;
    this.#target = target;
    // Without noDelay, a proxy adds up to 40 ms to each small message that follows another one.
    this.#server = createServer({ noDelay: true }, (client) => this.#connect(client));
  }

  static async to(port: number, targetHost = host): Promise<TcpProxy> {
    const proxy = new TcpProxy(await freePort({ host, port: 0 }), { host: targetHost, port });
    proxy.#server.listen(proxy.port, host);
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** How many connections there are. */
  get open(): number {
    return this.#sockets.size / 2;
  }

  /** Where new connections lead from now on. */
  aim(port: number, targetHost = host): void {
    this.#target = { host: targetHost, port };
  }

  manner(name: 'requests' | 'replies'): Manner {
    return this.#dialect[name];
  }

  set(name: 'requests' | 'replies', manner: Manner): void {
    this.#dialect[name] = manner;
    if (manner === 'pass') for (const direction of this.#directions) direction.release();
  }

  cutRepliesAfter(bytes: number): void {
    this.#cutAfter = bytes;
  }

  reply(bytes: Buffer, to: Socket): void {
    if (this.#cutAfter === undefined || bytes.length < this.#cutAfter) {
      if (this.#cutAfter !== undefined) this.#cutAfter -= bytes.length;
      to.write(bytes);
      return;
    }
    const rest = this.#cutAfter;
    this.#cutAfter = undefined;
    to.write(bytes.subarray(0, rest), () => this.reset());
  }

  /** All connections; new ones are accepted. */
  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
    this.#sockets.clear();
    this.#directions.clear();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.reset();
    await once(this.#server, 'close');
  }

  #connect(client: Socket): void {
    const server = new Socket().setNoDelay(true).connect(this.#target);
    this.#accepted += 1;
    const connection = this.#accepted;
    client.on('data', (bytes) => this.onRequests(bytes, connection));
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    const directions = [
      new Direction(this, 'requests', client, server),
      new Direction(this, 'replies', server, client),
    ];
    for (const direction of directions) this.#directions.add(direction);
    client.on('close', () => {
      for (const direction of directions) this.#directions.delete(direction);
    });
  }
}
