/** `causeway run`: the bridge itself, from a configuration file, until it is told to stop. */
import { parseArgs } from 'node:util';
import { loadConfig } from '../gateway/config-file.ts';
import { Gateway } from '../gateway/gateway.ts';
import { exitCodes, UsageError, type Verb } from './verb.ts';

const help = `causeway run --config FILE

Reads the configuration whole, then the journal, then the venue, and only then opens the FIX port. SIGTERM and SIGINT
drain it: no new orders, what is under way is waited for, clients are logged out, everything recorded. SIGHUP reads
the configuration again: sessions, users, profiles and limits change, and no other session is dropped.

  causeway check --config config/gateway.yaml
  causeway run --config config/gateway.yaml`;

export const verb: Verb = {
  summary: 'run the bridge',
  help,
  async run(args) {
    const { values } = parseArgs({ args: [...args], options: { config: { type: 'string' } } });
    if (values.config === undefined) throw new UsageError('--config FILE is needed');
    const gateway = await Gateway.open({
      loaded: loadConfig(values.config),
      alarm: (text) => console.error(`ALARM ${text}`),
      notice: (text) => console.log(text),
      fatal(error) {
        console.error('the store has failed, so the bridge ends:', error);
        process.exit(exitCodes.failed);
      },
    });
    console.log(`FIX 4.4 on port ${gateway.port}`);
    const file = values.config;
    process.on('SIGHUP', () => void reloaded(gateway, file));
    await new Promise<void>((resolve) => {
      process.once('SIGTERM', () => resolve());
      process.once('SIGINT', () => resolve());
    });
    await gateway.stop();
    return exitCodes.done;
  },
};

/** A wrong configuration changes nothing. */
async function reloaded(gateway: Gateway, file: string): Promise<void> {
  try {
    await gateway.reload(loadConfig(file));
    console.log(`${file} was read again`);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(`the configuration stays as it was: ${error.message}`);
  }
}
