/** Messages of a client, literally, and the commands that they are (contract C.3 to C.11). */
import { describe, expect, test } from 'vitest';
import type { Command, NewOrder } from '../../../src/domain/command.ts';
import { isDenial } from '../../../src/domain/denial.ts';
import { FieldValues } from '../../../src/mapping/fix/field-values.ts';
import { readCommand } from '../../../src/mapping/fix/read-command.ts';
import { readTerms } from '../../../src/mapping/fix/read-terms.ts';
import { nowMs, readSettings, received } from './wire.ts';

const at = '60=20260105-12:00:00';
const spot = `11=ORD-1|55=BTC-USDC|54=1|${at}`;
const limit = `${spot}|38=1.5|40=2|44=50000.25`;

function read(msgType: string, body: string, extras = {}): Command {
  const command = readCommand(received(msgType, body, extras), readSettings);
  if (isDenial(command)) throw new Error(`${command.refusal.name}: ${command.text}`);
  return command;
}

function refused(msgType: string, body: string): string {
  const command = readCommand(received(msgType, body), readSettings);
  return isDenial(command) ? `${command.refusal.name}: ${command.text}` : command.kind;
}

const order = (more: string) => read('D', `${limit}|${more}`) as NewOrder;
const ref = (changes: object) => ({ symbol: null, securityId: null, book: null, ...changes });

