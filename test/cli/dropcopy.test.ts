import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { verb } from '../../src/cli/dropcopy.ts';
import { exitCodes, UsageError } from '../../src/cli/verb.ts';
import { configSchema } from '../../src/gateway/config/config.ts';
import { readYaml } from '../../src/runtime/yaml.ts';
import { clientBytes } from '../acceptance/fix/script.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'dropcopy-cli-'));
});

afterAll(() => rmSync(directory, { recursive: true }));

/** A log with the totals of a day without copies, but for its count. */
function log(count: number): string {
  const file = join(directory, `${count}.log`);
  const totals = `UT|34=2|1=desk|9130=${count}|9131=${'0'.repeat(64)}|9132=0|9138=20261120|9139=0|9140=0|9141=0|9143=Y`;
  writeFileSync(file, clientBytes(totals, { client: 'CAUSEWAY', server: 'DROP' }, 0));
  return file;
}

async function run(...args: string[]): Promise<{ code: number; said: string }> {
  const told = vi.spyOn(console, 'log').mockImplementation(() => {});
  const code = await verb.run(args);
  const said = told.mock.calls.join('\n');
  told.mockRestore();
  return { code, said };
}

test('totals that agree with the log hold, and totals that do not are the exit code', async () => {
  const right = await run('verify', log(0));
  expect(right.code).toBe(exitCodes.done);
  expect(right.said).toContain('desk 20261120: 0 copies');
  const wrong = await run('verify', log(3), '--json');
  expect(wrong.code).toBe(exitCodes.failed);
  expect(JSON.parse(wrong.said)).toMatchObject({
    ok: false,
    checked: [{ faults: ['count is 0, stated 3'] }],
  });
});

test('totals behind a message that was cut off are checked, although they end the log', async () => {
  const whole = readFileSync(log(0), 'latin1');
  const cutOff = '8=FIX.4.4\x019=999\x0135=UT\x01';
  const file = join(directory, 'cut-off.log');
  writeFileSync(file, `${cutOff}\n${whole}`, 'latin1');
  const { code, said } = await run('verify', file);
  expect(said).toContain('desk 20261120: 0 copies');
  expect(code).toBe(exitCodes.done);
});

test('a call without a log is a fault of usage', async () => {
  await expect(verb.run(['verify'])).rejects.toThrow(UsageError);
});

test('the example of a process that only relays is a configuration', () => {
  const checked = readYaml(join(import.meta.dirname, '../../config/relay.yaml'), configSchema);
  expect(checked.kind === 'faults' ? checked.faults : []).toEqual([]);
});

test("what a log contains does not control the reader's terminal", async () => {
  const file = join(directory, 'hostile.log');
  const totals = readFileSync(log(7), 'latin1').replace('1=desk', '1=\x1b[2J');
  writeFileSync(file, totals, 'latin1');
  const { said } = await run('verify', file);
  expect(said).toContain('[2J 20261120: 0 copies');
  expect(said).not.toContain('\x1b');
});
