/**
 * The scenarios of a failover, played on a cluster: the node that has the session's shard is killed as a machine would be, and another
 * node has the shard from the database. V-03 goes on at the same address, which a balancer leads to a node that lives; V-10 at the
 * address of the other node.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Certification } from '../../src/certify/certification.ts';
import { parseInterview } from '../../src/certify/interview.ts';
import { calling } from '../../src/certify/port.ts';
import { loadCatalogue } from '../../src/certify/scenario.ts';
import { passwordOf } from '../long/cluster/files.ts';
import { type ClusterNode, ClusterStand, fixSession, set } from '../long/cluster/stand.ts';
import { binaries } from '../support/postgres.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { outcomesOf, reasonsOf } from './certify-peers.ts';

const shard = 'shard-1';
const host = '127.0.0.1';
const patienceMs = 170_000;
const catalogue = loadCatalogue(join(import.meta.dirname, '../../certification'));
let stand: ClusterStand;

beforeAll(async () => {
  binaries();
  stand = await ClusterStand.open({
    ...{ seed: 1, shards: 1, nodes: 2, ordersPerSecond: 0, random: Math.random },
    sessions: 2,
    database: join(import.meta.dirname, '../long/cluster/postgres-pair.ts'),
  });
  stand.start();
}, patienceMs);

afterAll(async () => {
  await stand.stop(false);
}, patienceMs);

/** The node that has the shard, and the other one. */
async function owner(): Promise<readonly [ClusterNode, ClusterNode]> {
  for (;;) {
    const found = await stand.ownerOf(shard);
    const other = stand.nodes.find((node) => node !== found);
    if (found?.machine.isRunning === true && other?.machine.isRunning === true) {
      for (const { machine } of [found, other]) await machine.says(/FIX 4\.4 on port/);
      await found.machine.says(new RegExp(`shard ${shard} is served`));
      return [found, other];
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test.each([
  ['V-03', 'fail over', fixSession(1, 0)],
  ['V-10', 'lose site', fixSession(1, 1)],
])(
  '%s passes on a cluster',
  async (id, act, session) => {
    for (const { machine } of stand.nodes) if (!machine.isRunning) machine.start();
    const [first, second] = await owner();
    const isMoved = act === 'lose site';
    const balancer = await TcpProxy.to(first.lines.fix.port);
    const acts: string[] = [];
    const certification = new Certification({
      catalogue,
      interview: parseInterview(
        JSON.stringify({
          counterparty: { name: 'Causeway', software: 'causeway node', version: 'cluster' },
          direction: 'initiator',
          session: { senderCompId: 'CAUSEWAY', targetCompId: session, heartBtInt: 5 },
          address: { port: 0, backup: second.fix },
          credentials: { username: session, passwordFile: 'none' },
          features: ['orders', 'standby', 'backupSite'],
          patience: { connectS: 60, answerS: 30 },
        }),
        'the interview of a cluster',
      ),
      port: calling({ host, port: balancer.port, ...(isMoved && { backup: second.fix }) }),
      password: passwordOf(session),
      hand: {
        async act({ line, who }) {
          if (who !== 'bridge') return;
          acts.push(line);
          // The client learns of the failure once the other node serves, however long that takes on a busy machine.
          set(balancer, 'hold');
          const times = () => second.machine.said.split(`shard ${shard} is served`).length;
          const before = times();
          await first.machine.kill();
          await expect.poll(times).toBeGreaterThan(before);
          set(balancer, 'pass');
          balancer.aim(second.lines.fix.port);
          if (isMoved) await balancer.close();
          else balancer.reset();
        },
        stop: async () => {},
      },
      isAttended: false,
      versions: { causeway: 'cluster', dictionaryHash: 'of these files' },
    });
    try {
      const run = await certification.run([id]);
      expect(outcomesOf(run), reasonsOf(run)).toEqual({ passed: [id] });
      expect(acts).toEqual([act]);
      // It is served by the other node.
      expect((await stand.ownerOf(shard))?.machine.name).toBe(second.machine.name);
    } finally {
      await certification.close();
      if (!isMoved) await balancer.close();
    }
  },
  patienceMs,
);
