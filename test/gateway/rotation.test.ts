/**
 * Agents and credentials are rotated while orders are in flight (docs/decisions/0296-two-keys-and-two-credentials.md), in the order
 * that the runbook names and in every wrong one. Whatever happens, no order is lost, placed twice or refused without need.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { nobody } from '../../src/gateway/account/observer.ts';
import { loadConfig } from '../../src/gateway/config/config-file.ts';
import type { DevelopmentAccount } from '../../src/sandbox/development-accounts.ts';
import { openPolicy } from '../../src/sandbox/identity.ts';
import { addressOfKey, sealKey, writeKeystore } from '../../src/signer/keystore.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';

interface KeyEntry {
  keystoreFile: string;
  passphraseFile: string;
  older?: object;
  policy: { accounts: string[] };
}
interface AccountEntry {
  name: string;
  account: string;
  older?: object;
  [file: string]: unknown;
}

const newKey = Buffer.alloc(32, 5);
let bridge: Bridge;
let alpha: FixPeer;
let directory: string;
let own: DevelopmentAccount;
let sent: string[];
/** With actions, as the bridge sent them to the venue. */
let requests: number;

beforeEach(async () => {
  requests = 0;
  bridge = await startBridge({
    observer: {
      ...nobody,
      requested: () => {
        requests += 1;
      },
    },
  });
  directory = dirname(bridge.configFile);
  const alias = bridge.user().accounts[0];
  const { account } =
    bridge.gateway.accounts.find(({ config }) => config.name === alias)?.config ?? {};
  own = bridge.sandbox.info.accounts.find((each) => each.account === account) as DevelopmentAccount;
  writeFileSync(join(directory, 'new.pass'), 'new\n', { mode: 0o600 });
  writeKeystore(
    join(directory, 'new.json'),
    await sealKey(newKey, 'new', 'local', { n: 1024, r: 8, p: 1 }),
  );
  sent = [];
  alpha = await FixPeer.connect(bridge.gateway.port, bridge.user());
  await alpha.logon();
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
});

afterEach(async () => {
  alpha.hangUp();
  await bridge.stop();
});

const agent = (change: object) => bridge.admin('POST', `/agents/${own.agents[0]?.agentId}`, change);
const revokeOld = () => agent({ revoked: true });

function registerNew(): void {
  bridge.sandbox.venue.state.identities.addAgent({
    agentId: 'new-desk',
    account: own.account,
    address: addressOfKey(newKey),
    agentType: 'institutional_agent',
    scopes: own.agents[0]?.scopes ?? [],
    policy: openPolicy,
    expiresAtMs: null,
    revoked: false,
  });
}

const reload = () => bridge.gateway.reload(loadConfig(bridge.configFile));

/** Edits the entry of ALPHA's account in the signer's file, and reloads. */
async function keys(change: (entry: KeyEntry) => KeyEntry): Promise<void> {
  const file = join(directory, 'signer.yaml');
  const config = parse(readFileSync(file, 'utf8')) as { keys: KeyEntry[] };
  const changed = config.keys.map((entry) =>
    entry.policy.accounts[0] === own.account ? change(entry) : entry,
  );
  writeFileSync(file, stringify({ ...config, keys: changed }), { mode: 0o600 });
  await reload();
}

const newer = { keystoreFile: 'new.json', passphraseFile: 'new.pass' };
const both = ({ keystoreFile, passphraseFile, policy }: KeyEntry): KeyEntry => ({
  ...newer,
  older: { keystoreFile, passphraseFile },
  policy,
});
const onlyNew = ({ policy }: KeyEntry): KeyEntry => ({ ...newer, policy });

async function accounts(change: (entry: AccountEntry) => AccountEntry): Promise<void> {
  const config = parse(readFileSync(bridge.configFile, 'utf8')) as { accounts: AccountEntry[] };
  const changed = config.accounts.map((entry) =>
    entry.account === own.account ? change(entry) : entry,
  );
  writeFileSync(bridge.configFile, stringify({ ...config, accounts: changed }), { mode: 0o600 });
  await reload();
}

function writeCredential(words: object): void {
  for (const [name, word] of Object.entries(words)) {
    writeFileSync(join(directory, `api.${name}`), `${word}\n`, { mode: 0o600 });
  }
}

const files = {
  apiKeyFile: 'api.key',
  apiSecretFile: 'api.secret',
  passphraseFile: 'api.phrase',
};
const withBoth = ({ apiKeyFile, apiSecretFile, passphraseFile, ...entry }: AccountEntry) => ({
  ...entry,
  ...files,
  older: { apiKeyFile, apiSecretFile, passphraseFile },
});

function order(): void {
  const id = `o${sent.length + 1}`;
  sent.push(id);
  alpha.say(`D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`);
}

