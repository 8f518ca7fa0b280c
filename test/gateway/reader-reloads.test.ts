/** Reloads and restarts that change who reads drop copies, or whose orders they are of, over real sockets. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { type DemoSession, demoSessions } from '../../src/cli/demo-files.ts';
import { loadConfig } from '../../src/gateway/config/config-file.ts';
import { realOutside } from '../../src/gateway/outside.ts';
import type { Write } from '../../src/store/store.ts';
import { listOf } from '../acceptance/parity/lanes.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { FixpPeer } from '../support/fixp-peer.ts';

vi.setConfig({ testTimeout: 60_000 });

let bridge: Bridge;
let peers: (FixPeer | FixpPeer)[] = [];

afterEach(async () => {
  for (const peer of peers) peer.hangUp();
  await bridge.stop();
  peers = [];
});

interface Session {
  senderCompId: string;
  role: string;
  copy?: object;
}

/** Writes other sessions into the configuration. */
function write(change: (sessions: readonly Session[]) => readonly Session[]): void {
  const config = parse(readFileSync(bridge.configFile, 'utf8')) as { sessions: readonly Session[] };
  writeFileSync(bridge.configFile, stringify({ ...config, sessions: change(config.sessions) }));
}

const reload = () => bridge.gateway.reload(loadConfig(bridge.configFile));
const without = (name: string) => (sessions: readonly Session[]) =>
  sessions.filter(({ senderCompId }) => senderCompId !== name);

function demo(name: string): DemoSession {
  const found = demoSessions(1).find(({ senderCompId }) => senderCompId === name);
  return found ?? expect.fail(`no session ${name}`);
}

/** Peers that are gone need not be waited for. */
async function restart(): Promise<void> {
  for (const peer of peers) peer.hangUp();
  await bridge.restart();
}

async function client(name: string, nextOut = 1): Promise<FixPeer> {
  const peer = await FixPeer.connect(bridge.gateway.port, bridge.user(name));
  peers.push(peer);
  peer.nextOut = nextOut;
  expect(typeOf(await peer.logon(''))).toBe('A');
  return peer;
}

const isReport = (execType: string) => (message: string) => fieldOf(message, '150') === execType;

async function rests(peer: FixPeer, clOrdId: string): Promise<void> {
  peer.say(`D|11=${clOrdId}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`);
  await peer.next(isReport('0'));
}

test('a reader that a configuration left out, and a later one has again, gets the copies of the time between', async () => {
  bridge = await startBridge();
  const reader = await client('DROP');
  const alpha = await client('ALPHA');
  await rests(alpha, 'before');
  await reader.next(isReport('0'));
  const { nextOut } = reader;
  const whole = readFileSync(bridge.configFile);
  write(without('DROP'));
  await restart();
  await rests(await client('ALPHA', alpha.nextOut), 'between');
  writeFileSync(bridge.configFile, whole);
  await reload();
  const again = await client('DROP', nextOut);
  await again.next(isReport('A'));
  expect(fieldOf(await again.next(isReport('0')), '11')).toBe('between');
});

test('a reader that was left out before its account had any copies gets those of the time between as well', async () => {
  bridge = await startBridge();
  (await client('DROP')).hangUp();
  const whole = readFileSync(bridge.configFile);
  write(without('DROP'));
  await restart();
  await rests(await client('ALPHA'), 'between');
  writeFileSync(bridge.configFile, whole);
  await restart();
  const back = await client('DROP', 2);
  expect(fieldOf(await back.next(isReport('0')), '11')).toBe('between');
});

test('orders of a session that a configuration left out are copied under its CompID to readers of its users', async () => {
  bridge = await startBridge({ session: { copy: { sessions: ['ALPHA'], users: ['alpha'] } } });
  const alpha = await client('ALPHA');
  const bravo = await client('BRAVO');
  const reader = await client('DROP');
  await rests(alpha, 'a');
  await reader.next(isReport('0'));
  write(without('ALPHA'));
  await reload();
  const sell = 'D|55=BTC-USDC|54=2|38=0.005|40=2|44=40000|59=1|60=now';
  bravo.say(`${sell}|11=s1`);
  const trade = await reader.next(isReport('F'));
  expect(['11', '453', '448'].map((tag) => fieldOf(trade, tag))).toEqual(['a', '2', 'ALPHA']);
  const { nextOut } = reader;
  const { nextOut: nextOfBravo } = bravo;
  await restart();
  const again = await client('DROP', nextOut);
  (await client('BRAVO', nextOfBravo)).say(`${sell}|11=s2`);
  const last = await again.next(isReport('F'));
  expect(['11', '453', '448'].map((tag) => fieldOf(last, tag))).toEqual(['a', '2', 'ALPHA']);
});

test('a session that a reload makes a reader gets copies from then on', async () => {
  bridge = await startBridge();
  const alpha = await client('ALPHA');
  const before = await client('CHARLIE');
  before.hangUp();
  write((sessions) =>
    sessions.map((session) =>
      session.senderCompId === 'CHARLIE' ? { ...session, role: 'drop-copy' } : session,
    ),
  );
  await reload();
  const reader = await client('CHARLIE', before.nextOut);
  await rests(alpha, 'a');
  expect(fieldOf(await reader.next(isReport('0')), '11')).toBe('a');
});

