/** What check finds beyond the form of a configuration, on the files of the demo. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import {
  checkConfig,
  requireCredentials,
  unlistedMarkets,
} from '../../../src/gateway/config/config-checks.ts';
import { ConfigError, loadConfig } from '../../../src/gateway/config/config-file.ts';
import { hashSecret } from '../../../src/gateway/passwords/secret-hash.ts';
import { sandboxProfile } from '../../support/quick-files.ts';
import { Authority } from '../../transport/authority.ts';

let folder: string;
let base: Record<string, unknown> & { readonly sessions: readonly object[] };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-checks-'));
  const authority = new Authority();
  for (const name of ['one', 'two']) {
    const { key, cert } = authority.issue(name);
    writeFileSync(join(folder, `${name}.key`), key, { mode: 0o600 });
    writeFileSync(join(folder, `${name}.crt`), cert);
  }
  authority.remove();
  mkdirSync(join(folder, 'run'));
  writeFileSync(join(folder, 'venue.yaml'), '');
  const secrets = ['key', 'secret', 'passphrase'];
  for (const name of secrets) writeFileSync(join(folder, name), 'x', { mode: 0o600 });
  writeFileSync(join(folder, 'alice.hash'), await hashSecret('pw'));
  base = {
    environment: 'local',
    dataDir: 'data',
    venue: { profile: 'venue.yaml' },
    signer: { mode: 'process', socket: 'run/signer.sock' },
    accounts: [
      {
        name: 'desk-a',
        account: `0x${'1'.repeat(40)}`,
        apiKeyFile: 'key',
        apiSecretFile: 'secret',
        passphraseFile: 'passphrase',
      },
    ],
    fix: { listen: { port: 9880 } },
    users: [{ name: 'alice', secretHashFile: 'alice.hash' }],
    sessions: [
      {
        senderCompId: 'ALPHA',
        targetCompId: 'CAUSEWAY',
        role: 'order-entry',
        users: ['alice'],
        accounts: ['desk-a'],
      },
    ],
  };
});

afterAll(() => rmSync(folder, { recursive: true }));

function loaded(change: object) {
  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, stringify({ ...base, ...change }));
  return loadConfig(file);
}

const listen = (host: string) => ({ listen: { host, port: 9880 } });
const tls = (certFile: string, keyFile: string) => ({ tls: { certFile, keyFile } });

test('a sound configuration has no findings', () => {
  const own = tls('one.crt', 'one.key');
  expect(checkConfig(loaded({ fix: { ...listen('0.0.0.0'), ...own } }))).toEqual({
    faults: [],
    warnings: [expect.stringContaining('fix.tls.certFile: expires on ')],
  });
});

test.each([
  ['a key of another certificate', tls('one.crt', 'two.key'), 'fix.tls.keyFile: does not belong'],
  ['a file without a certificate', tls('key', 'two.key'), 'fix.tls.certFile: is not a PEM cert'],
])('%s is a fault with its line', (_, section, fault) => {
  const { faults } = checkConfig(loaded({ fix: { ...listen('127.0.0.1'), ...section } }));
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(/gateway\.yaml:\d+:\d+ /);
  expect(faults[0]).toContain(fault);
});

test('the certificate and the key for a signer on another machine must belong together', () => {
  const place = { mode: 'remote', host: '10.0.0.7', port: 9443, serverName: 'signer.example' };
  const files = { certFile: 'one.crt', keyFile: 'two.key', caFile: 'one.crt' };
  const { faults } = checkConfig(loaded({ signer: { ...place, ...files } }));
  expect(faults).toEqual([expect.stringContaining('signer.keyFile: does not belong')]);
});

test('a socket without its directory and a dataDir that cannot be made are faults', () => {
  const signer = { mode: 'process', socket: 'nowhere/signer.sock' };
  const { faults } = checkConfig(loaded({ signer, dataDir: 'key/data' }));
  expect(faults.join('\n')).toContain(`${join(folder, 'nowhere')} does not exist`);
  expect(faults.join('\n')).toContain(`dataDir: ${join(folder, 'key')} is not a directory`);
  // The disk that the link leads to may not be mounted.
  symlinkSync(join(folder, 'unmounted'), join(folder, 'link'));
  expect(checkConfig(loaded({ dataDir: 'link' })).faults).toEqual([
    expect.stringContaining(`dataDir: ${join(folder, 'link')} is not a directory`),
  ]);
});

test('a database beyond this machine without TLS is a fault on mainnet and a warning elsewhere', () => {
  const text = 'all data would cross the network in cleartext to db2:5432: set store.postgres.tls';
  const store = { postgres: { hosts: ['127.0.0.1:5432', 'db2:5432'] } };
  expect(checkConfig(loaded({ store })).warnings.join()).toContain(text);
  const mainnet = checkConfig(loaded({ store, environment: 'mainnet' }));
  expect(mainnet.faults.join()).toContain(text);
  const near = { postgres: { hosts: ['127.0.0.1:5432', '[::1]:5432'] } };
  expect(checkConfig(loaded({ store: near }))).toEqual({ faults: [], warnings: [] });
});

test('passwords in clear beyond this machine are a fault on mainnet and a warning elsewhere', () => {
  const open = { fix: listen('0.0.0.0') };
  const text = 'passwords would cross the network in cleartext on 0.0.0.0: set fix.tls';
  expect(checkConfig(loaded(open)).warnings.join()).toContain(text);
  expect(checkConfig(loaded({ ...open, environment: 'mainnet' })).faults.join()).toContain(text);
  const allowed = { fix: { ...listen('0.0.0.0'), allowCleartext: true }, environment: 'mainnet' };
  expect(checkConfig(loaded(allowed))).toEqual({ faults: [], warnings: [] });
});

test('a file that is missing is named with the line of its key', () => {
  const users = [{ name: 'alice', secretHashFile: 'bob.hash' }];
  const text = /:\d+:\d+ users\[0\]\.secretHashFile: .*bob\.hash does not exist/;
  expect(() => loaded({ users })).toThrow(ConfigError);
  expect(() => loaded({ users })).toThrow(text);
});

test('a secret that is no private key is a fault where the venue wants requests signed with Ed25519', () => {
  const { http } = sandboxProfile.auth;
  const check = (digest: typeof http.digest) =>
    requireCredentials(loaded({}), {
      ...sandboxProfile,
      auth: { ...sandboxProfile.auth, http: { ...http, digest } },
    });
  expect(() => check('hmac-sha256')).not.toThrow();
  expect(() => check('ed25519')).toThrow(/accounts\[0\].*is no private key in PEM/);
});

test('a market that the venue does not list is named', () => {
  const sessions = base.sessions.map((one) => ({ ...one, markets: ['A', 'B'] }));
  const config = loaded({ sessions });
  const markets = [{ symbol: 'A' }] as unknown as Parameters<typeof unlistedMarkets>[1];
  expect(unlistedMarkets(config, markets)).toEqual([
    expect.stringMatching(/sessions\[0\]\.markets\[1\]: the venue lists no B\./),
  ]);
});

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['localhost', '127.0.0.1'],
])('one port on %s and %s is refused', (host, other) => {
  expect(() => loaded({ fix: listen(host), fixp: listen(other) })).toThrow(
    'fixp.listen.port: 9880 is already the port of fix',
  );
  expect(() => loaded({ fix: listen('127.0.0.1'), fixp: listen('127.0.0.2') })).not.toThrow();
});

test('an address that no browser or client could call is refused', () => {
  const venue = { profile: 'venue.yaml', baseUrl: 'htp://venue' };
  expect(() => loaded({ venue })).toThrow('not a URL that begins with http:// or https://');
  expect(readFileSync(join(folder, 'gateway.yaml'), 'utf8')).toContain('htp://venue');
});