describe('NewOrderSingle(D)', () => {
  test('an order with no option means the same as one that spells out what is meant anyway', () => {
    expect(order('59=1').terms).toEqual(order('59=1|21=1|423=2|18=1|77=O|9114=N').terms);
  });

  test('every tag that an option is read from is one of those that are looked for at once', () => {
    const always = [54, 40, 59, 38, 44, 15];
    const asked = new Set<number>();
    let options: ReadonlySet<number> = new Set();
    const recorder = new Proxy(received('D', limit), {
      get(message, name: 'hasAny' | 'has' | 'text' | 'int' | 'bool' | 'utcMs' | 'dateMs') {
        if (name !== 'hasAny') {
          return (tag: number) => {
            asked.add(tag);
            return message[name](tag);
          };
        }
        return (tags: ReadonlySet<number>) => {
          options = tags;
          return true;
        };
      },
    });
    readTerms(recorder, readSettings.tags, new FieldValues());
    const ofOptions = [...asked].filter((tag) => !always.includes(tag));
    expect(new Set(ofOptions)).toEqual(options);
  });

  test('R85: a limit order, every field', () => {
    expect(read('D', `${limit}|1=desk|59=1|15=USDC|21=1`)).toEqual({
      kind: 'new_order',
      origin: {
        session: 'S',
        seq: 7,
        sendingTimeMs: nowMs,
        transactTimeMs: nowMs,
        possDup: false,
        possResend: false,
      },
      clOrdId: 'ORD-1',
      account: 'desk',
      instrument: ref({ symbol: 'BTC-USDC' }),
      terms: {
        side: 'Bid',
        ordType: 'limit',
        qty: { mantissa: 15n, scale: 1 },
        price: { mantissa: 5_000_025n, scale: 2 },
        stopPrice: null,
        maxFloor: null,
        lifetime: 'gtc',
        expireTimeMs: null,
        postOnly: false,
        reduceOnly: false,
        stp: undefined,
        algo: null,
        triggerDirection: null,
        conditionalKind: null,
        currency: 'USDC',
      },
    });
  });

  test.each([
    ['', 'day'],
    ['59=0', 'day'],
    ['59=1', 'gtc'],
    ['59=3', 'ioc'],
    ['59=4', 'fok'],
  ])('R86: %s means %s', (field, lifetime) => {
    expect(order(field).terms.lifetime).toBe(lifetime);
  });

  test.each(['2', '5', '7'])('R86: TimeInForce(59)=%s is unsupported', (code) => {
    expect(refused('D', `${limit}|59=${code}`)).toBe(`bridge.unsupported: TimeInForce(59)=${code}`);
  });

  test('R86: ExpireTime is an instant, ExpireDate the end of that day', () => {
    const byTime = order('59=6|126=20260106-08:30:00');
    expect(byTime.terms).toMatchObject({
      lifetime: 'gtd',
      expireTimeMs: Date.UTC(2026, 0, 6, 8, 30),
    });
    const byDate = order('59=6|432=20260106');
    expect(byDate.terms.expireTimeMs).toBe(Date.UTC(2026, 0, 7));
  });

  test('R87: 18=6 is post-only among codes that say nothing', () => {
    expect(order('18=1 6').terms.postOnly).toBe(true);
    expect(order('18=5').terms.postOnly).toBe(false);
    expect(refused('D', `${limit}|18=6 G`)).toBe('bridge.unsupported: ExecInst(18)=G');
  });

  test('R91: 77=C and 9114=Y both reduce only, and must not contradict', () => {
    expect(order('77=C').terms.reduceOnly).toBe(true);
    expect(order('9114=Y').terms.reduceOnly).toBe(true);
    expect(order('77=O|9114=N').terms.reduceOnly).toBe(false);
    expect(refused('D', `${limit}|77=O|9114=Y`)).toContain('bridge.unsupported');
    expect(refused('D', `${limit}|77=R`)).toBe('bridge.unsupported: PositionEffect(77)=R');
  });

  test('R92: StpMode(9104) by name, "none" as none at all', () => {
    expect(order('9104=cancel_maker').terms.stp).toBe('cancel_maker');
    expect(order('9104=none').terms.stp).toBeNull();
    expect(refused('D', `${limit}|9104=both`)).toBe('bridge.invalid_stp_mode: both');
  });

  test.each(['D', 'G'])(
    'R93: %s with PutOrCall where it does not name the book is refused',
    (type) => {
      const origin = type === 'G' ? '41=O|' : '';
      const body = `${origin}11=A|55=RAIN-2026:YES|201=0|54=2|${at}|38=1|40=1`;
      expect(refused(type, body)).toBe('bridge.unsupported: PutOrCall(201)');
    },
  );

  const no = { instrument: ref({ symbol: 'RAIN-2026', book: 'NO' }) };
  test.each([
    ['i', '117=Q|296=1|302=s|304=1|295=1|299=e|55=RAIN-2026', { sets: [{ entries: [no] }] }],
    ['S', '117=Q|55=RAIN-2026', { entry: no }],
  ])('R93: %s with PutOrCall is read or refused like an order', (type, body, expected) => {
    const quotes = `${body}|201=0|132=1|134=1`;
    expect(refused(type, quotes)).toBe('bridge.unsupported: PutOrCall(201)');
    const on = readCommand(received(type, quotes), { ...readSettings, putOrCallAsBook: true });
    expect(on).toMatchObject(expected);
  });

  test('a cancel, which may be urgent, is not refused for its PutOrCall', () => {
    const cancel = read('F', `41=O|11=A|55=RAIN-2026:YES|201=0|54=2|${at}`);
    expect(cancel).toMatchObject({ kind: 'cancel_order', instrument: { book: null } });
  });

  test.each([
    ['54=5', 'Side(54)=5'],
    ['40=P', 'OrdType(40)=P'],
  ])('%s has no order at the venue', (field, text) => {
    const [tag] = field.split('=');
    const body = limit.replace(new RegExp(`\\|${tag}=[^|]*`), `|${field}`);
    expect(refused('D', body)).toBe(`bridge.unsupported: ${text}`);
  });

  test.each([
    ['152=100', 'CashOrderQty(152)'],
    ['110=1', 'MinQty(110)'],
    ['210=1', 'MaxShow(210)'],
    ['211=1', 'PegOffsetValue(211)'],
    ['388=0', 'DiscretionInst(388)'],
    ['849=0.1', 'ParticipationRate(849)'],
    ['423=1', 'PriceType(423)=1'],
    ['21=2', 'HandlInst(21)=2'],
    ['847=2', 'TargetStrategy(847)=2'],
    ['9107=pov', 'AlgoKind(9107)=pov'],
    ['9108=1', 'a slice without AlgoKind(9107)'],
    ['9105=sideways', 'TriggerDirection(9105)=sideways'],
  ])('%s is refused as unsupported', (field, text) => {
    expect(refused('D', `${limit}|${field}`)).toBe(`bridge.unsupported: ${text}`);
  });

  test('R109: TWAP by the own tags and by TargetStrategy are the same', () => {
    const own = order('9107=twap|9108=0.5|9109=1000').terms.algo;
    const standard = order('847=1001|848=slice_qty=0.5;interval_ms=1000').terms.algo;
    expect(own).toEqual({ kind: 'twap', sliceQty: { mantissa: 5n, scale: 1 }, intervalMs: 1000 });
    expect(standard).toEqual(own);
    expect(refused('D', `${limit}|847=1001|848=speed=9`)).toContain('bridge.unsupported');
    expect(refused('D', `${limit}|847=1|9107=twap`)).toContain('bridge.unsupported');
  });

  test('R110: a stop and its own tags', () => {
    const body = `${spot}|38=1|40=4|44=10|99=11|9105=at_or_below|9106=take_profit`;
    expect((read('D', body) as NewOrder).terms).toMatchObject({
      ordType: 'stop_limit',
      stopPrice: { mantissa: 11n, scale: 0 },
      triggerDirection: 'at_or_below',
      conditionalKind: 'take_profit',
    });
  });

  test('R125: a possible duplicate keeps its first sending time', () => {
    const extras = { possDup: true, possResend: true, texts: { 122: '20260105-11:59:00' } };
    expect(read('D', limit, extras)).toMatchObject({
      origin: { possDup: true, possResend: true, sendingTimeMs: nowMs - 60_000 },
    });
  });

  test('an order for an amount of money is refused as such, although it has no quantity', () => {
    const ofCash = limit.replace('|38=1.5', '|152=100');
    expect(refused('D', ofCash)).toBe('bridge.unsupported: CashOrderQty(152)');
  });

  test('names that would be kept for ever are bounded', () => {
    const body = limit.replace('ORD-1', 'x'.repeat(65));
    expect(refused('D', body)).toContain('bridge.value_out_of_range: tag 11');
    expect(refused('D', limit.replace('ORD-1', 'x'.repeat(64)))).toBe('new_order');
  });

  test('the ClOrdID of an order of a quote may be as long as its three ids make it', () => {
    const longest = 'x'.repeat(64);
    const name = `${longest}.${longest}.${longest}.S.27`;
    const target = { origClOrdId: name, orderId: null };
    expect(read('F', `11=C|41=${name}|55=BTC-USDC|54=1|${at}`)).toMatchObject({ target });
    const terms = `55=BTC-USDC|54=1|38=2|40=2|44=10|${at}`;
    expect(read('G', `11=R|41=${name}|${terms}`)).toMatchObject({ target });
    expect(read('H', `11=${name}|55=BTC-USDC|54=1`)).toMatchObject({ clOrdId: name });
    expect(refused('F', `11=${name}|41=A|55=BTC-USDC|54=1|${at}`)).toBe(
      'bridge.value_out_of_range: tag 11: more than 64 characters',
    );
    expect(refused('H', `11=${name}${longest}|55=BTC-USDC|54=1`)).toContain('tag 11');
  });

  test('an amount longer than any is refused, and a missing quantity is named', () => {
    expect(refused('D', limit.replace('38=1.5', `38=${'9'.repeat(41)}`))).toBe(
      'bridge.value_out_of_range: OrderQty(38)',
    );
    expect(refused('D', limit.replace('|38=1.5', ''))).toBe('field_missing: OrderQty(38)');
  });
});

