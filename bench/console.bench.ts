/**
 * What watching costs the hot path: the hops of an order, always on, may cost 2 µs; the trail, which only a console
 * turns on, is copies of what passes. And what a search costs whoever trades meanwhile: the longest turn of it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Trail } from '../src/console/trail.ts';
import type { Order } from '../src/domain/order.ts';
import { Hops } from '../src/gateway/account/hops.ts';
import { matcherOf } from '../src/gateway/view/order-search.ts';
import { OrderWalk } from '../src/gateway/view/order-walk.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { Latency, nowUs } from '../src/runtime/latency.ts';
import type { Row } from './main.ts';

const orders = 20_000;
const rounds = 25;
const demandUs = 2;
const searches = 9;
const maxTurnMs = 5;

export async function run(): Promise<Row[]> {
  // The best round: whatever else runs on the machine only ever adds to it.
  const hopsUs = Math.min(...Array.from({ length: rounds }, () => measured(hopsOfOrders)));
  const { dropped, threadUs, trailUs } = await trailOfOrders(20_000);
  const { searchMs, turnMs } = await searchIn(100_000);
  return [
    {
      name: 'the hops of an order, measured (share of 2 µs)',
      value: `${hopsUs.toFixed(2)} µs`,
      ratio: hopsUs / demandUs,
      demand: 1,
      atLeast: false,
    },
    {
      name: 'the trail of an order on the main thread (in hops)',
      value: `${trailUs.toFixed(1)} µs`,
      ratio: trailUs / hopsUs,
    },
    {
      name: 'the trail of an order on its own thread (in hops)',
      value: `${threadUs.toFixed(0)} µs, ${dropped} dropped`,
      ratio: threadUs / hopsUs,
    },
    {
      name: 'the longest turn of a search for text in 100,000 orders (share of 5 ms)',
      value: `${turnMs.toFixed(2)} of ${searchMs.toFixed(0)} ms`,
      ratio: turnMs / maxTurnMs,
      demand: 1,
      atLeast: false,
    },
  ];
}

/** Every clock reading and observation that an order with three reports causes. */
function hopsOfOrders(): void {
  const hops = new Hops();
  const commits = new Latency();
  for (let order = 0; order < orders; order += 1) {
    // Its own turn, the answer's and two of the stream: begin, commit asked, commit done.
    for (let turn = 0; turn < 4; turn += 1) {
      nowUs();
      commits.observe(nowUs() - nowUs());
    }
    // The host hears and has answered.
    nowUs();
    const startedUs = nowUs();
    hops.command.observe(nowUs() - startedUs);
    const recordedUs = nowUs();
    hops.record.observe(recordedUs - startedUs);
    const signedUs = nowUs();
    hops.sign.observe(signedUs - recordedUs);
    const sentUs = nowUs();
    hops.send.observe(sentUs - signedUs);
    hops.inbound.observe(sentUs - startedUs);
    hops.answer.observe(nowUs() - nowUs());
    for (let event = 0; event < 2; event += 1) hops.report.observe(nowUs() - startedUs);
  }
}

function measured(call: () => void): number {
  const startUs = nowUs();
  call();
  return (nowUs() - startUs) / orders;
}

/** A message in, three out, four records of the desk, a request and its answer. */
async function trailOfOrders(count: number) {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-bench-'));
  const trail = new Trail({
    directory,
    maxRecords: 10_000_000,
    maxWaitingBytes: 1024 ** 3,
    clock: systemClock,
    alarm: (text) => process.stderr.write(`${text}\n`),
  });
  const account = `0x${'1'.repeat(40)}`;
  const fields = `35=8\x0134=1\x0111=order-1\x0137=0x${'a'.repeat(64)}\x01${'58=x\x01'.repeat(30)}`;
  const message = Buffer.from(`8=FIX.4.4\x019=${fields.length}\x01${fields}10=000\x01`);
  const record = Buffer.from(JSON.stringify({ key: 'A:order-1', text: 'x'.repeat(500) }));
  const body = `{"payload":{"account":"${account}","nonce":1,"text":"${'x'.repeat(500)}"}}`;
  const request = { method: 'POST', target: '/a', body, headers: ['k', 'ab'] } as const;
  const answer = { kind: 'response', status: 200, headers: {}, body: 'x'.repeat(300) } as const;
  const startUs = nowUs();
  for (let order = 0; order < count; order += 1) {
    trail.bytes('S', 'in', message);
    for (let report = 0; report < 3; report += 1) trail.bytes('S', 'out', message);
    for (let step = 0; step < 4; step += 1) trail.recorded(account, record, []);
    trail.requested(account, request);
    trail.answered(account, request, answer);
  }
  const trailUs = (nowUs() - startUs) / count;
  await trail.flush();
  const threadUs = (nowUs() - startUs) / count;
  const { dropped } = trail;
  await trail.close();
  rmSync(directory, { recursive: true, force: true });
  return { trailUs, threadUs, dropped };
}

/** Of several searches the middle one. */
async function searchIn(count: number) {
  const all = Array.from({ length: count }, (_, at) => searched(`order-${at}`));
  const walk = new OrderWalk();
  const found: { searchMs: number; turnMs: number }[] = [];
  for (let search = 0; search < searches; search += 1) {
    const isWanted = matcherOf({ text: 'none of these', limit: 100 });
    let isOver = false;
    const startMs = performance.now();
    const looking = walk.each({ all: () => all.values() }, isWanted).then(() => {
      isOver = true;
    });
    let turnMs = 0;
    for (let lastMs = processorMs(); !isOver; ) {
      await setImmediate();
      const nowMs = processorMs();
      turnMs = Math.max(turnMs, nowMs - lastMs);
      lastMs = nowMs;
    }
    await looking;
    found.push({ searchMs: performance.now() - startMs, turnMs });
  }
  const [middle] = found.sort((a, b) => a.turnMs - b.turnMs).slice(Math.floor(searches / 2));
  return middle ?? { searchMs: 0, turnMs: 0 };
}

/** Of this thread: what else runs on the machine is no part of it. */
function processorMs(): number {
  const { system, user } = process.threadCpuUsage();
  return (system + user) / 1_000;
}

/** An order with all that a search reads. */
function searched(clOrdId: string): Order {
  const owner = { session: 'ALPHA', accountName: 'desk-a', key: `ALPHA:${clOrdId}`, quoteId: null };
  const orderId = `0x${'a'.repeat(64)}`;
  const instrument = { symbol: 'BTC-USDC' };
  return { owner, clOrdId, orderId, instrument, modTimeMs: 1, phase: 'live' } as unknown as Order;
}
