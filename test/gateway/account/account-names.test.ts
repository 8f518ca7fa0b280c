import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { keepAccountNames } from '../../../src/gateway/account/account-names.ts';
import type { Config } from '../../../src/gateway/config/config.ts';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { FixPeer, fieldOf } from '../../support/fix-peer.ts';
import { MemoryStore } from '../../support/memory-store.ts';

let bridge: Bridge | undefined;

afterEach(async () => {
  await bridge?.stop();
  bridge = undefined;
});

const one = `0x${'1'.repeat(40)}`;
const two = `0x${'2'.repeat(40)}`;

function keep(store: MemoryStore, names: Readonly<Record<string, string>>): Promise<void> {
  const accounts = Object.entries(names).map(([name, account]) => ({ name, account }));
  return keepAccountNames(store, accounts as unknown as Config['accounts']);
}

test('accounts may be added and removed, and come back under their names', async () => {
  const store = new MemoryStore();
  await keep(store, { a: one });
  await keep(store, { b: two });
  await keep(store, { b: two, a: one });
});

test('an account that has another name than before is refused, and changes nothing', async () => {
  const store = new MemoryStore();
  await keep(store, { a: one });
  await expect(keep(store, { b: one, c: two })).rejects.toThrow(
    `accounts[0].name: b: account ${one} is a in its data; keep that name`,
  );
  await keep(store, { a: one, b: two });
});

test('a name that another account had is refused, also if that account is gone', async () => {
  const store = new MemoryStore();
  await keep(store, { a: one });
  await keep(store, { b: two });
  await expect(keep(store, { a: two })).rejects.toThrow(`account ${two} is b in its data`);
  await expect(keep(store, { a: `0x${'3'.repeat(40)}` })).rejects.toThrow(
    `accounts[0].name: a: in this data that is account ${one}; choose another`,
  );
});

test('a bridge does not start if the name of an account with orders has changed', async () => {
  bridge = await startBridge({});
  const peer = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  await peer.logon();
  peer.say('D|11=a|1=desk-a|55=BTC-USDC|54=1|38=0.02|40=2|44=30000|59=1|60=now');
  await peer.next((message) => fieldOf(message, '150') === '0');
  peer.hangUp();
  const { configFile } = bridge;
  const text = readFileSync(configFile, 'utf8');
  const renamed = (alias: string) => (alias === 'desk-a' ? 'renamed' : alias);
  const started = bridge.restart(async () => {
    const config = parse(text) as {
      accounts: { name: string }[];
      sessions: { accounts: string[] }[];
    };
    for (const account of config.accounts) account.name = renamed(account.name);
    for (const session of config.sessions) session.accounts = session.accounts.map(renamed);
    writeFileSync(configFile, stringify(config));
  });
  await expect(started).rejects.toThrow('is desk-a in its data; keep that name');
  writeFileSync(configFile, text);
  await bridge.restart();
});
