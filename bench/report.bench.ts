/**
 * What the domain and the mapping cost: an event of the stream to the bytes of its ExecutionReport, and a
 * NewOrderSingle to the intent, each against a bare loop that parses and writes the same fields and knows nothing.
 */
import { admit } from '../src/domain/admission.ts';
import { isDenial } from '../src/domain/denial.ts';
import type { StreamEvent } from '../src/domain/event.ts';
import { InstrumentList, type Market } from '../src/domain/instrument.ts';
import { createOrder, type Order, type OrderRules } from '../src/domain/order.ts';
import { entryIntent, type Terms } from '../src/domain/terms.ts';
import { transition } from '../src/domain/transition.ts';
import {
  type Account,
  type FeeMicro,
  type MarketId,
  maxSafeAtoms,
  type OrderId,
  type Price,
  type Qty,
} from '../src/domain/units.ts';
import { Decoder } from '../src/fix/decoder.ts';
import { causeway44 } from '../src/fix/dictionaries.ts';
import { FieldWriter } from '../src/fix/field-writer.ts';
import { Framer } from '../src/fix/framer.ts';
import { readCommand } from '../src/mapping/fix/read-command.ts';
import { type ReportSettings, writeReport } from '../src/mapping/fix/report-message.ts';
import { defaultTags } from '../test/support/default-tags.ts';
import type { Row } from './main.ts';

const nowMs = Date.UTC(2026, 0, 5, 12);
const account = `0x${'11'.repeat(20)}` as Account;
const orderId = `0x${'ab'.repeat(32)}` as OrderId;
const market: Market = {
  marketId: 1 as MarketId,
  kind: 'spot',
  symbol: 'BTC-USDC',
  base: 'BTC',
  quote: 'USDC',
  status: 'open',
  priceScale: 6,
  qtyScale: 8,
  tick: 10_000n as Price,
  lot: 1000n as Qty,
  minNotional: 1_000_000n as Price,
  maxQty: 100_000_000_000n as Qty,
  expiryMs: null,
};
const instruments = new InstrumentList([market]);
const instrument = instruments.of(market.marketId, null);
const rules: OrderRules = {
  amendQty: 'total',
  strictPriority: false,
  pendingStates: true,
  iocRemainder: 'canceled',
  terminalWaitMs: 1000,
};
const settings: ReportSettings = { tags: defaultTags, feeCurrency: 'USDC' };
const header = { senderCompId: 'CAUSEWAY', targetCompId: 'CLIENT' };

const wire = JSON.stringify({
  seq: 7,
  prevSeq: 6,
  kind: 'fill',
  account,
  market: 1,
  book: null,
  orderId,
  parentOrderId: null,
  legIndex: null,
  clientOrderId: 'ORD-1',
  nonce: 9,
  actionHash: `0x${'cd'.repeat(32)}`,
  side: 'Bid',
  price: 50_000_250_000,
  qty: 150_000_000,
  filledQty: 50_000_000,
  leavesQty: 100_000_000,
  status: 'partially_filled',
  reason: null,
  fill: {
    fillId: 'f1',
    price: 50_000_000_000,
    qty: 50_000_000,
    feeMicro: 12_500_000,
    liquidity: 'taker',
    tsMs: nowMs,
  },
  nonceConsumed: true,
  engineTsMs: nowMs,
  serverTsMs: nowMs,
});

interface WireEvent
  extends Omit<StreamEvent, 'fill' | 'price' | 'qty' | 'filledQty' | 'leavesQty'> {
  readonly fill: { readonly price: number; readonly qty: number; readonly feeMicro: number };
}

function liveOrder(): Order {
  if (instrument === undefined) throw new Error('no instrument');
  const terms: Terms = {
    side: 'Bid',
    ordType: 'limit',
    lifetime: 'gtc',
    qty: 150_000_000n as Qty,
    price: 50_000_250_000n as Price,
    limitPrice: 50_000_250_000n as Price,
    timeInForce: 'gtc',
    expiresAtMs: null,
    cancelAtMs: null,
    isMarket: false,
    reduceOnly: false,
    stp: 'cancel_taker',
    strategy: null,
    trigger: null,
  };
  const owner = { session: 'S', account, accountName: 'desk', tag: 'A1', key: 'o1', quoteId: null };
  const order = createOrder(owner, 'ORD-1', instrument, terms, nowMs);
  return { ...order, phase: 'live', orderId, submission: 'answered' };
}

