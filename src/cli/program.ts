/** One run of the program: arguments in, exit code out. */

import { didYouMean } from '../runtime/spelling.ts';
import { printable } from './fix-text.ts';
import { exitCodes, UsageError, type Verb } from './verb.ts';
import { allVerbs, verbs } from './verbs.ts';

export async function runProgram(argv: readonly string[]): Promise<number> {
  const [name = 'help', ...args] = argv;
  const isJson = argv.includes('--json');
  if (['--version', '-v', 'version'].includes(name)) {
    const { version } = await import('./version.ts');
    console.log(isJson ? JSON.stringify({ version: version() }) : version());
    return exitCodes.done;
  }
  try {
    if (['--help', '-h', 'help'].includes(name)) {
      const [asked] = args;
      console.log(asked === undefined ? await overview() : (await verbOf(asked)).help(asked));
      return exitCodes.done;
    }
    if (name === 'certify-bridge-child') {
      return await (await import('./certify/bridge-child.ts')).runCertifyBridge(args);
    }
    if (name === 'node-worker') return await (await import('./node-worker.ts')).runWorker();
    if (name === 'signer-token') {
      return await (await import('../signer/token-process.ts')).runTokenProcess();
    }
    const verb = await verbOf(name);
    if (args.includes('--help') || args.includes('-h')) {
      console.log(verb.help(name));
      return exitCodes.done;
    }
    return await verb.run(args, allVerbs);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return complain(Object.hasOwn(verbs, name) ? name : '', argv, error);
  }
}

async function verbOf(name: string): Promise<Verb> {
  const load = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (load !== undefined) return (await load()).verb;
  const names = Object.keys(verbs);
  throw new UsageError(
    `no verb "${name}"; there are: ${names.join(', ')}.${didYouMean(name, names)}`,
  );
}

async function complain(verb: string, argv: readonly string[], error: Error): Promise<number> {
  const { adviceFor, wordsOf } = await import('./advice.ts');
  const { outcome, next } = adviceFor(error, verb);
  const code = exitCodes[outcome];
  const words = wordsOf(error, argv.slice(1));
  if (argv.includes('--json'))
    console.error(JSON.stringify({ ok: false, verb, error: words, next, code }));
  else {
    const who = `causeway ${verb}`.trimEnd();
    console.error([`${who}: ${shownError(words)}`, next].filter(Boolean).join('\n'));
  }
  return code;
}

const longestLine = 240;

/** Errors contain names and values from other people's files: they must not control the terminal or flood it. */
function shownError(message: string): string {
  const lines = message.split('\n').map((line) => {
    const shown = printable(line);
    return shown.length > longestLine ? `${shown.slice(0, longestLine)}…` : shown;
  });
  return lines.join('\n');
}

async function overview(): Promise<string> {
  const lines = ['causeway VERB [options]', ''];
  for (const [name, { summary }] of await allVerbs()) lines.push(`  ${name.padEnd(12)} ${summary}`);
  return [
    ...lines,
    '',
    'causeway VERB --help shows options and examples; causeway --version shows the version.',
  ].join('\n');
}
