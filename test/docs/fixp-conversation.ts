/**
 * A FIXP client and the real session, mapping and order rules of the bridge on one thread, on a clock that stands at a
 * known moment: what they say to each other is the same bytes each time, and goes into docs/FIXP-EXAMPLES.md.
 */
import { isDenial } from '../../src/domain/denial.ts';
import type { Fill } from '../../src/domain/event.ts';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import { createOrder } from '../../src/domain/order.ts';
import { type OrderInput, transition } from '../../src/domain/transition.ts';
import type { FeeMicro, OrderId, Price, Qty } from '../../src/domain/units.ts';
import type { FixpAppSession } from '../../src/fixp/application.ts';
import { writeCredentials } from '../../src/fixp/credentials.ts';
import { FixpDirectory } from '../../src/fixp/fixp-directory.ts';
import { framed } from '../../src/fixp/framing.ts';
import { fixpSettings } from '../../src/fixp/settings.ts';
import { writeReport } from '../../src/mapping/sbe/report-message.ts';
import { takeRequest } from '../../src/mapping/sbe/requests.ts';
import { type Instant, ManualClock } from '../../src/runtime/clock.ts';
import { encodeMessage } from '../../src/sbe/generic-encoder.ts';
import type { JsonObject } from '../../src/sbe/json.ts';
import type { Schema } from '../../src/sbe/model.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { signatureAuthenticator, signatureOf } from '../../src/transport/authentication.ts';
import type { Link, LinkListener } from '../../src/transport/link.ts';
import { account, fullRules, silentEvent, spot, terms } from '../domain/ladder.ts';
import { defaultTags } from '../support/default-tags.ts';
import { MemoryStore } from '../support/memory-store.ts';

export interface Said {
  readonly by: 'client' | 'bridge';
  /** As on the wire: framing header, message header, message. */
  readonly bytes: Buffer;
}

export const signer = {
  username: 'delta',
  secret: '6b65792d6f662d7468652d6578616d706c65',
  sessionId: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
} as const;

const market = { ...spot, priceScale: 6, qtyScale: 8 };
const orderId = `0x${'a1'.repeat(32)}` as OrderId;
const settings = { tags: defaultTags, feeCurrency: 'USDC' };

export class Conversation {
  readonly said: Said[] = [];
  readonly #fixp: Schema;
  readonly #orders: Schema;
  readonly #clock = new ManualClock();
  readonly #link: Link;
  #listener: LinkListener | undefined;
  #lastNs = 0n;

