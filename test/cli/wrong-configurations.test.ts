/**
 * Twenty mistakes of people who write a configuration for the first time. Each test compares the meaning of what `check`
 * reports: one fault for each cause, with the line, the key and what to write instead.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashSecret, lightCost } from '../../src/gateway/passwords/secret-hash.ts';
import { openEcdsa } from '../../src/signer/ecdsa.ts';
import { sealKey, writeKeystore } from '../../src/signer/keystore.ts';
import { causeway } from '../support/program.ts';
import { Authority } from '../transport/authority.ts';

const profile = join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml');
const sound = `environment: local
dataDir: data
venue:
  profile: ${profile}
  baseUrl: http://127.0.0.1:8480
signer:
  mode: inline
  configFile: signer.yaml
accounts:
  - name: desk-1
    account: '0x1111111111111111111111111111111111111111'
    apiKeyFile: api-key
    apiSecretFile: api-secret
    passphraseFile: api-passphrase
fix:
  listen: { host: 127.0.0.1, port: 9880 }
  tls:
    certFile: one.crt
    keyFile: one.key
console:
  listen: { host: 127.0.0.1, port: 9881 }
  operators:
    - { name: olga, secretHashFile: alice.hash }
users:
  - name: alice
    secretHashFile: alice.hash
sessions:
  - senderCompId: ALPHA
    targetCompId: CAUSEWAY
    role: order-entry
    users: [alice]
    accounts: [desk-1]
    cancelOnDisconnect: { when: abrupt, graceMs: 5000 }
    limits:
      maxOrderQty: '10'
`;
const soundSigner = `environment: local
profile: ${profile}
socket: signer.sock
dataDir: signer
keys:
  - keystoreFile: key.json
    passphraseFile: key-passphrase
    policy:
      accounts: ['0x1111111111111111111111111111111111111111']
`;

interface FaultPart {
  readonly file: string;
  readonly line: number;
  readonly key: string;
  readonly problem: string;
}

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-wrong-'));
  const secret = (name: string, text: string) =>
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  const authority = new Authority();
  for (const name of ['one', 'two']) {
    const { key, cert } = authority.issue(name);
    secret(`${name}.key`, key.toString());
    secret(`${name}.crt`, cert.toString());
  }
  authority.remove();
  for (const name of ['api-key', 'api-secret', 'api-passphrase', 'key-passphrase']) {
    secret(name, 'secret');
  }
  secret('alice.hash', hashSecret('pw', lightCost));
  const cost = { n: 1024, r: 8, p: 1 };
  await openEcdsa('noble');
  writeKeystore(
    join(folder, 'key.json'),
    await sealKey(Buffer.alloc(32, 1), 'secret', 'local', cost),
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

async function faultsIn(config: string, signer = soundSigner): Promise<readonly FaultPart[]> {
  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, config);
  writeFileSync(join(folder, 'signer.yaml'), signer);
  const { status, stdout } = await causeway('check', '--config', file, '--json');
  const { ok, faults = [] } = JSON.parse(stdout);
  expect([status, ok]).toEqual(faults.length > 0 ? [3, false] : [0, true]);
  return faults;
}

/** The first line that differs from the sound configuration. */
function changedLine(wrong: string): number {
  const lines = sound.split('\n');
  return wrong.split('\n').findIndex((line, index) => line !== lines[index]) + 1;
}

function lineOf(text: string, part: string): number {
  const at = text.split('\n').findIndex((line) => line.includes(part));
  if (at === -1) throw new Error(`no line has ${part}`);
  return at + 1;
}

test('the configuration that the mistakes are made in is sound', async () => {
  expect(await faultsIn(sound)).toEqual([]);
});

/** What is written instead of what, the key that is at fault, and what the message must convey. */
type Mistake = readonly [
  name: string,
  from: string,
  to: string,
  key: string,
  meaning: RegExp,
  line?: number,
];

