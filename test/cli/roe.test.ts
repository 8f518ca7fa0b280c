/** What a counterparty gets, made from the configuration of a demo. */
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoSessions, writeDemoFiles } from '../../src/cli/demo-files.ts';
import { developmentAccounts } from '../../src/sandbox/development-accounts.ts';
import { openEcdsa } from '../../src/signer/ecdsa.ts';
import { loadProfile } from '../../src/venue/profile.ts';
import { causeway } from '../support/program.ts';
import { Authority } from '../transport/authority.ts';

const root = join(import.meta.dirname, '../..');
const profileFile = join(root, 'dictionaries/venue.sandbox.yaml');
let directory: string;
let config: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'roe-'));
  const profile = loadProfile(profileFile);
  config = await writeDemoFiles({
    directory,
    seed: 1,
    fixHost: '127.0.0.1',
    fixPort: 9880,
    fixpPort: 9890,
    venueUrl: 'http://127.0.0.1:1',
    profileFile,
    accounts: await developmentAccounts({ profile, seed: 1 }, await openEcdsa(), 4),
    cancelOnDisconnect: true,
  } as Parameters<typeof writeDemoFiles>[0]);
});

afterAll(() => rmSync(directory, { recursive: true }));

async function roe(session: string, ...args: string[]) {
  const out = join(directory, session.toLowerCase());
  const words = ['roe', '--config', config, '--session', session, '--out', out, ...args];
  const { status, stderr } = await causeway(...words);
  const read = (file: string) => readFileSync(join(out, file), 'utf8');
  return { status, stderr, out, read };
}

test('a session for order entry has its rules, its dictionary and settings for its client', async () => {
  const { status, out, read } = await roe('ALPHA', '--host', 'fix.example.com', '--port', '443');
  expect(status).toBe(0);
  expect(readdirSync(out).sort()).toEqual([
    'CAUSEWAY44.xml',
    'jspurefix.json',
    'orchestra.xml',
    'quickfix-cpp.cfg',
    'quickfix-j.cfg',
    'quickfix-n.cfg',
    'rules.html',
    'rules.md',
  ]);
  const rules = read('rules.md');
  for (const text of [
    '| Address | fix.example.com:443 |',
    '| Accounts | desk-a |',
    'when the connection breaks',
    '### NewOrderSingle(D), from the client',
    '| 54 | Side | yes | as in the dictionary | 1 buy, 2 sell; any other value is rejected',
    '| nonce_below_floor | 203 |',
    '| BTC-USDC | 1 | spot | 0.01 | 0.00001 |',
    '35=D|34=2|49=ALPHA|',
  ]) {
    expect(rules).toContain(text);
  }
  expect(read('quickfix-cpp.cfg')).toContain('SocketConnectHost=fix.example.com\n');
  expect(JSON.parse(read('jspurefix.json'))).toMatchObject({ SenderCompId: 'ALPHA' });
});

test('the version of a document changes with its rules alone', async () => {
  const first = (await roe('ALPHA')).read('rules.md');
  const again = (await roe('ALPHA', '--contact', 'Desk, +41 1; FIX support')).read('rules.md');
  const moved = (await roe('ALPHA', '--port', '444')).read('rules.md');
  const versionOf = (rules: string) => /\| Version \| ([0-9a-f]{12});/.exec(rules)?.[1];
  expect(versionOf(first)).toBeDefined();
  expect(versionOf(again)).toBe(versionOf(first));
  expect(versionOf(moved)).not.toBe(versionOf(first));
  expect(first).toMatch(/\| Date \| \d{4}-\d\d-\d\d \|/);
  expect(again).toContain('| Contact | Desk, +41 1 |\n| Contact | FIX support |');
});

