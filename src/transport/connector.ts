/** Connects out for an initiating session, again and again, ever more slowly while the other side does not answer. */
import { connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { type BackoffRules, backoffMs } from '../runtime/backoff.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Link, SocketLink } from './link.ts';

export interface ConnectorOptions {
  readonly host: string;
  readonly port: number;
  /** Tried in turn with the first, from when a connection has failed or ended. */
  readonly backup?: { readonly host: string; readonly port: number } | undefined;
  readonly clock: Clock;
  /** Gives the session its connection; false when it wants none. */
  readonly attach: (link: Link) => boolean;
  readonly tls?: Pick<ConnectionOptions, 'ca' | 'key' | 'cert' | 'servername'>;
  readonly backoff?: Reconnect;
  readonly notice?: (notice: ConnectorNotice) => void;
}

export interface Reconnect extends BackoffRules {
  /** A connection that lived this long was a good one: the next wait is the first again. */
  readonly provenMs: number;
  readonly connectWithinMs: number;
}

const defaultBackoff: Reconnect = {
  firstMs: 500,
  maxMs: 30_000,
  provenMs: 10_000,
  connectWithinMs: 5_000,
};

export type ConnectorNotice =
  | { readonly kind: 'connected' }
  | { readonly kind: 'disconnected'; readonly reason: string; readonly retryMs: number };

export class Connector {
  readonly #options: ConnectorOptions;
  readonly #backoff: Reconnect;
  #socket: Socket | undefined;
  /** Since the last connection that was a good one. */
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

  /** Tries no more and drops an attempt under way; a connection that stands is the session's. */
  stop(): void {
    this.#isRunning = false;
    this.#cancelAlarm();
    if (this.#socket?.connecting) this.#socket.destroy();
  }

  #connect(): void {
    const { backup, clock, tls } = this.#options;
    const isBackup = backup !== undefined && this.#attempts % 2 === 1;
    this.#attempts += 1;
    const { host, port } = isBackup ? backup : this.#options;
    const startMs = clock.now().monoMs;
    let reason = 'the connection ended';
    const socket =
      tls === undefined ? connectTcp({ host, port }) : connectTls({ ...tls, host, port });
    this.#socket = socket;
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
    const { host, clock, attach, notice } = this.#options;
    notice?.({ kind: 'connected' });
    const link = new SocketLink(socket, { address: socket.remoteAddress ?? host }, clock);
    if (!attach(link)) socket.destroy(new Error('the session wants no connection'));
  }

  #ended(startMs: number, reason: string): void {
    this.#cancelAlarm();
    if (!this.#isRunning) return;
    const { clock, notice } = this.#options;
    const { monoMs } = clock.now();
    if (monoMs - startMs >= this.#backoff.provenMs) this.#failures = 0;
    this.#failures += 1;
    const retryMs = backoffMs(this.#backoff, this.#failures);
    notice?.({ kind: 'disconnected', reason, retryMs });
    this.#cancelAlarm = clock.at(monoMs + retryMs, () => this.#connect());
  }
}
