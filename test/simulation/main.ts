/**
 * Replays a seed of the random runs and says what it did; the same seed gives the same trace.
 *
 *   npm run simulate -- 1000023                      orders against the exchange (`npm run long -- orders`)
 *   npm run simulate -- 3007 --line --actions 5000   the whole line with crashes (`npm run long -- line`)
 *   npm run simulate -- 1000007 --bridge --script    the whole bridge and its clients (`npm run long -- legal-streams`)
 *
 * `--without quotes,late` leaves that out of a run of the whole bridge, `--script` also says what its clients said.
 */
import { parseArgs } from 'node:util';
import { Agreement } from '../domain/agreement.ts';
import { LegalStream } from './legal-stream.ts';
import { LineSimulation } from './line.ts';

const { values, positionals } = parseArgs({
  options: {
    actions: { type: 'string', default: '5000' },
    line: { type: 'boolean', default: false },
    bridge: { type: 'boolean', default: false },
    script: { type: 'boolean', default: false },
    without: { type: 'string', default: '' },
    'crash-every': { type: 'string', default: '200' },
  },
  allowPositionals: true,
});
const seed = Number(positionals[0] ?? 1);
const actions = Number(values.actions);
const { trace, differences } = values.bridge
  ? await bridge()
  : values.line
    ? await line()
    : agreement();
process.stdout.write(`seed ${seed}: ${actions} actions, trace ${trace}\n`);
for (const difference of differences) process.stdout.write(`  ${difference}\n`);
process.stdout.write(
  differences.length === 0 ? 'bridge and venue agree\n' : `${differences.length} differences\n`,
);
process.exitCode = differences.length === 0 ? 0 : 1;

function agreement() {
  const run = new Agreement(seed);
  run.run(actions);
  return { trace: run.trace(), differences: run.differences() };
}

async function line() {
  const run = await LineSimulation.open(seed);
  run.crashEvery = Number(values['crash-every']);
  await run.run(actions);
  return { trace: run.trace, differences: run.differences() };
}

async function bridge() {
  const run = await LegalStream.open(seed, values.without.split(','));
  await run.run(actions);
  if (values.script) process.stdout.write(`${run.script.join('\n')}\n`);
  process.stdout.write(`with ${[...run.habits].join(', ')}: ${JSON.stringify(run.counts)}\n`);
  return { trace: run.trace, differences: run.faults };
}