/** The median cost of a call in µs, over batches. */
function median(call: () => void): number {
  const costs: number[] = [];
  for (let batch = 0; batch < 60; batch++) {
    const start = performance.now();
    for (let i = 0; i < 1000; i++) call();
    costs.push(performance.now() - start);
  }
  return costs.sort((a, b) => a - b)[30] ?? 0;
}

function eventToReport(): Row {
  const order = liveOrder();
  const out = new FieldWriter();
  const framer = new Framer(header);
  const ours = () => {
    const parsed = JSON.parse(wire) as WireEvent;
    const { fill } = parsed;
    const event = {
      ...parsed,
      fill: {
        ...fill,
        price: BigInt(fill.price) as Price,
        qty: BigInt(fill.qty) as Qty,
        feeMicro: BigInt(fill.feeMicro) as FeeMicro,
      },
    } as unknown as StreamEvent;
    const [report] = transition(order, { kind: 'event', event }, rules).reports;
    if (report === undefined) throw new Error('nothing reported');
    framer.clear();
    framer.frame(writeReport(out.clear(), report, settings), 5, nowMs, out.bytes);
  };
  const bare = () => {
    const { fill } = JSON.parse(wire) as WireEvent;
    out.clear().text(37, orderId).text(11, 'ORD-1').text(17, 'A1-7-0').char(150, 'F').char(39, '1');
    out.text(1, 'desk').text(55, 'BTC-USDC').text(48, '1').char(22, '8').char(54, '1');
    out.decimal(38, 150_000_000n, 8).char(40, '2').decimal(44, 50_000_250_000n, 6).text(15, 'USDC');
    out.char(59, '1').decimal(32, BigInt(fill.qty), 8).decimal(31, BigInt(fill.price), 6);
    out.decimal(151, 100_000_000n, 8).decimal(14, 50_000_000n, 8).decimal(6, 5_000_000_000_000n, 8);
    out.utc(60, nowMs).int(851, 2).int(136, 1).decimal(137, BigInt(fill.feeMicro), 6);
    out.text(138, 'USDC').char(139, '4').char(891, '0').text(9104, 'cancel_taker').int(9110, 7);
    framer.clear();
    framer.frame('8', 5, nowMs, out.bytes);
  };
  return compare('event to ExecutionReport bytes', ours, bare, 1.5);
}

function orderToIntent(): Row {
  const body = `11=ORD-1|1=desk|55=BTC-USDC|54=1|60=20260105-12:00:00|38=1.5|40=2|44=50000.25|59=1|`;
  const framer = new Framer({ senderCompId: 'CLIENT', targetCompId: 'C' });
  const bytes = framer.frame('D', 5, nowMs, Buffer.from(body.replaceAll('|', '\x01'))).slice();
  const decoder = new Decoder(causeway44());
  const read = {
    session: 'S',
    tags: defaultTags,
    putOrCallAsBook: false,
    clientFields: 'echo' as const,
    quoteResponse: 'none' as const,
  };
  const admission = {
    dayOrders: 'gtc',
    defaultStp: 'cancel_taker',
    acceptMarketPrice: false,
    marketOrders: true,
    goodTillDate: true,
    expiryStepMs: 1,
    collarBps: 500,
    conditionals: new Set<string>(),
    algos: new Set<'twap'>(),
    localChecks: true,
    maxAtoms: maxSafeAtoms,
  } as const;
  const moment = { nowMs, bestBid: null, bestAsk: null };
  const next = () => {
    decoder.push(bytes);
    if (decoder.next() !== 'message') throw new Error(decoder.reason);
    decoder.next();
  };
  const ours = () => {
    decoder.push(bytes);
    if (decoder.next() !== 'message') throw new Error(decoder.reason);
    const command = readCommand(decoder.message, read);
    if (isDenial(command) || command.kind !== 'new_order') throw new Error('not an order');
    const found = instruments.resolve(command.instrument);
    if (isDenial(found)) throw new Error(found.refusal.name);
    const terms = admit(command.terms, found, admission, moment);
    if (isDenial(terms)) throw new Error(terms.refusal.name);
    entryIntent(terms, found);
    decoder.next();
  };
  return compare('NewOrderSingle bytes to intent (bare: decode alone)', ours, next);
}

function compare(name: string, ours: () => void, bare: () => void, demand?: number): Row {
  for (let i = 0; i < 20_000; i++) {
    ours();
    bare();
  }
  const [cost, floor] = [median(ours), median(bare)];
  const value = `${cost.toFixed(2)} µs, bare ${floor.toFixed(2)} µs`;
  const row = { name, value, ratio: cost / floor, atLeast: false };
  return demand === undefined ? row : { ...row, demand };
}

export async function run(): Promise<Row[]> {
  return [eventToReport(), orderToIntent()];
}
