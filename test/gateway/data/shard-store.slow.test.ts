/** The bridge on a database: it trades, dies, and another one continues with the same numbers; only one at a time does. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProcessOptions } from '../../../src/gateway/client-side.ts';
import { loadConfig } from '../../../src/gateway/config/config-file.ts';
import { DataHeld } from '../../../src/gateway/data/data-lock.ts';
import { freeShard } from '../../../src/gateway/data/shard-store.ts';
import { Gateway } from '../../../src/gateway/gateway.ts';
import { type Outside, realOutside } from '../../../src/gateway/outside.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import type { Signer } from '../../../src/signer/signer.ts';
import { connectToPrimary } from '../../../src/store/postgres/connection.ts';
import { leaseMs, listShards } from '../../../src/store/postgres/lease.ts';
import { PositionConflict } from '../../../src/store/store.ts';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../../support/fix-peer.ts';
import { bridgeRole, PostgresServer } from '../../support/postgres.ts';
import { RunProcess } from '../../support/run-process.ts';

let server: PostgresServer;
let bridge: Bridge;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  const hosts = [`127.0.0.1:${server.port}`];
  const store = { postgres: { hosts, user: bridgeRole } };
  bridge = await startBridge({ config: { store, durability: 'power', shutdownGraceMs: 500 } });
});

afterAll(async () => {
  await bridge.stop();
  await server.stop();
});

const time = () => new Date().toISOString().replaceAll('-', '').replace('T', '-').slice(0, 17);
const order = (id: string, side: 1 | 2) =>
  `D|11=${id}|55=BTC-USDC|54=${side}|38=0.01|40=2|44=40000|59=1|60=${time()}`;

test('a bridge on a database that was killed is continued elsewhere, with its orders and numbers', async () => {
  let nextOut = 0;
  let lastHeard = 0;
  await bridge.restart(async () => {
    const killed = new RunProcess(bridge.configFile);
    const client = await FixPeer.connect(await killed.port(), bridge.user('ALPHA'));
    expect(typeOf(await client.logon(''))).toBe('A');
    client.say(order('resting', 2));
    expect(fieldOf(await client.heard(), '150')).toBe('A');
    const resting = await client.heard();
    expect([fieldOf(resting, '150'), fieldOf(resting, '39')]).toEqual(['0', '0']);
    lastHeard = Number(fieldOf(resting, '34'));
    nextOut = client.nextOut;
    await killed.kill();
    // Another machine has none of the files.
    const { config, path } = loadConfig(bridge.configFile);
    const note = readFileSync(join(path(config.dataDir), 'gateway.db'), 'utf8');
    expect(note).toBe('The store is in shard gateway of database causeway.\n');
    rmSync(path(config.dataDir), { recursive: true });
  });
  const client = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  client.nextOut = nextOut;
  const logon = await client.logon('');
  expect([typeOf(logon), fieldOf(logon, '34')]).toEqual(['A', String(lastHeard + 1)]);
  const taker = await FixPeer.connect(bridge.gateway.port, bridge.user('BRAVO'));
  expect(typeOf(await taker.logon(''))).toBe('A');
  taker.say(order('taking', 1));
  for (const [peer, id] of [
    [client, 'resting'],
    [taker, 'taking'],
  ] as const) {
    const fill = await peer.next((message) => fieldOf(message, '150') === 'F');
    expect([fieldOf(fill, '11'), fieldOf(fill, '39')]).toEqual([id, '2']);
    peer.hangUp();
  }
});

test('a shard that a process owns is not free, and is as soon as it stops', async () => {
  await expect(freeShard(server.place, 'gateway', { withinMs: 0 })).rejects.toThrow(DataHeld);
  await bridge.restart(async () => {
    expect(await freeShard(server.place, 'gateway', { withinMs: 0 })).toBeGreaterThan(0);
  });
});

test('a bridge whose database hangs is stopped all the same, whatever its clients and the venue sent meanwhile', async () => {
  const client = await FixPeer.connect(bridge.gateway.port, bridge.user('CHARLIE'));
  expect(typeOf(await client.logon(''))).toBe('A');
  const admin = await server.admin('causeway');
  await admin.run('begin; lock table causeway.shards in access exclusive mode');
  client.say(order('never recorded', 2));
  await bridge.admin('POST', '/markets/1', { status: 'halt' });
  await bridge.restart(async () => {
    await admin.run('rollback');
    await admin.close();
    await bridge.admin('POST', '/markets/1', { status: 'resume' });
  });
  const again = await FixPeer.connect(bridge.gateway.port, bridge.user('CHARLIE'));
  again.nextOut = client.nextOut;
  await again.logon('');
  // The bridge asks again for what it has not recorded.
  expect(fieldOf(await again.next((message) => typeOf(message) === '2'), '7')).toBe('2');
  again.hangUp();
});

/** As the worker of a node opens the shard that it has seen with this epoch; with a signer in another process or inside. */
function open(
  seenEpoch: number,
  openSigner: Outside['openSigner'],
  { signer, ...more }: Partial<ProcessOptions> & { readonly signer?: 'inside' } = {},
): Promise<Gateway> {
  const { config, ...rest } = loadConfig(bridge.configFile);
  const separate = { signer: { mode: 'process', socket: 'signer.sock' } } as const;
  return Gateway.open({
    loaded: { ...rest, config: { ...config, ...(signer === undefined && separate) } },
    claim: { owner: { node: 'n2', address: '' }, seenEpoch },
    outside: { ...realOutside, openSigner },
    ...{ alarm: () => {}, notice: () => {}, ...more },
    fatal(error) {
      throw error;
    },
  });
}

