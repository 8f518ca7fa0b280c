/** Errands against the embedded venue, without a socket between. */
import { expect, test } from 'vitest';
import { deny } from '../../src/domain/denial.ts';
import type { CancelIntent, ConditionalIntent } from '../../src/domain/intent.ts';
import type { OrderId, Qty } from '../../src/domain/units.ts';
import { canceledUnsent } from '../../src/gateway/errand.ts';
import { openErrands, place, settled } from '../support/errand-venue.ts';
import { refusedResponse } from '../venue/samples.ts';

const domains = { action: '{NAME}/ACTION_PAYLOAD/v1', orderId: 'WRONG/ORDER_ID/v1' };

test('R10: where the venue names another id than ours its id is kept and no more orders of that kind are placed', async () => {
  const bridge = await openErrands((profile) => ({
    ...profile,
    signing: { ...profile.signing, domains },
  }));
  const { alarms, run } = bridge;
  const first = await run('1', place);
  const [venueOrder] = bridge.venue.state.exchange.openOrders(bridge.account);
  expect(first).toEqual({ kind: 'accepted', orderId: venueOrder?.orderId });
  expect(alarms).toEqual([expect.stringContaining('no more SpotPlaceOrder')]);
  expect(alarms[0]).toContain(venueOrder?.orderId);
  expect(await run('2', place)).toMatchObject({
    kind: 'refused',
    denial: { text: "order ids of SpotPlaceOrder differ from the venue's" },
  });
  const orderId = venueOrder?.orderId as OrderId;
  const cancel: CancelIntent = { kind: 'cancel', target: 'order', orderId };
  expect(await run('3', cancel)).toMatchObject({ kind: 'accepted' });
});

test('where the ids agree orders go on', async () => {
  const { alarms, run } = await openErrands();
  expect(await run('1', place)).toMatchObject({ kind: 'accepted' });
  expect(await run('2', place)).toMatchObject({ kind: 'accepted' });
  expect(alarms).toEqual([]);
});

test('a nonce that the signer remembers and the journal lost is given up, and the action takes the next', async () => {
  const { account, alarms, ledger, run, venue } = await openErrands();
  ledger.claim({ account, nonce: 1, digest: new Uint8Array(32).fill(1), supersedes: null });
  expect(await run('1', place)).toMatchObject({ kind: 'accepted' });
  expect(venue.state.exchange.openOrders(account)).toMatchObject([{ nonce: 2 }]);
  expect(alarms.at(-1)).toContain('signer refused nonce 1: other_digest');
});

test('an action that never reached the signer is not taken for the last of its nonce', async () => {
  const { alarms, ledger, account, road, run, signing } = await openErrands();
  road.fate = () => {
    road.fate = () => 'arrives';
    const body = JSON.stringify(
      refusedResponse('spot_notional_below_minimum', { nonceConsumed: false }),
    );
    return { kind: 'response', status: 400, headers: {}, body };
  };
  expect(await run('1', place)).toMatchObject({ kind: 'refused' });
  const held = ledger.claim({ account, nonce: 1, digest: new Uint8Array(32), supersedes: null });
  expect(held).toMatchObject({ code: 'other_digest' });
  signing.refuses = 'unavailable';
  expect(await run('2', { ...place, qty: 2_000_000n as Qty })).toMatchObject({ kind: 'refused' });
  signing.refuses = undefined;
  expect(await run('3', { ...place, qty: 3_000_000n as Qty })).toMatchObject({ kind: 'accepted' });
  expect(alarms).toEqual([expect.stringContaining('unavailable')]);
});

test('reports that wait for the record of an action go out before it is signed, which takes as long as all the rest', async () => {
  const { errands, run, signing, turns } = await openErrands();
  const order: string[] = [];
  signing.made = () => order.push('signature');
  const outcomes = turns.run(() => {
    const both = [run('1', place), run('2', place)];
    turns.write({ kind: 'cursor', name: 'of the record', value: 1 });
    turns.after(() => order.push('report'));
    return both;
  });
  expect(order).toEqual([]);
  await Promise.all(outcomes);
  expect(order).toEqual(['report', 'signature', 'signature']);
  expect(errands.waiting).toBe(0);
});

