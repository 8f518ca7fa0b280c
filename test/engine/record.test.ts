/** What a journal holds comes back as it was, amounts to the last atom, and what cannot be read is named. */

import { expect, test } from 'vitest';
import { exactJson } from '../../src/domain/exact-json.ts';
import type { OrderId, Qty } from '../../src/domain/units.ts';
import {
  type AccountState,
  decodeRecord,
  decodeSnapshot,
  type EarlierRecord,
  encodeRecord,
  type InputRecord,
  isEarlier,
} from '../../src/engine/record.ts';
import { inputForm } from '../../src/venue/outbox/input-form.ts';
import type { OutboxInput, OutboxState } from '../../src/venue/outbox/outbox-types.ts';
import { newSubmission } from '../../src/venue/outbox/submission.ts';
import { venueRefusal } from '../../src/venue/refusals.ts';
import type { VenueEvent } from '../../src/venue/venue-event.ts';
import { nothingOfNonces } from '../../src/venue/verdict.ts';
import { Ladder, terms } from '../domain/ladder.ts';
import { denied } from '../support/venue-denial.ts';
import { streamEvent } from '../venue/samples.ts';

const huge = (10n ** 30n + 1n) as Qty;
const { order } = new Ladder(terms({ qty: huge }));
const { instrument, owner } = order;
const orderId = `0x${'cd'.repeat(32)}` as OrderId;

const record: InputRecord<OutboxInput, VenueEvent> = {
  at: { wallMs: 1_700_000_000_000, monoMs: 12 },
  inputs: [
    { kind: 'started' },
    { kind: 'entry', owner, clOrdId: 'c1', instrument, terms: terms({ qty: huge }), nowMs: 5 },
    { kind: 'order', key: owner.key, input: { kind: 'waiting', requestId: 'new', nowMs: 6 } },
    { kind: 'event', event: streamEvent(7, { orderId, leavesQty: huge }) },
    { kind: 'judged', id: 1, denial: denied('bridge.kill_switch', 'stop') },
    { kind: 'judged', id: 2, denial: null },
    { kind: 'withdraw', session: null, denial: denied('bridge.kill_switch') },
    {
      kind: 'venue',
      input: {
        kind: 'answered',
        id: 3,
        verdict: {
          kind: 'refused',
          refusal: venueRefusal('nonce_replayed'),
          text: 'a "quoted" word',
          nonce: { ...nothingOfNonces, nonceFloor: 9 },
          retryAfterMs: null,
        },
      },
    },
    { kind: 'venue', input: { kind: 'floor', floor: 3, asked: null } },
  ],
};

function state(): AccountState<OutboxState> {
  const wanted = {
    asked: { key: owner.key, requestId: 'new' },
    intent: { kind: 'cancel', target: 'order', orderId } as const,
    clientOrderId: 'C-1',
    fencedId: null,
  };
  return {
    orders: [{ order, names: ['S/c1'], venueIds: [orderId] }],
    spent: ['S/gone'],
    lastSeq: 7,
    quotes: { groups: [], flights: [], slots: [] },
    venue: {
      lastId: 4,
      submissions: [newSubmission(4, wanted, 12)],
      nonces: { floor: 3, slots: [] } as unknown as OutboxState['nonces'],
    },
  };
}

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));
/** As the version before wrote the whole state. */
const encodeWhole = (whole: AccountState<OutboxState>) =>
  Buffer.from(exactJson({ v: 3, ...whole }));

test('a record comes back as it was written, amounts to the last atom', () => {
  const read = decodeRecord(encodeRecord(record, inputForm), 'here', inputForm);
  expect(read).toEqual(record);
  expect(isEarlier(read)).toBe(false);
});

test('a snapshot of the version before is read whole, with the half of the venue', () => {
  expect(decodeSnapshot<OutboxState>(encodeWhole(state()), 'here')).toEqual(state());
});

test('a snapshot without a half of the venue, as relays and earlier versions have it, is read too', () => {
  const { venue: _, ...rest } = state();
  expect(decodeSnapshot(encodeWhole(rest), 'here')).toEqual(rest);
});

test('a record of an earlier version is distinguished from a current one', () => {
  const earlier: EarlierRecord = {
    inputs: [],
    actions: [
      { key: 'k', requestId: 'new', nonce: 7n, actionHash: '0x1', orderId, canonical: '{}' },
    ],
  };
  const text = `{"v":1,"inputs":[],"actions":[{"key":"k","requestId":"new","nonce":{"$":"7"},"actionHash":"0x1","orderId":"${orderId}","canonical":"{}"}]}`;
  const read = decodeRecord(Buffer.from(text), 'here', inputForm);
  expect(read).toEqual(earlier);
  expect(isEarlier(read)).toBe(true);
});

test.each([0, 5, 99, null, 'two'])('a record of version %s is refused by name', (v) => {
  expect(() => decodeRecord(bytesOf({ v, inputs: [] }), 'desk/0x1, record 3', inputForm)).toThrow(
    `desk/0x1, record 3 has version ${v}, which this version of Causeway cannot read`,
  );
});

test.each([0, 1, 5, 99])('a snapshot of version %d is refused by name', (v) => {
  expect(() => decodeSnapshot(bytesOf({ v, orders: [] }), 'desk/0x1, snapshot')).toThrow(
    `desk/0x1, snapshot has version ${v}, which this version of Causeway cannot read`,
  );
});

test.each(['[]', '7', 'null', '{}'])('%s, which says no version, is refused by name', (text) => {
  const record = (bytes: Uint8Array, at: string) => decodeRecord(bytes, at, inputForm);
  for (const decode of [record, decodeSnapshot<never>]) {
    expect(() => decode(Buffer.from(text), 'this one')).toThrow('this one has version undefined');
  }
});
