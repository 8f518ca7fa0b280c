/** `causeway run`: the bridge itself, from a configuration file, until a signal stops it. */
import { openBridge } from '../console/console.ts';
import type { ProcessOptions } from '../gateway/client-side.ts';
import type { ClusterLink } from '../gateway/cluster-link.ts';
import { certificatesOf, credentialEnds } from '../gateway/config-checks.ts';
import { type LoadedConfig, loadConfig } from '../gateway/config-file.ts';
import { CopyRelay } from '../gateway/copy-relay.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Outside } from '../gateway/outside.ts';
import { systemClock } from '../runtime/clock.ts';
import { type ExpiryCode, watchExpiry } from '../runtime/expiry-watch.ts';
import { createLog, type Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { RaiseAlarm, WriteNotice } from '../runtime/operator-line.ts';
import type { Claim } from '../store/postgres/lease.ts';
import { alarmSender } from './alarm-webhook.ts';
import { command } from './command.ts';
import { type DataLease, tenureOf } from './data-lease.ts';
import { openMetricsExport } from './metrics-export.ts';
import { writeAlarm, writeLine } from './operator-log.ts';
import { flag, needed } from './options.ts';
import { prettyLine } from './pretty-line.ts';
import { stopAsked } from './stop.ts';
import { awaitThrownTurns } from './thrown-turn.ts';
import { openTracing } from './tracing.ts';
import { exitCodes, UsageError } from './verb.ts';

const about = `Reads the configuration whole, then the journal, then the venue, and only then opens the FIX port. SIGTERM and
SIGINT drain it: no new orders, requests in flight complete, clients are logged out, everything is recorded. SIGHUP
reads the configuration again: sessions, users, profiles and limits change, and no other session is dropped. Events
are logged on standard output, one JSON line each, without secrets; --pretty writes them for people instead.

One process at a time runs on a dataDir; a second one is refused. With --standby it waits for the end of the first,
with nothing open, and then reads its configuration again and runs.`;

export const verb = command({
  name: 'run',
  summary: 'run the bridge',
  forms: ['--config FILE [--standby|--take-over] [--pretty]'],
  about,
  options: {
    config: needed('FILE', 'configuration of the bridge'),
    standby: flag('wait until the process that has the same data ends, then run'),
    pretty: flag('write the log for people instead of as JSON lines'),
    'take-over': flag(
      'run although another process has the data: for one that hangs and cannot be ended',
    ),
  },
  examples: [
    'causeway check --config config/gateway.yaml',
    'causeway run --config config/gateway.yaml',
    'causeway run --config config/gateway.yaml --standby',
  ],
  async run({ config: file, pretty, standby, 'take-over': isForced }) {
    if (standby && isForced) throw new UsageError('--standby waits and --take-over does not');
    const log = createLog({ level: 'info', ...(pretty && { destination: readable }) });
    const manner = standby ? 'standby' : isForced ? 'by force' : 'at once';
    const tenure = await tenureOf(manner, file, log);
    if (tenure === undefined) return exitCodes.done;
    const { lock } = tenure;
    lock.whenLost(systemClock, () => {
      const text = 'another process has taken over the data, so this one exits';
      writeLine(log, text, { event: 'data_lost' });
      process.exit(exitCodes.failed);
    });
    try {
      await serve({
        loaded: tenure.loaded,
        isForced,
        reload: () => loadConfig(file),
        log,
        asked: stopAsked,
        opened: (bridge) => announce(bridge, tenure, log),
      });
      return exitCodes.done;
    } finally {
      lock.release();
    }
  },
});

const readable = {
  write: (json: string) => void process.stdout.write(`${prettyLine(json)}\n`),
};

interface Serving {
  readonly loaded: LoadedConfig;
  readonly log: Log;
  /** Reads the configuration again, as SIGHUP asks for. */
  readonly reload: () => LoadedConfig;
  /** Called once it is open; resolves when it is to stop. */
  readonly asked: () => Promise<void>;
  /** Clients can log on. */
  readonly opened: (bridge: Served) => void;
  readonly isForced?: boolean;
  readonly outside?: Outside;
  /** Of a worker: how it gets its shard of the database. */
  readonly claim?: Claim;
  /** The exit code when the process cannot continue. */
  readonly exitCodeOf?: (error: unknown) => number;
  /** If this is a shard of a cluster. */
  readonly cluster?: ClusterLink;
  /** The name of the shard. */
  readonly instance?: string;
}

export interface Served {
  readonly gateway: Gateway | CopyRelay;
  readonly consoleUrl: string | undefined;
  readonly metrics: Metrics | undefined;
}

/** Runs until it is asked to stop. Without the role of order entry it only relays drop copies: no key, no orders, no console. */
export async function serve(serving: Serving): Promise<void> {
  const {
    asked,
    claim,
    cluster,
    exitCodeOf,
    isForced = false,
    loaded,
    log,
    outside,
    reload,
  } = serving;
  const isBridge = loaded.config.roles.includes('order-entry');
  awaitThrownTurns();
  const notice: WriteNotice = (text, facts) => writeLine(log, text, facts);
  const webhook = alarmSender(loaded, systemClock, notice);
  const alarm: RaiseAlarm = (text, facts) => {
    writeAlarm(log, text, facts);
    webhook?.send(text, facts);
  };
  const fatal = (error: unknown): never => {
    const text = `the ${isBridge ? 'bridge' : 'relay'} cannot continue, so it exits`;
    writeLine(log, text, { event: 'cannot_go_on' }, { err: error });
    process.exit(exitCodeOf?.(error) ?? exitCodes.failed);
  };
  const tracing = await openTracing(loaded);
  const metricsExport = await openMetricsExport(loaded, notice);
  const observer = tracing && { observer: tracing.observer };
  const shared = { loaded, isForced, alarm, notice, fatal };
  const parts = { ...(claim && { claim }), ...(cluster && { cluster }) };
  const options = { ...shared, ...observer, ...parts, ...(outside && { outside }) };
  const served = await (isBridge ? openBridge : openRelay)(options);
  if (served.metrics !== undefined) metricsExport?.start(served.metrics, serving.instance);
  const stopped = asked();
  serving.opened(served);
  const expiry = (text: string, code: ExpiryCode) => alarm(text, { event: 'expiry', code });
  const watched = (of: LoadedConfig) =>
    watchExpiry([...certificatesOf(of), ...credentialEnds(of.config)], systemClock, expiry);
  let stopWatch = watched(loaded);
  const renew = (of: LoadedConfig) => {
    stopWatch();
    stopWatch = watched(of);
  };
  process.on('SIGHUP', () => void reloaded(served.gateway, reload, renew, { alarm, notice }));
  await stopped;
  stopWatch();
  await served.stop();
  webhook?.stop();
  await Promise.all([tracing?.stop(), metricsExport?.stop()]);
}

function announce(
  { consoleUrl, gateway }: Served,
  { loaded: { config }, tookOverMs }: DataLease,
  log: Log,
): void {
  const { console: operators, fix, fixp, roles } = config;
  tellTakeOver(tookOverMs, log);
  const serves = roles.includes('order-entry') ? '' : ' drop copies';
  opened(log, `FIX 4.4${serves} on port ${gateway.port}`, fix.tls);
  if (gateway.fixpPort > 0) opened(log, `FIXP${serves} on port ${gateway.fixpPort}`, fixp?.tls);
  if (consoleUrl !== undefined) opened(log, `console on ${consoleUrl}`, operators?.tls);
}

async function openRelay(options: ProcessOptions) {
  const gateway = await CopyRelay.open(options);
  return { gateway, consoleUrl: undefined, metrics: undefined, stop: () => gateway.stop() };
}

function opened(log: Log, text: string, tls: object | undefined): void {
  writeLine(log, text, { event: 'started_listening', tls: tls !== undefined });
}

function tellTakeOver(tookOverMs: number | undefined, log: Log): void {
  if (tookOverMs === undefined) return;
  const ms = systemClock.now().monoMs - tookOverMs;
  const text = `took over: clients are served ${ms} ms after the lock was found free`;
  writeLine(log, text, { event: 'took_over' });
}

/** A wrong configuration changes nothing. */
async function reloaded(
  gateway: Gateway | CopyRelay,
  reload: () => LoadedConfig,
  renew: (loaded: LoadedConfig) => void,
  { alarm, notice }: { readonly alarm: RaiseAlarm; readonly notice: WriteNotice },
): Promise<void> {
  try {
    const loaded = reload();
    await gateway.reload(loaded);
    renew(loaded);
    notice('the configuration was read again', { event: 'config_read' });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const text = `the configuration stays as it was: ${error.message}`;
    alarm(text, { event: 'config_refused' });
  }
}
