/** A signer in a process of its own beside one inside the bridge. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { addressOfKey, sealKey, writeKeystore } from '../../src/signer/keystore.ts';
import { LedgerAnchors } from '../../src/signer/ledger-anchors.ts';
import { openSignerCore } from '../../src/signer/open-signer.ts';
import { RemoteSigner } from '../../src/signer/remote-signer.ts';
import { signerConfigSchema } from '../../src/signer/signer-config.ts';
import { socketLink } from '../../src/signer/signer-link.ts';
import { RunProcess } from '../support/run-process.ts';
import { account, contract, envelope, request, secretKey, spot } from './signer-samples.ts';

const root = join(import.meta.dirname, '../..');
const directory = mkdtempSync(join(tmpdir(), 'open-signer-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('R21: inline and in a process the same action gets the same bytes, and no secret is said', async () => {
  const keystoreFile = join(directory, 'key.json');
  const passphraseFile = join(directory, 'passphrase');
  writeKeystore(
    keystoreFile,
    await sealKey(secretKey(), 'canary-passphrase', 'local', { n: 1024, r: 8, p: 1 }),
  );
  writeFileSync(passphraseFile, 'canary-passphrase\n', { mode: 0o600 });
  const config = {
    environment: 'local',
    profile: join(root, 'dictionaries/venue.sandbox.yaml'),
    socket: join(directory, 'signer.sock'),
    dataDir: join(directory, 'data'),
    durability: 'process',
    keys: [{ keystoreFile, passphraseFile, policy: { accounts: [account] } }],
  };
  const inline = await openSignerCore({
    config: signerConfigSchema.parse({ ...config, dataDir: join(directory, 'inline') }),
    contract,
    askPassphrase: () => Promise.reject(new Error('nobody is there to ask')),
    alarm: () => {},
    fatal: () => {},
    mayCreateLedger: true,
  });
  const expected = await inline.core.sign(request(envelope(1)));
  await inline.close();
  expect(expected.kind).toBe('signed');

  const file = join(directory, 'signer.yaml');
  writeFileSync(file, JSON.stringify(config));
  const signing = ['src/main.ts', 'signer', '--config', file];
  let said = '';
  const start = (...more: string[]) => {
    const child = spawn(process.execPath, [...signing, ...more], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (said += text));
    return child;
  };
  const first = start('--new-ledger');
  const link = socketLink(config.socket);
  const remote = await RemoteSigner.open({
    contract,
    clock: systemClock,
    link,
    report: () => {},
    anchors: new LedgerAnchors(null, systemClock, () => {}),
    deadlineMs: 15_000,
  });
  expect(remote.keys).toEqual(new Map([[account, addressOfKey(secretKey())]]));
  expect(await remote.sign(request(envelope(1)))).toEqual(expected);
  first.kill('SIGKILL');
  await new Promise((resolve) => first.on('exit', resolve));
  const second = start();
  expect(await remote.sign(request(envelope(1)))).toEqual(expected);
  expect(await remote.sign(request(envelope(1, spot(51n))))).toMatchObject({
    code: 'other_digest',
  });
  await remote.close();
  second.kill('SIGTERM');
  const code = await new Promise((resolve) => second.on('exit', resolve));
  expect(code).toBe(0);
  expect(said).toContain(`"msg":"not signed: nonce 1 of ${account} was signed for another action"`);
  // R21: neither the key nor its passphrase is ever said.
  expect(said).not.toContain(Buffer.from(secretKey()).toString('hex'));
  expect(said).not.toContain('canary-passphrase');
}, 60_000);

test('a keystore whose key has another address than it states is refused at a reload, and the key before it goes on signing', async () => {
  const place = mkdtempSync(join(directory, 'reload-'));
  const at = (name: string) => join(place, name);
  const sealed = await sealKey(secretKey(), 'word', 'local', { n: 1024, r: 8, p: 1 });
  writeKeystore(at('own.json'), sealed);
  writeKeystore(at('other.json'), { ...sealed, address: account });
  writeFileSync(at('pass'), 'word\n', { mode: 0o600 });
  const configure = (keystoreFile: string) => {
    const keys = [{ keystoreFile, passphraseFile: 'pass', policy: { accounts: [account] } }];
    const profile = join(root, 'dictionaries/venue.sandbox.yaml');
    const places = { profile, socket: 'signer.sock', dataDir: 'data' };
    writeFileSync(at('signer.yaml'), JSON.stringify({ environment: 'local', ...places, keys }));
  };
  configure('own.json');
  const signer = new RunProcess(at('signer.yaml'), ['--new-ledger'], [], 'signer');
  await signer.says(/signer_ready/);
  const bridge = await RemoteSigner.open({
    ...{ contract, clock: systemClock, link: socketLink(at('signer.sock')), report: () => {} },
    anchors: new LedgerAnchors(null, systemClock, () => {}),
    deadlineMs: 15_000,
  });
  const before = await bridge.sign(request(envelope(1)));
  configure('other.json');
  signer.signal('SIGHUP');
  const line = await signer.says(/.*"event":"config_refused".*/);
  expect(JSON.parse(line)).toMatchObject({
    alarm: true,
    msg: expect.stringMatching(
      /^keys\[0\]: .*other\.json: the address of the keystore is not that of its key$/,
    ),
  });
  expect(await bridge.sign(request(envelope(1)))).toEqual(before);
  expect(before).toMatchObject({ kind: 'signed', key: addressOfKey(secretKey()) });
  await bridge.close();
  signer.signal('SIGTERM');
  expect(await signer.ended()).toBe(0);
}, 60_000);
