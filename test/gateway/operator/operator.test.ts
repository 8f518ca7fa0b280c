/** What an operator does to a running bridge, over real sockets: kill, reload, drain; and who is let in. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadConfig } from '../../../src/gateway/config/config-file.ts';
import type { KillScope } from '../../../src/gateway/gate/kill-switch.ts';
import { carryOutHere } from '../../../src/gateway/operator/shared-acts.ts';
import type { Nonces } from '../../../src/venue/outbox/nonces.ts';
import { type Bridge, type BridgeOptions, startBridge } from '../../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../../support/fix-peer.ts';

let bridge: Bridge;
let peers: FixPeer[] = [];

afterEach(async () => {
  for (const peer of peers) peer.hangUp();
  peers = [];
  await bridge.stop();
});

async function start(options: BridgeOptions = {}): Promise<void> {
  bridge = await startBridge(options);
}

async function client(name: string, more?: string): Promise<FixPeer> {
  const peer = await connected(name);
  expect(typeOf(await peer.logon(more))).toBe('A');
  return peer;
}

async function connected(name: string): Promise<FixPeer> {
  const session = bridge.user(name);
  const peer = await FixPeer.connect(bridge.gateway.port, session);
  peers.push(peer);
  return peer;
}

const because = (why: string) => ({ who: 'test', why });

let count = 0;
function order(fields = '55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1'): string {
  count += 1;
  return `D|11=o${count}|${fields}|60=now`;
}

const isReport = (execType: string) => (message: string) => fieldOf(message, '150') === execType;

async function rests(peer: FixPeer): Promise<void> {
  peer.say(order());
  await peer.next(isReport('0'));
}

interface Written {
  sessions: { readonly senderCompId: string }[];
  unknownAfterMs?: number;
}

/** The configuration file as `change` leaves it, read again. */
function changed(change: (config: Written) => void) {
  const config = parse(readFileSync(bridge.configFile, 'utf8')) as Written;
  change(config);
  writeFileSync(bridge.configFile, stringify(config));
  return loadConfig(bridge.configFile);
}

const alphaSession = 'FIX.4.4:CAUSEWAY/->ALPHA/';

test('R-15: the kill switch of a session cancels its orders and refuses new ones, and spares the others', async () => {
  await start();
  const alpha = await client('ALPHA');
  const charlie = await client('CHARLIE');
  await rests(alpha);
  await rests(charlie);
  expect(
    bridge.gateway.operator.kill(because('runaway'), { kind: 'session', name: alphaSession }),
  ).toBe(1);
  expect(fieldOf(await alpha.next(isReport('4')), '41')).toBeUndefined();
  expect(bridge.alarms.join()).toContain('runaway');
  alpha.say(order());
  const refused = await alpha.next(isReport('8'));
  expect(['39', '103', '9102'].map((tag) => fieldOf(refused, tag))).toEqual([
    '8',
    '99',
    'bridge.kill_switch',
  ]);
  expect(fieldOf(refused, '9101')).toBeUndefined();
  await rests(charlie);
  expect(
    bridge.gateway.operator.release(because('it is over'), { kind: 'session', name: alphaSession }),
  ).toBe(true);
  await rests(alpha);
});

test('R-15: the kill switch of an account meets quotes and replaces that place, and lets cancels through', async () => {
  await start();
  const alpha = await client('ALPHA');
  const bravo = await client('BRAVO');
  bridge.gateway.operator.kill(because('limits'), { kind: 'account', name: 'desk-a' });
  alpha.say('i|117=q|301=2|296=1|302=s|304=1|295=1|299=e|55=BTC-USDC|132=40000|134=0.01');
  const answer = await alpha.heard();
  expect(['35', '297', '9102'].map((tag) => fieldOf(answer, tag))).toEqual([
    'b',
    '5',
    'bridge.kill_switch',
  ]);
  await rests(bravo);
  expect(
    bridge.gateway.operator.release(because('it is over'), { kind: 'account', name: 'desk-b' }),
  ).toBe(false);
});

