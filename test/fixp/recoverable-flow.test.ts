/** When a client hears Applied of what has no other answer; what else there is of the flow is played in acceptance/fixp. */
import { expect, test } from 'vitest';
import { writeCredentials } from '../../src/fixp/credentials.ts';
import { framed } from '../../src/fixp/framing.ts';
import { FixpServerSession } from '../../src/fixp/server-session.ts';
import { SessionIds } from '../../src/fixp/session-ids.ts';
import { writeSessionMessage } from '../../src/fixp/session-messages.ts';
import { fixpSettings } from '../../src/fixp/settings.ts';
import type { Effects } from '../../src/transport/session.ts';
import { applicationMessage, sessionIdOf } from '../acceptance/fixp/script.ts';
import { MemoryLine } from './memory-line.ts';

async function connected(): Promise<MemoryLine> {
  const line = await MemoryLine.open();
  await line.connect();
  line.atClient.heard();
  return line;
}

async function applies(line: MemoryLine, fromSeq: number, toSeq: number): Promise<void> {
  await line.operator((directory) =>
    directory.roster.act(line.server.name, (session, now) =>
      session.applied({ fromSeq, toSeq }, now),
    ),
  );
}

test('Applied goes out with the message that follows, before it', async () => {
  const line = await connected();
  await applies(line, 1, 1);
  expect(line.atClient.heard()).toEqual([]);
  await line.serverSends('DONE');
  expect(line.atClient.heard()).toEqual(['applied 1-1', '2 DONE']);
});

test('Applied goes out alone when nothing follows soon', async () => {
  const line = await connected();
  await applies(line, 1, 1);
  await line.wait(19);
  expect(line.atClient.heard()).toEqual([]);
  await line.wait(1);
  expect(line.atClient.heard()).toEqual(['applied 1-1']);
});

test('consecutive numbers are reported as one range, and a new range reports the one before', async () => {
  const line = await connected();
  await applies(line, 1, 1);
  await applies(line, 2, 4);
  await applies(line, 7, 7);
  expect(line.atClient.heard()).toEqual(['applied 1-4']);
  await line.wait(20);
  expect(line.atClient.heard()).toEqual(['applied 7-7']);
});

test('a client that finishes gets Applied before the last number of the flow is reported', async () => {
  const line = await connected();
  await line.clientSends('BUY');
  await applies(line, 1, 1);
  await line.clientDoes((client) => client.finish(line.clock.now()));
  expect(line.atClient.heard()).toEqual(['applied 1-1', 'ended gracefully']);
});

test('a connection that ends takes Applied with it, and the next says how far the numbers were taken', async () => {
  const line = await connected();
  await line.clientSends('BUY');
  await applies(line, 1, 1);
  await line.cut();
  await line.wait(20);
  await line.connect();
  expect(line.atClient.heard()).toEqual(['ended abruptly', 'established']);
  expect([line.server.nextIn, line.server.nextOut]).toEqual([2, 1]);
});

test('what was never sent comes first under the next session id, also after two crashes', async () => {
  const line = await connected();
  await line.crash();
  await line.serverSends('FILL');
  await line.crash();
  await line.clientDoes((client) => client.ids.end(client.outbox.nextOut - 1));
  line.atClient.heard();
  expect(line.server.held).toBe(1);
  await line.connect();
  expect(line.atClient.heard()).toEqual(['established', '1 FILL']);
});

test('what came live before the messages from before it comes again behind them, once to a client that keeps the order', async () => {
  const line = await connected();
  await line.cut();
  await line.serverSends('WAITED');
  const { messages } = line.serverStore;
  line.serverStore.messages = () => new Promise(() => {});
  await line.connect();
  await line.serverSends('LIVE');
  await line.crash();
  line.serverStore.messages = messages;
  await line.clientDoes((client) => client.ids.end(client.outbox.nextOut - 1));
  await line.connect();
  const heard = line.atClient.heard().filter((text) => /^\d/.test(text));
  expect(heard).toEqual(['1 WAITED', '2 LIVE']);
});

test('what is no longer kept does not come before later messages under every next session id', async () => {
  const line = await MemoryLine.open();
  await line.serverSends('A', 'B');
  line.serverStore.trim(line.server.name, 3);
  await line.connect();
  await line.serverSends('C');
  expect(line.atClient.heard()).toEqual(['established', 'alarm messages_lost', '3 C']);
  expect(line.server.held).toBe(0);
  await line.cut();
  await line.clientDoes((client) => client.ids.end(client.outbox.nextOut - 1));
  await line.connect();
  await line.serverSends('D');
  expect(line.atClient.heard()).toEqual(['ended abruptly', 'established', '1 D']);
});

test('messages that a client asks for again are not recorded as handed over again', () => {
  let records = 0;
  const stored = [1, 2, 3].map((seq) => ({ seq, bytes: framed(applicationMessage('OLD'), 'big') }));
  const session = new FixpServerSession({
    settings: fixpSettings({ principal: 'alice', role: 'acceptor' }),
    application: { onMessage: () => {} },
    effects: new Proxy({}, { get: () => () => {} }) as Effects,
    saveIds: () => (records += 1),
    start: { nextIn: 1, nextOut: 4 },
    ids: new SessionIds(),
  });
  const sessionId = sessionIdOf('A');
  const now = { wallMs: 10, monoMs: 10 };
  const request = { sessionId, credentials: writeCredentials({ username: 'alice' }) };
  const negotiate = {
    name: 'Negotiate',
    ...request,
    timestamp: 10_000_000n,
    clientFlow: 3,
  } as const;
  const says = (message: Parameters<typeof writeSessionMessage>[0]) =>
    session.received(framed(writeSessionMessage(message), 'big'), now);
  expect(session.examine(negotiate, { address: '' }, now, false)).toBeUndefined();
  session.opened({ address: '' }, now);
  says(negotiate);
  says({
    name: 'Establish',
    ...request,
    timestamp: 10_000_001n,
    keepaliveInterval: 1_000,
  } as never);
  const asks = (count: number) => {
    says({ name: 'RetransmitRequest', sessionId, timestamp: 10_000_002n, fromSeqNo: 1, count });
    const messages = stored.slice(0, count);
    session.fetched({ fromSeq: 1, toSeq: count, messages, oldestKept: 1, done: true }, now);
    return records;
  };
  const before = records;
  expect([asks(2), asks(1), asks(2), asks(3), asks(2)].map((count) => count - before)).toEqual([
    1, 1, 1, 2, 2,
  ]);
});
