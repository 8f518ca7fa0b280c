import { afterAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { defaultHostLimits, type Tap } from '../../src/transport/host.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { LinePeer } from './peer.ts';
import { LinePort, type PortSetup } from './port.ts';
import { WaitingStore } from './waiting-store.ts';

const open: LinePort[] = [];
const peers: LinePeer[] = [];

async function port(setup: PortSetup = {}): Promise<LinePort> {
  const opened = await LinePort.open(setup);
  open.push(opened);
  return opened;
}

async function peer(to: LinePort): Promise<LinePeer> {
  const connected = await LinePeer.to(to.port);
  peers.push(connected);
  return connected;
}

afterAll(async () => {
  for (const { socket } of peers) socket.destroy();
  for (const each of open) await each.close();
});

/** When this is answered, the port has read what was sent before it. */
async function roundTrip(on: LinePort): Promise<void> {
  for (let i = 0; i < 2; i += 1) expect(await (await peer(on)).ask('?')).toBe('who?');
}

test('nothing is sent before its record is durable, and then in order', async () => {
  const store = new WaitingStore();
  const on = await port({ store });
  const client = await peer(on);
  expect(await client.ask('A\n> one')).toBe('1 one');
  store.writing.close();
  client.send('> two\n');
  await expect.poll(() => store.commits.length).toBe(2);
  client.send('> three\n');
  await expect.poll(() => store.commits.length).toBe(3);
  expect(client.unread).toBe('');
  store.writing.open();
  expect([await client.line(), await client.line()]).toEqual(['2 two', '3 three']);
});

test('a tap is shown the bytes of both directions, and replies are counted with their time', async () => {
  const seen: string[] = [];
  const tap: Tap = (session, direction, bytes) => {
    seen.push(`${session} ${direction} ${Buffer.from(bytes).toString()}`);
  };
  const on = await port({ tap });
  const client = await peer(on);
  expect(await client.ask('A\n> one')).toBe('1 one');
  expect(seen).toEqual(['A in A\n> one\n', 'A out 1 one\n']);
  const { count, sumUs } = on.hosts.get('A')?.replies ?? { count: 0, sumUs: 0 };
  expect([count, sumUs > 0]).toEqual([1, true]);
});

test('all that arrives in one piece is one commit and one write', async () => {
  const store = new WaitingStore();
  const on = await port({ store });
  const client = await peer(on);
  client.send('A\n> one\n> two\n> three\n');
  expect(await client.line()).toBe('1 one');
  expect(store.commits).toHaveLength(1);
  expect(store.commits[0]).toEqual([
    {
      kind: 'messages',
      session: 'A',
      firstSeq: 1,
      bytes: Buffer.from('1 one\n2 two\n3 three\n'),
      ends: [6, 12, 20],
    },
    { kind: 'numbers', session: 'A', nextIn: 5, nextOut: 4 },
  ]);
});

test('what others write in the transaction of a session is part of its commit', async () => {
  const store = new WaitingStore();
  const on = await port({ store });
  const client = await peer(on);
  expect(await client.ask('A\n> one')).toBe('1 one');
  on.transactions.run(() => {
    on.transactions.write({ kind: 'cursor', name: 'venue', value: 7 });
    on.hosts.get('A')?.act(() => on.sessions.get('A')?.say('report'));
    on.hosts.get('B')?.act(() => on.sessions.get('B')?.say('copy'));
  });
  expect(await client.line()).toBe('2 report');
  expect(store.commits).toHaveLength(2);
  expect(store.commits[1]?.map(({ kind }) => kind)).toEqual([
    'cursor',
    'messages',
    'numbers',
    'messages',
    'numbers',
  ]);
});

test('a session without a connection still records, and sends nothing', async () => {
  const on = await port();
  on.hosts.get('A')?.act(() => on.sessions.get('A')?.say('alone'));
  const client = await peer(on);
  expect(await client.ask('A\n> here')).toBe('2 here');
  expect(await client.ask('resend 1 1')).toBe('1 alone');
});

test('a replay comes in pieces, and new messages go between them', async () => {
  const pieces = { ...defaultHostLimits, replayPieceBytes: 50 };
  const on = await port({ hostLimits: pieces });
  const client = await peer(on);
  client.send(`A\n${Array.from({ length: 40 }, (_, i) => `> line ${i + 1}\n`).join('')}`);
  for (let i = 1; i <= 40; i += 1) expect(await client.line()).toBe(`${i} line ${i}`);
  client.send('resend 1 40\n> new\n');
  const lines: string[] = [];
  for (let i = 0; i < 41; i += 1) lines.push((await client.line()) ?? '');
  expect(lines.indexOf('41 new')).toBeLessThan(10);
  expect(lines.filter((line) => line !== '41 new')).toEqual(
    Array.from({ length: 40 }, (_, i) => `${i + 1} line ${i + 1}`),
  );
  const log = on.sessions.get('A')?.log ?? [];
  expect(log.filter((entry) => entry.startsWith('fetched')).length).toBeGreaterThan(5);
  expect(log.at(-1)).toMatch(/ done$/);
});

test('a reset ends a replay, and the next one reads nothing before the reset is durable', async () => {
  const store = new WaitingStore();
  const on = await port({ store });
  const client = await peer(on);
  expect(await client.ask('A\n> old')).toBe('1 old');
  store.reading.close();
  client.send('resend 1 1\n');
  await expect.poll(() => store.reads).toEqual(['1-1']);
  store.writing.close();
  client.send('reset\n> new\nresend 1 1\n');
  await expect.poll(() => store.commits.length).toBe(3);
  store.reading.open();
  await roundTrip(on);
  expect([store.reads, client.unread]).toEqual([['1-1'], '']);
  store.writing.open();
  expect([await client.line(), await client.line()]).toEqual(['1 new', '1 new']);
  expect(await client.ask('> more')).toBe('2 more');
});

test('a reset ends a replay that was asked for just before it', async () => {
  const on = await port();
  const client = await peer(on);
  expect(await client.ask('A\n> old')).toBe('1 old');
  client.send('resend 1 1\nreset\n> new\n');
  expect(await client.line()).toBe('1 new');
  expect(await client.ask('> more')).toBe('2 more');
});

test('a request replaces the one before it, of which nothing more comes', async () => {
  const store = new WaitingStore();
  const on = await port({ store, hostLimits: { ...defaultHostLimits, replayPieceBytes: 1 } });
  const client = await peer(on);
  client.send('A\n> one\n> two\n> three\n');
  for (const line of ['1 one', '2 two', '3 three']) expect(await client.line()).toBe(line);
  store.reading.close();
  client.send('resend 1 3\n');
  await expect.poll(() => store.reads).toEqual(['1-3']);
  expect(await client.ask('resend 2 2\n> four')).toBe('4 four');
  store.reading.open();
  expect(await client.line()).toBe('2 two');
  expect(await client.ask('> five')).toBe('5 five');
  expect(store.reads).toEqual(['1-3', '2-2']);
});

test('a replay goes on once what was said before it is recorded', async () => {
  const on = await port({ hostLimits: { ...defaultHostLimits, replayPieceBytes: 10 } });
  const client = await peer(on);
  expect(await client.ask('A\n> one')).toBe('1 one');
  client.send('> more than a piece\nresend 1 1\n');
  expect([await client.line(), await client.line()]).toEqual(['2 more than a piece', '1 one']);
});

test('a replay beyond what is kept says so and ends', async () => {
  const on = await port();
  const client = await peer(on);
  expect(await client.ask('A\n> one')).toBe('1 one');
  client.send('resend 1 9\n');
  expect(await client.line()).toBe('1 one');
  await expect.poll(() => on.sessions.get('A')?.log.at(-1)).toBe('fetched 2-9 0 done');
});

test('a replay ends with its connection', async () => {
  const on = await port();
  const client = await peer(on);
  expect(await client.ask('A\n> one')).toBe('1 one');
  const text = 'x'.repeat(64 * 1024);
  for (let i = 0; i < 300; i += 1) {
    on.hosts.get('A')?.act(() => on.sessions.get('A')?.say(text));
    await client.line();
  }
  client.socket.pause();
  client.send('resend 1 301\n');
  await expect.poll(() => on.hosts.get('A')?.unreadBytes).toBeGreaterThan(64 * 1024);
  client.socket.destroy();
  await on.noticed('A disconnected');
  const next = await peer(on);
  expect(await next.ask('A\n> again')).toBe('302 again');
  expect(await next.ask('resend 302 302')).toBe('302 again');
});

test('a replay waits for a peer that does not read, however long it is', async () => {
  const on = await port();
  const client = await peer(on);
  expect(await client.ask('A\n> one')).toBe('1 one');
  const text = 'x'.repeat(64 * 1024);
  for (let i = 0; i < 500; i += 1) {
    on.hosts.get('A')?.act(() => on.sessions.get('A')?.say(text));
    expect(await client.line()).toBe(`${i + 2} ${text}`);
  }
  client.socket.pause();
  client.send('resend 1 501\n');
  await expect.poll(() => on.hosts.get('A')?.unreadBytes).toBeGreaterThan(64 * 1024);
  await roundTrip(on);
  expect(on.hosts.get('A')?.unreadBytes).toBeLessThan(256 * 1024);
  client.socket.resume();
  expect(await client.line()).toBe('1 one');
  for (let i = 0; i < 500; i += 1) expect(await client.line()).toBe(`${i + 2} ${text}`);
});

test('what a lost connection had asked for last does not touch the next one', async () => {
  const store = new WaitingStore();
  const on = await port({ store });
  const client = await peer(on);
  expect(await client.ask('A\n> one')).toBe('1 one');
  store.writing.close();
  client.send('> two\nbye\n');
  await expect.poll(() => store.commits.length).toBe(2);
  client.socket.destroy();
  await on.noticed('A disconnected');
  const next = await peer(on);
  next.send('A\n> three\n');
  await expect.poll(() => store.commits.length).toBe(3);
  store.writing.open();
  expect(await next.line()).toBe('3 three');
  expect(await next.ask('> four')).toBe('4 four');
});

test('a slow reader is cut off at its limit; its messages stay stored and nobody else waits', async () => {
  const limits = { ...defaultHostLimits, unreadBytes: 256 * 1024 };
  const on = await port({ hostLimits: limits });
  const [slow, other] = [await peer(on), await peer(on)];
  expect(await slow.ask('A\n> one')).toBe('1 one');
  expect(await other.ask('B\n> one')).toBe('1 one');
  slow.socket.pause();
  const text = 'x'.repeat(64 * 1024);
  let said = 1;
  while (on.hosts.get('A')?.peer !== undefined) {
    on.hosts.get('A')?.act(() => on.sessions.get('A')?.say(text));
    said += 1;
    expect(await other.ask(`> ${said}`)).toBe(`${said} ${said}`);
    expect(said).toBeLessThan(2_000);
  }
  expect(on.notices).toContain('A slow_reader');
  await expect.poll(() => on.acceptor.connections).toBe(1);
  slow.socket.destroy();
  const again = await peer(on);
  again.send(`A\nresend ${said} ${said}\n`);
  expect(await again.line()).toBe(`${said} ${text}`);
});

test('a client that runs ahead of the disk is not read from until its answers are recorded', async () => {
  const store = new WaitingStore();
  const on = await port({
    store,
    hostLimits: { ...defaultHostLimits, unrecordedBytes: 1_000 },
  });
  const client = await peer(on);
  expect(await client.ask('A\n> one')).toBe('1 one');
  store.writing.close();
  const text = `> ${'x'.repeat(2_000)}\n`;
  client.send(text);
  await expect.poll(() => store.commits.length).toBe(2);
  for (let i = 0; i < 10; i += 1) {
    client.send(text);
    await roundTrip(on);
  }
  expect(store.commits).toHaveLength(2);
  store.writing.open();
  for (let i = 0; i < 11; i += 1) expect((await client.line())?.length).toBeGreaterThan(2_000);
});

test('a session that asks for it is disconnected after its last words', async () => {
  const on = await port();
  const client = await peer(on);
  client.send('A\n> farewell\nbye\n> unheard\n');
  expect(await client.line()).toBe('1 farewell');
  await client.closed();
  expect(on.notices).toContain('A disconnected: said bye');
  expect(on.sessions.get('A')?.log.at(-1)).toBe('closed');
  expect(await (await peer(on)).ask('A\n> back')).toMatch(/back$/);
});

test('a connection that was ended here neither speaks for nor detaches the connection after it', async () => {
  const on = await port();
  const old = await peer(on);
  old.socket.allowHalfOpen = true;
  expect(await old.ask('A\n> one\nbye')).toBe('1 one');
  await on.noticed('A disconnected');
  const next = await peer(on);
  expect(await next.ask('A\n> two')).toBe('2 two');
  old.send('> from the old connection\n');
  await roundTrip(on);
  old.socket.destroy();
  await expect.poll(() => on.acceptor.connections).toBe(1);
  expect(await next.ask('> three')).toBe('3 three');
  expect(on.notices.filter((notice) => notice.startsWith('A disconnected'))).toHaveLength(1);
});

test('what fails for a connection that is gone does not end the connection after it', async () => {
  class FailingLater extends MemoryStore {
    fail = (_error: Error) => {};

    override messages(): Promise<never> {
      return new Promise((_resolve, reject) => {
        this.fail = reject;
      });
    }
  }
  const store = new FailingLater();
  const on = await port({ store });
  const old = await peer(on);
  expect(await old.ask('A\n> one')).toBe('1 one');
  await old.ask('resend 1 1\n> two');
  old.socket.destroy();
  await on.noticed('A disconnected');
  store.fail(new Error('record 7 is damaged'));
  const next = await peer(on);
  expect(await next.ask('A\n> three')).toBe('3 three');
  expect(await next.ask('> four')).toBe('4 four');
});

test('a read that fails for a replay that a reset has ended costs nobody the connection', async () => {
  const store = new WaitingStore();
  const on = await port({ store });
  const client = await peer(on);
  expect(await client.ask('A\n> old')).toBe('1 old');
  store.reading.close();
  client.send('resend 1 1\n');
  await expect.poll(() => store.reads).toEqual(['1-1']);
  expect(await client.ask('reset\n> new')).toBe('1 new');
  client.send('resend 1 1\n');
  store.reading.fail(new Error('record 7 is damaged'));
  expect(await client.line()).toBe('1 new');
});

test('a session that waits for something receives nothing meanwhile, and all of it behind', async () => {
  const on = await port();
  const client = await peer(on);
  expect(await client.ask('A\n> one')).toBe('1 one');
  let go = () => {};
  const over = new Promise<void>((resolve) => {
    go = resolve;
  });
  on.hosts.get('A')?.act(() => on.sessions.get('A')?.wait(over));
  client.send('> two\n');
  await roundTrip(on);
  client.send('> three\n');
  await roundTrip(on);
  expect(client.unread).toBe('');
  go();
  const lines = [await client.line(), await client.line(), await client.line()];
  expect(lines).toEqual(['2 goes on', '3 two', '4 three']);
  expect(await client.ask('> four')).toBe('5 four');
});

test('what a lost connection waited for is over for the next one', async () => {
  const on = await port();
  const old = await peer(on);
  expect(await old.ask('A\n> one')).toBe('1 one');
  let go = () => {};
  const over = new Promise<void>((resolve) => {
    go = resolve;
  });
  on.hosts.get('A')?.act(() => on.sessions.get('A')?.wait(over));
  old.socket.destroy();
  await on.noticed('A disconnected');
  const next = await peer(on);
  expect(await next.ask('A\n> two')).toBe('2 two');
  go();
  expect(await next.ask('> three')).toBe('3 three');
});

test('a peer that neither reads nor closes after the end is cut off after two seconds', async () => {
  const clock = new ManualClock();
  const on = await port({ clock });
  const client = await peer(on);
  client.socket.pause();
  client.socket.allowHalfOpen = true;
  client.send('A\nbye\n');
  await on.noticed('A disconnected');
  expect(on.acceptor.connections).toBe(1);
  clock.advance(2_000);
  await expect.poll(() => on.acceptor.connections).toBe(0);
});

test('a session is called when its time has come, and no earlier', async () => {
  const clock = new ManualClock();
  const on = await port({ clock });
  const client = await peer(on);
  expect(await client.ask('A\n> one')).toBe('1 one');
  on.hosts.get('A')?.act(() => {
    on.sessions.get('A')!.dueMs = 5_000;
  });
  clock.advance(4_999);
  expect(await client.ask('> two')).toBe('2 two');
  clock.advance(1);
  expect(await client.line()).toBe('3 tick 5000');
});

test('held messages are fetched when asked for', async () => {
  const on = await port();
  const client = await peer(on);
  client.send('A\nhold\nheld\n');
  expect(await client.line()).toBe('waits');
});

test('held messages wait for a peer that does not read, however many they are', async () => {
  const store = new WaitingStore();
  const on = await port({ store });
  const client = await peer(on);
  expect(await client.ask('A\n> one')).toBe('1 one');
  client.socket.pause();
  const unread = () => on.hosts.get('A')?.unreadBytes ?? 0;
  const text = 'x'.repeat(64 * 1024);
  while (unread() < 1024 * 1024) {
    on.hosts.get('A')?.act(() => on.sessions.get('A')?.say(text));
    await roundTrip(on);
  }
  client.send('hold\nheld\n');
  await roundTrip(on);
  expect(store.reads).toEqual([]);
  client.socket.resume();
  while ((await client.line()) !== 'waits');
  expect(store.reads).toEqual(['held after 0']);
});

test('a store that cannot be read costs the peer its connection, with a reason, and is an alarm once a minute', async () => {
  class Unreadable extends MemoryStore {
    override async messages(): Promise<never> {
      throw new Error('record 7 is damaged');
    }
  }
  const on = await port({ store: new Unreadable() });
  const text = 'stored messages cannot be read: record 7 is damaged';
  for (let times = 1; times < 3; times += 1) {
    const client = await peer(on);
    client.send('A\nresend 1 2\n');
    await client.closed();
    expect(on.notices.filter((one) => one === `A disconnected: ${text}`)).toHaveLength(times);
  }
  expect(on.notices.filter((one) => one.includes('unreadable'))).toEqual([`A unreadable: ${text}`]);
});

test('a session that retires takes no other connection, and it is known when the present one has ended', async () => {
  const on = await port();
  const client = await peer(on);
  expect(await client.ask('A\n> one')).toBe('1 one');
  const retired = on.hosts.get('A')?.retire();
  const next = await peer(on);
  next.send('A\n');
  await next.closed();
  expect(await client.ask('> two')).toBe('2 two');
  client.send('bye\n');
  await retired;
  expect(on.notices).toContain('A disconnected: said bye');
  await on.hosts.get('A')?.retire();
  const late = await peer(on);
  late.send('A\n');
  await late.closed();
});

test('a stopped session is closed and takes no new connection', async () => {
  const on = await port();
  const client = await peer(on);
  expect(await client.ask('A\n> one')).toBe('1 one');
  on.hosts.get('A')?.stop();
  await client.closed();
  const next = await peer(on);
  next.send('A\n');
  await next.closed();
});

test('a stopped session leaves no connection behind, although its peer never closes and no time passes', async () => {
  const on = await port({ clock: new ManualClock() });
  const client = await peer(on);
  client.socket.allowHalfOpen = true;
  expect(await client.ask('A\n> one')).toBe('1 one');
  on.hosts.get('A')?.stop();
  await expect.poll(() => on.acceptor.connections).toBe(0);
});
