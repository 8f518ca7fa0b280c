/**
 * Runs the benchmarks named on the command line, or all: `npm run bench -- codec`. Ratios count, not seconds. With
 * `--write` the tables of those that ran take their places in docs/PERFORMANCE.md. `--quick` measures less of those that take long, and only what matters most.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';

/** One measured demand; `ratio` is compared with `demand` in the direction that `atLeast` says. */
export interface Row {
  readonly name: string;
  readonly value: string;
  readonly ratio?: number;
  readonly demand?: number;
  readonly atLeast?: boolean;
}

const document = join(import.meta.dirname, '../docs/PERFORMANCE.md');
const isWritten = process.argv.includes('--write');
const isQuick = process.argv.includes('--quick');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.bench.ts'));
for (const file of files.sort()) {
  const name = file.replace('.bench.ts', '');
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { run } = (await import(join(import.meta.dirname, file))) as {
    run(make: { readonly isQuick: boolean }): Promise<Row[]>;
  };
  process.stdout.write(`\n${name}\n`);
  const rows = await run({ isQuick });
  for (const row of rows) process.stdout.write(`${line(row)}\n`);
  if (isWritten) writeFileSync(document, withTable(readFileSync(document, 'utf8'), name, rows));
}

function verdict({ ratio, demand, atLeast = true }: Row): string {
  if (ratio === undefined || demand === undefined) return '';
  const holds = atLeast ? ratio >= demand : ratio <= demand;
  return `demand ${atLeast ? '>=' : '<='} ${demand} ${holds ? 'holds' : 'FALLS SHORT'}`;
}

function line(row: Row): string {
  const { name, value, ratio } = row;
  if (ratio === undefined) return `  ${name.padEnd(56)} ${value}`;
  const told = `ratio ${ratio.toFixed(2).padStart(6)}`;
  return `  ${name.padEnd(56)} ${value.padEnd(24)} ${told}  ${verdict(row)}`;
}

/** The section of one benchmark, from its heading to the next, is replaced or added at the end. */
function withTable(text: string, name: string, rows: readonly Row[]): string {
  const machine = `${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? 'unknown'}`;
  const cells = rows.map(
    (row) => `| ${row.name} | ${row.value} | ${row.ratio?.toFixed(2) ?? ''} | ${verdict(row)} |`,
  );
  const measured = `Measured ${new Date().toISOString().slice(0, 10)}, ${machine}, Node ${process.version}.`;
  const head = ['| What | Value | Ratio | Demand |', '|---|---|---|---|'];
  const section = `## ${name}\n\n${measured}\n\n${[...head, ...cells].join('\n')}\n`;
  const sections = text.split(/^(?=## )/m);
  const at = sections.findIndex((one) => one.startsWith(`## ${name}\n`));
  if (at < 0) return `${text.trimEnd()}\n\n${section}`;
  const isLast = at === sections.length - 1;
  sections[at] = isLast ? section : `${section}\n`;
  return sections.join('');
}
