/** A client that nobody here linked with: Python's own library, blake3 and secp256k1 written from their papers. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';

const example = join(import.meta.dirname, '../../docs/examples/sandbox_order.py');
let directory: string;
let info: string;
let sandbox: Sandbox;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sandbox-python-'));
  sandbox = await startSandbox({ seed: 5, makers: true });
  info = join(directory, 'sandbox.json');
  writeFileSync(info, JSON.stringify(sandbox.info));
});

afterAll(async () => {
  await sandbox.stop();
  rmSync(directory, { recursive: true });
});

test('the info file and the documents are all that a client in another language needs', async () => {
  const client = spawn('python3', [example, info]);
  let said = '';
  client.stdout.on('data', (text) => {
    said += text;
  });
  client.stderr.on('data', (text) => {
    said += text;
  });
  const code = await new Promise((done) => client.once('exit', done));
  expect(said.split('\n')).toEqual([
    expect.stringMatching(/^accepted 0x[0-9a-f]{64}$/),
    'cancel accepted True',
    'seq 1: resting resting',
    'seq 2: canceled canceled',
    '',
  ]);
  expect(code).toBe(0);
});

test('its blake3 is that of b3sum at every length where the algorithm branches', () => {
  const script = `
import sys; sys.path.insert(0, ${JSON.stringify(join(example, '..'))})
from sandbox_order import blake3
for n in (0, 1, 63, 64, 65, 1023, 1024, 1025, 2048, 2049, 3072, 3073, 5121):
    print(blake3(bytes(i % 251 for i in range(n))).hex())
`;
  const { stdout } = spawnSync('python3', ['-c', script]);
  const lengths = [0, 1, 63, 64, 65, 1023, 1024, 1025, 2048, 2049, 3072, 3073, 5121];
  const wanted = lengths.map((length) => {
    const input = Buffer.from(Array.from({ length }, (_, i) => i % 251));
    return String(spawnSync('b3sum', ['--no-names'], { input }).stdout).trim();
  });
  expect(String(stdout).trim().split('\n')).toEqual(wanted);
});