/** Orders go out one after the other while the rotation happens and for a while after it. */
async function whileTrading(rotate: () => unknown): Promise<void> {
  for (let count = 0; count < 12; count += 1) order();
  const isOver = Promise.resolve(rotate());
  for (let count = 0; count < 12; count += 1) {
    order();
    await new Promise(setImmediate);
  }
  await isOver;
  for (let count = 0; count < 12; count += 1) order();
  expect(await settled()).toEqual([]);
}

/** Waits until each order has its one outcome; returns those that were refused. */
async function settled(): Promise<readonly string[]> {
  const open = new Set(sent.slice(settledCount));
  const refused: string[] = [];
  while (open.size > 0) {
    const report = await alpha.next((one) => /\|150=[08]\|/.test(one));
    const id = fieldOf(report, '11') ?? '';
    if (fieldOf(report, '150') === '8') refused.push(id);
    expect(open.delete(id), `${id} has one outcome`).toBe(true);
  }
  settledCount = sent.length;
  return refused;
}
let settledCount = 0;
beforeEach(() => {
  settledCount = 0;
});

/** Every order is at the venue once, and no client was told of another. */
async function expectAllPlacedOnce(refused = 0): Promise<void> {
  const { openOrders } = (await bridge.admin('GET', `/accounts/${own.account}`)) as {
    openOrders: unknown[];
  };
  expect(openOrders).toHaveLength(sent.length - refused);
  expect(alpha.unasked().filter((one) => /\|150=[08]\|/.test(one))).toEqual([]);
}

const usedKey = () =>
  bridge.gateway.accounts.find(({ config }) => config.account === own.account)?.bound.runner.keys
    .used;
const codes = () => bridge.lines.flatMap(({ code, event }) => (event === 'account' ? [code] : []));

test('the steps of the runbook: register, configure both, revoke the old one, remove it', async () => {
  registerNew();
  await whileTrading(() => keys(both));
  expect(usedKey()).toBe(addressOfKey(newKey));
  await whileTrading(revokeOld);
  await whileTrading(() => keys(onlyNew));
  await expectAllPlacedOnce();
  expect(bridge.alarms).toEqual([]);
});

test('a key that is configured before the venue knows it leaves the orders to the older one until then', async () => {
  await whileTrading(() => keys(both));
  expect(usedKey()).toBe(own.agents[0]?.address);
  expect(codes()).toEqual(['key_refused']);
  await whileTrading(registerNew);
  await whileTrading(reload);
  expect(usedKey()).toBe(addressOfKey(newKey));
  await whileTrading(revokeOld);
  await expectAllPlacedOnce();
  expect(bridge.alarms).toHaveLength(1);
});

test('a reload that is refused because of a key that needs a restart leaves the keys of the signer as they were', async () => {
  registerNew();
  writeFileSync(bridge.configFile, `unknownAfterMs: 20000\n${readFileSync(bridge.configFile)}`);
  await expect(keys(onlyNew)).rejects.toThrow('only a restart can change unknownAfterMs');
  await whileTrading(() => {});
  expect(usedKey()).toBe(own.agents[0]?.address);
});

test('an agent that the venue ends early by its own clock leaves the orders to the other one', async () => {
  registerNew();
  await keys((entry) => ({ ...entry, older: newer }));
  const inAnHour = Date.now() + 3_600_000;
  await agent({ expiresAtMs: inAnHour });
  await whileTrading(() => agent({ expiresAtMs: Date.now() - 1 }));
  expect(usedKey()).toBe(addressOfKey(newKey));
  expect(codes()).toEqual(['key_refused']);
  await expectAllPlacedOnce();
});

test.each(['revoked', 'not known'])(
  'conditional orders on their way with a key that is %s at the venue are refused alone, and the other key goes on',
  async (state) => {
    if (state === 'revoked') registerNew();
    await keys(both);
    const { agents } = bridge.sandbox.venue.state.identities;
    const found = agents.get('new-desk');
    if (found !== undefined) found.revoked = true;
    for (const id of ['c1', 'c2']) {
      sent.push(id);
      alpha.say(`D|11=${id}|55=BTC-USDC|54=2|38=0.01|40=J|99=70000|59=1|60=now`);
    }
    order();
    expect((await settled()).toSorted()).toEqual(['c1', 'c2']);
    expect([usedKey(), codes()]).toEqual([own.agents[0]?.address, ['key_refused']]);
    sent.push('c3');
    alpha.say('D|11=c3|55=BTC-USDC|54=2|38=0.01|40=J|99=70000|59=1|60=now');
    await whileTrading(() => {});
    expect(bridge.alarms).toHaveLength(1);
  },
);

