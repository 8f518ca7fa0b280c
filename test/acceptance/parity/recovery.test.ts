/** What the FIXP session layer does for orders: one action a message, nothing lost, cancel-on-disconnect (P-11 … P-19). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { demoSessions } from '../../../src/cli/demo-files.ts';
import { BusinessReject } from '../../../src/mapping/sbe/generated/business-reject.ts';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../../support/fix-peer.ts';
import { FixpPeer } from '../../support/fixp-peer.ts';
import { until } from '../../support/waits.ts';
import { listOf } from './lanes.ts';

const all = ['order', 'quote', 'algo', 'conditional'];
/** ALPHA and DROP speak FIXP, BRAVO and MARKET (as a drop copy) FIX. */
const sessions = demoSessions(1).map(({ targetCompId, password: _, username, ...session }) => ({
  ...session,
  ...(session.senderCompId === 'ALPHA' || session.senderCompId === 'DROP'
    ? { protocol: 'fixp' }
    : { targetCompId, allowReset: true }),
  ...(session.senderCompId === 'MARKET' && { role: 'drop-copy', accounts: ['desk-a', 'desk-b'] }),
  users: [username],
  actions: all,
}));

let bridge: Bridge;
let count = 0;
const peers: (FixPeer | FixpPeer)[] = [];

beforeAll(async () => {
  bridge = await startBridge({ config: { fixp: { listen: { port: 0 } }, sessions } });
});

afterEach(async () => {
  for (const peer of peers.splice(0)) peer.hangUp();
  await until(() => isAway('ALPHA') && isAway('DROP'));
  bridge.gateway.operator.kill(
    { who: 'test', why: 'the next case' },
    { kind: 'account', name: 'desk-a' },
  );
  bridge.gateway.operator.release(
    { who: 'test', why: 'the next case' },
    { kind: 'account', name: 'desk-a' },
  );
  await until(() => open() === 0);
});

afterAll(async () => {
  await bridge.stop();
});

function user(name: string) {
  const found = bridge.user(name);
  return found;
}

async function fixp(name: string, before?: FixpPeer): Promise<FixpPeer> {
  const { gateway } = bridge;
  before?.hangUp();
  await until(() => isAway(name));
  const peer = await FixpPeer.connect(gateway.fixpPort, user(name), listOf(gateway), before);
  peers.push(peer);
  return peer;
}

async function loggedOn(name: string, before?: FixpPeer): Promise<FixpPeer> {
  const peer = await fixp(name, before);
  expect(await peer.logon(before === undefined ? undefined : '')).toBe('35=A|');
  return peer;
}

async function fix(name: string): Promise<FixPeer> {
  const peer = await FixPeer.connect(bridge.gateway.port, user(name));
  peers.push(peer);
  expect(typeOf(await peer.logon())).toBe('A');
  return peer;
}

const order = (id: string) => `D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`;
function nextId(): string {
  count += 1;
  return `r${count}`;
}
const open = () =>
  bridge.gateway.accounts.reduce((sum, one) => sum + one.bound.runner.orders.openCount, 0);

function isAway(name: string): boolean {
  return bridge.gateway.fixpDirectory.roster.get(`FIXP:${name}`)?.phase === 'down';
}

async function placed(peer: FixpPeer | FixPeer, id: string): Promise<void> {
  peer.say(order(id));
  await peer.next((line) => fieldOf(line, '11') === id && fieldOf(line, '150') === '0');
}

test('P-12: reports that a broken link swallowed come again in the same session, and there is one order', async () => {
  const first = await loggedOn('ALPHA');
  const id = nextId();
  first.deaf = true;
  first.say(order(id));
  await until(() => open() === 1);
  first.hangUp();
  const second = await loggedOn('ALPHA', first);
  // What is new may come before what is sent again.
  const states = [await second.heard(), await second.heard()].map((line) => fieldOf(line, '150'));
  expect(states.sort()).toEqual(['0', 'A']);
  expect(open()).toBe(1);
});

test('P-11: a message that is sent again under its number is one order, under a new one a refused repetition', async () => {
  const peer = await loggedOn('ALPHA');
  const id = nextId();
  await placed(peer, id);
  peer.hangUp();
  const again = await loggedOn('ALPHA', peer);
  // The client goes back by one: it does not know that the order was taken.
  again.nextOut -= 1;
  const third = await loggedOn('ALPHA', again);
  third.say(order(id));
  third.say(order(id));
  const heard = await third.heard();
  expect([fieldOf(heard, '150'), fieldOf(heard, '103')]).toEqual(['8', '6']);
  expect(open()).toBe(1);
});

test('P-07: after a restart of the bridge all reports of the session can be asked for again', async () => {
  const peer = await loggedOn('ALPHA');
  const ids = [nextId(), nextId(), nextId()];
  for (const id of ids) await placed(peer, id);
  peer.hangUp();
  await bridge.restart();
  peer.forgetHeard();
  const again = await loggedOn('ALPHA', peer);
  const told: string[] = [];
  while (told.length < 6) {
    const line = await again.heard();
    // A session id begins with what no client of an earlier one was handed.
    if (ids.includes(fieldOf(line, '11') ?? '')) told.push(line);
  }
  expect(told.map((line) => `${fieldOf(line, '11')} ${fieldOf(line, '150')}`)).toEqual(
    ids.flatMap((id) => [`${id} A`, `${id} 0`]),
  );
});

