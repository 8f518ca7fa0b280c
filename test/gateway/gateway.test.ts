/** The bridge as a whole: what a reload may change while it runs, and how it goes down. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadConfig } from '../../src/gateway/config/config-file.ts';
import { type Outside, realOutside } from '../../src/gateway/outside.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';

type Config = {
  sessions: { senderCompId: string; rates?: object }[];
  limits: object;
  dataDir: string;
};

const peers: FixPeer[] = [];
let bridge: Bridge;
/** The store returns numbers of sessions only when this has resolved. */
let numbersAreRead: Promise<void> | undefined;

beforeAll(async () => {
  const openStore: Outside['openStore'] = async (...all) => {
    const store = await realOutside.openStore(...all);
    const numbers = store.numbers.bind(store);
    return Object.assign(store, {
      numbers: async (session: string) => {
        await numbersAreRead;
        return numbers(session);
      },
    });
  };
  bridge = await startBridge({ outside: { openStore } });
});

afterEach(() => {
  for (const peer of peers.splice(0)) peer.hangUp();
});

afterAll(() => bridge.stop());

async function client(senderCompId = 'ALPHA', session = bridge.user()): Promise<FixPeer> {
  const peer = await FixPeer.connect(bridge.gateway.port, { ...session, senderCompId });
  peers.push(peer);
  expect(typeOf(await peer.logon())).toBe('A');
  return peer;
}

async function ordered(peer: FixPeer, id: string): Promise<string> {
  peer.say(`D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`);
  return peer.next((said) => fieldOf(said, '11') === id && fieldOf(said, '150') !== 'A');
}

function reloaded(change: (config: Config) => void): Promise<void> {
  const config = parse(readFileSync(bridge.configFile, 'utf8')) as Config;
  change(config);
  writeFileSync(bridge.configFile, stringify(config));
  return bridge.gateway.reload(loadConfig(bridge.configFile));
}

function withSession(senderCompId: string) {
  return ({ sessions }: Config) => {
    const [first] = sessions;
    if (first !== undefined) sessions.push({ ...first, senderCompId });
  };
}

test('sessions of two simultaneous reloads may log on, and existing ones stay logged on', async () => {
  const alpha = await client();
  await Promise.all([reloaded(withSession('NEW1')), reloaded(withSession('NEW2'))]);
  for (const name of ['NEW1', 'NEW2']) await client(name);
  expect(fieldOf(await ordered(alpha, 'after'), '150')).toBe('0');
});

test('a client whose session a reload opens anew hears of a fill that came meanwhile', async () => {
  const alpha = await client();
  const bravo = await client('BRAVO', bridge.user('BRAVO'));
  alpha.say('D|11=resting|55=BTC-USDC|54=1|38=0.01|40=2|44=45000|59=1|60=now');
  await alpha.next((said) => fieldOf(said, '150') === '0');
  const read = Promise.withResolvers<void>();
  numbersAreRead = read.promise;
  const reload = reloaded(({ sessions }) => {
    for (const session of sessions) {
      if (session.senderCompId === 'ALPHA') session.rates = { maxRefusals: 77 };
    }
  });
  await expect.poll(() => alpha.isClosed).toBe(true);
  bravo.say('D|11=other|55=BTC-USDC|54=2|38=0.01|40=2|44=45000|59=1|60=now');
  await bravo.next((said) => fieldOf(said, '150') === 'F');
  const { orders } = bridge.gateway.accounts[0]!.bound.runner;
  const phase = () => [...orders.all()].find(({ clOrdId }) => clOrdId === 'resting')?.phase;
  await expect.poll(phase).toBe('filled');
  read.resolve();
  await reload;
  const again = await FixPeer.connect(bridge.gateway.port, bridge.user());
  peers.push(again);
  again.nextOut = alpha.nextOut;
  await again.logon('');
  const fill = await again.heard();
  expect([fieldOf(fill, '11'), fieldOf(fill, '150')]).toEqual(['resting', 'F']);
});

test('a limit holds from its reload on', async () => {
  const alpha = await client();
  expect(fieldOf(await ordered(alpha, 'before'), '150')).toBe('0');
  await reloaded((config) => {
    config.limits = { ...config.limits, maxOrderQty: '0.005' };
  });
  const refused = await ordered(alpha, 'beyond');
  expect([fieldOf(refused, '150'), fieldOf(refused, '103')]).toEqual(['8', '3']);
  await reloaded((config) => {
    config.limits = { ...config.limits, maxOrderQty: '1' };
  });
});

test('what only a start can change is refused, a section that is new as well, and nothing else of that reload is done', async () => {
  const reload = reloaded((config) => {
    Object.assign(config, { dataDir: 'elsewhere', fixp: { listen: { port: 0 } } });
    withSession('NEW3')(config);
  });
  await expect(reload).rejects.toThrow('only a restart can change dataDir, fixp');
  await expect(client('NEW3')).rejects.toThrow('closed the connection');
});

test('a bridge that goes down takes no order, but waits for the answers that are under way', async () => {
  const alpha = await client();
  await bridge.admin('POST', '/faults', { kind: 'slow', delayMs: null, path: '/trading/actions' });
  alpha.say('D|11=slow|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now');
  await alpha.next((said) => fieldOf(said, '150') === 'A');
  const stopped = [bridge.gateway.stop(), bridge.gateway.stop()];
  const late = await ordered(alpha, 'late');
  expect([fieldOf(late, '150'), fieldOf(late, '58')]).toEqual([
    '8',
    'bridge.draining: the bridge is going down',
  ]);
  await bridge.admin('DELETE', '/faults');
  await bridge.admin('POST', '/faults/release');
  expect(await alpha.next((said) => fieldOf(said, '11') === 'slow')).toContain('|150=0|');
  await alpha.next((said) => typeOf(said) === '5');
  alpha.hangUp();
  await Promise.all(stopped);
});
