#!/usr/bin/env node
/** The command line: `causeway VERB …`; each verb is a file of `cli` and is loaded only when called. */
import { exitCodes } from './cli/verb.ts';
import { allVerbs, verbs } from './cli/verbs.ts';

const leastNode = 24;

async function main(argv: readonly string[]): Promise<number> {
  const node = process.versions.node;
  if (Number.parseInt(node, 10) < leastNode) {
    console.error(`causeway needs Node ${leastNode} or later, and this is Node ${node}.`);
    console.error(
      `Install it from https://nodejs.org, or try: npx -p node@${leastNode} -p causeway causeway demo`,
    );
    return exitCodes.failed;
  }
  const [name = 'help', ...args] = argv;
  if (['--help', '-h', 'help'].includes(name)) {
    console.log(await overview());
    return exitCodes.done;
  }
  if (name === '--version') {
    const { version } = await import('./cli/version.ts');
    console.log(version());
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
    return await verb.run(args, allVerbs);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return complain(name, error, args.includes('--json'));
  }
}

async function complain(verb: string, error: Error, isJson: boolean): Promise<number> {
  const { adviceFor } = await import('./cli/advice.ts');
  const { outcome, next } = adviceFor(error, verb);
  const code = exitCodes[outcome];
  if (isJson) console.error(JSON.stringify({ ok: false, verb, error: error.message, next, code }));
  else console.error([`causeway ${verb}: ${error.message}`, next].filter(Boolean).join('\n'));
  return code;
}

async function overview(): Promise<string> {
  const lines = ['causeway VERB [options]', ''];
  for (const [name, { summary }] of await allVerbs()) lines.push(`  ${name.padEnd(12)} ${summary}`);
  return [...lines, '', 'causeway VERB --help shows options and examples.'].join('\n');
}

// Whoever reads this through a pipe may stop early: `causeway decode … | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitCodes.done);
});
process.exitCode = await main(process.argv.slice(2));
