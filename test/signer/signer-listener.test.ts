/** Who may connect to a signer: by the rights of a directory, or by a certificate with one name. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Clock, ManualClock, systemClock } from '../../src/runtime/clock.ts';
import { LedgerAnchors } from '../../src/signer/ledger-anchors.ts';
import { RemoteSigner } from '../../src/signer/remote-signer.ts';
import { socketLink, type TlsConnect, tlsLink } from '../../src/signer/signer-link.ts';
import { membersOf } from '../../src/signer/signer-listener.ts';
import { type SignerServer, serveSigner } from '../../src/signer/signer-server.ts';
import { contract, coreWith, envelope, request } from './signer-samples.ts';

let directory: string;
const running: { close(): Promise<void> }[] = [];

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'listener-'));
  authority('ca');
  authority('stranger-ca');
  certificate('signer', 'signer.example', 'ca');
  certificate('bridge', 'bridge.example', 'ca');
  certificate('other', 'other.example', 'ca');
  certificate('stranger', 'bridge.example', 'stranger-ca');
  certificate('false-signer', 'elsewhere.example', 'ca');
});

afterAll(() => rmSync(directory, { recursive: true }));

afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.close();
});

const at = (name: string) => join(directory, name);

function openssl(...words: string[]): void {
  const { status, stderr } = spawnSync('openssl', words, { cwd: directory });
  if (status !== 0) throw new Error(`openssl ${words.join(' ')}: ${stderr}`);
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];

function authority(name: string): void {
  const out = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
  openssl('req', '-x509', ...newKey, '-subj', `/CN=${name}`, ...out);
}

function certificate(name: string, host: string, ca: string): void {
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  const by = ['-CA', `${ca}.pem`, '-CAkey', `${ca}.key`];
  openssl(
    'req',
    '-x509',
    ...newKey,
    ...names,
    ...by,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.pem`,
  );
  chmodSync(at(`${name}.key`), 0o600);
}

async function serveTls(reports: string[], name = 'signer'): Promise<SignerServer> {
  const tls = {
    ...{ host: '127.0.0.1', port: 0, certFile: at(`${name}.pem`), keyFile: at(`${name}.key`) },
    ...{ clientCaFile: at('ca.pem'), clientName: 'bridge.example' },
  };
  const server = await serveSigner(
    await coreWith(),
    { tls, connections: 8 },
    { report: (text) => reports.push(text), ended() {} },
  );
  running.push(server);
  return server;
}

/** One that is to be refused says so soon; one that is let in may be on a busy machine. */
async function connect(
  { place }: SignerServer,
  name: string,
  startMs = 400,
  clock: Clock = systemClock,
): Promise<RemoteSigner> {
  const options: TlsConnect = {
    ...{ host: '127.0.0.1', port: Number(place.split(':')[1]), serverName: 'signer.example' },
    ...{ certFile: at(`${name}.pem`), keyFile: at(`${name}.key`), caFile: at('ca.pem') },
  };
  const signer = await RemoteSigner.open({
    ...{ contract, clock, link: tlsLink(options), startMs },
    anchors: new LedgerAnchors(null, systemClock, () => {}),
    report: () => {},
  });
  running.push(signer);
  return signer;
}

test('over TLS the bridge named in the configuration gets the signatures of the signer inside', async () => {
  const signer = await connect(await serveTls([]), 'bridge', 10_000);
  const inside = await coreWith();
  expect(await signer.sign(request(envelope(1)))).toEqual(await inside.sign(request(envelope(1))));
});

test.each([
  ['another name from the right authority', 'other', /not for bridge\.example/],
  ['the right name from another authority', 'stranger', /refused/],
])('over TLS %s is refused and reported', async (_what, name, report) => {
  const reports: string[] = [];
  const server = await serveTls(reports);
  const clock = new ManualClock();
  const opening = connect(server, name, 400, clock);
  await expect.poll(() => reports.join('\n')).toMatch(report);
  clock.advance(400);
  await expect(opening).rejects.toThrow('the signer did not answer');
});

