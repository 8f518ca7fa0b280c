/**
 * The sandbox as a process: the embedded venue with HTTP and WebSocket, an operator's listener on loopback, and state
 * that can survive a restart.
 */
import { type Clock, every, systemClock } from '../runtime/clock.ts';
import { type AdminParts, handleAdmin } from './admin-routes.ts';
import {
  createVenue,
  type EmbeddedVenue,
  startSettings,
  type VenueOptions,
} from './embedded-venue.ts';
import type { Retention } from './engine/config.ts';
import { listen } from './http-shell.ts';
import { type SaveLimits, Saves } from './saves.ts';
import { SocketShell } from './socket-shell.ts';
import { isKept, rebuildVenue, type VenueInput } from './venue-input.ts';

export interface SandboxOptions extends Omit<VenueOptions, 'clock'> {
  /** 0 or undefined selects a free port. */
  readonly port?: number;
  readonly host?: string;
  /** With a `ManualClock`, time advances only through the admin route. */
  readonly clock?: Clock;
  /** The directory in which the state survives restarts; without it the state is only in memory. */
  readonly data?: string;
  readonly saveLimits?: SaveLimits;
}

/** Everything that a client in any language needs to start. */
export type SandboxInfo = Readonly<ReturnType<typeof infoOf>>;

export interface Sandbox {
  readonly info: SandboxInfo;
  readonly venue: EmbeddedVenue;
  /** Applies all held requests, and sends all waiting answers and frames. */
  release(): void;
  stop(): Promise<void>;
}

const tickMs = 50;
/** The saved state is read at a start and written by each compaction as a whole, so it must fit into memory. */
const keptRetention: Partial<Retention> = {
  eventsPerAccount: 20_000,
  receipts: 20_000,
  closedOrders: 20_000,
  trades: 20_000,
};
const maxBodyBytes = 1_048_576;
const loopback = '127.0.0.1';

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock = systemClock, data, host = loopback, port = 0, saveLimits, ...rest } = options;
  const saves = data === undefined ? undefined : new Saves(data, saveLimits);
  const retention = { ...keptRetention, ...rest.retention };
  const kept = saves && (await openKept(saves, { ...rest, clock, retention }));
  const venue = kept?.venue ?? (await createVenue({ ...rest, clock }));
  const { reportFault } = venue.state;
  const common = { maxBodyBytes, clock, reportFault };
  const shell = await listen({
    ...common,
    host,
    port,
    handle(request) {
      const answer = venue.ingress.handle(request);
      // Deferred to the next round of the event loop, so that one check of the stream serves all requests of this
      // round.
      if (request.method === 'POST') schedulePump();
      return answer;
    },
  });
  venue.state.lanes.bsl = { host, port: shell.port, tlsSni: null };
  const sockets = new SocketShell(shell.server, venue.state);
  let isPumpDue = false;
  const schedulePump = () => {
    if (isPumpDue) return;
    isPumpDue = true;
    setImmediate(() => {
      isPumpDue = false;
      sockets.each('pump');
    });
  };
  const release = () => {
    venue.ingress.releaseHeld();
    shell.release();
    sockets.each('release');
  };
  const parts: AdminParts = {
    venue,
    clock,
    failSockets: (account, number, message) => sockets.fail(account, number, message),
    pump: () => sockets.each('pump'),
    release,
  };
  const admin = await listen({
    ...common,
    host: loopback,
    port: 0,
    handle(request) {
      if (!isKept(request)) return handleAdmin(parts, request);
      const { wallMs } = venue.state.clock.now();
      return venue.state.clock.during(wallMs, () => {
        venue.ingress.runDue(wallMs);
        const answer = handleAdmin(parts, request);
        kept?.record({ kind: 'admin', wallMs, request });
        return answer;
      });
    },
  });
  const cancelTicks = every(clock, tickMs, () => {
    if (kept?.isFull() !== true) venue.advance();
    sockets.each('tick');
    sockets.each('pump');
    kept?.compact();
  });
  return {
    info: infoOf(venue, host, shell.port, admin.port),
    venue,
    release,
    async stop() {
      cancelTicks();
      sockets.stop();
      await Promise.all([shell.stop(), admin.stop()]);
      await kept?.close();
    },
  };
}

/** A venue whose inputs are stored. */
async function openKept(saves: Saves, options: VenueOptions) {
  try {
    const kept = saves.load();
    const venue = await (kept === undefined
      ? createVenue(options)
      : rebuildVenue(options, kept.saved, kept.inputs));
    if (kept === undefined) saves.create(venue.save());
    return keepInputs(venue, saves, options, kept !== undefined);
  } catch (error) {
    await saves.close();
    throw error;
  }
}

function keepInputs(venue: EmbeddedVenue, saves: Saves, options: VenueOptions, isRebuilt: boolean) {
  const { exchange, gates, reportFault } = venue.state;
  let hasFailed = false;
  const record = (input: VenueInput) => {
    if (hasFailed) return;
    try {
      const isBehind = exchange.nowMs > input.wallMs;
      saves.record(isBehind ? { ...input, engineMs: exchange.nowMs } : input);
    } catch (error) {
      // Inputs that cannot be stored would be lost by a restart, so nothing more is accepted.
      hasFailed = true;
      gates.switches.recovering = true;
      reportFault(error);
    }
  };
  venue.onDue = (wallMs) => record({ kind: 'due', wallMs });
  venue.ingress.onDone = (request, { isWithoutEffect }, wallMs) => {
    if (request.method !== 'POST' || isWithoutEffect === true) return;
    record({ kind: 'request', wallMs, request });
    if (hasFailed) throw new Error('the request was applied and could not be recorded');
  };
  if (isRebuilt) {
    const settings = startSettings(options);
    venue.start(settings);
    record({ kind: 'start', wallMs: venue.state.clock.now().wallMs, settings });
  }
  const { clock: _, reportFault: __, ...given } = options;
  const settings = { ...given, profile: venue.state.profile };
  return {
    venue,
    record,
    isFull: () => saves.isFull,
    compact: () => saves.compact(settings, reportFault),
    close: () => saves.close(),
  };
}

function infoOf(venue: EmbeddedVenue, host: string, port: number, adminPort: number) {
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
