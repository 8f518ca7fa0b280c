/** `causeway run`: the bridge itself, from a configuration file, until a signal stops it. */
import { openBridge } from '../console/console.ts';
import type { ProcessOptions } from '../gateway/client-side.ts';
import { loadConfig } from '../gateway/config-file.ts';
import { CopyRelay } from '../gateway/copy-relay.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { systemClock } from '../runtime/clock.ts';
import { createLog, type Log } from '../runtime/log.ts';
import type { LineFacts } from '../runtime/operator-line.ts';
import { command } from './command.ts';
import { type DataLease, tenureOf } from './data-lease.ts';
import { writeAlarm, writeLine } from './operator-log.ts';
import { flag, needed } from './options.ts';
import { stopAsked } from './stop.ts';
import { exitCodes, UsageError } from './verb.ts';

const about = `Reads the configuration whole, then the journal, then the venue, and only then opens the FIX port. SIGTERM and
SIGINT drain it: no new orders, requests in flight complete, clients are logged out, everything is recorded. SIGHUP
reads the configuration again: sessions, users, profiles and limits change, and no other session is dropped. Events
are logged on standard output, one JSON line each, without secrets.

One process at a time runs on a dataDir; a second one is refused. With --standby it waits for the end of the first,
with nothing open, and then reads its configuration again and runs.`;

export const verb = command({
  name: 'run',
  summary: 'run the bridge',
  forms: ['--config FILE [--standby|--take-over]'],
  about,
  options: {
    config: needed('FILE', 'configuration of the bridge'),
    standby: flag('wait until the process that has the same data ends, then run'),
    'take-over': flag(
      'run although another process has the data: for one that hangs and cannot be ended',
    ),
  },
  examples: [
    'causeway check --config config/gateway.yaml',
    'causeway run --config config/gateway.yaml',
    'causeway run --config config/gateway.yaml --standby',
  ],
  async run({ config: file, standby, 'take-over': isForced }) {
    if (standby && isForced) throw new UsageError('--standby waits and --take-over does not');
    const log = createLog({ level: 'info' });
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
      await serve(tenure, file, log);
      return exitCodes.done;
    } finally {
      lock.release();
    }
  },
});

/** Without the role of order entry it only relays drop copies: no key, no orders, no console. */
async function serve({ loaded, tookOverMs }: DataLease, file: string, log: Log): Promise<void> {
  const { console: operators, fix, fixp, roles } = loaded.config;
  const isBridge = roles.includes('order-entry');
  const options = {
    loaded,
    ...toldTo(log, `the ${isBridge ? 'bridge' : 'relay'} cannot continue, so it exits`),
  };
  const { consoleUrl, gateway, stop } = await (isBridge ? openBridge : openRelay)(options);
  const asked = stopAsked();
  tellTakeOver(tookOverMs, log);
  const serves = isBridge ? '' : ' drop copies';
  opened(log, `FIX 4.4${serves} on port ${gateway.port}`, fix.tls);
  if (gateway.fixpPort > 0) opened(log, `FIXP${serves} on port ${gateway.fixpPort}`, fixp?.tls);
  if (consoleUrl !== undefined) opened(log, `console on ${consoleUrl}`, operators?.tls);
  process.on('SIGHUP', () => void reloaded(gateway, file, log));
  await asked;
  await stop();
}

async function openRelay(options: ProcessOptions) {
  const gateway = await CopyRelay.open(options);
  return { gateway, consoleUrl: undefined, stop: () => gateway.stop() };
}

function opened(log: Log, text: string, tls: object | undefined): void {
  writeLine(log, text, { event: 'started_listening', tls: tls !== undefined });
}

/** `end` is logged when it cannot continue. */
function toldTo(log: Log, end: string) {
  return {
    alarm: (text: string, facts: LineFacts) => writeAlarm(log, text, facts),
    notice: (text: string, facts: LineFacts) => writeLine(log, text, facts),
    fatal(error: unknown): never {
      log.fatal({ event: 'cannot_go_on', err: error }, end);
      process.exit(exitCodes.failed);
    },
  };
}

function tellTakeOver(tookOverMs: number | undefined, log: Log): void {
  if (tookOverMs === undefined) return;
  const ms = systemClock.now().monoMs - tookOverMs;
  const text = `took over: clients are served ${ms} ms after the lock was found free`;
  writeLine(log, text, { event: 'took_over' });
}

/** A wrong configuration changes nothing. */
async function reloaded(gateway: Gateway | CopyRelay, file: string, log: Log): Promise<void> {
  try {
    await gateway.reload(loadConfig(file));
    writeLine(log, `${file} was read again`, { event: 'config_read' });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const text = `the configuration stays as it was: ${error.message}`;
    writeAlarm(log, text, { event: 'config_refused' });
  }
}
