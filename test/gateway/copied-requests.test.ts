/** The account and the instrument under which requests of clients are copied for surveillance, over real sockets. */
import { afterEach, expect, test, vi } from 'vitest';
import { demoSessions } from '../../src/cli/demo-files.ts';
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

const demo = demoSessions(1);

/** ALPHA trades over FIX and BRAVO over FIXP; DROP watches the requests of one account, on one market. */
async function start(accounts: readonly string[], watched: string): Promise<void> {
  const sessions = ['ALPHA', 'BRAVO', 'DROP'].map((senderCompId) => {
    const { role, targetCompId, username } =
      demo.find((one) => one.senderCompId === senderCompId) ?? {};
    const isReader = senderCompId === 'DROP';
    return {
      ...{ senderCompId, role, users: [username] },
      ...(senderCompId === 'BRAVO' ? { protocol: 'fixp' } : { targetCompId }),
      ...(isReader
        ? { accounts: [watched], markets: ['BTC-USDC'], copy: { requests: true, reports: false } }
        : { accounts }),
    };
  });
  bridge = await startBridge({ config: { fixp: { listen: { port: 0 } }, sessions } });
}

async function client(name: string): Promise<FixPeer | FixpPeer> {
  const { fixpPort, port } = bridge.gateway;
  const peer =
    name === 'BRAVO'
      ? await FixpPeer.connect(fixpPort, bridge.user(name), listOf(bridge.gateway))
      : await FixPeer.connect(port, bridge.user(name));
  peers.push(peer);
  expect(typeOf(await peer.logon(name === 'BRAVO' ? undefined : ''))).toBe('A');
  return peer;
}

const copied = (message: string) => [1, 55, 9142].map((tag) => fieldOf(message, `${tag}`));

test.each([
  ['ALPHA', '41'],
  ['BRAVO', '41'],
  ['BRAVO', '37'],
])(
  'a cancel by %s that names its order by %s, and no account or instrument, is copied under those of the order',
  async (name, tag) => {
    await start(['desk-b', 'desk-a'], 'desk-a');
    const reader = await client('DROP');
    const trader = await client(name);
    trader.say('D|11=o|1=desk-a|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now');
    const resting = await trader.next((message) => fieldOf(message, '150') === '0');
    trader.say(`F|11=c|${tag}=${tag === '41' ? 'o' : fieldOf(resting, '37')}|54=1|60=now`);
    await trader.next((message) => fieldOf(message, '150') === '4');
    expect(copied(await reader.heard())).toEqual(['desk-a', 'BTC-USDC', 'D']);
    expect(copied(await reader.heard())).toEqual(['desk-a', 'BTC-USDC', 'F']);
  },
);

test.each(['ALPHA', 'BRAVO'])(
  'a request by %s that names an account of others is copied under its own',
  async (name) => {
    await start(['desk-a'], 'desk-a');
    const reader = await client('DROP');
    const trader = await client(name);
    trader.say('D|11=o|1=desk-b|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now');
    await trader.next((message) => fieldOf(message, '150') === '8');
    expect(copied(await reader.heard())).toEqual(['desk-a', 'BTC-USDC', 'D']);
  },
);
