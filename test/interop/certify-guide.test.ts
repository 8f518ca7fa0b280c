/**
 * The calls of docs/CERTIFICATION-GUIDE.md in their order, in an empty folder: the answers are filled in as the guide
 * asks, our own client is the counterparty, and its people do what they are asked.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { CertificationEvent } from '../../src/certify/certification.ts';
import { startOwnFixpClient } from '../../src/certify/own-fixp-client.ts';
import type { Hand } from '../../src/certify/prompt.ts';
import { causewayCalls } from '../docs/doc-commands.ts';

const root = join(import.meta.dirname, '../..');
const main = join(root, 'src/main.ts');
const guide = 'docs/CERTIFICATION-GUIDE.md';
const credentials = { username: 'example', password: 'of-the-guide' };
const folder = mkdtempSync(join(tmpdir(), 'causeway-guide-'));
/** A run waits for keep-alives; on a machine that is busy with other work, for minutes. */
const patienceMs = 600_000;
afterAll(() => rmSync(folder, { recursive: true }));

/** Every call but the name of the verb itself. */
const calls = causewayCalls(guide, readFileSync(join(root, guide), 'utf8')).filter(
  ({ words }) => words.length > 1,
);

/** The public key that the certificate is signed with, as `certificate` prints it. */
let issuer = '';

/** What stands behind the calls of the guide, which give a file a name or leave one to the reader. */
const actions: Readonly<Record<string, (words: readonly string[]) => Promise<void>>> = {
  async interview(words) {
    writeFileSync(join(folder, 'example.yaml'), filledIn(await output(words)));
    writeFileSync(join(folder, 'example.password'), `${credentials.password}\n`);
    writeFileSync(join(folder, 'rules.md'), 'What the counterparty was given.\n');
  },
  async list(words) {
    expect(await output(words)).toMatch(/P-01 .*\n(.*\n)*\d+ scenarios/);
  },
  run: play,
  async certificate(words) {
    const said = await output(words);
    expect(said).toContain('valid until');
    [issuer = ''] = /MCow[\w+/]+=*/.exec(said) ?? [];
  },
  async verify(words) {
    const named = words.map((word) => (word === 'MCow...' ? issuer : word));
    expect(await output(named)).not.toContain('BROKEN');
  },
  async passive(words) {
    const answers = join(folder, 'example.yaml');
    // A log is of FIX.
    writeFileSync(answers, stringify({ ...parse(readFileSync(answers, 'utf8')), protocol: 'fix' }));
    writeFileSync(join(folder, 'LOG'), 'nothing that is of a session\n');
    expect(await output(words)).toContain('0 messages');
  },
  async self(words) {
    // One scenario is not all that is required.
    expect(await output([...words, '--out', 'self'], 1)).toContain('passed       S-10');
  },
};

function start(words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [main, ...words], { cwd: folder, stdio: 'pipe' });
}

async function output(words: readonly string[], wanted = 0): Promise<string> {
  const child = start(words);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (text) => {
    stdout += text;
  });
  child.stderr?.on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  expect([code, stderr]).toEqual([wanted, '']);
  return stdout;
}

/** A client of FIXP on a free port, because its scenarios wait the least. */
function filledIn(template: string): string {
  return stringify({
    ...parse(template),
    protocol: 'fixp',
    session: { senderCompId: 'EXAMPLE', targetCompId: 'CAUSEWAY', heartBtInt: 2 },
    address: { host: '127.0.0.1', port: 0 },
    credentials: { username: credentials.username, passwordFile: 'example.password' },
    features: [],
    rules: 'rules.md',
  });
}

async function play(words: readonly string[]): Promise<void> {
  const child = start([...words, '--events']);
  const exited = once(child, 'exit');
  let client: Hand | undefined;
  const outcomes: Record<string, string> = {};
  if (child.stdout === null) throw new Error('the program has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as CertificationEvent | { kind: 'waiting'; text: string };
    if (event.kind === 'waiting') {
      const [, port] = /:(\d+)/.exec(event.text) ?? [];
      const to = { host: '127.0.0.1', port: Number(port), credentials, keepaliveS: 2 };
      client = await startOwnFixpClient(to);
    } else if (event.kind === 'prompt') await client?.act(event.prompt);
    else if (event.kind === 'finished') {
      const { id, outcome } = event as unknown as Record<'id' | 'outcome', string>;
      outcomes[id] = outcome;
    }
  }
  await client?.stop();
  expect(await exited).toEqual([0, null]);
  const failed = Object.entries(outcomes).filter(([, outcome]) => !/passed|notRun/.test(outcome));
  expect(failed).toEqual([]);
  expect(Object.keys(outcomes).length).toBeGreaterThan(15);
}

test('the guide shows the way from the questions to the certificate', () => {
  const way = calls.map(({ words }) => words[1]).slice(0, 5);
  expect(way).toEqual(['interview', 'list', 'run', 'certificate', 'verify']);
});

test.each(calls)('$where $words', { timeout: patienceMs }, async ({ words }) => {
  const act = actions[words[1] ?? ''];
  if (act === undefined) throw new Error(`nobody has said what comes of ${words.join(' ')}`);
  await act(words);
});
