/** `causeway run`: the bridge itself, from a configuration file, until it is told to stop. */
import { openBridge } from '../console/console.ts';
import { loadConfig } from '../gateway/config-file.ts';
import { CopyRelay } from '../gateway/copy-relay.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { systemClock } from '../runtime/clock.ts';
import { createLog, type Log } from '../runtime/log.ts';
import { command } from './command.ts';
import { flag, needed } from './options.ts';
import { stopAsked } from './stop.ts';
import { type Tenure, tenureOf } from './tenure.ts';
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
    const { loaded, lock } = tenure;
    lock.whenLost(systemClock, () => {
      log.fatal('another process has taken the data over, so this one ends');
      process.exit(exitCodes.failed);
    });
    try {
      const isBridge = loaded.config.roles.includes('order-entry');
      await (isBridge ? bridged : relayed)(tenure, file, log);
      return exitCodes.done;
    } finally {
      lock.release();
    }
  },
});

async function bridged({ loaded, tookOverMs }: Tenure, file: string, log: Log): Promise<void> {
  const { consoleUrl, gateway, stop } = await openBridge({
    loaded,
    ...toldTo(log, 'the store has failed, so the bridge ends'),
  });
  const asked = stopAsked();
  tellTakeOver(tookOverMs, log);
  log.info(`FIX 4.4 on port ${gateway.port}`);
  if (gateway.fixpPort > 0) log.info(`FIXP on port ${gateway.fixpPort}`);
  if (consoleUrl !== undefined) log.info(`console on ${consoleUrl}`);
  process.on('SIGHUP', () => void reloaded(gateway, file, log));
  await asked;
  await stop();
}

/** A process that only relays drop copies: no key, no orders, no console. */
async function relayed({ loaded, tookOverMs }: Tenure, file: string, log: Log): Promise<void> {
  const relay = await CopyRelay.open({
    loaded,
    ...toldTo(log, 'the store has failed, so the relay ends'),
  });
  const asked = stopAsked();
  tellTakeOver(tookOverMs, log);
  log.info(`FIX 4.4 drop copies on port ${relay.port}`);
  if (relay.fixpPort > 0) log.info(`FIXP drop copies on port ${relay.fixpPort}`);
  process.on('SIGHUP', () => void reloaded(relay, file, log));
  await asked;
  await relay.stop();
}

/** `end` is its last word when it cannot go on. */
function toldTo(log: Log, end: string) {
  return {
    alarm: (text: string) => log.error({ alarm: true }, text),
    notice: (text: string) => log.info(text),
    fatal(error: unknown): never {
      log.fatal(error, end);
      process.exit(exitCodes.failed);
    },
  };
}

function tellTakeOver(tookOverMs: number | undefined, log: Log): void {
  if (tookOverMs === undefined) return;
  const ms = systemClock.now().monoMs - tookOverMs;
  log.info(`took over: clients are served ${ms} ms after the lock was found free`);
}

/** A wrong configuration changes nothing. */
async function reloaded(gateway: Gateway | CopyRelay, file: string, log: Log): Promise<void> {
  try {
    await gateway.reload(loadConfig(file));
    log.info(`${file} was read again`);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    log.error(`the configuration stays as it was: ${error.message}`);
  }
}
