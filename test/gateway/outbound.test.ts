/** The bridge connects out to whoever listens for drop copies, over real sockets. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadConfig } from '../../src/gateway/config-file.ts';
import { clientBytes } from '../acceptance/fix/script.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer } from '../support/fix-peer.ts';

let bridge: Bridge;
let peer: FixPeer | undefined;

afterEach(async () => {
  peer?.hangUp();
  await bridge.stop();
});

interface Consumer {
  readonly port: number;
  readonly server: Server;
  heard(): string;
  /** Ends the connections; says how many there were. */
  hangUp(): number;
}

/** A consumer that listens: it answers the Logon of whoever connects, and keeps what it hears. */
async function consumer(): Promise<Consumer> {
  let heard = '';
  let seq = 1;
  const sockets = new Set<Socket>();
  const server = createServer((socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1').replaceAll('\x01', '|');
      heard += text;
      if (!text.includes('|35=A|')) return;
      const names = { client: 'CLEARER', server: 'CAUSEWAY' };
      socket.write(clientBytes(`A|34=${seq++}|98=0|108=30`, names, Date.now()));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const hangUp = () => {
    const count = sockets.size;
    for (const socket of sockets) socket.destroy();
    return count;
  };
  return { port, server, heard: () => heard, hangUp };
}

async function until(isSo: () => boolean): Promise<void> {
  const endMs = Date.now() + 8_000;
  while (!isSo()) {
    if (Date.now() > endMs) throw new Error('it does not come about');
    await new Promise((done) => setTimeout(done, 10));
  }
}

test('the bridge connects out to a consumer that listens, proves who it is and brings the copies', async () => {
  const { port, server, heard, hangUp } = await consumer();
  bridge = await startBridge();
  const secret = join(dirname(bridge.configFile), 'secrets/clearer.password');
  writeFileSync(secret, 'open sesame\n', { mode: 0o600 });
  const config = parse(readFileSync(bridge.configFile, 'utf8'));
  const like = config.sessions.find((one: { senderCompId: string }) => one.senderCompId === 'DROP');
  const passwordFile = 'secrets/clearer.password';
  const connect = { host: '127.0.0.1', port, username: 'bridge', passwordFile };
  config.sessions.push({ ...like, senderCompId: 'CLEARER', connect });
  writeFileSync(bridge.configFile, stringify(config));
  await bridge.gateway.reload(loadConfig(bridge.configFile));
  const alpha = bridge.sessions.find(({ senderCompId }) => senderCompId === 'ALPHA');
  if (alpha === undefined) throw new Error('no session ALPHA');
  peer = await FixPeer.connect(bridge.gateway.port, alpha);
  await peer.logon('');
  peer.say('D|11=a|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now');
  await until(() => heard().includes('|150=0|'));
  expect(heard()).toContain('|35=A|34=1|49=CAUSEWAY|');
  expect(heard()).toContain('|553=bridge|554=open sesame|');
  expect(heard()).toMatch(/\|35=8\|.*\|150=0\|.*\|797=Y\|/);
  // A password that is changed holds from the next Logon on, and the connection goes on till then.
  writeFileSync(secret, 'open wide\n');
  await bridge.gateway.reload(loadConfig(bridge.configFile));
  expect(hangUp()).toBe(1);
  await until(() => heard().includes('|554=open wide|'));
  server.close();
});

test('a certificate that is not there is found before anything is opened, whoever it is for', async () => {
  bridge = await startBridge();
  const config = parse(readFileSync(bridge.configFile, 'utf8'));
  const drop = config.sessions.findIndex(
    ({ senderCompId }: { senderCompId: string }) => senderCompId === 'DROP',
  );
  config.sessions[drop].connect = { host: 'consumer', port: 1, tls: { caFile: 'no-ca.pem' } };
  config.fix.tls = { certFile: 'no-cert.pem', keyFile: 'gateway.yaml' };
  writeFileSync(bridge.configFile, stringify(config));
  const fault = () => loadConfig(bridge.configFile);
  expect(fault).toThrow(/fix\.tls\.certFile: .*no-cert\.pem/);
  expect(fault).toThrow(
    new RegExp(`sessions\\[${drop}\\]\\.connect\\.tls\\.caFile: .*no-ca\\.pem`),
  );
  expect(fault).not.toThrow(/keyFile/);
});
