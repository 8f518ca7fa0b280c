import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  actionHash,
  conditionalFields,
  type Loose,
  leg,
  open,
  orderIdOf,
  outcome,
  signatureOf,
  spot,
} from './client.ts';

const venue = await open();
afterAll(() => venue.stop());
const one = venue.client(0);
const two = venue.client(1);
const actions = '/api/v1/trading/actions';

beforeEach(() => venue.fresh());

describe('canonical bytes and ids', () => {
  test('R5: an OutcomePlaceOrder input hashes as PlaceOrder, by either name of the book', async () => {
    for (const book of ['outcome', 'book']) {
      const payload = one.payload(outcome());
      const { signature } = one.sign(payload);
      const { book: value, ...rest } = payload.action.PlaceOrder;
      const action = { OutcomePlaceOrder: { ...rest, [book]: value } };
      const answer = await one.post(actions, { payload: { ...payload, action }, signature });
      expect(answer.body.derivedOrderId).toBe(orderIdOf(JSON.stringify(payload)));
    }
  });

  test('R6: each alias of the input parsers gives the hash of its canonical name', async () => {
    const payload = one.payload(spot({ expires_at: 1_800_000_000_000, stp_mode: 'reject' }));
    const canonical = JSON.stringify(payload);
    const place = payload.action.SpotPlaceOrder;
    const aliases = {
      market: 'marketId',
      time_in_force: 'timeInForce',
      is_market: 'isMarket',
      reduce_only: 'reduceOnly',
      expires_at: 'expiresAt',
      stp_mode: 'stpMode',
    };
    const expected = `0x${Buffer.from(actionHash(canonical)).toString('hex')}`;
    for (const [name, alias] of Object.entries(aliases)) {
      const { [name]: value, ...rest } = place;
      const action = { SpotPlaceOrder: { ...rest, [alias]: value } };
      const answer = await one.post(`${actions}/hash`, { ...payload, action });
      expect([alias, answer.body.signingHash]).toEqual([alias, expected]);
      const both = { SpotPlaceOrder: { ...place, [alias]: value } };
      const refused = await one.post(`${actions}/hash`, { ...payload, action: both });
      expect(refused.body.code).toBe('schema_violation');
    }
    const id = `0x${'ab'.repeat(32)}`;
    const cancel = one.payload({ Cancel: { order_id: id } }, { nonce: 5 });
    const answer = await one.post(`${actions}/hash`, {
      ...cancel,
      action: { Cancel: { orderId: id } },
    });
    const hash = `0x${Buffer.from(actionHash(JSON.stringify(cancel))).toString('hex')}`;
    expect(answer.body.signingHash).toBe(hash);
  });

  test('R14: hex of an account or order id in upper case or of another length is refused', async () => {
    const ids = [`0x${'AB'.repeat(32)}`, `0x${'ab'.repeat(31)}`, 'ab'.repeat(32)];
    for (const order_id of ids) {
      expect((await one.act({ Cancel: { order_id } })).body.code).toBe('schema_violation');
    }
    const payload = one.payload(spot(), { account: one.account.toUpperCase().replace('0X', '0x') });
    expect((await one.post(actions, one.sign(payload))).body.code).toBe('schema_violation');
  });

  test('R13: an integer beyond 2^53 - 1 is refused by its text, not after rounding', async () => {
    for (const beyond of ['9007199254740993', '18446744073709551615', '1e3', '5.0']) {
      for (const place of ['price', 'qty', 'nonce', 'ts', 'market']) {
        const text = JSON.stringify(one.sign(one.payload(spot(), { nonce: 999 })));
        const changed = text.replace(new RegExp(`"${place}":\\d+`), `"${place}":${beyond}`);
        const { body, status } = await one.post(actions, changed);
        expect([place, beyond, status, body.code]).toEqual([
          place,
          beyond,
          400,
          'schema_violation',
        ]);
        expect(body.error).toContain(beyond);
      }
    }
  });
});

