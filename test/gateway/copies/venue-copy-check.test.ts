import { expect, test } from 'vitest';
import type { Account } from '../../../src/domain/units.ts';
import { checkVenueCopies } from '../../../src/gateway/copies/venue-copy-check.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';

const account = `0x${'11'.repeat(20)}` as Account;
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('G72: what the venue had a minute ago and the bridge has not received since is an alarm, what is on its way is none', async () => {
  const clock = new ManualClock();
  const alarms: string[] = [];
  const notices: string[] = [];
  const orders = { lastSeq: 5 };
  let venue: number | Error = 7;
  const end = checkVenueCopies({
    accounts: [
      {
        name: 'desk',
        account,
        orders,
        reads: {
          lastSeq: async () => {
            if (venue instanceof Error) throw venue;
            return venue;
          },
        },
      },
    ],
    clock,
    alarm: (text) => alarms.push(text),
    notice: (text) => notices.push(text),
  });
  const look = async () => {
    clock.advance(60_000);
    await settled();
  };
  await look();
  expect(alarms).toEqual([]);
  orders.lastSeq = 7;
  venue = 9;
  await look();
  expect(alarms).toEqual([]);
  await look();
  expect(alarms).toEqual([expect.stringMatching(/desk.*7.*9/)]);
  orders.lastSeq = 9;
  venue = new Error('HTTP 503');
  await look();
  expect(alarms).toHaveLength(1);
  expect(notices).toEqual(["desk: the venue's drop copy cannot be read: HTTP 503"]);
  end();
  orders.lastSeq = 0;
  await look();
  expect(alarms).toHaveLength(1);
});
