/** One change of the venue profile each, and what it changes on the wire (R134). */
import { createHmac, sign as signBytes } from 'node:crypto';
import { expect } from 'vitest';
import { ed25519PrivateKey } from '../../src/sandbox/development-accounts.ts';
import { conditionalFields, leg, orderIdOf, Stream, signatureOf, spot } from './client.ts';
import { type Cases, nestedNonceCases } from './nested-nonce-cases.ts';

const actions = '/api/v1/trading/actions';
const lane = '/api/v1/order-entry';

export const cases: Cases = {
  'signing.domains (R18)': [
    (profile) => {
      profile.signing.domains.action = 'SANDBOX/ACTION_PAYLOAD/v2';
    },
    async (venue) => {
      const one = venue.client(0);
      expect((await one.act(spot())).body.code).toBe('invalid_signature');
      const payload = one.payload(spot());
      const canonical = JSON.stringify(payload);
      const key = one.facts.ownerKey;
      const signature = signatureOf(canonical, key, 'ecdsa', 'SANDBOX/ACTION_PAYLOAD/v2');
      expect((await one.post(actions, { payload, signature })).body.code).toBeNull();
    },
  ],
  'signing.schemes': [
    (profile) => {
      profile.signing.schemes.ecdsa = 'RawEcdsa';
    },
    async (venue) => {
      const one = venue.client(0);
      const signed = one.sign(one.payload(spot()));
      expect((await one.post(actions, signed)).body.code).toBe('schema_violation');
      signed.signature.scheme = 'RawEcdsa';
      expect((await one.post(actions, signed)).body.code).toBeNull();
    },
  ],
  'signing.requireLowS': [
    (profile) => {
      profile.signing.requireLowS = false;
    },
    async (venue) => {
      const one = venue.client(0);
      const { payload, signature } = one.sign(one.payload(spot()));
      const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
      const s = order - BigInt(`0x${Buffer.from(signature.bytes.slice(32, 64)).toString('hex')}`);
      const bytes = [
        ...signature.bytes.slice(0, 32),
        ...Buffer.from(s.toString(16).padStart(64, '0'), 'hex'),
        1 - signature.bytes[64],
      ];
      const answer = await one.post(actions, { payload, signature: { ...signature, bytes } });
      expect(answer.body.code).toBeNull();
    },
  ],
  'orderId.leg (R9)': [
    (profile) => {
      profile.orderId.leg = { base: 1, encoding: 'ascii' };
    },
    async (venue) => {
      const one = venue.client(0);
      const payload = one.payload({ SpotQuoteReplace: { market: 1, legs: [leg()] } });
      const { body } = await one.post(actions, one.sign(payload));
      expect(body.derivedOrderId).toBe(orderIdOf(JSON.stringify(payload), Buffer.from('1')));
    },
  ],
  'types.expiresAt': [
    (profile) => {
      profile.types.expiresAt = 'unix_s';
    },
    async (venue) => {
      const one = venue.client(0);
      const expires_at = Math.floor(venue.clock.now().wallMs / 1000) + 5;
      expect((await one.act(spot({ expires_at }))).body.code).toBeNull();
      venue.clock.advance(6000);
      expect((await one.events()).at(-1).kind).toBe('expired');
    },
  ],
  'types.expiresAt as text': [
    (profile) => {
      profile.types.expiresAt = 'rfc3339';
    },
    async (venue) => {
      const expires_at = new Date(venue.clock.now().wallMs + 5000).toISOString();
      expect((await venue.client(0).act(spot({ expires_at }))).body.code).toBeNull();
      const wrong = await venue.client(0).act(spot({ expires_at: 1_900_000_000_000 }));
      expect(wrong.body.code).toBe('schema_violation');
    },
  ],
  'variants and strategies': [
    (profile) => {
      profile.variants.PlaceAlgoOrder = [
        'strategy',
        'market',
        'side',
        'book',
        'limit_price',
        'total_qty',
        'time_in_force',
      ];
      profile.variants.bookOnSpot = 'omit';
      profile.strategies.twap = ['interval_ms', 'slice_qty'];
    },
    async (venue) => {
      const { body } = await venue.client(0).act({
        PlaceAlgoOrder: {
          strategy: { kind: 'twap', interval_ms: 1000, slice_qty: 100_000 },
          market: 1,
          side: 'Bid',
          limit_price: 50_000_000_000,
          total_qty: 200_000,
          time_in_force: 'gtc',
        },
      });
      expect(body.code).toBeNull();
    },
  ],
  enums: [
    (profile) => {
      profile.enums.triggerDirection = ['up'];
    },
    async (venue) => {
      const { body } = await venue.client(0).act({
        PlaceConditionalOrder: { ...conditionalFields, trigger_direction: 'at_or_above' },
      });
      expect(body.error).toContain('must be one of up');
    },
  ],
  clientOrderId: [
    (profile) => {
      profile.clientOrderId.pattern = '^[0-9]{1,4}$';
    },
    async (venue) => {
      const one = venue.client(0);
      expect((await one.act(spot(), { client_order_id: 'ORD-1' })).body.code).toBe(
        'schema_violation',
      );
      expect((await one.act(spot(), { client_order_id: '17' })).body.code).toBeNull();
    },
  ],
  'action.maxClockSkewMs': [
    (profile) => {
      profile.action.maxClockSkewMs = 10;
    },
    async (venue) => {
      const ts = venue.clock.now().wallMs - 11;
      expect((await venue.client(0).act(spot(), { ts })).body.code).toBe('expired');
    },
  ],
  'nonce.window and nonce.consumedByEngineReject': [
    (profile) => {
      profile.nonce.window = 4;
      profile.nonce.consumedByEngineReject = false;
    },
    async (venue) => {
      const one = venue.client(0);
      const far = await one.act(spot(), { nonce: 4 });
      expect(far.body).toMatchObject({ code: 'nonce_outside_window', nonceWindow: 4 });
      const refused = await one.act(spot({ price: 0 }), { nonce: 0 });
      expect(refused.body.nonceConsumed).toBe(false);
      expect((await one.act(spot(), { nonce: 0 })).body.code).toBeNull();
    },
  ],
  ...nestedNonceCases,
  'amend.newQty': [
    (profile) => {
      profile.amend.newQty = 'remaining';
    },
    async (venue) => {
      const one = venue.client(0);
      const { body } = await one.act(spot({ qty: 2_000_000 }));
      await venue.client(1).act(spot({ side: 'Ask', qty: 1_000_000 }));
      await one.act({ AmendOrder: { order_id: body.derivedOrderId, new_qty: 500_000 } });
      expect((await one.events()).at(-1)).toMatchObject({ kind: 'amended', leavesQty: 500_000 });
    },
  ],
  'stp.default': [
    (profile) => {
      profile.stp.default = 'reject';
    },
    async (venue) => {
      const one = venue.client(0);
      await one.act(spot({ side: 'Ask' }));
      expect((await one.act(spot())).body.code).toBe('self_trade_prevented');
    },
  ],
  'reduceOnly.spot': [
    (profile) => {
      profile.reduceOnly.spot = 'refuse';
    },
    async (venue) => {
      const { body } = await venue.client(0).act(spot({ side: 'Ask', reduce_only: true }));
      expect(body).toMatchObject({ code: 'reduce_only_invalid_side', nonceConsumed: true });
    },
  ],
  'submit.httpStatus': [
    (profile) => {
      profile.submit.defaultStatus = 422;
      profile.submit.httpStatus.market_not_found = 404;
    },
    async (venue) => {
      expect((await venue.client(0).act(spot({ market: 99 }))).status).toBe(404);
      expect((await venue.client(0).act(spot({ price: 0 }))).status).toBe(422);
    },
  ],
  'headers, resultMode and idempotency': [
    (profile) => {
      profile.headers.resultMode = 'x-mode';
      profile.headers.contract = 'x-contract';
      profile.headers.contractValue = 'v7';
      profile.idempotency.header = 'X-Once';
      profile.idempotency.replayHeader = 'X-Again';
    },
    async (venue) => {
      const one = venue.client(0);
      const limits = await one.get(`${lane}/limits`);
      expect(limits.headers.get('x-contract')).toBe('v7');
      const wrong = await one.act(spot(), {}, { 'x-mode': 'none' });
      expect(wrong.status).toBe(400);
      const signed = one.sign(one.payload(spot(), { nonce: 0 }));
      const key = { 'X-Once': 'k' };
      await one.post(actions, signed, key);
      expect((await one.post(actions, signed, key)).headers.get('x-again')).toBe('true');
    },
  ],
  'rateLimit and limits.rate': [
    (profile) => {
      profile.rateLimit.edgeAfterHeader = 'x-wait';
      profile.rateLimit.edgeAfterUnit = 'ms';
      profile.limits.rate = { actionsPerSecond: 7, burst: 9, edgeRequestsPerSecond: 11 };
    },
    async (venue) => {
      await venue.admin('/reset');
      const { body } = await venue.client(0).get(`${lane}/limits`);
      expect(body.rate).toEqual({ actionsPerSecond: 7, burst: 9 });
      await venue.admin('/faults', { kind: 'edge_limit' });
      expect((await venue.client(0).get('/api/v1/health')).headers.get('x-wait')).toBe('1000');
    },
  ],
  'limits.batch and batch.derivedOrderIds': [
    (profile) => {
      profile.limits.batch.actions = 2;
      profile.limits.batch.legs = 2;
      profile.batch.derivedOrderIds = 'flat';
    },
    async (venue) => {
      const one = venue.client(0);
      const quote = {
        SpotQuoteReplace: { market: 1, legs: [leg(), leg({ price: 49_990_000_000 })] },
      };
      const signed = [quote, spot()].map((action) => one.sign(one.payload(action)));
      const { body } = await one.post(`${lane}/orders`, { version: 1, actions: signed });
      expect(body.derivedOrderIds).toHaveLength(3);
      const many = await one.post(`${lane}/orders`, { version: 1, actions: [...signed, spot()] });
      expect(many.status).toBe(422);
      const legs = [leg(), leg(), leg()];
      const { body: long } = await one.act({ SpotQuoteReplace: { market: 1, legs } });
      expect(long.code).toBe('schema_violation');
    },
  ],
  'limits.caps and fees': [
    (profile) => {
      profile.limits.caps.openOrders = 1;
      profile.fees.takerBps = 10;
    },
    async (venue) => {
      const one = venue.client(0);
      await one.act(spot());
      expect((await one.act(spot())).body.code).toBe('account_open_order_cap_exceeded');
      await venue.client(1).act(spot({ side: 'Ask', qty: 400_000 }));
      expect((await venue.client(1).events()).at(-1).fill.feeMicro).toBe(200_000);
    },
  ],
  'hashRoute.fields': [
    (profile) => {
      profile.hashRoute.fields = ['hash'];
    },
    async (venue) => {
      const one = venue.client(0);
      const { body } = await one.post(`${actions}/hash`, one.payload(spot()));
      expect(body.hash).toMatch(/^0x/);
    },
  ],
  routes: [
    (profile) => {
      profile.routes.actions = '/v9/act';
      profile.routes.orderbook = '/v9/books/{marketId}';
      profile.routes.gapFill = '/v9/gap';
    },
    async (venue) => {
      const one = venue.client(0);
      expect((await one.act(spot())).status).toBe(404);
      expect((await one.post('/v9/act', one.sign(one.payload(spot(), { nonce: 0 })))).status).toBe(
        200,
      );
      expect((await one.get('/v9/books/1')).body.bids).toHaveLength(1);
      expect((await one.get('/v9/gap')).body.events).toHaveLength(1);
    },
  ],
  'auth.http (R63)': [
    (profile) => {
      Object.assign(profile.auth.http, {
        headers: {
          key: 'V-Key',
          passphrase: 'V-Pass',
          timestamp: 'V-Time',
          signature: 'V-Sign',
          signatureType: 'V-Type',
        },
        template: '{METHOD}|{path}|{timestamp}|{body}',
        encoding: 'hex',
        timestampUnit: 's',
      });
    },
    async (venue) => {
      const { facts } = venue.client(0);
      const time = String(Math.floor(venue.clock.now().wallMs / 1000));
      const message = `GET|${lane}/limits|${time}|`;
      const common = { 'V-Key': facts.apiKey, 'V-Pass': facts.passphrase, 'V-Time': time };
      const hmac = createHmac('sha256', facts.apiSecret).update(message).digest('hex');
      const get = (headers: Record<string, string>) =>
        venue.client(0).get(`${lane}/limits`, { ...common, ...headers });
      expect((await get({ 'V-Sign': hmac })).status).toBe(200);
      const ed25519 = signBytes(null, Buffer.from(message), ed25519PrivateKey(facts.ed25519Key));
      const type = { 'V-Type': 'ed25519' };
      expect((await get({ 'V-Sign': ed25519.toString('hex'), ...type })).status).toBe(200);
      expect((await get({ 'V-Sign': hmac, ...type })).status).toBe(401);
    },
  ],
  'auth.scopes': [
    (profile) => {
      profile.auth.scopes = { orders: 'o', cancels: 'c', quotes: 'q', mintRedeem: 'm' };
    },
    async (venue) => {
      const one = venue.client(0);
      await venue.admin(`/credentials/${one.facts.apiKey}`, { scopes: ['c'] });
      expect((await one.act(spot())).body.error).toContain('scope o');
    },
  ],
  'ws, stream and gapFill': [
    (profile) => {
      Object.assign(profile.ws.private.incoming, {
        authenticated: 'hello',
        subscribed: 'on',
        event: 'exec',
      });
      profile.ws.token = { ...profile.ws.token, accountField: 'acct', tokenPointers: ['/token'] };
      Object.assign(profile.stream.event, { seq: '/meta/n', kind: '/type' });
      profile.stream.kinds.resting = 'BOOKED';
      profile.gapFill.fromSeqParam = 'start';
      profile.gapFill.eventsPointer = '/data/list';
      profile.gapFill.tooOldCause = 'gone';
    },
    async (venue) => {
      const one = venue.client(0);
      await one.act(spot());
      const { body } = await one.get(`${lane}/execution/gap-fill?start=1`);
      expect(body.data.list[0]).toMatchObject({ meta: { n: 1 }, type: 'BOOKED' });
      const token = await one.post('/api/v1/ws/token', { acct: one.account });
      const stream = await Stream.open(venue.info.wsUrl);
      stream.send({ op: 'auth', token: token.body.token });
      await stream.next(({ op }) => op === 'hello');
      stream.send({ op: 'subscribe', channel: 'executions', account: one.account, fromSeq: 1 });
      const frame = await stream.next(({ op }) => op === 'exec');
      expect(frame.event.meta.n).toBe(1);
      stream.close();
    },
  ],
  'ws.private outgoing names': [
    (profile) => {
      profile.ws.private.incoming.kind = '/kind';
      profile.ws.private.incoming.eventPointer = '/data';
      profile.ws.private.incoming.errorCode = '/err/no';
      profile.ws.private.auth = { action: 'login', key: '{token}' };
    },
    async (venue) => {
      const one = venue.client(0);
      const stream = await Stream.open(venue.info.wsUrl);
      stream.send({ action: 'login', key: await one.token() });
      await stream.next(({ kind }) => kind === 'authenticated');
      stream.send({ op: 'subscribe', channel: 'executions', account: one.account });
      await stream.next(({ kind }) => kind === 'subscribed');
      await one.act(spot());
      expect((await stream.next(({ kind }) => kind === 'event')).data.kind).toBe('resting');
      await venue.admin(`/streams/${one.account}`, { number: 103 });
      expect((await stream.next(({ kind }) => kind === 'error')).err.no).toBe(103);
      stream.close();
    },
  ],
  records: [
    (profile) => {
      profile.records.markets.list = '/data/markets';
      profile.records.market.symbol = '/name';
      profile.records.status.tradingHalted = '/halted';
      profile.records.readiness.reason = '/why';
      profile.records.receipts.list = '/data';
      profile.records.receipt.orderId = '/oid';
      profile.records.limits.maxActions = '/most';
      profile.records.orderbook.bids = '/b';
    },
    async (venue) => {
      const one = venue.client(0);
      await one.act(spot());
      expect((await one.get('/api/v1/markets')).body.data.markets[0].name).toBe('BTC-USDC');
      expect((await one.get('/api/v1/status')).body.halted).toBe(false);
      expect((await one.get('/api/v1/readiness')).body.why).toBeNull();
      expect((await one.get(`${lane}/receipts`)).body.data[0].oid).toMatch(/^0x/);
      expect((await one.get(`${lane}/limits`)).body.most).toBe(32);
      expect((await one.get('/api/v1/markets/1/orderbook')).body.b).toHaveLength(1);
    },
  ],
  'reject.numberMap': [
    (profile) => {
      profile.reject.numberMap = {
        duplicate_order_id: 102,
        market_not_found: null,
        MARKET_HALTED: 103,
      };
    },
    async (venue) => {
      const one = venue.client(0);
      await one.act(spot({ market: 99 }));
      expect((await one.events()).at(-1).reason).toMatchObject({
        code: 'market_not_found',
        number: null,
      });
      await venue.admin('/markets/1', { status: 'halt' });
      expect((await one.events()).at(-1).reason.number).toBe(103);
    },
  ],
  'markets (G45)': [
    (profile) => {
      profile.markets[0].tick = 7n;
      profile.markets = profile.markets.slice(0, 1);
    },
    async (venue) => {
      const one = venue.client(0);
      expect((await one.get('/api/v1/markets')).body.markets).toMatchObject([{ tick: 7 }]);
      expect((await one.act(spot())).body.code).toBe('price_not_aligned_to_tick');
      const aligned = await one.act(spot({ price: 49_999_999_999 - (49_999_999_999 % 7) }));
      expect(aligned.body.code).toBeNull();
    },
  ],
};
