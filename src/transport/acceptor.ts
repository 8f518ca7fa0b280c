/**
 * Listens on one port for many sessions. A connection waits here, under limits, until its first message names a session
 * and authenticates; after that it belongs to that session's host (docs/decisions/0220-logons-and-passwords.md). A
 * node's front door works the same way, and hands the connection to the worker that has the session (0280).
 */
import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import {
  createServer as createTlsServer,
  type SecureVersion,
  type TLSSocket,
  type Server as TlsServer,
} from 'node:tls';
import type { Clock } from '../runtime/clock.ts';
import { HeadCount } from '../runtime/head-count.ts';
import { handshakeFault, usableContext } from '../runtime/tls-files.ts';
import { AddressList, endpointsOf, networkOf, plainAddress, sourceOf } from './address.ts';
import { SocketLink } from './link.ts';
import { defaultLockoutLimits, Lockout, type LockoutLimits, longestName } from './lockout.ts';
import type { PendingVerdict } from './pending-verdict.ts';
import { readProxyHeader } from './proxy-header.ts';
import type { Admission, Peer, Reception, Session } from './session.ts';
import { type Guest, type WaitingLimits, WaitingRoom } from './waiting-room.ts';

export interface AcceptorLimits extends WaitingLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  readonly firstMessageBytes: number;
  readonly lockout: LockoutLimits;
}

export const defaultAcceptorLimits: AcceptorLimits = {
  connections: 4_096,
  connectionsPerAddress: 512,
  waiting: 1_024,
  waitingMs: 10_000,
  firstMessageBytes: 8_192,
  lockout: defaultLockoutLimits,
};

export interface ServerTls {
  readonly key: string | Buffer;
  readonly cert: string | Buffer;
  /** The CAs of client certificates; if set, each client must present one. */
  readonly clientCa?: string | Buffer;
  /** An additional requirement for a client's certificate, because a CA may also have issued others. */
  readonly isPeer?: (certificate: X509Certificate) => boolean;
  readonly minVersion?: SecureVersion;
}

export interface AcceptorOptions<S = Session> {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly clock: Clock;
  readonly reception: Reception<S>;
  /** Gives the session its connection and the first bytes; false if it already has one. */
  readonly attach: (session: S, link: SocketLink, first: Buffer) => boolean;
  readonly limits?: AcceptorLimits;
  /** The addresses that may connect; any if absent. */
  readonly allowed?: readonly string[];
  /**
   * Balancers that send the client's address by PROXY protocol v2; if set, only they may connect. `node`: every
   * connection comes from our own node's front door, which also sends the client's certificate.
   */
  readonly proxies?: readonly string[] | 'node';
  readonly tls?: ServerTls;
  readonly notice?: (notice: AcceptorNotice) => void;
  /** A client at this address failed to authenticate with this name. */
  readonly offended?: (address: string, name: string) => void;
}

export type AcceptorNotice =
  | {
      readonly kind: 'refused';
      readonly address: string;
      /** As the client claims it, empty before its first message. */
      readonly name: string;
      readonly reason: string;
    }
  | { readonly kind: 'blocked'; readonly address: string; readonly name: string };

/** A connection from its acceptance to its end. */
interface Arrival extends Guest {
  readonly socket: Socket;
  /** Both endpoints; the TLS server returns another socket with the same ones. */
  readonly endpoints: string;
  /** The client's address, which differs from the remote endpoint behind a balancer. */
  address: string;
  network: string;
  /** The name that the client claims to have, cut at the length of the longest. */
  name: string;
  isCounted: boolean;
}

const backlog = 1_024;
const blocked = 'its name is blocked at this address';

export class Acceptor<S = Session> {
  readonly #options: AcceptorOptions<S>;
  readonly #limits: AcceptorLimits;
  readonly #lockout: Lockout;
  readonly #allowed: AddressList | undefined;
  readonly #proxies: AddressList | 'node' | undefined;
  readonly #server: Server;
  readonly #tlsServer: TlsServer | undefined;
  readonly #waiting: WaitingRoom<Arrival>;
  /** Connections with a pending verdict. Newcomers that send nothing cannot evict them. */
  readonly #judged: WaitingRoom;
  readonly #perSource = new HeadCount();
  readonly #inHandshake = new Map<string, Arrival>();
  /** The verdicts that are pending. */
  readonly #pendingVerdicts = new Map<Arrival, PendingVerdict>();
  #connections = 0;

