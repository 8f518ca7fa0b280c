/**
 * The venue client against the sandbox under faults drawn from a seed: answers lost before and after the order was
 * applied, actions applied after their sender has given up, connections cut at any byte, dropped actions, slow answers,
 * frames lost, late, doubled and reordered, a stream that stalls. In the end: what was accepted stands once in the
 * venue's ledger, what was refused not at all, each submission had one outcome, and the stream delivered the venue's own
 * list of events, in order (contract R46, R66, R73).
 */
import type { StreamEvent } from '../../src/domain/event.ts';
import type { PlaceIntent } from '../../src/domain/intent.ts';
import type { MarketId, OrderId, Price, Qty } from '../../src/domain/units.ts';
import type { OutboxLine, Settled } from '../support/outbox-line.ts';
import { openVenueHalf, type VenueHalf } from '../support/venue-half.ts';
import { until } from '../support/waits.ts';
import type { LongRun } from './main.ts';

const atOnce = 24;

/** Numbers below `below`, from the seed (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export async function run({ short, seed }: LongRun): Promise<string> {
  const half = await openVenueHalf(seed);
  const draw = randomOf(seed);
  const events: StreamEvent[] = [];
  const line = await half.line();
  const stream = half.stream(0, {
    deliver: async (batch) => {
      events.push(...batch);
    },
    state: () => {},
    numbered: () => {},
    rebuild: async () => {},
    problem: () => {},
    unanswered: () => {},
  });
  stream.start();
  try {
    await armFaults(half, draw);
    const settled = await submitAll(line, short ? 400 : 20_000, draw);
    await half.admin('/faults', {}, 'DELETE');
    half.venue.release();
    const last = await half.reads.gapFill(half.account, 1);
    await until(() => stream.lastSeq === last.lastSeq && events.at(-1)?.seq === last.lastSeq);
    return check(settled, events);
  } finally {
    await stream.stop();
    await half.stop();
  }
}

async function armFaults(half: VenueHalf, draw: (below: number) => number): Promise<void> {
  const often = { path: '/trading/actions', times: null, perMille: 40 };
  for (const status of [500, 503]) {
    await half.admin('/faults', { ...often, kind: 'fail_before', status });
    await half.admin('/faults', { ...often, kind: 'fail_after', status });
  }
  await half.admin('/faults', { ...often, kind: 'drop' });
  await half.admin('/faults', { ...often, kind: 'cut_before' });
  for (let count = 0; count < 8; count += 1) {
    const rule = { ...often, kind: 'cut_after', atByte: draw(600), perMille: 10 };
    await half.admin('/faults', rule);
  }
  await half.admin('/faults', { ...often, kind: 'slow', delayMs: 1500, perMille: 2 });
  for (const kind of ['hold', 'hold_fail', 'hold_cut']) {
    await half.admin('/faults', { ...often, kind, delayMs: draw(2_000), perMille: 5 });
  }
  await half.admin('/faults', { kind: 'frame_stall', times: null, perMille: 5, delayMs: 400 });
  for (const kind of ['frame_drop', 'frame_delay', 'frame_double', 'frame_reorder']) {
    await half.admin('/faults', { kind, times: null, perMille: 30, delayMs: 40 });
  }
}

interface Submitted extends Omit<Settled, 'orderId'> {
  readonly isPlacement: boolean;
  readonly orderId: OrderId;
}

async function submitAll(
  line: OutboxLine,
  count: number,
  draw: (below: number) => number,
): Promise<Submitted[]> {
  const open: OrderId[] = [];
  const settled: Submitted[] = [];
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const target = draw(4) === 0 || open.length > 100 ? open.shift() : undefined;
      const one = await submitOne(line, target, draw);
      settled.push(one);
      if (one.isPlacement && one.outcome.kind === 'accepted') open.push(one.orderId);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return settled;
}

async function submitOne(
  line: OutboxLine,
  target: OrderId | undefined,
  draw: (below: number) => number,
): Promise<Submitted> {
  const isPlacement = target === undefined;
  const settled = await line.submit(
    isPlacement ? orderAt(draw) : { kind: 'cancel', target: 'order', orderId: target },
  );
  const orderId = target ?? settled.orderId;
  if (orderId === null) throw new Error('an order was never made ready');
  return { ...settled, orderId, isPlacement };
}

/** Far from each other and below the market, so that all rest. */
function orderAt(draw: (below: number) => number): PlaceIntent {
  return {
    kind: 'place',
    market: 1 as MarketId,
    book: null,
    side: 'Bid',
    price: (1_000_000_000n + BigInt(draw(100_000)) * 10_000n) as Price,
    qty: 100_000n as Qty,
    stp: 'cancel_taker',
    timeInForce: 'gtc',
    isMarket: false,
    reduceOnly: false,
    expiresAtMs: null,
  };
}

function check(settled: readonly Submitted[], events: readonly StreamEvent[]): string {
  events.forEach(({ seq }, index) => {
    if (seq !== index + 1) throw new Error(`event ${index + 1} has seq ${seq}`);
  });
  const tally = { accepted: 0, adopted: 0, refused: 0 };
  for (const { isPlacement, orderId, outcome, wasUnknown } of settled) {
    const seen = (kind: string) =>
      events.filter((event) => event.kind === kind && event.orderId === orderId).length;
    const times = seen(isPlacement ? 'resting' : 'canceled');
    const expected = outcome.kind === 'accepted' ? 1 : 0;
    // A cancel that was refused may have been refused because another had done it.
    if (times !== expected && (isPlacement || outcome.kind === 'accepted')) {
      throw new Error(`${orderId} was ${outcome.kind}, but the stream shows it ${times} times`);
    }
    tally[outcome.kind] += 1;
    if (outcome.kind === 'accepted' && wasUnknown) tally.adopted += 1;
  }
  const { accepted, adopted, refused } = tally;
  if (adopted === 0) throw new Error('no answer was lost: the faults do not work');
  return `${accepted} accepted (${adopted} after a lost answer), ${refused} refused, ${events.length} events`;
}
