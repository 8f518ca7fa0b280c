/**
 * A venue that fills every order at once, or leaves it open until it is canceled, and checks nothing, so that it is not
 * what is measured. What the bridge reads besides, it reads from a sandbox behind it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import { Derivation } from '../../src/signer/digest.ts';
import { loadProfile } from '../../src/venue/profile.ts';
import { profileFile } from './profile-file.ts';

const profile = loadProfile(profileFile);
const { blake3 } = await fastestBlake3();
const derivation = new Derivation(profile, blake3);
/** A bridge that starts late in a benchmark reads all that those before it did on its accounts. */
const keptEvents = 100_000;
/** Enough for what is asked again because its answer came late. */
const keptAnswers = 2_000;
const keyHeader = profile.idempotency.header.toLowerCase();
const canonicalNames = {
  marketId: 'market',
  stpMode: 'stp_mode',
  timeInForce: 'time_in_force',
  isMarket: 'is_market',
  reduceOnly: 'reduce_only',
  expiresAt: 'expires_at',
} as const;
const endOfPayload = ',"signature":';
const payloadOfBatch = /\{"payload":(.*?),"signature":/g;
const inputName = new RegExp(`"(${Object.keys(canonicalNames).join('|')})":`, 'g');

interface Stream {
  seq: number;
  readonly events: string[];
  readonly sockets: Set<WebSocket>;
}

/** An accepted action and the event that it caused. */
interface Applied {
  readonly stream: Stream;
  readonly seq: number;
  readonly orderId: string;
  readonly isCancel: boolean;
  readonly event: string;
}

interface Payload {
  readonly account: string;
  readonly nonce: number;
  readonly client_order_id?: string;
  /** Another action, such as the filler of a nonce hole, is accepted and shows nothing. */
  readonly action: {
    readonly SpotPlaceOrder?: Placed;
    readonly Cancel?: { readonly order_id: string };
  };
}

type Placed = Readonly<Record<'price' | 'qty' | 'market', number>>;

/** What happens to an order. */
export type Habit = 'fill' | 'rest';

export class SinkVenue {
  readonly sandbox: Sandbox;
  /** When the last order was here whole, and when the last event left; performance.now. */
  arrivedMs = 0;
  toldMs = 0;
  orders = 0;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #acceptor = new WebSocketServer({ server: this.#server });
  readonly #streams = new Map<string, Stream>();
  /** By the key of the request, the oldest first. */
  readonly #answers = new Map<string, string>();
  readonly #habit: Habit;
  /** Open orders, by their id. */
  readonly #resting = new Map<string, Placed>();

  static async start(seed: number, habit: Habit = 'fill'): Promise<SinkVenue> {
    const sandbox = await startSandbox({ seed, makers: false });
    const limits = { actionsPerSecond: 1e6, burst: 1e6, edgeRequestsPerSecond: 1e6 };
    await fetch(`${sandbox.info.adminUrl}/limits`, {
      method: 'POST',
      body: JSON.stringify(limits),
    });
    const venue = new SinkVenue(sandbox, habit);
    await new Promise<void>((resolve) => venue.#server.listen(0, '127.0.0.1', resolve));
    return venue;
  }

  private constructor(sandbox: Sandbox, habit: Habit) {
    this.sandbox = sandbox;
    this.#habit = habit;
    this.#acceptor.on('connection', (socket) => this.#converse(socket));
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#acceptor.clients) socket.terminate();
    this.#server.closeAllConnections();
    this.#server.close();
    await this.sandbox.stop();
  }

  /** Orders of other programs on an account: a bridge that starts reads all of their events. */
  addOthers(account: string, orders: number): void {
    const place = {
      SpotPlaceOrder: { market: 1, side: 'Bid', price: 50_000_000_000, qty: 1_000_000 },
    };
    for (let nonce = 0; nonce < orders; nonce += 1) {
      this.#applied(JSON.stringify({ account, nonce, client_order_id: null, action: place }));
    }
  }

  #converse(socket: WebSocket): void {
    socket.on('message', (data) => {
      const { op, account, fromSeq } = JSON.parse(String(data));
      if (op === 'auth') socket.send('{"op":"authenticated"}');
      if (op === 'ping') socket.send('{"op":"pong"}');
      if (op !== 'subscribe') return;
      const { events, seq, sockets } = this.#stream(account);
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.send('{"op":"subscribed"}');
      const missed = seq - fromSeq + 1;
      for (const event of missed > 0 ? events.slice(-missed) : []) socket.send(frameOf(event));
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    response.setHeader('content-type', 'application/json');
    const target = request.url ?? '';
    if (target === profile.routes.actions || target === profile.routes.orders) {
      const key = String(request.headers[keyHeader] ?? '');
      const known = this.#answers.get(key);
      if (known !== undefined) response.end(known);
      else if (target === profile.routes.actions) this.#accept(body, key, response);
      else this.#acceptBatch(body, key, response);
    } else if (target.startsWith(profile.routes.gapFill)) response.end(this.#fill(target));
    else await this.#pass(request, body, response);
  }

  #accept(body: string, key: string, response: ServerResponse): void {
    const filled = this.#applied(body.slice('{"payload":'.length, body.indexOf(endOfPayload)));
    if (filled === undefined) {
      response.end(acceptance('null', 'null'));
      return;
    }
    const orderId = filled.isCancel ? 'null' : `"${filled.orderId}"`;
    this.#answer(key, acceptance(String(filled.seq), orderId), response);
    this.#tell(filled);
  }

  /** As many as the bridge sends together; all of them are orders here. */
  #acceptBatch(body: string, key: string, response: ServerResponse): void {
    const payloads = [...body.matchAll(payloadOfBatch)].map(([, payload = '']) => payload);
    const all = payloads.flatMap((payload) => this.#applied(payload) ?? []);
    const results = all.map(
      ({ seq }) =>
        `{"seq":${seq},"clientOrderId":null,"status":"filled","nonceConsumed":true,"rejectCode":null,"rejectReason":null}`,
    );
    const ids = all.map(({ orderId }) => `["${orderId}"]`);
    const answer = `{"ok":true,"actionResults":[${results}],"derivedOrderIds":[${ids}]}`;
    this.#answer(key, answer, response);
    for (const filled of all) this.#tell(filled);
  }

  /** Undefined for an action that is neither an order nor the cancel of an open one. */
  #applied(inputPayload: string): Applied | undefined {
    this.arrivedMs = performance.now();
    this.orders += 1;
    const text = inputPayload.replace(
      inputName,
      (_, name: keyof typeof canonicalNames) => `"${canonicalNames[name]}":`,
    );
    const canonical = Buffer.from(text);
    const payload: Payload = JSON.parse(text);
    const { Cancel: cancel, SpotPlaceOrder: order } = payload.action;
    const orderId = cancel?.order_id ?? derivation.orderId(canonical);
    const placed = order ?? this.#resting.get(orderId);
    if (placed === undefined) return undefined;
    const stream = this.#stream(payload.account);
    stream.seq += 1;
    const facts = { payload, canonical, orderId, placed, seq: stream.seq };
    const isCancel = order === undefined;
    const event = JSON.stringify(this.#eventOf(facts, isCancel));
    stream.events.push(event);
    if (stream.events.length > 2 * keptEvents) stream.events.splice(0, keptEvents);
    return { stream, seq: stream.seq, orderId, isCancel, event };
  }

  #eventOf(facts: Facts, isCancel: boolean): object {
    const { orderId, placed } = facts;
    if (isCancel) {
      this.#resting.delete(orderId);
      return canceledOf(facts);
    }
    if (this.#habit === 'fill') return fillOf(facts);
    this.#resting.set(orderId, placed);
    return restingOf(facts);
  }

  #answer(key: string, answer: string, response: ServerResponse): void {
    response.end(answer);
    this.#keep(key, answer);
  }

  #tell({ stream, event }: Applied): void {
    this.toldMs = performance.now();
    for (const socket of stream.sockets) socket.send(frameOf(event));
  }

  /** The bare loop sends no keys. */
  #keep(key: string, answer: string): void {
    if (key === '') return;
    this.#answers.set(key, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > keptAnswers && oldest !== undefined) this.#answers.delete(oldest);
  }

  #fill(target: string): string {
    const query = new URL(target, 'http://venue').searchParams;
    const { events, seq } = this.#stream(query.get(profile.gapFill.accountParam) ?? '');
    const from = Number(query.get(profile.gapFill.fromSeqParam));
    const missed = Math.max(0, seq - from + 1);
    const page = missed === 0 ? [] : events.slice(-missed).slice(0, 1000);
    const complete = page.length === missed;
    return `{"events":[${page.join(',')}],"nextCursor":${from - 1 + page.length},"lastSeq":${seq},"complete":${complete}}`;
  }

  async #pass(request: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    const { connection: _, host: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(`${this.sandbox.info.baseUrl}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body !== '' && { body }),
    });
    for (const name of [profile.headers.contract]) {
      const value = answer.headers.get(name);
      if (value !== null) response.setHeader(name, value);
    }
    response.statusCode = answer.status;
    response.end(await answer.text());
  }

  #stream(account: string): Stream {
    const stream = this.#streams.get(account) ?? { seq: 0, events: [], sockets: new Set() };
    this.#streams.set(account, stream);
    return stream;
  }
}

