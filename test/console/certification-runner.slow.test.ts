/** Certifications from the console: a process of its own, a real counterparty on its line. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { CertificationRunner } from '../../src/console/certification-runner.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { FixPeer } from '../support/fix-peer.ts';

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

test('a counterparty is waited for, shows a scenario, and its run and report are there afterwards', async () => {
  interview('acme');
  session.start('acme', ['S-01']);
  expect(() => session.start('acme', [])).toThrow('is being certified already');
  await expect.poll(() => stateOf('acme')?.waiting, waited).toMatch(/waiting for 49=A 56=B on/);
  const port = Number(/:(\d+)$/.exec(stateOf('acme')?.waiting ?? '')?.[1]);
  const names = { senderCompId: 'A', targetCompId: 'B', username: 'a', password: 'b' };
  const peer = await FixPeer.connect(port, { ...names, role: 'order-entry', accounts: [] });
  peer.say('A|98=0|108=30');
  await expect.poll(() => stateOf('acme')?.isRunning, waited).toBe(false);
  peer.hangUp();
  expect(stateOf('acme')).toMatchObject({
    total: 1,
    isOver: true,
    fault: '',
    finished: [{ id: 'S-01', outcome: 'passed' }],
  });
  const [run] = session.runs;
  expect(run?.run?.scenarios.find(({ id }) => id === 'S-01')?.outcome).toBe('passed');
  expect(session.report('acme')?.toString()).toContain('S-01');
  expect(session.report('../acme')).toBeUndefined();
});

test('a run is stopped, and says so', async () => {
  interview('bolt');
  session.start('bolt', []);
  await expect.poll(() => stateOf('bolt')?.waiting, waited).toMatch(/waiting for/);
  session.stop('bolt');
  await expect.poll(() => stateOf('bolt')?.isRunning, waited).toBe(false);
  expect(() => session.stop('bolt')).toThrow('is not being certified');
});