test('R-15: nobody is told that a kill switch is released which was not on, or that trading goes on under another', async () => {
  await start();
  const { operator } = bridge.gateway;
  const by = because('limits');
  const released = () => bridge.lines.filter(({ event }) => event === 'kill_switch_released');
  const answer = (scope: KillScope) => carryOutHere(operator, by, { kind: 'release', scope });
  operator.kill(by, { kind: 'account', name: 'desk-a' });
  expect(answer({ kind: 'all' })).toBe('It was not on for this scope. Still on: account desk-a.');
  expect(released()).toHaveLength(0);
  operator.kill(by, { kind: 'all' });
  expect(answer({ kind: 'account', name: 'desk-a' })).toBe(
    'The kill switch is off. Still on: everything.',
  );
  expect(answer({ kind: 'all' })).toBe('The kill switch is off.');
  expect(released()).toHaveLength(2);
});

test('a session without a connection cannot be logged out', async () => {
  await start();
  const { operator } = bridge.gateway;
  const logout = () => operator.session(because('limits'), alphaSession, { kind: 'logout' });
  expect(logout).toThrow(`${alphaSession} has no connection`);
  await client('ALPHA');
  logout();
});

test('R-15: a kill switch is still on after a restart, until an operator releases it', async () => {
  await start();
  const before = await client('ALPHA');
  await rests(before);
  bridge.gateway.operator.kill(because('weekend'), { kind: 'all' });
  await before.next(isReport('4'));
  before.hangUp();
  await bridge.restart();
  expect(bridge.gateway.operator.kills).toMatchObject([
    { scope: { kind: 'all' }, reason: 'weekend' },
  ]);
  const alpha = await client('ALPHA');
  alpha.say(order());
  expect(fieldOf(await alpha.next(isReport('8')), '9102')).toBe('bridge.kill_switch');
  bridge.gateway.operator.release(because('it is over'), { kind: 'all' });
  await rests(alpha);
  alpha.hangUp();
  await bridge.restart();
  expect(bridge.gateway.operator.kills).toEqual([]);
});

test('a reload changes what a session may do and drops no session', async () => {
  await start();
  const alpha = await client('ALPHA');
  const bravo = await client('BRAVO');
  await bridge.gateway.reload(
    changed(({ sessions }) => {
      const only = { markets: ['BTC-USDC'], actions: ['order'] };
      Object.assign(sessions[0] ?? {}, only, { limits: { maxOrderQty: '0.001' } });
    }),
  );
  alpha.say(order());
  expect(fieldOf(await alpha.next(isReport('8')), '9102')).toBe('bridge.limit');
  alpha.say(order('55=ETH-USDC|54=1|38=0.0001|40=2|44=2000|59=1'));
  expect(fieldOf(await alpha.next(isReport('8')), '103')).toBe('1');
  alpha.say('i|117=q|301=2|296=1|302=s|304=1|295=1|299=e|55=BTC-USDC|132=40000|134=0.001');
  expect(fieldOf(await alpha.heard(), '300')).toBe('9');
  alpha.say(order('55=BTC-USDC|54=1|38=0.001|40=2|44=50000|59=1|9107=iceberg|9108=0.0001'));
  expect(fieldOf(await alpha.next(isReport('8')), '103')).toBe('11');
  await rests(bravo);
});

test('a reload forgets nothing of what a session did in the last second', async () => {
  await start();
  const alpha = await client('ALPHA');
  const limited = () =>
    changed(({ sessions }) => {
      Object.assign(sessions[0] ?? {}, { limits: { maxDuplicatesPerSecond: 1 } });
    });
  await bridge.gateway.reload(limited());
  const alike = '55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1';
  alpha.say(order(alike));
  await alpha.next(isReport('A'));
  await bridge.gateway.reload(limited());
  alpha.say(order(alike));
  const refused = await alpha.next(isReport('8'));
  expect(fieldOf(refused, '58')).toContain('1 orders alike in a second');
});

test('two reloads at once are done one after the other', async () => {
  await start();
  const alone = changed(({ sessions }) => {
    sessions.splice(1);
  });
  const right = readFileSync(bridge.configFile, 'utf8');
  const both = changed(({ sessions }) => {
    const [alpha] = sessions;
    sessions.push({ ...alpha, senderCompId: 'LATE' }, { ...alpha, senderCompId: 'LATER' });
  });
  await Promise.all([bridge.gateway.reload(both), bridge.gateway.reload(both)]);
  expect(
    bridge.gateway.directory.roster.names.filter((name) => name.includes('LATE')),
  ).toHaveLength(2);
  await Promise.all([bridge.gateway.reload(alone), bridge.gateway.reload(both)]);
  expect(
    bridge.gateway.directory.roster.names.filter((name) => name.includes('LATE')),
  ).toHaveLength(2);
  writeFileSync(bridge.configFile, right);
});

