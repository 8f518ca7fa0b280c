/**
 * Two nodes with one database, from outside. The first has both shards, and clients connect to the second.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listOf } from '../acceptance/parity/lanes.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { FixpPeer } from '../support/fixp-peer.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import { sandboxProfile } from '../support/quick-files.ts';
import type { RunProcess } from '../support/run-process.ts';
import { clients, order, reported, Stand } from './stand.ts';

const { alpha, bravo, echo } = clients;
const listed = listOf({ profile: sandboxProfile });
let server: PostgresServer;
let stand: Stand;
let first: RunProcess;
let second: RunProcess;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  const store = { postgres: { hosts: [`127.0.0.1:${server.port}`], user: bridgeRole } };
  stand = await Stand.open(() => ({ store, durability: 'power' }));
  first = stand.node('n1');
  for (const shard of ['desk-a', 'desk-b']) await first.says(new RegExp(`${shard} is served`));
  second = stand.node('n2');
  await second.says(/status on/);
}, 120_000);

afterAll(async () => {
  await stand.stop();
  await server.stop();
}, 120_000);

test('clients of both protocols trade at a node that does not have their shards, and with each other', async () => {
  const a = await FixPeer.connect(await second.port(), alpha);
  const b = await FixpPeer.connect(await second.fixpPort(), echo, listed);
  for (const peer of [a, b]) expect(typeOf(await peer.logon())).toBe('A');
  a.say(`D|11=maker|${order}`);
  await reported(a, 'maker', '0');
  b.say(`D|11=taker|${order.replace('54=1', '54=2')}`);
  await reported(b, 'taker', 'F');
  await reported(a, 'maker', 'F');
  for (const peer of [a, b]) peer.hangUp();
});

test('a wrong password is refused, and after three the address is blocked where the client is', async () => {
  for (let guess = 0; guess < 3; guess += 1) {
    const peer = await FixPeer.connect(await second.port(), { ...bravo, password: 'wrong' });
    expect(fieldOf(await peer.logon(), '58')).toMatch(/wrong credentials/);
  }
  await second.says(/failed too often and is blocked/);
});
