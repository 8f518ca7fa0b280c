/** `causeway run`: the bridge itself, from a configuration file, until it is told to stop. */
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
SIGINT drain it: no new orders, what is under way is waited for, clients are logged out, everything recorded. SIGHUP
reads the configuration again: sessions, users, profiles and limits change, and no other session is dropped. What
happens is told on standard output, one JSON line an event, without secrets.

One process at a time runs on a dataDir; a second one is refused. With --standby it waits for the end of the first,
with nothing open, and then reads its configuration again and runs.`;

export const verb = command({
  name: 'run',
  summary: 'run the bridge',
  forms: ['--config FILE [--standby|--take-over]'],
  about,
  options: {
    config: needed('FILE', 'configuration of the bridge'),
    standby: flag('run when whoever runs on the same data has ended'),
    'take-over': flag('run although another has the data, which hangs and cannot be ended'),
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
      const text = 'another process has taken the data over, so this one ends';
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
    ...toldTo(log, `the ${isBridge ? 'bridge' : 'relay'} cannot go on, so it ends`),
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

/** `end` is its last word when it cannot go on. */
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