test('every entry of the table of contents leads to a section, in both forms', async () => {
  const { read } = await roe('ALPHA');
  const markdown = read('rules.md');
  const titles = [...markdown.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
  const listed = [...markdown.matchAll(/^- \[(.*)\]\(#/gm)].map(([, title]) => title);
  expect(titles.length).toBeGreaterThan(5);
  expect(listed).toEqual(titles);
  const html = read('rules.html');
  const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links).toHaveLength(titles.length);
  for (const id of links) expect(html).toContain(`<h2 id="${id}">`);
});

test('the certificate of the port is named by its fingerprint', async () => {
  const authority = new Authority();
  const { cert, key } = authority.issue('fix.example.com');
  authority.remove();
  writeFileSync(join(directory, 'server.pem'), cert);
  writeFileSync(join(directory, 'server.key'), key, { mode: 0o600 });
  const text = readFileSync(config, 'utf8');
  const tls = '  tls: { certFile: server.pem, keyFile: server.key }';
  writeFileSync(config, text.replace(/^fix:$/m, `fix:\n${tls}`));
  const rules = (await roe('ALPHA')).read('rules.md');
  writeFileSync(config, text);
  expect(rules).toContain(`SHA-256 ${new X509Certificate(cert).fingerprint256}; valid until`);
});

test('an order, its acceptance, a fill and a reject are shown in bytes', async () => {
  const rules = (await roe('ALPHA')).read('rules.md');
  for (const fields of ['|150=0|39=0|', '|150=F|39=1|', '|150=8|39=8|']) {
    expect(rules).toContain(fields);
  }
});

test('a FIXP session has its rules: how to sign, how often to beat, when logons are blocked', async () => {
  const rules = (await roe('DELTA')).read('rules.md');
  for (const text of ['KeepaliveInterval', 'HMAC-SHA256', '5 within 60 seconds block the user']) {
    expect(rules).toContain(text);
  }
  expect((await roe('ALPHA')).read('rules.md')).toContain('3 within 60 seconds block the CompID');
});

test('limits have names, units and meanings instead of the keys of a configuration', async () => {
  const rules = (await roe('ALPHA')).read('rules.md');
  expect(rules).toContain('| Max order age | 120000 | ms | An order, a replace or a quote');
  expect(rules).not.toMatch(/maxOrderAgeMs|dayOrders|priceCollarBps/);
  expect(rules).not.toContain('TimeInForce(59)=0, or absent, on this session');
});

test('a session for market data has no orders in its rules', async () => {
  const rules = (await roe('MARKET')).read('rules.md');
  expect(rules).toContain('MarketDataRequest(V)');
  expect(rules).not.toContain('NewOrderSingle(D), from');
});

test('a port that the system chooses has to be named', async () => {
  const text = readFileSync(config, 'utf8');
  const anyPort = join(directory, 'any-port.yaml');
  writeFileSync(anyPort, text.replace('port: 9880', 'port: 0'));
  const out = join(directory, 'any');
  const words = ['roe', '--config', anyPort, '--session', 'ALPHA', '--out', out];
  const refused = await causeway(...words);
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toContain('--port');
  expect(existsSync(out)).toBe(false);
  expect((await causeway(...words, '--port', '443')).status).toBe(0);
});

test('no secret of the demo is in any file', async () => {
  const { out } = await roe('ALPHA');
  for (const file of readdirSync(out)) {
    const text = readFileSync(join(out, file), 'utf8');
    for (const { password } of demoSessions(1)) expect(text).not.toContain(password);
  }
});

test('an unknown session is refused with those there are', async () => {
  const { status, stderr } = await roe('NOBODY');
  expect(status).toBe(2);
  expect(stderr).toContain('ALPHA, BRAVO');
});

test('a session that speaks FIXP has the schemas', async () => {
  const { status, out } = await roe('DELTA');
  expect(status).toBe(0);
  expect(readdirSync(out).sort()).toEqual([
    'fixp.md',
    'fixp.xml',
    'orders.md',
    'orders.xml',
    'rules.html',
    'rules.md',
  ]);
});
