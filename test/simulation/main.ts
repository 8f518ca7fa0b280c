/**
 * Replays a seed of the agreement runs and says what it did: `npm run simulate -- 1000023`, or with more actions
 * `npm run simulate -- 7 --actions 100000`. The same seed gives the same trace.
 */
import { parseArgs } from 'node:util';
import { Agreement } from '../domain/agreement.ts';

const { values, positionals } = parseArgs({
  options: { actions: { type: 'string', default: '5000' } },
  allowPositionals: true,
});
const seed = Number(positionals[0] ?? 1);
const actions = Number(values.actions);
const run = new Agreement(seed);
run.run(actions);
const differences = run.differences();
process.stdout.write(
  `seed ${seed}: ${actions} actions, ${run.reports.length} reports, trace ${run.trace()}\n`,
);
for (const difference of differences) process.stdout.write(`  ${difference}\n`);
process.stdout.write(
  differences.length === 0 ? 'bridge and venue agree\n' : `${differences.length} differences\n`,
);
process.exitCode = differences.length === 0 ? 0 : 1;
