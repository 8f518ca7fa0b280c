import { expect, test } from 'vitest';
import { Inbox } from '../../src/certify/inbox.ts';
import type { Incoming } from '../../src/certify/received-message.ts';

const { signal } = new AbortController();
const byPeer: Incoming = { kind: 'closed', by: 'peer' };
const byBridge: Incoming = { kind: 'closed', by: 'bridge' };
const isOf = (wanted: Incoming) => (one: Incoming) => one === wanted;
const soon = () => performance.now() + 20;

test('what is wanted is taken out of its turn, and the rest stays', async () => {
  const inbox = new Inbox();
  inbox.push(byPeer);
  inbox.push(byBridge);
  expect(await inbox.take(isOf(byBridge), soon(), signal)).toBe(byBridge);
  expect(inbox.waiting).toEqual([byPeer]);
});

test('a wait ends with its time, or with the run', async () => {
  const inbox = new Inbox();
  expect(await inbox.take(() => true, soon(), signal)).toBeUndefined();
  const run = new AbortController();
  const waiting = inbox.take(() => true, performance.now() + 60_000, run.signal);
  run.abort();
  expect(await waiting).toBeUndefined();
});

test('time in which the process did not run is not counted against who speaks', async () => {
  const inbox = new Inbox();
  const waiting = inbox.take(() => true, soon(), signal);
  // Due behind the end of the wait, but both are looked at when the process runs again.
  setTimeout(() => inbox.push(byPeer), 40);
  const endMs = performance.now() + 250;
  while (performance.now() < endMs);
  expect(await waiting).toBe(byPeer);
});

test('a peer that never stops sending does not fill the memory, and the end of its connection is not dropped', async () => {
  const inbox = new Inbox();
  const message = { kind: 'message', from: 'peer' } as Incoming;
  for (let said = 0; said < 20_001; said += 1) inbox.push(message);
  expect(inbox.waiting).toHaveLength(20_000);
  inbox.push(byPeer);
  expect(await inbox.take(isOf(byPeer), soon(), signal)).toBe(byPeer);
});
