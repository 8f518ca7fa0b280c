/** The ports of a bridge as an operator configures them: TLS, and clients known by their certificates, on both lanes. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DemoSession, demoSessions, gatewayCompId } from '../../../src/cli/demo-files.ts';
import { noticeOf } from '../../../src/gateway/clients/client-port.ts';
import { loadConfig } from '../../../src/gateway/config/config-file.ts';
import { clientBytes } from '../../acceptance/fix/script.ts';
import { SocketPeer } from '../../fixp/socket-peer.ts';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { Authority, type Identity } from '../../transport/authority.ts';

const [alpha, bravo] = demoSessions(1) as readonly [DemoSession, DemoSession];
const authority = new Authority();
const [client, other] = [authority.issue('client'), authority.issue('other')];
const folder = mkdtempSync(join(tmpdir(), 'causeway-port-'));
/** A whole bridge starts; on a busy machine that takes its time. */
const patienceMs = 60_000;
let bridge: Bridge;

beforeAll(async () => {
  const tls = tlsFiles();
  const { fingerprint256 } = new X509Certificate(client.cert);
  const common = {
    role: 'order-entry',
    accounts: ['desk-a'],
    certificateSha256: fingerprint256.replaceAll(':', '').toLowerCase(),
  };
  bridge = await startBridge({
    config: {
      fix: { listen: { port: 0 }, tls },
      fixp: { listen: { port: 0 }, tls },
      sessions: [
        {
          ...common,
          senderCompId: alpha.senderCompId,
          targetCompId: gatewayCompId,
          users: [alpha.username],
        },
        {
          ...common,
          protocol: 'fixp',
          senderCompId: bravo.senderCompId,
          users: [bravo.username],
        },
      ],
    },
  });
}, patienceMs);

afterAll(async () => {
  await bridge.stop();
  authority.remove();
  rmSync(folder, { recursive: true });
});

test('a FIX client comes in by the certificate of its session, and by no other', async () => {
  expect(await fixAnswer(client)).toMatch(/\|35=A\|/);
  expect(await fixAnswer(other)).toContain('|35=5|');
});

test('a FIXP client comes in by the certificate of its session, and by no other', async () => {
  expect(await fixpAnswer(client)).toBe('NegotiationResponse ServerFlow=Recoverable');
  expect(await fixpAnswer(other)).toBe(
    'NegotiationReject Code=Credentials Reason=200: wrong credentials',
  );
});

test('on the FIXP port an unknown user gets the same answer as one with a wrong password', async () => {
  const wrong = 'NegotiationReject Code=Credentials Reason=200: wrong credentials';
  expect(await fixpAnswer(client, { password: 'wrong' })).toBe(wrong);
  expect(await fixpAnswer(client, { username: 'nobody' })).toBe(wrong);
});

test('after a reload new connections get the renewed certificate, and those that are there stay', async () => {
  const [before, kept] = [
    await seen('fix'),
    await SocketPeer.to(bridge.gateway.fixpPort, trust(client)),
  ];
  tlsFiles();
  await bridge.gateway.reload(loadConfig(bridge.configFile));
  const [fix, fixp] = [await seen('fix'), await seen('fixp')];
  expect(fix).not.toBe(before);
  expect(fixp).toBe(fix);
  kept.username = bravo.username;
  kept.password = bravo.password;
  expect(await kept.asks('Negotiate')).toMatch(/^Negotiation/);
  await kept.cut();
  writeFileSync(join(folder, 'server.key'), authority.issue('localhost').key, { mode: 0o600 });
  const broken = async () => bridge.gateway.reload(loadConfig(bridge.configFile));
  await expect(broken()).rejects.toThrow(/fix\.tls \(.*server\.key.*\) cannot be used: .*mismatch/);
  expect(await seen('fix')).toBe(fix);
});

/** The fingerprint of the certificate that a port shows. */
async function seen(port: 'fix' | 'fixp'): Promise<string> {
  const { gateway } = bridge;
  const at = port === 'fix' ? gateway.port : gateway.fixpPort;
  const socket = connectTls({ ...trust(client), host: '127.0.0.1', port: at });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

function tlsFiles(): object {
  const server = authority.issue('localhost');
  const files = {
    keyFile: ['server.key', server.key],
    certFile: ['server.crt', server.cert],
    clientCaFile: ['ca.crt', authority.cert],
  } as const;
  return Object.fromEntries(
    Object.entries(files).map(([key, [name, text]]) => {
      const file = join(folder, name);
      writeFileSync(file, text, { mode: 0o600 });
      return [key, file];
    }),
  );
}

function trust(identity: Identity): object {
  return { ...identity, ca: authority.cert, servername: 'localhost' };
}

async function fixAnswer(identity: Identity): Promise<string> {
  const { port } = bridge.gateway;
  const socket = connectTls({ ...trust(identity), host: '127.0.0.1', port });
  await once(socket, 'secureConnect');
  const { senderCompId, username, password } = alpha;
  const names = { client: senderCompId, server: gatewayCompId };
  const logon = `A|34=1|98=0|108=30|553=${username}|554=${password}`;
  socket.write(clientBytes(logon, names, Date.now()));
  const heard = await Promise.race([
    once(socket, 'data').then(([bytes]) => String(bytes).replaceAll('\x01', '|')),
    once(socket, 'close').then(() => 'closed'),
  ]);
  socket.destroy();
  return heard;
}

async function fixpAnswer(identity: Identity, login: Partial<DemoSession> = {}): Promise<string> {
  const peer = await SocketPeer.to(bridge.gateway.fixpPort, trust(identity));
  const { username, password } = { ...bravo, ...login };
  peer.username = username;
  peer.password = password;
  const heard = await peer.asks('Negotiate');
  await peer.cut();
  return heard;
}

test('a refused connection is logged with the name that it claimed, shortened and escaped', () => {
  const lines: string[] = [];
  const notice = noticeOf((text) => lines.push(text), true);
  const refused = { kind: 'refused', address: '10.0.0.9', reason: 'wrong credentials' } as const;
  notice({ ...refused, name: 'ALPHA' });
  notice({ ...refused, name: '', reason: 'TLS: no certificate' });
  notice({ ...refused, name: `\u001b[2J${'x'.repeat(100)}` });
  expect(lines).toEqual([
    'a connection from 10.0.0.9 as "ALPHA" was refused: wrong credentials',
    'a connection from 10.0.0.9 was refused: TLS: no certificate',
    `a connection from 10.0.0.9 as "\\u001b[2J${'x'.repeat(60)}" was refused: wrong credentials`,
  ]);
});
