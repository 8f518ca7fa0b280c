import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { verb } from '../../src/cli/import.ts';
import { causeway } from '../support/program.ts';

let directory: string;
let settings: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'import-'));
  settings = join(directory, 'quickfix.cfg');
  writeFileSync(
    settings,
    '[SESSION]\nBeginString=FIX.4.4\nSenderCompID=DESK\nTargetCompID=GATE\nColour=blue\n',
  );
});

afterAll(() => rmSync(directory, { recursive: true }));

test('the configuration is written once, and the result of each setting is reported', async () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  const out = join(directory, 'out');
  expect(await verb.run(['--settings', settings, '--out', out])).toBe(0);
  const told = String(printed.mock.calls[0]?.[0]);
  printed.mockRestore();
  expect(readFileSync(join(out, 'gateway.yaml'), 'utf8')).toContain('senderCompId: DESK');
  expect(told).toContain('  3: SenderCompID=DESK  sessions[].senderCompId');
  expect(told).toMatch(/Unknown keys.*\n {2}5: Colour=blue/);
  await expect(verb.run(['--settings', settings, '--out', out])).rejects.toThrow('exists already');
});

test('settings of others cannot steer the terminal', async () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  const hostile = join(directory, 'hostile.cfg');
  writeFileSync(hostile, `${readFileSync(settings, 'utf8')}X\x1b[31m=\x1b]0;mine\x07\n`);
  expect(await verb.run(['--settings', hostile, '--out', join(directory, 'hostile')])).toBe(0);
  const told = String(printed.mock.calls[0]?.[0]);
  printed.mockRestore();
  expect(told).toContain('6: X·[31m=·]0;mine·');
  expect(told.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

test('a file of another version writes nothing and names the line', async () => {
  const other = join(directory, 'old.cfg');
  writeFileSync(other, readFileSync(settings, 'utf8').replace('4.4', '4.2'));
  const out = join(directory, 'none');
  await expect(verb.run(['--settings', other, '--out', out])).rejects.toThrow(
    'line 2: DESK to GATE',
  );
  expect(() => readFileSync(join(out, 'gateway.yaml'))).toThrow('ENOENT');
});

test('once all that it says to do is done, the configuration is right', async () => {
  const out = join(directory, 'done');
  const { stdout } = await causeway('import', '--settings', settings, '--out', out, '--json');
  const { toDo } = JSON.parse(stdout) as { toDo: string[] };
  const written = [...toDo.join('\n').matchAll(/causeway files (\S+) > (\S+),/g)];
  expect(written.map(([, , file]) => file)).toEqual(['venue.yaml', 'signer.yaml']);
  for (const [, shipped = '', file = ''] of written) {
    // The sandbox stands for a template that somebody has filled in.
    const filled = shipped.replace('template', 'sandbox');
    writeFileSync(join(out, file), (await causeway('files', filled)).stdout);
  }
  mkdirSync(join(out, 'secrets'));
  expect(toDo.join()).toContain('Make the directory run with mode 0700');
  mkdirSync(join(out, 'run'), { mode: 0o700 });
  for (const name of ['api-key', 'api-secret', 'api-passphrase']) {
    writeFileSync(join(out, `secrets/desk-1.${name}`), 'x\n', { mode: 0o600 });
  }
  const password = join(directory, 'password');
  writeFileSync(password, 'open\n', { mode: 0o600 });
  const hash = await causeway('keys', 'hash', '--passphrase-file', password);
  expect(toDo.join()).toContain('causeway keys hash > secrets/desk.hash');
  writeFileSync(join(out, 'secrets/desk.hash'), hash.stdout);
  const file = join(out, 'gateway.yaml');
  expect((await causeway('check', '--config', file)).stderr).toBe('');
  chmodSync(join(out, 'secrets/desk-1.api-secret'), 0o644);
  const exposed = await causeway('check', '--config', file);
  expect(exposed.status).toBe(3);
  expect(exposed.stderr).toMatch(/apiSecretFile: .*desk-1.api-secret has mode 0644.*chmod 600/);
});
