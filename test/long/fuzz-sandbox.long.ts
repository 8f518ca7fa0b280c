/**
 * Whatever a client sends, the sandbox answers in one of the contract's shapes or ends that one connection; it never
 * ends itself, never shows a stack, and its books add up afterwards.
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { DevelopmentAccount } from '../../src/sandbox/development-accounts.ts';
import type { VenueResponse } from '../../src/sandbox/http-message.ts';
import { SeededRandom } from '../../src/sandbox/random.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import { openEcdsa } from '../../src/signer/ecdsa.ts';
import { encodeCompact } from '../sandbox/encode-compact.ts';
import { assertInvariants } from '../sandbox/engine/invariants.ts';
import type { LongRun } from './main.ts';

const lane = '/api/v1/order-entry';
const posts = [
  '/api/v1/trading/actions',
  '/api/v1/trading/actions/hash',
  '/api/v1/trading/orders/batch',
  '/api/v1/ws/token',
  '/api/agents',
  `${lane}/orders`,
  `${lane}/orders/compact`,
  `${lane}/orders/replace`,
  `${lane}/orders/cancel-all`,
];
const gets = [
  '/api/v1/markets',
  '/api/v1/markets/7/orderbook',
  '/api/agents/dev1-desk',
  `${lane}/limits`,
  `${lane}/receipts`,
  `${lane}/execution/gap-fill`,
  `${lane}/markets/1/quote-obligations`,
];
const words = [
  'Bid',
  'Ask',
  'YES',
  'NO',
  'gtc',
  'ioc',
  'fok',
  'post_only',
  'reject',
  'skip_self',
  '',
  '0x',
  '__proto__',
  'constructor',
  '\u0000',
  'é',
];
const numbers = [0, 1, -1, 7, 12, 1000, 10_000, 1_000_000, 500_000, 50_000_000_000, 2 ** 53 - 1];

export async function run({ short, seed }: LongRun): Promise<string> {
  const faults: unknown[] = [];
  const clock = new ManualClock();
  const sandbox = await startSandbox({ seed, clock, reportFault: (error) => faults.push(error) });
  sandbox.venue.state.setLimits({ actionsPerSecond: 0, edgeRequestsPerSecond: 0 });
  try {
    const fuzz = await Fuzz.open(sandbox, clock, seed);
    const rounds = short ? 20_000 : 1_000_000;
    for (let round = 0; round < rounds; round += 1) {
      fuzz.request();
      if (round % 100 === 0) clock.advance(50);
      if (round % 1000 === 0) assertInvariants(sandbox.venue.state.exchange);
      if (round % 5000 === 0) await new Promise(setImmediate);
    }
    const sockets = short ? 150 : 2000;
    for (let round = 0; round < sockets; round += 1) await fuzz.frames();
    for (let round = 0; round < sockets; round += 1) await fuzz.rawBytes();
    if (faults.length > 0) throw faults[0];
    assertInvariants(sandbox.venue.state.exchange);
    const health = await fetch(`${sandbox.info.baseUrl}/api/v1/health`);
    if (health.status !== 200) throw new Error(`health answers ${health.status} after the fuzz`);
    return `${rounds} requests (${fuzz.summary()}), ${sockets} sockets, ${sockets} raw connections`;
  } finally {
    await sandbox.stop();
  }
}

type Loose = Record<string, unknown>;

interface Signed {
  readonly payload: Loose;
  readonly signature: { readonly scheme: string; readonly bytes: number[] };
}

interface Answer {
  readonly code?: unknown;
  readonly derivedOrderId?: unknown;
  readonly error?: unknown;
}

class Fuzz {
  readonly #sandbox: Sandbox;
  readonly #clock: ManualClock;
  readonly #random: SeededRandom;
  readonly #sign: (canonical: string, key: string) => number[];
  readonly #statuses = new Map<number, number>();
  readonly #nonces = new Map<string, number>();
  readonly #orders: string[] = ['0x'.padEnd(66, '0')];

  constructor(
    sandbox: Sandbox,
    clock: ManualClock,
    seed: number,
    sign: (canonical: string, key: string) => number[],
  ) {
    this.#sandbox = sandbox;
    this.#clock = clock;
    this.#random = SeededRandom.of(seed);
    this.#sign = sign;
  }

  static async open(sandbox: Sandbox, clock: ManualClock, seed: number): Promise<Fuzz> {
    const { blake3 } = await fastestBlake3();
    const ecdsa = await openEcdsa();
    return new Fuzz(sandbox, clock, seed, (canonical, key) => {
      const hash = blake3(Buffer.from(`SANDBOX/ACTION_PAYLOAD/v1${canonical}`));
      return [...ecdsa.sign(hash, Buffer.from(key, 'hex'))];
    });
  }

  summary(): string {
    return [...this.#statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
  }

  request(): void {
    const account = this.#pick(this.#sandbox.info.accounts);
    const isPost = this.#random.below(5) > 0;
    const path = this.#pick(isPost ? posts : gets);
    const target = isPost ? path : `${path}${this.#query()}`;
    const body = isPost ? this.#body(path, account) : Buffer.alloc(0);
    const method = isPost ? 'POST' : 'GET';
    const response = this.#sandbox.venue.ingress.handle({
      method,
      target,
      headers: this.#headers(account, method, target, body),
      body,
      remoteAddress: '127.0.0.1',
    });
    this.#statuses.set(response.status, (this.#statuses.get(response.status) ?? 0) + 1);
    this.#check(response, method, target, body);
  }

  /** A few frames, some of them right, on a socket that the venue may close. */
  async frames(): Promise<void> {
    const account = this.#pick(this.#sandbox.info.accounts);
    const { state } = this.#sandbox.venue;
    const { token } = state.tokens.issue(account.account, 60_000, this.#clock.now().wallMs);
    const socket = new WebSocket(this.#sandbox.info.wsUrl);
    socket.on('error', () => undefined);
    await once(socket, 'open');
    if (this.#random.below(2) === 0) socket.send(JSON.stringify({ op: 'auth', token }));
    const right = { op: 'subscribe', channel: 'executions', account: account.account, fromSeq: 1 };
    for (let count = 0; count < 5 && socket.readyState === socket.OPEN; count += 1) {
      const kind = this.#random.below(4);
      if (kind === 0) socket.send(this.#bytes(64));
      else if (kind === 1)
        socket.send(this.#damaged(Buffer.from(JSON.stringify(right))).toString('latin1'));
      else socket.send(JSON.stringify(kind === 2 ? this.#changed(right, 0) : right));
    }
    socket.close();
    if (socket.readyState !== socket.CLOSED) await once(socket, 'close');
  }

  /** Bytes that are no HTTP, or nearly, and bytes that are no frames after a good upgrade. */
  async rawBytes(): Promise<void> {
    const socket = connect(Number(new URL(this.#sandbox.info.baseUrl).port), '127.0.0.1');
    socket.on('error', () => undefined);
    const post = ['POST /api/v1/trading/actions HTTP/1.1', 'Host: x', 'Content-Length: 5'];
    const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`;
    const upgrade = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13', key];
    const socketPath = new URL(this.#sandbox.info.wsUrl).pathname;
    const [head, more] = this.#pick([
      [post, '{"a":'],
      [[`GET ${socketPath} HTTP/1.1`, 'Host: x', ...upgrade], this.#bytes(100).toString('latin1')],
    ] as const);
    const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${more}`, 'latin1');
    socket.write(this.#pick([() => bytes, () => this.#damaged(bytes), () => this.#bytes(200)])());
    socket.end();
    for await (const chunk of socket) {
      if (chunk.length > 1_000_000) throw new Error('an endless answer');
    }
  }

  #check(response: VenueResponse, method: string, target: string, body: Buffer): void {
    const fail = (what: string) =>
      new Error(
        `${what}: ${method} ${target} ${body.toString('latin1').slice(0, 2000)} → ${response.status} ${response.body.slice(0, 500)}`,
      );
    if (response.status === 500) throw fail('an internal error');
    if (/\.[tj]s:\d|node:internal/.test(response.body)) throw fail('a stack trace');
    const { code, derivedOrderId, error } = JSON.parse(response.body) as Answer;
    if (typeof derivedOrderId === 'string') {
      this.#orders.push(derivedOrderId);
      if (this.#orders.length > 200) this.#orders.shift();
    }
    if (response.status < 400) return;
    const isEnvelope = typeof error === 'object' && error !== null;
    const isFlat = typeof code === 'string' && typeof error === 'string';
    if (!isEnvelope && !isFlat) throw fail('an answer of no known shape');
  }

  #headers(account: DevelopmentAccount, method: string, target: string, body: Buffer) {
    const timestamp = String(this.#clock.now().wallMs);
    const signature = createHmac('sha256', account.apiSecret)
      .update(`${timestamp}${method}${target}`)
      .update(body)
      .digest('base64');
    const headers: Record<string, string> = {
      'x-api-key': account.apiKey,
      'x-api-passphrase': account.passphrase,
      'x-api-timestamp': timestamp,
      'x-api-signature': signature,
      'x-sandbox-response-mode': 'detailed',
    };
    if (this.#random.below(4) === 0) headers['idempotency-key'] = `k${this.#random.below(50)}`;
    const name = this.#pick(Object.keys(headers));
    if (this.#random.below(40) === 0) headers[name] = this.#pick(words);
    if (this.#random.below(8) === 0)
      headers['x-bsl-result-mode'] = this.#pick(['ack', 'full', 'x']);
    return headers;
  }

  #query(): string {
    const names = ['fromSeq', 'cursor', 'limit', 'book', 'depth', 'account', 'orderId'];
    const count = this.#random.below(3);
    const parts = Array.from({ length: count }, () => `${this.#pick(names)}=${this.#value()}`);
    return count === 0 ? '' : `?${encodeURI(parts.join('&'))}`;
  }

  #body(path: string, account: DevelopmentAccount): Buffer {
    const signed = () => this.#signed(account);
    if (path.endsWith('compact')) {
      const { payload, signature } = signed();
      const canonical = Buffer.from(JSON.stringify(payload));
      const bytes = Uint8Array.from(signature.bytes);
      const batch = encodeCompact({
        idempotencyKey: '',
        actions: [{ canonical, scheme: 'ecdsa', signature: bytes }],
      });
      return this.#random.below(2) === 0 ? batch : this.#damaged(batch);
    }
    const one = signed();
    const right = path.endsWith('/orders')
      ? { version: 1, actions: [one, signed()] }
      : path.endsWith('batch')
        ? { items: [{ type: 'trade', action: one }] }
        : path.endsWith('hash')
          ? one.payload
          : path.endsWith('actions') || path.endsWith('replace')
            ? one
            : { account: account.account, market: 1, ttlMs: 1000 };
    const kind = this.#random.below(4);
    const text = Buffer.from(JSON.stringify(kind === 0 ? this.#changed(right, 0) : right));
    return kind === 1 ? this.#damaged(text) : text;
  }

  /** An action whose fields may be odd, but whose signature is right, so that it reaches the engine. */
  #signed(account: DevelopmentAccount): Signed {
    return this.#random.below(12) === 0
      ? this.#signedAction(account, this.#conditional(account))
      : this.#signedAction(account, this.#action());
  }

  #signedAction(account: DevelopmentAccount, action: Loose): Signed {
    const nonce = this.#nonces.get(account.account) ?? 0;
    const window = this.#sandbox.venue.state.nonces(account.account);
    this.#nonces.set(account.account, Math.max(window.floor, (nonce + 1) % (window.floor + 200)));
    const payload = {
      account: account.account,
      nonce,
      nonce_reservation_id: null,
      ts: this.#clock.now().wallMs,
      action,
    };
    const bytes = this.#sign(JSON.stringify(payload), account.ownerKey);
    return { payload, signature: { scheme: 'EcdsaSecp256k1', bytes } };
  }

  #conditional(account: DevelopmentAccount): Loose {
    const [side, qty, price] = [this.#pick(['Bid', 'Ask']), this.#amount([1_000_000]), 500_000];
    const terms = { stp_mode: null, time_in_force: 'gtc', is_market: false, reduce_only: false };
    const place = { market: 7, book: 'YES', side, price, qty, ...terms, expires_at: null };
    const nested = this.#signedAction(account, { PlaceOrder: place });
    return {
      PlaceConditionalOrder: {
        market: 7,
        book: 'YES',
        side,
        qty,
        limit_price: price,
        trigger_price: this.#amount([490_000, 500_000, 510_000]),
        trigger_direction: this.#pick(['at_or_above', 'at_or_below']),
        conditional_kind: this.#pick(['take_profit', 'stop_loss']),
        reduce_only: false,
        signed_trigger_order: nested,
      },
    };
  }

  #action(): Loose {
    const market = this.#pick([1, 2, 3, 7, 8, 99]);
    const isSpot = market < 6;
    const terms = () => ({
      side: this.#pick(['Bid', 'Ask']),
      price: this.#amount([10_000, 490_000, 500_000, 510_000, 50_000_000_000]),
      qty: this.#amount([0, 10_000, 1_000_000, 5_000_000]),
      stp_mode: this.#pick([null, 'cancel_maker', 'cancel_taker', 'reject', 'skip_self', 'x']),
      time_in_force: this.#pick(['gtc', 'ioc', 'fok', 'post_only']),
      is_market: this.#random.below(8) === 0,
      reduce_only: this.#random.below(8) === 0,
      expires_at: this.#pick([null, null, this.#clock.now().wallMs + 100]),
    });
    const book = isSpot ? {} : { book: this.#pick(['YES', 'NO']) };
    const order_id = this.#pick(this.#orders);
    const algo = {
      market,
      book: isSpot ? null : 'YES',
      side: 'Bid',
      total_qty: 3_000_000,
      limit_price: this.#amount([500_000]),
      time_in_force: 'gtc',
    };
    const strategy = {
      kind: this.#pick(['iceberg', 'twap', 'vwap']),
      slice_qty: this.#amount([1_000_000]),
    };
    const timed = strategy.kind === 'iceberg' ? {} : { interval_ms: this.#amount([50, 1000]) };
    switch (this.#random.below(7)) {
      case 0:
        return {
          [this.#pick(['Cancel', 'CancelAlgoOrder', 'CancelConditionalOrder'])]: { order_id },
        };
      case 1:
        return { AmendOrder: { order_id, new_qty: this.#amount([1_000_000]) } };
      case 2: {
        const legs = Array.from({ length: 1 + this.#random.below(3) }, () => ({
          cancel_order_id: this.#pick([null, order_id]),
          ...book,
          ...terms(),
        }));
        return { [isSpot ? 'SpotQuoteReplace' : 'QuoteReplace']: { market, legs } };
      }
      case 3:
        return { PlaceAlgoOrder: { ...algo, strategy: { ...strategy, ...timed } } };
      default:
        return { [isSpot ? 'SpotPlaceOrder' : 'PlaceOrder']: { market, ...book, ...terms() } };
    }
  }

  #amount(likely: readonly number[]): number {
    return this.#random.below(10) === 0 ? Math.abs(this.#pick(numbers)) : this.#pick(likely);
  }

  /** One member somewhere gets another value, another name, or goes. */
  #changed(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null || depth > 5) return this.#value();
    const entries = Object.entries(value);
    const index = this.#random.below(entries.length + 1);
    const changed = entries.flatMap(([name, inner], at): [string, unknown][] => {
      if (at !== index) return [[name, inner]];
      const kind = this.#random.below(4);
      if (kind === 0) return [];
      if (kind === 1) return [[this.#pick(words), inner]];
      return [[name, this.#changed(inner, depth + 1)]];
    });
    return Array.isArray(value) ? changed.map(([, inner]) => inner) : Object.fromEntries(changed);
  }

  #value(): unknown {
    const kind = this.#random.below(5);
    if (kind === 0) return this.#pick(words);
    if (kind === 1) return this.#pick(numbers);
    return this.#pick([null, true, [], {}, 1.5, [[[[]]]], 'x'.repeat(300)]);
  }

  #damaged(bytes: Buffer): Buffer {
    const copy = Buffer.from(bytes);
    for (let count = this.#random.below(4); count >= 0; count -= 1) {
      copy[this.#random.below(copy.length)] = this.#random.below(256);
    }
    return this.#random.below(3) === 0 ? copy.subarray(0, this.#random.below(copy.length)) : copy;
  }

  #bytes(most: number): Buffer {
    return Buffer.from(
      Array.from({ length: this.#random.below(most) }, () => this.#random.below(256)),
    );
  }

  #pick<T>(among: readonly T[]): T {
    return among[this.#random.below(among.length)] as T;
  }
}
