/** One call of the program: words in, exit code out; what is told goes to the console. */
import { exitCodes } from './verb.ts';
import { allVerbs, verbs } from './verbs.ts';

export async function runProgram(argv: readonly string[]): Promise<number> {
  const [name = 'help', ...args] = argv;
  if (['--help', '-h', 'help'].includes(name)) {
    console.log(await overview());
    return exitCodes.done;
  }
  if (name === '--version') {
    const { version } = await import('./version.ts');
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
  const { adviceFor } = await import('./advice.ts');
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
