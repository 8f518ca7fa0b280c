/** Refusals in the form that each request asks for (contract D.0 and D.6). */

import { describe, expect, test } from 'vitest';
import { createOrder, type Order } from '../../../src/domain/order.ts';
import type { Account, OrderId, Price, Qty } from '../../../src/domain/units.ts';
import { readCommand } from '../../../src/mapping/fix/read-command.ts';
import { type RefusalFacts, writeRefusal } from '../../../src/mapping/fix/refusal-message.ts';
import { refusalNumbers, refusals } from '../../../src/venue/refusals.ts';
import { terms } from '../../domain/ladder.ts';
import { denied } from '../../support/venue-denial.ts';
import { nowMs, readSettings, received, said, settings, spotInstrument } from './wire.ts';

const at = '60=20260105-12:00:00';
const bodies = {
  D: `11=ORD-1|1=desk|55=BTC-USDC|54=1|${at}|38=1.5|40=2|44=10`,
  F: `11=C-1|41=ORD-1|1=desk|55=BTC-USDC|54=1|${at}|38=1`,
  G: `11=R-1|41=ORD-1|1=desk|55=BTC-USDC|54=1|${at}|38=1|40=2|44=10`,
  i: '117=Q1|1=desk|296=1|302=s1|304=1|295=1|299=e1|55=BTC-USDC|132=1|134=1',
  S: '117=Q2|1=desk|55=BTC-USDC|132=10|134=1',
  Z: '117=Q3|298=4',
  q: `11=M-1|530=7|${at}`,
  H: '11=ORD-1|790=S1|55=BTC-USDC|54=1',
  AF: '584=S2|585=7',
  V: '262=V1|263=0|264=1|267=1|269=0|146=1|55=BTC-USDC',
  x: '320=X1|559=4',
  e: '324=E1|55=BTC-USDC|263=0',
  g: '335=G1|263=0',
  BE: '923=U1|924=4|553=ann',
} as const;
type MsgType = keyof typeof bodies;

function refusal(msgType: MsgType, name: string, facts: Partial<RefusalFacts> = {}, text?: string) {
  const message = received(msgType, bodies[msgType]);
  const known = { execId: 'A1-r7', nowMs, ...facts };
  return said((out) => writeRefusal(out, message, denied(name, text ?? null), settings, known));
}

function someOrder(): Order {
  const owner = {
    session: 'S',
    account: `0x${'11'.repeat(20)}` as Account,
    accountName: 'desk',
    tag: 'A1',
    key: 'o1',
    quoteId: null,
  };
  const wanted = terms({ qty: 200_000_000n as Qty, price: 10_000_000n as Price });
  const order = createOrder(owner, 'FIRST', spotInstrument, wanted, nowMs);
  return {
    ...order,
    phase: 'live',
    orderId: '0xf1' as OrderId,
    cumQty: 50_000_000n as Qty,
    leavesQty: 150_000_000n as Qty,
    notional: 500_000_000_000_000n,
  };
}

