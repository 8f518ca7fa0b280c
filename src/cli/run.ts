/** `causeway run`: runs the bridge from a configuration file until a signal stops it. */
import { type Bridge, openBridge } from '../console/console.ts';
import type { ProcessOptions } from '../gateway/client-side.ts';
import { certificatesOf, credentialEnds } from '../gateway/config/config-checks.ts';
import { type LoadedConfig, loadConfig } from '../gateway/config/config-file.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { CopyRelay } from '../gateway/relay/copy-relay.ts';
import { systemClock } from '../runtime/clock.ts';
import { type ExpiryCode, watchExpiry } from '../runtime/expiry-watch.ts';
import { createLog, type Log } from '../runtime/log.ts';
import { standardOutput } from '../runtime/standard-output.ts';
import { adviceFor } from './advice.ts';
import { command } from './command.ts';
import { type DataLease, standBy, takeAtOnce, takeOver } from './data-lease.ts';
import { awaitFailedTransactions } from './failed-transaction.ts';
import { keepLostCommits, refuseLostCommits } from './lost-commits.ts';
import { openMetricsExport } from './metrics-export.ts';
import {
  exitWhenLost,
  operatorLines,
  readAgain,
  writeLine,
  writeListening,
} from './operator-log.ts';
import { flag, needed } from './options.ts';
import { prettyLine } from './pretty-line.ts';
import { type Reloads, reloadsAsked, stopDuringStart } from './stop.ts';
import { openTracing } from './tracing.ts';
import { exitCodes, UsageError } from './verb.ts';

const about = `Reads the configuration whole, then the journal, then the venue, and only then opens the FIX port. SIGTERM and
SIGINT drain it: no new orders, requests in flight complete, clients are logged out, everything is recorded. SIGHUP
reads the configuration again: sessions, users, profiles and limits change, and no other session is dropped. Events
are logged on standard output, one JSON line each, without secrets; --pretty writes them for people instead.

One process at a time runs on a dataDir; a second one is refused. With --standby it waits for the end of the first,
with nothing open, and then reads its configuration again and runs.`;

export const verb = command({
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
    const reloads = reloadsAsked();
    const asked = stopDuringStart(log);
    const take = standby ? standBy : isForced ? takeOver : takeAtOnce;
    const lease = await take(file, log);
    const { lock } = lease;
    exitWhenLost(lock, log, exitCodes.failed);
    try {
      refuseLostCommits(lease.loaded);
      await serve({
        loaded: lease.loaded,
        isForced,
        seenEpoch: lease.seenEpoch,
        reload: () => loadConfig(file),
        reloads,
        log,
        asked,
        isStandby: standby,
        opened: (bridge) => announce(bridge, lease, log),
        exitCodeOf: (error) => {
          keepLostCommits(lease.loaded, error);
          return exitCodes[adviceFor(error as Error, 'run').outcome];
        },
      });
      return exitCodes.done;
    } finally {
      lock.release();
    }
  },
});

const readable = {
  write: (json: string) => standardOutput.write(`${prettyLine(json)}\n`),
};

/** A worker of a node also says how it gets its shard, and what it shares with its node. */
interface Serving extends Omit<ProcessOptions, 'alarm' | 'fatal' | 'notice' | 'observer'> {
  readonly log: Log;
  /** Rereads the configuration, on SIGHUP. */
  readonly reload: () => LoadedConfig;
  readonly reloads: Reloads;
  /** Called once it is open; resolves when it should stop. */
  readonly asked: () => Promise<void>;
  /** Called when clients can log on. */
  readonly opened: (bridge: Served) => void;
  /** The exit code when the process cannot continue. */
  readonly exitCodeOf: (error: unknown) => number;
  /** The name of the shard. */
  readonly instance?: string;
}

export interface Served extends Omit<Bridge, 'gateway'> {
  readonly gateway: Gateway | CopyRelay;
}

/** Runs until it is asked to stop. Without the order-entry role it only relays drop copies, without key or console. */
export async function serve(serving: Serving): Promise<void> {
  const { asked, exitCodeOf, instance, log, opened, reload, reloads, ...given } = serving;
  const { loaded } = given;
  const isBridge = loaded.config.roles.includes('order-entry');
  awaitFailedTransactions();
  const lines = operatorLines(log, loaded);
  const { alarm, notice } = lines;
  const fatal = (error: unknown): never => {
    const text = `the ${isBridge ? 'bridge' : 'relay'} cannot continue, so it exits`;
    writeLine(log, text, { event: 'cannot_go_on' }, { err: error });
    process.exit(exitCodeOf(error));
  };
  const tracing = await openTracing(loaded);
  const metricsExport = await openMetricsExport(loaded, notice);
  const observer = tracing && { observer: tracing.observer };
  const options = { ...given, ...observer, alarm, notice, fatal };
  const served: Served = await (isBridge ? openBridge : openRelay)(options);
  if (served.metrics !== undefined) metricsExport?.start(served.metrics, instance);
  const stopped = asked();
  opened(served);
  const own = served.lines ?? lines;
  const expiry = (text: string, code: ExpiryCode) => own.alarm(text, { event: 'expiry', code });
  const watched = (of: LoadedConfig) =>
    watchExpiry([...certificatesOf(of), ...credentialEnds(of.config)], systemClock, expiry);
  let stopWatch = watched(loaded);
  const reloaded = async () => {
    const fresh = reload();
    const renewConsole = served.renewal(fresh);
    await served.gateway.reload(fresh);
    renewConsole();
    stopWatch();
    stopWatch = watched(fresh);
  };
  reloads.begin(() => readAgain('the configuration', reloaded, own));
  await stopped;
  notice('stopping: no more orders are accepted', { event: 'stopping' });
  const lastReload = reloads.end();
  await served.stop();
  await lastReload;
  stopWatch();
  notice('stopped', { event: 'stopped' });
  lines.stop();
  await Promise.all([tracing?.stop(), metricsExport?.stop()]);
}

function announce(
  { consoleUrl, gateway }: Served,
  { loaded: { config }, tookOverMs }: DataLease,
  log: Log,
): void {
  const { console: operators, fix, fixp, roles } = config;
  if (tookOverMs !== undefined) {
    const ms = systemClock.now().monoMs - tookOverMs;
    const text = `took over: clients are served ${ms} ms after the lock was found free`;
    writeLine(log, text, { event: 'took_over' });
  }
  const serves = roles.includes('order-entry') ? '' : ' drop copies';
  writeListening(log, `FIX 4.4${serves} on port ${gateway.port}`, fix.tls);
  if (gateway.fixpPort > 0) {
    writeListening(log, `FIXP${serves} on port ${gateway.fixpPort}`, fixp?.tls);
  }
  if (consoleUrl !== undefined) writeListening(log, `console on ${consoleUrl}`, operators?.tls);
}

async function openRelay(options: ProcessOptions): Promise<Served> {
  const gateway = await CopyRelay.open(options);
  return {
    gateway,
    consoleUrl: undefined,
    metrics: undefined,
    renewal: () => () => {},
    stop: () => gateway.stop(),
  };
}
