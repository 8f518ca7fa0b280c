/**
 * The session on real sockets: TCP, TLS, mutual TLS, clients of ours and plain ones, and a port that has had enough.
 */
import { X509Certificate } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import type { FixpApplication } from '../../src/fixp/application.ts';
import { FixpDirectory, fixpLockout } from '../../src/fixp/fixp-directory.ts';
import { type FixpSettings, fixpSettings } from '../../src/fixp/settings.ts';
import { userAuthenticator } from '../../src/gateway/clients/user-logon.ts';
import { PasswordChecks } from '../../src/gateway/passwords/password-checks.ts';
import { hashSecret, lightCost, parseSecretHash } from '../../src/gateway/passwords/secret-hash.ts';
import { ManualClock, systemClock } from '../../src/runtime/clock.ts';
import { Transactions } from '../../src/store/transactions.ts';
import {
  Acceptor,
  type AcceptorOptions,
  defaultAcceptorLimits,
} from '../../src/transport/acceptor.ts';
import type { Authenticator } from '../../src/transport/authentication.ts';
import { Connector } from '../../src/transport/connector.ts';
import { PendingVerdict } from '../../src/transport/pending-verdict.ts';
import {
  application,
  applicationMessage,
  applicationText,
  sessionIdOf,
} from '../acceptance/fixp/script.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { passwords } from '../support/passwords.ts';
import { Authority } from '../transport/authority.ts';
import { SocketPeer } from './socket-peer.ts';

const peers: SocketPeer[] = [];
const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.cut();
  for (const close of closing.splice(0).reverse()) await close();
});

function directory(clock = systemClock): FixpDirectory {
  const transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  return new FixpDirectory({ transactions, clock });
}

const echo: FixpApplication = {
  onMessage: (message, _seq, session, now) => session.send(Buffer.from(message), now),
};

/** A port with the echoing session of alice. */
async function open(
  options: Partial<AcceptorOptions> = {},
  settings: Partial<FixpSettings> = {},
  authenticate = passwords([{ username: 'alice', secret: 'right' }]),
): Promise<number> {
  const sessions = directory(options.clock);
  await sessions.add({
    settings: fixpSettings({
      role: 'acceptor',
      principal: 'alice',
      applicationSchemas: new Set([application.schema]),
      ...settings,
    }),
    application: echo,
    authenticate,
  });
  const acceptor = new Acceptor({
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    reception: sessions,
    attach: (session, link, first) => sessions.attach(session, link, first),
    ...options,
  });
  closing.push(() => acceptor.close());
  closing.push(() => sessions.close());
  return acceptor.listen();
}

async function peer(...where: Parameters<typeof SocketPeer.to>): Promise<SocketPeer> {
  const made = await SocketPeer.to(...where);
  peers.push(made);
  return made;
}

test('a session over TCP, cut and established again', async () => {
  const port = await open();
  const first = await peer(port);
  await first.establish('A');
  expect(await first.asks('App HELLO')).toBe('App HELLO');
  await first.cut();
  const second = await peer(port);
  expect(await second.asks('Establish NextSeqNo=2')).toBe(
    'EstablishmentAck KeepaliveInterval=10000 NextSeqNo=2 LastIncomingSeqNo=1',
  );
  expect(await second.asks('RetransmitRequest FromSeqNo=1 Count=1')).toBe(
    'Retransmission NextSeqNo=1 Count=1',
  );
  expect(await second.hears()).toBe('App HELLO');
  expect(await second.hears()).toBe('Sequence NextSeqNo=2');
  expect(await second.asks('Terminate')).toBe('Terminate Code=Finished');
  expect(await second.hears()).toBe('closed');
});

test('a session over TLS, and by a client certificate', async () => {
  const authority = new Authority();
  closing.push(() => authority.remove());
  const server = authority.issue('localhost');
  const client = authority.issue('alice');
  const other = authority.issue('mallory');
  const { fingerprint256 } = new X509Certificate(client.cert);
  const certificates = new Set([fingerprint256.replaceAll(':', '').toLowerCase()]);
  const trust = { ca: authority.cert, servername: 'localhost' };
  const port = await open({ tls: { ...server, clientCa: authority.cert } }, { certificates });
  const stranger = await peer(port, { ...trust, ...other });
  expect(await stranger.asks('Negotiate')).toBe(
    'NegotiationReject Code=Credentials Reason=200: wrong credentials',
  );
  const known = await peer(port, { ...trust, ...client });
  await known.establish('A');
  expect(await known.asks('App HELLO')).toBe('App HELLO');
});

/** What is sent first, by whom, on a connection of its own; resolves with the answer. */
async function first(port: number, line: string, credentials: Partial<SocketPeer> = {}) {
  const made = Object.assign(await peer(port), credentials);
  const answer = await made.asks(line);
  await made.cut();
  return answer;
}

test('P-20: a user who fails to prove itself five times within a minute is not listened to there for a while', async () => {
  const clock = new ManualClock(Date.now());
  const blocked: string[] = [];
  const port = await open({
    clock,
    limits: { ...defaultAcceptorLimits, lockout: fixpLockout },
    notice: (event) => event.kind === 'blocked' && blocked.push(`${event.address} ${event.name}`),
  });
  const password = 'wrong';
  for (const line of ['Negotiate', 'Establish', 'Negotiate', 'Establish', 'Negotiate']) {
    expect(blocked).toEqual([]);
    expect(await first(port, line, { password })).toMatch(/Reason=200: /);
  }
  expect(blocked).toEqual(['127.0.0.1 alice']);
  // Right or wrong.
  expect(await first(port, 'Negotiate')).toBe('closed');
  clock.advance(60_000);
  expect(await first(port, 'Negotiate')).toMatch(/Reason=202: Timestamp is not within 30000 ms/);
});

