/** Runs the benchmarks named on the command line, or all: `npm run bench -- codec`. Ratios count, not seconds. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** One measured demand; `ratio` is compared with `demand` in the direction that `atLeast` says. */
export interface Row {
  readonly name: string;
  readonly value: string;
  readonly ratio?: number;
  readonly demand?: number;
  readonly atLeast?: boolean;
}

const wanted = process.argv.slice(2);
const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.bench.ts'));
for (const file of files.sort()) {
  const name = file.replace('.bench.ts', '');
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { run } = (await import(join(import.meta.dirname, file))) as { run(): Promise<Row[]> };
  process.stdout.write(`\n${name}\n`);
  for (const row of await run()) process.stdout.write(`${line(row)}\n`);
}

function line({ name, value, ratio, demand, atLeast = true }: Row): string {
  if (ratio === undefined) return `  ${name.padEnd(56)} ${value}`;
  const holds = demand === undefined || (atLeast ? ratio >= demand : ratio <= demand);
  const bar =
    demand === undefined
      ? ''
      : `demand ${atLeast ? '>=' : '<='} ${demand} ${holds ? 'holds' : 'FALLS SHORT'}`;
  return `  ${name.padEnd(56)} ${value.padEnd(24)} ratio ${ratio.toFixed(2).padStart(6)}  ${bar}`;
}
