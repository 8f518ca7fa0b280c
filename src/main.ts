#!/usr/bin/env node
/** The command line: `causeway VERB …`; `cli/verbs.ts` lists the verbs. */
import { runProgram } from './cli/program.ts';
import { exitCodes } from './cli/verb.ts';
import { tuneEngine } from './runtime/engine.ts';

const leastNode = 24;

function isOldNode(): boolean {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= leastNode) return false;
  console.error(`causeway needs Node ${leastNode} or later, and this is Node ${node}.`);
  console.error(`Install Node ${leastNode} from https://nodejs.org or with your package manager.`);
  return true;
}

// The reader of a pipe may stop early: `causeway decode … | head`. What a verb would have told after that is unknown.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.unread);
  console.error(`causeway: the output cannot be written: ${error.message}`);
  process.exit(exitCodes.failed);
});
tuneEngine();
void main();

// A single executable starts as CommonJS, which has no await outside a function.
async function main(): Promise<void> {
  process.exitCode = isOldNode() ? exitCodes.failed : await runProgram(process.argv.slice(2));
  // A failure may leave timers behind, and a supervisor restarts only a process that has exited.
  if (process.exitCode !== exitCodes.done) process.stdout.write('', () => process.exit());
}
