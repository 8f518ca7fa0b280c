/** What the venue's stream may say about an order can be told on every path: to clients, readers, operators, files. */
import { expect, test } from 'vitest';
import { adoptedOrder } from '../../../src/domain/adopt.ts';
import { eventKinds } from '../../../src/domain/event.ts';
import { exactJson } from '../../../src/domain/exact-json.ts';
import { type Instrument, instrumentsOf } from '../../../src/domain/instrument.ts';
import type { Order } from '../../../src/domain/order.ts';
import type { Report } from '../../../src/domain/report.ts';
import type { Price, Qty } from '../../../src/domain/units.ts';
import { type CopyFacts, decodeCopy, encodeCopy } from '../../../src/dropcopy/copy.ts';
import { CopyText } from '../../../src/dropcopy/copy-text.ts';
import { counted, noTotals } from '../../../src/dropcopy/copy-totals.ts';
import { writeTrade } from '../../../src/dropcopy/sbe-copy-messages.ts';
import { decodeRecord, encodeRecord } from '../../../src/engine/record.ts';
import { orderRow } from '../../../src/gateway/view/order-row.ts';
import { writeReport as writeFix } from '../../../src/mapping/fix/report-message.ts';
import { writeReport as writeSbe } from '../../../src/mapping/sbe/report-message.ts';
import { EventReader } from '../../../src/venue/event-reader.ts';
import { inputForm } from '../../../src/venue/outbox/input-form.ts';
import { denialOf } from '../../../src/venue/refusals.ts';
import type { VenueEvent } from '../../../src/venue/venue-event.ts';
import { Ladder, spot, terms } from '../../domain/ladder.ts';
import { settings } from '../../mapping/fix/wire.ts';
import { sandbox, wireEvent } from '../../venue/samples.ts';
import { legalMarkets, legalValues } from './legal-values.ts';
import { decoded, failuresOf, out, told } from './told.ts';

const from = { session: 'S', compId: 'ALPHA', users: ['trader'] };
const text = new CopyText(settings);

/** Each path takes the report, and throws if it cannot. */
const paths: Readonly<Record<string, (report: Report) => void>> = {
  'FIX report': (report) => {
    told((writer) => writeFix(writer, report, settings));
  },
  'SBE report': (report) => {
    decoded(writeSbe(out, report, settings));
  },
  copy: (report) => {
    if (report.kind !== 'execution') return;
    const facts: CopyFacts = { kind: 'report', report, from };
    const encoded = Buffer.from(encodeCopy(facts, 1, 1));
    const copy = decodeCopy(encoded, 1, 'copies');
    if (copy.kind !== 'report') throw new Error('another kind');
    const { from: sender, kind, report: read } = copy;
    if (!encoded.equals(encodeCopy({ kind, report: read, from: sender }, 1, 1)))
      throw new Error('another copy');
    const message = {
      kind: 'trade',
      copy,
      possResend: true,
      tradeRequestId: 'T',
      isLast: null,
    } as const;
    told((writer) => {
      const { body, msgType } = text.write({ kind: 'report', copy, possResend: false, reqId: 'r' });
      writer.raw(body);
      return msgType;
    });
    counted(noTotals, copy.report, text.facts(copy));
    if (report.execType !== 'trade') return;
    told((writer) => {
      const { body, msgType } = text.write(message);
      writer.raw(body);
      return msgType;
    });
    decoded(writeTrade(out, message));
  },
  'console row': ({ order }) => {
    JSON.stringify(orderRow(order));
  },
};

/** Most events cause the same reports in several states, and telling a report takes a hundred times as long. */
const alreadyTold = new Set<string>();

function untold(what: string, reports: readonly Report[]): string[] {
  return reports.flatMap((report) => {
    const key = exactJson(report);
    if (alreadyTold.has(key)) return [];
    alreadyTold.add(key);
    const type = report.kind === 'execution' ? report.execType : report.kind;
    const tell = Object.entries(paths).map(([path, to]) => [path, () => to(report)] as const);
    return failuresOf(`of ${type}, ${what}`, Object.fromEntries(tell));
  });
}

