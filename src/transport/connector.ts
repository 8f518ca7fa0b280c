/** Connects out for an initiating session, with retries at increasing intervals. */
import { connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { type BackoffRules, backoffMs } from '../runtime/backoff.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Link, SocketLink } from './link.ts';

export interface ConnectorOptions {
  readonly host: string;
  readonly port: number;
  /** The alternate address, which is tried in turn with the first after a connection has failed or ended. */
  readonly backup?: { readonly host: string; readonly port: number } | undefined;
  readonly clock: Clock;
  /** Gives the session its connection; returns false if it does not want one. */
  readonly attach: (link: Link) => boolean;
  /** Read for each connection, so that a renewed certificate is used from the next one on. It may throw. */
  readonly tls?: ConnectorTls | (() => ConnectorTls) | undefined;
  readonly backoff?: Reconnect;
  readonly notice?: (notice: ConnectorNotice) => void;
}

export type ConnectorTls = Pick<
  ConnectionOptions,
  'ca' | 'key' | 'cert' | 'servername' | 'secureContext'
>;

export interface Reconnect extends BackoffRules {
  /** After a connection of this duration, the first retry interval applies again; a session waits 10 s for a logon. */
  readonly provenMs: number;
  readonly connectWithinMs: number;
}

const defaultBackoff: Reconnect = {
  firstMs: 500,
  maxMs: 30_000,
  provenMs: 20_000,
  connectWithinMs: 5_000,
};

export type ConnectorNotice =
  | { readonly kind: 'connected' }
  | { readonly kind: 'disconnected'; readonly reason: string; readonly retryMs: number };

export class Connector {
  readonly #options: ConnectorOptions;
  readonly #backoff: Reconnect;
  /** Until TCP and TLS are established. */
  #attempt: Socket | undefined;
  /** Attempts since the last successful connection. */
  #failures = 0;
  #attempts = 0;
  #isRunning = false;
  #cancelAlarm = () => {};

  constructor(options: ConnectorOptions) {
    this.#options = options;
    this.#backoff = options.backoff ?? defaultBackoff;
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#connect();
  }

  /** Stops retrying and aborts an attempt in progress; an established connection belongs to the session. */
  stop(): void {
    this.#isRunning = false;
    this.#cancelAlarm();
    this.#attempt?.destroy();
  }

  #connect(): void {
    const { backup, clock, tls } = this.#options;
    const isBackup = backup !== undefined && this.#attempts % 2 === 1;
    this.#attempts += 1;
    const { host, port } = isBackup ? backup : this.#options;
    const startMs = clock.now().monoMs;
    let reason = 'the connection ended';
    let socket: Socket;
    try {
      const own = typeof tls === 'function' ? tls() : tls;
      socket = own ? connectTls({ ...own, host, port }) : connectTcp({ host, port });
    } catch (error) {
      this.#ended(startMs, (error as Error).message);
      return;
    }
    this.#attempt = socket;
    this.#cancelAlarm = clock.at(startMs + this.#backoff.connectWithinMs, () =>
      socket.destroy(new Error('no answer in time')),
    );
    socket.on('error', (error) => {
      reason = error.message;
    });
    socket.once(tls === undefined ? 'connect' : 'secureConnect', () => this.#connected(socket));
    socket.once('close', () => this.#ended(startMs, reason));
  }

  #connected(socket: Socket): void {
    this.#cancelAlarm();
    this.#attempt = undefined;
    const { host, attach, notice } = this.#options;
    notice?.({ kind: 'connected' });
    const link = new SocketLink(socket, { address: socket.remoteAddress ?? host });
    if (!attach(link)) socket.destroy(new Error('the session does not accept a connection'));
  }

  #ended(startMs: number, reason: string): void {
    this.#cancelAlarm();
    if (!this.#isRunning) return;
    const { clock, notice } = this.#options;
    const { monoMs } = clock.now();
    this.#failures = monoMs - startMs >= this.#backoff.provenMs ? 1 : this.#failures + 1;
    const retryMs = backoffMs(this.#backoff, this.#failures);
    notice?.({ kind: 'disconnected', reason, retryMs });
    this.#cancelAlarm = clock.at(monoMs + retryMs, () => this.#connect());
  }
}