test('a reload removes a session and adds one; the others stay logged on', async () => {
  await start();
  const alpha = await client('ALPHA');
  const charlie = await client('CHARLIE');
  const before = readFileSync(bridge.configFile, 'utf8');
  await bridge.gateway.reload(
    changed((config) => {
      config.sessions = config.sessions.filter((one) => one.senderCompId !== 'CHARLIE');
    }),
  );
  await expect(charlie.next(() => false)).rejects.toThrow('closed');
  const late = await connected('CHARLIE');
  await expect(late.logon()).rejects.toThrow('closed');
  await rests(alpha);
  writeFileSync(bridge.configFile, before);
  await bridge.gateway.reload(loadConfig(bridge.configFile));
  await rests(await client('CHARLIE'));
  await rests(alpha);
});

test('a session that an operator stopped stays stopped when a reload changes its engine', async () => {
  await start();
  const { operator } = bridge.gateway;
  operator.session(because('a stolen password'), alphaSession, { kind: 'stop' });
  const toggled = changed(({ sessions }) => {
    for (const session of sessions) Object.assign(session, { rates: { maxRefusals: 7 } });
  });
  await bridge.gateway.reload(toggled);
  await expect((await connected('ALPHA')).logon()).rejects.toThrow('closed');
  operator.session(because('a new password'), alphaSession, { kind: 'start' });
  await rests(await client('ALPHA'));
});

test('a session that a reload makes a drop-copy reader gets copies, and none once it is a client again', async () => {
  await start();
  let bravo = await client('BRAVO');
  const becomes = async (role: string, account: string) => {
    const changedRole = changed(({ sessions }) => {
      for (const session of sessions)
        if (session.senderCompId === 'BRAVO') Object.assign(session, { role, accounts: [account] });
    });
    await bridge.gateway.reload(changedRole);
    const { nextOut } = bravo;
    bravo = await connected('BRAVO');
    bravo.nextOut = nextOut;
    await bravo.logon('');
  };
  const alpha = await client('ALPHA');
  await becomes('drop-copy', 'desk-a');
  await rests(alpha);
  expect(fieldOf(await bravo.next(isReport('0')), '11')).toBe(`o${count}`);
  await becomes('order-entry', 'desk-b');
  bravo.say('UR|9120=all|9121=1|1=desk-a');
  const refused = await bravo.next((message) => 'j3'.includes(typeOf(message) ?? ''));
  expect(fieldOf(refused, '372')).toBe('UR');
});

test('a reload that needs a restart is refused by its key and changes nothing', async () => {
  await start();
  const alpha = await client('ALPHA');
  const loaded = changed((config) => {
    config.unknownAfterMs = 1234;
    Object.assign(config.sessions[0] ?? {}, { limits: { maxOrderQty: '0.001' } });
  });
  await expect(bridge.gateway.reload(loaded)).rejects.toThrow(/only a restart .* unknownAfterMs/);
  await rests(alpha);
});

test('a shutdown waits for what is under way, refuses what is new, and logs out', async () => {
  await start();
  const alpha = await client('ALPHA');
  const path = '/trading/actions';
  await bridge.admin('POST', '/faults', { kind: 'fail_before', status: 502, path, times: null });
  alpha.say(order());
  await alpha.next(isReport('A'));
  const stopped = bridge.gateway.stop();
  alpha.say(order());
  expect(fieldOf(await alpha.next(isReport('8')), '9102')).toBe('bridge.draining');
  await bridge.admin('DELETE', '/faults');
  await alpha.next(isReport('0'));
  await alpha.next((message) => typeOf(message) === '5');
  alpha.say('5');
  alpha.hangUp();
  await stopped;
});

