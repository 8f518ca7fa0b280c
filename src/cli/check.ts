/** `causeway check`: reads the configuration and all it names, and says what is wrong, without opening anything. */
import { configJsonSchema } from '../gateway/config.ts';
import { checkedConfig } from './checked-config.ts';
import { command } from './command.ts';
import { flag, text } from './options.ts';
import { exitCodes, UsageError } from './verb.ts';

export const verb = command({
  name: 'check',
  summary: 'check a configuration without opening anything',
  forms: ['--config FILE', '--schema'],
  options: {
    config: text('FILE', 'say what is wrong in it, with line and key, or that it is right'),
    schema: flag('print the JSON Schema of the configuration, for editors'),
  },
  examples: [
    'causeway check --config config/gateway.yaml',
    'causeway check --schema > gateway.schema.json',
  ],
  async run(values) {
    if (values.schema) {
      console.log(JSON.stringify(configJsonSchema(), null, 2));
      return exitCodes.done;
    }
    if (values.config === undefined) throw new UsageError('--config FILE or --schema is needed');
    try {
      await checkedConfig(values.config);
    } catch (error) {
      if (!values.json || !(error instanceof Error)) throw error;
      console.log(JSON.stringify({ ok: false, faults: error.message.split('\n  ').slice(1) }));
      return exitCodes.config;
    }
    console.log(values.json ? JSON.stringify({ ok: true }) : `${values.config} is right`);
    return exitCodes.done;
  },
});
