import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { message, toText } from '../support/fix-text.ts';
import { causeway } from '../support/program.ts';

const request = '262=x|263=1|264=0|265=0|267=2|269=0|269=1|146=1|55=BTC-USDC|';
const log = [
  `12:00 ${toText(message('A', '98=0|108=30|553=me|554=hunter2|'))}`,
  `12:01 ${toText(message('V', request))}`,
  `12:02 ${toText(message('D', '11=a\x1b[31m|'))}`,
].join('\n');

let directory: string;
let file: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'decode-'));
  file = join(directory, 'fix.log');
  writeFileSync(file, log, 'latin1');
});

afterAll(() => rmSync(directory, { recursive: true }));

const decode = (...args: string[]) => causeway('decode', file, '--color', 'never', ...args);

test('standard input is read where no file is named', () => {
  const main = join(import.meta.dirname, '../../src/main.ts');
  const piped = spawnSync(process.execPath, [main, 'decode'], { input: log, encoding: 'latin1' });
  expect([piped.status, piped.stdout.split('\n').length]).toEqual([0, 4]);
});

test('each message is one line with names, without secrets, and steers no terminal', async () => {
  const { status, stdout } = await decode();
  expect(status).toBe(0);
  const [logon, , order] = stdout.split('\n');
  expect(logon).toMatch(/^12:00 Logon\(A\) {2}.*Username\(553\)=me {2}Password\(554\)=…$/);
  expect(stdout).not.toContain('hunter2');
  expect(order).toContain('ClOrdID(11)=a·[31m');
  expect(order).toContain('! Reject(3) 373=6 371=11');
});

test('with several files, each message is shown with the name of its file', async () => {
  const one = (await decode()).stdout.trim().split('\n');
  const two = (await decode(file)).stdout.trim().split('\n');
  expect(two).toEqual([...one, ...one].map((line) => expect.stringContaining(line)));
  for (const line of two) expect(line.startsWith(`${file}: `)).toBe(true);
});

test('tall shows meanings and the entries of repeating groups', async () => {
  const { stdout } = await decode('--tall', '--type', 'V');
  expect(stdout).toMatch(/^12:01 MarketDataRequest\(V\)$/m);
  expect(stdout).toMatch(/^ {4}263 SubscriptionRequestType +1 {2}SNAPSHOT/m);
  expect(stdout).toMatch(/^ {2}- +269 MDEntryType +0 {2}BID$/m);
  expect(stdout).not.toContain('Logon');
});

test('--wrong is a check: it shows what is wrong and fails where there is any', async () => {
  const { status, stdout } = await decode('--wrong', '--json');
  expect(status).toBe(1);
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    where: '12:02',
    msgType: 'D',
    name: 'NewOrderSingle',
    faults: [expect.stringContaining('373=6')],
  });
  expect((await decode('--wrong', '--type', 'V')).status).toBe(0);
});

test('a file without any message is reported as a failure', async () => {
  const { status, stderr } = await decode('--type', 'nothing');
  expect([status, stderr]).toEqual([1, 'no message was found\n']);
  expect(JSON.parse((await decode('--type', 'nothing', '--json')).stderr)).toMatchObject({
    ok: false,
    droppedBytes: 0,
  });
});
