import { connect } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { idempotencyKey, type Loose, open, spot } from './client.ts';

const venue = await open();
afterAll(() => venue.stop());
beforeEach(() => venue.fresh());
const one = venue.client(0);
const two = venue.client(1);
const lane = '/api/v1/order-entry';
const actions = '/api/v1/trading/actions';

describe('R133: fault switches', () => {
  const arm = (rule: Loose) => venue.admin('/faults', rule);

  test('500, 502, 503 and 504 before apply leave nothing, after apply everything', async () => {
    for (const status of [500, 502, 503, 504]) {
      await arm({ kind: 'fail_before', status, path: actions });
      expect((await one.act(spot())).status).toBe(status);
      expect(await one.openOrders()).toEqual([]);
      await arm({ kind: 'fail_after', status, path: actions });
      expect((await one.act(spot())).status).toBe(status);
      expect(await one.openOrders()).toHaveLength(1);
      await one.post(`${lane}/orders/cancel-all`, {});
    }
  });

  test('a dropped action is answered by 409 and was not applied', async () => {
    await arm({ kind: 'drop' });
    const answer = await one.act(spot());
    expect(answer.body.error).toMatchObject({
      code: 'CONFLICT',
      details: { cause: 'dropped_action' },
    });
    expect(await one.openOrders()).toEqual([]);
  });

  test('a slow answer comes when its time has come', async () => {
    await arm({ kind: 'slow', delayMs: 3000, path: actions });
    let isThere = false;
    const answer = one.act(spot()).then(() => {
      isThere = true;
    });
    while ((await one.openOrders()).length === 0);
    venue.clock.advance(2999);
    await one.get('/api/v1/health');
    expect(isThere).toBe(false);
    venue.clock.advance(1);
    await answer;
    expect(isThere).toBe(true);
  });

  test('a held request is applied after its sender has its answer, however late that is', async () => {
    await arm({ kind: 'hold_fail', status: 504, delayMs: 600_000, path: actions });
    await arm({ kind: 'hold_cut', delayMs: null, path: actions });
    expect((await one.act(spot())).status).toBe(504);
    await expect(one.act(spot())).rejects.toThrow();
    expect(await one.openOrders()).toEqual([]);
    venue.clock.advance(599_999);
    expect(await one.openOrders()).toEqual([]);
    // Long after the bytes themselves have become stale.
    venue.clock.advance(1);
    expect(await one.openOrders()).toHaveLength(1);
    await venue.admin('/faults/release');
    expect(await one.openOrders()).toHaveLength(2);
  });

  test('a held request that hangs is answered by nobody until the operator releases it', async () => {
    await arm({ kind: 'hold', delayMs: 5_000, path: actions });
    const answer = one.act(spot());
    while ((await venue.admin('/state', undefined, 'GET')).body.faults.length > 0);
    venue.clock.advance(5_000);
    expect(await one.openOrders()).toHaveLength(1);
    venue.release();
    expect((await answer).status).toBe(503);
  });

  test('a held request that another has overtaken is applied once or refused, as any late one', async () => {
    await arm({ kind: 'hold_fail', delayMs: 5_000, path: actions });
    const signed = one.sign(one.payload(spot()));
    const key = idempotencyKey();
    expect((await one.post(actions, signed, key)).status).toBe(503);
    expect((await one.post(actions, signed, key)).body).toMatchObject({ accepted: true });
    venue.clock.advance(5_000);
    expect(await one.openOrders()).toHaveLength(1);
  });

  test('a held action that claims its nonce leaves it to no other, and is applied in the end', async () => {
    await arm({ kind: 'hold_cut', delayMs: null, claimsNonce: true, path: actions });
    const signed = one.sign(one.payload(spot()));
    const key = idempotencyKey();
    await expect(one.post(actions, signed, key)).rejects.toThrow();
    expect((await one.post(actions, signed, key)).body).toMatchObject({ code: 'nonce_replayed' });
    const fence = one.payload({ Cancel: { order_id: `0x${'1'.repeat(64)}` } }, signed.payload);
    const { nonce } = signed.payload;
    expect((await one.post(actions, one.sign({ ...fence, nonce }))).body.code).toBe(
      'nonce_replayed',
    );
    expect(await one.openOrders()).toEqual([]);
    await venue.admin('/faults/release');
    expect(await one.openOrders()).toHaveLength(1);
    expect((await one.post(actions, signed, key)).body).toMatchObject({ accepted: true });
  });

  test('an answer may wait without end, and two answers may reach each other’s senders', async () => {
    await arm({ kind: 'slow', delayMs: null, path: '/health' });
    const late = one.get('/api/v1/health');
    while ((await venue.admin('/state', undefined, 'GET')).body.faults.length > 0);
    venue.clock.advance(3_600_000);
    venue.release();
    expect((await late).status).toBe(200);
    await arm({ kind: 'swap', times: 2 });
    const [health, missing] = await Promise.all([
      one.get('/api/v1/health'),
      one.get('/api/v1/nowhere'),
    ]);
    expect([health.status, missing.status]).toEqual([404, 200]);
  });

  test('a stream that stalls sends nothing for a while, then everything in order', async () => {
    const stream = await one.stream();
    await arm({ kind: 'frame_stall', delayMs: 90_000 });
    for (let i = 0; i < 3; i += 1) await one.act(spot());
    venue.clock.advance(89_000);
    stream.send({ op: 'ping' });
    await stream.next(({ op }) => op === 'pong');
    expect(stream.frames.filter(({ op }) => op === 'event')).toEqual([]);
    venue.clock.advance(1_000);
    const seqs = (await stream.events(3)).map(({ seq }) => seq);
    expect(seqs).toEqual([seqs[0], seqs[0] + 1, seqs[0] + 2]);
    stream.close();
  });

  test('a venue whose clock is wrong refuses what is fresh by the right time, and stamps its own', async () => {
    await venue.admin('/clock', { offsetMs: 61_000 });
    expect((await one.act(spot())).body.error.details.cause).toBe('timestamp_skew');
    await venue.admin('/clock', { offsetMs: 20_000, driftPpm: 100_000 });
    venue.clock.advance(10_000);
    expect((await one.get('/api/v1/health')).body.wallMs).toBe(venue.clock.now().wallMs + 21_000);
    expect((await one.act(spot())).status).toBe(200);
    const { clockError } = (await venue.admin('/state', undefined, 'GET')).body;
    expect(clockError).toEqual({ offsetMs: 21_000, driftPpm: 100_000 });
    await venue.admin('/clock', { offsetMs: -20_000, driftPpm: 0 });
    expect((await one.act(spot())).status).toBe(200);
  });

  test('the connection is cut at any byte of the answer, or before anything was applied', async () => {
    const whole = await rawBytes(null);
    for (const atByte of [0, 1, 15, 17, 100, whole - 1]) {
      await one.post(`${lane}/orders/cancel-all`, {});
      expect([atByte, await rawBytes({ kind: 'cut_after', atByte, path: actions })]).toEqual([
        atByte,
        atByte,
      ]);
      expect(await one.openOrders()).toHaveLength(1);
    }
    await one.post(`${lane}/orders/cancel-all`, {});
    expect(await rawBytes({ kind: 'cut_before', path: actions })).toBe(0);
    expect(await one.openOrders()).toEqual([]);
  });

  /** How many bytes of an answer reach a plain socket. */
  async function rawBytes(rule: Loose): Promise<number> {
    if (rule !== null) await arm(rule);
    await one.resync();
    const body = JSON.stringify(one.sign(one.payload(spot())));
    const headers = Object.entries(one.headers('POST', actions, body)).map(
      ([k, v]) => `${k}: ${v}`,
    );
    const head = [
      `POST ${actions} HTTP/1.1`,
      'Host: x',
      'Connection: close',
      `Content-Length: ${body.length}`,
    ];
    const socket = connect(Number(new URL(venue.info.baseUrl).port), '127.0.0.1');
    socket.write([...head, ...headers, '', body].join('\r\n'));
    let count = 0;
    for await (const chunk of socket) {
      const text = String(chunk);
      // Node's own answer carries headers that a cut one does not; only the length of ours counts.
      count +=
        rule === null
          ? text.replace(/(Date|Connection|Keep-Alive): .*\r\n/g, '').length
          : text.length;
    }
    return count;
  }

  test('rates are drawn from the seed, so that two runs of it fail alike', async () => {
    const outcomes = async (seed: number) => {
      const other = await open({ seed });
      await other.admin('/faults', { kind: 'fail_before', times: null, perMille: 300 });
      const statuses: number[] = [];
      for (let count = 0; count < 40; count += 1) {
        statuses.push((await other.client(0).get('/api/v1/health')).status);
      }
      await other.stop();
      return statuses.filter((status) => status === 503).length > 0 ? statuses : [];
    };
    const [first, again, different] = [await outcomes(5), await outcomes(5), await outcomes(6)];
    expect(first).not.toEqual([]);
    expect(again).toEqual(first);
    expect(different).not.toEqual(first);
  });

  test('a rule hits its path, its account and its number of times only', async () => {
    await arm({ kind: 'fail_before', account: two.account, path: 'limits', times: 2 });
    expect((await one.get(`${lane}/limits`)).status).toBe(200);
    expect((await two.get(`${lane}/sessions`)).status).toBe(200);
    const statuses = [];
    for (let count = 0; count < 3; count += 1)
      statuses.push((await two.get(`${lane}/limits`)).status);
    expect(statuses).toEqual([503, 503, 200]);
    for (let count = 0; count < 256; count += 1) {
      expect((await arm({ kind: 'drop', path: '/never' })).status).toBe(200);
    }
    expect((await arm({ kind: 'drop' })).status).toBe(400);
    await venue.admin('/faults', undefined, 'DELETE');
    expect((await venue.admin('/faults', undefined, 'GET')).body.faults).toEqual([]);
  });
});