function acceptance(seq: string, orderId: string): string {
  return `{"accepted":true,"ok":true,"seq":${seq},"derivedOrderId":${orderId},"error":null,"code":null,"nonceConsumed":true,"nextUsableNonce":null,"nonceFloor":null,"nonceWindow":null,"nonceHoles":null}`;
}

function frameOf(event: string): string {
  return `{"op":"event","event":${event}}`;
}

interface Facts {
  readonly payload: Payload;
  readonly canonical: Uint8Array;
  readonly orderId: string;
  readonly placed: Placed;
  readonly seq: number;
}

function fillOf(facts: Facts): object {
  const { price, qty } = facts.placed;
  const event = eventOf(facts, 'fill', 'filled');
  const fill = { fillId: `t${facts.seq}`, price, qty, feeMicro: 0, liquidity: 'taker' };
  return { ...event, filledQty: qty, fill: { ...fill, tsMs: event.engineTsMs } };
}

function restingOf(facts: Facts): object {
  return { ...eventOf(facts, 'resting', 'resting'), leavesQty: facts.placed.qty };
}

function canceledOf(facts: Facts): object {
  return eventOf(facts, 'canceled', 'canceled');
}

function eventOf(
  { payload, canonical, orderId, placed, seq }: Facts,
  kind: string,
  status: string,
): Readonly<Record<string, unknown>> & { readonly engineTsMs: number } {
  const { account, nonce } = payload;
  const { market, price, qty } = placed;
  const tsMs = Date.now();
  return {
    ...{ seq, prevSeq: seq === 1 ? null : seq - 1, kind, account, market, book: null },
    ...{ orderId, parentOrderId: null, legIndex: null, nonce },
    clientOrderId: payload.client_order_id ?? null,
    actionHash: `0x${Buffer.from(derivation.actionHash(canonical)).toString('hex')}`,
    ...{ side: 'Bid', price, qty, filledQty: 0, leavesQty: 0, status },
    reason: { code: null, number: null, text: null },
    ...{ fill: null, nonceConsumed: true, engineTsMs: tsMs, serverTsMs: tsMs },
  };
}
