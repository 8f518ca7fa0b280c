import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tuneEngine } from '../../src/runtime/engine.ts';

const engine = join(import.meta.dirname, '../../src/runtime/engine.ts');

function settingsFor(version: string): string[] {
  const settings: string[] = [];
  tuneEngine(version, (setting) => settings.push(setting));
  return settings;
}

test('the engine knows each of its settings and takes them without a word', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  const settings = settingsFor('13.6.233');
  expect(settings.length).toBeGreaterThan(0);
  const nameOf = (setting: string) => setting.split('=')[0]?.replace('--no-', '--');
  for (const setting of settings) expect(known).toContain(`${nameOf(setting)} `);
  const script = `import { tuneEngine } from ${JSON.stringify(engine)}; tuneEngine('13.6');`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  expect([status, stderr.toString()]).toEqual([0, '']);
});

test('an engine that was not measured keeps its own settings', () => {
  expect(settingsFor('14.1.2')).toEqual([]);
});
