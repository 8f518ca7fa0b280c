/** A fence against the embedded venue: of two actions with one nonce the venue takes one, and says which. */
import { expect, test } from 'vitest';
import type { OrderId } from '../../src/domain/units.ts';
import { openErrands, place, settled } from '../support/errand-venue.ts';

type Errands = Awaited<ReturnType<typeof openErrands>>;

/** A cancel of it does nothing. */
const endedOrderId = `0x${'ab'.repeat(32)}` as OrderId;
const isFence = (body = '') => body.includes(endedOrderId);

async function pass({ clock }: Errands, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 250) {
    clock.advance(250);
    await settled();
  }
}

test('G22: an order that was lost and may not be sent any more gives its nonce to a cancel, and ends', async () => {
  const bridge = await openErrands();
  const { account, alarms, desk, heard, nonces, road, run, venue } = bridge;
  desk.endedOrderId = endedOrderId;
  road.fate = () => 'lost';
  const outcome = run('1', place);
  await pass(bridge, 6_000);
  expect(nonces.state(1)).toBe('unknown');
  road.fate = () => 'arrives';
  await pass(bridge, 6_000);
  expect(await outcome).toMatchObject({ kind: 'unknown' });
  expect(heard).toEqual(['1', '1']);
  expect(nonces.floor).toBe(2);
  expect(venue.state.exchange.openOrders(account)).toEqual([]);
  expect(alarms).toEqual([]);
});

test('G22: while the venue refuses the fence the order may be there: it is looked for, not given up', async () => {
  const bridge = await openErrands();
  const { account, desk, heard, nonces, road, run, venue } = bridge;
  desk.endedOrderId = endedOrderId;
  let fences = 0;
  // The order is applied; nothing of it is heard, and receipts do not show it yet.
  road.fate = ({ body }) => {
    if (isFence(body)) fences += 1;
    return isFence(body) ? 'arrives' : 'unanswered';
  };
  road.areReceiptsHidden = true;
  void run('1', place);
  await pass(bridge, 12_000);
  expect(fences).toBeGreaterThan(0);
  expect(heard).toEqual(['1']);
  road.areReceiptsHidden = false;
  await pass(bridge, 6_000);
  expect(heard).toEqual(['1', '1']);
  expect(venue.state.exchange.openOrders(account)).toMatchObject([{ nonce: 1 }]);
  expect(nonces.state(1)).not.toBe('free');
});

test('a fence whose own answer is lost is sent again, byte for byte', async () => {
  const bridge = await openErrands();
  const { desk, nonces, road, run } = bridge;
  desk.endedOrderId = endedOrderId;
  const fences: string[] = [];
  road.fate = ({ body = '' }) => {
    if (!isFence(body)) return 'lost';
    fences.push(body);
    return fences.length < 3 ? 'lost' : 'arrives';
  };
  void run('1', place);
  await pass(bridge, 20_000);
  expect(fences.length).toBeGreaterThan(2);
  expect(new Set(fences).size).toBe(1);
  expect(nonces.floor).toBe(2);
});

test('where no order has ended yet there is no fence', async () => {
  const bridge = await openErrands();
  const { nonces, road, run } = bridge;
  road.fate = () => 'lost';
  void run('1', place);
  await pass(bridge, 8_000);
  road.fate = ({ body }) => {
    throw new Error(`nothing should be sent: ${body}`);
  };
  await pass(bridge, 20_000);
  expect(nonces.state(1)).toBe('unknown');
});
