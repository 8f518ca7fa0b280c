import { expect, test } from 'vitest';
import { maxSentBytes } from '../../src/fixp/settings.ts';
import { MemoryLine } from './memory-line.ts';

test('the client negotiates, establishes, and both hear each other', async () => {
  const line = await MemoryLine.open();
  await line.connect();
  expect([line.client.phase, line.server.phase]).toEqual(['established', 'established']);
  expect(line.client.sessionId).toBe(line.server.sessionId);
  expect(line.client.sessionId).toMatch(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  await line.clientSends('BUY', 'SELL');
  await line.serverSends('DONE');
  expect(line.atServer.heard()).toEqual(['established', '1 BUY', '2 SELL']);
  expect(line.atClient.heard()).toEqual(['established', '1 DONE']);
});

test('after a lost connection the client establishes its session again, and misses nothing', async () => {
  const line = await MemoryLine.open({ client: { maxRetransmitCount: 2 } });
  await line.connect();
  const { sessionId } = line.client;
  await line.cut();
  await line.serverSends('A', 'B', 'C', 'D', 'E');
  line.atClient.heard();
  await line.connect();
  expect(line.client.sessionId).toBe(sessionId);
  expect(line.atClient.heard()).toEqual(['established', '1 A', '2 B', '3 C', '4 D', '5 E']);
});

test('a server that gives fewer messages at once is asked for fewer, and nothing is lost', async () => {
  const line = await MemoryLine.open({ server: { maxRequestCount: 3 } });
  const sent = Array.from({ length: 25 }, (_, at) => `M${at + 1}`);
  await line.serverSends(...sent);
  await line.connect();
  await line.wait(1);
  const peerText = line.atClient.heard();
  expect(peerText).toEqual(['established', ...sent.map((text, at) => `${at + 1} ${text}`)]);
  await line.cut();
  await line.serverSends('N26', 'N27', 'N28', 'N29');
  line.atServer.heard();
  await line.connect();
  expect(line.atClient.heard().slice(-4)).toEqual(['26 N26', '27 N27', '28 N28', '29 N29']);
});

test('what the client sends while it is not there is not kept', async () => {
  const line = await MemoryLine.open();
  await line.clientDoes((client) => {
    expect(client.send(Buffer.alloc(8), line.clock.now())).toBe('full');
  });
  await line.connect();
  expect(line.client.nextOut).toBe(1);
});

test('messages that were lost on the way are reported as not applied', async () => {
  const line = await MemoryLine.open();
  await line.connect();
  const sent = line.clientSends('LOST');
  await line.cut();
  await sent;
  line.atClient.heard();
  // The order had left, and the connection with it.
  expect(line.atServer.heard()).toEqual(['established', 'ended abruptly']);
  await line.connect();
  expect(line.atClient.heard()).toEqual(['established', 'not applied 1-1']);
  await line.clientSends('AGAIN');
  expect(line.atServer.heard()).toEqual(['established', '2 AGAIN']);
});

test('a message that the server could not decode ended the connection, and is reported as not applied', async () => {
  const line = await MemoryLine.open();
  await line.connect();
  await line.clientSends('BUY', 'GARBLED');
  expect(line.atServer.heard()).toEqual(['established', '1 BUY', 'ended abruptly']);
  line.atClient.heard();
  await line.connect();
  expect(line.atClient.heard()).toEqual(['established', 'not applied 2-2']);
  await line.clientSends('SELL');
  expect(line.atServer.heard()).toEqual(['established', '3 SELL']);
});

test('messages that wait beyond a gap are bounded, and asked for again', async () => {
  const line = await MemoryLine.open({
    server: { maxRetransmitCount: 1 },
    client: { maxQueuedMessages: 2 },
  });
  await line.serverSends('1', '2', '3');
  const connecting = line.connect();
  await connecting;
  await line.serverSends('4', '5', '6', '7', '8');
  await line.wait(1);
  const peerText = line.atClient.heard().slice(1);
  expect(peerText).toEqual(['1 1', '2 2', '3 3', '4 4', '5 5', '6 6', '7 7', '8 8']);
});

test('messages that the server no longer has raise an alarm, and the flow continues', async () => {
  const line = await MemoryLine.open();
  await line.serverSends('A', 'B', 'C');
  line.serverStore.trim(line.server.name, 4);
  await line.connect();
  await line.serverSends('D');
  expect(line.atServer.heard()).toEqual(['established', 'alarm beyond_retention']);
  expect(line.atClient.heard()).toEqual(['established', 'alarm messages_lost', '4 D']);
});

test('both keep alive; a server that falls silent is terminated', async () => {
  const line = await MemoryLine.open({
    client: { keepaliveMs: 1_000 },
    server: { keepaliveMs: 500 },
  });
  await line.connect();
  for (let quarter = 0; quarter < 240; quarter += 1) await line.wait(250);
  expect([line.client.phase, line.server.phase]).toEqual(['established', 'established']);
  line.muteServer();
  await line.wait(500);
  await line.wait(500);
  expect(line.atClient.heard()).toEqual(['established', 'ended abruptly']);
});

test('a gap that the server does not fill ends the session', async () => {
  const line = await MemoryLine.open({ client: { gapPatienceMs: 5_000 } });
  await line.serverSends('A');
  // A disk that does not answer.
  line.serverStore.messages = () => new Promise(() => {});
  await line.connect();
  await line.wait(4_999);
  expect(line.client.phase).toBe('established');
  await line.wait(1);
  expect(line.atClient.heard()).toEqual([
    'established',
    'alarm resend_unanswered',
    'ended abruptly',
  ]);
});

test('a server that follows with numbers beyond the last one is terminated', async () => {
  const line = await MemoryLine.open({ client: { maxSeqNo: 3 }, server: { keepaliveMs: 500 } });
  await line.connect();
  await line.serverSends('A', 'B', 'C', 'D');
  await line.wait(500);
  expect(line.client.phase).not.toBe('established');
});

test('messages that wait beyond a gap are bounded in bytes too', async () => {
  const line = await MemoryLine.open({ client: { maxQueuedBytes: 30 } });
  await line.serverSends('A');
  const { messages } = line.serverStore;
  let release = () => {};
  line.serverStore.messages = async (...range) => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return messages.apply(line.serverStore, range);
  };
  await line.connect();
  await line.serverSends('B', 'C', 'D', 'E', 'F');
  expect(line.client.queued).toBe(3);
  line.serverStore.messages = messages;
  release();
  await line.wait(1);
  expect(line.atClient.heard()).toEqual(['established', '1 A', '2 B', '3 C', '4 D', '5 E', '6 F']);
});