describe('signatures', () => {
  test('R11: v may be 0, 1, 27 or 28, and s must be low', async () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const low = one.sign(one.payload(spot()));
    low.signature.bytes[64] += 27;
    expect((await one.post(actions, low)).status).toBe(200);
    const high = one.sign(one.payload(spot()));
    const { bytes } = high.signature;
    const s = order - BigInt(`0x${Buffer.from(bytes.slice(32, 64)).toString('hex')}`);
    const twin = [...Buffer.from(s.toString(16).padStart(64, '0'), 'hex')];
    high.signature.bytes = [...bytes.slice(0, 32), ...twin, 1 - bytes[64]];
    expect((await one.post(actions, high)).body.code).toBe('invalid_signature');
    const odd = one.sign(one.payload(spot()));
    odd.signature.bytes[64] = 5;
    expect((await one.post(actions, odd)).body.code).toBe('invalid_signature');
  });

  test('R12: EIP-191 over the same hash is accepted, another scheme is a schema refusal', async () => {
    const payload = one.payload(spot());
    const signature = signatureOf(JSON.stringify(payload), one.facts.ownerKey, 'eip191');
    expect((await one.post(actions, { payload, signature })).status).toBe(200);
    const other = { ...signature, scheme: 'Schnorr' };
    expect((await one.post(actions, { payload, signature: other })).body.code).toBe(
      'schema_violation',
    );
  });

  test('the owner signs as well as an agent', async () => {
    const payload = one.payload(spot());
    const signed = one.sign(payload, one.facts.ownerKey);
    expect((await one.post(actions, signed)).body.accepted).toBe(true);
  });

  test('R57: good request auth with a bad action signature is refused, and the other way round', async () => {
    const signed = one.sign(one.payload(spot()), '22'.repeat(32));
    expect((await one.post(actions, signed)).body.code).toBe('invalid_signature');
    const good = one.sign(one.payload(spot()));
    const refused = await one.post(actions, good, { 'X-API-Signature': 'AAAA' });
    expect([refused.status, refused.body.code]).toEqual([401, 'API_CREDENTIAL_INVALID']);
    expect((await one.post(actions, good)).status).toBe(200);
  });

  test('R60: an agent of one account that signs for another gets ACCOUNT_MISMATCH', async () => {
    const signed = one.sign(one.payload(spot()), two.facts.agents[0]!.key);
    expect((await one.post(actions, signed)).body.code).toBe('ACCOUNT_MISMATCH');
    const foreign = await two.post(actions, one.sign(one.payload(spot())));
    expect(foreign.body.code).toBe('ACCOUNT_MISMATCH');
  });

  test('R58: each scope is checked alone, of the credential and of the agent', async () => {
    const quoter = one.facts.agents[1]!.key;
    const refusal = async (action: Loose, key?: string) =>
      (await one.post(actions, one.sign(one.payload(action), key))).body.code;
    const cancel = { Cancel: { order_id: `0x${'00'.repeat(32)}` } };
    const quote = { SpotQuoteReplace: { market: 1, legs: [leg()] } };
    expect(await refusal(spot(), quoter)).toBe('INVALID_SCOPE');
    expect(await refusal(cancel, quoter)).toBe('INVALID_SCOPE');
    expect(await refusal(quote, quoter)).toBeNull();
    const only = (scopes: string[]) => venue.admin(`/credentials/${one.facts.apiKey}`, { scopes });
    await only(['quote']);
    expect(await refusal(spot())).toBe('INVALID_SCOPE');
    expect(await refusal(cancel)).toBe('INVALID_SCOPE');
    const all = await one.post('/api/v1/order-entry/orders/cancel-all', {});
    expect([all.status, all.body.code]).toEqual([403, 'INVALID_SCOPE']);
    await only(['trade']);
    expect(await refusal(quote)).toBe('INVALID_SCOPE');
    expect(await refusal(spot())).toBeNull();
    await only(['cancel']);
    expect(await refusal(cancel)).toBe('order_not_found');
  });
});

