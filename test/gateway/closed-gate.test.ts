/**
 * R77: the venue stops being ready while recorded orders wait for room or for another attempt, over real sockets. They
 * do not go out before the gate is open again; cancels do.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nobody } from '../../src/gateway/account/observer.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';

let bridge: Bridge;
let peer: FixPeer;
/** The kinds of actions in requests to the venue. */
let sent: string[];

async function open(patienceMs: number): Promise<void> {
  bridge = await startBridge({
    config: { patienceMs },
    observer: {
      ...nobody,
      requested: (_, { body }) => {
        for (const [, kind = ''] of String(body).matchAll(/"action":\{"(\w+)"/g)) sent.push(kind);
      },
    },
  });
  peer = await FixPeer.connect(bridge.gateway.port, bridge.user());
  await peer.logon();
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
}

beforeEach(() => {
  sent = [];
});

afterEach(async () => {
  peer.hangUp();
  await bridge.stop();
});

function order(id: string): void {
  peer.say(`D|11=${id}|55=BTC-USDC|54=1|38=0.1|40=2|44=40000|59=1|60=now`);
}

const placements = () => sent.filter((kind) => kind !== 'Cancel').length;

async function ready(isReady: boolean): Promise<void> {
  await bridge.admin('POST', '/gates', { placementOff: !isReady });
  await expect.poll(() => bridge.gateway.gate.state).toBe(isReady ? 'open' : 'not_ready');
}

function report(id: string, execType: string): Promise<string> {
  return peer.next((said) => fieldOf(said, '11') === id && fieldOf(said, '150') === execType);
}

/** The venue holds back the answer to the only request that may be in flight, so the second order waits for room. */
async function crowd(): Promise<void> {
  const { dispatcher } = bridge.gateway.accounts[0] ?? expect.fail('no account');
  dispatcher.limit({ jsonEnabled: null, maxActions: null, maxInFlight: 1 });
  const fault = { kind: 'slow', delayMs: null, path: '/trading/actions', times: 1 };
  await bridge.admin('POST', '/faults', fault);
  order('out');
  await expect.poll(placements).toBe(1);
  order('queued');
  await expect.poll(() => dispatcher.queued).toBe(1);
}

async function answered(): Promise<void> {
  await bridge.admin('DELETE', '/faults');
  await bridge.admin('POST', '/faults/release');
}

test('R77: an order that waits for room is refused if its time ends before the venue is ready again', async () => {
  await open(1_500);
  await crowd();
  await ready(false);
  await answered();
  await report('out', '0');
  peer.say('F|11=f1|41=out|55=BTC-USDC|54=1|60=now');
  await report('f1', '4');
  const refusal = await report('queued', '8');
  expect(['39', '103', '9102'].map((tag) => fieldOf(refusal, tag))).toEqual([
    '8',
    '2',
    'bridge.gate_closed',
  ]);
  expect([placements(), sent.at(-1)]).toEqual([1, 'Cancel']);
});

test('R77: an order that waits for room goes out once the venue is ready again', async () => {
  await open(60_000);
  await crowd();
  await ready(false);
  await answered();
  await report('out', '0');
  await expect.poll(() => bridge.gateway.accounts[0]?.dispatcher.queued).toBe(0);
  expect(placements()).toBe(1);
  await ready(true);
  await report('queued', '0');
  expect(placements()).toBe(2);
});

test('R77: an order that the venue refused for now is not sent again while the venue is not ready', async () => {
  await open(4_000);
  const fault = { kind: 'fail_before', status: 429, path: '/trading/actions', times: 1 };
  await bridge.admin('POST', '/faults', fault);
  order('again');
  await expect.poll(() => bridge.admin('GET', '/faults')).toMatchObject({ faults: [] });
  await ready(false);
  expect(fieldOf(await report('again', '8'), '9102')).toBe('bridge.gate_closed');
  expect(placements()).toBe(1);
});
