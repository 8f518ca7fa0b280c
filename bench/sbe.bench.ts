/**
 * The SBE codec on one order: the worked NewOrderSingle of the standard, and that of dictionaries/orders.xml. Beside
 * the generated classes stand the form that one writes by hand first (a DataView a message, BigInt) and the generic codec.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NewOrderSingle as OwnOrder } from '../src/mapping/sbe/generated/new-order-single.ts';
import { decodeMessage } from '../src/sbe/generic-decoder.ts';
import { encodeMessage } from '../src/sbe/generic-encoder.ts';
import { readSchema } from '../src/sbe/schema.ts';
import { NewOrderSingle } from '../test/sbe/standard/new-order-single.ts';
import type { Row } from './main.ts';

const rounds = 300;
const never = Number.POSITIVE_INFINITY;
const places = 256;
const space = 256;
const pool = Buffer.alloc(places * space);
const ownPool = Buffer.alloc(places * space);
const clOrdId = Buffer.from('ORD00001');
const account = Buffer.from('ACCT01\0\0');
const symbol = Buffer.from('GEM4\0\0\0\0');
const longId = Buffer.from('6f1f2f34-7a52-4a1e-9d52-0b1f7f6a2f01');
const market = Buffer.from('BTC-USDC');
const sentAtHigh = 355_085_000;
const vectors = join(import.meta.dirname, '../test/vectors/sbe/standard-examples.xml');

type Run = (at: number, index: number) => number;

/**
 * Nanoseconds of one call of each, in the best of many short rounds in which they take turns: so a noisy neighbour
 * counts for little, and for all the same.
 */
function bestOf<Name extends string>(calls: number, runs: Record<Name, Run>): Record<Name, number> {
  const names = Object.keys(runs) as Name[];
  const bestNs = Object.fromEntries(names.map((name) => [name, never])) as Record<Name, number>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) bestNs[name] = Math.min(bestNs[name], timeOf(calls, runs[name]));
  }
  return bestNs;
}

function timeOf(calls: number, run: Run): number {
  let seen = 0;
  const start = performance.now();
  for (let index = 0; index < calls; index += 1) seen += run((index % places) * space, index);
  const ns = ((performance.now() - start) * 1e6) / calls;
  if (seen === 0) throw new Error('nothing was read or written');
  return ns;
}

const order = new NewOrderSingle();

function encodeGenerated(at: number, index: number): number {
  return order
    .encode(pool, at)
    .setClOrdIdBytes(clOrdId)
    .setAccountBytes(account)
    .setSymbolBytes(symbol)
    .setSide(49)
    .setTransactTimeHalves(sentAtHigh, index)
    .setOrderQtyMantissa(index)
    .setOrdType(50)
    .setPriceMantissa(99_610 + index)
    .setStopPxMantissa(undefined).length;
}

function decodeGenerated(at: number): number {
  if (order.wrap(pool, at, at + 62) !== undefined) return 0;
  const { side, transactTimeHigh, transactTimeLow, orderQtyMantissa, ordType } = order;
  const { priceMantissa = 0, stopPxMantissa = 0 } = order;
  return (
    side +
    transactTimeHigh +
    transactTimeLow +
    orderQtyMantissa +
    ordType +
    priceMantissa +
    stopPxMantissa
  );
}

function decodeWithText(at: number): number {
  return decodeGenerated(at) + order.clOrdId.length + order.account.length + order.symbol.length;
}

const nullMantissa = -(2n ** 63n);

function encodeBigInt(at: number, index: number): number {
  const view = new DataView(pool.buffer, pool.byteOffset + at, 62);
  view.setUint16(0, 54, true);
  view.setUint16(2, 99, true);
  view.setUint16(4, 91, true);
  view.setUint16(6, 0, true);
  pool.set(clOrdId, at + 8);
  pool.set(account, at + 16);
  pool.set(symbol, at + 24);
  view.setUint8(32, 49);
  view.setBigUint64(33, BigInt(sentAtHigh) * 4_294_967_296n + BigInt(index), true);
  view.setInt32(41, index, true);
  view.setUint8(45, 50);
  view.setBigInt64(46, BigInt(99_610 + index), true);
  view.setBigInt64(54, nullMantissa, true);
  return view.byteLength;
}

function decodeBigInt(at: number): number {
  const view = new DataView(pool.buffer, pool.byteOffset + at, 62);
  if (view.getUint16(2, true) !== 99 || view.getUint16(4, true) !== 91) return 0;
  const transactTime = view.getBigUint64(33, true);
  const price = view.getBigInt64(46, true);
  const stopPx = view.getBigInt64(54, true);
  const sum = transactTime + price + (stopPx === nullMantissa ? 0n : stopPx);
  return view.getUint8(32) + view.getInt32(41, true) + view.getUint8(45) + Number(sum);
}

const own = new OwnOrder();

function encodeOwn(at: number, index: number): number {
  return own
    .encode(ownPool, at)
    .setClOrdIdBytes(longId)
    .setTransactTime(1_763_700_000_000 + index)
    .setInstrumentMarketId(7)
    .setTermsOrderQty(index)
    .setTermsPrice(50_000_000 + index)
    .setAccountBytes(account)
    .setSymbolBytes(market).length;
}

function decodeOwn(at: number): number {
  if (own.wrap(ownPool, at, at + space) !== undefined) return 0;
  return own.transactTime + (own.termsOrderQty ?? 0) + (own.termsPrice ?? 0);
}

export function run(): Promise<Row[]> {
  const schema = readSchema(readFileSync(vectors, 'utf8'));
  encodeGenerated(0, 7);
  const message = decodeMessage(schema, pool, 0, 62);
  if (typeof message === 'string') throw new Error(message);
  const best = bestOf(10_000, {
    encode: encodeGenerated,
    decode: decodeGenerated,
    decodeText: decodeWithText,
    encodeBigInt,
    decodeBigInt,
    encodeOwn,
    decodeOwn,
  });
  const generic = bestOf(100, {
    encode: () => encodeMessage(schema, message).length,
    decode: () => (decodeMessage(schema, pool, 0, 62) as { length: number }).length,
  });
  const ns = (value: number) => `${value.toFixed(1)} ns`;
  return Promise.resolve([
    {
      name: 'order of the standard, encode',
      value: ns(best.encode),
      ratio: best.encode,
      demand: 60,
      atLeast: false,
    },
    {
      name: 'the same, decode with text as bytes',
      value: ns(best.decode),
      ratio: best.decode,
      demand: 20,
      atLeast: false,
    },
    { name: 'the same, decode with text as strings', value: ns(best.decodeText) },
    {
      name: 'a DataView a message and BigInt by hand, encode',
      value: ns(best.encodeBigInt),
      ratio: best.encodeBigInt / best.encode,
      demand: 3,
    },
    {
      name: 'a DataView a message and BigInt by hand, decode',
      value: ns(best.decodeBigInt),
      ratio: best.decodeBigInt / best.decode,
      demand: 3,
    },
    {
      name: 'generic codec, encode',
      value: ns(generic.encode),
      ratio: generic.encode / best.encode,
    },
    {
      name: 'generic codec, decode',
      value: ns(generic.decode),
      ratio: generic.decode / best.decode,
    },
    { name: 'order of orders.xml with two names, encode', value: ns(best.encodeOwn) },
    { name: 'the same, decode with text as bytes', value: ns(best.decodeOwn) },
  ]);
}
