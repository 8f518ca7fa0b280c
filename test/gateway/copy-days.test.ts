/** The days of drop copies over a restart. */
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { InstrumentList } from '../../src/domain/instrument.ts';
import type { Config } from '../../src/gateway/config/config.ts';
import { type CopiedAccount, CopyReaders } from '../../src/gateway/copies/copy-readers.ts';
import { realOutside } from '../../src/gateway/outside.ts';
import { dateText } from '../../src/mapping/fix/answer-message.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { sandbox } from '../venue/samples.ts';

const dayMs = 86_400_000;

test('D-11: a bridge that was down for days ends the day in which it went down', async () => {
  const bridge = await startBridge();
  const client = async (name: string) => {
    const peer = await FixPeer.connect(bridge.gateway.port, bridge.user(name));
    await peer.logon('');
    return peer;
  };
  const alpha = await client('ALPHA');
  alpha.say('D|11=o|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now');
  await alpha.next((message) => fieldOf(message, '150') === '0');
  alpha.hangUp();
  const begun = (Math.floor(Date.now() / dayMs) - 3) * dayMs;
  await bridge.restart(async () => {
    const path = join(dirname(bridge.configFile), 'gateway', 'gateway.db');
    const store = await realOutside.openStore({ path, durability: 'process' });
    await store.commit([{ kind: 'cursor', name: 'copies/day', value: begun }]);
    await store.close();
  });
  const reader = await client('DROP');
  const totals = await reader.next((message) => typeOf(message) === 'UT');
  expect([fieldOf(totals, '9138'), fieldOf(totals, '9130')]).toEqual([dateText(begun), '2']);
  reader.hangUp();
  await bridge.stop();
});

const monday = Date.UTC(2026, 0, 5);
const account = `0x${'1'.repeat(40)}`;

/** Processes on one store, each started at an hour of Monday or later. */
function process() {
  const transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  return {
    async started(hours: number, endOfDay = '00:00') {
      const config = {
        dropCopy: { retainCopies: 100, retainDays: 7, maxReplay: 100, endOfDay },
        sessions: [
          {
            ...{ protocol: 'fix', role: 'drop-copy', senderCompId: 'R', targetCompId: 'C' },
            ...{ accounts: ['a'], users: [], copy: { reports: true, requests: false } },
          },
        ],
      } as unknown as Config;
      const clock = new ManualClock(monday + hours * 3_600_000);
      const copies = new CopyReaders({
        ...{ transactions, clock, config, profile: sandbox, alarm: () => {} },
        accounts: () => [{ name: 'a', account, orders: {} }] as unknown as CopiedAccount[],
        instruments: () => new InstrumentList([]),
      });
      await copies.apply(config);
      await copies.keepDays();
      return { clock, copies };
    },
    async ended() {
      const records = await transactions.store.read(`copies/${account}`, 0, 100);
      return records.map(({ payload }) => JSON.parse(Buffer.from(payload).toString()).day);
    },
  };
}

test('D-11: a day that a clock ahead of time has ended does not end a second time', async () => {
  const { ended, started } = process();
  for (const hours of [21, 25]) (await started(hours)).copies.stop();
  expect(await ended()).toEqual(['20260105']);
  const { clock, copies } = await started(22);
  clock.advance(3 * 3_600_000);
  expect(await ended()).toEqual(['20260105']);
  clock.advance(24 * 3_600_000);
  expect(await ended()).toEqual(['20260105', '20260106']);
  copies.stop();
});

test('D-11: days end again as soon as a clock that was ten days ahead is right', async () => {
  const { ended, started } = process();
  for (const hours of [21, 240]) (await started(hours)).copies.stop();
  const { clock, copies } = await started(22);
  for (let i = 0; i < 3; i += 1) clock.advance(dayMs);
  expect(await ended()).toEqual(['20260105', '20260106', '20260107']);
  copies.stop();
});

test.each([
  ['00:00', '22:00'],
  ['22:00', '00:00'],
  ['22:00', '22:50'],
])(
  'D-11: no two days have one name, though endOfDay changes from %s to %s',
  async (before, after) => {
    const { ended, started } = process();
    for (const [hours, endOfDay] of [
      [10, before],
      [22.5, before],
      [23, after],
    ] as const) {
      const { clock, copies } = await started(hours, endOfDay);
      if (hours === 23) for (let i = 0; i < 4; i += 1) clock.advance(dayMs);
      copies.stop();
    }
    const days = await ended();
    expect(days.length).toBeGreaterThan(3);
    expect(days).toEqual([...new Set(days)]);
  },
);