test('V-07, R126: cancel on disconnect when the link breaks, not after a Logout, and only of that session', async () => {
  await start({ session: { cancelOnDisconnect: { when: 'abrupt', graceMs: 0 } } });
  const alpha = await client('ALPHA');
  const charlie = await client('CHARLIE');
  await rests(charlie);
  await rests(alpha);
  alpha.say('5');
  await alpha.next((message) => typeOf(message) === '5');
  alpha.hangUp();
  const again = await client('ALPHA');
  expect(openOrders()).toBe(2);
  again.hangUp();
  await expect.poll(openOrders).toBe(1);
  charlie.say('AF|584=m|585=7');
  expect(fieldOf(await charlie.heard(), '911')).toBe('1');
});

test('V-07: where cancel on disconnect is for every end, a Logout cancels, too', async () => {
  await start({ session: { cancelOnDisconnect: { when: 'always', graceMs: 0 } } });
  const alpha = await client('ALPHA');
  await rests(alpha);
  alpha.say('5');
  await alpha.next((message) => typeOf(message) === '5');
  alpha.hangUp();
  await expect.poll(openOrders).toBe(0);
});

test('V-07: cancel on disconnect while the venue cannot be reached is done once it can', async () => {
  await start({ session: { cancelOnDisconnect: { when: 'abrupt', graceMs: 0 } } });
  const alpha = await client('ALPHA');
  await rests(alpha);
  const path = '/trading/actions';
  await bridge.admin('POST', '/faults', { kind: 'fail_before', status: 502, path, times: null });
  alpha.hangUp();
  await expect.poll(pendingOrders).toBe(1);
  expect(openOrders()).toBe(1);
  await bridge.admin('DELETE', '/faults');
  await expect.poll(openOrders).toBe(0);
});

test('V-07: a client that is back within the grace keeps its orders', async () => {
  await start({ session: { cancelOnDisconnect: { when: 'abrupt', graceMs: 600_000 } } });
  const alpha = await client('ALPHA');
  await rests(alpha);
  alpha.hangUp();
  await client('ALPHA');
  expect(openOrders()).toBe(1);
});

test('V-07: a client that is not back within the grace loses its orders', async () => {
  await start({ session: { cancelOnDisconnect: { when: 'abrupt', graceMs: 400 } } });
  const alpha = await client('ALPHA');
  await rests(alpha);
  alpha.hangUp();
  await expect.poll(openOrders).toBe(0);
});

test('Q-06: once numbers begin anew, orders that live on are stated again where the session wants it', async () => {
  await start({ config: { profiles: { restating: { restateOrders: true } } } });
  const loaded = changed((config) => {
    config.sessions = config.sessions.map((session) =>
      session.senderCompId === 'ALPHA' ? { ...session, profile: 'restating' } : session,
    );
  });
  await bridge.gateway.reload(loaded);
  const [alpha, bravo] = [await client('ALPHA'), await client('BRAVO')];
  for (const peer of [alpha, bravo]) {
    await rests(peer);
    peer.hangUp();
  }
  const same = await connected('ALPHA');
  same.nextOut = alpha.nextOut;
  await same.logon('');
  same.say('1|112=quiet');
  await same.next((message) => fieldOf(message, '112') === 'quiet');
  expect(same.unasked()).toEqual([]);
  same.hangUp();
  const anew = await client('ALPHA');
  const stated = await anew.next(isReport('D'));
  expect(['39', '378', '151', '37'].map((tag) => fieldOf(stated, tag))).toEqual([
    '0',
    '1',
    '0.01',
    expect.any(String),
  ]);
  anew.nextOut = 1;
  await anew.logon();
  expect(fieldOf(await anew.next(isReport('D')), '34')).toBe('2');
  const other = await client('BRAVO');
  other.say('1|112=quiet');
  await other.next((message) => fieldOf(message, '112') === 'quiet');
  expect(other.unasked()).toEqual([]);
});

test('a client from another address is refused, with the right password too', async () => {
  await start({ session: { allowFrom: ['10.0.0.0/8'] } });
  const alpha = await connected('ALPHA');
  expect(fieldOf(await alpha.logon(), '58')).toBe('Logon refused: wrong credentials');
});

