/** The hours of a FIX session, and numbers that its client begins anew, against the whole bridge. */
import { expect, test } from 'vitest';
import { textOf } from './client-log.ts';
import type { Dice } from './dice.ts';
import { FixTrader, fixNameOf, type Said } from './fix-trader.ts';
import { LostMessages } from './lost-messages.ts';
import { plainBridge } from './plain-bridge.ts';
import { SessionHours } from './session-hours.ts';
import { secretOf, userOf } from './whole-bridge.ts';

/** Always the first of a choice but of the time that it is closed, which is half a minute. */
const closesAtOnce = {
  hits: (perMille: number) => perMille === 600,
  below: () => 0,
  pick: <T>(list: readonly T[]) => list.at(list.length === 5 ? -1 : 0),
} as unknown as Dice;

/** The second session cancels its orders when its connection ends without a Logout(5). */
async function stand(index: 0 | 1) {
  const { bridge, cast, dice, time, venue } = plainBridge(({ habits }) => ({
    habits: new Set([...habits, 'sessions'] as const),
  }));
  const lost = new LostMessages();
  bridge.store.committed = (writes) => lost.read(writes);
  await venue.open(1, bridge.profileFile);
  await bridge.start();
  const compId = cast.sessions[index]?.compId ?? '';
  const heard: Said[] = [];
  const wrong: string[] = [];
  let resets = false;
  const hours = new SessionHours({
    ...{ time, dice: closesAtOnce, isUp: () => trader.isUp, begun: () => {} },
    wallMs: () => time.clock(bridge.wall).now().wallMs,
    lost: (from) => lost.take(fixNameOf(compId), from),
    wrong: (text) => wrong.push(text),
  });
  const trader = new FixTrader({
    ...{ compId, username: userOf(index), secret: secretOf(index), time, dice, anew: hours },
    clock: time.clock(bridge.wall),
    heard: (said) => heard.push(said),
    changed: () => {},
    resets: () => resets,
  });
  const connect = async (isReset = false) => {
    resets = isReset;
    trader.connect(bridge.door('fix')!);
    await time.pass(200);
  };
  const close = async () => {
    bridge.hours.set(compId, hours.next() ?? {});
    await time.until(bridge.reload());
    await time.pass(100);
    await connect();
  };
  const types = () => heard.map((said) => textOf(said, '150')).join('');
  await connect();
  return { bridge, close, connect, heard, hours, time, trader, types, venue, wrong };
}
const order = 'D|11=a|55=ETH-USDC|54=1|38=1|40=2|44=2500|59=1|60=now';

test.each([0, 1] as const)(
  'after its hours session %i is logged out, refused, and begins at 1 with what came meanwhile',
  async (index) => {
    const { bridge, close, connect, heard, hours, time, trader, types, venue, wrong } =
      await stand(index);
    await close();
    trader.say(order);
    await time.pass(3_000);
    const wasUp = trader.isUp;
    venue.stranger(2, null, 'Ask', 2_500_000_000, 30_000_000);
    await connect();
    const duringUp = trader.isUp;
    await time.pass(30_000);
    await connect();
    await time.pass(10_000);
    bridge.dispose();
    expect([wasUp, duringUp, trader.isUp, hours.refusals]).toEqual([false, false, true, 1]);
    expect(types()).toBe('A0F');
    expect(textOf(heard.at(-1) ?? [], '34')).toBe('2');
    expect(wrong).toEqual([]);
  },
);

test('what a client had not read when it begins its numbers anew is given as lost, and later reports come', async () => {
  const { bridge, connect, time, trader, types, venue, wrong } = await stand(0);
  trader.say(order);
  await time.pass(2_000);
  trader.cut(3_000);
  venue.stranger(2, null, 'Ask', 2_500_000_000, 30_000_000);
  await time.pass(4_000);
  const before = types();
  await connect(true);
  expect(before).toBe('A0');
  expect(types()).toBe('A0F');
  venue.stranger(2, null, 'Ask', 2_500_000_000, 30_000_000);
  await time.pass(2_000);
  trader.resetInSession();
  await time.pass(100);
  venue.stranger(2, null, 'Ask', 2_500_000_000, 30_000_000);
  await time.pass(2_000);
  bridge.dispose();
  expect(types()).toBe('A0FFF');
  expect(wrong).toEqual([]);
});
