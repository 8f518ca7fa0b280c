/**
 * What CONSOLE and CERTIFICATION-GUIDE show in blocks, given line by line as a reader gives them, in one directory. The
 * counterparty is our own client, and one scenario is asked of it; that a whole run ends in a certificate is shown by
 * certify-self, and that a certificate verifies by the tests of the command.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const main = join(root, 'src/main.ts');
const run = promisify(execFile);
let directory: string;
let env: NodeJS.ProcessEnv;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'guides-'));
  const bin = join(directory, 'bin');
  mkdirSync(bin);
  const program = join(bin, 'causeway');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(program, 0o755);
  const { PATH: path = '' } = process.env;
  env = { ...process.env, PATH: `${bin}:${path}` };
});

afterAll(() => rmSync(directory, { recursive: true }));

/** The lines of the first block under a heading, without the words behind them. */
function linesUnder(file: string, heading: string): string[] {
  const [, text = ''] = readFileSync(join(root, file), 'utf8').split(`## ${heading}\n`);
  const [, block = ''] = text.split(/^```.*\n/m);
  return block
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+# /)[0] ?? '');
}

function shell(line: string): Promise<{ stdout: string }> {
  return run('sh', ['-c', line], { cwd: directory, env });
}

/** Calls the desk as soon as it says where it waits. */
async function certified(line: string): Promise<string> {
  const desk = spawn('sh', ['-c', `exec ${line} --only S-01`], { cwd: directory, env });
  let client: ChildProcess | undefined;
  let heard = '';
  desk.stdout.on('data', (text) => {
    heard += text;
    const port = /waiting for .* on 127\.0\.0\.1:(\d+)/.exec(heard)?.[1];
    if (port === undefined || client !== undefined) return;
    const peer = ['--port', port, '--sender', 'EXAMPLE', '--target', 'CAUSEWAY'];
    client = spawn(process.execPath, [main, 'client', ...peer], { stdio: ['pipe', 'ignore', 2] });
  });
  await once(desk, 'close');
  client?.kill();
  return heard;
}

test('the steps of a certification lead from the questions to what is missing for a certificate', async () => {
  const steps = linesUnder('docs/CERTIFICATION-GUIDE.md', 'A certification, step by step');
  const [interview = '', list = '', play = '', certificate = ''] = steps;
  await shell(interview);
  const answers = join(directory, 'example.yaml');
  writeFileSync(answers, readFileSync(answers, 'utf8').replace('port: 9890', 'port: 0'));
  expect((await shell(list)).stdout).toContain('S-02');
  expect(await certified(play)).toMatch(/passed +S-01[\s\S]*1 passed, 0 failed/);
  for (const file of ['run.json', 'report.html', 'junit.xml']) {
    expect(existsSync(join(directory, 'example', file)), file).toBe(true);
  }
  const refused = await shell(certificate).catch((error: { stderr: string }) => error);
  expect(JSON.stringify(refused)).toContain('S-02');
});

test('a folder for a counterparty is made as the console guide says', async () => {
  for (const line of linesUnder('docs/CONSOLE.md', 'Certifying from the page')) await shell(line);
  const { stdout } = await shell(
    'causeway certify list --interview certification/acme/interview.yaml',
  );
  expect(stdout).toContain('S-01');
});
