/** A message on which the bridge throws ends it once: the next process rejects what the client sends again. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { encodeMessage } from '../../src/sbe/generic-encoder.ts';
import { orders, requestOf } from '../acceptance/parity/fixp-words.ts';
import { listOf } from '../acceptance/parity/lanes.ts';
import { type Bridge, bothLanes, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { FixpPeer } from '../support/fixp-peer.ts';
import { RunProcess } from '../support/run-process.ts';

const poison = join(import.meta.dirname, '../support/throw-on-poison.ts');

let bridge: Bridge;
const peers: (FixPeer | FixpPeer)[] = [];

beforeAll(async () => {
  bridge = await startBridge({ config: bothLanes() });
});

afterAll(async () => {
  for (const peer of peers) peer.hangUp();
  await bridge.stop();
});

async function fix(port: number): Promise<FixPeer> {
  const peer = await FixPeer.connect(port, bridge.user('ALPHA'));
  peers.push(peer);
  return peer;
}

async function fixp(port: number, before?: FixpPeer): Promise<FixpPeer> {
  const peer = await FixpPeer.connect(port, bridge.user('BRAVO'), listOf(bridge.gateway), before);
  peers.push(peer);
  return peer;
}

const sentAt = new Date().toISOString().replaceAll('-', '').replace('T', '-').slice(0, 17);
function order(id: string): string {
  return `11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=${sentAt}`;
}

/** Runs the program until the client's message has ended it; answers its log. */
async function endedBy(send: (running: RunProcess) => Promise<void>): Promise<string> {
  vi.stubEnv('NODE_OPTIONS', `--import ${poison}`);
  const running = new RunProcess(bridge.configFile);
  vi.unstubAllEnvs();
  try {
    await send(running);
    expect(await running.ended()).toBe(1);
    return running.said;
  } finally {
    await running.kill();
  }
}

test('a message that crashes the bridge is rejected when it is sent again, on both lanes, and the session continues', async () => {
  const line = 'D|11=poison|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now';
  const fixpPoison = encodeMessage(orders, requestOf(line));
  let client: FixpPeer | undefined;
  const logs: string[] = [];
  await bridge.restart(async () => {
    const byFix = await endedBy(async (running) => {
      const peer = await fix(await running.port());
      expect(typeOf(await peer.logon())).toBe('A');
      peer.say(`D|${order('poison')}`);
    });
    const byFixp = await endedBy(async (running) => {
      client = await fixp(await running.fixpPort());
      await client.logon();
      client.sendNumbered(fixpPoison);
    });
    logs.push(byFix, byFixp);
  });
  expect(logs[0]).toMatch(
    /a transaction threw: a mistake of ours; set aside: a message of FIX\S*ALPHA/,
  );
  expect(logs[1]).toMatch(
    /a transaction threw: a mistake of ours; set aside: a message of FIXP:BRAVO/,
  );

  const back = await fix(bridge.gateway.port);
  back.nextOut = 3;
  await back.logon('');
  expect(fieldOf(await back.next((line) => typeOf(line) === '2'), '7')).toBe('2');
  back.say(`D|34=2|43=Y|122=${sentAt}|${order('poison')}`);
  back.say('4|34=3|43=Y|122=now|123=Y|36=4');
  const rejected = await back.next((line) => typeOf(line) === '3');
  expect([fieldOf(rejected, '45'), fieldOf(rejected, '373')]).toEqual(['2', '99']);
  expect(fieldOf(rejected, '58')).toMatch(/stopped the bridge before/);
  back.say(`D|${order('next')}`);
  expect(fieldOf(await back.heard(), '150')).toBe('A');

  const again = await fixp(bridge.gateway.fixpPort, client);
  again.nextOut -= 1;
  expect(await again.logon('')).toBe('35=A|');
  again.sendNumbered(fixpPoison);
  const refused = await again.next((line) => typeOf(line) === 'j');
  expect([fieldOf(refused, '380'), fieldOf(refused, '9102')]).toEqual(['0', 'bridge.set_aside']);
  again.say(`D|11=next|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`);
  expect(fieldOf(await again.heard(), '150')).toBe('A');
  expect(bridge.alarms.filter((text) => text.includes('stopped the bridge before'))).toHaveLength(
    2,
  );
});
