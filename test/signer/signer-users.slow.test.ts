/**
 * A signer and a bridge as two users of one machine (docs/decisions/0042-the-signer.md): what the system lets the
 * bridge, and a stranger, do to the signer. It needs the rights of root to become those users.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealKey, writeKeystore } from '../../src/signer/keystore.ts';
import { account, secretKey } from './signer-samples.ts';

const root = join(import.meta.dirname, '../..');
const passphrase = 'canary-passphrase';
/** Users without a name; the bridge has the group of the signer. */
const signerUser = { uid: 64_101, gid: 64_101 };
const bridgeUser = { uid: 64_102, gid: 64_101 };
const stranger = { uid: 64_103, gid: 64_103 };

/** What each user tries: `yes`, or the reason of the system. */
const attempts = `
  import { closeSync, openSync, readdirSync } from 'node:fs';
  import { createConnection } from 'node:net';
  const [pid, directory] = process.argv.slice(1);
  const tried = {};
  const attempt = (name, act) => {
    try { act(); tried[name] = 'yes'; } catch (error) { tried[name] = error.code; }
  };
  const open = (file, flags = 'r') => () => closeSync(openSync(file, flags));
  attempt('keystore', open(directory + '/keys/key.json'));
  attempt('ledger', open(directory + '/data/signer.ledger'));
  attempt('pause', open(directory + '/data/signer.pause', 'w'));
  attempt('configuration', open(directory + '/signer.yaml', 'r+'));
  attempt('new socket', open(directory + '/run/other.sock', 'w'));
  attempt('memory', open('/proc/' + pid + '/mem'));
  attempt('environment', open('/proc/' + pid + '/environ'));
  attempt('descriptors', () => readdirSync('/proc/' + pid + '/fd'));
  attempt('signal', () => process.kill(Number(pid), 'SIGUSR1'));
  const socket = createConnection(directory + '/run/signer.sock');
  socket.on('connect', () => { tried.connect = 'yes'; socket.destroy(); });
  socket.on('error', (error) => { tried.connect = error.code; });
  socket.on('close', () => console.log(JSON.stringify(tried)));
`;

/** The bridge's side: one signature. */
const asking = `
  const [root, path] = process.argv.slice(1);
  const { RemoteSigner } = await import(root + '/src/signer/remote-signer.ts');
  const { LedgerAnchors } = await import(root + '/src/signer/ledger-anchors.ts');
  const { socketLink } = await import(root + '/src/signer/signer-link.ts');
  const { systemClock } = await import(root + '/src/runtime/clock.ts');
  const { contract, envelope, request } = await import(root + '/test/signer/signer-samples.ts');
  const signer = await RemoteSigner.open({
    contract, clock: systemClock, link: socketLink(path), report: console.error, deadlineMs: 10000,
    anchors: new LedgerAnchors(null, systemClock, console.error),
  });
  console.log((await signer.sign(request(envelope(1)))).kind);
  await signer.close();
`;

