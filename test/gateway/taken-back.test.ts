/**
 * Orders that are recorded and wait for room at the venue when they are stopped, over real sockets: they are refused at
 * once and never sent. What is under way is canceled behind its acceptance.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nobody } from '../../src/gateway/observer.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';

const alphaSession = 'FIX.4.4:CAUSEWAY/->ALPHA/';
/** As many as the venue takes at once. */
const room = 8;
const by = { who: 'test', why: 'runaway' };

let bridge: Bridge;
let alpha: FixPeer;
/** The ClOrdIDs of all placements in requests to the venue. */
let sent: string[] = [];
let count = 0;

beforeAll(async () => {
  bridge = await startBridge({
    session: { cancelOnDisconnect: { when: 'always', graceMs: 0 } },
    observer: {
      ...nobody,
      requested: (_, { body }) => {
        for (const [, id = ''] of String(body).matchAll(/"client_order_id":"(?:[^"]*?)(o\d+)"/g))
          sent.push(id);
      },
    },
  });
  alpha = await client();
});

afterAll(async () => {
  alpha.hangUp();
  await bridge.stop();
});

async function client(): Promise<FixPeer> {
  const [session] = bridge.sessions;
  if (session === undefined) throw new Error('no session');
  const peer = await FixPeer.connect(bridge.gateway.port, session);
  await peer.logon();
  return peer;
}

/** Orders of which the venue answers the first eight late, so that the rest wait for room. */
async function crowd(): Promise<{
  readonly underWay: readonly string[];
  readonly queued: readonly string[];
}> {
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
  sent = [];
  const path = '/trading/actions';
  await bridge.admin('POST', '/faults', { kind: 'slow', delayMs: 1_500, path, times: room });
  const ids = Array.from({ length: room + 4 }, () => {
    count += 1;
    alpha.say(`D|11=o${count}|55=BTC-USDC|54=1|38=0.1|40=2|44=40000|59=1|60=now`);
    return `o${count}`;
  });
  await expect.poll(() => sent.length).toBe(room);
  alpha.say(`1|112=in${count}`);
  await alpha.next((message) => fieldOf(message, '112') === `in${count}`);
  return { underWay: ids.slice(0, room), queued: ids.slice(room) };
}

/** How an order ended: 8 refused, 4 canceled; and in the words of the bridge, why. */
async function end(clOrdId: string): Promise<string> {
  const isEnd = (message: string) =>
    [fieldOf(message, '11'), fieldOf(message, '41')].includes(clOrdId) &&
    ['4', '8'].includes(fieldOf(message, '150') ?? '');
  const told = await alpha.next(isEnd);
  return `${fieldOf(told, '150')} ${fieldOf(told, '9102') ?? ''}`.trim();
}

test('R-15: the kill switch refuses what waits for room at the venue, and cancels what is under way', async () => {
  const { queued, underWay } = await crowd();
  bridge.gateway.operator.kill(by, { kind: 'session', name: alphaSession });
  for (const id of queued) expect(await end(id)).toBe('8 bridge.kill_switch');
  for (const id of underWay) expect(await end(id)).toBe('4');
  expect(sent).toEqual(underWay);
  bridge.gateway.operator.release(by, { kind: 'session', name: alphaSession });
});

test("a client's own cancel of what waits for room refuses the order, and the cancel with it", async () => {
  const { queued, underWay } = await crowd();
  const [own = '', ...others] = queued;
  alpha.say(`F|11=c${own}|41=${own}|55=BTC-USDC|54=1|60=now`);
  expect(await end(own)).toBe('8 bridge.throttled');
  const late = await alpha.next((message) => fieldOf(message, '35') === '9');
  expect(['41', '39', '434', '102'].map((tag) => fieldOf(late, tag))).toEqual([own, '8', '1', '0']);
  await expect.poll(() => sent, { timeout: 4_000 }).toEqual([...underWay, ...others]);
});

test('V-07: cancel on disconnect takes back what waits for room', async () => {
  const { queued, underWay } = await crowd();
  alpha.hangUp();
  alpha = await client();
  for (const id of queued) expect(await end(id)).toBe('8 bridge.throttled');
  for (const id of underWay) expect(await end(id)).toBe('4');
  expect(sent).toEqual(underWay);
});