test('a key or credential that is known late takes over at once when the older one ends', async () => {
  writeCredential({ key: 'spk_new', secret: 'sps_new', phrase: 'spp_new' });
  await accounts(withBoth);
  await whileTrading(() => keys(both));
  expect(codes().toSorted()).toEqual(['credential_refused', 'key_refused']);
  registerNew();
  const word = { apiKey: 'spk_new', secret: 'sps_new', passphrase: 'spp_new' };
  await bridge.admin('POST', `/accounts/${own.account}/credentials`, word);
  await whileTrading(revokeOld);
  await whileTrading(() =>
    bridge.admin('POST', `/credentials/${own.apiKey}`, { revokedFromMs: 0 }),
  );
  expect(usedKey()).toBe(addressOfKey(newKey));
  await expectAllPlacedOnce();
});

test('if the old agent is revoked too early, orders are refused with its reason until there is a new one', async () => {
  await whileTrading(() => {});
  await revokeOld();
  order();
  expect(await settled()).toHaveLength(1);
  expect(bridge.lines.map(({ event }) => event)).toContain('placements_blocked');
  registerNew();
  await keys(both);
  bridge.gateway.operator.reopen({ who: 'test', why: 'renewed' }, bridge.user().accounts[0] ?? '');
  await whileTrading(() => {});
  await expectAllPlacedOnce(1);
});

test('if neither agent is valid, each order is refused once and the venue is not asked in a loop', async () => {
  await keys(both);
  await revokeOld();
  for (let count = 0; count < 5; count += 1) order();
  expect(await settled()).toHaveLength(5);
  // Both are known to be refused now. An operator who opens the account all the same gets one answer for one order.
  bridge.gateway.operator.reopen({ who: 'test', why: 'hope' }, bridge.user().accounts[0] ?? '');
  // The first time the newer one is tried once more, because the other one turns out to be revoked.
  for (const most of [3, 2]) {
    const before = requests;
    order();
    expect(await settled()).toHaveLength(1);
    expect(requests - before).toBeLessThanOrEqual(most);
  }
  const blocked = bridge.lines.filter(({ event }) => event === 'placements_blocked');
  expect(blocked.length).toBeGreaterThan(0);
});

test('a configuration whose new key cannot be opened changes nothing', async () => {
  writeFileSync(join(directory, 'new.pass'), 'wrong\n', { mode: 0o600 });
  const config = parse(readFileSync(bridge.configFile, 'utf8'));
  writeFileSync(bridge.configFile, stringify({ ...config, limits: { maxOrderQty: '0.001' } }));
  await whileTrading(() => expect(keys(both)).rejects.toThrow('new.json'));
  expect(usedKey()).toBe(own.agents[0]?.address);
  await expectAllPlacedOnce();
});

test('a new credential of another account, or with a wrong secret, leaves all requests to the older one', async () => {
  const { accounts: all } = bridge.sandbox.info;
  const other = all.find(({ account }) => account !== own.account) as DevelopmentAccount;
  writeCredential({ key: other.apiKey, secret: other.apiSecret, phrase: other.passphrase });
  await whileTrading(() => accounts(withBoth));
  writeCredential({ key: own.apiKey, secret: 'half', phrase: own.passphrase });
  await whileTrading(reload);
  expect(codes()).toEqual(['credential_refused', 'credential_refused']);
  await expectAllPlacedOnce();
});

test.each(['spk_new\nsps_new', '\0\0', 'spk–new'])(
  'a file that cannot be the key of a credential changes nothing: %j',
  async (key) => {
    writeCredential({ key, secret: 'sps', phrase: 'spp' });
    await whileTrading(() => expect(accounts(withBoth)).rejects.toThrow('api.key is not one line'));
    await expectAllPlacedOnce();
  },
);

test('credentials rotate without a lost order or event, in the right order and in the wrong one', async () => {
  writeCredential({ key: 'spk_new', secret: 'sps_new', phrase: 'spp_new' });
  // Too early: the venue does not know the new one yet.
  await whileTrading(() => accounts(withBoth));
  expect(codes()).toEqual(['credential_refused']);
  const word = { apiKey: 'spk_new', secret: 'sps_new', passphrase: 'spp_new' };
  await bridge.admin('POST', `/accounts/${own.account}/credentials`, word);
  await whileTrading(reload);
  // The overlap ends at the venue before the older one is removed here.
  await whileTrading(() =>
    bridge.admin('POST', `/credentials/${own.apiKey}`, { revokedFromMs: 0 }),
  );
  await whileTrading(() => accounts(({ older: _, ...entry }) => entry as AccountEntry));
  await expectAllPlacedOnce();
  expect(bridge.alarms).toHaveLength(1);
});