const mistakes: Mistake[] = [
  ['a misspelt key', 'dataDir: data', 'dataDri: data', 'dataDri', /unknown.*mean dataDir\?/],
  [
    'a key in the wrong case',
    'senderCompId:',
    'sendercompid:',
    'sessions[0].sendercompid',
    /unknown.*mean senderCompId\?/,
  ],
  [
    'a misspelt choice',
    'when: abrupt',
    'when: abrubt',
    'sessions[0].cancelOnDisconnect.when',
    /off.*abrupt.*always.*mean abrupt\?/,
  ],
  [
    'a misspelt environment',
    'environment: local',
    'environment: lokal',
    'environment',
    /mean local\?/,
  ],
  [
    'an amount without quotes',
    "maxOrderQty: '10'",
    'maxOrderQty: 10',
    'sessions[0].limits.maxOrderQty',
    /quotes.*'10'/,
  ],
  [
    'an address without quotes',
    "account: '0x1111111111111111111111111111111111111111'",
    'account: 0x1111111111111111111111111111111111111111',
    'accounts[0].account',
    /quotes.*'0x1{40}'/,
  ],
  [
    'a number with quotes',
    'port: 9880',
    "port: '9880'",
    'fix.listen.port',
    /number.*without quotes.*9880/,
  ],
  [
    'a time with its unit',
    'graceMs: 5000',
    'graceMs: 5s',
    'sessions[0].cancelOnDisconnect.graceMs',
    /whole number, not 5s.*\bms\b/,
  ],
  [
    'a number out of range',
    'port: 9880',
    'port: 98800',
    'fix.listen.port',
    /at most 65535, not 98800/,
  ],
  [
    'a single value instead of a list',
    'users: [alice]',
    'users: alice',
    'sessions[0].users',
    /list.*"- "/,
  ],
  [
    'a required key that is missing',
    '    apiKeyFile: api-key\n',
    '',
    'accounts[0].apiKeyFile',
    /missing.*API key/,
    10,
  ],
  [
    'a user that does not exist',
    'users: [alice]',
    'users: [alise]',
    'sessions[0].users[0]',
    /alise.*mean alice\?/,
  ],
  [
    'an account that does not exist',
    'accounts: [desk-1]',
    'accounts: [desk1]',
    'sessions[0].accounts[0]',
    /desk1.*mean desk-1\?/,
  ],
  [
    'two ports that are the same',
    'port: 9881',
    'port: 9880',
    'console.listen.port',
    /9880.*\bfix\b/,
  ],
  [
    'a key of another certificate',
    'keyFile: one.key',
    'keyFile: two.key',
    'fix.tls.keyFile',
    /does not belong.*one\.crt/,
  ],
  [
    'a key in place of the certificate',
    'certFile: one.crt',
    'certFile: one.key',
    'fix.tls.certFile',
    /not a PEM certificate/,
  ],
  [
    'a password instead of its hash',
    '    secretHashFile: alice.hash',
    '    secretHashFile: api-key',
    'users[0].secretHashFile',
    /scrypt hash.*causeway keys hash/,
  ],
  [
    'a console without TLS for other machines',
    'host: 127.0.0.1, port: 9881',
    'host: 0.0.0.0, port: 9881',
    'console.tls',
    /0\.0\.0\.0.*127\.0\.0\.1/,
  ],
  [
    'an address without its scheme',
    'http://127.0.0.1:8480',
    '127.0.0.1:8480',
    'venue.baseUrl',
    /http:\/\/.*https:\/\//,
  ],
  [
    'a signer for another account',
    "account: '0x1111",
    "account: '0x2222",
    'keys',
    /no key.*0x2222/,
  ],
  [
    'a key that is given twice',
    'dataDir: data\n',
    'dataDir: data\ndataDir: other\n',
    '',
    /unique|twice/,
  ],
];

describe('one fault with its line, its key and what to write:', () => {
  test.each(mistakes.map((mistake) => ({ name: mistake[0], mistake })))('$name', async (one) => {
    const [, from, to, key, meaning, place] = one.mistake;
    const wrong = sound.replace(from, to);
    expect(wrong).not.toBe(sound);
    const faults = await faultsIn(wrong);
    expect(faults).toHaveLength(1);
    const [fault] = faults as [FaultPart];
    expect(fault.key ?? '').toBe(key);
    expect(fault.problem).toMatch(meaning);
    if (!fault.file.endsWith('gateway.yaml')) return;
    expect(fault.line).toBe(place ?? changedLine(wrong));
  });
});

