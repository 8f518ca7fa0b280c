/**
 * Two nodes with one database and a signer each. While one cannot reach its signer, the other one has all shards, and keeps them;
 * when the other one loses its signer, they move.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CertifySigner } from '../../src/cli/certify/signer.ts';
import { connectToPrimary } from '../../src/store/postgres/connection.ts';
import { listShards } from '../../src/store/postgres/lease.ts';
import { FixPeer, typeOf } from '../support/fix-peer.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import { RunProcess } from '../support/run-process.ts';
import { clients, order, reported, Stand } from './stand.ts';

let server: PostgresServer;
let stand: Stand;
let signer: CertifySigner;
let n2: RunProcess;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  const store = { postgres: { hosts: [`127.0.0.1:${server.port}`], user: bridgeRole } };
  stand = await Stand.open(() => ({ store, durability: 'power' }));
});

afterAll(async () => {
  await stand.stop();
  await signer.stop();
  await server.stop();
});

const owners = async () => {
  const connection = await connectToPrimary(server.place, 'process');
  const rows = await listShards(connection);
  await connection.close();
  return rows.map(({ epoch, node, shard }) => ({ epoch, node, shard }));
};

/** The signer of the other node, which is not running yet. */
function signerOf(socket: string): CertifySigner {
  const file = join(stand.directory, 'other-signer.yaml');
  cpSync(join(stand.directory, 'signer.yaml'), file);
  stand.change(file, { socket, dataDir: 'other-signer' });
  return new CertifySigner(file);
}

test('a node that cannot reach the signer takes no shard, not even a free one, and gets none from the other node', async () => {
  signer = signerOf('no-signer.sock');
  const file = stand.withDataDir('other');
  stand.change(file.replace('cluster.yaml', 'gateway.yaml'), {
    signer: { mode: 'process', socket: 'no-signer.sock' },
  });
  n2 = stand.started(new RunProcess(file, ['--name', 'n2'], [], 'node'));
  await n2.says(/signer is not there yet: .*ENOENT/);
  expect(await owners()).toEqual([]);
  const n1 = stand.node('n1');
  for (const shard of ['desk-a', 'desk-b']) await n1.says(new RegExp(`${shard} is served`));
  const served = ['desk-a', 'desk-b'].map((shard) => ({ epoch: 1, node: 'n1', shard }));
  expect(await owners()).toEqual(served);
  const text = /desk-. stays here: node n2 is not ready to serve it: the signer did not answer/;
  // A minute later n1 has two shards more than the other node.
  await expect.poll(() => n1.said, { timeout: 100_000 }).toMatch(text);
  expect(await owners()).toEqual(served);
  await n2.says(/this node, n2, is not ready to serve shard desk-.: the signer did not answer/);
});

test('the shards of a node that loses its signer move to the one that has its own, and clients trade there', async () => {
  await signer.start();
  await stand.signer.stop();
  for (const shard of ['desk-a', 'desk-b'])
    await expect
      .poll(async () => (await owners()).find((row) => row.shard === shard), { timeout: 150_000 })
      .toEqual({ epoch: 2, node: 'n2', shard });
  await expect.poll(() => n2.said).toMatch(/desk-a is served/);
  const peer = await FixPeer.connect(await n2.port(), clients.alpha);
  expect(typeOf(await peer.logon())).toBe('A');
  peer.say(`D|11=moved|${order}`);
  await reported(peer, 'moved', '0');
  peer.hangUp();
  expect((await owners()).map(({ epoch, node }) => [epoch, node])).toEqual([
    [2, 'n2'],
    [2, 'n2'],
  ]);
});
