/** `causeway run`: the bridge itself, from a configuration file, until it is told to stop. */
import { openBridge } from '../console/console.ts';
import { type LoadedConfig, loadConfig } from '../gateway/config-file.ts';
import { CopyRelay } from '../gateway/copy-relay.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { createLog, type Log } from '../runtime/log.ts';
import { command } from './command.ts';
import { needed } from './options.ts';
import { stopAsked } from './stop.ts';
import { exitCodes } from './verb.ts';

const about = `Reads the configuration whole, then the journal, then the venue, and only then opens the FIX port. SIGTERM and
SIGINT drain it: no new orders, what is under way is waited for, clients are logged out, everything recorded. SIGHUP
reads the configuration again: sessions, users, profiles and limits change, and no other session is dropped. What
happens is told on standard output, one JSON line an event, without secrets.`;

export const verb = command({
  name: 'run',
  summary: 'run the bridge',
  forms: ['--config FILE'],
  about,
  options: { config: needed('FILE', 'configuration of the bridge') },
  examples: [
    'causeway check --config config/gateway.yaml',
    'causeway run --config config/gateway.yaml',
  ],
  async run(values) {
    const log = createLog({ level: 'info' });
    const loaded = loadConfig(values.config);
    if (!loaded.config.roles.includes('order-entry')) return relayed(loaded, values.config, log);
    const { consoleUrl, gateway, stop } = await openBridge({
      loaded,
      alarm: (text) => log.error({ alarm: true }, text),
      notice: (text) => log.info(text),
      fatal(error) {
        log.fatal(error, 'the store has failed, so the bridge ends');
        process.exit(exitCodes.failed);
      },
    });
    const asked = stopAsked();
    log.info(`FIX 4.4 on port ${gateway.port}`);
    if (consoleUrl !== undefined) log.info(`console on ${consoleUrl}`);
    const file = values.config;
    process.on('SIGHUP', () => void reloaded(gateway, file, log));
    await asked;
    await stop();
    return exitCodes.done;
  },
});

/** A process that only relays drop copies: no key, no orders, no console. */
async function relayed(loaded: LoadedConfig, file: string, log: Log): Promise<number> {
  const relay = await CopyRelay.open({
    loaded,
    alarm: (text) => log.error({ alarm: true }, text),
    notice: (text) => log.info(text),
    fatal(error) {
      log.fatal(error, 'the store has failed, so the relay ends');
      process.exit(exitCodes.failed);
    },
  });
  const asked = stopAsked();
  log.info(`FIX 4.4 drop copies on port ${relay.port}`);
  if (relay.fixpPort > 0) log.info(`FIXP drop copies on port ${relay.fixpPort}`);
  process.on('SIGHUP', () => void reloaded(relay, file, log));
  await asked;
  await relay.stop();
  return exitCodes.done;
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