const reader = new EventReader(sandbox.stream);
const [instrument] = instrumentsOf(spot) as [Instrument];
const whole = {
  clientOrderId: 'C-1',
  side: 'Bid',
  price: 10,
  qty: 5,
  filledQty: 1,
  leavesQty: 4,
  status: 'resting',
  nonce: 3,
  legIndex: 0,
  reason: { code: 'x', number: 104, text: 'y' },
  nonceConsumed: true,
  fill: { fillId: 'f', price: 10, qty: 1, feeMicro: 1, liquidity: 'maker', tsMs: 1 },
};
const pointers = {
  ...sandbox.stream.event,
  ...Object.fromEntries(
    Object.entries(sandbox.stream.fill).map(([name, at]) => [
      `fill.${name}`,
      `${sandbox.stream.event.fill}${at}`,
    ]),
  ),
};
const events = eventKinds.flatMap((kind) =>
  legalValues(wireEvent(2, { ...whole, kind: sandbox.stream.kinds[kind] }), pointers, (wire) =>
    reader.read(wire),
  ).map(({ what, value }) => ({ what: `${kind} ${what}`, event: value })),
);

/** Orders in the states in which an event may find them. */
const orders: Readonly<Record<string, () => Ladder>> = {
  sent: () => {
    const order = new Ladder(terms({ qty: 5n as Qty }), {}, null, instrument);
    order.sent();
    return order;
  },
  filledPartly: () => {
    const order = Ladder.live(5);
    order.fill(2);
    return order;
  },
  replacing: () => {
    const order = Ladder.live(5);
    order.replace('r', 6, 11);
    order.requestSent('r', 'v2');
    return order;
  },
  ended: () => {
    const order = Ladder.live(5);
    order.event('canceled');
    return order;
  },
};

/** The reports that an event causes for an order, whether it names the order, a child, or another one. */
function reportsOf(order: Ladder, event: VenueEvent): readonly Report[] {
  const before = order.reports.length;
  order.step({
    kind: 'event',
    event: { ...event, seq: Math.max(event.seq, order.order.lastSeq + 1) },
  });
  return order.reports.slice(before);
}

test('the venue may say much', () => {
  expect(events.length).toBeGreaterThan(1000);
});

test.each(Object.entries(orders))('reports of an order that is %s', (state, make) => {
  const ids = state === 'replacing' ? ['v1', 'v2'] : ['v1'];
  const failures = new Set<string>();
  for (const { what, event } of events) {
    for (const id of ids) {
      const named = { ...event, orderId: id as VenueEvent['orderId'] };
      for (const failure of untold(what, reportsOf(make(), named))) failures.add(failure);
    }
  }
  expect([...failures]).toEqual([]);
});

test('reports of an order of another channel', () => {
  const failures = new Set<string>();
  for (const { what, event } of events) {
    const order: Order | undefined = adoptedOrder(event, instrument, 'desk');
    if (order === undefined) continue;
    const ladder = Ladder.live(5);
    ladder.order = order;
    for (const failure of untold(what, reportsOf(ladder, event))) failures.add(failure);
  }
  expect([...failures]).toEqual([]);
});

test('the journal returns every event as it came', () => {
  for (const { event } of events) {
    const record = {
      at: { wallMs: 1, monoMs: 1 } as never,
      inputs: [{ kind: 'event', event } as never],
    };
    expect(decodeRecord(encodeRecord(record, inputForm), 'j', inputForm)).toEqual(record);
  }
});

test('reports of an order on any market', () => {
  const failures = new Set<string>();
  for (const { what, value } of legalMarkets()) {
    for (const one of instrumentsOf(value)) {
      const max = 2n ** 53n - 1n;
      const order = new Ladder(terms({ qty: max as Qty, price: max as Price }), {}, null, one);
      order.sent();
      order.accept();
      order.fill(5, Number.MAX_SAFE_INTEGER);
      order.cancel('c');
      order.refuse('c', denialOf({ code: 'x', number: null, text: 'y' }));
      order.event('canceled');
      for (const failure of untold(what, order.reports)) failures.add(failure);
    }
  }
  expect([...failures]).toEqual([]);
});
