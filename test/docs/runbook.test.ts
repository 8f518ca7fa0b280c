/** The commands that the runbook tells an operator to give, given: on a configuration and a store as a bridge has them. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeDemoFiles } from '../../src/cli/demo-files.ts';
import { developmentAccounts } from '../../src/sandbox/development-accounts.ts';
import { openEcdsa } from '../../src/signer/ecdsa.ts';
import { openLogStore } from '../../src/store/log/log-store.ts';
import { loadProfile } from '../../src/venue/profile.ts';
import { causeway } from '../support/program.ts';
import { causewayCalls } from './doc-commands.ts';

const root = join(import.meta.dirname, '../..');
const profileFile = join(root, 'dictionaries/venue.sandbox.yaml');
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'runbook-'));
  const profile = loadProfile(profileFile);
  await writeDemoFiles({
    directory,
    seed: 1,
    fixHost: '127.0.0.1',
    fixPort: 0,
    venueUrl: 'http://127.0.0.1:1',
    profileFile,
    accounts: await developmentAccounts({ profile, seed: 1 }, await openEcdsa(), 4),
    cancelOnDisconnect: false,
  });
  mkdirSync(join(directory, 'data/gateway'), { recursive: true });
  const path = join(directory, 'data/gateway/gateway.db');
  const store = await openLogStore({ path, durability: 'process' });
  await store.commit([{ kind: 'cursor', name: 'copies/day', value: 1 }]);
  await store.close();
});

afterAll(() => rmSync(directory, { recursive: true }));

/** Of fenced blocks alone; what stands in a sentence has placeholders. `run` would not end. */
const text = readFileSync(join(root, 'docs/OPERATING.md'), 'utf8');
const fenced = [...text.matchAll(/^```sh\n[\s\S]*?^```$/gm)].map(([block]) => block).join('\n');
const calls = causewayCalls('docs/OPERATING.md', fenced).filter(
  ({ words: [verb] }) => verb !== 'run',
);

test('the runbook shows commands that can be given', () => {
  expect(calls.length).toBeGreaterThan(3);
});

test.each(calls)('$words', async ({ words }) => {
  const named = words.map((word) =>
    /^(gateway\.yaml|data\/)/.test(word) ? join(directory, word) : word,
  );
  expect(await causeway(...named)).toMatchObject({ status: 0, stderr: '' });
});