test('R-12: a session over its rate is refused with number 101, and its cancels are still sent', async () => {
  await start({ session: { limits: { ordersPerSecond: 1 } } });
  const alpha = await client('ALPHA');
  alpha.say(order());
  alpha.say(order());
  const refused = await alpha.next(isReport('8'));
  expect(['103', '9101', '9102'].map((tag) => fieldOf(refused, tag))).toEqual([
    '99',
    '101',
    'bridge.throttled',
  ]);
  alpha.say('q|11=m|530=7|60=now');
  await alpha.next(isReport('4'));
});

test('R-16: a fat finger is stopped before anything is signed: notional, collar, open orders', async () => {
  await start({
    session: { limits: { maxNotional: '500', priceCollarBps: 100, maxOpenOrders: 1 } },
  });
  const alpha = await client('ALPHA');
  alpha.say(order('55=BTC-USDC|54=1|38=1|40=2|44=40000|59=1'));
  expect(fieldOf(await alpha.next(isReport('8')), '9102')).toBe('bridge.limit');
  alpha.say(order());
  expect(fieldOf(await alpha.next(isReport('8')), '9102')).toBe('bridge.no_reference_price');
});

test('R-18, R61: a delegation that has ended blocks the account and raises an alarm; the session stays', async () => {
  await start();
  const alpha = await client('ALPHA');
  await rests(alpha);
  await bridge.admin('POST', '/faults', {
    kind: 'refuse',
    code: 'AGENT_EXPIRED',
    path: '/trading/actions',
    times: 1,
  });
  alpha.say(order());
  expect(fieldOf(await alpha.next(isReport('8')), '9102')).toBe('AGENT_EXPIRED');
  expect(bridge.alarms.join()).toMatch(/placements are blocked: AGENT_EXPIRED/);
  alpha.say(order());
  expect(fieldOf(await alpha.next(isReport('8')), '9102')).toBe('bridge.gate_closed');
  alpha.say('q|11=m|530=7|60=now');
  await alpha.next(isReport('4'));
  bridge.gateway.operator.reopen(because('it is over'), 'desk-a');
  await rests(alpha);
});

test('after the nonces of the venue went backward an account sends nothing until a person reopens it', async () => {
  await start();
  const alpha = await client('ALPHA');
  const line = bridge.gateway.accounts[0]!.bound.runner;
  await rests(alpha);
  (line.nonces as Nonces).discovered(2, null);
  (line.nonces as Nonces).discovered(1, 2);
  expect(line.nonces.isLatched).toBe(true);
  alpha.say(order());
  await expect.poll(() => line.waiting).toBe(1);
  bridge.gateway.operator.reopen(because('it was compared with the venue'), 'desk-a');
  expect(line.nonces.isLatched).toBe(false);
  await alpha.next((message) => typeOf(message) === '8' && fieldOf(message, '39') === '0');
});

test('R71, R79: number 103 on the stream closes the gate, and the readiness opens it again', async () => {
  await start();
  const alpha = await client('ALPHA');
  const [account] = bridge.gateway.accounts;
  await bridge.admin('POST', `/streams/${account?.bound.runner.account}`, { number: 103 });
  expect(fieldOf(await alpha.next((message) => typeOf(message) === 'h'), '340')).toBe('1');
  expect(fieldOf(await alpha.next((message) => typeOf(message) === 'h'), '340')).toBe('2');
  await expect
    .poll(() => bridge.gateway.gate.refusal(account!.bound.runner.account, 1 as never, false))
    .toBeNull();
  await rests(alpha);
});

function pendingOrders(): number {
  return bridge.gateway.accounts
    .flatMap(({ bound }) => [...bound.runner.orders.open()])
    .filter(({ pending }) => pending !== null).length;
}

function openOrders(): number {
  return bridge.gateway.accounts.reduce((sum, { bound }) => sum + bound.runner.orders.openCount, 0);
}

test('numbers beyond the limit of a session are refused, because no message could have them', async () => {
  await start();
  const { operator } = bridge.gateway;
  const set = (nextIn: number, nextOut: number) =>
    operator.session(because('agreed'), alphaSession, { kind: 'set_numbers', nextIn, nextOut });
  const text = 'FIX.4.4:CAUSEWAY/->ALPHA/ takes numbers up to 1000000000';
  expect(() => set(1, Number.MAX_SAFE_INTEGER)).toThrow(text);
  expect(() => set(1_000_000_001, 1)).toThrow(text);
  set(1_000_000_000, 1_000_000_000);
});