describe('P-19: cancel-on-disconnect is what Establish asks for', () => {
  test.each([
    ['Never', 'broken', 1],
    ['Never', 'terminated', 1],
    ['OnDisconnect', 'broken', 0],
    ['OnDisconnect', 'terminated', 1],
    ['OnTerminate', 'broken', 1],
    ['OnTerminate', 'terminated', 0],
    ['OnDisconnectOrTerminate', 'broken', 0],
    ['OnDisconnectOrTerminate', 'terminated', 0],
  ] as const)('%s, the link is %s: %i orders stay', async (type, end, left) => {
    const peer = await fixp('ALPHA');
    peer.establishing = { CancelOnDisconnectType: type, CodTimeoutWindow: 0 };
    await peer.logon();
    await placed(peer, nextId());
    if (end === 'broken') peer.hangUp();
    else peer.say('5');
    await until(() => isAway('ALPHA'));
    if (left === 0) await until(() => open() === 0);
    expect(open()).toBe(left);
  });

  test('a client that comes back within its window keeps its orders', async () => {
    const peer = await fixp('ALPHA');
    peer.establishing = { CancelOnDisconnectType: 'OnDisconnect', CodTimeoutWindow: 600_000 };
    await peer.logon();
    await placed(peer, nextId());
    peer.hangUp();
    await until(() => isAway('ALPHA'));
    const again = await loggedOn('ALPHA', peer);
    expect(open()).toBe(1);
    again.hangUp();
  });
});

test('D-02: copies cross the lanes, each once', async () => {
  const drop = await loggedOn('DROP');
  const fixDrop = await fix('MARKET');
  const [alpha, bravo] = [await loggedOn('ALPHA'), await fix('BRAVO')];
  const [mine, theirs] = [nextId(), nextId()];
  await placed(alpha, mine);
  await placed(bravo, theirs);
  for (const reader of [drop, fixDrop]) {
    const copies: string[] = [];
    while (copies.length < 4) {
      const copy = await reader.heard();
      expect(fieldOf(copy, '797')).toBe('Y');
      const id = fieldOf(copy, '11') ?? '';
      if (id === mine || id === theirs) copies.push(`${id} ${fieldOf(copy, '150')}`);
    }
    expect(copies.sort()).toEqual([mine, theirs].flatMap((id) => [`${id} 0`, `${id} A`]).sort());
  }
  bravo.say(`q|11=${nextId()}|530=7|60=now`);
  await until(() => open() === 1);
});

test('P-18: bytes that are not a message end the connection, a template that is not offered is refused', async () => {
  const peer = await loggedOn('ALPHA');
  const answer = Buffer.from([4, 0, 213, 0, 0x30, 0x10, 0, 0, 0, 0, 0, 0]);
  peer.nextOut += 1;
  peer.send(answer);
  const refused = await peer.heard();
  expect([typeOf(refused), fieldOf(refused, '380')]).toEqual(['j', '3']);
  const cut = Buffer.from([4, 0, 100, 0, 0x30, 0x10, 0, 0, 0, 0, 0, 0]);
  peer.nextOut += 1;
  peer.send(cut);
  expect(await peer.next((line) => line.startsWith('Terminate'))).toMatch(/NewOrderSingle/);
});

test('a reject of our message is answered by nothing on either lane, and the operator hears of it', async () => {
  const rejects = {
    ALPHA: new BusinessReject()
      .encode(Buffer.alloc(64))
      .setRefTemplateId(201)
      .setRefSeqNum(1)
      .setText('no such report').bytes,
    BRAVO: 'j|45=1|372=A|380=3|58=no such report',
  };
  const alpha = await loggedOn('ALPHA');
  const bravo = await fix('BRAVO');
  alpha.nextOut += 1;
  alpha.send(rejects.ALPHA);
  bravo.say(rejects.BRAVO);
  for (const peer of [alpha, bravo]) {
    peer.say('H|790=q|11=none|55=BTC-USDC|54=1');
    expect(typeOf(await peer.heard())).toBe('8');
  }
  for (const session of ['ALPHA', 'BRAVO']) {
    const ours = bridge.alarms.filter((alarm) => alarm.includes(session));
    expect(ours.filter((alarm) => alarm.includes('no such report'))).toHaveLength(1);
  }
  const { directory, fixpDirectory } = bridge.gateway;
  const all = [...directory.roster.list(), ...fixpDirectory.roster.list()];
  expect(all.reduce((sum, { counts }) => sum + counts.rejects, 0)).toBe(2);
});

test('a name with control characters is refused, because other lanes would have to say it', async () => {
  const peer = await loggedOn('ALPHA');
  peer.say(order('a\x01b'));
  const refused = await peer.heard();
  expect(fieldOf(refused, '9102')).toBe('bridge.value_out_of_range');
  expect(open()).toBe(0);
});
