import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { certificationRuns } from '../../src/console/certification-runs.ts';

const directory = mkdtempSync(join(tmpdir(), 'causeway-runs-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function folder(name: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(join(directory, name));
  for (const [file, text] of Object.entries(files))
    writeFileSync(join(directory, name, file), text);
}

const run = (startedMs: number) =>
  JSON.stringify({
    format: 'causeway-certification-run/2',
    identity: { name: 'A', software: 'S', version: '1', senderCompId: 'X', targetCompId: 'Y' },
    direction: 'acceptor',
    protocol: 'fix',
    startedMs,
    endedMs: startedMs + 1,
    scenarios: [{ id: 'S-01', title: 't', level: 'required', outcome: 'passed', reason: '' }],
  });

test('each folder is a row, the latest first, and a broken one says so', () => {
  folder('old', { 'run.json': run(1) });
  const certificate = JSON.stringify({ certificate: { expires: '2027-01-01T00:00:00Z' } });
  folder('new', { 'run.json': run(2), 'certificate.json': certificate });
  folder('broken', { 'run.json': '{', 'certificate.json': '[]' });
  folder('other', { 'notes.txt': 'nothing of ours' });
  writeFileSync(join(directory, 'run.json'), run(3));
  expect(
    certificationRuns(directory)().map(({ expires, fault, folder, run }) => [
      folder,
      run?.scenarios.length ?? 0,
      expires,
      fault === '',
    ]),
  ).toEqual([
    ['new', 1, '2027-01-01T00:00:00Z', true],
    ['old', 1, null, true],
    ['broken', 0, null, false],
  ]);
});

test('a run that was written anew is read anew', () => {
  const runs = certificationRuns(directory);
  const startedMs = () => runs().find(({ folder }) => folder === 'old')?.run?.startedMs;
  expect(startedMs()).toBe(1);
  writeFileSync(join(directory, 'old', 'run.json'), `${run(4)}\n`);
  expect(startedMs()).toBe(4);
});
