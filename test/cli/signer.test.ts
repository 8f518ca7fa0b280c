import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { verb } from '../../src/cli/signer.ts';
import { exitCodes, UsageError } from '../../src/cli/verb.ts';
import { readYaml } from '../../src/runtime/yaml.ts';
import { signerConfigSchema } from '../../src/signer/signer-config.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'signer-cli-'));
});

afterAll(() => rmSync(directory, { recursive: true }));

test('a call without a configuration is a fault of usage', async () => {
  await expect(verb.run([])).rejects.toThrow(UsageError);
});

test('a configuration that is wrong is refused with file, line and key, before anything is opened', async () => {
  const file = join(directory, 'signer.yaml');
  writeFileSync(file, 'environment: test\nsocket: s\nkeys: []\n');
  await expect(verb.run(['--config', file])).rejects.toThrow(/signer\.yaml:1:\d+ environment/);
});

test('the example of a configuration is one', () => {
  const example = join(import.meta.dirname, '../../config/signer.yaml');
  const checked = readYaml(example, signerConfigSchema);
  expect(checked.kind === 'faults' ? checked.faults : []).toEqual([]);
});

const unreadable: readonly (readonly [string, () => string, RegExp | string])[] = [
  ['a directory', () => join(directory, '.'), /EISDIR|directory/],
  ['a file that is longer than any action', () => made('huge', 3 * 2 ** 30), /huge is longer than/],
  ['a file without an end', () => '/dev/zero', '/dev/zero is longer than any action'],
  ['text that is not UTF-8', () => made('latin', 0, Buffer.of(0x22, 0xff)), /latin is not UTF-8/],
  ['an empty file', () => made('empty', 0), /empty: action: is no JSON/],
  ['another JSON', () => made('other', 0, '{"a":1}'), /other: action: is no object/],
];

test.each(unreadable)(
  '%s is not explained, with its name and the reason',
  async (_what, place, reason) => {
    const config = join(import.meta.dirname, '../../config/signer.yaml');
    await expect(verb.run(['explain', place(), '--config', config])).rejects.toThrow(reason);
  },
);

function made(name: string, length: number, content: string | Uint8Array = ''): string {
  const file = join(directory, name);
  writeFileSync(file, content);
  if (length > 0) truncateSync(file, length);
  return file;
}

test('a market whose quantity is not bounded is refused, with the reason', async () => {
  const file = join(directory, 'unbounded.yaml');
  const example = readFileSync(join(import.meta.dirname, '../../config/signer.yaml'), 'utf8');
  writeFileSync(file, example.replace(", maxSellQtyAtoms: '2000000'", ''));
  await expect(verb.run(['--config', file])).rejects.toThrow(
    /maxSellQtyAtoms: is needed: maxNotionalAtoms alone bounds neither a sell nor a market order/,
  );
});

test('the policy explains an action from a file, and a pause counts until it is lifted', async () => {
  const example = readFileSync(join(import.meta.dirname, '../../config/signer.yaml'), 'utf8');
  const file = join(directory, 'explained.yaml');
  const dictionaries = join(import.meta.dirname, '../../dictionaries');
  writeFileSync(
    file,
    example.replace('../dictionaries', dictionaries).replace(/^dataDir:.*$/m, 'dataDir: .'),
  );
  const checked = readYaml(file, signerConfigSchema);
  if (checked.kind === 'faults') throw new Error(checked.faults.join());
  const { policy } = checked.value.keys[0] ?? {};
  const [market] = policy?.markets?.keys() ?? [];
  const [account] = policy?.accounts ?? [];
  const action = join(directory, 'action.json');
  writeFileSync(
    action,
    `{"account":"${account}","nonce":10,"nonce_reservation_id":null,"ts":1700000000003,"action":{"SpotPlaceOrder":{"market":${market},"side":"Bid","price":5,"qty":1,"stp_mode":null,"time_in_force":"gtc","is_market":false,"reduce_only":false,"expires_at":null}}}\n`,
  );
  const explain = () => verb.run(['explain', action, '--config', file, '--json']);
  expect(await explain()).toBe(exitCodes.done);
  const said = vi.spyOn(console, 'log').mockImplementation(() => {});
  expect(await verb.run(['pause', '--config', file, '--reason', 'a drill'])).toBe(exitCodes.done);
  expect(await explain()).toBe(exitCodes.failed);
  expect(await verb.run(['resume', '--config', file])).toBe(exitCodes.done);
  expect(await verb.run(['resume', '--config', file, '--json'])).toBe(exitCodes.done);
  expect(await verb.run(['resume', '--config', file])).toBe(exitCodes.done);
  expect(said.mock.calls.map(([line]) => line)).toEqual([
    expect.stringMatching(/^No placement is signed while .*signer\.pause exists/),
    expect.stringContaining('"allowed":false'),
    'Placements are signed again.',
    expect.stringContaining('"paused":false'),
    'Placements were not paused.',
  ]);
  said.mockRestore();
  expect(await explain()).toBe(exitCodes.done);
  await expect(verb.run(['explain', '--config', file])).rejects.toThrow(UsageError);
  await expect(verb.run(['pauze', '--config', file])).rejects.toThrow(/no action pauze.*pause/);
});
