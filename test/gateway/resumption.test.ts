/** What a process before this one recorded and never learnt the outcome of. */
import { expect, test } from 'vitest';
import { placeAction } from '../../src/gateway/action-of.ts';
import type { PreparedAction } from '../../src/gateway/prepared-action.ts';
import { referenceBlake3 } from '../../src/signer/blake3.ts';
import { MadeAction } from '../../src/signer/made-action.ts';
import { openErrands, place, settled } from '../support/errand-venue.ts';

type Errands = Awaited<ReturnType<typeof openErrands>>;

/** An order of a second ago, as the journal has it. */
function recorded({ account, clock, nonces, venue }: Errands): PreparedAction {
  const { profile } = venue.state;
  const { hash, text } = MadeAction.maker(profile, referenceBlake3).make({
    account,
    nonce: 1n,
    nonce_reservation_id: null,
    ts: clock.now().wallMs - 1_000,
    action: placeAction(place),
  });
  nonces.reserve('place');
  nonces.signed(1, hash);
  return {
    key: 'key',
    requestId: 'new',
    nonce: 1n,
    actionHash: `0x${hash}`,
    orderId: null,
    canonical: text,
  };
}

test('it is signed once the signer can, and is said to be unknown meanwhile', async () => {
  const bridge = await openErrands();
  const { account, alarms, clock, errands, reminded, signing, venue } = bridge;
  signing.refuses = 'rate';
  errands.resume(recorded(bridge));
  expect(reminded).toEqual(['key new']);
  await settled();
  expect(venue.state.exchange.openOrders(account)).toEqual([]);
  signing.refuses = undefined;
  clock.advance(1_000);
  await settled();
  expect(venue.state.exchange.openOrders(account)).toMatchObject([{ nonce: 1 }]);
  expect(alarms).toEqual([]);
});

test('what the signer will not sign any more is never sent, and ends when its time is over', async () => {
  const bridge = await openErrands();
  const { account, alarms, clock, errands, heard, signing, venue } = bridge;
  signing.refuses = 'policy';
  errands.resume(recorded(bridge));
  await settled();
  expect(alarms).toEqual([expect.stringContaining('cannot be signed again: policy')]);
  for (let waitedMs = 0; waitedMs < 90_000; waitedMs += 1_000) {
    expect(venue.state.exchange.openOrders(account)).toEqual([]);
    clock.advance(1_000);
    await settled();
  }
  expect(heard).toEqual(['new']);
});

test('what was fenced off before is not signed again, and nobody is alarmed', async () => {
  const bridge = await openErrands();
  const { account, alarms, clock, errands, nonces, venue } = bridge;
  const action = recorded(bridge);
  nonces.signed(1, '07'.repeat(32));
  errands.resume(action);
  for (let waitedMs = 0; waitedMs < 5_000; waitedMs += 500) {
    await settled();
    clock.advance(500);
  }
  expect(venue.state.exchange.openOrders(account)).toEqual([]);
  expect(alarms).toEqual([]);
});

test('what the signer will not sign any more and the venue has is found', async () => {
  const bridge = await openErrands();
  const { clock, errands, heard, road, signing } = bridge;
  const action = recorded(bridge);
  errands.resume(action);
  road.fate = () => 'unanswered';
  await settled();
  expect(heard).toEqual([]);
  signing.refuses = 'expired';
  errands.resume({ ...action, requestId: 'once more' });
  await settled();
  clock.advance(500);
  await settled();
  expect(heard).toContain('once more');
});