const epochNow = () => freeShard(server.place, 'gateway', { withinMs: 0 });

test('a process whose signer is away has not taken the shard', async () => {
  await bridge.restart(async () => {
    const epoch = await epochNow();
    const away = () => Promise.reject(new Error('the signer did not answer'));
    await expect(open(epoch, away)).rejects.toThrow('the signer did not answer');
    expect(await epochNow()).toBe(epoch);
  });
});

test('a process that has greeted the signer, and finds the shard taken, closes the connection to the signer', async () => {
  await bridge.restart(async () => {
    const did: string[] = [];
    const signer = { close: async () => void did.push('closed') } as Partial<Signer> as Signer;
    const greeted = async () => {
      did.push('greeted');
      return signer;
    };
    await expect(open((await epochNow()) - 1, greeted)).rejects.toThrow(PositionConflict);
    expect(did).toEqual(['greeted', 'closed']);
  });
});

test('a signer inside the process, which takes its ledger from another one, is opened by the owner of the shard only', async () => {
  await bridge.restart(async () => {
    let isOpened = false;
    const inside: Outside['openSigner'] = (...all) => {
      isOpened = true;
      return realOutside.openSigner(...all);
    };
    const signer = 'inside' as const;
    await expect(open((await epochNow()) - 1, inside, { signer })).rejects.toThrow(
      PositionConflict,
    );
    expect(isOpened).toBe(false);
  });
});

test('an owner that was taken for dead keeps its shard if it is found alive once the signer answers', async () => {
  const connection = await connectToPrimary(server.place, 'process');
  const [{ epoch: seenEpoch = 0 } = {}] = await listShards(connection);
  await connection.close();
  const claim = { owner: { node: 'n2', address: '' }, seenEpoch, isOver: true };
  const clock = new ManualClock();
  const signer = { close: async () => {} } as Partial<Signer> as Signer;
  const late = async () => {
    clock.advance(leaseMs);
    return signer;
  };
  await expect(open(seenEpoch, late, { claim, clock })).rejects.toThrow(PositionConflict);
  const client = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  expect(typeOf(await client.logon())).toBe('A');
  client.hangUp();
});
