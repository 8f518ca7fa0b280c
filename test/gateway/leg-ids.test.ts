/** R10: a venue that derives the ids of later legs otherwise than the bridge, over real sockets. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';
import { quickProfile } from '../support/quick-files.ts';

const sides = '302=s|304=1|295=1|299=e|55=BTC-USDC|132=40000|133=60000|134=0.01|135=0.01';

test('R10: quotes stop with an alarm where only the id of a later leg differs, and orders continue', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-leg-ids-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // The index of the first leg has the same bytes in both encodings.
  const file = quickProfile(folder);
  const other = parse(readFileSync(file, 'utf8')) as { orderId: { leg: { encoding: string } } };
  other.orderId.leg.encoding = 'u32be';
  writeFileSync(file, stringify(other));
  const bridge = await startBridge({ profileFile: file, session: { actions: ['order', 'quote'] } });
  onTestFinished(() => bridge.stop());
  const peer = await FixPeer.connect(bridge.gateway.port, bridge.user());
  await peer.logon();
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
  const answerTo = (id: string) =>
    peer.next((said) => fieldOf(said, '35') === 'b' && fieldOf(said, '117') === id);
  peer.say(`i|117=q1|301=2|296=1|${sides}`);
  expect(fieldOf(await answerTo('q1'), '297')).toBe('0');
  expect(bridge.alarms.join('\n')).toContain('no more orders of kind group');
  const { orders } = bridge.gateway.accounts[0]?.bound.runner ?? expect.fail('no account');
  const open = [...orders.open()];
  expect(open).toMatchObject([{ phase: 'live' }, { phase: 'live' }]);
  peer.say(`i|117=q2|301=2|296=1|${sides.replace('40000', '41000')}`);
  const refused = await answerTo('q2');
  expect([fieldOf(refused, '297'), refused]).toEqual(['5', expect.stringContaining('kind group')]);
  peer.say('D|11=o|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now');
  const order = await peer.next(
    (said) => fieldOf(said, '11') === 'o' && fieldOf(said, '150') !== 'A',
  );
  expect(fieldOf(order, '150')).toBe('0');
  peer.hangUp();
});
