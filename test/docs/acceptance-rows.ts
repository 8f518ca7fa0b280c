/**
 * Which tests show which row of the contract's acceptance list (docs/venue/contract.md, part E) and which scenario of
 * the certification catalogue (O, X, R, Q, V), by the names of the tests. As a program it prints the list:
 *
 *   node test/docs/acceptance-rows.ts          all of it
 *   node test/docs/acceptance-rows.ts R99      one of them
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const tests = ['test/**/*.test.ts', 'test/**/*.long.ts', 'test/**/*.fix', 'test/**/*.fixp'];
/** Speaks of all of them. */
const own = 'test/docs/acceptance.test.ts';

export interface Shown {
  readonly file: string;
  readonly title: string;
}

export const rows = Array.from({ length: 138 }, (_, index) => `R${index + 1}`);
export const scenarios = [
  ...numbered('O', 23),
  ...numbered('X', 18),
  ...numbered('R', 18),
  ...numbered('Q', 6),
  ...numbered('V', 10),
];

function numbered(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${letter}-${String(i + 1).padStart(2, '0')}`);
}

/** Every name of a test that names a row or a scenario, by what it names. */
export function shownBy(): ReadonlyMap<string, readonly Shown[]> {
  const found = new Map<string, Shown[]>();
  const files = tests.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
  for (const file of files.filter((one) => one !== own)) {
    for (const title of titlesOf(readFileSync(join(root, file), 'utf8'), file)) {
      for (const [id] of title.matchAll(/\b(?:R\d{1,3}|[OXRQV]-\d\d)\b/g)) {
        const shown = found.get(id) ?? [];
        shown.push({ file, title });
        found.set(id, shown);
      }
    }
  }
  return found;
}

/** The headings of a script; the strings of a test, because names stand in tables of cases, too. */
function titlesOf(text: string, file: string): string[] {
  const form = file.endsWith('.ts') ? /'([^'\n]*)'|"([^"\n]*)"|`([^`\n]*)`/g : /^## (.*)$/gm;
  return [...text.matchAll(form)].map(([, ...groups]) => groups.find(Boolean) ?? '');
}

if (import.meta.main) {
  const shown = shownBy();
  const asked = process.argv.slice(2);
  for (const id of asked.length > 0 ? asked : [...rows, ...scenarios]) {
    process.stdout.write(`${id}\n`);
    for (const { file, title } of shown.get(id) ?? [])
      process.stdout.write(`  ${file}: ${title}\n`);
  }
}