describe('nonces', () => {
  test('R22: nonces in the window pass in any order and with gaps; the floor passes no hole', async () => {
    const client = venue.client(2);
    for (const nonce of [2, 0, 255]) {
      expect((await client.act(spot({ qty: 100_000 + nonce * 1000 }), { nonce })).status).toBe(200);
    }
    expect((await nonces(client.account)).floor).toBe(1);
    await client.act(spot(), { nonce: 1 });
    expect((await nonces(client.account)).floor).toBe(3);
  });

  test('R23: each nonce refusal carries floor, window and the next usable one', async () => {
    const client = venue.client(3);
    await client.act(spot(), { nonce: 0 });
    await client.act(spot(), { nonce: 2 });
    const cases = { nonce_below_floor: 0, nonce_replayed: 2, nonce_outside_window: 257 };
    for (const [code, nonce] of Object.entries(cases)) {
      const { body, status } = await client.act(spot({ qty: 2_000_000 }), { nonce });
      expect(status).toBe(400);
      expect(body).toEqual({
        accepted: false,
        ok: false,
        seq: null,
        derivedOrderId: null,
        error: expect.stringMatching(/nonceFloor 1, nonceWindow 256/),
        code,
        nonceConsumed: false,
        nextUsableNonce: 1,
        nonceFloor: 1,
        nonceWindow: 256,
        nonceHoles: null,
      });
    }
  });

  test('R32: a reservation id without a valid token is refused, with one it passes once', async () => {
    const over = { nonce_reservation_id: 'res-7' };
    expect((await one.act(spot(), over)).body.code).toBe('nonce_mismatch');
    await venue.admin('/reservations/res-7');
    expect((await one.act(spot(), over)).body.code).toBeNull();
    expect((await one.act(spot(), over)).body.code).toBe('nonce_mismatch');
  });

  test('what is refused before the sequencer leaves its nonce free, what the engine refuses does not', async () => {
    const nonce = one.nextNonce();
    const early = await one.act(spot({ side: 'buy' }), { nonce });
    expect(early.body.nonceConsumed).toBe(false);
    const late = await one.act(spot({ price: 0 }), { nonce });
    expect(late.body).toMatchObject({ code: 'price_must_be_positive', nonceConsumed: true });
    expect((await one.act(spot(), { nonce })).body.code).toMatch(/nonce_(below_floor|replayed)/);
  });

  test('a nested order that differs from its conditional leaves both nonces free', async () => {
    const { PlaceConditionalOrder } = conditional(one);
    const before = await nonces(one.account);
    for (const change of [{ qty: 2_000_000 }, { side: 'Bid' }, { market: 7, book: 'YES' }]) {
      const { body } = await one.act({
        PlaceConditionalOrder: { ...PlaceConditionalOrder, ...change },
      });
      expect(body).toMatchObject({ code: 'schema_violation', nonceConsumed: false });
    }
    expect(await nonces(one.account)).toEqual(before);
    await one.resync();
  });

  test('R34: a stored conditional consumes its nested nonce, so that 300 actions pass it', async () => {
    const stored = await one.act(conditional(one));
    expect(stored.body).toMatchObject({ accepted: true, code: null });
    for (let count = 0; count < 300; count += 1) {
      const { body } = await one.act({ Cancel: { order_id: `0x${'00'.repeat(32)}` } });
      expect(body.code).toBe('order_not_found');
    }
    await one.act({ CancelConditionalOrder: { order_id: stored.body.derivedOrderId } });
  });
});

/** A sell take-profit with its nested order, which takes the lower nonce. */
function conditional(client: typeof one, price = 51_000_000_000): Loose {
  const nested = client.sign(
    client.payload(spot({ side: 'Ask', price, time_in_force: 'ioc', is_market: true })),
  );
  return {
    PlaceConditionalOrder: {
      ...conditionalFields,
      limit_price: price,
      trigger_price: price,
      signed_trigger_order: nested,
    },
  };
}

