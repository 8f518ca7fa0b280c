/** The bridge connects out to whoever listens for drop copies, over real sockets. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { FixpDirectory } from '../../../src/fixp/fixp-directory.ts';
import { fixpSettings } from '../../../src/fixp/settings.ts';
import { Outbound } from '../../../src/gateway/clients/outbound.ts';
import { loadConfig } from '../../../src/gateway/config/config-file.ts';
import { ManualClock, systemClock } from '../../../src/runtime/clock.ts';
import { decodeMessage } from '../../../src/sbe/generic-decoder.ts';
import { encodeMessage } from '../../../src/sbe/generic-encoder.ts';
import { Transactions } from '../../../src/store/transactions.ts';
import { Acceptor, defaultAcceptorLimits } from '../../../src/transport/acceptor.ts';
import { clientBytes } from '../../acceptance/fix/script.ts';
import { fixLine } from '../../acceptance/parity/fix-words.ts';
import { orders, requestOf } from '../../acceptance/parity/fixp-words.ts';
import { listOf } from '../../acceptance/parity/lanes.ts';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { FixPeer } from '../../support/fix-peer.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { passwords } from '../../support/passwords.ts';
import { until } from '../../support/waits.ts';
import { Authority } from '../../transport/authority.ts';

let bridge: Bridge;
let peer: FixPeer | undefined;
const stops: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  peer?.hangUp();
  for (const stop of stops.splice(0)) await stop();
});

async function openBridge(): Promise<void> {
  bridge = await startBridge();
  stops.push(() => bridge.stop());
}

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

/**
 * A bridge that connects out to this port in a session like the one that is chosen, and a peer that is logged on to it.
 */
async function connectingOut(
  port: number,
  choose: (sessions: readonly { senderCompId: string }[]) => object | undefined,
): Promise<{ readonly client: FixPeer; readonly secret: string }> {
  await openBridge();
  const secret = join(dirname(bridge.configFile), 'secrets/clearer.password');
  writeFileSync(secret, 'open sesame\n', { mode: 0o600 });
  const config = parse(readFileSync(bridge.configFile, 'utf8'));
  const passwordFile = 'secrets/clearer.password';
  const connect = { host: '127.0.0.1', port, username: 'bridge', passwordFile };
  config.sessions.push({ ...choose(config.sessions), senderCompId: 'CLEARER', connect });
  writeFileSync(bridge.configFile, stringify(config));
  await bridge.gateway.reload(loadConfig(bridge.configFile));
  const alpha = bridge.user('ALPHA');
  const client = await FixPeer.connect(bridge.gateway.port, alpha);
  peer = client;
  await client.logon('');
  return { client, secret };
}