test('a stranger at the address of a client, who guesses under other names or sends nonsense, does not lock it out', async () => {
  const port = await open({ limits: { ...defaultAcceptorLimits, lockout: fixpLockout } });
  for (let i = 0; i < 6; i += 1) {
    await first(port, 'Negotiate', { username: 'mallory', password: 'guess' });
    expect(await first(port, 'Sequence NextSeqNo=1')).toMatch(/Reason=202: /);
  }
  const good = await peer(port);
  await good.establish('A');
  expect(await good.asks('App HELLO')).toBe('App HELLO');
});

test('a client that repeats its Negotiate, because the answer was lost, gets the reason and is never locked out', async () => {
  const port = await open({ limits: { ...defaultAcceptorLimits, lockout: fixpLockout } });
  const [a, b] = [sessionIdOf('A'), sessionIdOf('B')];
  expect(await first(port, 'Negotiate', { sessionId: a })).toMatch(/^NegotiationResponse/);
  for (let again = 0; again < 8; again += 1) {
    expect(await first(port, 'Negotiate', { sessionId: a })).toMatch(/Code=DuplicateId/);
    expect(await first(port, 'Establish', { sessionId: b })).toMatch(/Code=Unnegotiated/);
  }
  const next = await peer(port);
  await next.establish('C');
  expect(await next.asks('App HELLO')).toBe('App HELLO');
});

test('our client connects, trades, and comes back by itself', async () => {
  const port = await open();
  const sessions = directory();
  closing.push(() => sessions.close());
  const heard: string[] = [];
  let wake = () => {};
  const peerText = async (wanted: number) => {
    while (heard.length < wanted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const note = (text: string) => {
    heard.push(text);
    wake();
  };
  const session = await sessions.addClient({
    settings: fixpSettings({
      role: 'initiator',
      principal: 'alice',
      applicationSchemas: new Set([application.schema]),
      credentials: () => ({ username: 'alice', password: 'right' }),
    }),
    application: {
      onEstablished: () => note('established'),
      onMessage: (message, seq) => note(`${seq} ${applicationText(message)}`),
      onDisconnect: () => note('ended'),
    },
  });
  const connector = new Connector({
    host: '127.0.0.1',
    port,
    clock: systemClock,
    backoff: { firstMs: 1, maxMs: 1, provenMs: 0, connectWithinMs: 5_000 },
    attach: (link) => sessions.attach(session, link, Buffer.alloc(0)),
  });
  closing.push(() => connector.stop());
  connector.start();
  await peerText(1);
  sessions.roster.act(session.name, (_, now) => session.send(applicationMessage('BUY'), now));
  await peerText(2);
  sessions.roster.act(session.name, (_, now) => session.giveUp('for the test', now));
  await peerText(4);
  sessions.roster.act(session.name, (_, now) => session.send(applicationMessage('SELL'), now));
  await peerText(5);
  expect(heard).toEqual(['established', '1 BUY', 'ended', 'established', '2 SELL']);
});

test('hundreds of connections that say nothing do not keep a client out', async () => {
  const limits = { ...defaultAcceptorLimits, waiting: 50 };
  const port = await open({ limits });
  const silent = await Promise.all(Array.from({ length: 200 }, () => peer(port)));
  const client = await peer(port);
  await client.establish('A');
  expect(await client.asks('App HELLO')).toBe('App HELLO');
  await Promise.all(silent.slice(0, 100).map((one) => one.hears()));
});

/** As a gateway asks it, with the verdicts that were given. */
function slowPasswords() {
  const verdicts: string[] = [];
  const hash = parseSecretHash(hashSecret('right', lightCost)) ?? null;
  const users = [{ username: 'alice', hash, hmacSecret: null }];
  const checks = new PasswordChecks({ clock: systemClock, alarm: () => {} });
  const byUser = userAuthenticator('alice', users, checks);
  const authenticate: Authenticator = (attempt) => {
    const said = byUser(attempt);
    verdicts.push(said instanceof PendingVerdict ? 'wait' : String(said ?? 'right'));
    return said;
  };
  return { authenticate, verdicts };
}

test('a password is found out beside the session, and once for a connection that shows it twice', async () => {
  const { authenticate, verdicts } = slowPasswords();
  const first = await peer(await open({}, {}, authenticate));
  await first.establish('A');
  expect(await first.asks('App HELLO')).toBe('App HELLO');
  expect(verdicts).toEqual(['wait', 'right']);
});

test('a wrong password is refused when it is known to be wrong', async () => {
  const { authenticate, verdicts } = slowPasswords();
  const bad = await peer(await open({}, {}, authenticate));
  bad.password = 'wrong';
  expect(await bad.asks('Negotiate')).toContain('NegotiationReject Code=Credentials');
  expect(verdicts).toEqual(['wait', 'wrong credentials']);
});

test('a connection that shows another password behind its Negotiate is refused', async () => {
  const { authenticate, verdicts } = slowPasswords();
  const turncoat = await peer(await open({}, {}, authenticate));
  await turncoat.asks('Negotiate');
  turncoat.password = 'another';
  expect(await turncoat.asks('Establish')).toContain('EstablishmentReject Code=Credentials');
  expect(verdicts).toEqual(['wait', 'right', 'wait']);
});

test('what a connection has shown is of no use to the next one', async () => {
  const { authenticate, verdicts } = slowPasswords();
  const port = await open({}, {}, authenticate);
  const first = await peer(port);
  await first.asks('Negotiate');
  await first.cut();
  const second = await peer(port);
  second.password = 'wrong';
  expect(await second.asks('Establish')).toContain('EstablishmentReject Code=Credentials');
  expect(verdicts).toEqual(['wait', 'right', 'wait', 'wrong credentials']);
});
