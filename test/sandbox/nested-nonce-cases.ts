/** What a nested order's nonce holds while its conditional is open, by the profile (G20, R134). */
import { expect } from 'vitest';
import { type Client, conditionalFields, type Loose, type Opened, spot } from './client.ts';

export type Change = (profile: Loose) => void;
export type Cases = Record<string, [Change, (venue: Opened) => Promise<void>]>;

export const nestedNonceCases: Cases = {
  'nonce.nestedTrigger': [
    holdsFloor,
    async (venue) => {
      const one = venue.client(0);
      const stored = await storeConditional(one, 0);
      expect(stored.body.code).toBeNull();
      expect(await floorOf(venue, one)).toBe(0);
      expect((await one.act(spot(), { nonce: 0 })).body.code).toBe('nonce_replayed');
      const order_id = stored.body.derivedOrderId;
      await one.act({ CancelConditionalOrder: { order_id } }, { nonce: 2 });
      expect(await floorOf(venue, one)).toBe(3);
    },
  ],
  'nonce.nestedTrigger, through a refused cancel and the trigger': [
    holdsFloor,
    async (venue) => {
      const [one, two] = [venue.client(0), venue.client(1)];
      const stored = await storeConditional(one, 0);
      const order_id = stored.body.derivedOrderId;
      const foreign = await two.act({ CancelConditionalOrder: { order_id } }, { nonce: 1 });
      expect(foreign.body.code).toBe('unauthorized_cancel');
      const wrong = await one.act({ SpotCancelOrder: { market: 1, order_id } }, { nonce: 2 });
      expect(wrong.body.nonceConsumed).toBe(false);
      expect([await floorOf(venue, one), await floorOf(venue, two)]).toEqual([0, 0]);
      await trade([one, 2], [two, 0], 60_000_000_000);
      expect((await one.events()).map(({ kind }: { kind: string }) => kind)).toContain('triggered');
      expect(await floorOf(venue, one)).toBe(3);
    },
  ],
  'nonce.nestedTrigger, through a trigger that is met at once and the end of a market': [
    holdsFloor,
    async (venue) => {
      const [one, two] = [venue.client(0), venue.client(1)];
      await trade([one, 0], [two, 0], 60_000_000_000);
      await storeConditional(one, 1);
      expect(await floorOf(venue, one)).toBe(3);
      await trade([one, 3], [two, 1], 50_000_000_000);
      await storeConditional(one, 4);
      expect(await floorOf(venue, one)).toBe(4);
      await venue.admin('/markets/1', { status: 'close' });
      expect(await floorOf(venue, one)).toBe(6);
    },
  ],
};

function holdsFloor(profile: Loose): void {
  profile.nonce.nestedTrigger = 'holds_floor';
}

/** Stores a conditional with this nonce in its nested order and the next one in its own action. */
function storeConditional(client: Client, nonce: number) {
  const order = spot({ side: 'Ask', price: 60_000_000_000 });
  const signed_trigger_order = client.sign(client.payload(order, { nonce }));
  const PlaceConditionalOrder = { ...conditionalFields, signed_trigger_order };
  return client.act({ PlaceConditionalOrder }, { nonce: nonce + 1 });
}

/** Trades market 1 at this price, each side with its nonce. */
async function trade(
  [buyer, buyNonce]: [Client, number],
  [seller, sellNonce]: [Client, number],
  price: number,
): Promise<void> {
  await seller.act(spot({ side: 'Ask', price }), { nonce: sellNonce });
  await buyer.act(spot({ price }), { nonce: buyNonce });
}

async function floorOf(venue: Opened, { account }: Client): Promise<number> {
  return (await venue.admin(`/accounts/${account}`, undefined, 'GET')).body.nonces.floor;
}
