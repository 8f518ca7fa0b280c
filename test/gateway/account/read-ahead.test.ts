/** What the next owner of a shard reads while another one still writes: when it counts, and that nothing is missing behind it. */
import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ReadAhead } from '../../../src/gateway/account/read-ahead.ts';
import { loadConfig } from '../../../src/gateway/config/config-file.ts';
import { freeShard } from '../../../src/gateway/data/shard-store.ts';
import { Gateway } from '../../../src/gateway/gateway.ts';
import { PositionConflict } from '../../../src/store/store.ts';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../../support/fix-peer.ts';
import { bridgeRole, PostgresServer } from '../../support/postgres.ts';
import { until } from '../../support/waits.ts';

let server: PostgresServer;
let bridge: Bridge;
const opened: Gateway[] = [];

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  const hosts = [`127.0.0.1:${server.port}`];
  const store = { postgres: { hosts, user: bridgeRole } };
  bridge = await startBridge({ config: { store, durability: 'power' } });
});

afterAll(async () => {
  await bridge.stop();
  await server.stop();
});

const loaded = () => loadConfig(bridge.configFile);

/** As the worker of a node opens its shard. */
async function open(ahead: ReadAhead, seenEpoch: number): Promise<Gateway> {
  const gateway = await Gateway.open({
    ...{ ahead, loaded: loaded(), alarm: () => {}, notice: () => {} },
    claim: { owner: { node: 'n2', address: '' }, seenEpoch },
    fatal(error) {
      throw error;
    },
  });
  opened.push(gateway);
  return gateway;
}

const order = (id: string) => `D|11=${id}|55=BTC-USDC|54=2|38=0.01|40=2|44=70000|59=1|60=now`;
const accepted = (peer: FixPeer, id: string) =>
  peer.next((text) => fieldOf(text, '11') === id && fieldOf(text, '150') === '0');

test('the next owner has the trades since it read ahead, and another process that read the same gets nothing', async () => {
  const client = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  expect(typeOf(await client.logon())).toBe('A');
  for (const id of ['first', 'second']) {
    client.say(order(id));
    await accepted(client, id);
  }
  const [ahead, rival] = [await ReadAhead.of(loaded()), await ReadAhead.of(loaded())];
  client.say('F|11=x|41=first|55=BTC-USDC|54=2|60=now');
  await client.next((text) => fieldOf(text, '150') === '4');
  client.say(order('third'));
  await accepted(client, 'third');
  const { accounts } = bridge.gateway;
  await bridge.restart(async () => {
    const events = bridge.sandbox.venue.state.exchange.lastSeq(
      accounts[0]?.bound.runner.account ?? '',
    );
    const epoch = await freeShard(server.place, 'gateway', { withinMs: 10_000 });
    const results = await Promise.allSettled([open(ahead, epoch), open(rival, epoch)]);
    const failed = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(failed).toEqual([expect.any(PositionConflict)]);
    const [next] = opened;
    for (const { bound } of next?.accounts ?? []) {
      const { account, orders } = bound.runner;
      const before = accounts.find((one) => one.bound.runner.account === account)?.bound.runner
        .orders;
      expect([...orders.open()]).toEqual([...(before?.open() ?? [])]);
      // It was not read a second time.
      const read = [ahead, rival].map((one) => one.engineOf(account)?.replay.orders);
      expect(read).toContain(orders);
    }
    expect(next?.accounts[0]?.bound.runner.orders.openCount).toBe(2);
    const seq = bridge.sandbox.venue.state.exchange.lastSeq(
      accounts[0]?.bound.runner.account ?? '',
    );
    expect(seq).toBe(events);
    await next?.stop();
  });
  // A start that has read nothing before finds what that owner left.
  expect(bridge.gateway.accounts[0]?.bound.runner.orders.openCount).toBe(2);
});

test('it counts for nothing if the connection was lost, or the configuration or the profile is another one', async () => {
  const ahead = await ReadAhead.of(loaded());
  expect(ahead.isFor(loaded())).toBe(true);
  const { config, path } = loaded();
  expect(ahead.isFor({ ...loaded(), config: { ...config, journalDays: 9 } })).toBe(false);
  const admin = await server.admin('causeway');
  // Of whatever became primary meanwhile nobody knows whether it has what was read.
  await admin.run(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${bridgeRole}' and query = 'commit'`,
  );
  await admin.close();
  await until(() => !ahead.isFor(loaded()));
  const other = await ReadAhead.of(loaded());
  appendFileSync(path(config.venue.profile), '\n# changed\n');
  expect(other.isFor(loaded())).toBe(false);
  other.close();
  ahead.close();
});
