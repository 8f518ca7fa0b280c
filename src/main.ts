#!/usr/bin/env node
/** The command line: `causeway VERB …`; each verb is a file of `cli` and is loaded only when called. */
import { exitCodes, UsageError } from './cli/verb.ts';
import { verbs } from './cli/verbs.ts';

async function main(argv: readonly string[]): Promise<number> {
  const [name = '--help', ...args] = argv;
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(await overview());
    return exitCodes.done;
  }
  const load = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (load === undefined) {
    console.error(`causeway: no verb "${name}"; there are: ${Object.keys(verbs).join(', ')}`);
    return exitCodes.usage;
  }
  const { verb } = await load();
  if (args.includes('--help') || args.includes('-h')) {
    console.log(verb.help);
    return exitCodes.done;
  }
  try {
    return await verb.run(args);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isUsage =
      error instanceof UsageError ||
      ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
    console.error(`causeway ${name}: ${error.message}`);
    if (isUsage) console.error(`See: causeway ${name} --help`);
    return isUsage ? exitCodes.usage : exitCodes.failed;
  }
}

async function overview(): Promise<string> {
  const lines = ['causeway VERB [options]', ''];
  for (const [name, load] of Object.entries(verbs)) {
    lines.push(`  ${name.padEnd(12)} ${(await load()).verb.summary}`);
  }
  return [...lines, '', 'causeway VERB --help shows examples.'].join('\n');
}

process.exitCode = await main(process.argv.slice(2));
