/** The connections of a certification: it listens for the counterparty or connects to it, with or without TLS. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import {
  type ConnectionOptions,
  connect as connectTls,
  createServer as createTlsServer,
  Server as TlsServer,
} from 'node:tls';
import { awaited } from './awaited.ts';
import { peek } from './conversation.ts';
import type { KeyPair, TestTls, Untrusted } from './test-tls.ts';

export interface TestPort {
  readonly port: number;
  /** The next connection; undefined if none arrived in time. */
  next(withinMs: number, signal: AbortSignal): Promise<Socket | undefined>;
  /** A remark about connections of others, if there were any. */
  readonly others?: string;
  /** Whether the counterparty refuses a certificate; undefined if there is none of this kind, or nobody connected. */
  isRefused?(kind: Untrusted, withinMs: number, signal: AbortSignal): Promise<boolean | undefined>;
  /** Uses another local address for later connections, if there is one. */
  move?(): void;
  /** Closes the address: a client can then reach us only at our backup site. */
  leave?(): Promise<void>;
  /** Listens at the first address again. */
  comeBack?(): Promise<void>;
  close(): void;
}

/** Whether a connection that starts with these bytes may be the counterparty's; undefined if they are too few. */
export type IsCaller = (first: Uint8Array) => boolean | undefined;

/** More simultaneous connections than this are not a session. */
const maxWaiting = 16;
/** A TLS server that has sent no more than an alert has not shown its certificate. */
const alertBytes = 7;

/**
 * Anybody may connect. A connection counts once the counterparty has sent its first message on it: QuickFIX also
 * connects and closes at once after it lost the previous connection.
 */
class ListeningPort implements TestPort {
  readonly port: number;
  readonly leave?: () => Promise<void>;
  readonly #tls: TestTls | undefined;
  readonly #isCaller: IsCaller;
  /** The system may choose its port, which is then kept. */
  readonly #home: Address;
  #site: Address;
  #server: Server | TlsServer;
  readonly #silent = new Set<Socket>();
  #arrived: Socket | undefined;
  #wake = (_: Socket) => {};
  #strangers = 0;

  constructor(
    server: Server | TlsServer,
    host: string,
    tls: TestTls | undefined,
    backup: Address | undefined,
    isCaller: IsCaller,
  ) {
    this.port = (server.address() as AddressInfo).port;
    this.#tls = tls;
    this.#isCaller = isCaller;
    this.#home = { host, port: this.port };
    this.#site = this.#home;
    this.#server = this.#serve(server);
    if (backup !== undefined) this.leave = () => this.#goTo(backup);
  }

  comeBack(): Promise<void> {
    return this.#goTo(this.#home);
  }

