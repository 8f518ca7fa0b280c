/**
 * Listens on one port for many sessions. A connection waits here, under limits, until its first message says which
 * session it wants and proves it; then it belongs to that session's host (docs/decisions/0033-waiting-room.md). The front door
 * of a node waits in the same way, and hands the connection on to the worker that has the session (0284).
 */
import type { X509Certificate } from 'node:crypto';
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
import { AddressList, networkOf, plainAddress, sourceOf } from './address.ts';
import { SocketLink } from './link.ts';
import { defaultLockoutLimits, Lockout, type LockoutLimits } from './lockout.ts';
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
  /** Authorities of client certificates; with them each client must present one. */
  readonly clientCa?: string | Buffer;
  /** What else a client's certificate must say; an authority may have issued others. */
  readonly isPeer?: (certificate: X509Certificate) => boolean;
  readonly minVersion?: SecureVersion;
}

export interface AcceptorOptions<S = Session> {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly clock: Clock;
  readonly reception: Reception<S>;
  /** Gives the session its connection and what it sent first; false when it has one. */
  readonly attach: (session: S, link: SocketLink, first: Buffer) => boolean;
  readonly limits?: AcceptorLimits;
  /** Who may connect; everyone when absent. */
  readonly allowed?: readonly string[];
  /**
   * Balancers that send the client's address by PROXY protocol v2; with them nobody else may connect. `node`: every connection
   * comes from the front door of our own node, which also says what certificate the client presented.
   */
  readonly proxies?: readonly string[] | 'node';
  readonly tls?: ServerTls;
  readonly notice?: (notice: AcceptorNotice) => void;
  /** Somebody at this address failed to prove that it has the name. */
  readonly offended?: (address: string, name: string) => void;
}

export type AcceptorNotice =
  | { readonly kind: 'refused'; readonly address: string; readonly reason: string }
  | { readonly kind: 'blocked'; readonly address: string; readonly name: string };

/** A connection from its arrival to its end. */
interface Arrival extends Guest {
  readonly socket: Socket;
  /** The remote end; the TLS server hands back another socket, with the same one. */
  readonly endpoint: string;
  /** The client's, which is not the remote end's behind a balancer. */
  address: string;
  network: string;
  /** That it claims to have. */
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
  readonly #waiting: WaitingRoom;
  /** Those about whom something is being found out. Newcomers who have said nothing yet do not push them out. */
  readonly #judged: WaitingRoom;
  readonly #perSource = new HeadCount();
  readonly #inHandshake = new Map<string, Arrival>();
  /** What is being found out before they may come in. */
  readonly #inquiries = new Map<Arrival, PendingVerdict>();
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

