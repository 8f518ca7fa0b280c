/**
 * A client of the venue for the tests, written against the contract and not against the bridge: canonical text is the
 * JSON of an object whose keys stand in canonical order.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { fetch, type RequestInit } from 'undici';
import { WebSocket } from 'ws';
import { type Clock, ManualClock } from '../../src/runtime/clock.ts';
import type { DevelopmentAccount } from '../../src/sandbox/development-accounts.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import { openEcdsa } from '../../src/signer/ecdsa.ts';
import { sandboxProfile } from '../support/quick-files.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look at whatever the venue answers
  readonly body: any;
}

// biome-ignore lint/suspicious/noExplicitAny: actions are written out as the wire has them
export type Loose = any;

const { blake3 } = await fastestBlake3();
const ecdsa = await openEcdsa();

export interface Opened extends Sandbox {
  readonly clock: ManualClock;
  client(index: number): Client;
  admin(path: string, body?: unknown, method?: string): Promise<Answer>;
  /** Everything as at the start but balances and numbers, and no open order. */
  fresh(): Promise<void>;
}

/** A sandbox with a clock that stands still, and no limit on the rate unless a test sets one. */
export async function open(options: Partial<SandboxOptions> = {}): Promise<Opened> {
  const clock = new ManualClock();
  const sandbox = await startSandbox({
    seed: 1,
    clock,
    profile: sandboxProfile,
    reportFault: (error) => process.stderr.write(`${(error as Error).stack}\n`),
    ...options,
  });
  const admin = async (path: string, body?: unknown, method = 'POST') =>
    answer(`${sandbox.info.adminUrl}${path}`, {
      method,
      ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    });
  await admin('/limits', { actionsPerSecond: 0, edgeRequestsPerSecond: 0 });
  const clients = sandbox.info.accounts.map((account) => new Client(sandbox, account, clock));
  const fresh = async () => {
    await admin('/reset');
    await admin('/limits', { actionsPerSecond: 0, edgeRequestsPerSecond: 0 });
    for (const client of clients) {
      await client.post('/api/v1/order-entry/orders/cancel-all', {});
      await client.resync();
    }
  };
  return { ...sandbox, clock, admin, fresh, client: (index) => clients[index]! };
}

async function answer(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // Plain text is an answer too.
  }
  return { status: response.status, headers: response.headers as unknown as Headers, text, body };
}

export class Client {
  readonly account: string;
  readonly facts: DevelopmentAccount;
  readonly #sandbox: Pick<Sandbox, 'info'>;
  readonly #clock: Clock;
  #holes: number[] = [];
  #next = 0;

  /** The info file is all that a client needs. */
  constructor(sandbox: Pick<Sandbox, 'info'>, facts: DevelopmentAccount, clock: Clock) {
    this.#sandbox = sandbox;
    this.facts = facts;
    this.account = facts.account;
    this.#clock = clock;
  }

  /** The lowest nonce that this client believes to be free. */
  nextNonce(): number {
    return this.#holes.shift() ?? this.#next++;
  }

