/** How a node knows that the other end is the node that it means. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, expect, test } from 'vitest';
import { Dialer } from '../../src/cluster/dialer.ts';
import { Authority, type Identity } from '../transport/authority.ts';

const [authority, foreign] = [new Authority(), new Authority()];
const [n1, n2] = [authority.issue('n1'), authority.issue('n2')];
const tls = {
  cert: Buffer.from(n1.cert),
  key: Buffer.from(n1.key),
  ca: Buffer.from(authority.cert),
};
const servers: Server[] = [];
const sockets: TLSSocket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

afterAll(() => {
  authority.remove();
  foreign.remove();
});

async function listen(identity: Identity): Promise<string> {
  const server = createServer(
    { ...identity, ca: authority.cert, requestCert: true, minVersion: 'TLSv1.3' },
    (socket) =>
      socket
        .on('error', () => {})
        .resume()
        .write('x'),
  );
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function dialed(dialer: Dialer, node: string, relay: string): TLSSocket {
  const socket = dialer.dial({ node, relay });
  if (socket === undefined) throw new Error('not dialed');
  sockets.push(socket);
  return socket;
}

test('the certificate of the other end must have the name of the node, and come from the authority', async () => {
  const right = await listen(n2);
  const socket = dialed(new Dialer(tls), 'n2', right);
  await once(socket, 'secureConnect');
  expect(socket.getProtocol()).toBe('TLSv1.3');
  for (const [node, relay] of [
    ['n3', right],
    ['n2', await listen(foreign.issue('n2'))],
  ] as const) {
    const refused = dialed(new Dialer(tls), node, relay);
    expect(String(await once(refused, 'error'))).toMatch(/altname|certificate/i);
  }
});

test('a renewed certificate is shown from the next connection on, and no ticket replaces it', async () => {
  const relay = await listen(n2);
  const dialer = new Dialer(tls);
  await once(dialed(dialer, 'n2', relay), 'session');
  const fresh = authority.issue('n1');
  const renew = dialer.renewal({
    ...tls,
    cert: Buffer.from(fresh.cert),
    key: Buffer.from(fresh.key),
  });
  const shown = async () => {
    const accepted = once(servers[0] as Server, 'secureConnection');
    const socket = dialed(dialer, 'n2', relay);
    const [[other]] = (await Promise.all([accepted, once(socket, 'secureConnect')])) as [
      [TLSSocket],
      unknown,
    ];
    const { fingerprint256 } = other.getPeerCertificate();
    return { fingerprint256, isReused: socket.isSessionReused() };
  };
  const of = ({ cert }: Identity) => new X509Certificate(cert).fingerprint256;
  expect((await shown()).isReused).toBe(true);
  renew();
  expect(await shown()).toEqual({ fingerprint256: of(fresh), isReused: false });
  expect(() => dialer.renewal({ ...tls, key: Buffer.from(n2.key) })).toThrow(/mismatch/);
});

test.each(['', 'hello', authority.cert.slice(0, authority.cert.length / 2)])(
  'an authority that is %j is refused, because every other node would be',
  (text) => {
    const wrong = { ...tls, ca: Buffer.from(text) };
    expect(() => new Dialer(wrong)).toThrow('the authority is not a PEM certificate');
    expect(() => new Dialer(tls).renewal(wrong)).toThrow('the authority is not a PEM certificate');
  },
);

test('from the second connection on a ticket replaces the certificates, and only for the same node', async () => {
  const relay = await listen(n2);
  const dialer = new Dialer(tls);
  const first = dialed(dialer, 'n2', relay);
  await once(first, 'session');
  const second = dialed(dialer, 'n2', relay);
  await once(second, 'secureConnect');
  expect([first.isSessionReused(), second.isSessionReused()]).toEqual([false, true]);
  const other = dialed(dialer, 'n3', relay);
  expect(String(await once(other, 'error'))).toMatch(/altname/i);
});

test.each(['', 'n2', '127.0.0.1:99999', ':1', '[::1', 'x:y'])(
  'a node that announces "%s" is not dialed, and nothing fails',
  (relay) => {
    expect(new Dialer(tls).dial({ node: 'n2', relay })).toBeUndefined();
  },
);
