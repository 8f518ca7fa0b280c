import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { actionHash, type Loose, open, outcome, spot } from './client.ts';

const venue = await open();
afterAll(() => venue.stop());
beforeEach(() => venue.fresh());
const one = venue.client(0);
const two = venue.client(1);
const lane = '/api/v1/order-entry';

test('R132: limits carry the contract header and the live values', async () => {
  const { body, headers } = await one.get(`${lane}/limits`);
  expect(headers.get('x-bsl-contract')).toBe('bsl-order-entry-v1');
  expect(body).toMatchObject({
    ingress: { jsonEnabled: true },
    batch: { maxActions: 32, maxLegs: 32 },
    nonceModel: { nonceWindow: 256 },
  });
  for (const name of [
    'credit',
    'action',
    'backlog',
    'orderBook',
    'errorGuidance',
    'quoteReplaceRecovery',
  ]) {
    expect(body).toHaveProperty(name);
  }
});

test('the bundle names the ports that are open, and the drop-copy record its transport', async () => {
  const port = Number(new URL(venue.info.baseUrl).port);
  const bundle = async () => (await one.get(`${lane}/connectivity`)).body;
  const bsl = { host: '127.0.0.1', port, tlsSni: null };
  expect(await bundle()).toMatchObject({ hosts: { bsl, fix: null, fixp: null } });
  const fix = { host: '127.0.0.1', port: 9880, tlsSni: null };
  venue.venue.state.lanes.fix = fix;
  expect(await bundle()).toMatchObject({ hosts: { bsl, fix, fixp: null } });
  expect((await one.get(`${lane}/drop-copy`)).body).toMatchObject({ transport: 'stream' });
});

test('a receipt joins an action with the state of its order', async () => {
  const { body } = await one.act(spot(), { client_order_id: 'ORD-1' });
  await two.act(spot({ side: 'Ask', qty: 400_000 }));
  const answer = await one.get(`${lane}/receipts?orderId=${body.derivedOrderId}`);
  expect(answer.body.receipts).toEqual([
    {
      seq: body.seq,
      actionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      orderId: body.derivedOrderId,
      clientOrderId: 'ORD-1',
      nonce: expect.any(Number),
      status: 'partially_filled',
      rejectCode: null,
      rejectReason: null,
      filledQty: 400_000,
      leavesQty: 600_000,
      feeMicro: 0,
      fills: [expect.objectContaining({ qty: 400_000, liquidity: 'maker' })],
      engineTsMs: expect.any(Number),
    },
  ]);
  const { actionHash } = answer.body.receipts[0];
  const same = await one.get(`${lane}/receipts?actionHash=${actionHash}`);
  expect(same.body.receipts).toEqual(answer.body.receipts);
  expect((await two.get(`${lane}/receipts?account=${one.account}`)).status).toBe(403);
  await one.act(spot({ price: 0 }));
  const refused = await one.get(`${lane}/receipts?limit=1`);
  expect(refused.body.receipts[0]).toMatchObject({
    status: 'rejected',
    rejectCode: 'ENGINE_REJECTED',
    rejectReason: 'price_must_be_positive',
  });
});

test('the limits show what an operator has changed, at once', async () => {
  await venue.admin('/limits', { actionsPerSecond: 17, burst: 19 });
  await venue.admin('/gates', { backlogFull: true });
  expect((await one.get(`${lane}/limits`)).body).toMatchObject({
    rate: { actionsPerSecond: 17, burst: 19 },
    backlog: { full: true },
  });
});

test('receipts are bounded, and an order that is not there has none', async () => {
  for (const limit of ['0', '1001', 'x']) {
    expect((await one.get(`${lane}/receipts?limit=${limit}`)).status).toBe(400);
  }
  const nobody = `0x${'0'.repeat(64)}`;
  expect((await one.get(`${lane}/receipts?orderId=${nobody}`)).body.receipts).toEqual([]);
});

test('quotes are two-sided when both sides of the market are there', async () => {
  const current = async () => (await one.get(`${lane}/markets/7/quote-obligations`)).body.current;
  expect(await current()).toEqual({ twoSided: false, openOrders: 0 });
  await one.act(outcome({ book: 'YES', side: 'Bid', price: 400_000 }));
  await one.act(spot({ side: 'Ask', price: 90_000_000_000 }));
  expect(await current()).toEqual({ twoSided: false, openOrders: 1 });
  await one.act(outcome({ book: 'YES', side: 'Ask', price: 600_000 }));
  expect(await current()).toEqual({ twoSided: true, openOrders: 2 });
  expect((await one.get(`${lane}/markets/99/quote-obligations`)).status).toBe(404);
});