  /** Learns from the operator which nonces are free: refusals before the sequencer gave some back. */
  async resync(): Promise<void> {
    const { body } = await answer(`${this.#sandbox.info.adminUrl}/accounts/${this.account}`, {});
    const { floor, used } = body.nonces;
    this.#next = Math.max(floor, ...used.map((nonce: number) => nonce + 1));
    const below = Array.from({ length: this.#next - floor }, (_, index) => floor + index);
    this.#holes = below.filter((nonce) => !used.includes(nonce));
  }

  /** An envelope in canonical order, with the next nonce unless `over` gives one. */
  payload(action: Loose, over: Loose = {}): Loose {
    const { client_order_id, ...rest } = over;
    const envelope = {
      account: this.account,
      nonce: over.nonce ?? this.nextNonce(),
      nonce_reservation_id: null,
      ...(client_order_id === undefined ? {} : { client_order_id }),
      ts: this.#clock.now().wallMs,
      action,
    };
    return Object.assign(envelope, rest);
  }

  sign(payload: Loose, key: string = this.facts.agents[0]!.key): Loose {
    return { payload, signature: signatureOf(JSON.stringify(payload), key) };
  }

  act(action: Loose, over: Loose = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.post('/api/v1/trading/actions', this.sign(this.payload(action, over)), headers);
  }

  /** As the venue's operator sees them. */
  async openOrders(): Promise<Loose[]> {
    const { body } = await answer(`${this.#sandbox.info.adminUrl}/accounts/${this.account}`, {});
    return body.openOrders;
  }

  headers(method: string, target: string, body: string): Record<string, string> {
    const timestamp = String(this.#clock.now().wallMs);
    const signature = createHmac('sha256', this.facts.apiSecret)
      .update(`${timestamp}${method}${target}${body}`)
      .digest('base64');
    return {
      'X-API-Key': this.facts.apiKey,
      'X-API-Passphrase': this.facts.passphrase,
      'X-API-Timestamp': timestamp,
      'X-API-Signature': signature,
    };
  }

  post(target: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return answer(`${this.#sandbox.info.baseUrl}${target}`, {
      method: 'POST',
      body: text,
      headers: { ...this.headers('POST', target, text), ...headers },
    });
  }

  postBytes(target: string, body: Buffer, headers: Record<string, string> = {}): Promise<Answer> {
    const timestamp = String(this.#clock.now().wallMs);
    const signature = createHmac('sha256', this.facts.apiSecret)
      .update(`${timestamp}POST${target}`)
      .update(body)
      .digest('base64');
    return answer(`${this.#sandbox.info.baseUrl}${target}`, {
      method: 'POST',
      body,
      headers: {
        ...this.headers('POST', target, ''),
        'X-API-Timestamp': timestamp,
        'X-API-Signature': signature,
        ...headers,
      },
    });
  }

  get(target: string, headers: Record<string, string> = {}): Promise<Answer> {
    return answer(`${this.#sandbox.info.baseUrl}${target}`, {
      method: 'GET',
      headers: { ...this.headers('GET', target, ''), ...headers },
    });
  }

  async events(fromSeq = 1): Promise<Loose[]> {
    const { body } = await this.get(`/api/v1/order-entry/execution/gap-fill?fromSeq=${fromSeq}`);
    return body.events;
  }

  async token(ttlMs = 60_000): Promise<string> {
    const { body } = await this.post('/api/v1/ws/token', { account: this.account, ttlMs });
    return body.data.token;
  }

  /** An open and authenticated socket. */
  async stream(fromSeq?: number): Promise<Stream> {
    const stream = await Stream.open(this.#sandbox.info.wsUrl);
    stream.send({ op: 'auth', token: await this.token() });
    await stream.next((frame) => frame.op === 'authenticated');
    const from = fromSeq === undefined ? {} : { fromSeq };
    stream.send({ op: 'subscribe', channel: 'executions', account: this.account, ...from });
    await stream.next((frame) => frame.op === 'subscribed');
    return stream;
  }
}

export class Stream {
  readonly frames: Loose[] = [];
  closeCode: number | null = null;
  readonly #socket: WebSocket;
  #wake: (() => void)[] = [];

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      this.frames.push(JSON.parse(String(data)));
      this.#ring();
    });
    socket.on('close', (code) => {
      this.closeCode = code;
      this.#ring();
    });
    socket.on('error', () => undefined);
  }

  static async open(url: string): Promise<Stream> {
    const socket = new WebSocket(url);
    const stream = new Stream(socket);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return stream;
  }

  send(frame: unknown): void {
    this.#socket.send(
      typeof frame === 'string' || frame instanceof Buffer ? frame : JSON.stringify(frame),
    );
  }

  /** The first frame so far or to come that fits. */
  async next(fits: (frame: Loose) => boolean): Promise<Loose> {
    for (;;) {
      const found = this.frames.find(fits);
      if (found !== undefined) return found;
      await this.#change();
    }
  }

  async events(count: number): Promise<Loose[]> {
    for (;;) {
      const events = this.frames.filter(({ op }) => op === 'event').map(({ event }) => event);
      if (events.length >= count) return events;
      await this.#change();
    }
  }

  async closed(): Promise<number> {
    while (this.closeCode === null) await this.#change();
    return this.closeCode;
  }

  close(): void {
    this.#socket.terminate();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake.push(resolve);
    });
  }

  #ring(): void {
    const woken = this.#wake;
    this.#wake = [];
    for (const wake of woken) wake();
  }
}

export function actionHash(canonical: string, domain = 'SANDBOX/ACTION_PAYLOAD/v1'): Uint8Array {
  return blake3(Buffer.from(`${domain}${canonical}`));
}

export function orderIdOf(canonical: string, suffix: Buffer = Buffer.alloc(0)): string {
  const bytes = Buffer.concat([Buffer.from(`SANDBOX/ORDER_ID/v1${canonical}`), suffix]);
  return `0x${Buffer.from(blake3(bytes)).toString('hex')}`;
}

export function signatureOf(
  canonical: string,
  key: string,
  scheme: 'ecdsa' | 'eip191' = 'ecdsa',
  domain?: string,
): Loose {
  const hash = actionHash(canonical, domain);
  const prefix = Buffer.from('\x19Ethereum Signed Message:\n32');
  const digest = scheme === 'ecdsa' ? hash : keccak_256(Buffer.concat([prefix, hash]));
  return {
    scheme: scheme === 'ecdsa' ? 'EcdsaSecp256k1' : 'Eip191PersonalSign',
    bytes: [...ecdsa.sign(digest, Buffer.from(key, 'hex'))],
  };
}

/** What an order says that only has a price and a quantity. */
const plain = {
  stp_mode: null,
  time_in_force: 'gtc',
  is_market: false,
  reduce_only: false,
  expires_at: null,
};

export function spot(over: Loose = {}): Loose {
  return {
    SpotPlaceOrder: {
      market: 1,
      side: 'Bid',
      price: 50_000_000_000,
      qty: 1_000_000,
      ...plain,
      ...over,
    },
  };
}

export function outcome(over: Loose = {}): Loose {
  return {
    PlaceOrder: {
      market: 7,
      book: 'YES',
      side: 'Bid',
      price: 500_000,
      qty: 10_000_000,
      ...plain,
      ...over,
    },
  };
}

/** A leg of a spot quote replace; with `book` first after the id it is a leg of an outcome one. */
export function leg(over: Loose = {}): Loose {
  const { book, cancel_order_id = null, ...rest } = over;
  return {
    cancel_order_id,
    ...(book === undefined ? {} : { book }),
    side: 'Bid',
    price: 50_000_000_000,
    qty: 1_000_000,
    ...plain,
    ...rest,
  };
}

export function idempotencyKey(): Record<string, string> {
  return { 'Idempotency-Key': randomUUID() };
}

/** A sell that waits for market 1 to rise. */
export const conditionalFields = {
  market: 1,
  book: null,
  side: 'Ask',
  qty: 1_000_000,
  limit_price: 60_000_000_000,
  trigger_price: 60_000_000_000,
  trigger_direction: 'at_or_above',
  conditional_kind: 'take_profit',
  reduce_only: false,
};