  async #goTo(site: Address): Promise<void> {
    if (this.#site === site) return;
    const server = await serverAt(site, this.#tls);
    this.close();
    this.#server = this.#serve(server);
    this.#site = site;
  }

  #serve(server: Server | TlsServer): Server | TlsServer {
    const arrival = this.#tls === undefined ? 'connection' : 'secureConnection';
    server.on('tlsClientError', (_: Error, socket: Socket) => socket.destroy());
    return server.on(arrival, (socket: Socket) => void this.#listenTo(socket));
  }

  get others(): string {
    const count = this.#silent.size + this.#strangers;
    return count === 0 ? '' : `; ${count} connections sent nothing or did not begin its session`;
  }

  async #listenTo(socket: Socket): Promise<void> {
    socket.on('error', () => {});
    const [oldest] = this.#silent;
    if (this.#silent.size >= maxWaiting) oldest?.destroy();
    this.#silent.add(socket);
    const first = await peek(socket, (bytes) => this.#isCaller(bytes) !== undefined);
    this.#silent.delete(socket);
    if (first === undefined) return;
    if (this.#isCaller(first)) {
      // The newest connection is used: the client has given up the one before.
      this.#arrived?.destroy();
      this.#arrived = socket;
      this.#wake(socket);
    } else {
      this.#strangers += 1;
      socket.destroy();
    }
  }

  async next(withinMs: number, signal: AbortSignal): Promise<Socket | undefined> {
    const endMs = performance.now() + withinMs;
    for (;;) {
      const socket = this.#arrived;
      this.#arrived = undefined;
      if (socket !== undefined && !socket.destroyed) return socket;
      const leftMs = endMs - performance.now();
      if (leftMs <= 0 || signal.aborted) return undefined;
      await awaited(leftMs, signal, (wake) => {
        this.#wake = wake;
      });
    }
  }

  /** A client that trusts us sends a message; one that does not closes, once it was shown the certificate. */
  async isRefused(kind: Untrusted, withinMs: number, signal: AbortSignal) {
    const [server, tls] = [this.#server, this.#tls];
    const shown = tls?.untrusted[kind];
    if (!(server instanceof TlsServer) || tls === undefined || shown === undefined)
      return undefined;
    server.setSecureContext(contextOf(tls, shown));
    // A handshake that started earlier uses our own certificate, and may end later.
    const shownTo = new Set<number | undefined>();
    let isRefused: boolean | undefined;
    let began = (_: Socket) => {};
    await awaited(withinMs, signal, (wake) => {
      const seen = (refused: boolean) => {
        isRefused ??= refused;
        wake();
      };
      began = (raw) => {
        shownTo.add(raw.remotePort);
        raw.once('close', () => raw.bytesWritten > alertBytes && seen(true));
      };
      server.on('connection', began);
      this.#wake = ({ remotePort }) => shownTo.has(remotePort) && seen(false);
    });
    server.off('connection', began);
    server.setSecureContext(contextOf(tls, tls.own));
    return isRefused;
  }

  close(): void {
    for (const socket of [...this.#silent, this.#arrived]) socket?.destroy();
    this.#server.close();
  }
}

export async function listen(
  host: string,
  port: number,
  tls?: TestTls,
  backup?: Address,
  isCaller: IsCaller = () => true,
): Promise<TestPort> {
  return new ListeningPort(await serverAt({ host, port }, tls), host, tls, backup, isCaller);
}

async function serverAt(site: Address, tls: TestTls | undefined): Promise<Server | TlsServer> {
  const server = tls === undefined ? createServer() : createTlsServer(contextOf(tls, tls.own));
  server.listen(site);
  await once(server, 'listening');
  return server;
}

function contextOf({ ca }: TestTls, shown: KeyPair | undefined) {
  const mutual = ca === undefined ? {} : { ca, requestCert: true, rejectUnauthorized: true };
  return { ...shown, ...mutual, minVersion: 'TLSv1.2' as const };
}

const retryMs = 200;

/** Addresses of this machine: 127.0.0.2 to 127.0.0.250 are equivalent to the first. */
const maxSources = 249;

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface Calling extends Address {
  /** Used if the first address does not respond. */
  readonly backup?: Address | undefined;
  readonly tls?: TestTls | undefined;
}

export function calling({ host, port, backup, tls }: Calling): TestPort {
  let source: string | undefined;
  let moves = 0;
  return {
    port,
    async next(withinMs, signal) {
      const endMs = performance.now() + withinMs;
      do {
        const main = { host, port, ...(source !== undefined && { localAddress: source }) };
        for (const address of [main, ...(backup === undefined ? [] : [backup])]) {
          const leftMs = Math.max(retryMs, Math.min(handshakeMs, endMs - performance.now()));
          const socket = await dial(address, tls, leftMs, signal);
          if (socket !== undefined) return socket;
        }
        // Some systems have only one local address.
        source = undefined;
        await awaited(retryMs, signal);
      } while (performance.now() < endMs && !signal.aborted);
      return undefined;
    },
    async isRefused(kind, withinMs, signal) {
      const shown = tls?.untrusted[kind];
      if (tls === undefined || shown === undefined) return undefined;
      // A server that is away, or that closes all connections without a logon, does not refuse a certificate.
      const trusted = await dial({ host, port }, tls);
      const socket = await dial({ host, port }, { ...tls, own: shown });
      trusted?.resume();
      // In TLS 1.3 the handshake ends before the server accepts or refuses our certificate.
      await awaited(withinMs, signal, (wake) => {
        if (socket?.destroyed === false) socket.once('close', wake).resume();
        else wake();
      });
      const isClosed = socket?.destroyed !== false;
      const isThere = trusted?.destroyed === false;
      for (const one of [trusted, socket]) one?.destroy();
      return isThere ? isClosed : undefined;
    },
    move() {
      if (host !== '127.0.0.1') return;
      source = `127.0.0.${2 + (moves % maxSources)}`;
      moves += 1;
    },
    close() {},
  };
}

/** A server that takes the connection has this long for its side of the TLS handshake. */
const handshakeMs = 10_000;

/** Returns undefined if nobody answers in time, or the certificate has another name. */
export async function dial(
  to: Address & { readonly localAddress?: string },
  tls: TestTls | undefined,
  withinMs = handshakeMs,
  signal = new AbortController().signal,
): Promise<Socket | undefined> {
  const socket = tls === undefined ? connect(to) : connectTls({ ...to, ...callerOf(tls) });
  socket.on('error', () => {});
  let isConnected = false;
  await awaited(withinMs, signal, (wake) => {
    socket.once(tls === undefined ? 'connect' : 'secureConnect', () => {
      isConnected = true;
      wake();
    });
    socket.once('close', wake);
  });
  if (isConnected) return socket;
  socket.destroy();
  return undefined;
}

function callerOf({ ca, own, serverName }: TestTls): ConnectionOptions {
  return { ...own, ...(ca && { ca }), ...(serverName !== undefined && { servername: serverName }) };
}