const role = (name: string) => (sessions: readonly Session[]) =>
  sessions.map((one) => (one.senderCompId === 'DROP' ? { ...one, role: name } : one));
const again = (copy: string) => ['150', '11', '97'].map((tag) => fieldOf(copy, tag));
const ways = { reload, restart };

for (const [way, apply] of Object.entries(ways)) {
  test(`what a reader has not acknowledged comes again if its session restarted its numbers in another role, by a ${way}`, async () => {
    bridge = await startBridge({ session: { copy: { acknowledge: 'reader' } } });
    const reader = await client('DROP');
    await rests(await client('ALPHA'), 'a');
    await reader.next(isReport('0'));
    write(role('order-entry'));
    await apply();
    const other = await FixPeer.connect(bridge.gateway.port, bridge.user('DROP'));
    peers.push(other);
    expect(fieldOf(await other.logon('|141=Y'), '34')).toBe('1');
    write(role('drop-copy'));
    await apply();
    const back = await client('DROP', other.nextOut);
    expect(again(await back.heard())).toEqual(['A', 'a', 'Y']);
    expect(again(await back.heard())).toEqual(['0', 'a', 'Y']);
  });

  test(`what a FIXP reader has not acknowledged comes again if it negotiated in another role, by a ${way}`, async () => {
    const { username, password: _, ...alpha } = demo('ALPHA');
    const { username: user, password: __, targetCompId: ___, ...drop } = demo('DROP');
    bridge = await startBridge({
      config: {
        fixp: { listen: { port: 0 } },
        sessions: [
          { ...alpha, users: [username] },
          { ...drop, users: [user], protocol: 'fixp', copy: { acknowledge: 'reader' } },
        ],
      },
    });
    const { gateway } = bridge;
    const logon = async (before?: FixpPeer) => {
      const { fixpPort } = bridge.gateway;
      const peer = await FixpPeer.connect(fixpPort, bridge.user('DROP'), listOf(gateway), before);
      peers.push(peer);
      expect(typeOf(await peer.logon(before === undefined ? undefined : ''))).toBe('A');
      return peer;
    };
    const reader = await logon();
    await rests(await client('ALPHA'), 'a');
    await reader.next(isReport('0'));
    write(role('order-entry'));
    await apply();
    const other = await logon();
    write(role('drop-copy'));
    await apply();
    const back = await logon(other);
    expect(again(await back.heard())).toEqual(['A', 'a', 'Y']);
    expect(again(await back.heard())).toEqual(['0', 'a', 'Y']);
  });
}

test('a reload decides whether a reader that has never logged on gets the open orders', async () => {
  bridge = await startBridge();
  await rests(await client('ALPHA'), 'a');
  write((sessions) => sessions.map((session) => ({ ...session, copy: { openOrders: true } })));
  await reload();
  const reader = await client('DROP');
  expect(fieldOf(await reader.next(isReport('I')), '11')).toBe('a');
});

test('what readers need of each session is recorded when the sessions change, and not at every start and reload', async () => {
  const written: Write[] = [];
  bridge = await startBridge({
    outside: {
      async openStore(options) {
        const store = await realOutside.openStore(options);
        const commit = store.commit.bind(store);
        store.commit = (writes, more) => {
          written.push(...writes);
          return commit(writes, more);
        };
        return store;
      },
    },
  });
  const records = () =>
    written.filter((one) => 'stream' in one && one.stream === 'copies/senders').length;
  await rests(await client('ALPHA'), 'a');
  expect(records()).toBe(1);
  await reload();
  await restart();
  expect(records()).toBe(1);
  write(without('ALPHA'));
  await reload();
  expect(records()).toBe(1);
  write(role('order-entry'));
  await reload();
  expect(records()).toBe(2);
  await restart();
  await reload();
  expect(records()).toBe(2);
});

test('an order that is open although it was rejected is copied under the CompID of its session, which is gone by now', async () => {
  bridge = await startBridge({
    config: { patienceMs: 300, unknownAfterMs: 400 },
    session: { copy: { sessions: ['ALPHA'] } },
  });
  const reader = await client('DROP');
  const alpha = await client('ALPHA');
  await bridge.admin('POST', '/faults', { kind: 'swap', path: '/trading/actions', times: 2 });
  await bridge.admin('POST', '/faults', { kind: 'frame_delay', delayMs: null, times: null });
  const order = 'D|55=BTC-USDC|40=2|44=40000|59=1|60=now';
  alpha.say(`${order}|11=good|54=1|38=0.1`);
  alpha.say(`${order}|11=bad|54=2|38=100000`);
  await reader.next(isReport('8'));
  const { runner } = bridge.gateway.accounts[0]?.bound ?? expect.fail('no account');
  await expect.poll(() => runner.orders.openCount, { timeout: 20_000 }).toBe(0);
  write(without('ALPHA'));
  await reload();
  await bridge.admin('DELETE', '/faults');
  await bridge.admin('POST', '/faults/release');
  const restated = await reader.next(isReport('D'));
  expect(['11', '448'].map((tag) => fieldOf(restated, tag))).toEqual(['good', 'ALPHA']);
});