test('every file that is missing is named at once, each with the line of its key', async () => {
  const names = ['api-secret', 'one.crt', 'alice.hash', 'signer.yaml', profile];
  let wrong = sound.replace('keyFile: one.key', 'keyFile: gone.key');
  for (const name of names) wrong = wrong.replaceAll(name, `${name}.gone`);
  const faults = await faultsIn(wrong);
  expect(faults.map(({ key }) => key).sort()).toEqual([
    'accounts[0].apiSecretFile',
    'console.operators[0].secretHashFile',
    'fix.tls.certFile',
    'fix.tls.keyFile',
    'signer.configFile',
    'users[0].secretHashFile',
    'venue.profile',
  ]);
  for (const { problem, line } of faults) {
    expect(problem).toContain('gone');
    expect(wrong.split('\n')[line - 1]).toContain('gone');
  }
});

test('faults of the signer have the line and key of its own file', async () => {
  const wrong = soundSigner.replace('key.json', 'gone.json').replace(/key-pass\w+/, 'gone.pass');
  const faults = await faultsIn(sound, wrong);
  expect(faults.map(({ key, line }) => [key, line])).toEqual([
    ['keys[0].keystoreFile', lineOf(wrong, 'gone.json')],
    ['keys[0].passphraseFile', lineOf(wrong, 'gone.pass')],
  ]);
  for (const { file } of faults) expect(file).toBe(join(folder, 'signer.yaml'));
});

test('passwords and API credentials in cleartext are a warning in local and a fault on mainnet', async () => {
  const [before, after] = sound.split(/ {2}tls:[\s\S]*?(?=console:)/);
  const open = `${before}${after}`
    .replace('host: 127.0.0.1, port: 9880', 'host: 0.0.0.0, port: 9880')
    .replace('http://127.0.0.1:8480', 'http://venue.example');
  const file = join(folder, 'gateway.yaml');
  expect(await faultsIn(open)).toEqual([]);
  const { stdout } = await causeway('check', '--config', file);
  expect(stdout).toMatch(/warning: .*fix: .*cleartext/);
  expect(stdout).toMatch(/warning: .*venue\.baseUrl: .*cleartext/);
  const faults = await faultsIn(open.replace('environment: local', 'environment: mainnet'));
  const keys = faults.map(({ key }) => key);
  expect(keys).toEqual(expect.arrayContaining(['fix', 'venue.baseUrl', 'environment']));
  // The profile of the sandbox confirms nothing for mainnet.
  expect(keys).toContain('venue.profile');
});

test('a webhook must not carry its secret in cleartext, and its files must be private', async () => {
  const written = `${sound}alarmWebhook: { urlFile: url, tokenFile: no-token }\n`;
  writeFileSync(join(folder, 'url'), 'http://hooks.example/secret', { mode: 0o600 });
  const faults = await faultsIn(written);
  expect(faults.map(({ key }) => key).sort()).toEqual([
    'alarmWebhook.tokenFile',
    'alarmWebhook.urlFile',
  ]);
  expect(JSON.stringify(faults)).not.toContain('hooks.example');
  writeFileSync(join(folder, 'url'), 'https://hooks.example/secret');
  expect(await faultsIn(written.replace(', tokenFile: no-token', ''))).toEqual([]);
});

test('run reports the same faults as check and ends with the same code', async () => {
  const wrong = sound.replace('dataDir: data', 'dataDri: data').replace('when: abrupt', 'when: x');
  await faultsIn(wrong);
  const file = join(folder, 'gateway.yaml');
  const [checked, run] = [
    await causeway('check', '--config', file),
    await causeway('run', '--config', file),
  ];
  expect([checked.status, run.status]).toEqual([3, 3]);
  expect(run.stderr.replace('causeway run', 'causeway check')).toBe(checked.stderr);
});
