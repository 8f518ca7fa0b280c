/**
 * The WebSocket around private sessions: bounded frames, connections and unsent bytes; silent peers are disconnected.
 */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { every, systemClock } from '../runtime/clock.ts';
import { PrivateSession } from './private-session.ts';
import type { State } from './state.ts';

const maxSockets = 1000;
const maxUnsentBytes = 262_144;
const pingEveryMs = 15_000;

export class SocketShell {
  readonly #state: State;
  readonly #server: WebSocketServer;
  readonly #sessions = new Map<WebSocket, PrivateSession>();
  readonly #answered = new WeakSet<WebSocket>();
  readonly #cancelPing: () => void;
  #count = 0;

  constructor(server: Server, state: State) {
    const { routes, ws } = state.profile;
    this.#state = state;
    this.#server = new WebSocketServer({
      noServer: true,
      maxPayload: ws.private.maxFrameBytes,
      perMessageDeflate: false,
    });
    server.on('upgrade', (request, socket: Duplex, head) => {
      socket.on('error', () => socket.destroy());
      const path = (request.url ?? '').split('?', 1)[0];
      if (path !== routes.wsPrivate || this.#sessions.size >= maxSockets) {
        const status = path === routes.wsPrivate ? '503 Service Unavailable' : '404 Not Found';
        const answer = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
        // A client that does not close its side must not keep the connection.
        socket.end(answer, () => socket.destroy());
        return;
      }
      this.#server.handleUpgrade(request, socket, head, (peer) => this.#opened(peer));
    });
    // This uses real time instead of the venue's clock, because the peer's machine may have died.
    this.#cancelPing = every(systemClock, pingEveryMs, () => this.#ping());
  }

  /** Calls every session: `pump` if there may be new events, `tick` as time passes, `release` to send what waits. */
  each(call: 'pump' | 'tick' | 'release'): void {
    const now = this.#state.clock.now();
    for (const session of this.#sessions.values()) session[call](now);
  }

  /** Sends a numeric reason on demand to all sockets of the account. */
  fail(account: string, number: number, message: string): number {
    let count = 0;
    for (const session of this.#sessions.values()) {
      if (session.account !== account) continue;
      session.fail(number, message);
      count += 1;
    }
    return count;
  }

  stop(): void {
    this.#cancelPing();
    for (const peer of this.#sessions.keys()) peer.terminate();
    this.#server.close();
  }

  #opened(peer: WebSocket): void {
    const { clock, faults, feed, profile, reportFault, sessions, tokens } = this.#state;
    const sink = {
      send: (frame: string) => {
        if (peer.readyState === peer.OPEN) peer.send(frame, () => this.#drained(peer));
      },
      // WebSocket limits the reason to 123 bytes, and a character may take three. The error frame has it in full.
      close: (code: number, reason: string) => peer.close(code, reason.slice(0, 41)),
      hasRoom: () => peer.readyState === peer.OPEN && peer.bufferedAmount < maxUnsentBytes,
    };
    this.#count += 1;
    const parts = { sink, log: feed, tokens, faults, frames: profile.ws.private };
    const session = new PrivateSession(`ws-${this.#count}`, parts, clock.now());
    sessions.add(session);
    this.#sessions.set(peer, session);
    this.#answered.add(peer);
    peer.on('message', (data, isBinary) => {
      try {
        if (isBinary) session.fail(1, 'a frame must be text');
        else session.received(String(data), clock.now());
      } catch (error) {
        reportFault(error);
        peer.terminate();
      }
    });
    peer.on('pong', () => this.#answered.add(peer));
    peer.on('close', () => {
      this.#sessions.delete(peer);
      sessions.delete(session);
    });
    // The close event follows; a peer's invalid frame affects no one else.
    peer.on('error', () => undefined);
  }

  #drained(peer: WebSocket): void {
    if (peer.bufferedAmount > 0) return;
    this.#sessions.get(peer)?.pump(this.#state.clock.now());
  }

  #ping(): void {
    for (const peer of this.#sessions.keys()) {
      if (!this.#answered.delete(peer)) peer.terminate();
      else peer.ping();
    }
  }
}