  constructor(options: AcceptorOptions<S>) {
    this.#options = options;
    this.#limits = options.limits ?? defaultAcceptorLimits;
    this.#waiting = new WaitingRoom(options.clock, this.#limits);
    const { waitingMs } = this.#limits;
    this.#judged = new WaitingRoom(options.clock, { waiting: this.#limits.connections, waitingMs });
    this.#lockout = new Lockout(this.#limits.lockout);
    this.#allowed = options.allowed && new AddressList(options.allowed);
    const { proxies } = options;
    this.#proxies = proxies === 'node' ? proxies : proxies && new AddressList(proxies);
    this.#server = createTcpServer({ noDelay: true }, (socket) => this.take(socket));
    this.#tlsServer = options.tls && this.#createTls(options.tls);
  }

  get connections(): number {
    return this.#connections;
  }

  /** Connections that have not logged on. */
  get waiting(): number {
    return this.#waiting.size + this.#judged.size;
  }

  /** Resolves with the port once connections are accepted. */
  async listen(): Promise<number> {
    const { host, port } = this.#options;
    this.#server.listen({ host, port, backlog });
    await once(this.#server, 'listening');
    // For example, no file descriptors are left; existing connections continue.
    this.#server.on('error', (error) => this.#refused({ address: '', name: '' }, error.message));
    return (this.#server.address() as AddressInfo).port;
  }

  /** Stops accepting connections and closes the waiting ones; sessions' connections belong to their hosts. */
  async close(): Promise<void> {
    this.#waiting.close();
    this.#judged.close();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  /** Throws if these do not fit together; otherwise calling the returned function applies them to later connections. */
  renewal(tls: ServerTls): () => void {
    const context = contextOf(tls);
    usableContext(context);
    return () => this.#tlsServer?.setSecureContext(context);
  }

  #createTls(tls: ServerTls): TlsServer {
    const server = createTlsServer({
      ...contextOf(tls),
      requestCert: tls.clientCa !== undefined,
      handshakeTimeout: this.#limits.waitingMs,
    });
    server.on('secureConnection', (socket) => this.#secured(socket));
    server.on('tlsClientError', (error, socket) => {
      const address = this.#addressOf(socket);
      this.#refused({ address, name: '' }, `TLS: ${handshakeFault(error, socket)}`);
      socket.destroy();
    });
    return server;
  }

  /** The client's address, also behind a balancer. A socket that TLS has closed no longer knows its own. */
  #addressOf(socket: TLSSocket): string {
    const known = this.#inHandshake.get(endpointsOf(socket));
    if (known !== undefined) return known.address;
    const [closed, ...others] = [...this.#inHandshake.values()].filter(
      (one) => one.socket.destroyed,
    );
    return closed !== undefined && others.length === 0 ? closed.address : 'an unknown address';
  }

  /** Takes a connection, accepted here or at the node's front door, which has read its first bytes. */
  take(socket: Socket, handed?: { readonly address: string; readonly first: Buffer }): void {
    const address = handed?.address ?? plainAddress(socket.remoteAddress ?? '');
    const arrival: Arrival = {
      socket,
      endpoints: endpointsOf(socket),
      address,
      network: networkOf(address),
      name: '',
      isCounted: false,
      evict: (reason) => this.#refuse(arrival, reason),
    };
    this.#connections += 1;
    socket.on('error', () => {});
    socket.once('close', () => this.#left(arrival));
    const isFull = this.#connections > this.#limits.connections;
    if (isFull && !this.#waiting.makeRoom() && !this.#judged.makeRoom()) {
      this.#refuse(arrival, 'too many connections');
      return;
    }
    this.#waiting.enter(arrival);
    if (this.#proxies === undefined || handed !== undefined) {
      this.#known(arrival, { address }, handed?.first);
      return;
    }
    if (this.#proxies !== 'node' && !this.#proxies.has(address)) {
      this.#refuse(arrival, 'not a listed balancer');
      return;
    }
    this.#readProxyHeader(arrival);
  }

  #left(arrival: Arrival): void {
    this.#connections -= 1;
    this.#waiting.leave(arrival);
    // TLS reports a refused certificate after the connection has closed; `#addressOf` then looks for it here.
    setImmediate(() => {
      const { endpoints } = arrival;
      if (this.#inHandshake.get(endpoints) === arrival) this.#inHandshake.delete(endpoints);
    });
    this.#abandon(arrival);
    if (arrival.isCounted) this.#perSource.remove(sourceOf(arrival.address));
  }

  #readProxyHeader(arrival: Arrival): void {
    const { socket } = arrival;
    let seen = Buffer.alloc(0);
    const onReadable = () => {
      const piece: Buffer | null = socket.read();
      if (piece === null) return;
      seen = Buffer.concat([seen, piece]);
      const header = readProxyHeader(seen);
      if (header.kind === 'more') return;
      socket.off('readable', onReadable);
      if (header.kind === 'bad') {
        this.#refuse(arrival, header.reason);
        return;
      }
      const address = plainAddress(header.address ?? arrival.address);
      if (seen.length > header.size) socket.unshift(seen.subarray(header.size));
      this.#waiting.leave(arrival);
      arrival.address = address;
      arrival.network = networkOf(address);
      this.#waiting.enter(arrival);
      this.#known(arrival, { address, ...(this.#proxies === 'node' && header.tls) });
    };
    socket.on('readable', onReadable);
  }

  /** The client's actual address is known now. */
  #known(arrival: Arrival, peer: Peer, first?: Buffer): void {
    const { address, socket } = arrival;
    const objection = this.#objectionTo(arrival);
    if (objection !== undefined) {
      this.#refuse(arrival, objection);
      return;
    }
    this.#perSource.add(sourceOf(address));
    arrival.isCounted = true;
    if (this.#tlsServer === undefined) {
      this.#greet(arrival, socket, peer, first);
      return;
    }
    this.#inHandshake.set(arrival.endpoints, arrival);
    this.#tlsServer.emit('connection', socket);
  }

  #objectionTo({ address }: Arrival): string | undefined {
    if (this.#allowed?.has(address) === false) return 'address not allowed';
    const source = sourceOf(address);
    if (this.#perSource.of(source) < this.#limits.connectionsPerAddress) return undefined;
    // A connection that says nothing must not keep out a client behind the same address.
    const isFellow = (one: Arrival) => one.isCounted && sourceOf(one.address) === source;
    const isRoom = this.#waiting.makeRoomAmong(isFellow);
    return isRoom ? undefined : 'too many connections from this address';
  }

  #secured(socket: TLSSocket): void {
    const arrival = this.#inHandshake.get(endpointsOf(socket));
    if (arrival === undefined) {
      socket.destroy();
      return;
    }
    const { isPeer } = this.#options.tls ?? {};
    const presented = isPeer && socket.getPeerX509Certificate();
    if (isPeer && !(presented && isPeer(presented))) {
      this.#refuse(arrival, 'the certificate has another name');
      return;
    }
    const { fingerprint256, subject } = socket.getPeerCertificate();
    const { address } = arrival;
    if (fingerprint256 === undefined) {
      this.#greet(arrival, socket, { address, isTls: true });
      return;
    }
    const sha256 = fingerprint256.replaceAll(':', '').toLowerCase();
    const commonName = [subject.CN].flat()[0] ?? '';
    const certificate = { fingerprint256: sha256, commonName };
    this.#greet(arrival, socket, { address, isTls: true, certificate });
  }

  /** Reads until the first message identifies the session. */
  #greet(arrival: Arrival, socket: Socket, peer: Peer, first: Buffer = Buffer.alloc(0)): void {
    let seen = first;
    const judge = () => {
      const { clock, reception } = this.#options;
      arrival.name = reception.nameIn(seen).slice(0, longestName);
      if (this.#lockout.isBlocked(arrival.address, clock.now().monoMs, arrival.name)) {
        this.#refuse(arrival, blocked);
        return;
      }
      const admission = reception.admit(seen, peer, clock.now());
      if (admission.kind === 'more') {
        if (seen.length > this.#limits.firstMessageBytes)
          this.#refuse(arrival, 'the first message is too long');
        return;
      }
      socket.off('data', onData);
      if (admission.kind === 'wait') {
        this.#judgeLater(arrival, socket, admission.pendingVerdict, judge);
        return;
      }
      this.#waiting.leave(arrival);
      if (admission.kind === 'refuse') {
        this.#turnAway(arrival, socket, admission);
        return;
      }
      const link = new SocketLink(socket, peer);
      if (this.#options.attach(admission.session, link, seen)) return;
      this.#refuse(arrival, 'the session has a connection');
    };
    const onData = (piece: Buffer) => {
      seen = seen.length === 0 ? piece : Buffer.concat([seen, piece]);
      judge();
    };
    socket.on('error', () => {});
    socket.on('data', onData);
    if (first.length > 0) judge();
  }

  /** Reading is paused in the meantime. A connection that was closed by then is ignored. */
  #judgeLater(
    arrival: Arrival,
    socket: Socket,
    pendingVerdict: PendingVerdict,
    judge: () => void,
  ): void {
    socket.pause();
    this.#pendingVerdicts.set(arrival, pendingVerdict);
    this.#waiting.leave(arrival);
    this.#judged.enter(arrival);
    void pendingVerdict.over.then((finding) => {
      this.#judged.leave(arrival);
      const isHere = this.#pendingVerdicts.delete(arrival) && !socket.destroyed;
      if (!isHere) {
        if (finding === 'wrong') this.#guessedAndLeft(arrival);
      } else if (finding === 'dropped') {
        this.#refuse(arrival, 'too many logons wait to be checked');
      } else {
        socket.resume();
        judge();
      }
    });
  }

  /** The connection no longer waits for the verdict, so a check that has not started is dropped. */
  #abandon(arrival: Arrival): void {
    this.#judged.leave(arrival);
    const pendingVerdict = this.#pendingVerdicts.get(arrival);
    this.#pendingVerdicts.delete(arrival);
    pendingVerdict?.giveUp();
  }

