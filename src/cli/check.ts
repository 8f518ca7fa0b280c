/** `causeway check`: reads the configuration and all it names, and says what is wrong, without opening anything. */
import { parseArgs } from 'node:util';
import { configJsonSchema } from '../gateway/config.ts';
import { loadConfig } from '../gateway/config-file.ts';
import { loadProfile, requireConfirmed } from '../venue/profile.ts';
import { exitCodes, UsageError, type Verb } from './verb.ts';

const help = `causeway check --config FILE
causeway check --schema

  --config FILE  says what is wrong in it, with line and key, or that it is right
  --schema       prints the JSON Schema of the configuration, for editors
  --json         answers as JSON

  causeway check --config config/gateway.yaml
  causeway check --schema > gateway.schema.json`;

const options = {
  config: { type: 'string' },
  schema: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

export const verb: Verb = {
  summary: 'check a configuration without opening anything',
  help,
  async run(args) {
    const { values } = parseArgs({ args: [...args], options });
    if (values.schema) {
      console.log(JSON.stringify(configJsonSchema(), null, 2));
      return exitCodes.done;
    }
    if (values.config === undefined) throw new UsageError('--config FILE or --schema is needed');
    try {
      const { config, path } = loadConfig(values.config);
      requireConfirmed(loadProfile(path(config.venue.profile)), config.environment, [
        'orders',
        'stream',
      ]);
    } catch (error) {
      if (!values.json || !(error instanceof Error)) throw error;
      console.log(JSON.stringify({ ok: false, faults: error.message.split('\n  ').slice(1) }));
      return exitCodes.failed;
    }
    console.log(values.json ? JSON.stringify({ ok: true }) : `${values.config} is right`);
    return exitCodes.done;
  },
};