test('a message to the peer may be longer than any from it, live and when it is sent again', async () => {
  const line = await MemoryLine.open({ client: { maxMessageBytes: maxSentBytes } });
  expect(line.server.settings.maxMessageBytes).toBeLessThan(maxSentBytes);
  const longest = ['A', 'B', 'C'].map((letter) => letter.repeat(maxSentBytes - 8));
  await line.serverSends(...longest.slice(0, 2));
  await line.connect();
  await line.wait(0);
  await line.serverSends(...longest.slice(2));
  const heard = line.atClient.heard().map((text) => `${text.slice(0, 3)} ${text.length}`);
  expect(heard).toEqual(['est 11', '1 A 131066', '2 B 131066', '3 C 131066']);
});

test('a message that is longer than any may be is a mistake of the application', async () => {
  const line = await MemoryLine.open();
  expect(() => line.server.send(Buffer.alloc(131_073), line.clock.now())).toThrow(
    'a message of 131073 bytes is longer than 131072',
  );
});

test('a finished session id is given up, and the next connection takes a new one', async () => {
  const line = await MemoryLine.open();
  await line.serverSends('WAITS');
  await line.connect();
  const { sessionId } = line.client;
  await line.clientSends('BUY');
  await line.clientDoes((client) => {
    expect(client.finish(line.clock.now())).toBe(true);
    expect(client.finish(line.clock.now())).toBe(false);
  });
  expect(line.atClient.heard()).toEqual(['established', '1 WAITS', 'ended gracefully']);
  expect(line.atServer.heard()).toEqual(['established', '1 BUY', 'ended gracefully']);
  expect(line.client.sessionId).toBeUndefined();
  await line.serverSends('FOR THE NEXT');
  await line.connect();
  expect(line.client.sessionId).not.toBe(sessionId);
  expect(line.atClient.heard()).toEqual(['established', '1 FOR THE NEXT']);
});

