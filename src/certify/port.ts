/** The connections of a certification: it listens for the counterparty or connects to it, with or without TLS. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ConnectionOptions,
  connect as connectTls,
  createServer as createTlsServer,
  Server as TlsServer,
} from 'node:tls';
import { awaited } from './awaited.ts';
import type { KeyPair, TestTls, Untrusted } from './test-tls.ts';

export interface TestPort {
  readonly port: number;
  /** The next connection; undefined if none arrived in time. */
  next(withinMs: number, signal: AbortSignal): Promise<Socket | undefined>;
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

/** More simultaneous connections than this are not a session. */
const maxWaiting = 16;

class ListeningPort implements TestPort {
  readonly #server: Server | TlsServer;
  readonly #tls: TestTls | undefined;
  readonly #arrived: Socket[] = [];
  #wake = () => {};

  constructor(server: Server | TlsServer, tls: TestTls | undefined) {
    this.#server = server;
    this.#tls = tls;
    server.on('tlsClientError', (_: Error, socket: Socket) => socket.destroy());
    server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      socket.on('error', () => {});
      socket.pause();
      if (this.#arrived.length >= maxWaiting) socket.destroy();
      else this.#arrived.push(socket);
      this.#wake();
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async next(withinMs: number, signal: AbortSignal): Promise<Socket | undefined> {
    const endMs = performance.now() + withinMs;
    for (;;) {
      // The newest connection is used: the client has given up the others.
      const socket = this.#arrived.pop();
      for (const old of this.#arrived.splice(0)) old.destroy();
      if (socket !== undefined && !socket.destroyed) return socket;
      const leftMs = endMs - performance.now();
      if (leftMs <= 0 || signal.aborted) return undefined;
      await awaited(leftMs, signal, (wake) => {
        this.#wake = wake;
      });
    }
  }

  /** A client that trusts us completes the handshake; one that does not sends an alert. */
  async isRefused(kind: Untrusted, withinMs: number, signal: AbortSignal) {
    const [server, tls] = [this.#server, this.#tls];
    const shown = tls?.untrusted[kind];
    if (!(server instanceof TlsServer) || tls === undefined || shown === undefined)
      return undefined;
    server.setSecureContext(contextOf(tls, shown));
    // A handshake that started earlier uses our own certificate, and may end later.
    const shownTo = new Set<number | undefined>();
    const began = ({ remotePort }: Socket) => void shownTo.add(remotePort);
    server.on('connection', began);
    let isRefused: boolean | undefined;
    let stopLooking = () => {};
    await awaited(withinMs, signal, (wake) => {
      const seen = (refused: boolean, { remotePort }: Socket) => {
        // A socket that is already closed has no known peer.
        if (remotePort !== undefined && !shownTo.has(remotePort)) return;
        isRefused ??= refused;
        wake();
      };
      const failed = (_: Error, socket: Socket) => seen(true, socket);
      const trusted = (socket: Socket) => seen(false, socket);
      server.prependListener('tlsClientError', failed).on('secureConnection', trusted);
      stopLooking = () => server.off('tlsClientError', failed).off('secureConnection', trusted);
    });
    stopLooking();
    server.off('connection', began);
    server.setSecureContext(contextOf(tls, tls.own));
    return isRefused;
  }

  close(): void {
    for (const socket of this.#arrived) socket.destroy();
    this.#server.close();
  }
}

export function listen(
  host: string,
  port: number,
  tls?: TestTls,
  backup?: Address,
): Promise<TestPort> {
  return backup === undefined
    ? listenAtOne({ host, port }, tls)
    : listenAtTwo({ host, port }, backup, tls);
}

async function listenAtOne({ host, port }: Address, tls?: TestTls): Promise<TestPort> {
  const server = tls === undefined ? createServer() : createTlsServer(contextOf(tls, tls.own));
  server.listen({ host, port });
  await once(server, 'listening');
  return new ListeningPort(server, tls);
}

/** Listens at one of two sites. The system may choose the port of the first, which is then kept. */
async function listenAtTwo(first: Address, backup: Address, tls?: TestTls): Promise<TestPort> {
  let now = await listenAtOne(first, tls);
  const home = { host: first.host, port: now.port };
  let site: Address = home;
  const goTo = async (address: Address) => {
    if (site === address) return;
    const next = await listenAtOne(address, tls);
    now.close();
    now = next;
    site = address;
  };
  return {
    port: home.port,
    next: (withinMs, signal) => now.next(withinMs, signal),
    isRefused: async (kind, withinMs, signal) => now.isRefused?.(kind, withinMs, signal),
    leave: () => goTo(backup),
    comeBack: () => goTo(home),
    close: () => now.close(),
  };
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
        const socket =
          (await dial({ host, port }, tls, source)) ?? (backup && (await dial(backup, tls)));
        if (socket !== undefined) return socket;
        // Some systems have only one local address.
        source = undefined;
        await pause(retryMs);
      } while (performance.now() < endMs && !signal.aborted);
      return undefined;
    },
    async isRefused(kind, withinMs, signal) {
      const shown = tls?.untrusted[kind];
      if (tls === undefined || shown === undefined) return undefined;
      const socket = await dial({ host, port }, { ...tls, own: shown });
      if (socket === undefined) return true;
      let isClosed = socket.destroyed;
      // In TLS 1.3 the handshake ends before the server accepts or refuses our certificate.
      await awaited(withinMs, signal, (wake) => {
        socket.once('close', () => {
          isClosed = true;
          wake();
        });
        socket.resume();
      });
      socket.destroy();
      return isClosed;
    },
    move() {
      if (host !== '127.0.0.1') return;
      source = `127.0.0.${2 + (moves % maxSources)}`;
      moves += 1;
    },
    close() {},
  };
}

/** Returns undefined if nobody answers, or the certificate has another name. */
export function dial(
  to: Address,
  tls: TestTls | undefined,
  localAddress?: string,
): Promise<Socket | undefined> {
  const options = { ...to, ...(localAddress !== undefined && { localAddress }) };
  return new Promise((resolve) => {
    const socket =
      tls === undefined ? connect(options) : connectTls({ ...options, ...callerOf(tls) });
    socket.once(tls === undefined ? 'connect' : 'secureConnect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
    socket.on('error', () => {});
  });
}

function callerOf({ ca, own, serverName }: TestTls): ConnectionOptions {
  return { ...own, ...(ca && { ca }), ...(serverName !== undefined && { servername: serverName }) };
}
