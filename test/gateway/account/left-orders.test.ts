/** Accounts and sessions that are removed from the configuration while they have open orders, over real sockets. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { reportLeftAccounts } from '../../../src/gateway/account/left-orders.ts';
import { loadConfig } from '../../../src/gateway/config/config-file.ts';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { FixPeer, fieldOf } from '../../support/fix-peer.ts';
import { MemoryStore } from '../../support/memory-store.ts';

interface Accounts {
  accounts: { name: string }[];
  sessions: { senderCompId: string; accounts: string[] }[];
}

const alpha = 'FIX.4.4:CAUSEWAY/->ALPHA/';
let bridge: Bridge;
let whole: string;

beforeEach(async () => {
  bridge = await startBridge();
  whole = readFileSync(bridge.configFile, 'utf8');
});

afterEach(() => bridge.stop());

async function trade(...ids: string[]): Promise<FixPeer> {
  const peer = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  await peer.logon();
  for (const id of ids) {
    peer.say(`D|11=${id}|1=desk-a|55=BTC-USDC|54=1|38=0.02|40=2|44=30000|59=1|60=now`);
    await peer.next((message) => fieldOf(message, '150') === '0');
  }
  return peer;
}

function write(change: (config: Accounts) => Accounts): void {
  writeFileSync(bridge.configFile, stringify(change(parse(whole) as Accounts)));
}

/** The sessions keep their other accounts; one that has no other goes, too. */
const withoutDesk = ({ accounts, sessions, ...rest }: Accounts): Accounts => ({
  ...rest,
  accounts: accounts.filter(({ name }) => name !== 'desk-a'),
  sessions: sessions.flatMap((session) => {
    const left = session.accounts.filter((name) => name !== 'desk-a');
    return left.length === 0 ? [] : { ...session, accounts: left };
  }),
});

const withoutAlpha = ({ sessions, ...rest }: Accounts): Accounts => ({
  ...rest,
  sessions: sessions.filter(({ senderCompId }) => senderCompId !== 'ALPHA'),
});

const alarmFacts = () => bridge.lines.filter(({ event }) => event === 'orders_left');

test('an account that is removed with open orders is an alarm at each start, until they have ended under it', async () => {
  (await trade('a', 'b')).hangUp();
  await bridge.restart(async () => write(withoutDesk));
  expect(alarmFacts()).toEqual([{ event: 'orders_left', account: 'desk-a' }]);
  expect(bridge.alarms).toContainEqual(
    expect.stringMatching(
      /^desk-a: the configuration no longer has account 0x\w{40}, whose journal has 2 open orders\. Nothing reports or cancels them: .* add the account again$/,
    ),
  );
  await bridge.restart();
  expect(alarmFacts()).toHaveLength(2);
  await bridge.restart(async () => writeFileSync(bridge.configFile, whole));
  const peer = await trade();
  for (const id of ['a', 'b']) {
    peer.say(`F|11=c${id}|41=${id}|1=desk-a|55=BTC-USDC|54=1|60=now`);
    await peer.next((message) => fieldOf(message, '150') === '4');
  }
  peer.hangUp();
  await bridge.restart(async () => write(withoutDesk));
  expect(alarmFacts()).toHaveLength(2);
});

test('a session that is removed with open orders is an alarm at a reload and at each start', async () => {
  (await trade('a')).hangUp();
  write(withoutAlpha);
  await bridge.gateway.reload(loadConfig(bridge.configFile));
  expect(alarmFacts()).toEqual([{ event: 'orders_left', session: alpha }]);
  expect(bridge.alarms).toContainEqual(
    `${alpha}: the configuration no longer has this session for order entry, and it has 1 open order. Its client cannot cancel them: cancel them in the console, or configure the session as it was`,
  );
  await bridge.restart();
  expect(alarmFacts()).toHaveLength(2);
  writeFileSync(bridge.configFile, whole);
  await bridge.gateway.reload(loadConfig(bridge.configFile));
  expect(alarmFacts()).toHaveLength(2);
});

test.each(['drop-copy', 'market-data'])(
  'a session with open orders that gets the role %s is an alarm, because its client cannot cancel them',
  async (role) => {
    (await trade('a')).hangUp();
    write((config) => ({
      ...config,
      sessions: config.sessions.map((session) =>
        session.senderCompId === 'ALPHA' ? { ...session, role } : session,
      ),
    }));
    await bridge.gateway.reload(loadConfig(bridge.configFile));
    expect(alarmFacts()).toEqual([{ event: 'orders_left', session: alpha }]);
    await bridge.restart();
    expect(alarmFacts()).toHaveLength(2);
    await bridge.restart(async () => writeFileSync(bridge.configFile, whole));
    expect(alarmFacts()).toHaveLength(2);
  },
);

test('a journal that cannot be read is an alarm, and keeps no other account from trading', async () => {
  const store = new MemoryStore();
  const account = `0x${'1'.repeat(40)}`;
  const payload = Buffer.from('{"version":99}');
  await store.commit([{ kind: 'snapshot', stream: `desk/${account}`, position: 1, payload }]);
  const names = Buffer.from(JSON.stringify({ desk: account }));
  await store.commit([{ kind: 'snapshot', stream: 'account-names', position: 1, payload: names }]);
  const texts: string[] = [];
  await reportLeftAccounts({
    store,
    config: loadConfig(bridge.configFile).config,
    profile: bridge.gateway.profile,
    alarm: (text) => texts.push(text),
  });
  expect(texts).toEqual([
    expect.stringContaining('whose journal has orders that cannot be counted ('),
  ]);
});
