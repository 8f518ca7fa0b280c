/** A bridge with few descriptors, and more strangers than it has. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startBridge } from '../../support/bridge.ts';
import { FixPeer } from '../../support/fix-peer.ts';
import { RunProcess } from '../../support/run-process.ts';

const strangers = 500;
const descriptors = 300;

test('with few descriptors the doors take fewer connections, and one more cannot end the bridge', async () => {
  const bridge = await startBridge({ config: { console: undefined } });
  await bridge.gateway.stop();
  const idle: Socket[] = [];
  const run = RunProcess.within(descriptors, bridge.configFile);
  try {
    expect(await run.says(/doors take fewer connections: fix (\d+) instead of 1000/)).toMatch(
      /^\d+$/,
    );
    const port = await run.port();
    for (let i = 0; i < strangers; i += 1) {
      const socket = connect({ host: '127.0.0.1', port, localAddress: `127.4.${i % 7}.1` });
      socket.on('error', () => {});
      idle.push(socket);
    }
    await Promise.all(idle.slice(-5).map((socket) => once(socket, 'connect')));
    const alpha = bridge.user();
    const client = await FixPeer.connect(port, alpha);
    expect(await client.logon()).toContain('|35=A|');
    client.say('D|11=few-1|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now');
    expect(await client.heard()).toContain('|150=A|');
    client.hangUp();
  } finally {
    for (const socket of idle) socket.destroy();
    await run.kill();
    await bridge.stop();
  }
}, 60_000);
