/** D-14 on real sockets: a reader of drop copies that takes nothing off its socket any more. */
import { afterEach, expect, test, vi } from 'vitest';
import { demoSessions } from '../../src/cli/demo-files.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';

/** Until megabytes of buffers are full, and empty again. */
const patienceMs = 100_000;

let bridge: Bridge;
const peers: FixPeer[] = [];

afterEach(async () => {
  for (const peer of peers.splice(0)) peer.hangUp();
  await bridge.stop();
});

async function client(name: string, senderCompId = name): Promise<FixPeer> {
  const session = demoSessions(1).find((one) => one.senderCompId === name);
  if (session === undefined) throw new Error(`no session ${name}`);
  const peer = await FixPeer.connect(bridge.gateway.port, { ...session, senderCompId });
  peers.push(peer);
  expect(typeOf(await peer.logon(''))).toBe('A');
  return peer;
}

const isNew = (clOrdId: string) => (message: string) =>
  fieldOf(message, '150') === '0' && fieldOf(message, '11') === clOrdId;

test(
  'D-14: a reader whose machine has stopped holds up neither order entry nor another reader',
  async () => {
    const target = { targetCompId: 'CAUSEWAY', accounts: ['desk-a'] };
    const reader = {
      ...target,
      role: 'drop-copy',
      users: ['drop'],
      copy: { acknowledge: 'reader' },
    };
    bridge = await startBridge({
      config: {
        sessions: [
          { ...target, senderCompId: 'ALPHA', role: 'order-entry', users: ['alpha'] },
          { ...reader, senderCompId: 'SLOW' },
          { ...reader, senderCompId: 'QUICK' },
        ],
      },
    });
    const alpha = await client('ALPHA');
    const [slow, quick] = [await client('DROP', 'SLOW'), await client('DROP', 'QUICK')];
    const order = (id: string) =>
      alpha.say(`D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`);
    for (let i = 0; i < 50; i += 1) order(`before${i}`);
    await slow.next(isNew('before49'));
    slow.stopReading();
    const held = bridge.gateway.copies.relay.readers.find(({ name }) => name.includes('SLOW'));
    if (held === undefined) throw new Error('no reader');
    // It asks for all again and again, until the buffers of the system are full and then its own.
    await vi.waitUntil(
      () => {
        for (let i = held.asked; i < 4; i += 1) slow.say('UR|9120=r|9121=2|9124=20260101-00:00:00');
        return held.isHeldUp;
      },
      { timeout: patienceMs, interval: 5 },
    );
    order('meanwhile');
    await alpha.next(isNew('meanwhile'));
    await quick.next(isNew('meanwhile'));
    expect([held.isHeldUp, held.behind > 0]).toEqual([true, true]);
    slow.read();
    await vi.waitUntil(() => held.behind === 0, patienceMs);
    await slow.next((copy) => isNew('meanwhile')(copy) && !copy.includes('|9120='));
  },
  3 * patienceMs,
);
