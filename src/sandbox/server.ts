/**
 * The sandbox as a process runs it: the embedded venue with HTTP and WebSocket around it, an operator's listener on
 * loopback, and state that may outlive a restart.
 */
import { type Clock, systemClock } from '../runtime/clock.ts';
import { handleAdmin } from './admin-routes.ts';
import type { DevelopmentAccount } from './development-accounts.ts';
import { createVenue, type EmbeddedVenue, type VenueOptions } from './embedded-venue.ts';
import { type HttpShell, listen } from './http-shell.ts';
import { Saves } from './saves.ts';
import { SocketShell } from './socket-shell.ts';

export interface SandboxOptions extends Omit<VenueOptions, 'clock' | 'saved'> {
  /** 0, or none, takes a free one. */
  readonly port?: number;
  readonly host?: string;
  /** A `ManualClock` makes time stand still until the operator's route moves it. */
  readonly clock?: Clock;
  /** Directory in which the state is kept across restarts; in memory when absent. */
  readonly data?: string;
}

/** All that a client in any language needs to start. */
export interface SandboxInfo {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly adminUrl: string;
  readonly service: string;
  readonly markets: readonly object[];
  readonly accounts: readonly DevelopmentAccount[];
}

export interface Sandbox {
  readonly info: SandboxInfo;
  readonly venue: EmbeddedVenue;
  stop(): Promise<void>;
}

const tickMs = 50;
const maxBodyBytes = 1_048_576;
const loopback = '127.0.0.1';

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock = systemClock, data, host = loopback, port = 0, ...rest } = options;
  const saves = data === undefined ? undefined : new Saves(data);
  const saved = saves?.load();
  const venue = await createVenue({ ...rest, clock, ...(saved === undefined ? {} : { saved }) });
  const { reportFault } = venue.state;
  if (saves !== undefined) keepInputs(venue, saves);
  const shell = await listen({
    host,
    port,
    maxBodyBytes,
    clock,
    reportFault,
    handle(request) {
      const answer = venue.ingress.handle(request);
      // A turn of the loop later, so that one look at the stream serves all requests of this turn.
      if (request.method === 'POST') schedulePump();
      return answer;
    },
  });
  const sockets = openSockets(venue, shell, clock);
  let isPumpDue = false;
  const schedulePump = () => {
    if (isPumpDue) return;
    isPumpDue = true;
    setImmediate(() => {
      isPumpDue = false;
      sockets.pump();
    });
  };
  const admin = await listen({
    host: loopback,
    port: 0,
    maxBodyBytes,
    clock,
    reportFault,
    handle(request) {
      const answer = handleAdmin(
        {
          venue,
          clock,
          failSockets: (account, number, message) => sockets.fail(account, number, message),
          pump: () => sockets.pump(),
        },
        request,
      );
      if (request.method !== 'GET') saves?.save(venue);
      return answer;
    },
  });
  const cancelTicks = everyTick(clock, () => {
    const wallMs = venue.advance();
    saves?.record({ wallMs });
    sockets.tick();
    sockets.pump();
    saves?.keep(venue, clock.now().monoMs);
  });
  return {
    info: infoOf(venue, host, shell.port, admin.port),
    venue,
    async stop() {
      cancelTicks();
      sockets.stop();
      await Promise.all([shell.stop(), admin.stop()]);
      saves?.close(venue);
    },
  };
}

/** What changes nothing, because it only reads or came too fast, need not be done again. */
function keepInputs(venue: EmbeddedVenue, saves: Saves): void {
  saves.save(venue);
  venue.ingress.onDone = (request, { status }, wallMs) => {
    if (request.method === 'POST' && status !== 429) saves.record({ wallMs, request });
  };
}

function openSockets({ state }: EmbeddedVenue, shell: HttpShell, clock: Clock): SocketShell {
  const { profile } = state;
  return new SocketShell({
    server: shell.server,
    path: profile.routes.wsPrivate,
    clock,
    reportFault: state.reportFault,
    open: state.sessions,
    parts: {
      log: state.feed,
      tokens: state.tokens,
      faults: state.faults,
      frames: profile.ws.private,
    },
  });
}

function everyTick(clock: Clock, tick: () => void): () => void {
  let cancel = () => {};
  const schedule = () => {
    cancel = clock.at(clock.now().monoMs + tickMs, () => {
      tick();
      schedule();
    });
  };
  schedule();
  return () => cancel();
}

function infoOf(venue: EmbeddedVenue, host: string, port: number, adminPort: number): SandboxInfo {
  const { profile } = venue.state;
  return {
    baseUrl: `http://${host}:${port}`,
    wsUrl: `ws://${host}:${port}${profile.routes.wsPrivate}`,
    adminUrl: `http://${loopback}:${adminPort}/admin`,
    service: profile.service.name,
    markets: venue.state.exchange.markets(),
    accounts: venue.accounts,
  };
}
