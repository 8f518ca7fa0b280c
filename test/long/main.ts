/**
 * Runs the long checks named on the command line, or all: `npm run long -- kill --seed 7`. `--short` is the form
 * that CI runs. Each prints one line and fails the process when it finds a fault.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

export interface LongRun {
  readonly short: boolean;
  readonly seed: number;
}

// The programs that the checks start compile their sources once.
Object.assign(process.env, {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled'),
});

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
let passed = 0;
let failed = 0;
for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.long.ts'))) {
  const name = file.replace('.long.ts', '');
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const { run } = (await import(join(import.meta.dirname, file))) as {
    run(options: LongRun): Promise<string>;
  };
  try {
    const said = await run({ short: values.short, seed: Number(values.seed) });
    process.stdout.write(`ok   ${name}: ${said}\n`);
    passed += 1;
  } catch (error) {
    process.stdout.write(
      `FAIL ${name} (seed ${values.seed}): ${error instanceof Error ? error.stack : error}\n`,
    );
    failed += 1;
  }
}
process.stdout.write(`long runs: ${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