describe.runIf(process.getuid?.() === 0)('with the rights of root', () => {
  let directory: string;
  let signer: ChildProcess;
  let said = '';

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'signer-users-'));
    chmodSync(directory, 0o755);
    for (const [name, mode] of [
      ['keys', 0o700],
      ['data', 0o700],
      ['run', 0o750],
    ] as const) {
      mkdirSync(join(directory, name));
      chmodSync(join(directory, name), mode);
      chownSync(join(directory, name), signerUser.uid, signerUser.gid);
    }
    const keystoreFile = join(directory, 'keys', 'key.json');
    const cost = { n: 1024, r: 8, p: 1 };
    writeKeystore(keystoreFile, await sealKey(secretKey(), passphrase, 'local', cost));
    chownSync(keystoreFile, signerUser.uid, signerUser.gid);
    const config = {
      environment: 'local',
      profile: join(root, 'dictionaries/venue.sandbox.yaml'),
      socket: join(directory, 'run', 'signer.sock'),
      dataDir: join(directory, 'data'),
      keys: [{ keystoreFile, policy: { accounts: [account] } }],
    };
    writeFileSync(join(directory, 'signer.yaml'), JSON.stringify(config), { mode: 0o644 });
    const passphraseFile = join(directory, 'canary.pass');
    writeFileSync(passphraseFile, `${passphrase}\n`, { mode: 0o600 });
    const passphraseFd = openSync(passphraseFile, 'r');
    const words = ['signer', '--config', join(directory, 'signer.yaml'), '--new-ledger'];
    signer = spawn(
      process.execPath,
      ['--disable-sigusr1', join(root, 'src/main.ts'), ...words, '--passphrase-fd', '3'],
      { ...signerUser, stdio: ['ignore', 'pipe', 'pipe', passphraseFd] },
    );
    closeSync(passphraseFd);
    await new Promise<void>((resolve, reject) => {
      for (const output of [signer.stdout, signer.stderr]) {
        output?.on('data', (text) => {
          said += text;
          if (said.includes('signing with')) resolve();
        });
      }
      signer.on('exit', () => reject(new Error(said)));
    });
  }, 60_000);

  afterAll(async () => {
    if (signer.exitCode === null) {
      const ended = new Promise((resolve) => signer.on('exit', resolve));
      signer.kill('SIGTERM');
      await ended;
    }
    rmSync(directory, { recursive: true });
  });

  function attemptsOf(user: typeof bridgeUser): Readonly<Record<string, string>> {
    const words = ['--input-type=module', '-e', attempts, String(signer.pid), directory];
    const { stdout, stderr } = spawnSync(process.execPath, words, { ...user, cwd: '/' });
    return JSON.parse(stdout.toString() || `"${stderr}"`);
  }

  test('the bridge may connect and nothing else: no key, ledger, memory, descriptor or signal', () => {
    expect(attemptsOf(bridgeUser)).toEqual({
      ...{ keystore: 'EACCES', ledger: 'EACCES', pause: 'EACCES', configuration: 'EACCES' },
      ...{ 'new socket': 'EACCES', memory: 'EACCES', environment: 'EACCES' },
      ...{ descriptors: 'EACCES', signal: 'EPERM', connect: 'yes' },
    });
  });

  test('another user may not even connect', () => {
    const tried = attemptsOf(stranger);
    expect(Object.values(tried)).not.toContain('yes');
    expect(tried).toMatchObject({ connect: 'EACCES' });
  });

  test('the same attempts succeed for the user of the signer, so they are real ones', () => {
    const tried = attemptsOf(signerUser);
    const own = ['keystore', 'ledger', 'pause', 'new socket', 'environment', 'signal', 'connect'];
    expect(own.map((name) => tried[name])).toEqual(own.map(() => 'yes'));
    rmSync(join(directory, 'data', 'signer.pause'));
    expect(signer.exitCode).toBeNull();
  });

  test('where its user may not read the executable, no process of that user sees its memory, and a crash leaves no dump', async () => {
    const place = join(directory, 'unreadable');
    mkdirSync(place);
    chownSync(place, signerUser.uid, signerUser.gid);
    const executable = join(directory, 'node');
    copyFileSync(process.execPath, executable);
    const dumpOf = async (mode: number) => {
      chmodSync(executable, mode);
      const script = `ulimit -c unlimited; exec ${executable} -e 'setInterval(console.log, 50)'`;
      const child = spawn('/bin/sh', ['-c', script], { ...signerUser, cwd: place });
      await once(child.stdout, 'data');
      const words = ['--input-type=module', '-e', attempts, String(child.pid), directory];
      const { stdout } = spawnSync(process.execPath, words, { ...signerUser, cwd: '/' });
      child.kill('SIGSEGV');
      await once(child, 'exit');
      rmSync(join(directory, 'data', 'signer.pause'));
      const { descriptors, environment, memory } = JSON.parse(stdout.toString());
      return { memory, environment, descriptors, files: readdirSync(place).length };
    };
    const seen = await dumpOf(0o755);
    expect(seen).toMatchObject({ environment: 'yes', descriptors: 'yes' });
    for (const file of readdirSync(place)) rmSync(join(place, file));
    expect(await dumpOf(0o711)).toEqual({
      ...{ memory: 'EACCES', environment: 'EACCES', descriptors: 'EACCES', files: 0 },
    });
  }, 60_000);

  test('a bridge of another user gets its signature', () => {
    const words = ['--input-type=module', '-e', asking, root, join(directory, 'run/signer.sock')];
    const { stdout, stderr } = spawnSync(process.execPath, words, { ...bridgeUser, cwd: root });
    expect(`${stdout}${stderr}`).toContain('signed');
  }, 30_000);

  test('the descriptor of the passphrase is closed, and neither it nor the key is in arguments or environment', () => {
    const proc = `/proc/${signer.pid}`;
    const targets = readdirSync(`${proc}/fd`).map((fd) => readlinkSync(`${proc}/fd/${fd}`));
    expect(targets.filter((target) => /key\.json|canary\.pass/.test(target))).toEqual([]);
    expect(targets.some((target) => target.endsWith('signer.ledger'))).toBe(true);
    const shown = ['cmdline', 'environ'].map((name) => readFileSync(`${proc}/${name}`, 'latin1'));
    expect(shown.join()).not.toContain(passphrase);
    expect(shown.join()).not.toContain(Buffer.from(secretKey()).toString('hex'));
    expect(said).not.toContain(passphrase);
  });
});