describe('answers', () => {
  test('R35, R36: an accepted action is answered by 200 and all eleven keys', async () => {
    const payload = one.payload(spot());
    const { body, status } = await one.post(actions, one.sign(payload));
    expect(status).toBe(200);
    expect(body).toEqual({
      accepted: true,
      ok: true,
      seq: expect.any(Number),
      derivedOrderId: orderIdOf(JSON.stringify(payload)),
      error: null,
      code: null,
      nonceConsumed: null,
      nextUsableNonce: null,
      nonceFloor: null,
      nonceWindow: null,
      nonceHoles: null,
    });
    const cancel = await one.act({ Cancel: { order_id: body.derivedOrderId } });
    expect(cancel.body.derivedOrderId).toBeNull();
  });

  test('R41: every submit answer has the rate headers, and only 429 and 503 have Retry-After', async () => {
    await venue.admin('/limits', { actionsPerSecond: 2, burst: 2 });
    venue.clock.advance(5000);
    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push(await one.act(spot({ qty: 10 })));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 429]);
    const headers = answers.map(({ headers: all }) =>
      ['limit', 'remaining', 'reset-ms'].map((name) => all.get(`x-ratelimit-${name}`)),
    );
    expect(headers).toEqual([
      ['2', '1', '0'],
      ['2', '0', '500'],
      ['2', '0', '500'],
    ]);
    expect(answers.map(({ headers: all }) => all.get('retry-after'))).toEqual([null, null, '1']);
    expect(answers[2]!.body).toMatchObject({ accepted: false, code: 'rate_limited', seq: null });
    venue.clock.advance(500);
    expect((await one.act(spot({ qty: 10 }))).status).toBe(400);
  });

  test('R35, R41: an action that no route can read is refused with all keys and the rate headers', async () => {
    const { payload, signature } = one.sign(one.payload(spot()));
    const unread = { payload: { ...payload, memo: 1 }, signature };
    for (const route of [actions, '/api/v1/order-entry/orders/replace']) {
      const { body, headers, status } = await one.post(route, unread);
      expect([route, status, body.code]).toEqual([route, 400, 'unknown_field']);
      expect(Object.keys(body)).toHaveLength(11);
      expect(headers.get('x-ratelimit-limit')).not.toBeNull();
      expect(headers.get('x-ratelimit-remaining')).not.toBeNull();
      expect(headers.get('x-ratelimit-reset-ms')).not.toBeNull();
    }
  });

  test('R42: the edge answers 429 in plain text, the account limiter in JSON', async () => {
    await venue.admin('/faults', { kind: 'edge_limit' });
    const edge = await one.act(spot());
    expect([edge.status, edge.body]).toEqual([429, null]);
    expect(edge.headers.get('x-ratelimit-after')).toBe('1');
    expect(edge.headers.get('retry-after')).toBeNull();
    await venue.admin('/limits', { edgeRequestsPerSecond: 3 });
    const statuses = [];
    for (let count = 0; count < 5; count += 1)
      statuses.push((await one.get('/api/v1/health')).status);
    expect(statuses).toContain(429);
  });

  test('R56: unknown fields are refused in actions, envelopes, legs and signatures', async () => {
    const payload = one.payload(spot());
    const signed = one.sign(payload);
    const code = async (body: Loose) => (await one.post(actions, body)).body.code;
    expect(await code({ ...signed, payload: { ...payload, memo: 1 } })).toBe('unknown_field');
    const action = { SpotPlaceOrder: { ...payload.action.SpotPlaceOrder, note: 1 } };
    expect(await code({ ...signed, payload: { ...payload, action } })).toBe('unknown_field');
    expect(await code({ ...signed, signature: { ...signed.signature, x: 1 } })).toBe(
      'unknown_field',
    );
    const legs = [{ ...leg(), note: 1 }];
    expect(await code(one.sign(one.payload({ SpotQuoteReplace: { market: 1, legs } })))).toBe(
      'unknown_field',
    );
    const outer = await one.post(actions, { ...signed, extra: 1 });
    expect([outer.status, outer.body.error.details.cause]).toEqual([422, 'unknown_field']);
    const spotWithBook = { SpotPlaceOrder: { ...payload.action.SpotPlaceOrder, book: 'YES' } };
    expect(await code({ ...signed, payload: { ...payload, action: spotWithBook } })).toBe(
      'unknown_field',
    );
  });

  test('an action too old or too new is expired', async () => {
    const { wallMs } = venue.clock.now();
    for (const ts of [wallMs - 60_001, wallMs + 60_001]) {
      expect((await one.act(spot(), { ts })).body.code).toBe('expired');
    }
    expect((await one.act(spot(), { ts: wallMs - 60_000 })).body.code).toBeNull();
  });

  test('cancels and amendments downward pass every gate but recovery', async () => {
    for (const name of ['tradingHalted', 'placementOff', 'ledgerDegraded', 'venueKilled']) {
      const { body } = await one.act(spot({ qty: 2_000_000 }));
      await venue.admin('/gates', { [name]: true });
      const order_id = body.derivedOrderId;
      expect(
        (await one.act({ AmendOrder: { order_id, new_qty: 1_000_000 } })).body.code,
      ).toBeNull();
      expect((await one.act({ Cancel: { order_id } })).body.code).toBeNull();
      await venue.admin('/gates', { [name]: false });
    }
  });

  test('an account that closes may reduce, cancel and amend, and nothing else', async () => {
    const placed = await one.act(spot({ qty: 2_000_000 }));
    await venue.admin(`/accounts/${one.account}`, { state: 'closing' });
    const code = async (action: Loose) => (await one.act(action)).body.code;
    expect(await code(spot())).toBe('TRADING_ACCOUNT_CLOSING');
    expect(await code({ SpotQuoteReplace: { market: 1, legs: [leg()] } })).toBe(
      'TRADING_ACCOUNT_CLOSING',
    );
    expect(await code(outcome({ side: 'Ask', reduce_only: true, price: 990_000 }))).toBeNull();
    const order_id = placed.body.derivedOrderId;
    expect(await code({ AmendOrder: { order_id, new_qty: 1_000_000 } })).toBeNull();
    const legs = [leg({ cancel_order_id: order_id, qty: 0 })];
    expect(await code({ SpotQuoteReplace: { market: 1, legs } })).toBeNull();
  });
});

async function nonces(account: string): Promise<Loose> {
  return (await venue.admin(`/accounts/${account}`, undefined, 'GET')).body.nonces;
}