test('an account verifies itself by the hash of its name, and no account has the index of another', async () => {
  const [mine, theirs] = await Promise.all(
    [one, two].map(async (client) => (await client.get(`${lane}/account/self-verify`)).body),
  );
  const hash = actionHash(one.account, 'SANDBOX/ACCOUNT/v1');
  expect(mine.accountHash).toBe(`0x${Buffer.from(hash).toString('hex')}`);
  expect(mine).toMatchObject({ ok: true, identityAuthority: 'signed_action' });
  expect(theirs.accountHash).not.toBe(mine.accountHash);
  expect(theirs.compactAccountIdx).not.toBe(mine.compactAccountIdx);
});

describe('R67: gap-fill', () => {
  const path = `${lane}/execution/gap-fill?`;
  const read = (query: string) => one.get(path + query);
  const seqs = async (query: string) =>
    (await read(query)).body.events.map(({ seq }: Loose) => seq);

  test('begins with fromSeq, or after the cursor, or at the start', async () => {
    for (let count = 0; count < 3; count += 1) await one.act(spot({ qty: 10 }));
    const last = (await read('')).body.lastSeq;
    expect(await seqs(`fromSeq=${last - 1}`)).toEqual([last - 1, last]);
    expect(await seqs(`cursor=${last - 1}`)).toEqual([last]);
    expect(await seqs('cursor=0&limit=2')).toEqual([1, 2]);
    expect(await seqs('limit=1')).toEqual([1]);
    const page = (await read('fromSeq=1&limit=2')).body;
    expect([page.nextCursor, page.complete]).toEqual([2, last === 2]);
    expect((await read(`cursor=${last}`)).body).toMatchObject({
      events: [],
      nextCursor: last,
      complete: true,
    });
  });

  test('refuses two beginnings, and numbers beyond its limits', async () => {
    for (const [query, cause] of [
      ['fromSeq=1&cursor=0', 'bad_cursor'],
      ['fromSeq=0', 'bad_enum'],
      ['cursor=-1', 'bad_enum'],
      ['limit=1001', 'bad_enum'],
    ] as const) {
      const { body, status } = await read(query);
      expect([query, status, body.error.details.cause]).toEqual([query, 400, cause]);
    }
  });

  test('says that events are no longer kept, and gives those after them', async () => {
    await two.act(spot({ qty: 10 }));
    await venue.admin(`/streams/${two.account}`, { forget: true });
    const { lastSeq } = (await two.get(`${lane}/drop-copy`)).body;
    const old = await two.get(`${path}fromSeq=${lastSeq}`);
    expect([old.status, old.body.error.code, old.body.error.details.cause]).toEqual([
      404,
      'NOT_FOUND',
      'seq_too_old',
    ]);
    await two.act(spot({ qty: 10 }));
    expect((await two.get(`${path}cursor=${lastSeq}`)).body.events).toMatchObject([
      { seq: lastSeq + 1 },
    ]);
  });

  test('is of the account of the credential', async () => {
    expect((await read(`account=${two.account}`)).body.code).toBe('ACCOUNT_MISMATCH');
    expect((await read(`account=${one.account}`)).status).toBe(200);
  });
});

describe('R70: a token for the private socket', () => {
  const ask = (body: Loose) => one.post('/api/v1/ws/token', body);

  test('lives as long as the caller asks, or as the profile says', async () => {
    const { wallMs } = venue.clock.now();
    const expires = async (ttl: Loose) =>
      (await ask({ account: one.account, ...ttl })).body.data.expiresAtMs - wallMs;
    expect(await expires({ ttlMs: 1 })).toBe(1);
    expect(await expires({ ttlMs: 3_600_000 })).toBe(3_600_000);
    expect(await expires({})).toBe(60_000);
  });

  test('is refused without an account, or for a time that is too short, too long or no integer', async () => {
    const wrong = [
      ...[0, 3_600_001, '60', 1.5].map((ttlMs) => ({ ttlMs })),
      { account: 5 },
      { account: undefined },
      { scope: 'all' },
    ];
    for (const over of wrong) {
      const { status } = await ask({ account: one.account, ...over });
      expect([over, status]).toEqual([over, 422]);
    }
  });

  test('is not given for another account', async () => {
    expect((await ask({ account: two.account })).body.code).toBe('ACCOUNT_MISMATCH');
  });
});
