import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { verb } from '../../src/cli/import.ts';

let directory: string;
let settings: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'import-'));
  settings = join(directory, 'quickfix.cfg');
  writeFileSync(
    settings,
    '[SESSION]\nBeginString=FIX.4.4\nSenderCompID=DESK\nTargetCompID=GATE\nColour=blue\n',
  );
});

afterAll(() => rmSync(directory, { recursive: true }));

test('the configuration is written once, and what became of each setting is told', async () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  const out = join(directory, 'out');
  expect(await verb.run(['--settings', settings, '--out', out])).toBe(0);
  const told = String(printed.mock.calls[0]?.[0]);
  printed.mockRestore();
  expect(readFileSync(join(out, 'gateway.yaml'), 'utf8')).toContain('senderCompId: DESK');
  expect(told).toContain('  3: SenderCompID=DESK  sessions[].senderCompId');
  expect(told).toMatch(/Unknown keys.*\n {2}5: Colour=blue/);
  await expect(verb.run(['--settings', settings, '--out', out])).rejects.toThrow(
    'is there already',
  );
});

test('a file of another version writes nothing and names the line', async () => {
  const other = join(directory, 'old.cfg');
  writeFileSync(other, readFileSync(settings, 'utf8').replace('4.4', '4.2'));
  const out = join(directory, 'none');
  await expect(verb.run(['--settings', other, '--out', out])).rejects.toThrow(
    'line 2: DESK to GATE',
  );
  expect(() => readFileSync(join(out, 'gateway.yaml'))).toThrow('ENOENT');
});