test('the bridge connects out to a consumer that listens, proves who it is and brings the copies', async () => {
  const { port, server, heard, hangUp } = await consumer();
  const { client, secret } = await connectingOut(port, (sessions) =>
    sessions.find(({ senderCompId }) => senderCompId === 'DROP'),
  );
  client.say('D|11=a|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now');
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

/** A consumer that listens for FIXP; what it hears stands in the words of FIX. */
async function fixpConsumer(hear: (line: string) => boolean) {
  const transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  const directory = new FixpDirectory({ transactions, clock: systemClock });
  const session = await directory.add({
    settings: fixpSettings({
      role: 'acceptor',
      principal: 'CLEARER',
      users: ['bridge'],
      applicationSchemas: new Set([orders.id]),
      maxMessageBytes: 80 * 1024,
    }),
    application: {
      onMessage(message, seq, of, now) {
        const told = decodeMessage(orders, message);
        if (typeof told === 'string') throw new Error(told);
        if (told.outOfRange.length > 0) throw new Error(`${told.message}: ${told.outOfRange}`);
        const isKept = hear(fixLine(told, listOf(bridge.gateway)));
        if (isKept) of.applied({ fromSeq: seq, toSeq: seq }, now);
      },
    },
    authenticate: passwords([{ username: 'bridge', secret: 'open sesame' }]),
  });
  const acceptor = new Acceptor({
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    reception: directory,
    attach: (of, link, first) => directory.attach(of, link, first),
    limits: defaultAcceptorLimits,
  });
  return { acceptor, directory, name: session.name, port: await acceptor.listen() };
}

test('over FIXP the bridge brings again, marked, what the consumer has not applied, and nothing else', async () => {
  const heard: string[] = [];
  let isApplying = true;
  const { acceptor, directory, name, port } = await fixpConsumer((line) => {
    heard.push(line);
    return isApplying;
  });
  const { client } = await connectingOut(port, () => {
    return { protocol: 'fixp', role: 'drop-copy', users: ['drop'], accounts: ['desk-a'] };
  });
  const order = (id: string) =>
    client.say(`D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`);
  const copies = (id: string) =>
    heard.flatMap((line) =>
      line.includes(`|11=${id}|`)
        ? [`${/150=(.)/.exec(line)?.[1]}${line.includes('|97=Y|') ? '*' : ''}`]
        : [],
    );
  order('a');
  await until(() => copies('a').length === 2);
  const unapplied = () => bridge.gateway.copies.relay.reader(name)?.unacknowledged;
  await until(() => unapplied() === 0);
  isApplying = false;
  order('b');
  await until(() => copies('b').length === 2);
  directory.roster.act(name, (session, now) => session.giveUp('for the test', now));
  order('c');
  isApplying = true;
  await until(() => copies('c').length === 2);
  expect([copies('a'), copies('b'), copies('c')]).toEqual([
    ['A', '0'],
    ['A', '0', 'A*', '0*'],
    ['A', '0'],
  ]);
  // What it asks comes by its own flow, and is answered in ours.
  const totals = encodeMessage(orders, requestOf('UR|9120=sum|9121=6|1=desk-a'));
  directory.roster.act(name, (session, now) => session.send(Buffer.from(totals), now));
  await until(() => heard.some((line) => line.startsWith('35=UA|9120=sum|')));
  expect(heard.find((line) => line.startsWith('35=B|'))).toContain(';count=6;');
  directory.close();
  await acceptor.close();
});

test('a missing certificate is found before anything is opened, whichever consumer it is for', async () => {
  await openBridge();
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

test('a certificate that breaks while the bridge runs is one alarm, and the repaired or renewed one is used for the next connection', async () => {
  const authority = new Authority();
  const folder = mkdtempSync(join(tmpdir(), 'outbound-'));
  const shown: string[] = [];
  const accepted: TLSSocket[] = [];
  const consumer = createTlsServer(
    { ...authority.issue('localhost'), ca: authority.cert, requestCert: true },
    (socket) => {
      socket.on('error', () => {});
      accepted.push(socket);
      shown.push(socket.getPeerCertificate().fingerprint256);
    },
  );
  await once(consumer.listen(0, '127.0.0.1'), 'listening');
  const tls = { caFile: 'ca.crt', certFile: 'own.crt', keyFile: 'own.key' };
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const renew = () => {
    const { cert, key } = authority.issue('bridge');
    write('own.crt', cert);
    write('own.key', key);
  };
  write('ca.crt', authority.cert);
  renew();
  const clock = new ManualClock();
  const [alarms, notices]: [object[], string[]] = [[], []];
  const { port } = consumer.address() as AddressInfo;
  const outbound = new Outbound({
    clock,
    name: 'CLEARER',
    to: { host: '127.0.0.1', port, tls: { ...tls, serverName: 'localhost' } },
    path: (file: string) => join(folder, file),
    attach: () => true,
    isWanted: () => true,
    alarm: (text, facts) => alarms.push({ text, ...facts }),
    notice: (text) => notices.push(text),
  });
  stops.push(() => {
    outbound.stop();
    for (const socket of accepted) socket.destroy();
    consumer.close();
    authority.remove();
    rmSync(folder, { recursive: true });
  });
  await until(() => shown.length === 1);
  write('ca.crt', 'half a certifi');
  accepted[0]?.destroy();
  await until(() => notices.at(-1)?.includes('the next try is in 500 ms') === true);
  for (const waitMs of [500, 1000, 2000]) clock.advance(waitMs);
  const files = 'ca.crt, own.crt, own.key';
  const text = `CLEARER: connect.tls (${files}) cannot be used: the authority is not a PEM certificate`;
  expect(alarms).toEqual([
    { text, event: 'session_alarm', session: 'CLEARER', code: 'certificate' },
  ]);
  write('ca.crt', authority.cert);
  renew();
  clock.advance(4000);
  await until(() => shown.length === 2);
  expect(shown[1]).not.toBe(shown[0]);
});

test('one alarm tells that nobody could log on at a consumer for a minute, and another one only after a logon', async () => {
  const server = createServer((socket) => void socket.on('error', () => {}).destroy());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const clock = new ManualClock();
  const [codes, retries]: [unknown[], number[]] = [[], []];
  let isInHours = true;
  let isLoggingOn = false;
  const outbound = new Outbound({
    clock,
    name: 'CLEARER',
    to: { host: '127.0.0.1', port },
    path: (file) => file,
    attach: () => true,
    isWanted: () => isInHours,
    alarm: (_text, facts) => codes.push(facts?.code),
    notice: (text) => {
      const [, retryMs] = /next try is in (\d+) ms/.exec(text) ?? [];
      if (retryMs !== undefined) retries.push(Number(retryMs));
      else if (isLoggingOn) outbound.loggedOn();
    },
  });
  stops.push(() => {
    outbound.stop();
    server.close();
  });
  let tries = 0;
  /** As many tries as take this long, the last of which has failed. */
  const fail = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; ) {
      await until(() => retries.length > tries);
      const wait = retries[tries] ?? 0;
      tries += 1;
      passedMs += wait;
      clock.advance(wait);
    }
    await until(() => retries.length > tries);
  };
  await fail(31_500);
  expect(codes).toEqual([]);
  await fail(30_000);
  await fail(120_000);
  expect(codes).toEqual(['consumer_away']);
  isLoggingOn = true;
  await fail(90_000);
  isLoggingOn = false;
  isInHours = false;
  await fail(120_000);
  expect(codes).toEqual(['consumer_away']);
  isInHours = true;
  await fail(90_000);
  expect(codes).toEqual(['consumer_away', 'consumer_away']);
});