  /** The guess was checked, so it counts even if its connection has closed by then. */
  #guessedAndLeft(arrival: Arrival): void {
    this.#refused(arrival, 'it left before it was found to be wrong');
    this.#offended(arrival);
  }

  #offended({ address, name }: Arrival): void {
    this.#options.offended?.(address, name);
    this.offence(address, name);
  }

  /** A client failed to authenticate with this name, here or at a worker of the node. */
  offence(address: string, name: string): void {
    const { clock, notice } = this.#options;
    // A message without a name is not a guess. Once a name is blocked, its pending verdicts are dropped.
    if (name === '' || !this.#lockout.offence(address, clock.now().monoMs, name)) return;
    notice?.({ kind: 'blocked', address, name });
    for (const arrival of [...this.#pendingVerdicts.keys()]) {
      const isSame = sourceOf(arrival.address) === sourceOf(address) && arrival.name === name;
      if (isSame) this.#refuse(arrival, blocked);
    }
  }

  #turnAway(
    arrival: Arrival,
    socket: Socket,
    { answer, isOffence, reason }: Extract<Admission, { kind: 'refuse' }>,
  ): void {
    const { address } = arrival;
    this.#refused(arrival, reason);
    if (isOffence) this.#offended(arrival);
    const link = new SocketLink(socket, { address });
    if (answer !== undefined) link.write(answer);
    link.end();
  }

  #refuse(arrival: Arrival, reason: string): void {
    this.#waiting.leave(arrival);
    this.#abandon(arrival);
    this.#refused(arrival, reason);
    arrival.socket.destroy();
  }

  #refused({ address, name }: Pick<Arrival, 'address' | 'name'>, reason: string): void {
    this.#options.notice?.({ kind: 'refused', address, name, reason });
  }
}

export function contextOf({ key, cert, clientCa, minVersion = 'TLSv1.2' }: ServerTls) {
  return { key, cert, minVersion, ...(clientCa !== undefined && { ca: clientCa }) };
}
