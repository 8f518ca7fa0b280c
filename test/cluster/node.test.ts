/** A node with two shards in this process: which shard a client's connection goes to, and what changes while it runs. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { writeCredentials } from '../../src/fixp/credentials.ts';
import { framed } from '../../src/fixp/framing.ts';
import { FlowType } from '../../src/fixp/generated/codes.ts';
import { writeSessionMessage } from '../../src/fixp/session-messages.ts';
import { until } from '../support/waits.ts';
import { SmallNode } from './small-node.ts';

let small: SmallNode;

beforeAll(async () => {
  small = await SmallNode.make();
  await small.open();
});

afterAll(() => small.close());

function negotiate(username: string): Buffer {
  const message = writeSessionMessage({
    name: 'Negotiate',
    sessionId: '00'.repeat(16),
    timestamp: 1n,
    clientFlow: FlowType.Idempotent,
    credentials: writeCredentials({ username, password: 'x' }),
  });
  return Buffer.from(framed(message, 'big'));
}

test('SenderCompID(49) of FIX and the user of FIXP lead to the shard of the session, and an unknown one to none', async () => {
  expect(await small.logon('ALPHA')).toBe('desk-a fix 127.0.0.1 ALPHA');
  expect(await small.logon('BRAVO')).toBe('desk-b fix 127.0.0.1 BRAVO');
  expect(await small.answer('fixp', negotiate('delta'))).toMatch(/^desk-a fixp/);
  expect(await small.answer('fixp', negotiate('echo'))).toMatch(/^desk-b fixp/);
  expect(await small.logon('NOBODY')).toBe('');
  // Neither the name of a FIXP session nor that of a user is a SenderCompID(49).
  expect(await small.logon('DELTA')).toBe('');
  expect(await small.logon('alpha')).toBe('');
});

test('a node is ready once all of its shards are served, and names those that are not; clients wait for them', async () => {
  const slow = await SmallNode.make('slow');
  try {
    await slow.node.open();
    expect(slow.node.notReady).toEqual(['shard desk-a is starting', 'shard desk-b is starting']);
    // A client is not kept for as long as two processes may take to start on a busy machine.
    await until(() => slow.notes.length === 2);
    const early = slow.logon('ALPHA');
    await slow.node.reload();
    await until(() => slow.node.notReady.length === 0);
    expect(await early).toBe('desk-a fix 127.0.0.1 ALPHA');
  } finally {
    await slow.close();
  }
});

test('three failed logons that a worker reports block their name at their address, and no other name there', async () => {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect(await small.logon('CHARLIE', 'guess')).toMatch(/^desk-a/);
  }
  await until(() => small.notices.some((text) => text.includes('is blocked there for a while')));
  expect(await small.logon('CHARLIE')).toBe('');
  expect(await small.logon('ALPHA')).toMatch(/^desk-a/);
});

test('an act is confirmed by both shards of the node, with the name of the node', async () => {
  const by = { who: 'ops', why: 'wrong prices' };
  const report = await small.node.acts.carryOut(by, { kind: 'kill', scope: { kind: 'all' } });
  expect(report.confirmed.map(({ node, shard }) => [shard, node])).toEqual([
    ['desk-a', 'n1'],
    ['desk-b', 'n1'],
  ]);
  expect(report.unconfirmed).toEqual([]);
});

test('what Node compiles for the workers is kept in a directory of the bridge', () => {
  expect(existsSync(join(small.directory, 'gateway', 'compiled'))).toBe(true);
});

test('a reload that joins two shards is refused, and changes nothing', async () => {
  const undo = small.changeSessions((sessions) =>
    sessions
      .filter(({ senderCompId }) => senderCompId !== 'BRAVO')
      .map((one) =>
        one.senderCompId === 'ALPHA' ? { ...one, accounts: ['desk-a', 'desk-b'] } : one,
      ),
  );
  await expect(small.node.reload()).rejects.toThrow('only a restart can change shards');
  expect(await small.logon('BRAVO')).toBe('desk-b fix 127.0.0.1 BRAVO');
  expect(small.notes.filter((note) => note.endsWith('reload'))).toEqual([]);
  undo();
});

test.each<[key: string, file: 'cluster' | 'gateway', change: object]>([
  ['fix', 'gateway', { fix: { listen: { host: '127.0.0.1', port: 1 } } }],
  ['alarmWebhook', 'gateway', { alarmWebhook: { urlFile: 'url' } }],
  ['fix', 'cluster', { nodes: [{ name: 'n1', fix: { listen: { port: 1 } } }] }],
  ['status', 'cluster', { nodes: [{ name: 'n1', status: { listen: { port: 1 } } }] }],
  ['holdMs', 'cluster', { holdMs: 1 }],
])(
  'a reload of another %s of the %s, which needs a restart, is refused',
  async (key, name, change) => {
    const file = join(small.directory, `${name}.yaml`);
    const before = readFileSync(file, 'utf8');
    writeFileSync(join(small.directory, 'url'), 'http://127.0.0.1:1', { mode: 0o600 });
    writeFileSync(file, stringify({ ...parse(before), ...change }), { mode: 0o600 });
    await expect(small.node.reload()).rejects.toThrow(`only a restart can change ${key}`);
    expect(small.notes.filter((note) => note.endsWith('reload'))).toEqual([]);
    writeFileSync(file, before, { mode: 0o600 });
  },
);

test('a session that is configured into another shard than its data stops a reload, and a start', async () => {
  const undo = small.changeSessions((sessions) =>
    sessions.map((one) => (one.senderCompId === 'BRAVO' ? { ...one, accounts: ['desk-a'] } : one)),
  );
  const refusal = /session BRAVO has its data in shard desk-b/;
  await expect(small.node.reload()).rejects.toThrow(refusal);
  expect(await small.logon('BRAVO')).toBe('desk-b fix 127.0.0.1 BRAVO');
  const next = small.again();
  await expect(next.open()).rejects.toThrow(refusal);
  await next.close();
  undo();
});

test('a reload brings clients of a new session to their shard, and reaches every worker', async () => {
  small.changeSessions((sessions) => [
    ...sessions,
    ...sessions
      .filter(({ senderCompId }) => senderCompId === 'ALPHA')
      .map((one) => ({ ...one, senderCompId: 'NEWCOMER' })),
  ]);
  expect(await small.logon('NEWCOMER')).toBe('');
  await small.node.reload();
  expect(await small.logon('NEWCOMER')).toBe('desk-a fix 127.0.0.1 NEWCOMER');
  await until(() => small.notes.filter((note) => note.endsWith('reload')).length === 2);
});

test('a drain ends one worker after the other, once, and the node is not ready after that', async () => {
  const before = small.notes.length;
  await Promise.all([small.node.drain(), small.node.drain(), small.node.whenDrained]);
  expect(small.notes.slice(before)).toEqual(['desk-a stop', 'desk-b stop']);
  expect(small.node.notReady).toEqual([
    'the node is draining',
    'shard desk-a is stopped',
    'shard desk-b is stopped',
  ]);
  expect(small.node.keepers.map(({ pid }) => pid)).toEqual([undefined, undefined]);
});