describe('requests about orders', () => {
  test('OrderCancelRequest(F)', () => {
    const body = `11=C-1|41=ORD-1|37=0xab|55=BTC-USDC|54=1|${at}|38=1|586=20260105-11:00:00`;
    expect(read('F', body)).toMatchObject({
      kind: 'cancel_order',
      clOrdId: 'C-1',
      target: { origClOrdId: 'ORD-1', orderId: '0xab' },
      origModTimeMs: nowMs - 3_600_000,
    });
  });

  test('OrderCancelReplaceRequest(G)', () => {
    const body = `11=R-1|41=ORD-1|55=BTC-USDC|54=1|${at}|38=2|40=2|44=10`;
    expect(read('G', body)).toMatchObject({
      kind: 'replace_order',
      clOrdId: 'R-1',
      target: { origClOrdId: 'ORD-1', orderId: null },
      terms: { qty: { mantissa: 2n, scale: 0 }, lifetime: 'day' },
      origModTimeMs: null,
    });
  });

  test('OrderID(37)=NONE, which the client was told of an order that waits, names no order', () => {
    const target = { origClOrdId: 'ORD-1', orderId: null };
    const body = `11=C-1|41=ORD-1|37=NONE|55=BTC-USDC|54=1|${at}|38=1`;
    expect(read('F', body)).toMatchObject({ target });
    expect(read('G', `${body}|40=2|44=10`)).toMatchObject({ target });
    expect(read('H', '11=ORD-1|37=NONE|55=BTC-USDC|54=1')).toMatchObject({ orderId: null });
  });

  test('R106: OrderMassCancelRequest(q) by instrument and side, and for all', () => {
    expect(read('q', `11=M|530=1|55=BTC-USDC|54=2|${at}`)).toMatchObject({
      kind: 'mass_cancel',
      instrument: ref({ symbol: 'BTC-USDC' }),
      side: 'Ask',
    });
    expect(read('q', `11=M|530=7|${at}`)).toMatchObject({ instrument: null, side: null });
    expect(refused('q', `11=M|530=3|${at}`)).toBe(
      'mass_cancel_not_offered: MassCancelRequestType(530)=3',
    );
    expect(refused('q', `11=M|530=1|${at}`)).toBe('field_missing: Symbol(55)');
    const ofShortSales = `11=M|530=1|55=BTC-USDC|54=5|${at}`;
    expect(refused('q', ofShortSales)).toBe('bridge.unsupported: Side(54)=5');
  });

  test('R108: OrderStatusRequest(H) and OrderMassStatusRequest(AF)', () => {
    expect(read('H', '11=ORD-1|790=Q1|55=BTC-USDC|54=1')).toMatchObject({
      kind: 'order_status',
      clOrdId: 'ORD-1',
      orderId: null,
      reqId: 'Q1',
    });
    expect(read('AF', '584=M1|585=7')).toMatchObject({ kind: 'mass_status', instrument: null });
    expect(read('AF', '584=M1|585=1|55=BTC-USDC')).toMatchObject({
      instrument: ref({ symbol: 'BTC-USDC' }),
    });
    expect(refused('AF', '584=M1|585=8')).toBe('bridge.unsupported: MassStatusReqType(585)=8');
    const other = readCommand(received('AF', '584=M1|585=8'), readSettings);
    expect(other).toMatchObject({ refusal: { order: 99 } });
  });
});