test('an acceptance that the stream has told already is no news for the desk', async () => {
  const { heard, run } = await openErrands();
  void run('told by the stream', place);
  await run('2', place);
  expect(heard).toEqual(['2']);
});

const cancelOf = (orderId: OrderId): CancelIntent => ({ kind: 'cancel', target: 'order', orderId });
const conditional: ConditionalIntent = {
  kind: 'conditional',
  triggerPrice: place.price,
  triggerDirection: 'at_or_above',
  conditionalKind: 'stop_loss',
  nested: place,
};
const unknownOrder = `0x${'ab'.repeat(32)}` as OrderId;

test('a nonce that is taken for an action that then cannot be signed is free again', async () => {
  const { account, nonces, road, run, signing, venue } = await openErrands();
  road.fate = () => {
    signing.refuses = 'unavailable';
    road.fate = () => 'arrives';
    const body = JSON.stringify(refusedResponse('nonce_replayed'));
    return { kind: 'response', status: 400, headers: {}, body };
  };
  expect(await run('1', place)).toMatchObject({ kind: 'refused' });
  await settled();
  expect([nonces.state(1), nonces.state(2)]).toEqual(['expired', 'free']);
  signing.refuses = undefined;
  expect(await run('2', place)).toMatchObject({ kind: 'accepted' });
  expect(venue.state.exchange.openOrders(account)).toMatchObject([{ nonce: 2 }]);
});

test('R30: what waits for a nonce is served cancels first', async () => {
  const { errands, nonces, run } = await openErrands();
  while (nonces.reserve('cancel') !== undefined);
  const order: string[] = [];
  const told = (id: string) => () => order.push(id);
  void run('first order', place).then(told('first order'));
  void run('second order', place).then(told('second order'));
  void run('cancel', cancelOf(unknownOrder)).then(told('cancel'));
  expect(errands.waiting).toBe(3);
  for (let nonce = 1; nonce <= 40; nonce += 1) nonces.neverSent(nonce);
  errands.retry();
  await settled();
  expect(order).toEqual(['cancel', 'first order', 'second order']);
});

test('what waits for a nonce and is withdrawn is refused at once and never sent; a cancel still goes', async () => {
  const { account, errands, nonces, run, turns, venue } = await openErrands();
  while (nonces.reserve('cancel') !== undefined);
  const withdrawn = run('order', place);
  const cancel = run('cancel', cancelOf(unknownOrder));
  turns.run(() => errands.withdraw(({ key }) => key === 'key', deny('bridge.kill_switch', 'loss')));
  expect(await withdrawn).toMatchObject({ denial: { refusal: { name: 'bridge.kill_switch' } } });
  expect(errands.waiting).toBe(1);
  for (let nonce = 1; nonce <= 40; nonce += 1) nonces.neverSent(nonce);
  errands.retry();
  expect(await cancel).toMatchObject({ kind: 'refused' });
  expect(venue.state.exchange.openOrders(account)).toEqual([]);
});

test('an order that is to be canceled does not go out again under a fresh nonce', async () => {
  const { account, desk, road, run, venue } = await openErrands();
  road.fate = () => {
    desk.givenUp.add('key');
    road.fate = () => 'arrives';
    const body = JSON.stringify(refusedResponse('nonce_replayed'));
    return { kind: 'response', status: 400, headers: {}, body };
  };
  expect(await run('1', place)).toMatchObject({
    kind: 'refused',
    denial: { text: expect.stringContaining('to be canceled anyway') },
  });
  expect(venue.state.exchange.openOrders(account)).toEqual([]);
});

