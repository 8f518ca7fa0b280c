/**
 * The calls that documents show, given as a reader gives them: in one directory with a configuration, a log and a venue
 * that runs. What ends by itself must end with 0; what serves must say that it does, and end with 0 when it is told to.
 * The tutorial, the runbook and the guide of certifications have tests of their own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeDemoFiles } from '../../src/cli/demo-files.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { causewayCalls } from '../docs/doc-commands.ts';

const root = join(import.meta.dirname, '../..');
const main = join(root, 'src/main.ts');
const documents = [
  'README.md',
  'docs/CONSOLE.md',
  'docs/SANDBOX.md',
  'docs/SBE.md',
  'docs/DROPCOPY.md',
];
/** What serves until it is told to stop, with the words by which it says that it does. */
const serving = new Map([
  ['run', 'FIX 4.4 on port'],
  ['signer', 'signing with'],
  ['sandbox', 'sandbox ready'],
]);

let directory: string;
let venue: Sandbox;
let demo: ChildProcess;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'documents-'));
  venue = await startSandbox({ seed: 1, makers: false });
  await writeDemoFiles({
    directory,
    seed: 1,
    fixHost: '127.0.0.1',
    fixPort: 0,
    venueUrl: venue.info.baseUrl,
    profileFile: join(root, 'dictionaries/venue.sandbox.yaml'),
    accounts: venue.info.accounts,
    cancelOnDisconnect: false,
  });
  cpSync(join(root, 'dictionaries'), join(directory, 'dictionaries'), { recursive: true });
  const heartbeat = '8=FIX.4.4|9=57|35=0|34=1|49=A|52=20260101-00:00:00.000|56=B|10=067|';
  writeFileSync(join(directory, 'messages.log'), `${heartbeat}\n`);
  const sequence = '00000016eb5008000800bc0a01000700000000000000';
  writeFileSync(join(directory, 'line.bin'), Buffer.from(sequence, 'hex'));
  demo = start(['demo', '--port', '0', '--no-makers', '--info', 'demo.json']);
  await said(demo, 'FIX 4.4 on');
});

afterAll(async () => {
  await ended(demo);
  await venue.stop();
  rmSync(directory, { recursive: true });
});

function start(words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [main, ...words], { cwd: directory, stdio: 'pipe' });
}

/** Resolves once it says so; an error where it ends before. */
async function said(child: ChildProcess, words: string): Promise<void> {
  let heard = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text) => {
        heard += text;
        if (heard.includes(words)) resolve();
      });
    }
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${heard}`)));
  });
}

async function ended(child: ChildProcess): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await exited;
  return code;
}

/** A reader has ports of his own, and writes into no checkout. */
function ownPlaces(words: readonly string[]): string[] {
  const [verb = ''] = words;
  return words.map((word, index) => {
    if (words[index - 1] === '--port') return '0';
    if (words[index - 1] === '--info' && verb === 'sandbox') return 'sandbox.json';
    return words[index - 1] === '--out' ? join(directory, `out-${basename(word)}`) : word;
  });
}

/** What stands in a sentence has placeholders. */
function blocksOf(text: string): string {
  return text.replace(/^(?! {4}|```).*`[^`\n]+`.*$/gm, '');
}

/** What stands for a log of the reader's own is shown by the tests of drop copies. */
const ownFiles = new Set(['reader.log']);

const calls = documents
  .flatMap((file) => causewayCalls(file, blocksOf(readFileSync(join(root, file), 'utf8'))))
  .filter(({ words }) => words.length > 1 && !words.some((word) => ownFiles.has(word)));

test('the documents show calls', () => {
  expect(calls.length).toBeGreaterThan(15);
});

test.each(calls)('$where $words', async ({ words }) => {
  const child = start(ownPlaces(words));
  const ready = serving.get(words[0] ?? '');
  if (ready !== undefined) {
    await said(child, ready);
    expect(await ended(child)).toBe(0);
    return;
  }
  let stderr = '';
  child.stderr?.on('data', (text) => {
    stderr += text;
  });
  const input =
    words[0] === 'client' ? 'orders\n' : '{"message":"Sequence","fields":{"NextSeqNo":7}}\n';
  child.stdin?.end(words[1] === 'encode' || words[0] === 'client' ? input : '');
  const [code] = await once(child, 'exit');
  expect([code, stderr]).toEqual([0, '']);
});
