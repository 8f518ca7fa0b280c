/** Certifications from the console: what is refused. Those that are played are in the slow tests. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { CertificationRunner } from '../../src/console/certification-runner.ts';
import { systemClock } from '../../src/runtime/clock.ts';

const directory = mkdtempSync(join(tmpdir(), 'causeway-certify-'));
const session = new CertificationRunner({ directory, clock: systemClock });
afterAll(async () => {
  await session.close();
  rmSync(directory, { recursive: true, force: true });
});

function interview(folder: string, more: object = {}): void {
  mkdirSync(join(directory, folder));
  const answers = {
    counterparty: { name: 'A', software: 'S', version: '1' },
    direction: 'acceptor',
    session: { senderCompId: 'A', targetCompId: 'B', heartBtInt: 30 },
    address: { host: '127.0.0.1', port: 0 },
    features: ['keepsNumbers'],
    instrument: { symbol: 'X-Y', other: 'Z-Y', qty: '1', passive: '1', cross: '2' },
    patience: { connectS: 60, answerS: 5, promptS: 60 },
    waivers: [],
    ...more,
  };
  writeFileSync(join(directory, folder, 'interview.yaml'), stringify(answers));
}

const stateOf = (folder: string) => session.states.find((state) => state.folder === folder);
const waited = { timeout: 50_000 };

test('an interview that is wrong is told in the words of the program', async () => {
  interview('core', { direction: 'sideways' });
  session.start('core', []);
  await expect.poll(() => stateOf('core')?.isRunning, waited).toBe(false);
  expect(stateOf('core')?.fault).toContain('direction');
});

test.each(['', '..', '../acme', 'none', 'acme/..'])('the folder %j is not played', (folder) => {
  expect(() => session.start(folder, [])).toThrow('there is no interview.yaml');
});