describe('quotes', () => {
  test('R103 R105: MassQuote(i): sets, entries, default sizes', () => {
    const entries =
      '295=2|299=e1|55=RAIN-2026|132=0.4|133=0.6|134=10|135=5|9103=YES|299=e2|55=RAIN-2026|132=0.3|9103=NO';
    const command = read('i', `117=Q1|301=2|1=desk|293=7|296=1|302=s1|304=2|${entries}`);
    expect(command).toMatchObject({
      kind: 'mass_quote',
      quoteId: 'Q1',
      response: 'all',
      sets: [
        {
          setId: 's1',
          entries: [
            {
              entryId: 'e1',
              instrument: ref({ symbol: 'RAIN-2026', book: 'YES' }),
              bid: { price: { mantissa: 4n, scale: 1 }, qty: { mantissa: 10n, scale: 0 } },
              ask: { price: { mantissa: 6n, scale: 1 }, qty: { mantissa: 5n, scale: 0 } },
            },
            {
              entryId: 'e2',
              bid: { qty: { mantissa: 7n, scale: 0 } },
              ask: { price: null, qty: null },
            },
          ],
        },
      ],
    });
  });

  test('Quote(S) is one entry named by its QuoteID', () => {
    expect(read('S', '117=Q2|55=BTC-USDC|132=10|133=11|134=1|135=1')).toMatchObject({
      kind: 'quote',
      quoteId: 'Q2',
      response: 'none',
      entry: { entryId: 'Q2', bid: { price: { mantissa: 10n, scale: 0 } } },
    });
    const long = '1'.repeat(60);
    expect(refused('S', `117=Q2|55=BTC-USDC|133=${long}`)).toBe(
      'bridge.value_out_of_range: OfferPx(133)',
    );
    expect(refused('S', `117=Q2|55=BTC-USDC|134=${long}`)).toBe(
      'bridge.value_out_of_range: BidSize(134)',
    );
  });

  test('QuoteCancel(Z) for all and for the listed instruments', () => {
    expect(read('Z', '117=Q3|298=4')).toMatchObject({ kind: 'quote_cancel', instruments: null });
    expect(read('Z', '117=Q3|298=1|295=1|55=BTC-USDC')).toMatchObject({
      instruments: [ref({ symbol: 'BTC-USDC' })],
    });
    expect(refused('Z', '117=Q3|298=2')).toBe('bridge.unsupported: QuoteCancelType(298)=2');
    expect(refused('Z', '117=Q3|298=1')).toBe('field_missing: NoQuoteEntries(295)');
  });
});