test('a client whose server has lost its numbers begins anew under a new id, once an operator resets it', async () => {
  const line = await MemoryLine.open();
  await line.connect();
  await line.serverSends('ONE', 'TWO');
  await line.cut();
  // The server is restored from a backup: it knows the session id, and not what it has sent since.
  await line.operator(({ roster }) => roster.setNumbers(line.server.name, 1, 1));
  line.atClient.heard();
  await line.connect();
  await line.wait(2_000);
  expect(line.client.phase).toBe('down');
  expect(line.atClient.heard()).toEqual(['ended abruptly']);
  await line.clientDoes((client) => {
    expect(client.setNumbers(3, 1)).toBe(false);
    expect(client.setNumbers(1, 1)).toBe(true);
    expect(client.setNumbers(1, 1)).toBe(false);
  });
  await line.connect();
  await line.serverSends('THREE');
  expect(line.atClient.heard()).toEqual(['established', '1 THREE']);
});

test('a refused client says why', async () => {
  const line = await MemoryLine.open({ client: { keepaliveMs: 1 } });
  await line.connect();
  expect(line.atClient.heard()).toEqual(['alarm refused']);
  await line.operator((directory) => directory.roster.stop(line.server.name));
  await line.wait(60_000);
  await line.connect();
  expect(line.atClient.heard()).toEqual(['alarm refused']);
});

test('a client that is refused at each try says so once a minute', async () => {
  const line = await MemoryLine.open({ client: { keepaliveMs: 1 } });
  for (let tries = 0; tries < 5; tries += 1) {
    await line.connect();
    await line.wait(1_000);
  }
  expect(line.atClient.heard()).toEqual(['alarm refused']);
});

test.each(['Negotiate', 'Establish'])(
  'a client whose clock was ahead at its %s is accepted once it is right',
  async (request) => {
    const line = await MemoryLine.open();
    if (request === 'Establish') {
      await line.connect();
      await line.cut();
    }
    line.atClient.heard();
    line.clientAheadMs = 86_400_000;
    await line.connect();
    expect(line.atClient.heard()).toEqual(['alarm refused']);
    line.clientAheadMs = 0;
    await line.wait(1);
    await line.connect();
    expect(line.atClient.heard()).toEqual(['established']);
  },
);

test('either side terminates in good order', async () => {
  const line = await MemoryLine.open();
  await line.connect();
  await line.clientDoes((client) => client.terminate('enough', line.clock.now()));
  expect(line.atServer.heard()).toEqual(['established', 'ended gracefully']);
  expect(line.atClient.heard()).toEqual(['established', 'ended gracefully']);
  await line.wait(1);
  await line.connect();
  await line.operator((directory) => directory.roster.stop(line.server.name));
  expect(line.atServer.heard()).toEqual(['established', 'ended gracefully']);
  expect(line.atClient.heard()).toEqual(['established', 'ended gracefully']);
});

test.each([0, 70_000, 4_294_967_295])(
  'a server that promises a message every %i ms is left, because its silence would not be noticed',
  async (keepaliveMs) => {
    const line = await MemoryLine.open({ server: { keepaliveMs } });
    await line.connect();
    expect(line.atClient.heard()).toEqual([]);
    expect(line.client.phase).not.toBe('established');
  },
);