  /** Resolves with the port once connections are taken. */
  listen(): Promise<number> {
    const { host, port } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port, backlog }, () => {
        this.#server.off('error', reject);
        // Out of file descriptors, for one: connections that exist live on.
        this.#server.on('error', (error) => this.#refused('', error.message));
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** Takes no more connections and closes those that wait; those of sessions are their hosts'. */
  async close(): Promise<void> {
    this.#waiting.close();
    this.#judged.close();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #createTls({ key, cert, clientCa, minVersion = 'TLSv1.2' }: ServerTls): TlsServer {
    const mutual = clientCa === undefined ? {} : { ca: clientCa, requestCert: true };
    const server = createTlsServer({
      key,
      cert,
      ...mutual,
      minVersion,
      handshakeTimeout: this.#limits.waitingMs,
    });
    server.on('secureConnection', (socket) => this.#secured(socket));
    server.on('tlsClientError', (error, socket) => {
      // For a certificate that is not accepted, the error itself is only that the connection ended.
      const reason = socket.authorizationError ?? error.message;
      this.#refused(plainAddress(socket.remoteAddress ?? ''), `TLS: ${reason}`);
      socket.destroy();
    });
    return server;
  }

  /** A connection arrived, here or at the front door of the node, which has read its first bytes. */
  take(socket: Socket, handed?: { readonly address: string; readonly first: Buffer }): void {
    const address = handed?.address ?? plainAddress(socket.remoteAddress ?? '');
    const arrival: Arrival = {
      socket,
      endpoint: endpointOf(socket),
      address,
      network: networkOf(address),
      name: '',
      isCounted: false,
      turnOut: (reason) => this.#refuse(arrival, reason),
    };
    this.#connections += 1;
    socket.on('error', () => {});
    socket.once('close', () => this.#left(arrival));
    if (this.#connections > this.#limits.connections && !this.#makeRoom()) {
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

  #makeRoom(): boolean {
    return this.#waiting.makeRoom() || this.#judged.makeRoom();
  }

  #left(arrival: Arrival): void {
    this.#connections -= 1;
    this.#waiting.leave(arrival);
    this.#inHandshake.delete(arrival.endpoint);
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

  /** The client's true address is known. */
  #known(arrival: Arrival, peer: Peer, first?: Buffer): void {
    const { address, socket } = arrival;
    const objection = this.#objectionTo(address);
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
    this.#inHandshake.set(arrival.endpoint, arrival);
    this.#tlsServer.emit('connection', socket);
  }

  #objectionTo(address: string): string | undefined {
    if (this.#allowed?.has(address) === false) return 'address not allowed';
    return this.#perSource.of(sourceOf(address)) < this.#limits.connectionsPerAddress
      ? undefined
      : 'too many connections from this address';
  }

  #secured(socket: TLSSocket): void {
    const arrival = this.#inHandshake.get(endpointOf(socket));
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

  /** Reads until the first message says whose connection it is. */
  #greet(arrival: Arrival, socket: Socket, peer: Peer, first: Buffer = Buffer.alloc(0)): void {
    let seen = first;
    const judge = () => {
      const { clock, reception } = this.#options;
      arrival.name = reception.nameIn(seen);
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
        this.#judgeLater(arrival, socket, admission.inquiry, judge);
        return;
      }
      this.#waiting.leave(arrival);
      if (admission.kind === 'refuse') {
        this.#turnAway(arrival, socket, admission);
        return;
      }
      const link = new SocketLink(socket, peer, clock);
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

  /** Reads nothing meanwhile. Whoever was turned out since is not judged any more. */
  #judgeLater(arrival: Arrival, socket: Socket, inquiry: PendingVerdict, judge: () => void): void {
    socket.pause();
    this.#inquiries.set(arrival, inquiry);
    this.#waiting.leave(arrival);
    this.#judged.enter(arrival);
    void inquiry.over.then((finding) => {
      this.#judged.leave(arrival);
      const isHere = this.#inquiries.delete(arrival) && !socket.destroyed;
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

  /** Nobody waits for the answer any more: what has not begun is not done. */
  #abandon(arrival: Arrival): void {
    this.#judged.leave(arrival);
    const inquiry = this.#inquiries.get(arrival);
    this.#inquiries.delete(arrival);
    inquiry?.giveUp();
  }

  /** A guess was looked at, and counts, although its connection has gone meanwhile. */
  #guessedAndLeft(arrival: Arrival): void {
    this.#refused(arrival.address, 'it left before it was found to be wrong');
    this.#offended(arrival);
  }

  #offended({ address, name }: Arrival): void {
    this.#options.offended?.(address, name);
    this.offence(address, name);
  }

  /** Somebody failed to prove that it has the name, here or at a worker of the node. */
  offence(address: string, name: string): void {
    const { clock, notice } = this.#options;
    // Whoever names nobody has guessed nothing. For a name that is blocked by it, nothing more is found out.
    if (name === '' || !this.#lockout.offence(address, clock.now().monoMs, name)) return;
    notice?.({ kind: 'blocked', address, name });
    for (const arrival of [...this.#inquiries.keys()]) {
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
    this.#refused(address, reason);
    if (isOffence) this.#offended(arrival);
    const link = new SocketLink(socket, { address }, this.#options.clock);
    if (answer !== undefined) link.write(answer);
    link.end();
  }

  #refuse(arrival: Arrival, reason: string): void {
    this.#waiting.leave(arrival);
    this.#abandon(arrival);
    this.#refused(arrival.address, reason);
    arrival.socket.destroy();
  }

  #refused(address: string, reason: string): void {
    this.#options.notice?.({ kind: 'refused', address, reason });
  }
}

function endpointOf(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}