test('what is withdrawn while it is signed is never sent, and its nonce is free again', async () => {
  const { account, errands, nonces, run, turns, venue } = await openErrands();
  const taken = run('1', place);
  const denial = deny('bridge.kill_switch', 'loss');
  turns.run(() => errands.withdraw(({ key }) => key === 'key', denial));
  expect(await taken).toEqual({ kind: 'refused', denial });
  expect(nonces.state(1)).toBe('free');
  expect(venue.state.exchange.openOrders(account)).toEqual([]);
  expect(await run('2', place)).toMatchObject({ kind: 'accepted' });
});

test('a cancel and what has left are not withdrawn', async () => {
  const { account, errands, road, run, turns, venue } = await openErrands();
  const denial = deny('bridge.kill_switch', 'loss');
  road.fate = () => {
    turns.run(() => errands.withdraw(() => true, denial));
    return 'arrives';
  };
  expect(await run('1', place)).toMatchObject({ kind: 'accepted' });
  const [open] = venue.state.exchange.openOrders(account);
  const cancel = run('2', cancelOf(open?.orderId as OrderId));
  turns.run(() => errands.withdraw(() => true, denial));
  expect(await cancel).toMatchObject({ kind: 'accepted' });
  expect(venue.state.exchange.openOrders(account)).toEqual([]);
});

test('what is withdrawn while it is signed anew is not sent a second time', async () => {
  const { account, errands, nonces, road, run, turns, venue } = await openErrands();
  road.fate = () => {
    road.fate = () => 'arrives';
    const body = JSON.stringify(refusedResponse('nonce_replayed'));
    return { kind: 'response', status: 400, headers: {}, body };
  };
  let isTaken = false;
  const reserve = nonces.reserve.bind(nonces);
  nonces.reserve = (purpose) => {
    const reservation = reserve(purpose);
    if (reservation?.nonce === 2 && !isTaken) {
      isTaken = true;
      queueMicrotask(() =>
        turns.run(() => errands.withdraw(() => true, deny('bridge.kill_switch', 'loss'))),
      );
    }
    return reservation;
  };
  expect(await run('1', place)).toMatchObject({
    kind: 'refused',
    denial: { refusal: { name: 'bridge.kill_switch' } },
  });
  expect(isTaken).toBe(true);
  expect(venue.state.exchange.openOrders(account)).toEqual([]);
});

test('a conditional order that is to be canceled while its nested order is signed is never sent', async () => {
  const { desk, nonces, run } = await openErrands();
  const taken = run('1', conditional);
  desk.givenUp.add('key');
  expect(await taken).toEqual({ kind: 'refused', denial: canceledUnsent });
  expect([nonces.state(1), nonces.state(2)]).toEqual(['free', 'free']);
});

test.each(['nonce_replayed', 'backpressure', 'nonce_outside_window'])(
  'what is on the wire when it is withdrawn and is refused with %s does not go out again',
  async (code) => {
    const { account, clock, errands, road, run, turns, venue } = await openErrands();
    const denial = deny('bridge.draining', 'it goes down');
    let posts = 0;
    road.fate = () => {
      posts += 1;
      turns.run(() => errands.withdraw(() => true, denial));
      const body = JSON.stringify(refusedResponse(code));
      return { kind: 'response', status: code === 'backpressure' ? 429 : 400, headers: {}, body };
    };
    expect(await run('1', place)).toMatchObject({
      kind: 'refused',
      denial: { refusal: { name: 'bridge.draining' } },
    });
    clock.advance(10_000);
    await settled();
    expect([posts, venue.state.exchange.openOrders(account)]).toEqual([1, []]);
  },
);

test('a conditional order whose nested order is being signed is withdrawn with the reason of the bridge', async () => {
  const { errands, nonces, run, turns } = await openErrands();
  const taken = run('1', conditional);
  const denial = deny('bridge.draining', 'it goes down');
  turns.run(() => errands.withdraw(() => true, denial));
  expect(await taken).toEqual({ kind: 'refused', denial });
  expect([nonces.state(1), nonces.state(2)]).toEqual(['free', 'free']);
});