describe('R121: one form for each request', () => {
  test('D: ExecutionReport with the words of the client', () => {
    expect(refusal('D', 'bridge.unknown_account', {}, 'desk')).toBe(
      '35=8|37=NONE|11=ORD-1|17=A1-r7|150=8|39=8|103=15|1=desk|55=BTC-USDC|54=1|38=1.5|40=2|44=10|151=0|14=0|6=0|60=20260105-12:00:00.000|58=bridge.unknown_account: desk|9102=bridge.unknown_account',
    );
  });

  test('F.1.b R102: a repeated ClOrdID gives state and sums of the order that has it', () => {
    const about = { order: someOrder(), ordStatus: 'partially_filled' } as const;
    expect(refusal('D', 'bridge.duplicate_clordid', { about })).toBe(
      '35=8|37=0xf1|11=ORD-1|17=A1-r7|150=8|39=1|103=6|1=desk|55=BTC-USDC|54=1|38=1.5|40=2|44=10|151=1.5|14=0.5|6=10|60=20260105-12:00:00.000|58=bridge.duplicate_clordid:|9102=bridge.duplicate_clordid',
    );
  });

  test('the average price excludes fills from before the bridge knew the order', () => {
    const order = { ...someOrder(), unseenQty: 30_000_000n as Qty, notional: 200_000_000_000_000n };
    const about = { order, ordStatus: 'partially_filled' } as const;
    const line = refusal('D', 'bridge.duplicate_clordid', { about });
    expect(line).toContain('|151=1.5|14=0.5|6=10|');
  });

  test('R101: F on an unknown order', () => {
    expect(refusal('F', 'bridge.unknown_order')).toBe(
      '35=9|37=NONE|11=C-1|41=ORD-1|39=8|1=desk|60=20260105-12:00:00.000|434=1|102=1|58=bridge.unknown_order:|9102=bridge.unknown_order',
    );
  });

  test('R102: G on an order that lives has its present state, never 8', () => {
    const about = { order: someOrder(), ordStatus: 'partially_filled' } as const;
    expect(refusal('G', 'bridge.duplicate_clordid', { about })).toBe(
      '35=9|37=0xf1|11=R-1|41=FIRST|39=1|1=desk|60=20260105-12:00:00.000|434=2|102=6|58=bridge.duplicate_clordid:|9102=bridge.duplicate_clordid',
    );
  });

  test('R108: status of an unknown order; mass status with nothing to say', () => {
    expect(refusal('H', 'bridge.unknown_order')).toBe(
      '35=8|37=NONE|11=ORD-1|790=S1|17=0|150=I|39=8|103=5|55=BTC-USDC|54=1|151=0|14=0|6=0|60=20260105-12:00:00.000|58=bridge.unknown_order:|9102=bridge.unknown_order',
    );
    expect(refusal('AF', 'bridge.unsupported', {}, 'MassStatusReqType(585)=8')).toContain(
      '|584=S2|911=0|912=Y|17=0|150=I|39=8|',
    );
  });

  test('i, S, Z: quotes', () => {
    expect(refusal('i', 'bridge.duplicate_clordid')).toBe(
      '35=b|117=Q1|297=5|300=6|1=desk|58=bridge.duplicate_clordid:|9102=bridge.duplicate_clordid',
    );
    expect(refusal('S', 'bridge.limit')).toBe(
      '35=AI|117=Q2|55=BTC-USDC|1=desk|297=5|58=bridge.limit:|9102=bridge.limit',
    );
    expect(refusal('Z', 'bridge.unknown_order')).toContain('35=b|117=Q3|297=9|58=');
  });

  test('q: refused with its reason', () => {
    expect(refusal('q', 'mass_cancel_not_offered')).toBe(
      '35=r|11=M-1|37=NONE|530=7|531=0|532=0|60=20260105-12:00:00.000',
    );
  });

  test('V, x, e, g, BE: queries', () => {
    expect(refusal('V', 'bridge.unknown_instrument')).toBe(
      '35=Y|262=V1|281=0|58=bridge.unknown_instrument:',
    );
    expect(refusal('x', 'bridge.unknown_instrument')).toBe(
      '35=y|320=X1|322=X1|560=2|9102=bridge.unknown_instrument',
    );
    expect(refusal('e', 'bridge.unknown_instrument')).toBe(
      '35=f|324=E1|55=BTC-USDC|326=20|58=bridge.unknown_instrument:|9102=bridge.unknown_instrument',
    );
    expect(refusal('g', 'bridge.unsupported')).toContain('35=h|335=G1|336=VENUE|340=6|567=99|');
    const auction = received('g', '335=G1|336=AUCTION|263=0');
    const denial = denied('bridge.unsupported');
    const facts = { execId: '', nowMs };
    expect(said((out) => writeRefusal(out, auction, denial, settings, facts))).toContain(
      '|336=AUCTION|340=6|567=1|',
    );
    expect(refusal('BE', 'bridge.unsupported', {}, 'no')).toContain(
      '35=BF|923=U1|553=ann|926=6|927=no|',
    );
  });

  test.each(Object.keys(bodies) as MsgType[])('%s from a session without that right', (msgType) => {
    const line = refusal(msgType, 'bridge.not_authorized');
    expect(line).toMatch(new RegExp(`^35=j\\|45=7\\|372=${msgType}\\|379=[^|]+\\|380=6\\|`));
  });

  test('a conditionally required field names itself in a BusinessMessageReject', () => {
    expect(refusal('D', 'field_missing', {}, 'Price(44)')).toBe(
      '35=j|45=7|372=D|379=ORD-1|380=5|58=Conditionally required field missing: Price(44)',
    );
  });

  test.each([
    ['D', '|103=2|'],
    ['F', '|102=2|'],
    ['i', '|380=4|'],
    ['V', '|380=4|'],
  ] as const)('%s while the venue cannot be reached', (msgType, part) => {
    expect(refusal(msgType, 'bridge.venue_unreachable')).toContain(part);
  });

  test('a message that is not offered', () => {
    const message = received('B', '148=hello|33=1|58=line');
    const denial = readCommand(message, readSettings);
    if (!('refusal' in denial)) throw new Error('offered');
    const known = { execId: 'A1-r7', nowMs };
    expect(said((out) => writeRefusal(out, message, denial, settings, known))).toBe(
      '35=j|45=7|372=B|380=3|58=Unsupported Message Type',
    );
  });
});

describe('the table in messages', () => {
  const decisive = refusals.filter((row) => row.decisive && row.source !== 'bridge');

  test.each(decisive.map(({ name }) => name))('R116 R117: %s on D, F and G', (name) => {
    const row = denied(name).refusal;
    for (const [msgType, tag, reason] of [
      ['D', 103, row.order],
      ['F', 102, row.cancel],
      ['G', 102, row.replace],
    ] as const) {
      const line = refusal(msgType, name);
      const expected = row.number === null ? (reason ?? 99) : 99;
      expect(line).toContain(`|${tag}=${expected}|`);
      if (row.code !== null) expect(line).toContain(`|9102=${row.code}`);
      expect(line).toContain(`|58=${row.text}`);
    }
  });

  test('R115: VenueRejectNumber is only ever a number of the venue, beside 103=99', () => {
    for (const { name } of refusals) {
      const line = refusal('D', name);
      const number = /\|9101=(\d+)/.exec(line)?.[1];
      if (number === undefined || !line.startsWith('35=8')) continue;
      expect(refusalNumbers as readonly number[]).toContain(Number(number));
      expect(line).toContain('|103=99|');
    }
  });

  test('R122: an ambiguous pair has its number only where the profile says so', () => {
    const message = received('D', bodies.D);
    const facts = { execId: 'A1-r7', nowMs };
    const denial = denied('KILL_SWITCH');
    const plain = said((out) => writeRefusal(out, message, denial, settings, facts));
    const enabled = { ...settings, numberMap: { KILL_SWITCH: 103 } as const };
    const mapped = said((out) => writeRefusal(out, message, denial, enabled, facts));
    expect(plain).not.toContain('9101=');
    expect(mapped).toContain('|9101=103|');
  });
});
