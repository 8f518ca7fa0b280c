/** What the venue may say about markets, books and itself can be told to clients over both protocols. */
import { expect, test } from 'vitest';
import type { Answer } from '../../../src/domain/answer.ts';
import { instrumentsOf } from '../../../src/domain/instrument.ts';
import type { Price, Qty } from '../../../src/domain/units.ts';
import { writeAnswer as writeFix } from '../../../src/mapping/fix/answer-message.ts';
import { writeAnswer as writeSbe } from '../../../src/mapping/sbe/answer-message.ts';
import { Gate } from '../../../src/venue/gate.ts';
import { readOrderBook } from '../../../src/venue/records.ts';
import { VenueReads } from '../../../src/venue/venue-reads.ts';
import { settings } from '../../mapping/fix/wire.ts';
import { sandbox } from '../../venue/samples.ts';
import { anyValues, legalMarkets, legalValues, withValue } from './legal-values.ts';
import { decoded, failuresOf, out, told } from './told.ts';

function untold(what: string, answer: Answer): string[] {
  return failuresOf(`${answer.kind}, ${what}`, {
    FIX: () => told((writer) => writeFix(writer, answer, settings)),
    SBE: () => decoded(writeSbe(out, answer, settings)),
  });
}

const asked = { reqId: 'r', isUnsolicited: false, nowMs: 0 };

test('a page of the list of markets, whatever the markets', () => {
  const failures = legalMarkets().flatMap(({ what, value }) => {
    const [instrument] = instrumentsOf(value);
    if (instrument === undefined) return [];
    const instruments = Array.from({ length: 50 }, () => instrument);
    const level = [2n ** 53n - 1n, 2n ** 53n - 1n] as [Price, Qty];
    const levels = Array.from({ length: 10_000 }, () => level);
    return [
      ...untold(what, { kind: 'security_list', reqId: 'r', instruments, total: 50, isLast: true }),
      ...untold(what, {
        kind: 'security_status',
        ...asked,
        instrument,
        status: 'open',
        text: null,
      }),
      ...(what.startsWith('status') || /Scale/.test(what)
        ? untold(what, {
            kind: 'depth',
            reqId: 'r',
            instrument,
            seq: null,
            bids: levels,
            asks: levels,
          })
        : []),
    ];
  });
  expect(failures).toEqual([]);
});

const book = { marketId: 7, book: 'YES', seq: 1, bids: [[1, 1]], asks: [[2, 1]] };

test('every book', () => {
  const [market] = legalMarkets();
  const [instrument] = market === undefined ? [] : instrumentsOf(market.value);
  const pointers = { ...sandbox.records.orderbook, price: '/bids/0/0', qty: '/bids/0/1' };
  const books = legalValues(book, pointers, (one) => readOrderBook(sandbox.records.orderbook, one));
  expect(books.length).toBeGreaterThan(20);
  const failures = books.flatMap(({ what, value: { bids, asks, seq } }) => {
    const levels = (of: typeof bids) => of.map(({ price, qty }) => [price, qty] as const);
    if (instrument === undefined) throw new Error('no instrument');
    const sides = { bids: levels(bids), asks: levels(asks) };
    return untold(what, { kind: 'depth', reqId: 'r', instrument, seq, ...sides });
  });
  expect(failures).toEqual([]);
});

test('every reason why the venue takes no orders', async () => {
  const { routes } = sandbox;
  const status = { placementReady: false, tradingHalted: false, sequencerCoreReachable: true };
  const long = 'x'.repeat(2_000_000);
  const failures: string[] = [];
  for (const value of [...anyValues, long]) {
    for (const [route, member] of [
      [routes.readiness, '/reason'],
      [routes.status, '/placementReason'],
    ]) {
      const http = {
        async exchange({ target }: { target: string }) {
          const record = target === routes.status ? status : { ready: false };
          const body = target === route ? withValue(record, member as string, value) : record;
          const code = target === routes.readiness ? 503 : 200;
          return {
            kind: 'response',
            status: code,
            headers: {},
            body: JSON.stringify(body),
          } as const;
        },
      };
      const gate = new Gate({ ...sandbox.gate, placeWithoutStream: false });
      gate.polled(await new VenueReads(http, sandbox).poll(), 0);
      const answer = { kind: 'session_status', state: 'halted', text: gate.reason } as const;
      const shown = String(JSON.stringify(value)).slice(0, 20);
      failures.push(...untold(`${member}=${shown}`, { ...answer, ...asked }));
    }
  }
  expect(failures).toEqual([]);
});
