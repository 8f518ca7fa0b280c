/**
 * A campaign of random legal streams against the whole bridge: seed after seed at the lowest priority, for hours, over several
 * runs. What was run is added up in a ledger, with the commit that it was run on.
 *
 *   npm run campaign -- --hours 8                      goes on behind the last seed of the ledger
 *   npm run campaign -- --hours 1 --threads 2 --from 5000000 --actions 2000
 *   npm run campaign -- --hours 0                      only adds up
 *
 * A seed with a discrepancy is printed with the command that repeats it, and the campaign goes on. An interrupted run ends after
 * the seeds that are under way.
 */
import { execFileSync } from 'node:child_process';
import { setPriority } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CampaignLedger } from './campaign-ledger.ts';
import { StreamRunner } from './stream-runner.ts';

const root = resolve(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '1' },
    from: { type: 'string' },
    actions: { type: 'string', default: '1000' },
    threads: { type: 'string', default: '1' },
    ledger: { type: 'string', default: resolve(root, 'test/simulation/campaign.json') },
  },
});
const [hours, actions, threads] = [values.hours, values.actions, values.threads].map(Number);
const ledger = new CampaignLedger(values.ledger);
const startMs = performance.now();
const hoursSince = () => (performance.now() - startMs) / 3_600_000;
const cpuHours = () => {
  const { system, user } = process.cpuUsage();
  return (system + user) / 3.6e9;
};
let isOver = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isOver = true));
if ((hours ?? 0) > 0) {
  setPriority(19);
  const from = values.from === undefined ? ledger.next : Number(values.from);
  const run = ledger.begin({ commit: commit(), actionsPerSeed: actions ?? 0, from });
  let next = from;
  const work = async () => {
    const runner = new StreamRunner(root);
    while (!isOver && hoursSince() < (hours ?? 0)) {
      const result = await runner.run({ seed: next++, actions: actions ?? 0 });
      run.add(result, { hours: hoursSince(), cpuHours: cpuHours() });
      for (const fault of result.faults) {
        process.stdout.write(`seed ${result.seed}: ${fault}\n`);
        process.stdout.write(
          `  npm run simulate -- ${result.seed} --bridge --actions ${actions}\n`,
        );
      }
    }
    await runner.close();
  };
  await Promise.all(Array.from({ length: threads ?? 1 }, work));
}
process.stdout.write(`${ledger.summary()}\n`);
process.exitCode = ledger.discrepancies > 0 ? 1 : 0;

/** What was run, and whether the sources are exactly that commit. */
function commit(): string {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain', '--', 'src', 'dictionaries', 'test/simulation/*.ts');
  return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : ' with changes'}`;
}
