/**
 * The wall clock of the database steps by an hour in each direction while a client trades. No order is lost or sent twice, and no
 * shard moves because of a clock. libfaketime sets the clock of one process tree alone.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectToPrimary } from '../../src/store/postgres/connection.ts';
import { listShards } from '../../src/store/postgres/lease.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import type { RunProcess } from '../support/run-process.ts';
import { until } from '../support/waits.ts';
import { clients, Stand } from './stand.ts';

const { alpha } = clients;
const library = (() => {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib') : [];
  return folders
    .map((folder) => `/usr/lib/${folder}/faketime/libfaketimeMT.so.1`)
    .find((file) => existsSync(file));
})();
/** apt-get install faketime */
const isSkipped = library === undefined;
const hourS = 3_600;
/** Within which a client that was disconnected logs on again; a busy machine takes its time. */
const withinMs = 90_000;
let folder: string;
let server: PostgresServer;
let stand: Stand;
let n1: RunProcess;
/** How many orders there were so far. */
let count = 0;

/** The database reads its clock from this file. */
const clockFile = () => join(folder, 'database');

function step(seconds: number): void {
  writeFileSync(clockFile(), `${seconds < 0 ? '' : '+'}${seconds}`, { mode: 0o644 });
}

beforeAll(async () => {
  if (isSkipped) return;
  folder = mkdtempSync(join(tmpdir(), 'clock-steps-'));
  // The server runs as another user, and reads its clock there.
  execFileSync('chmod', ['755', folder]);
  step(0);
  server = await PostgresServer.start(
    { fsync: 'off' },
    {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: clockFile(),
      FAKETIME_NO_CACHE: '1',
      // A step of the wall clock does not move the clock that only counts.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  );
  const store = { postgres: { hosts: [`127.0.0.1:${server.port}`], user: bridgeRole } };
  stand = await Stand.open(() => ({ store, durability: 'power' }));
  n1 = stand.node('n1');
  for (const shard of ['desk-a', 'desk-b']) {
    await until(() => n1.said.includes(`${shard} is served`), withinMs);
  }
  const n2 = stand.node('n2');
  await until(() => n2.said.includes('status on'), withinMs);
});

afterAll(async () => {
  if (isSkipped) return;
  await stand.stop();
  await server.stop();
  rmSync(folder, { recursive: true });
});

async function ownerOf(shard: string): Promise<string> {
  const connection = await connectToPrimary(server.place, 'process');
  const row = (await listShards(connection)).find((one) => one.shard === shard);
  await connection.close();
  return `${row?.node} with epoch ${row?.epoch}`;
}

async function loggedOn(): Promise<FixPeer> {
  const peer = await FixPeer.connect(await n1.port(), alpha);
  expect(typeOf(await peer.logon())).toBe('A');
  return peer;
}

interface Sent {
  readonly id: string;
  readonly qty: string;
  outcome: 'accepted' | 'refused' | 'unknown';
  text: string;
}

async function answered(peer: FixPeer, sent: Sent): Promise<void> {
  const isAnswer = (text: string) =>
    (fieldOf(text, '11') === sent.id && '08'.includes(fieldOf(text, '150') ?? '-')) ||
    (typeOf(text) === 'j' && fieldOf(text, '379') === sent.id);
  const endMs = Date.now() + withinMs;
  while (sent.outcome === 'unknown' && Date.now() < endMs) {
    try {
      const text = await peer.next(isAnswer);
      sent.outcome = fieldOf(text, '150') === '0' ? 'accepted' : 'refused';
      sent.text = fieldOf(text, '58') ?? '';
    } catch {
      // It was disconnected, or the answer takes longer.
      if (peer.isClosed) return;
    }
  }
}

async function trades(peer: FixPeer, orders: number): Promise<readonly Sent[]> {
  const all: Sent[] = [];
  for (let each = 0; each < orders && !peer.isClosed; each += 1) {
    count += 1;
    const qty = `${(10 + count) / 1_000}`;
    const sent: Sent = { id: `c${count}`, qty, outcome: 'unknown', text: '' };
    all.push(sent);
    peer.say(`D|11=${sent.id}|55=BTC-USDC|54=1|38=${qty}|40=2|44=40000|59=1|60=now`);
    await answered(peer, sent);
    if (sent.outcome === 'accepted') {
      peer.say(`F|11=x${sent.id}|41=${sent.id}|55=BTC-USDC|54=1|60=now`);
    }
  }
  return all;
}

/** Of the venue's orders with this quantity; no two orders here have the same. */
function atVenue(qty: string): number {
  const { orders } = stand.venue.ledger();
  return orders.filter((order) => Number(order.qty) === Math.round(Number(qty) * 1e8)).length;
}

test.skipIf(isSkipped)(
  'the clock of the database steps: every order is accepted and once at the venue, and the shard stays where it is',
  async () => {
    const peer = await loggedOn();
    const before = await ownerOf('desk-a');
    for (const seconds of [hourS, -hourS, 0]) {
      step(seconds);
      for (const { outcome, qty } of await trades(peer, 10)) {
        expect([outcome, atVenue(qty)]).toEqual(['accepted', 1]);
      }
    }
    expect(await ownerOf('desk-a')).toBe(before);
    peer.hangUp();
  },
);