describe('queries', () => {
  test('R112: SecurityListRequest(x) for one and for all', () => {
    expect(read('x', '320=L1|559=4')).toMatchObject({ kind: 'security_list', instrument: null });
    expect(read('x', '320=L1|559=0|55=BTC-USDC')).toMatchObject({
      instrument: ref({ symbol: 'BTC-USDC' }),
    });
    expect(refused('x', '320=L1|559=3')).toContain('bridge.unsupported');
  });

  test('SecurityStatusRequest(e), TradingSessionStatusRequest(g), UserRequest(BE)', () => {
    expect(read('e', '324=E1|55=BTC-USDC|263=1')).toMatchObject({
      kind: 'security_status',
      subscription: 'subscribe',
    });
    expect(read('g', '335=G1|263=0')).toMatchObject({
      kind: 'session_status',
      subscription: 'snapshot',
    });
    expect(read('g', '335=G1|336=VENUE|263=0')).toMatchObject({ kind: 'session_status' });
    expect(refused('g', '335=G1|336=AUCTION|263=0')).toContain('bridge.unsupported');
    expect(read('BE', '923=U1|924=4|553=ann')).toMatchObject({
      kind: 'user_status',
      username: 'ann',
    });
    expect(refused('BE', '923=U1|924=3|553=ann')).toContain('bridge.unsupported');
  });

  test('R112: MarketDataRequest(V), and what of it is not offered', () => {
    const ask = (changes: string) => `262=V1|${changes}|146=1|55=BTC-USDC`;
    expect(read('V', ask('263=1|264=5|265=0|266=Y|267=2|269=0|269=1'))).toMatchObject({
      kind: 'market_data',
      subscription: 'subscribe',
      depth: 5,
      instruments: [ref({ symbol: 'BTC-USDC' })],
    });
    const reason = (changes: string) => {
      const denial = readCommand(received('V', ask(changes)), readSettings);
      return isDenial(denial) ? denial.refusal.marketData : null;
    };
    expect(reason('263=1|264=5|265=1|267=1|269=0')).toBe('6');
    expect(reason('263=1|264=5|266=N|267=1|269=0')).toBe('7');
    expect(reason('263=0|264=5|267=1|269=2')).toBe('8');
    expect(reason('263=0|264=-1|267=1|269=0')).toBe('5');
  });
});

test('a past ExpireDate(432) is known by its name, and an ExpireTime(126) beside it goes first', () => {
  expect(order('59=6|432=20260101').terms.isExpireDate).toBe(true);
  const both = order('59=6|126=20260101-12:00:00|432=20260101').terms;
  expect(both.isExpireDate).toBeUndefined();
});

test.each(['none', 'refusals', 'all'] as const)(
  'a quote without QuoteResponseLevel(301) is answered as the session says: %s',
  (quoteResponse) => {
    const settings = { ...readSettings, quoteResponse };
    const asked = (body: string) => readCommand(received('Z', body), settings);
    expect(asked('117=Q|298=4')).toMatchObject({ response: quoteResponse });
    expect(asked('117=Q|298=4|301=1')).toMatchObject({ response: 'refusals' });
  },
);
