/** The files of a demo for tests, most of which judge neither what a password costs nor how long the gate takes to open. */
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import {
  type DemoOptions,
  demoFixpSessions,
  demoOperator,
  demoSessions,
  writeDemoFiles,
} from '../../src/cli/demo-files.ts';
import { hashSecret, type ScryptCost } from '../../src/gateway/passwords/secret-hash.ts';
import { defaultStoreLimits } from '../../src/store/log/log-store.ts';
import { reservePath } from '../../src/store/space.ts';
import { loadProfile } from '../../src/venue/profile.ts';

const quickCost: ScryptCost = { N: 16, r: 1, p: 1 };
const shippedProfile = resolve(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml');
/** For venues; what they are given they do not read again. */
export const sandboxProfile = loadProfile(shippedProfile);
const quickGate = { pollMs: 20, goodPollApartMs: 10 };

/** As `writeDemoFiles`, with passwords that are quick to check. */
export function writeQuickFiles(options: DemoOptions, cost = quickCost): Promise<string> {
  const { directory, seed } = options;
  const secrets = join(directory, 'secrets');
  mkdirSync(secrets, { recursive: true, mode: 0o700 });
  for (const { username, password } of [...demoSessions(seed), ...demoFixpSessions(seed)]) {
    keepHash(join(secrets, `${username}.hash`), password, cost);
  }
  keepHash(join(secrets, 'console.hash'), demoOperator(seed).token, cost);
  holdReserve(join(directory, 'gateway'));
  return writeDemoFiles(options);
}

function keepHash(file: string, secret: string, cost: ScryptCost): void {
  writeFileSync(file, `${hashSecret(secret, cost)}\n`, { mode: 0o600 });
}

/** The reserve of the store, as long as one that was filled, so that no bridge of a test writes 32 MiB first. */
function holdReserve(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = openSync(reservePath(join(dataDir, 'gateway.db')), 'w', 0o600);
  ftruncateSync(file, defaultStoreLimits.reserveBytes);
  closeSync(file);
}

let quickText: string | undefined;

/** The shipped profile, but that the gate need not wait for seconds to open. */
export function quickProfile(directory: string): string {
  quickText ??= quickened(readFileSync(shippedProfile, 'utf8'));
  const file = join(directory, 'venue.yaml');
  writeFileSync(file, quickText);
  return file;
}

function quickened(text: string): string {
  const profile = parse(text) as { gate: object };
  return stringify({ ...profile, gate: { ...profile.gate, ...quickGate } });
}