  constructor(fixp: Schema, orders: Schema) {
    this.#fixp = fixp;
    this.#orders = orders;
    this.#link = {
      peer: { address: '192.0.2.1' },
      bufferedBytes: 0,
      listen: (listener) => {
        this.#listener = listener;
      },
      write: (bytes) => this.#heard(Buffer.from(bytes)),
      pause() {},
      resume() {},
      end() {},
      destroy() {},
    };
  }

  async play(): Promise<void> {
    const transactions = new Transactions(new MemoryStore(), (error) => {
      throw error;
    });
    const directory = new FixpDirectory({ transactions, clock: this.#clock });
    const session = await directory.add({
      settings: fixpSettings({
        role: 'acceptor',
        principal: 'DELTA',
        users: [signer.username],
        applicationSchemas: new Set([this.#orders.id]),
      }),
      application: {
        onMessage: (message, seq, of, now) => this.#order(message, seq, of, now),
      },
      authenticate: signatureAuthenticator([signer]),
    });
    const negotiate = this.#signed('Negotiate', { ClientFlow: 'Idempotent' });
    if (!directory.attach(session, this.#link, this.#admitted(directory, negotiate))) {
      throw new Error('the session was not attached');
    }
    await settled();
    const establish = { KeepaliveInterval: 10_000, NextSeqNo: 1 };
    await this.#say(this.#signed('Establish', establish));
    await this.#say(encodeMessage(this.#orders, { message: 'NewOrderSingle', fields: newOrder }));
    const again = { Timestamp: String(this.#timestamp()), FromSeqNo: 2, Count: 1 };
    await this.#say(this.#ofSession('RetransmitRequest', again));
    const code = { Code: 'Finished', Reason: '' };
    await this.#say(this.#ofSession('Terminate', code));
  }

  /** What is signed for the first request, for the worked vector. */
  get firstTimestampNs(): bigint {
    return BigInt(new ManualClock().now().wallMs) * 1_000_000n;
  }

  #admitted(directory: FixpDirectory, message: Uint8Array): Buffer {
    const bytes = framed(message, 'big');
    this.said.push({ by: 'client', bytes });
    const admission = directory.admit(bytes, this.#link.peer, this.#clock.now());
    if (admission.kind !== 'admit') throw new Error(`Negotiate: ${admission.kind}`);
    return bytes;
  }

  async #say(message: Uint8Array): Promise<void> {
    const bytes = framed(message, 'big');
    this.said.push({ by: 'client', bytes });
    this.#listener?.data(bytes);
    await settled();
  }

  #heard(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const end = at + bytes.readUInt32BE(at);
      this.said.push({ by: 'bridge', bytes: bytes.subarray(at, end) });
      at = end;
    }
  }

  #timestamp(): bigint {
    const nowNs = this.firstTimestampNs;
    this.#lastNs = nowNs > this.#lastNs ? nowNs : this.#lastNs + 1n;
    return this.#lastNs;
  }

  #signed(request: 'Negotiate' | 'Establish', fields: JsonObject): Uint8Array {
    const { secret, sessionId, username } = signer;
    const timestampNs = this.#timestamp();
    const signature = signatureOf(secret, [request, sessionId, String(timestampNs)]);
    const credentials = Buffer.from(writeCredentials({ username, signature })).toString('hex');
    const stamped = { Timestamp: String(timestampNs), Credentials: credentials };
    return this.#ofSession(request, { ...fields, ...stamped });
  }

  #ofSession(message: string, fields: JsonObject): Uint8Array {
    const id = { SessionId: [...Buffer.from(signer.sessionId, 'hex')] };
    return encodeMessage(this.#fixp, { message, fields: { ...id, ...fields } });
  }

  /** The order as the bridge understands it, taken by a venue that fills half of it. */
  #order(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void {
    const request = takeRequest(message);
    if (typeof request === 'string') throw new Error(request);
    const command = request.read({ session: session.name, seq });
    if (isDenial(command) || command.kind !== 'new_order') throw new Error('not an order');
    const [instrument] = instrumentsOf(market);
    if (instrument === undefined) throw new Error('no instrument');
    const owner = {
      session: session.name,
      account,
      accountName: 'desk-a',
      tag: 'desk-a',
      key: 'desk-a#1',
      quoteId: null,
    };
    const taken = terms({
      qty: command.terms.qty?.mantissa as Qty,
      price: command.terms.price?.mantissa as Price,
    });
    const { wallMs: nowMs } = now;
    let order = createOrder(owner, command.clOrdId, instrument, taken, nowMs);
    const step = (input: OrderInput) => {
      const { order: next, reports } = transition(order, input, fullRules);
      order = next;
      for (const report of reports)
        session.send(writeReport(Buffer.alloc(4_096), report, settings), now);
    };
    const event = (more: object) =>
      ({
        kind: 'event',
        event: { ...silentEvent, orderId, engineTsMs: nowMs, ...more },
      }) as OrderInput;
    step({
      kind: 'sent',
      requestId: 'new',
      venueRef: '0x01',
      orderId,
      nowMs,
    });
    step(event({ kind: 'resting', seq: 1 }));
    const fill: Fill = {
      fillId: 'f1',
      price: 50_000_000_000n as Price,
      qty: 500_000n as Qty,
      feeMicro: 25_000n as FeeMicro,
      liquidity: 'maker',
      tsMs: nowMs,
    };
    step(event({ kind: 'fill', seq: 2, fill, status: 'partially_filled' }));
  }
}

const newOrder: JsonObject = {
  ClOrdID: 'my-1',
  TransactTime: String(new ManualClock().now().wallMs),
  Flags: [],
  Instrument: { MarketId: 1, Book: 'Unset' },
  Terms: {
    Side: 'Buy',
    OrdType: 'Limit',
    TimeInForce: 'GoodTillCancel',
    StpMode: 'Unset',
    Flags: [],
    TriggerDirection: 'Unset',
    ConditionalKind: 'Unset',
    AlgoKind: 'Unset',
    PriceExponent: -6,
    QtyExponent: -8,
    OrderQty: 1_000_000,
    Price: 50_000_000_000,
    Currency: '',
  },
  Account: 'desk-a',
  Symbol: '',
};

/** The store answers within a few turns of the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
}
