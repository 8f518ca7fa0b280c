/** Orders that need a price, on both lanes: the book is read when they come, so it has moved and emptied as the venue says. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { demoSessions } from '../../src/cli/demo-files.ts';
import { listOf } from '../acceptance/parity/lanes.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';
import { FixpPeer } from '../support/fixp-peer.ts';

/** MARKET makes prices on desk-a; ALPHA and BRAVO take them on desk-b, held against a collar of 10 %. */
const sessions = demoSessions(1)
  .filter(({ senderCompId }) => ['ALPHA', 'BRAVO', 'MARKET'].includes(senderCompId))
  .map(({ targetCompId, senderCompId, username }) => ({
    senderCompId,
    role: 'order-entry',
    accounts: [senderCompId === 'MARKET' ? 'desk-a' : 'desk-b'],
    ...(senderCompId === 'BRAVO' ? { protocol: 'fixp' } : { targetCompId, allowReset: true }),
    users: [username],
    actions: ['order'],
    ...(senderCompId !== 'MARKET' && { limits: { priceCollarBps: 1_000 } }),
  }));

type Peer = FixPeer | FixpPeer;

let bridge: Bridge;
let maker: Peer;
let count = 0;
const peers: Peer[] = [];

beforeAll(async () => {
  bridge = await startBridge({ config: { fixp: { listen: { port: 0 } }, sessions } });
  maker = await connect('MARKET');
});

afterEach(async () => {
  maker.say(`q|11=${nextId()}|530=7|60=now`);
  await maker.next((line) => fieldOf(line, '35') === 'r');
});

afterAll(async () => {
  for (const peer of peers) peer.hangUp();
  await bridge.stop();
});

async function connect(name: string): Promise<Peer> {
  const user = bridge.user(name);
  const { gateway } = bridge;
  const peer =
    name === 'BRAVO'
      ? await FixpPeer.connect(gateway.fixpPort, user, listOf(gateway))
      : await FixPeer.connect(gateway.port, user);
  peers.push(peer);
  await peer.logon();
  return peer;
}

function nextId(): string {
  count += 1;
  return `n${count}`;
}

async function ended(peer: Peer, id: string, ...execTypes: string[]): Promise<string> {
  return peer.next(
    (line) => fieldOf(line, '11') === id && execTypes.includes(fieldOf(line, '150') ?? ''),
  );
}

/** The maker sells at this price, and it rests. */
async function offered(price: string): Promise<string> {
  const id = nextId();
  maker.say(`D|11=${id}|55=BTC-USDC|54=2|38=0.01|40=2|44=${price}|59=1|60=now`);
  await ended(maker, id, '0');
  return id;
}

async function taken(peer: Peer, fields: string): Promise<string> {
  const id = nextId();
  peer.say(`D|11=${id}|55=BTC-USDC|54=1|38=0.01|${fields}|60=now`);
  const end = await ended(peer, id, 'F', '8', '4');
  return [fieldOf(end, '150'), fieldOf(end, '31') ?? fieldOf(end, '9102')].join(' ');
}

const marketOrder = '40=1|59=3';

describe.each([
  ['FIX', 'ALPHA'],
  ['FIXP', 'BRAVO'],
])('on %s', (_, name) => {
  let taker: Peer;

  beforeAll(async () => {
    taker = await connect(name);
  });

  test('a market order finds the price of a moment before, wherever the book was', async () => {
    for (const price of ['50000', '60000', '40000']) {
      await offered(price);
      expect(await taken(taker, marketOrder)).toBe(`F ${price}`);
    }
  });

  test('a market order on a book that is empty is refused, and not on one that was', async () => {
    expect(await taken(taker, marketOrder)).toBe('8 bridge.no_reference_price');
    await offered('50000');
    expect(await taken(taker, marketOrder)).toBe('F 50000');
    expect(await taken(taker, marketOrder)).toBe('8 bridge.no_reference_price');
  });

  test('a collar is held against the price of a moment before', async () => {
    for (const price of ['50000', '60000']) {
      await offered(price);
      expect(await taken(taker, `40=2|44=${price}|59=3`)).toBe(`F ${price}`);
    }
    await offered('50000');
    expect(await taken(taker, '40=2|44=70000|59=3')).toBe('8 bridge.limit');
  });

  test('what comes behind an order that waits is done behind it', async () => {
    await offered('50000');
    const ids = [nextId(), nextId()];
    taker.say(`D|11=${ids[0]}|55=BTC-USDC|54=1|38=0.01|${marketOrder}|60=now`);
    taker.say(`D|11=${ids[1]}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=3|60=now`);
    taker.say('1|112=probe-behind');
    const heard: (string | undefined)[] = [];
    while (heard.length < 3) {
      const line = await taker.next(
        (one) => fieldOf(one, '150') === 'A' || fieldOf(one, '112') === 'probe-behind',
      );
      heard.push(fieldOf(line, '11') ?? fieldOf(line, '112'));
    }
    expect(heard).toEqual([...ids, 'probe-behind']);
  });
});