test('over TLS a stranger who begins no handshake does not hold up the end of the signer', async () => {
  const reports: string[] = [];
  const { close, place } = await serveTls(reports);
  const stranger = createConnection(Number(place.split(':')[1]), '127.0.0.1');
  await once(stranger, 'connect');
  await Promise.all([close(), once(stranger, 'close')]);
  expect(reports.join()).not.toContain('timeout');
});

test.runIf(process.platform === 'linux')(
  'over TLS the signer asks a silent bridge whether its machine is still there',
  async () => {
    const server = await serveTls([]);
    await connect(server, 'bridge', 10_000);
    const port = Number(server.place.split(':')[1]).toString(16).toUpperCase().padStart(4, '0');
    // Of each established connection of the port, the timer that runs: 02 is for keepalive.
    const timers = () =>
      readFileSync('/proc/net/tcp', 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter(([, local, , state]) => local?.endsWith(`:${port}`) && state === '01')
        .map(([, , , , , timer]) => timer?.slice(0, 2));
    await expect.poll(timers).toEqual(['02']);
  },
);

test('a connection beyond the limit is refused and reported', async () => {
  const reports: string[] = [];
  const server = await serveTls(reports);
  for (let i = 0; i < 8; i += 1) await connect(server, 'bridge', 10_000);
  await expect(connect(server, 'bridge')).rejects.toThrow(/signer/);
  expect(reports[0]).toBe('a connection was refused: all 8 are in use');
});

test('the bridge does not use a signer whose certificate has another name', async () => {
  const server = await serveTls([], 'false-signer');
  await expect(connect(server, 'bridge')).rejects.toThrow(/signer\.example|does not match/);
});

test('a renewed certificate serves connections from then on, and those that are there go on', async () => {
  for (const kind of ['pem', 'key'])
    copyFileSync(at(`false-signer.${kind}`), at(`renewed.${kind}`));
  const server = await serveTls([], 'renewed');
  await expect(connect(server, 'bridge')).rejects.toThrow(/signer\.example|does not match/);
  for (const kind of ['pem', 'key']) copyFileSync(at(`signer.${kind}`), at(`renewed.${kind}`));
  server.renewal()();
  const signer = await connect(server, 'bridge', 10_000);
  for (const kind of ['pem', 'key'])
    copyFileSync(at(`false-signer.${kind}`), at(`renewed.${kind}`));
  server.renewal()();
  expect((await signer.sign(request(envelope(1)))).kind).toBe('signed');
  await expect(connect(server, 'bridge')).rejects.toThrow(/signer\.example|does not match/);
});

test('a certificate that does not belong to its key is refused with its file, and the one before stays', async () => {
  for (const kind of ['pem', 'key']) copyFileSync(at(`signer.${kind}`), at(`renewed.${kind}`));
  const server = await serveTls([], 'renewed');
  copyFileSync(at('false-signer.key'), at('renewed.key'));
  expect(() => server.renewal()).toThrow(
    /renewed\.pem, .*renewed\.key, .* cannot be used: .*mismatch/,
  );
  const signer = await connect(server, 'bridge', 10_000);
  expect((await signer.sign(request(envelope(2)))).kind).toBe('signed');
});

test('a directory of mode 0700 is for its own user, one of 0750 for its group, too', async () => {
  for (const [mode, socketMode] of [
    [0o700, 0o600],
    [0o750, 0o660],
  ] as const) {
    const folder = at(`mode-${mode}`);
    mkdirSync(folder);
    chmodSync(folder, mode);
    const socket = join(folder, 'signer.sock');
    running.push(
      await serveSigner(await coreWith(), { socket, connections: 8 }, { report() {}, ended() {} }),
    );
    expect(statSync(socket).mode & 0o777).toBe(socketMode);
    const link = socketLink(socket);
    const signer = await RemoteSigner.open({
      ...{ contract, clock: systemClock, link, report: () => {} },
      anchors: new LedgerAnchors(null, systemClock, () => {}),
    });
    running.push(signer);
    expect((await signer.sign(request(envelope(1)))).kind).toBe('signed');
  }
});

test.runIf(process.getuid?.() === 0)('the socket has the group of its directory', async () => {
  const folder = at('group');
  mkdirSync(folder);
  chownSync(folder, 0, 64_200);
  chmodSync(folder, 0o750);
  const socket = join(folder, 'signer.sock');
  running.push(
    await serveSigner(await coreWith(), { socket, connections: 8 }, { report() {}, ended() {} }),
  );
  expect(statSync(socket)).toMatchObject({ uid: 0, gid: 64_200 });
});

test.each([0o755, 0o770, 0o701])('a directory of mode %o lets too many in', async (mode) => {
  const folder = at(`wide-${mode}`);
  mkdirSync(folder);
  chmodSync(folder, mode);
  const socket = join(folder, 'signer.sock');
  await expect(
    serveSigner(await coreWith(), { socket, connections: 8 }, { report() {}, ended() {} }),
  ).rejects.toThrow('must belong to this user: chmod 700, or 750');
});

test('the members of a group are those whom it names and those whose first group it is, without the signer', () => {
  const passwd =
    'signer:x:40:90::/:/bin/sh\nbridge:x:41:91::/:/bin/sh\nmallory:x:42:90::/:/bin/sh\n';
  const group = 'signers:x:90:bridge,signer\nother:x:91:mallory\n';
  expect(membersOf(90, 40, passwd, group)).toEqual(['mallory', 'bridge']);
  expect(membersOf(91, 40, passwd, group)).toEqual(['bridge', 'mallory']);
  expect(membersOf(92, 40, passwd, group)).toEqual([]);
});

test('a key that others may read is not used', async () => {
  writeFileSync(at('open.key'), 'x', { mode: 0o644 });
  const tls = {
    ...{ host: '127.0.0.1', port: 0, certFile: at('signer.pem'), keyFile: at('open.key') },
    ...{ clientCaFile: at('ca.pem'), clientName: 'bridge.example' },
  };
  await expect(
    serveSigner(await coreWith(), { tls, connections: 8 }, { report() {}, ended() {} }),
  ).rejects.toThrow('others may read');
});

test.each([
  ['certFile', 'half a certifi', /no start line/],
  ['keyFile', '', 'the private key is empty'],
  ['caFile', 'hello', 'the authority is not a PEM certificate'],
] as const)(
  'a %s of the bridge that breaks is an alarm when it connects again, and is read for each try',
  async (name, text, reason) => {
    const server = await serveTls([]);
    const ours = { certFile: at('ours.pem'), keyFile: at('ours.key'), caFile: at('ours-ca.pem') };
    const theirs = { certFile: 'bridge.pem', keyFile: 'bridge.key', caFile: 'ca.pem' } as const;
    for (const kind of ['certFile', 'keyFile', 'caFile'] as const)
      copyFileSync(at(theirs[kind]), ours[kind]);
    const clock = new ManualClock();
    const alarms: string[] = [];
    const link = tlsLink({
      ...{ host: '127.0.0.1', port: Number(server.place.split(':')[1]) },
      ...{ serverName: 'signer.example', ...ours },
    });
    const signer = await RemoteSigner.open({
      ...{ contract, clock, link },
      anchors: new LedgerAnchors(null, clock, () => {}),
      report: (alarm) => alarms.push(alarm),
    });
    running.push(signer);
    writeFileSync(ours[name], text);
    await link.close();
    await expect.poll(() => alarms.length).toBe(1);
    for (const waitMs of [20, 40, 80]) {
      clock.advance(waitMs);
      await Promise.resolve();
    }
    expect(alarms).toEqual([
      'signer is gone: the signer closed the connection',
      expect.stringContaining(`signer (${Object.values(ours).join(', ')}) cannot be used: `),
    ]);
    expect(alarms[1]).toMatch(reason);
    const asked = signer.sign(request(envelope(1)));
    copyFileSync(at(theirs[name]), ours[name]);
    clock.advance(160);
    expect((await asked).kind).toBe('signed');
  },
);
