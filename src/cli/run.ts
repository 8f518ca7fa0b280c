/** `causeway run`: the bridge itself, from a configuration file, until it is told to stop. */
import { parseArgs } from 'node:util';
import { loadConfig } from '../gateway/config-file.ts';
import { Gateway } from '../gateway/gateway.ts';
import { exitCodes, UsageError, type Verb } from './verb.ts';

const help = `causeway run --config FILE

Reads the configuration whole, then the journal, then the venue, and only then opens the FIX port. SIGTERM and SIGINT
drain it: no new orders, clients are logged out, everything recorded.

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
    await new Promise<void>((resolve) => {
      process.once('SIGTERM', () => resolve());
      process.once('SIGINT', () => resolve());
    });
    await gateway.stop();
    return exitCodes.done;
  },
};
