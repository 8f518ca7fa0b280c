/** One account of the configuration: its stream decides whether it may trade, and nobody else's. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { isOfOtherChannel } from '../../src/domain/order.ts';
import type { OrderId } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { silentEvent } from '../domain/ladder.ts';
import { Client, spot } from '../sandbox/client.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';
import { denied } from '../support/venue-denial.ts';

let bridge: Bridge;
const peers: FixPeer[] = [];

beforeAll(async () => {
  bridge = await startBridge({ config: { shutdownGraceMs: 500 } });
});

afterEach(() => {
  for (const peer of peers.splice(0)) peer.hangUp();
});

afterAll(() => bridge.stop());

/** The first trades for the first account, the second for the other one. */
async function client(index: 0 | 1, logon?: string): Promise<FixPeer> {
  const session = bridge.sessions[index];
  if (session === undefined) throw new Error('no session');
  const peer = await FixPeer.connect(bridge.gateway.port, session);
  peers.push(peer);
  await peer.logon(logon);
  return peer;
}

async function ordered(peer: FixPeer, id: string): Promise<string> {
  peer.say(`D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`);
  const said = await peer.next((one) => fieldOf(one, '11') === id && fieldOf(one, '150') !== 'A');
  return fieldOf(said, '150') ?? '';
}

function accountAt(index: number): string {
  return bridge.gateway.accounts[index]?.config.account ?? '';
}

test('what happened to an order while the bridge was away is reported once it is back, and once only', async () => {
  const before = await client(0);
  expect(await ordered(before, 'rests')).toBe('0');
  const { nextOut } = before;
  before.hangUp();
  const facts = bridge.sandbox.info.accounts.find(({ account }) => account === accountAt(1));
  if (facts === undefined) throw new Error('no other account');
  await bridge.restart(async () => {
    const other = new Client(bridge.sandbox, facts, systemClock);
    await other.resync();
    const { body } = await other.act(spot({ side: 'Ask', qty: 1_000_000, price: 40_000_000_000 }));
    expect(body.accepted).toBe(true);
  });
  const session = bridge.sessions[0];
  if (session === undefined) throw new Error('no session');
  const back = await FixPeer.connect(bridge.gateway.port, session);
  peers.push(back);
  back.nextOut = nextOut;
  await back.logon('');
  back.say('2|7=1|16=0');
  const fill = await back.next((said) => fieldOf(said, '150') === 'F');
  expect([fieldOf(fill, '11'), fieldOf(fill, '39')]).toEqual(['rests', '2']);
  back.say('1|112=end');
  const after: string[] = [];
  await back.next((said) => {
    after.push(said);
    return fieldOf(said, '112') === 'end';
  });
  expect(after.filter((said) => fieldOf(said, '150') === 'F')).toEqual([]);
});

test('R79: the refusal of its own order on the stream closes the gate, that of a foreign one does not', async () => {
  const peer = await client(0);
  expect(await ordered(peer, 'halts')).toBe('0');
  const { runner } = bridge.gateway.accounts[0]?.bound ?? expect.fail('no account');
  const [own] = [...runner.orders.open()];
  const denial = denied('trading_halted');
  const { wallMs: engineTsMs } = systemClock.now();
  const refused = { ...silentEvent, kind: 'rejected', denial, engineTsMs, nonce: null } as const;
  // The account has applied later events, so only the gate heeds these.
  await runner.onEvents([{ ...refused, venueRef: `0x${'f'.repeat(64)}` as OrderId }]);
  expect(bridge.gateway.gate.state).toBe('open');
  await runner.onEvents([{ ...refused, venueRef: own?.venueRef ?? null }]);
  expect(bridge.gateway.gate.state).toBe('halted');
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
});

test('another program that signs for the account raises one alarm, however much it places', async () => {
  const facts = bridge.sandbox.info.accounts.find(({ account }) => account === accountAt(0));
  if (facts === undefined) throw new Error('no account');
  const runner = bridge.gateway.accounts[0]?.bound.runner ?? expect.fail('no account');
  const other = new Client(bridge.sandbox, facts, systemClock);
  await other.resync();
  for (const price of [30_000_000_000, 30_010_000_000, 30_020_000_000]) {
    const { body } = await other.act(spot({ side: 'Bid', qty: 1_000_000, price }));
    expect(body.accepted).toBe(true);
  }
  const foreign = () => [...runner.orders.openOnVenue()].filter(isOfOtherChannel).length;
  await expect.poll(foreign).toBe(3);
  expect(
    bridge.alarms.filter((text) => /^desk-a: nonce \d+: another program has signed/.test(text))
      .length,
  ).toBe(1);
});

test('an account that the signer has no key for keeps the bridge from starting', async () => {
  const right = readFileSync(bridge.configFile, 'utf8');
  const config = parse(right) as { accounts: { name: string; account: string }[] };
  const [first] = config.accounts;
  if (first === undefined) throw new Error('no account');
  first.account = `0x${'ab'.repeat(20)}`;
  writeFileSync(bridge.configFile, stringify(config));
  await expect(bridge.restart()).rejects.toThrow(
    `the signer has no key for account ${first.name}, ${first.account}`,
  );
  writeFileSync(bridge.configFile, right);
  await bridge.restart();
});

test('R40: when the venue limits our address, no account sends before its time', async () => {
  const [alpha, bravo] = [await client(0), await client(1)];
  await bridge.admin('POST', '/faults', { kind: 'edge_limit', path: '/trading/actions' });
  const own = bridge.gateway.accounts[0] ?? expect.fail('no account');
  const first = ordered(alpha, 'e1');
  await expect.poll(() => bridge.admin('GET', '/faults')).toMatchObject({ faults: [] });
  await expect.poll(() => own.dispatcher.inFlight).toBe(0);
  const startedMs = performance.now();
  expect(await ordered(bravo, 'e2')).toBe('0');
  expect(performance.now() - startedMs).toBeGreaterThan(300);
  expect(await first).toBe('0');
});

test('an account whose stream goes backward places nothing more; other accounts are not affected', async () => {
  const [alpha, bravo] = [await client(0), await client(1)];
  expect([await ordered(alpha, 'a1'), await ordered(bravo, 'b1')]).toEqual(['0', '0']);
  const path = `/streams/${accountAt(0)}`;
  await bridge.admin('POST', path, { resetSeq: true, number: 501 });
  await expect.poll(() => bridge.alarms.join()).toContain('stream latched');
  expect([await ordered(alpha, 'a2'), await ordered(bravo, 'b2')]).toEqual(['8', '0']);
});
